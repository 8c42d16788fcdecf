"""The doctor of a store: what is wrong with it, and what to do about it.

Nothing is changed: the doctor looks, also where the program itself would refuse to open.
"""

import os
import shutil
import sqlite3
from collections.abc import Iterable, Iterator
from contextlib import closing
from functools import partial
from itertools import groupby
from pathlib import Path
from typing import Any, Final
from urllib.parse import quote

import msgspec

from paircard.domain.errors import Refused
from paircard.domain.log.backends.base import CheckpointRow
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
from paircard.domain.log.stored import StoredFact, chain_of, decode_fact, stored_stream
from paircard.domain.proof.checkpoints import by_tournament, misfits
from paircard.domain.values.text import counted

# --- what the doctor finds, and the examinations that every store gets


GOOD, CARE, BAD = "ok", "look", "wrong"


class Finding(msgspec.Struct, frozen=True):
    """One thing the doctor looked at."""

    about: str
    state: str
    """``ok``, ``look`` (works, but see to it) or ``wrong``."""
    text: str
    """What is so and, unless it is fine, what to do."""


def facts(rows: Iterable[StoredFact], notes: Iterable[CheckpointRow] = ()) -> Iterator[Finding]:
    """The chain of every tournament, whether each fact can be read, and the checkpoints kept beside it."""
    whole = length = 0
    broken = []
    unreadable: list[str] = []
    labels = by_tournament(notes)
    misfit: list[str] = []
    for id, own in groupby(rows, key=lambda row: row.originator_id):
        mine = list(own)
        own_labels = labels.pop(str(id), [])
        try:
            hashes = chain_of(str(id), mine)
            misfit += [f"tournament {id}: {wrong.text}" for wrong in misfits(own_labels, str(id), hashes)]
        except Refused as refusal:
            broken.append(str(refusal))
        else:
            whole += 1
            length += len(mine)
            unreadable += first_unreadable(mine)
    yield from (Finding("chain", BAD, problem) for problem in broken[:10])
    if len(broken) > 10:
        yield Finding("chain", BAD, f"{len(broken) - 10} more tournaments are damaged")
    if not broken:
        problem = f"{counted(whole, 'tournament')} with {counted(length, 'fact')}, every chain whole"
        yield Finding("chain", GOOD, problem)
    yield from (Finding("facts", BAD, f"{problem}. The others can") for problem in unreadable[:10])
    if len(unreadable) > 10:
        yield Finding("facts", BAD, f"{len(unreadable) - 10} more tournaments have facts that cannot be read")
    misfit += [f"there is one of tournament {id[:40]}, of which there are no facts" for id in labels]
    yield from (Finding("checkpoints", BAD, problem) for problem in misfit[:10])
    if len(misfit) > 10:
        yield Finding("checkpoints", BAD, f"{len(misfit) - 10} more do not fit")
    if not misfit:
        yield Finding(
            "checkpoints", GOOD, "stored checkpoints match the log (only those held by others are proof)"
        )


def wrong_catalogue(rows: int) -> Finding:
    """Rows of the list of tournaments that do not fit the facts; nothing else rests on them."""
    return Finding(
        "catalogue",
        CARE,
        f"{counted(rows, 'row')} of the list of tournaments say what no fact says: run paircard init once",
    )


def first_unreadable(rows: Iterable[StoredFact]) -> list[str]:
    """The first fact of a log that cannot be read, in a sentence; nothing if all can."""
    try:
        for row in rows:
            decode_fact(row)
    except Refused as refusal:
        return [str(refusal)]
    return []


# --- the doctor at a PostgreSQL database


ADVISORY: Final = 0x50435244
COLUMNS = ("originator_id", "originator_version", "topic", "state")
"""All an arbiter's role needs to insert; the server fills in the rest."""


def examine_database(address: Address) -> Iterator[Finding]:
    """From the server inwards; ends where nothing further can be seen."""
    try:
        from paircard.domain.log.backends import postgres
        from paircard.domain.log.backends import postgres_database as pg
    except Refused as missing:
        yield Finding("driver", BAD, str(missing))
        return
    try:
        with pg.connected(address) as db:
            yield from server(db, address)
            format = pg.format_of(db, address)
            if format is None:
                yield Finding("tables", BAD, f"{address.shown} has none: make them once with paircard init")
                return
            if format < pg.FORMAT:
                problem = f"they have format {format}: run paircard init as their owner before adding facts"
                yield Finding("tables", BAD, problem)
            if lacking := pg.added_since(db, address):
                problem = f"{', '.join(lacking)} missing, lists take longer: run paircard init once"
                yield Finding("tables", CARE, problem)
            yield from rights(db, address)
            yield from locks(db, address)
            yield from sequence(db, address)
        log = postgres.PostgresBackend(address, 5)
        try:
            wrong = pg.unsound(log.ask, address.schema)
            yield from (
                Finding("tables", BAD, f"{problem}: nothing is recorded until this is repaired")
                for problem in wrong
            )
            yield from facts(log.everything(), log.stored_checkpoints())
            if misplaced_rows := log.misplaced():
                yield wrong_catalogue(len(misplaced_rows))
        finally:
            log.close()
    except pg.Error as reason:
        yield Finding("server", BAD, str(pg.refusal(reason, address)))
    except Refused as refused:
        yield Finding("server", BAD, str(refused))


def one(db: Any, question: str, *values: object) -> dict[str, Any]:
    found: dict[str, Any] = db.execute(question, values).fetchone()
    return found


