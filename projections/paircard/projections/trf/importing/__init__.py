"""From a report to the commands that record the same tournament."""
