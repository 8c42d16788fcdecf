"""The addresses of the API: each module has a table of its endpoints."""
