"""Tie-breaks of C.07 (in force 1 March 2026), as pure functions over the crosstable."""
