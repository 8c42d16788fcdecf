"""Folds over the facts: everything that is computed from the log."""
