"""The facts of a tournament, and what may be asked of it."""
