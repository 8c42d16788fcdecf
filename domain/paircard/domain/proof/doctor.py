"""The doctor of a store: what is wrong with it, and what to do about it.

Nothing is changed: the doctor looks, also where the program itself would refuse to open.
"""

import os
import shutil
import sqlite3
from collections.abc import Callable, Iterable, Iterator, Mapping
from contextlib import closing
from itertools import groupby
from pathlib import Path
from typing import Any, Final, Unpack

import msgspec

from paircard.domain.errors import Refused, StoreRefused
from paircard.domain.log.backends.base import Backend, CheckpointRow
from paircard.domain.log.backends.sqlite import (
    SQLiteBackend,
    connected,
    damage,
    gaps,
    journals_of,
    refusal,
    require_ours,
    uri_to_read,
    writable,
)
from paircard.domain.log.backends.sqlite_files import cares, require_no_journal
from paircard.domain.log.location import Address, address_of
from paircard.domain.log.stored import COLUMNS, StoredFact, chain_of, decode_fact
from paircard.domain.messages import Fields, Message
from paircard.domain.proof.checkpoints import misfits
from paircard.domain.speaking import Speaker
from paircard.domain.system import mounted_read_only

# --- what the doctor finds, and the examinations that every store gets


GOOD, CARE, BAD = "ok", "look", "wrong"


class Finding(msgspec.Struct, frozen=True):
    """One thing the doctor looked at."""

    about: str
    state: str
    """``ok``, ``look`` (works, but see to it) or ``wrong``."""
    text: str
    """What was found and, unless it is fine, what to do."""
    code: str = ""
    fields: Mapping[str, Any] = {}


def found(about: str, state: str, code: str, /, **fields: Unpack[Fields]) -> Finding:
    return Finding(about, state, Speaker().say(Message(code, fields)), code, fields)


def refused(about: str, refusal: Refused) -> Finding:
    """Something wrong, as the program itself refuses it."""
    return Finding(about, BAD, str(refusal), refusal.said.code, refusal.said.fields)


def facts(
    rows: Iterable[StoredFact],
    notes: Callable[[str], list[CheckpointRow]] = lambda _: [],
    orphans: Iterable[str] = (),
) -> Iterator[Finding]:
    """The chain of every tournament, whether each fact can be read, and the checkpoints kept with it.

    ``orphans`` are ids that have checkpoints and no facts.
    """
    whole = length = 0
    broken: list[Finding] = []
    unreadable: list[Finding] = []
    misfit: list[Finding] = []
    for id, own in groupby(rows, key=lambda row: row.originator_id):
        mine = list(own)
        try:
            hashes = [*chain_of(str(id), mine)]
            misfit += [
                found("checkpoints", BAD, "proof.doctor.misfit", tournament=str(id), what=wrong)
                for _, wrong in misfits(notes(str(id)), str(id), hashes)
            ]
        except Refused as refusal:
            broken.append(refused("chain", refusal))
        else:
            whole += 1
            length += len(mine)
            if problem := first_unreadable(mine):
                unreadable.append(found("facts", BAD, "proof.doctor.unreadable", reason=problem))
    misfit += [found("checkpoints", BAD, "proof.doctor.of-no-facts", tournament=id[:40]) for id in orphans]
    yield from broken[:10]
    if len(broken) > 10:
        yield found("chain", BAD, "proof.doctor.more-damaged", count=len(broken) - 10)
    if not broken:
        yield found("chain", GOOD, "proof.doctor.chains-whole", there=whole, facts=length)
    yield from unreadable[:10]
    if len(unreadable) > 10:
        yield found("facts", BAD, "proof.doctor.more-unreadable", count=len(unreadable) - 10)
    yield from misfit[:10]
    if len(misfit) > 10:
        yield found("checkpoints", BAD, "proof.doctor.more-misfits", count=len(misfit) - 10)
    if not misfit:
        yield found("checkpoints", GOOD, "proof.doctor.checkpoints-match")


