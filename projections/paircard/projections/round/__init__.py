"""What a round is paired from: crosstable, scoregroups, colours, floats, numbers, snapshot."""
