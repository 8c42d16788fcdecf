"""From a report to the tournament it describes."""