def catalogue(log: Backend) -> Iterator[Finding]:
    """Rows of the list of tournaments that do not fit the facts; nothing else rests on them."""
    if log.is_there("catalogue") and (wrong := len(log.misplaced()) + log.strays()):
        yield found("catalogue", CARE, "proof.doctor.catalogue", count=wrong)


def first_unreadable(rows: Iterable[StoredFact]) -> str:
    """The first fact of a log that cannot be read, in a sentence; empty if all can."""
    try:
        for row in rows:
            decode_fact(row)
    except Refused as refusal:
        return str(refusal)
    return ""


# --- the doctor at a PostgreSQL database


def examine_database(address: Address) -> Iterator[Finding]:
    """From the server inwards; ends where nothing further can be seen."""
    try:
        from paircard.domain.log.backends import postgres
        from paircard.domain.log.backends import postgres_database as pg
    except Refused as missing:
        yield refused("driver", missing)
        return
    try:
        with pg.connected(address) as db:
            yield from server(db, address)
            format = pg.format_of(db, address)
            if format is None:
                yield found("tables", BAD, "proof.doctor.no-tables", path=address.shown)
                return
            if format < pg.FORMAT:
                yield found("tables", BAD, "proof.doctor.old-tables", number=format)
            if lacking := pg.added_since(db):
                yield found("tables", CARE, "proof.doctor.tables-missing", known=lacking)
            yield from rights(db, address)
            yield from locks(db, address, pg.ADVISORY)
            yield from sequence(db)
        log = postgres.PostgresBackend(address, 5)
        try:
            yield from (found("tables", BAD, "proof.doctor.unsound", what=wrong) for wrong in log.unsound())
            yield from facts(log.everything(), log.stored_checkpoints, log.orphans())
            yield from catalogue(log)
        finally:
            log.close()
    except pg.Error as reason:
        yield refused("server", pg.refusal(reason, address))
    except Refused as refusal:
        yield refused("server", refusal)


def one(db: Any, question: str, *values: object) -> dict[str, Any]:
    found: dict[str, Any] = db.execute(question, values).fetchone()
    return found


def server(db: Any, address: Address) -> Iterator[Finding]:
    version = one(db, "SELECT current_setting('server_version') AS v")["v"]
    yield found("server", GOOD, "proof.doctor.server", path=address.shown, value=version)
    if one(db, "SELECT pg_is_in_recovery() AS standby")["standby"]:
        yield found("writing", BAD, "proof.doctor.standby")
    for name in ("fsync", "full_page_writes"):
        if one(db, "SELECT current_setting(%s) AS v", name)["v"] != "on":
            yield found("durability", BAD, "proof.doctor.not-durable", id=name)
    used = one(
        db,
        "SELECT count(*) AS n, current_setting('max_connections')::int AS most FROM pg_stat_activity "
        "WHERE backend_type = 'client backend'",
    )
    full = used["n"] * 10 > used["most"] * 9
    code = "proof.doctor.connections-full" if full else "proof.doctor.connections"
    yield found("connections", CARE if full else GOOD, code, number=used["n"], last=used["most"])


def rights(db: Any, address: Address) -> Iterator[Finding]:
    table, notes = "stored_events", f"{address.schema}.checkpoints"
    sequence = one(db, "SELECT pg_get_serial_sequence(%s, 'notification_id') AS name", table)["name"]
    lacking = [] if may(db, "table", "SELECT", table) else ["SELECT"]
    if not all(may(db, "column", "INSERT", table, name) for name in COLUMNS.split(", ")):
        lacking.append(f"INSERT ({COLUMNS})")  # the server fills in the rest
    if not may(db, "sequence", "USAGE", sequence):
        lacking.append(f"USAGE on {sequence}")
    if one(db, "SELECT to_regclass(%s) IS NOT NULL AS there", notes)["there"]:
        both = "SELECT", "INSERT"
        lacking += [f"{right} on {notes}" for right in both if not may(db, "table", right, notes)]
    if lacking:
        state = BAD if "SELECT" in lacking else CARE
        yield found("rights", state, "proof.doctor.rights-missing", known=lacking)
    else:
        yield found("rights", GOOD, "proof.doctor.rights")
    more = [right for right in ("UPDATE", "DELETE", "TRUNCATE") if may(db, "table", right, table)]
    if may(db, "column", "INSERT", table, "notification_id"):
        more.append("INSERT of positions")
    if more:
        yield found("append-only", CARE, "proof.doctor.may-change", known=more)
    else:
        yield found("append-only", GOOD, "proof.doctor.append-only")


