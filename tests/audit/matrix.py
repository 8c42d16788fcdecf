"""The tamper matrix: what somebody with the file or the database at hand can do, and every reader of it.

A store with two tournaments is attacked in one way at a time, on a fresh copy each time: every column of
its rows, rows taken out, put in and moved, logs computed anew, checkpoints, personal parts, the tables
themselves and the file around them. Every reader then says whether it noticed, by its exit code.
"""

import contextlib
import io
import os
import shutil
import sqlite3
from collections.abc import Callable, Iterator, Sequence
from contextlib import closing
from itertools import count
from pathlib import Path
from typing import Any

import msgspec
import psycopg

from paircard.cli import verify as alone
from paircard.domain.log.location import parsed_address
from paircard.domain.log.store import Tournaments, prepare
from paircard.domain.log.stored import GENESIS, link_hash
from paircard.domain.proof.checkpoints import Checkpoint, printed
from paircard.domain.proof.note import Signer
from tests.audit.command_line import ok, say
from tests.postgres import Server

FEDERATION = Signer("fsi.it", bytes(range(32)))
EVIL = Signer("evil", bytes(range(1, 33)))
SCHEMA = "paircard"
_names = count(1)
TAIL = 153
"""Bytes of ``previous`` and ``hash`` at the end of a stored fact."""
Row = tuple[int, str, bytes]
"""Version, topic and line of a fact."""


class Base(msgspec.Struct, frozen=True):
    """The store before any attack, and what others hold of it."""

    location: str
    folder: Path
    victim: str
    neighbour: str
    log: list[Row]
    """Of the victim, each fact as it stands in the chain."""
    hashes: list[str]

    @property
    def end(self) -> int:
        return len(self.log)

    @property
    def paper(self) -> str:
        """The head as it was printed."""
        return printed(self.end, self.hashes[-1])

    @property
    def held(self) -> Path:
        """A checkpoint of all facts, signed by the federation."""
        return self.folder / "held.checkpoint"


def make_base(location: str, folder: Path) -> Base:
    """Two tournaments, entered at the command line: people, rounds, results, stored checkpoints."""
    key = folder / "fed.key"
    key.write_text(FEDERATION.line())
    key.chmod(0o600)
    if location.startswith("postgresql"):
        prepare(location)
    ids = []
    for name, rounds in (("Neighbour", 1), ("Victim", 5)):
        ok(location, "new", name, "--rounds", "7", "--as", "Anna")
        with Tournaments(location) as store:
            [id] = [id for id, named in store.names() if named == name]
        ids.append(id)
        for n in range(1, 9):
            ok(location, "player", "add", f"Player {n}", "--rating", str(2400 - 50 * n), "-t", id)
        ok(location, "draw", "--colour", "white", "-t", id)
        for round in range(1, rounds + 1):
            ok(location, "pair", "-t", id)
            ok(location, "publish", "-t", id, "--key", str(key))
            for board in "1234":
                ok(
                    location,
                    "result",
                    str(round),
                    board,
                    ("1-0", "1/2", "0-1", "1-0")[int(board) - 1],
                    "-t",
                    id,
                )
    neighbour, victim = ids
    with Tournaments(location) as store:
        log = [(row.originator_version, row.topic, row.state) for row in store.raw_log(victim)]
        hashes = [fact.hash for fact in store.log(victim)]
    base = Base(location, folder, victim, neighbour, log, hashes)
    base.held.write_text(FEDERATION.sign(Checkpoint(victim, base.end, hashes[-1])).text(), encoding="utf-8")
    if not location.startswith("postgresql"):
        with closing(sqlite3.connect(location)) as db:
            db.execute("PRAGMA wal_checkpoint(TRUNCATE)")
    return base


