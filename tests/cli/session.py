"""A terminal: the real command on real files in a folder of its own."""

import contextlib
import io
import json
import os
import sqlite3
import subprocess
import sys
from collections.abc import Iterator, Mapping
from pathlib import Path
from types import MappingProxyType
from typing import Any

import msgspec

from paircard.cli.main import cli, run
from paircard.cli.refusals import BadValue, Misused
from paircard.cli.usage import Run
from paircard.domain.errors import PaircardError
from paircard.service import Moment, Office
from tests.refusals import among, sentence, warns
from tests.roots import PYTHONPATH

Streams = tuple[io.TextIOWrapper, io.TextIOWrapper]
NONE: Mapping[str, str] = MappingProxyType({})


def imported(name: str, kind: str, entered: int, last: int, rounds: int, edition: str) -> str:
    """What ``trf import`` says at its end."""
    about: dict[str, Any] = {"name": name, "kind": kind, "entered": entered, "last": last, "rounds": rounds}
    return sentence("cli.said.report-imported", **about, edition=edition)


class Done(msgspec.Struct, frozen=True):
    """How a command ended."""

    code: int
    out: str
    err: str


class Terminal:
    """Runs ``paircard`` in a folder."""

    def __init__(self, folder: Path) -> None:
        self.folder = folder
        self.environment = {
            key: value for key, value in os.environ.items() if not key.startswith(("PAIRCARD_", "COLUMNS"))
        } | {"PYTHONPATH": PYTHONPATH, "PAIRCARD_AS": "Anna Arbiter", "PYTHONUTF8": "1", "COLUMNS": "100"}

    def run(self, *words: str, input: str | bytes = b"", **environment: str) -> Done:
        """Run a command in this process, which is quick, and wait for its end."""
        with self.at_work(input, environment) as (out, err):
            code = run(words)
        return Done(code, printed(out), printed(err))

    @contextlib.contextmanager
    def at_work(self, input: str | bytes = b"", environment: Mapping[str, str] = NONE) -> Iterator[Streams]:
        """Be in the folder, with the environment and the streams of a command."""
        given = io.TextIOWrapper(io.BytesIO(input.encode() if isinstance(input, str) else input), "utf-8")
        out, err = (io.TextIOWrapper(io.BytesIO(), "utf-8", newline="") for _ in range(2))
        before, stdin = dict(os.environ), sys.stdin
        os.environ.clear()
        os.environ.update(self.environment | dict(environment))
        sys.stdin = given
        try:
            with (
                contextlib.chdir(self.folder),
                contextlib.redirect_stdout(out),
                contextlib.redirect_stderr(err),
            ):
                yield out, err
        finally:
            sys.stdin = stdin
            os.environ.clear()
            os.environ.update(before)

    def process(self, *words: str, input: str | bytes = b"", **environment: str) -> Done:
        """Run a command in a process of its own, as a shell does."""
        ended = subprocess.run(
            [sys.executable, "-m", "paircard.cli", *words],
            cwd=self.folder,
            env=self.environment | environment,
            input=input.encode() if isinstance(input, str) else input,
            capture_output=True,
            timeout=600,
        )
        return Done(ended.returncode, ended.stdout.decode(), ended.stderr.decode())

    def ok(self, *words: str) -> str:
        """Run a command that must succeed; what it printed."""
        done = self.run(*words)
        assert (done.code, done.err) == (0, ""), (words, done)
        return done.out

    def refuses(self, code: str, /, *words: str, exit: int = 1, **fields: Any) -> None:
        """Run a command that must be refused with this code, and with these fields among its own."""
        self.refused(*words, code=exit)
        said = self.error(*words).said
        assert (said.code, among(said, fields)) == (code, fields)

    def warned(self, code: str, /, *words: str, **fields: Any) -> None:
        """Run a command that needs one warning acknowledged: this one, with these fields among its own."""
        self.refused(*words)
        with warns(code, **fields):
            raise self.error(*words)

    def error(self, *words: str) -> PaircardError | Misused | BadValue:
        """Why a command is refused, before it becomes a line."""
        asked = Run()
        asked.typed = words
        with self.at_work():
            try:
                cli.main(list(words), prog_name="paircard", standalone_mode=False, obj=asked)
            except (PaircardError, Misused, BadValue) as refusal:
                return refusal
        raise AssertionError(f"{words} is not refused")

    def refused(self, *words: str, code: int = 1) -> str:
        """Run a command that must be refused in one line, with nothing written; that line.

        Of warnings it is a line for each, and last the command that accepts them.
        """
        before = self.contents()
        done = self.run(*words)
        assert done.code == code, (words, done)
        asked = "--json" in words  # for programs the refusal stands on standard output, too
        assert "detail" in json.loads(done.out) if asked else done.out == ""
        *more, last = done.err.removesuffix("\n").split("\n")
        assert all(line.startswith("paircard: ") for line in (*more, last)), done.err
        way_out = sentence("cli.acknowledge", value="paircard ")
        assert not more or last.startswith(f"paircard: {way_out}"), done.err
        assert "Traceback" not in done.err
        assert self.contents() == before, "a refused command wrote something"
        return "\n".join(line.removeprefix("paircard: ") for line in (*more, last))

    def write(self, name: str, content: str | bytes) -> str:
        """Put a file into the folder; its name."""
        (self.folder / name).write_bytes(content.encode() if isinstance(content, str) else content)
        return name

    def contents(self) -> dict[str, bytes]:
        """The files as they are; those SQLite keeps beside a database are read through it."""
        return {
            path.name: logged(path) if path.suffix == ".db" else path.read_bytes()
            for path in sorted(self.folder.iterdir())
            if path.is_file() and not path.name.endswith(("-wal", "-shm"))
        }


def printed(stream: io.TextIOWrapper) -> str:
    stream.flush()
    assert isinstance(stream.buffer, io.BytesIO)
    return stream.buffer.getvalue().decode()


def logged(path: Path) -> bytes:
    """What the log in a database says; the bytes of a file that is no log."""
    try:
        with contextlib.closing(sqlite3.connect(f"file:{path}?mode=ro", uri=True)) as db:
            return repr(db.execute("SELECT * FROM stored_events ORDER BY rowid").fetchall()).encode()
    except sqlite3.Error:
        return path.read_bytes()


EIGHT = "name,rating\n" + "".join(f"P{k},{2000 - 10 * k}\n" for k in range(1, 9))
"""Eight players, P1 the strongest."""


def play(terminal: Terminal, round: int, *results: str) -> None:
    """Pair a round, publish it and enter its results from board 1 on."""
    terminal.ok("pair")
    terminal.ok("publish")
    terminal.ok("result", str(round), *(word for k, r in enumerate(results, 1) for word in (str(k), r)))


BY_HAND = (
    "--why", "paired with cards",
    *(
        word
        for code in ("manual-pairing", "rematch", "colour", "colours-reversed", "ineligible-bye", "left-out")
        for word in ("--ack", code)
    ),
)  # fmt: skip
"""What boards from a file need if they are not the engine's."""


def moment(terminal: Terminal) -> Moment:
    """The only tournament of the folder as it is now."""
    with Office(terminal.folder / "paircard.db") as office:
        now = office.tournament().now()
        assert now.facts, "read while the file is open"
        return now
