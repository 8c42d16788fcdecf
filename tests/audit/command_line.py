"""The command line in this process: quick, with what it prints and how it ends."""

import contextlib
import io
import json
import os
from collections.abc import Iterator, Sequence
from pathlib import Path
from typing import Any

import msgspec
import pytest

from paircard.cli.main import cli, run
from paircard.cli.refusals import BadValue, Misused
from paircard.cli.usage import Run
from paircard.domain.errors import PaircardError
from paircard.domain.log.store import Tournaments
from paircard.domain.log.stored import StoredFact
from paircard.domain.messages import Message
from paircard.domain.proof.bundles import take_in
from paircard.domain.speaking import Speaker
from tests.refusals import among


class Said(msgspec.Struct, frozen=True):
    """How a command ended."""

    code: int
    out: str
    err: str


@contextlib.contextmanager
def at_work(path: Path | str) -> Iterator[None]:
    """Have commands mean this file, or database."""
    before = os.environ.get("PAIRCARD_DB")
    os.environ["PAIRCARD_DB"] = str(path)
    try:
        yield
    finally:
        os.environ.pop("PAIRCARD_DB")
        if before is not None:
            os.environ["PAIRCARD_DB"] = before


def say(path: Path | str, *words: str) -> Said:
    """Run a command on a file, or a database."""
    out, err = io.StringIO(), io.StringIO()
    with at_work(path), contextlib.redirect_stdout(out), contextlib.redirect_stderr(err):
        code = run(words)
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


def refuses(path: Path | str, code: str, /, *words: str, exit: int = 1, **fields: Any) -> None:
    """Run a command that must be refused with this code, and with these fields among its own."""
    refused(path, *words, code=exit)
    asked = Run()
    asked.typed = words
    with (
        at_work(path),
        contextlib.redirect_stdout(io.StringIO()),
        pytest.raises((PaircardError, Misused, BadValue)) as refusal,
    ):
        cli.main(list(words), prog_name="paircard", standalone_mode=False, obj=asked)
    assert isinstance(refusal.value, PaircardError | Misused | BadValue)
    said = refusal.value.said
    assert (said.code, among(said, fields)) == (code, fields)


def signed(facts: int, *names: str) -> str:
    """What verification says of a checkpoint in order; without names nobody's signature was checked."""
    return Speaker().say(Message("cli.verify.checkpoint", {"facts": facts, "names": names}))


def wrong(message: Message) -> str:
    """What verification of a tournament says of something that is not as it should be."""
    return Speaker().say(Message("cli.verify.wrong", {"version": 0, "value": Speaker().say(message)}))


def grow(path: Path | str, tournament: str, rows: Sequence[StoredFact]) -> None:
    """Write a log, or what it has more, into a file of ours."""
    with Tournaments(path, create=True) as store:
        take_in(store, tournament, list(rows))