class Copy:
    """A copy of the store to lay hands on."""

    def __init__(self, base: Base, location: str) -> None:
        self.base, self.location = base, location

    @property
    def is_file(self) -> bool:
        return not self.location.startswith("postgresql")

    @property
    def path(self) -> Path:
        return Path(self.location)

    def sql(self, *statements: str | tuple[str, Sequence[object]]) -> None:
        """Run SQL in one go; {} stands before the name of a table, ? for a value."""
        pairs = [one if isinstance(one, tuple) else (one, ()) for one in statements]
        if self.is_file:
            with closing(sqlite3.connect(self.path, isolation_level=None)) as db:
                for statement, values in pairs:
                    db.execute(statement.replace("{}", ""), values)
            return
        with psycopg.connect(self.location.partition("?")[0], autocommit=True) as server:
            for statement, values in pairs:
                marked = statement.replace("{}", f"{SCHEMA}.").replace("?", "%s")
                server.execute(marked if values else marked.replace("%%", "%"), values or None)

    def ask(self, question: str, *values: object) -> list[tuple[Any, ...]]:
        if self.is_file:
            with closing(sqlite3.connect(self.path)) as db:
                return db.execute(question.replace("{}", ""), values).fetchall()
        with psycopg.connect(self.location.partition("?")[0], autocommit=True) as server:
            marked = question.replace("{}", f"{SCHEMA}.").replace("?", "%s")
            return server.execute(marked, values or None).fetchall()

    def rewrite(self, log: Sequence[Row]) -> None:
        """Put a log computed anew in the place of the victim's, at the same positions."""
        v = self.base.victim
        for version, topic, line in log:
            self.sql((
                "UPDATE {}stored_events SET topic=?, state=? WHERE originator_id=? AND originator_version=?",
                (topic, line, v, version),
            ))  # fmt: skip

    def append(self, line: bytes, topic: str, version: int = 0, id: str = "") -> None:
        """Put a row behind the victim's, or anywhere else."""
        values = (id or self.base.victim, version or self.base.end + 1, topic, line)
        columns = "originator_id, originator_version, topic, state"
        self.sql((f"INSERT INTO {{}}stored_events ({columns}) VALUES (?, ?, ?, ?)", values))


def rechained(tournament: str, log: Sequence[Row]) -> list[Row]:
    """A log with every hash computed anew, as its owner can."""
    head, made = GENESIS, []
    for place, (_, topic, line) in enumerate(log, start=1):
        payload = line[:-TAIL] + b"}"
        hash = link_hash(head, tournament, place, topic, payload)
        made.append((place, topic, payload[:-1] + f',"previous":"{head}","hash":"{hash}"}}'.encode()))
        head = hash
    return made


class Stores:
    """Where copies come from: a folder of files, or databases made from a template."""

    def __init__(self, base: Base, server: Server | None = None) -> None:
        self.base, self.server = base, server

    def copy(self) -> Copy:
        if self.server is None:
            path = self.base.folder / f"copy{next(_names)}.db"
            shutil.copy(self.base.location, path)
            return Copy(self.base, str(path))
        name = f"copy{next(_names)}_{os.getpid()}"
        source = parsed_address(self.base.location).url.rpartition("/")[2].partition("?")[0]
        with psycopg.connect(self.server.url("postgres"), autocommit=True) as db:
            db.execute(f"CREATE DATABASE {name} TEMPLATE {source}")
        return Copy(self.base, self.server.url(name))

    def drop(self, copy: Copy) -> None:
        if self.server is None:
            for left in copy.path.parent.glob(copy.path.name + "*"):
                left.unlink()
            return
        name = copy.location.rpartition("/")[2].partition("?")[0]
        with psycopg.connect(self.server.url("postgres"), autocommit=True) as db:
            db.execute(f"DROP DATABASE {name} WITH (FORCE)")


Attack = Callable[[Copy], None]
Said = dict[str, int]
"""The exit code of every reader."""

READERS = ("verify", "verify --all", "head", "checkpoint", "doctor", "read", "list", "bundle")


def read_all(copy: Copy, readers: Sequence[str] = READERS) -> Said:
    """What every reader says; none may stumble."""
    base = copy.base
    mine = ("-t", base.victim)
    words: dict[str, tuple[str, ...]] = {
        "verify": ("verify", *mine),
        "verify --all": ("verify", "--all"),
        "head": ("verify", *mine, "--head", base.paper),
        "checkpoint": (
            "verify", *mine, "--checkpoint", str(base.held), "--trust", FEDERATION.verifier().line(),
        ),
        "doctor": ("doctor",),
        "read": ("standings", *mine),
        "list": ("list",),
    }  # fmt: skip
    found: Said = {}
    for reader in readers:
        if reader == "bundle":
            found[reader] = read_bundle(copy)
            continue
        said = say(copy.location, *words[reader])
        assert "internal error" not in said.err, (reader, said)
        assert "Traceback" not in said.err, (reader, said)
        found[reader] = said.code
    return found


