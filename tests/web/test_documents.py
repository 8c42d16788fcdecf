"""docs/http.md: the session is typed into a shell, the programs run, against a server as people start it."""

import os
import shutil
import subprocess
import sys
from collections.abc import Iterator
from pathlib import Path

import pytest

from tests.documents import blocks, document, programs, typed
from tests.roots import PYTHONPATH
from tests.web.running import Running, running

HTTP = document("docs/http.md")
MARK = "--- next"

pytestmark = pytest.mark.skipif(not shutil.which("curl"), reason="curl is not installed")


@pytest.fixture
def served(tmp_path: Path) -> Iterator[tuple[Running, Path]]:
    folder = tmp_path / "desk"
    folder.mkdir()
    with running(str(folder / "open.db"), tmp_path / "log") as server:
        yield server, folder


def shell(folder: Path, lines: list[str], port: int) -> list[str]:
    """What each line prints, typed into one shell."""
    bin = folder / "bin"
    bin.mkdir()
    command = bin / "paircard"
    command.write_text(f'#!/bin/sh\nexec {sys.executable} -m paircard.cli "$@"\n')
    command.chmod(0o755)
    script = "\n".join(f"{line}\necho '{MARK}'" for line in lines).replace(":8000", f":{port}")
    environment = os.environ | {"PYTHONPATH": PYTHONPATH, "PATH": f"{bin}:{os.environ['PATH']}"}
    done = subprocess.run(
        ["bash", "-c", script], cwd=folder, env=environment, capture_output=True, text=True, timeout=120
    )
    assert not done.stderr, done.stderr
    return [part.strip("\n") for part in done.stdout.replace(f":{port}", ":8000").split(f"{MARK}\n")][:-1]


@pytest.mark.slow
def test_the_session_and_the_programs_do_what_the_document_says(served: tuple[Running, Path]) -> None:
    server, folder = served
    [session] = blocks(HTTP, "console")
    lines = [(line, shown) for line, shown in typed(session)]

    printed = shell(folder, [line for line, _ in lines], server.port)
    for (line, shown), said in zip(lines, printed, strict=True):
        assert said == shown.strip("\n"), line
    [one] = server.anybody().tournaments().tournaments
    for program, shown in programs(HTTP):
        done = subprocess.run(
            [sys.executable, "-c", program, f"{server.base}/api/v1", one.id],
            env=os.environ | {"PYTHONPATH": PYTHONPATH, "KEY": server.key_for()},
            capture_output=True,
            text=True,
            timeout=60,
        )
        assert done.stdout.strip("\n") == shown.strip("\n"), done.stderr
