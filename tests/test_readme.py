"""The README: its session is typed and compared, its commands and modules exist."""

import os
import re
import shlex
import subprocess
import sys
from pathlib import Path

import click

from paircard.cli.main import cli
from tests.roots import PYTHONPATH

ROOT = Path(__file__).parent.parent
README = (ROOT / "README.md").read_text(encoding="utf-8")


def typed(session: str) -> list[tuple[str, str]]:
    """Each line typed at the prompt, with what it is said to print."""
    parts = re.split(r"^\$ (.*)$", session, flags=re.MULTILINE)[1:]
    return [(line, told.strip("\n")) for line, told in zip(parts[::2], parts[1::2], strict=True)]


def timeless(told: str) -> str:
    """The same text whenever it is typed: a head hash depends on the time of the facts."""
    return re.sub(r"(?<=\d:)[0-9a-f]{4}(-[0-9a-f]{4}){4}", "head", told)


def test_the_session_prints_what_the_readme_says(tmp_path: Path) -> None:
    [session] = re.findall(r"^```console\n(.*?)^```", README, flags=re.MULTILINE | re.DOTALL)
    command = tmp_path / "bin" / "paircard"
    command.parent.mkdir()
    command.write_text(f'#!/bin/sh\nexec {shlex.quote(sys.executable)} -m paircard.cli "$@"\n')
    command.chmod(0o755)
    environment = {name: value for name, value in os.environ.items() if not name.startswith("PAIRCARD_")}
    environment |= {
        "PATH": f"{command.parent}{os.pathsep}{os.environ['PATH']}",
        "PYTHONPATH": PYTHONPATH,
        "PYTHONUTF8": "1",
    }

    for line, told in typed(session):
        done = subprocess.run(
            ["bash", "-c", line],
            cwd=tmp_path,
            env=environment,
            stdout=subprocess.PIPE,
            stderr=subprocess.STDOUT,
            timeout=600,
        )
        assert timeless(done.stdout.decode().rstrip("\n")) == timeless(told), line


def test_the_session_ends_in_a_corrected_result_that_changes_the_next_pairing() -> None:
    [session] = re.findall(r"^```console\n(.*?)^```", README, flags=re.MULTILINE | re.DOTALL)
    second_rounds = [told for line, told in typed(session) if line == "paircard pair"][1:]

    assert len(second_rounds) == 2
    assert second_rounds[0] != second_rounds[1]


def test_the_two_commands_stand_on_one_line_each_and_ci_runs_the_second() -> None:
    blocks = re.findall(r"^```sh\n(.*?)^```", README, flags=re.MULTILINE | re.DOTALL)

    assert [block.count("\n") for block in blocks[:2]] == [1, 1]
    assert blocks[0].startswith("python3 -m venv .venv && .venv/bin/pip install -q .")
    assert blocks[1].rstrip().endswith("pytest -q")
    assert "README.md" in (ROOT / ".ci/run").read_text(encoding="utf-8")
    assert os.access(ROOT / ".ci/run", os.X_OK)


def test_every_command_in_the_readme_exists() -> None:
    ctx = click.Context(cli)
    rows = re.findall(
        r"^\| (?:tournament|players|rounds|looking|proof|elsewhere) \| (.*) \|$", README, re.MULTILINE
    )
    assert len(rows) == 6
    for cluster in (cluster for row in rows for cluster in row.split(" · ")):
        [first, *more] = re.findall(r"`([a-z][a-z-]*(?: [a-z]+)?)[^`]*`", cluster)
        for name in (first, *more):
            words = name.split() if " " in name or " " not in first else [first.split()[0], name]
            command: click.Command | None = cli
            for word in words:
                assert isinstance(command, click.Group)
                command = command.get_command(ctx, word)
            assert command is not None, f"the README names {name!r}"


def test_the_map_of_the_house_names_folders_that_exist() -> None:
    for folder in re.findall(r"^    (\S+/)  ", README, flags=re.MULTILINE):
        assert (ROOT / folder).is_dir(), folder
