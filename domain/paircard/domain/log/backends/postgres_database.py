"""A PostgreSQL database: connections, the tables made once, and what goes wrong, in words.

Importing this needs psycopg, which comes with ``paircard[postgres]``.
"""

import threading
from collections import defaultdict
from collections.abc import Callable, Iterator
from contextlib import contextmanager, suppress
from typing import Any, Final

from paircard.domain.errors import Busy, CorruptFile, ForeignFile, NewerFile, StoreRefused, Unreachable
from paircard.domain.log.backends.base import NOTES_BY_TEXT
from paircard.domain.log.catalogue import tables
from paircard.domain.log.location import Address
from paircard.domain.messages import Message, say

try:
    import psycopg as psycopg
    import psycopg_pool  # noqa: F401 - the library wants it
    from psycopg import Error as Error
    from psycopg import sql as sql
    from psycopg.pq import PGconn, Ping, TransactionStatus
    from psycopg.rows import dict_row
except ImportError:
    raise Unreachable("store.no-psycopg") from None

FORMAT: Final = 6
"""Kept in the table ``paircard_format``: the rules by which facts are recorded. All programs that write must
go by the same, so tables of an earlier format are read as they are and written to after ``paircard init``."""
MOST: Final = 5
"""Connections of one process."""
ADVISORY: Final = 0x50435244
"""Number of the advisory locks: alone, to make tables; with a schema, to add facts."""

_SESSION: Final = """
SET search_path = {schema}, pg_temp;
SET idle_in_transaction_session_timeout = '10s';
SET default_transaction_isolation = 'read committed';
SELECT set_config('synchronous_commit', 'on', false) WHERE current_setting('synchronous_commit') = 'off'
"""
"""Tables are those of the schema, a commit is on the disk before it is answered, and nobody holds the lock of
the log for ever."""

_LATER: Final = {
    "checkpoints": "CREATE TABLE checkpoints (tournament text, size bigint, note text)",
    "checkpoints_tournament": "CREATE INDEX checkpoints_tournament ON checkpoints (tournament)",
    "checkpoints_text": f"CREATE INDEX checkpoints_text ON checkpoints ({NOTES_BY_TEXT})",
    "private": "CREATE TABLE private (tournament text, version bigint, hash text, bytes bytea, "
    "PRIMARY KEY (tournament, version, hash))",
    **tables('"C"', "; DELETE FROM catalogue"),
}
"""By name, what later versions add to existing tables; an older program does without it."""
_TABLES: Final = (
    "CREATE TABLE stored_events (originator_id text NOT NULL, originator_version bigint NOT NULL, "
    "topic text, state bytea, notification_id bigserial, recorded_by text DEFAULT session_user, "
    "PRIMARY KEY (originator_id, originator_version))",
    "CREATE UNIQUE INDEX stored_events_notification_id_idx ON stored_events (notification_id)",
    "CREATE TYPE stored_event_text AS (originator_id text, originator_version bigint, topic text, "
    "state bytea)",
    *_LATER.values(),
    "CREATE TABLE paircard_format (format integer NOT NULL)",
    f"INSERT INTO paircard_format VALUES ({FORMAT})",
)
"""What the library's recorder expects, its stored functions left out: they lose the order of facts."""
_RECORDED_BY: Final = (
    "ALTER TABLE stored_events ADD COLUMN recorded_by text",  # unknown for the facts of before
    "ALTER TABLE stored_events ALTER COLUMN recorded_by SET DEFAULT session_user",
)
"""What tables of format 1 lack."""
_TO_FORMAT: Final = f"UPDATE paircard_format SET format = {FORMAT}"

