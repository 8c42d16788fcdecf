"""Lines of a report and their typed values, both ways."""
