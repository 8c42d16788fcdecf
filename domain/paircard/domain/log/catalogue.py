"""The catalogue: one row for each tournament of a store, written with its facts.

It finds and lists, and decides nothing: what is opened is read from the facts. It is up to date if its last
position is that of the last fact. If not, because an earlier program wrote there, the rows are made from the
facts, each log folded.
"""

from collections.abc import Sequence
from typing import Any, Final

import msgspec

from paircard.domain.errors import CorruptFile
from paircard.domain.log.stored import StoredFact


class Entry(msgspec.Struct, frozen=True):
    """One tournament of a store, as it stands in the catalogue; nothing in it is personal."""

    id: str
    first: int
    """Position of its first fact."""
    position: int
    """Position of its last fact."""
    version: int
    name: str
    rounds: int = 0
    players: int = 0
    paired: int = 0
    published: bool = False
    """The last round."""
    completed: bool = False
    closed: bool = False
    fide_mode: bool = True
    place: str = ""
    starts: str = ""
    ends: str = ""
    opened: str = ""
    """When."""
    unreadable: str = ""
    """Why the rest of it cannot be read; empty for all that can."""


COLUMNS: Final = ("tournament", *Entry.__struct_fields__[1:])
TABLE: Final = (
    "(tournament text PRIMARY KEY, first bigint NOT NULL, position bigint NOT NULL, version bigint NOT NULL, "
    "name text NOT NULL, rounds bigint NOT NULL, players bigint NOT NULL, paired bigint NOT NULL, "
    "published bigint NOT NULL, completed bigint NOT NULL, closed bigint NOT NULL, "
    "fide_mode bigint NOT NULL, place text NOT NULL, starts text NOT NULL, ends text NOT NULL, "
    "opened text NOT NULL, unreadable text NOT NULL, before bigint NOT NULL)"
)
"""The columns, the same in both databases; ``before`` is the position that a row had before its last one."""
INDEXED: Final = ("name", "position", "first")


def upsert(catalogue: str, facts: str, position: str) -> str:
    """SQL that writes a row; gives how far catalogue and facts reached before it, so that a gap shows."""
    kept = ("tournament", "first")
    changes = ", ".join(f"{name}=excluded.{name}" for name in COLUMNS if name not in kept)
    return (
        f"INSERT INTO {catalogue} AS c ({', '.join(COLUMNS)}, before) "
        f"VALUES ({', '.join('?' * len(COLUMNS))}, 0) "
        f"ON CONFLICT (tournament) DO UPDATE SET {changes}, before=c.position "
        f"RETURNING before, (SELECT max(position) FROM {catalogue} WHERE position<?), "
        f"(SELECT max({position}) FROM {facts} WHERE {position}<?)"
    )


def misplaced(catalogue: str, facts: str, position: str) -> str:
    """SQL for the rows that say what no fact says; one that is only behind is not among them."""
    return (
        f"SELECT c.tournament FROM {catalogue} c LEFT JOIN {facts} e "
        "ON e.originator_id=c.tournament AND e.originator_version=c.version "
        f"WHERE e.{position} IS NULL OR e.{position}<>c.position"
    )


def entry_in(row: Sequence[Any]) -> Entry:
    """The entry of a row; refuses one that somebody changed."""
    return msgspec.convert(dict(zip(Entry.__struct_fields__, row, strict=True)), Entry, strict=False)


def readable_name(row: StoredFact) -> str:
    """The name a headline gives, empty also where it cannot be read."""
    try:
        return name_in(row)
    except CorruptFile:
        return ""


class _Named(msgspec.Struct, frozen=True):
    name: str | None = None


class _Naming(msgspec.Struct):
    regulations: _Named = _Named()
    changes: _Named = _Named()


class _Headline(msgspec.Struct):
    fact: _Naming


_read_name: Final = msgspec.json.Decoder(_Headline).decode


def name_in(row: StoredFact) -> str:
    """The name a headline gives a tournament, empty if it gives none; the rest is not looked at."""
    try:
        fact = _read_name(row.state).fact
    except (msgspec.DecodeError, UnicodeDecodeError) as reason:
        raise CorruptFile(
            "store.unreadable-fact",
            version=row.originator_version,
            tournament=row.originator_id,
            reason=str(reason),
        ) from None
    return fact.regulations.name or fact.changes.name or ""