def server(db: Any, address: Address) -> Iterator[Finding]:
    version = one(db, "SELECT current_setting('server_version') AS v")["v"]
    yield Finding("server", GOOD, f"{address.shown}, PostgreSQL {version}")
    if one(db, "SELECT pg_is_in_recovery() AS standby")["standby"]:
        yield Finding("writing", BAD, "this server is a standby and read-only: write to the primary")
    for name in ("fsync", "full_page_writes"):
        if one(db, "SELECT current_setting(%s) AS v", name)["v"] != "on":
            yield Finding("durability", BAD, f"{name} is off: a crash can destroy the record, set it to on")
    used = one(
        db,
        "SELECT count(*) AS n, current_setting('max_connections')::int AS most FROM pg_stat_activity "
        "WHERE backend_type = 'client backend'",
    )
    state = CARE if used["n"] * 10 > used["most"] * 9 else GOOD
    advice = ": raise max_connections or close some" if state == CARE else ""
    yield Finding("connections", state, f"{used['n']} of {used['most']} are in use{advice}")


def rights(db: Any, address: Address) -> Iterator[Finding]:
    table = f"{address.schema}.stored_events"
    lacking = [] if may(db, "table", table, "SELECT") else ["SELECT"]
    columns = [
        one(db, "SELECT has_column_privilege(%s, %s, 'INSERT') AS may", table, name) for name in COLUMNS
    ]
    if not all(column["may"] for column in columns):
        lacking.append(f"INSERT ({', '.join(COLUMNS)})")
    sequence = one(db, "SELECT pg_get_serial_sequence(%s, 'notification_id') AS name", table)["name"]
    if not one(db, "SELECT has_sequence_privilege(%s, 'USAGE') AS may", sequence)["may"]:
        lacking.append(f"USAGE on {sequence}")
    notes = f"{address.schema}.checkpoints"
    if one(db, "SELECT to_regclass(%s) IS NOT NULL AS there", notes)["there"]:
        lacking += [
            f"{right} on {notes}"
            for right in ("SELECT", "INSERT")
            if not one(db, "SELECT has_table_privilege(%s, %s) AS may", notes, right)["may"]
        ]
    if lacking:
        problem = ", ".join(lacking)
        yield Finding(
            "rights", BAD if "SELECT" in lacking else CARE, f"you may not {problem}: ask for GRANT {problem}"
        )
    else:
        yield Finding("rights", GOOD, "reading and recording are allowed")
    more = [right for right in ("UPDATE", "DELETE", "TRUNCATE") if may(db, "table", table, right)]
    more += (
        []
        if not one(db, "SELECT has_column_privilege(%s, 'notification_id', 'INSERT') AS may", table)["may"]
        else ["INSERT of positions"]
    )
    if more:
        problem = (
            f"you may also {', '.join(more)}: for an arbiter's role grant SELECT and INSERT by column alone"
        )
        yield Finding("append-only", CARE, f"{problem} (docs/security.md)")
    else:
        yield Finding("append-only", GOOD, "facts can be added, not changed or deleted, by this role")


def may(db: Any, kind: str, name: str, right: str) -> bool:
    return bool(one(db, f"SELECT has_{kind}_privilege(%s, %s) AS may", name, right)["may"])


def locks(db: Any, address: Address) -> Iterator[Finding]:
    """Who keeps others from writing."""
    holder = one(
        db,
        "SELECT a.pid, a.application_name AS name, extract(epoch FROM now() - a.xact_start)::int AS seconds "
        "FROM (SELECT 1) AS always LEFT JOIN (pg_locks l JOIN pg_stat_activity a USING (pid)) "
        "ON (l.relation = %s::regclass OR (l.locktype = 'advisory' AND l.classid = %s "
        "AND l.objid = hashtext(%s)::oid)) AND l.granted AND l.mode LIKE '%%ExclusiveLock' "
        "AND a.xact_start < now() - interval '2 seconds' ORDER BY 3 DESC NULLS LAST LIMIT 1",
        f"{address.schema}.stored_events",
        ADVISORY,
        address.schema,
    )
    if holder["pid"] is not None:
        yield Finding(
            "locks",
            BAD,
            f"process {holder['pid']} ({holder['name'] or 'unnamed'}) has locked the log for "
            f"{holder['seconds']} s: end it, or SELECT pg_terminate_backend({holder['pid']})",
        )
    else:
        yield Finding("locks", GOOD, "nobody keeps others from writing")


def sequence(db: Any, address: Address) -> Iterator[Finding]:
    """The sequence that numbers the facts must be ahead of them, also after a restore."""
    table = f"{address.schema}.stored_events"
    sequence = one(db, "SELECT pg_get_serial_sequence(%s, 'notification_id') AS name", table)["name"]
    if not one(db, "SELECT has_sequence_privilege(%s, 'SELECT') AS may", sequence)["may"]:
        yield Finding("order", GOOD, f"{sequence} is not yours to read, so it was not looked at")
        return
    first = one(db, f'SELECT min(notification_id) AS n FROM "{address.schema}".stored_events')["n"]
    if first is not None and first < 1:
        yield Finding("order", BAD, f"a fact is at position {first}: somebody changed it, restore a backup")
        return
    next_one = one(db, f"SELECT last_value + is_called::int AS n FROM {sequence}")["n"]
    last = one(db, f'SELECT coalesce(max(notification_id), 0) AS n FROM "{address.schema}".stored_events')[
        "n"
    ]
    if next_one <= last:
        yield Finding(
            "order",
            BAD,
            f"the next position is {next_one}, {last} is taken: SELECT setval('{sequence}', {last})",
        )
    else:
        yield Finding("order", GOOD, f"the last fact is at position {last}")


# --- what is wrong with a store, and what to do about it


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
