"""Rating lists: FIDE's own and any other, imported into a file, looked up, and held against a tournament."""
