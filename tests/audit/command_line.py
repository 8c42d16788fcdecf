"""The command line in this process: quick, with what it prints and how it ends."""

import contextlib
import io
import json
import os
from collections.abc import Sequence
from pathlib import Path

import msgspec

from paircard.cli.main import run
from paircard.domain.log.store import Tournaments
from paircard.domain.log.stored import StoredFact
from paircard.domain.proof.bundles import take_in


class Said(msgspec.Struct, frozen=True):
    """How a command ended."""

    code: int
    out: str
    err: str


def say(path: Path | str, *words: str) -> Said:
    """Run a command on a file, or a database."""
    out, err = io.StringIO(), io.StringIO()
    before = os.environ.get("PAIRCARD_DB")
    os.environ["PAIRCARD_DB"] = str(path)
    try:
        with contextlib.redirect_stdout(out), contextlib.redirect_stderr(err):
            code = run(words)
    finally:
        os.environ.pop("PAIRCARD_DB")
        if before is not None:
            os.environ["PAIRCARD_DB"] = before
    return Said(code, out.getvalue(), err.getvalue())


def ok(path: Path | str, *words: str) -> str:
    """Run a command that must succeed; what it printed."""
    said = say(path, *words)
    assert (said.code, said.err) == (0, ""), (words, said)
    return said.out


def refused(path: Path | str, *words: str, code: int = 1) -> str:
    """Run a command that must be refused in one line; that line."""
    said = say(path, *words)
    assert said.code == code, (words, said)
    assert "detail" in json.loads(said.out) if "--json" in words else not said.out, (words, said)
    assert said.err.startswith("paircard: ")
    assert said.err.count("\n") == 1
    return said.err.removeprefix("paircard: ").rstrip("\n")


def grow(path: Path | str, tournament: str, rows: Sequence[StoredFact]) -> None:
    """Write a log, or what it has more, into a file of ours."""
    with Tournaments(path, create=True) as store:
        take_in(store, tournament, list(rows))
