"""Long commands say on a terminal how far they are, and say nothing of it to a file or a pipe."""

import contextlib
import os
import subprocess
import sys
from collections.abc import Sequence

import pytest

from tests.cli.session import Terminal

pty = pytest.importorskip("pty", reason="a terminal of Unix")

LONG = [
    ("generating", ["generate", "out", "--count", "2", "--players", "4", "--rounds", "2", "--seed", "1"]),
    ("check", ["check", "random.trf"]),
    ("move", ["move", "paircard.db", "other.db"]),
    ("backup", ["backup", "copy.db"]),
    ("restore", ["restore", "monday.db"]),
    ("verify", ["verify", "--all"]),
    ("replay", ["replay", "--all"]),
    ("tables", ["tables", "tables.db"]),
    ("tree", ["tree", "publish", "--to", "tree", "--key", "federation.key"]),
]


@pytest.mark.parametrize(("name", "words"), LONG, ids=[name for name, _ in LONG])
def test_a_long_command_shows_a_bar_on_a_terminal(name: str, words: Sequence[str], playing: Terminal) -> None:
    playing.ok("backup", "monday.db")
    playing.ok("key", "new", "fsi.it/record", "-o", "federation.key")
    playing.run("generate", "random.trf", "--players", "4", "--rounds", "2", "--seed", "1")

    assert "100%" in seen_on_a_terminal(playing, words)


def seen_on_a_terminal(desk: Terminal, words: Sequence[str]) -> str:
    """What a command prints on a terminal."""
    ours, theirs = pty.openpty()
    command = [sys.executable, "-m", "paircard.cli", *words]
    process = subprocess.Popen(
        command, cwd=desk.folder, env=desk.environment | {"TERM": "xterm"}, stdout=theirs, stderr=theirs
    )
    os.close(theirs)
    told = b""
    with contextlib.suppress(OSError):  # Linux says so when the other side is closed
        while more := os.read(ours, 1 << 16):
            told += more
    os.close(ours)
    assert process.wait() == 0, told
    return told.decode()
