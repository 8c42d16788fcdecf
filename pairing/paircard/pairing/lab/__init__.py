"""The laboratory: random tournaments, checks of published rounds, comparisons of engines."""