_OURS: Final = """
SELECT c.* FROM pg_class c JOIN pg_namespace n ON n.oid = c.relnamespace
WHERE n.nspname = current_schema()
AND c.relname IN ('stored_events', 'checkpoints', 'private', 'signed_trees', 'paircard_format')
"""
_FOREIGN: Final = f"""
WITH ours AS ({_OURS})
SELECT 'trigger', t.tgname::text FROM pg_trigger t JOIN ours ON t.tgrelid = ours.oid WHERE NOT t.tgisinternal
UNION SELECT 'rule', r.rulename::text FROM pg_rewrite r JOIN ours ON r.ev_class = ours.oid
UNION SELECT 'row security policy on', relname::text FROM ours WHERE relrowsecurity
UNION SELECT 'table that adds its rows to', relname::text FROM ours JOIN pg_inherits ON inhparent = ours.oid
UNION SELECT 'parent of the table', relname::text FROM ours JOIN pg_inherits ON inhrelid = ours.oid
UNION SELECT 'view in the place of', relname::text FROM ours WHERE relkind <> 'r'
UNION SELECT 'constraint', conname::text FROM ours
JOIN pg_constraint ON conrelid = ours.oid AND contype NOT IN ('p', 'u', 'n')
"""
"""We make none of these: they can drop, change or stop what is written, and show what is not there."""
_UNLOGGED: Final = f"SELECT relname::text FROM ({_OURS}) ours WHERE relpersistence <> 'p'"
_COLUMNS: Final = f"""
SELECT ours.relname::text, concat_ws(' ', a.attname, format_type(a.atttypid, a.atttypmod),
    CASE WHEN starts_with(pg_get_expr(d.adbin, d.adrelid), 'nextval(') THEN 'nextval'
    ELSE pg_get_expr(d.adbin, d.adrelid) END,
    CASE WHEN a.attcollation <> y.typcollation THEN 'collated' END)
FROM ({_OURS}) ours JOIN pg_attribute a ON a.attrelid = ours.oid AND a.attnum > 0 AND NOT a.attisdropped
JOIN pg_type y ON y.oid = a.atttypid
LEFT JOIN pg_attrdef d ON d.adrelid = ours.oid AND d.adnum = a.attnum
"""
_KEYS: Final = f"""
SELECT ours.relname::text, (SELECT string_agg(a.attname::text, ' ' ORDER BY a.attname) FROM pg_attribute a
    WHERE a.attrelid = ours.oid AND a.attnum = ANY (i.indkey))
FROM ({_OURS}) ours JOIN pg_index i ON i.indrelid = ours.oid AND i.indisunique
WHERE i.indisvalid AND i.indisready AND i.indimmediate AND i.indpred IS NULL AND i.indexprs IS NULL
"""
_OTHER_KEYS: Final = f"""
SELECT i.indexrelid::regclass::text FROM ({_OURS}) ours JOIN pg_index i ON i.indrelid = ours.oid
WHERE i.indisunique AND (i.indpred IS NOT NULL OR i.indexprs IS NOT NULL)
"""
_SEQUENCE: Final = """
WITH ours AS (SELECT pg_get_serial_sequence('stored_events', 'notification_id') AS name)
SELECT name FROM pg_sequence JOIN ours ON seqrelid = name::regclass
WHERE seqincrement <> 1 OR seqcache <> 1 OR seqcycle OR seqmax < 9223372036854775807
UNION SELECT NULL FROM ours WHERE name IS NULL
"""
RECORDED_BY: Final = "recorded_by text SESSION_USER"
_SHAPE: Final = {
    "stored_events": (
        {
            "originator_id text", "originator_version bigint", "topic text", "state bytea",
            "notification_id bigint nextval", RECORDED_BY,
        },
        {"originator_id originator_version", "notification_id"},
    ),
    "checkpoints": ({"tournament text", "size bigint", "note text"}, set[str]()),
    "private": (
        {"tournament text", "version bigint", "hash text", "bytes bytea"}, {"hash tournament version"},
    ),
}  # fmt: skip
"""The columns of each table, and its keys: without them facts are lost, or another role is recorded."""


