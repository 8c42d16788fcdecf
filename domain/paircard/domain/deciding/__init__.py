"""Deciding: a state and a command give facts, or a refusal. One module per subject."""
