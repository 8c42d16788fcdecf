"""``paircard demo --serve``: the worked example, seen live."""

import os
import re
import signal
import subprocess
import sys
import time
from pathlib import Path
from urllib.request import urlopen

from tests.roots import PYTHONPATH


def test_the_demo_is_served_while_it_is_played_and_ends_with_ctrl_c(tmp_path: Path) -> None:
    demo = subprocess.Popen(
        [sys.executable, "-u", "-m", "paircard.cli", "demo", "--serve", "--port", "0", "--pause", "0",
         "--no-browser"],
        cwd=tmp_path,
        env=os.environ | {"PYTHONPATH": PYTHONPATH, "PYTHONUTF8": "1"},
        stdout=subprocess.PIPE,
        stderr=subprocess.STDOUT,
    )  # fmt: skip
    try:
        assert demo.stdout is not None
        said = ""
        end = time.monotonic() + 120
        while "until you press Ctrl-C" not in said and time.monotonic() < end:
            said += demo.stdout.readline().decode()
        [base] = re.findall(r"at (http://127\.0\.0\.1:\d+)", said)
        with urlopen(base) as answer:
            assert "Six rounds by the book" in answer.read().decode()
        demo.send_signal(signal.SIGINT)
        assert demo.wait(30) == 0
    finally:
        demo.kill()
        demo.communicate()