def unsound(ask: "Callable[[str], list[Any]]") -> list[Message]:
    """What is wrong with the tables of the schema of a connection."""
    columns, keys = _by_table(ask(_COLUMNS)), _by_table(ask(_KEYS))
    if "stored_events" not in columns:
        return [say("store.fault.no-facts")]
    wrong = [say("store.fault.unlogged", id=name) for (name,) in ask(_UNLOGGED)]
    if ask("SELECT format FROM paircard_format") == [(1,)]:
        columns["stored_events"].add(RECORDED_BY)  # which tables of format 1 get with paircard init
    for table, (made, keyed) in _SHAPE.items():
        if table not in columns:
            continue  # tables of an earlier program lack some: see added_since
        for name in sorted({text.split()[0] for text in made ^ columns[table]}):
            wrong.append(say("store.fault.column-differs", code=name, id=table))
        lost, more = keyed - keys[table], keys[table] - keyed
        wrong += [say("store.fault.key-lost", id=table, known=key.split()) for key in sorted(lost)]
        wrong += [say("store.fault.key-foreign", id=table, known=key.split()) for key in more]
    foreign = ask(_FOREIGN) + [("unique index", name) for (name,) in ask(_OTHER_KEYS)]
    wrong += [say("store.fault.foreign", kind=kind, text=str(name)) for kind, name in foreign]
    if not wrong:
        wrong += [say("store.fault.sequence", id=name or "") for (name,) in ask(_SEQUENCE)]
    return wrong


def _by_table(rows: list[Any]) -> defaultdict[str, set[str]]:
    found: defaultdict[str, set[str]] = defaultdict(set)
    for table, text in rows:
        found[table].add(text)
    return found


def connected(address: Address, patience: float = 5.0) -> "psycopg.Connection[Any]":
    connection = psycopg.connect(
        address.url,
        autocommit=True,
        row_factory=dict_row,
        connect_timeout=max(2, round(patience)),
        application_name="paircard",
        client_encoding="utf8",
    )
    connection.execute(sql.SQL(_SESSION).format(schema=sql.Identifier(address.schema)))
    return connection


def takes_connections(address: Address) -> bool:
    """Whether its server takes connections already; what cannot be asked is left to who connects."""
    return PGconn.ping(address.url.encode()) not in (Ping.REJECT, Ping.NO_RESPONSE)


class Connections:
    """In the place of the library's pool: connects when asked, so that trouble is reported at once."""

    def __init__(self, address: Address, patience: float) -> None:
        self.address, self.patience = address, patience
        self.free: list[psycopg.Connection[Any]] = []
        self.slots = threading.BoundedSemaphore(MOST)
        self.used: set[int] = set()
        """Connections that somebody has."""
        self.ever_connected = False
        """Whether the database was reached before: then trouble may pass."""

    def open(self, wait: bool = False, timeout: float = 0) -> None:
        """Nothing to do before the first question."""

    @contextmanager
    def connection(self) -> Iterator["psycopg.Connection[Any]"]:
        if not self.slots.acquire(timeout=self.patience):
            raise psycopg.OperationalError(f"all {MOST} connections of this process are in use")
        try:
            mine = self.free.pop() if self.free else connected(self.address, self.patience)
            self.ever_connected = True
            self.used.add(id(mine))
            try:
                yield mine
            finally:
                self.used.discard(id(mine))
                if mine.info.transaction_status == TransactionStatus.IDLE:
                    self.free.append(mine)
                else:  # broken: what else is open has most likely gone with it
                    mine.close()
                    self.close()
        finally:
            self.slots.release()

    def close(self) -> None:
        """Let go of what is not in use."""
        while self.free:
            with suppress(psycopg.Error):
                self.free.pop().close()


def create_schema(address: Address) -> bool:
    """Make the tables, all or none, once however many ask; whether they were missing."""
    try:
        with connected(address) as db, db.transaction():
            db.execute("SELECT pg_advisory_xact_lock(%s)", (ADVISORY,))
            there = format_of(db, address)
            if there is None:
                name = sql.Identifier(address.schema)
                db.execute(sql.SQL("CREATE SCHEMA IF NOT EXISTS {}").format(name))
                statements = [*_TABLES]
            else:
                statements = [_LATER[name] for name in added_since(db)]
                statements += _RECORDED_BY if there == 1 else ()
                statements += [_TO_FORMAT] if there < FORMAT else []
            for statement in statements:
                db.execute(statement)
            return bool(statements)
    except psycopg.errors.DuplicateTable:
        raise ForeignFile("store.schema-taken", name=address.schema, file=address.shown) from None
    except psycopg.Error as reason:
        raise refusal(reason, address) from None


