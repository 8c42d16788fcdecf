"""``python -m paircard.cli`` is the same as ``paircard``."""

from paircard.cli.start import main

main()
