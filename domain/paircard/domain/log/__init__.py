"""The log that keeps the facts: chained, append-only, in SQLite or PostgreSQL."""