def added_since(db: "psycopg.Connection[Any]") -> list[str]:
    """Names of what a schema made by an earlier program lacks."""
    return [name for name in _LATER if not is_there(db, name)]


def is_there(db: "psycopg.Connection[Any]", name: str) -> bool:
    """Whether the schema of a connection has a table or an index of a name."""
    ours = "SELECT 1 FROM pg_class WHERE relname = %s AND relnamespace = to_regnamespace(current_schema())"
    return db.execute(ours, (name,)).fetchone() is not None


def format_of(db: "psycopg.Connection[Any]", address: Address) -> int | None:
    """Format of the tables, None if there are none; refuses those of a newer program."""
    if not is_there(db, "paircard_format"):
        return None
    rows = db.execute("SELECT format FROM paircard_format").fetchall()
    if len(rows) != 1 or rows[0]["format"] < 1:
        raise CorruptFile("store.format-damaged", file=address.shown)
    written = rows[0]["format"]
    if written > FORMAT:
        raise NewerFile("store.newer-read", file=address.shown, version=written, highest=FORMAT)
    return int(written)


def is_transient(reason: BaseException) -> bool:
    """Whether the server or the way to it failed, so that the same may succeed a moment later."""
    if not isinstance(reason, psycopg.OperationalError | psycopg.InterfaceError):
        return False
    if isinstance(reason, psycopg.errors.PipelineAborted):  # an error of an earlier statement
        return False
    state = reason.sqlstate
    return state is None or state.startswith("08") or state in ("57P01", "57P02", "57P03", "25P03")


def refusal(reason: BaseException, address: Address) -> StoreRefused:
    error = reason.__cause__ if isinstance(reason.__cause__, psycopg.Error) else reason
    said = " ".join(str(error).split())
    state = getattr(error, "sqlstate", None) or ""
    shown = address.shown
    for sign, kind, cause in _CAUSES:
        if sign == state or (len(sign) > 5 and sign in said):
            return kind("store.server", cause=cause, file=shown)
    if isinstance(error, psycopg.DatabaseError) and state.startswith("XX"):
        return CorruptFile("store.server-damaged", file=shown, reason=said)
    return Unreachable("store.unusable", file=shown, reason=said.removeprefix("connection failed: "))


_CAUSES: Final[tuple[tuple[str, type[StoreRefused], str], ...]] = (
    ("55P03", Busy, "locked"),
    ("57014", Busy, "slow"),
    ("53300", Busy, "full"),
    ("too many clients", Busy, "full"),
    ("too many connections", Busy, "full-here"),
    ("connections of this process", Busy, "all-used"),
    ("53100", Unreachable, "disk-full"),
    ("25006", Unreachable, "read-only"),
    ("42501", Unreachable, "lacks-right"),
    ("42P01", Unreachable, "no-tables"),
    ("3F000", Unreachable, "no-tables"),
    ("password authentication failed", Unreachable, "password"),
    ("no password supplied", Unreachable, "no-password"),
    ("no pg_hba.conf entry", Unreachable, "no-entry"),
    ("authentication failed", Unreachable, "user"),
    ("database \"", Unreachable, "no-database"),
    ("role \"", Unreachable, "no-user"),
    ("starting up", Unreachable, "starting"),
    ("shutting down", Unreachable, "stopping"),
    ("could not translate host", Unreachable, "no-host"),
    ("failed to resolve host", Unreachable, "no-host"),
    ("Name or service not known", Unreachable, "no-host"),  # psycopg before 3.2.13
    ("Connection refused", Unreachable, "port"),
    ("No such file or directory", Unreachable, "path"),
    ("timeout expired", Unreachable, "timeout"),
    ("connection timeout", Unreachable, "timeout"),
    ("closed the connection", Unreachable, "away"),
    ("connection is lost", Unreachable, "away"),
    ("connection is closed", Unreachable, "away"),
    ("57P01", Unreachable, "away"),
)  # fmt: skip
"""A state of SQL, or words of libpq, and what they mean; the first that fits."""
