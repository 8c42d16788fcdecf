"""The front door: what any program may ask, one call per use case."""
