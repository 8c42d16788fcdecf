#!/usr/bin/env python3
"""The older name of ``verify.py``, which knows a bundle from a proof and lies in the same folder."""

import runpy
from pathlib import Path

if __name__ == "__main__":
    runpy.run_path(str(Path(__file__).with_name("verify.py")), run_name="__main__")
