"""The commands of ``paircard``, one module per subject."""