def may(db: Any, kind: str, right: str, *name: str) -> bool:
    """Whether this role has a right on a table or a sequence, or on a column of a table."""
    marks = ", ".join(["%s"] * len(name))
    return bool(one(db, f"SELECT has_{kind}_privilege({marks}, %s) AS may", *name, right)["may"])


def locks(db: Any, address: Address, advisory: int) -> Iterator[Finding]:
    """Who keeps others from writing."""
    holder = one(
        db,
        "SELECT a.pid, a.application_name AS name, extract(epoch FROM now() - a.xact_start)::int AS seconds "
        "FROM (SELECT 1) AS always LEFT JOIN (pg_locks l JOIN pg_stat_activity a USING (pid)) "
        "ON (l.relation = 'stored_events'::regclass OR (l.locktype = 'advisory' AND l.classid = %s "
        "AND l.objid = hashtext(%s)::oid)) AND l.granted AND l.mode LIKE '%%ExclusiveLock' "
        "AND a.xact_start < now() - interval '2 seconds' ORDER BY 3 DESC NULLS LAST LIMIT 1",
        advisory,
        address.schema,
    )
    if holder["pid"] is not None:
        yield found(
            "locks",
            BAD,
            "proof.doctor.locked",
            id=str(holder["pid"]),
            name=holder["name"],
            seconds=holder["seconds"],
        )
    else:
        yield found("locks", GOOD, "proof.doctor.not-locked")


def sequence(db: Any) -> Iterator[Finding]:
    """The sequence that numbers the facts must be ahead of them, also after a restore."""
    sequence = one(db, "SELECT pg_get_serial_sequence('stored_events', 'notification_id') AS name")["name"]
    if not may(db, "sequence", "SELECT", sequence):
        yield found("order", GOOD, "proof.doctor.sequence-hidden", id=sequence)
        return
    ends = "SELECT min(notification_id) AS n, max(notification_id) AS m FROM stored_events"
    first, last = one(db, ends).values()
    if first is not None and first < 1:
        yield found("order", BAD, "proof.doctor.position-changed", first=first)
        return
    next_one, last = one(db, f"SELECT last_value + is_called::int AS n FROM {sequence}")["n"], last or 0
    if next_one <= last:
        yield found("order", BAD, "proof.doctor.sequence-behind", next=next_one, last=last, id=sequence)
    else:
        yield found("order", GOOD, "proof.doctor.last-position", last=last)


# --- what is wrong with a store, and what to do about it


ROOM: Final = 100 * 2**20
"""Bytes that should be free next to a file."""
LONG_WAL: Final = 64 * 2**20
PATIENCE: Final = 5.0
"""Seconds to wait for another writer."""


def examine(location: str | Path) -> Iterator[Finding]:
    """Look at a store from the outside in; ends where nothing further can be seen."""
    address = address_of(location)
    if isinstance(address, Address):
        yield from examine_database(address)
    else:
        yield from examine_file(Path(address))


def examine_file(path: Path) -> Iterator[Finding]:
    wal = Path(f"{os.path.realpath(path)}-wal")
    try:
        if not path.exists():
            require_no_journal(path)
        require_ours(path)
    except Refused as refusal:
        yield refused("file", refusal)
        return
    yield found("file", GOOD, "proof.doctor.file", path=str(path), count=path.stat().st_size)
    yield from may_write(path)
    yield from (found("place", CARE, care.code, **care.fields) for care in cares(path))
    yield from room(path)
    yield from waiting(path, wal)
    yield from inside(path)