def read_bundle(copy: Copy) -> int:
    """Exported, then verified by the program that knows nothing of Paircard."""
    out = copy.base.folder / f"out{next(_names)}.bundle"
    said = say(copy.location, "log", "export", str(out), "-t", copy.base.victim)
    assert "internal error" not in said.err, said
    if said.code or not out.exists():
        return said.code or 1
    with contextlib.redirect_stdout(io.StringIO()):
        code = alone.main([str(out), "--key", FEDERATION.verifier().line()])
    out.unlink()
    return code


def write_truly(copy: Copy) -> str:
    """Enter one more player: the exit code must say what is on record. Returns how it went."""
    length = "SELECT count(*) FROM {}stored_events WHERE originator_id=?"
    before = after = -1
    with contextlib.suppress(sqlite3.Error, psycopg.Error):
        [(before,)] = copy.ask(length, copy.base.victim)
    said = say(copy.location, "player", "add", "One More", "--why", "late", "-t", copy.base.victim)
    assert "internal error" not in said.err, said
    with contextlib.suppress(sqlite3.Error, psycopg.Error):
        [(after,)] = copy.ask(length, copy.base.victim)
    if said.code:
        assert after == before, f"refused and recorded: {said}"
        return "refused"
    assert after == before + 1, f"answered and not recorded: {said}"
    return "recorded"


# every column of a row


def flip(content: bytes, at: int) -> bytes:
    return content[:at] + bytes([content[at] ^ 1]) + content[at + 1 :]


def column_edits(base: Base, row: Row, *, file: bool) -> Iterator[tuple[str, str, object]]:
    """Column, what is done to it, the new value; ``position`` is rowid or notification_id."""
    version, topic, line = row
    yield "originator_id", "another id", "e" * 32
    yield "originator_id", "capitals", base.victim.upper() + "A"
    yield "originator_id", "a blank behind it", base.victim + " "
    yield "originator_version", "far", version + 1000
    yield "originator_version", "zero", 0
    yield "originator_version", "negative", -version
    yield "topic", "another", "round-completed/1" if topic != "round-completed/1" else "round-published/1"
    yield "topic", "newer", topic.replace("/1", "/2")
    yield "topic", "nothing", None
    yield "state", "nothing", None
    yield "state", "empty", b""
    yield "state", "cut", line[:-1]
    yield "state", "longer", line + b" "
    yield "state", "two lines", line + b"\n{}"
    yield "state", "a blank in it", line.replace(b'"who":', b'"who": ', 1)
    yield "state", "previous", flip(line, len(line) - 140)
    yield "state", "hash", flip(line, len(line) - 3)
    for member in (b'"fact":', b'"who":"', b'"when":"', b'"why":"', b'"command_id":"', b'"acknowledged":['):
        yield "state", member.decode().strip(':"['), flip(line, line.index(member) + len(member))
    yield "position", "far", 10_000 + version
    yield "position", "negative", -version
    if file:
        yield "originator_id", "nothing", None
        yield "originator_id", "bytes", base.victim.encode()
        yield "originator_version", "half", version + 0.5
        yield "originator_version", "text", "second"
        yield "originator_version", "nothing", None
        yield "state", "text", line.decode()
    else:
        yield "recorded_by", "another role", "somebody"
        yield "recorded_by", "nothing", None


def edit(copy: Copy, row: Row, column: str, value: object) -> None:
    name = {"position": "rowid" if copy.is_file else "notification_id"}.get(column, column)
    where = "WHERE originator_id=? AND originator_version=?"
    copy.sql((f"UPDATE {{}}stored_events SET {name}=? {where}", (value, copy.base.victim, row[0])))
