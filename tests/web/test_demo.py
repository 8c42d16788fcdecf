"""``paircard demo --serve``: the worked example, seen live."""

import os
import re
import signal
import subprocess
import sys
import time
from contextlib import suppress
from pathlib import Path
from urllib.request import urlopen

from tests.roots import PYTHONPATH

ADDRESS = re.compile(r"at (http://127\.0\.0\.1:\d+)")


def test_the_demo_is_served_while_it_is_played_and_ends_with_ctrl_c(tmp_path: Path) -> None:
    demo = subprocess.Popen(
        [sys.executable, "-u", "-m", "paircard.cli", "demo", "--serve", "--port", "0", "--pause", "0",
         "--no-browser"],
        cwd=tmp_path,
        env=os.environ | {"PYTHONPATH": PYTHONPATH, "PYTHONUTF8": "1"},
        stdout=subprocess.PIPE,
        stderr=subprocess.STDOUT,
        start_new_session=True,
    )  # fmt: skip
    try:
        assert demo.stdout is not None
        said = ""
        end = time.monotonic() + 120
        while time.monotonic() < end and not ("until you press Ctrl-C" in said and ADDRESS.search(said)):
            said += demo.stdout.readline().decode()
        [base] = ADDRESS.findall(said)
        with urlopen(base) as answer:
            assert "Six rounds by the book" in answer.read().decode()
        demo.send_signal(signal.SIGINT)
        assert demo.wait(30) == 0
    finally:
        with suppress(ProcessLookupError):  # the demo and its server, if it left one behind
            os.killpg(demo.pid, signal.SIGKILL)
        demo.communicate()
