"""The databases that keep a log, through the recorders of the eventsourcing library."""
