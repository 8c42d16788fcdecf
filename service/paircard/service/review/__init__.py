"""Looking at a tournament again: replay, what-if, preview, verify."""
