"""``python -m paircard`` is the command ``paircard``."""

from paircard.cli.main import main

main()
