"""Values that facts and commands are made of."""
