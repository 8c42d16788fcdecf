"""``paircard demo --serve``: the worked example, seen live."""

import errno
import os
import re
import signal
import socket
import subprocess
import sys
import time
from contextlib import suppress
from pathlib import Path
from urllib.request import urlopen

from tests.refusals import sentence
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


def test_a_demo_without_a_server_says_so_and_does_not_play(tmp_path: Path) -> None:
    with socket.create_server(("127.0.0.1", 0)) as taken:
        port = str(taken.getsockname()[1])
        done = subprocess.run(
            [sys.executable, "-m", "paircard.cli", "demo", "--serve", "--port", port, "--no-browser"],
            cwd=tmp_path,
            env=os.environ | {"PYTHONPATH": PYTHONPATH, "PYTHONUTF8": "1"},
            capture_output=True,
            text=True,
            check=False,
            timeout=120,
        )
    assert done.returncode == 1
    taken_says = os.strerror(errno.EADDRINUSE).lower()
    assert sentence("http.port-unusable", number=int(port), reason=taken_says) in done.stderr
    assert sentence("cli.demo-without-server") in done.stderr
    assert "Round 1" not in done.stdout
