"""What is wrong with a store, and what to do about it.

Nothing is changed: the doctor looks, also where the program itself would refuse to open.
"""

import os
import shutil
import sqlite3
from collections.abc import Iterator
from contextlib import closing
from functools import partial
from pathlib import Path
from typing import Any, Final
from urllib.parse import quote

from paircard.domain.errors import Refused
from paircard.domain.log.backends.sqlite import (
    EVERYTHING,
    INDEXES,
    WITHOUT_PARTS,
    Bounded,
    damage,
    gaps,
    harmful,
    journals_of,
    refusal,
    unsound,
    writable,
)
from paircard.domain.log.backends.sqlite_files import need_file, require_no_journal
from paircard.domain.log.catalogue import misplaced
from paircard.domain.log.location import Address, address_of
from paircard.domain.log.stored import stored_stream
from paircard.domain.proof.doctor.findings import BAD, CARE, GOOD, Finding, facts, wrong_catalogue
from paircard.domain.proof.doctor.postgres import examine_database

ROOM: Final = 100 * 2**20
"""Bytes that should be free beside a file."""
LONG_WAL: Final = 64 * 2**20
PATIENCE: Final = 5.0
"""Seconds to wait for whoever is writing."""
IMMUTABLE: Final = "&immutable=1"
MEND: Final = "find out who did it, then restore a backup with paircard restore"


def examine(location: str | Path) -> Iterator[Finding]:
    """Look at a store from the outside in; ends where nothing further can be seen."""
    address = address_of(location)
    if isinstance(address, Address):
        yield from examine_database(address)
    else:
        yield from examine_file(address)


def examine_file(path: Path) -> Iterator[Finding]:
    """A SQLite file."""
    wal = Path(f"{os.path.realpath(path)}-wal")
    try:
        if not path.exists():
            require_no_journal(path)
        need_file(path, create=False)
    except Refused as refusal:
        yield Finding("file", BAD, str(refusal))
        return
    yield Finding("file", GOOD, f"{path}, {path.stat().st_size:,} bytes")
    yield from may_write(path)
    yield from room(path)
    yield from waiting(path, wal)
    yield from inside(path)


def may_write(path: Path) -> Iterator[Finding]:
    """Whether facts can be added."""
    folder = path.absolute().parent
    journals = ((journal, "its journal") for journal in journals_of(path))
    for place, what in ((path, "the file"), (folder, "its folder"), *journals):
        if not writable(place) or mounted_read_only(place):
            yield Finding(
                "writing",
                BAD,
                f"{what} is read-only for you ({place}): nothing can be recorded until that is changed",
            )
            return
    yield Finding("writing", GOOD, "the file and its folder can be written")


def mounted_read_only(path: Path) -> bool:
    return bool(os.statvfs(path).f_flag & os.ST_RDONLY)


def room(path: Path) -> Iterator[Finding]:
    free = shutil.disk_usage(path.absolute().parent).free
    wanted = max(ROOM, path.stat().st_size)
    if free < wanted:
        yield Finding(
            "disk", CARE if free > 2**20 else BAD, f"{free:,} bytes are free: make room, {wanted:,} are wise"
        )
    else:
        yield Finding("disk", GOOD, f"{free // 2**20:,} MiB are free")


def waiting(path: Path, wal: Path) -> Iterator[Finding]:
    """Facts that are safe, but not yet in the file itself."""
    size = wal.stat().st_size if wal.exists() else 0
    if os.path.lexists(wal) and (wal.is_symlink() or not wal.is_file()):
        yield Finding("journal", BAD, f"{wal.name} is a folder or a link, not a journal: move it away")
    elif size > LONG_WAL:
        yield Finding(
            "journal",
            CARE,
            f"{wal.name} has {size:,} bytes: a program that reads all the time lets it grow, end it",
        )
    elif size:
        yield Finding(
            "journal",
            GOOD,
            f"{wal.name} has {size:,} bytes: it belongs to {path.name}, never copy or delete one alone",
        )
    else:
        yield Finding("journal", GOOD, "nothing is waiting beside the file")


