"""The source roots of the house, from the lowest layer to the doors."""

import os
from pathlib import Path

ROOT = Path(__file__).parent.parent
LAYERS = ("domain", "projections", "pairing", "service", "cli", "web")
DOORS = ("cli", "web")
"""Both stand on the service, and neither imports the other."""
SOURCES = [str(ROOT / layer) for layer in LAYERS]
PYTHONPATH = os.pathsep.join(SOURCES)
"""For a process started by a test."""
