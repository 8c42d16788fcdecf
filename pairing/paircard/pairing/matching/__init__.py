"""Matching machinery, apart from the chess: graphs are int bitsets, weights are Python ints."""
