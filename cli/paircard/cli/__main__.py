"""``python -m paircard.cli`` is the same as ``paircard``."""

from paircard.cli.main import main

main()