def may_write(path: Path) -> Iterator[Finding]:
    """Whether facts can be added."""
    folder = path.absolute().parent
    journals = ((Path(journal), "journal") for journal in journals_of(path))
    for place, what in ((path, "file"), (folder, "folder"), *journals):
        if not writable(place) or mounted_read_only(place):
            yield found("writing", BAD, "proof.doctor.read-only", kind=what, path=str(place))
            return
    yield found("writing", GOOD, "proof.doctor.can-be-written")


def room(path: Path) -> Iterator[Finding]:
    free = shutil.disk_usage(path.absolute().parent).free
    wanted = max(ROOM, path.stat().st_size)
    if free < wanted:
        yield found(
            "disk", CARE if free > 2**20 else BAD, "proof.doctor.little-room", count=free, least=wanted
        )
    else:
        yield found("disk", GOOD, "proof.doctor.room", count=free // 2**20)


def waiting(path: Path, wal: Path) -> Iterator[Finding]:
    """Facts that are safe, but not yet in the file itself."""
    size = wal.stat().st_size if wal.exists() else 0
    if os.path.lexists(wal) and (wal.is_symlink() or not wal.is_file()):
        yield found("journal", BAD, "proof.doctor.no-journal", file=wal.name)
    elif size > LONG_WAL:
        yield found("journal", CARE, "proof.doctor.long-journal", file=wal.name, count=size)
    elif size:
        yield found("journal", GOOD, "proof.doctor.journal", file=wal.name, count=size, path=path.name)
    else:
        yield found("journal", GOOD, "proof.doctor.nothing-waits")


def inside(path: Path, patience: float = PATIENCE) -> Iterator[Finding]:
    """What SQLite says of the file, then the facts."""
    try:
        with closing(connected(uri_to_read(path), path, patience)) as db:
            db.execute("PRAGMA schema_version")  # what a crash left half written is taken back
        with closing(SQLiteBackend(str(path), patience)) as log:
            if damaged := damage(log.ask, 3):
                yield found("integrity", BAD, "proof.doctor.pages-damaged", reason="; ".join(damaged))
            else:
                yield found("integrity", GOOD, "proof.doctor.pages-whole")
            yield from shape(log)
            yield from facts(log.everything(), log.stored_checkpoints, log.orphans())
            yield from positions(log)
            yield from catalogue(log)
    except (sqlite3.Error, StoreRefused) as reason:
        why = reason if isinstance(reason, StoreRefused) else refusal(reason, path)
        match why.said.code:
            case "store.harmful":
                yield from changed("tables", why.said.fields["reasons"])
            case "store.endless":
                yield refused("integrity", why)
            case "store.busy":
                yield found("integrity", CARE, "proof.doctor.others-write")
            case "store.not-opened":
                yield found("integrity", CARE, "proof.doctor.journal-unreadable")
            case _:
                told = why.said.fields.get("reason", str(why))
                yield found("integrity", BAD, "proof.doctor.file-damaged", reason=told)


def shape(log: SQLiteBackend) -> Iterator[Finding]:
    """The tables, and whether readers and writers need not wait: SQLite knows, unless it is immutable."""
    if wrong := log.unsound():
        yield from changed("tables", wrong)
        return
    if missing := log.lacking():
        yield found("tables", CARE, "proof.doctor.tables-missing", known=missing)
        return
    [(journal,)] = log.ask("PRAGMA journal_mode")
    if journal != "wal" and not log.datastore.guard.unchanging:
        yield found("tables", CARE, "proof.doctor.journal-mode")
    else:
        yield found("tables", GOOD, "proof.doctor.tables")


def positions(log: SQLiteBackend) -> Iterator[Finding]:
    if missing := gaps(log.ask):
        yield from changed("order", missing)
    else:
        yield found("order", GOOD, "proof.doctor.no-gaps")


def changed(about: str, problems: Iterable[Message]) -> Iterator[Finding]:
    """What somebody must have done to the file by other means."""
    return (found(about, BAD, "proof.doctor.changed", what=problem) for problem in problems)
