"""What the documents show is what happens: their transcripts are typed, their programs run."""

import os
import re
import shlex
import subprocess
import sys
from pathlib import Path

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
    return re.findall(r"^```python\n(.*?)^```\n\n```text\n(.*?)^```", text, flags=re.MULTILINE | re.DOTALL)


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


def type_in(folder: Path, *sessions: str) -> None:
    """Type the lines of transcripts one after the other in a shell, and compare what they print."""
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
        done = subprocess.run(
            ["bash", "-c", line],
            cwd=folder,
            env=environment,
            stdout=subprocess.PIPE,
            stderr=subprocess.STDOUT,
            timeout=600,
        )
        assert lasting(done.stdout.decode().rstrip("\n")) == lasting(shown), line
