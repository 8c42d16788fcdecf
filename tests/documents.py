"""What the documents show is what happens: their transcripts are typed, their programs run."""

import contextlib
import os
import re
import shlex
import subprocess
import sys
from collections.abc import Mapping
from pathlib import Path

from paircard.cli.main import run
from tests.cli.session import Terminal, printed
from tests.roots import PYTHONPATH, ROOT


def document(name: str) -> str:
    """The text of a document."""
    return (ROOT / name).read_text(encoding="utf-8")


def section(text: str, title: str) -> str:
    """What stands under a heading of the second level."""
    return text.split(f"\n## {title}\n")[1].split("\n## ")[0]


def blocks(text: str, language: str) -> list[str]:
    """The fenced blocks of a language."""
    return re.findall(rf"^```{language}\n(.*?)^```", text, flags=re.MULTILINE | re.DOTALL)


def programs(text: str) -> list[tuple[str, str]]:
    """Each Python program, with what it is said to print."""
    lines = r"((?:(?!```).*\n)*)```"
    return re.findall(rf"^```python\n{lines}\n\n```text\n{lines}", text, flags=re.MULTILINE)


def typed(session: str) -> list[tuple[str, str]]:
    """Each line typed at the prompt, with what it is said to print."""
    parts = re.split(r"^\$ (.*)$", session, flags=re.MULTILINE)[1:]
    return [(line, shown.strip("\n")) for line, shown in zip(parts[::2], parts[1::2], strict=True)]


def lasting(shown: str) -> str:
    """The same text whenever it is typed: hashes depend on the time of the facts."""
    shown = re.sub(r"\d{4}-\d\d-\d\d \d\d:\d\d:\d\dZ", "time", shown)
    short = re.sub(r"(?<=\d:)[0-9a-f]{4}(-[0-9a-f]{4}){7}", "head", shown)
    return re.sub(r"(?<=head )[0-9a-f]{20,64}", "hash", short)


def run_program(program: str, folder: Path) -> str:
    """What a Python program prints, run as a process of its own in a folder."""
    done = subprocess.run(
        [sys.executable, "-c", program],
        cwd=folder,
        env=os.environ | {"PYTHONPATH": PYTHONPATH, "PYTHONUTF8": "1"},
        capture_output=True,
        text=True,
        timeout=600,
    )
    assert not done.stderr, done.stderr
    return done.stdout


PLAIN = re.compile(r"paircard [^|<>&;$`]*")
"""A line that needs no shell."""


def type_in(folder: Path, *sessions: str, by_shell: bool = False) -> None:
    """Type the lines of transcripts one after the other, and compare what they print.

    What needs no shell is run here, which is quick; with ``by_shell`` every line is typed there.
    """
    python = shlex.quote(sys.executable)
    for name, module in (("paircard", " -m paircard.cli"), ("python3", "")):
        command = folder / "bin" / name
        command.parent.mkdir(exist_ok=True)
        command.write_text(f'#!/bin/sh\nexec {python}{module} "$@"\n')
        command.chmod(0o755)
    environment = {name: value for name, value in os.environ.items() if not name.startswith("PAIRCARD_")}
    environment |= {
        "PATH": f"{folder / 'bin'}{os.pathsep}{os.environ['PATH']}",
        "PYTHONPATH": PYTHONPATH,
        "PYTHONUTF8": "1",
    }
    for line, shown in (typed_line for session in sessions for typed_line in typed(session)):
        if by_shell or not PLAIN.fullmatch(line):
            told = told_by_shell(line, folder, environment)
        else:
            terminal = Terminal(folder)
            terminal.environment = environment
            with terminal.at_work() as (out, _), contextlib.redirect_stderr(out):
                run(shlex.split(line)[1:])
            told = printed(out)
        assert lasting(told.rstrip("\n")) == lasting(shown), line


def told_by_shell(line: str, folder: Path, environment: Mapping[str, str]) -> str:
    """What a line prints, and what it says beside that."""
    done = subprocess.run(
        ["bash", "-c", line],
        cwd=folder,
        env=environment,
        stdout=subprocess.PIPE,
        stderr=subprocess.STDOUT,
        timeout=600,
    )
    return done.stdout.decode()
