"""Files for others: PGN, broadcasts, sheets of other programs, and the data rating officers ask for."""