def inside(path: Path, patience: float = PATIENCE) -> Iterator[Finding]:
    """What SQLite says of the file, then the facts."""
    uri = uri_to_look(path)
    try:
        with closing(sqlite3.connect(uri, uri=True, timeout=patience)) as db:
            bounded = Bounded(db, path)
            db.execute("PRAGMA query_only=1")
            ask = partial(rows_of, db)
            if wrong := harmful(ask):
                yield from (Finding("tables", BAD, f"{problem}: {MEND}") for problem in wrong)
                return
            if damaged := damage(ask, 3):
                problem = "; ".join(damaged)
                yield Finding("integrity", BAD, f"{problem}: restore a backup with paircard restore")
            else:
                yield Finding("integrity", GOOD, "every page is whole")
            yield from shape(db, IMMUTABLE in uri)
            bounded.begin()
            there = {name for (name,) in db.execute("SELECT name FROM sqlite_schema")}
            notes = "SELECT tournament, size, note FROM checkpoints"
            yield from facts(
                stored_stream(db.execute(EVERYTHING if "private" in there else WITHOUT_PARTS)),
                rows_of(db, notes) if "checkpoints" in there else (),
            )
            yield from positions(db)
            listed = misplaced("catalogue", "stored_events", "rowid")
            if "catalogue" in there and (rows := rows_of(db, listed)):
                yield wrong_catalogue(len(rows))
    except sqlite3.Error as reason:
        if str(reason) == "interrupted":
            yield Finding("integrity", BAD, str(refusal(reason, path)))
        elif "locked" in str(reason):
            yield Finding("integrity", CARE, "another program is writing all the time: ask again later")
        elif "unable to open" in str(reason):
            problem = "its journal cannot be read where nothing can be written: copy both, look at the copy"
            yield Finding("integrity", CARE, problem)
        else:
            problem = f"the file is damaged ({reason}): restore a backup with paircard restore"
            yield Finding("integrity", BAD, problem)


def rows_of(db: sqlite3.Connection, question: str) -> list[tuple[Any, ...]]:
    """The rows of a question."""
    return db.execute(question).fetchall()


def uri_to_look(path: Path) -> str:
    """The file as SQLite is to open it; where nothing can be written, it must not ask for a journal."""
    uri = f"file:{quote(str(path.absolute()))}"
    if writable(path) and writable(path.absolute().parent):
        return f"{uri}?mode=rw"
    return f"{uri}?mode=ro" if journals_of(path) else f"{uri}?mode=ro{IMMUTABLE}"


def shape(db: sqlite3.Connection, immutable: bool) -> Iterator[Finding]:
    """The tables, and whether readers and writers need not wait: SQLite knows, unless it is immutable."""
    names = {row[0] for row in db.execute("SELECT name FROM sqlite_schema")}
    if wrong := unsound(partial(rows_of, db)):
        yield from (Finding("tables", BAD, f"{problem}: {MEND}") for problem in wrong)
        return
    if missing := [name for name in (*INDEXES, "checkpoints") if name not in names]:
        problem = ", ".join(missing)
        yield Finding("tables", CARE, f"{problem} missing, lists take longer: run paircard init once")
        return
    [(journal,)] = db.execute("PRAGMA journal_mode")
    if journal != "wal" and not immutable:
        problem = "journal mode is not wal: readers and writers wait for each other, set it to wal"
        yield Finding("tables", CARE, problem)
    else:
        yield Finding("tables", GOOD, "table, index and journal mode are as they should be")


def positions(db: sqlite3.Connection) -> Iterator[Finding]:
    if missing := gaps(partial(rows_of, db)):
        yield from (Finding("order", BAD, f"{problem}: {MEND}") for problem in missing)
    else:
        yield Finding("order", GOOD, "no fact is missing between the first and the last")
