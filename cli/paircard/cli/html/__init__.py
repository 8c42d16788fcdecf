"""Pages for a browser and for paper."""
