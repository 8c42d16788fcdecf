"""The catalogue: one row for each tournament of a store, written with its facts.

It finds and lists, and decides nothing: what is opened is read from the facts. It is up to date if its last
position is that of the last fact. If not, because an earlier program wrote there, the list is made from the
facts that name tournaments, change their regulations or close them; how far each has come is read from the
kinds of its facts then. In a Swiss, rounds are paired, published and completed one after the other, and only
the last can be taken back: so counting is enough. Two things kinds do not tell, and the log is read for them:
whether a round is open again once the pairing after it was taken back, and where a round robin is whose
rounds were paired ahead.
"""

from collections.abc import Iterable, Mapping, Sequence
from itertools import groupby
from typing import Any, Final

import msgspec

from paircard.domain.errors import CorruptFile, NewerFile
from paircard.domain.events import (
    TournamentClosed,
    TournamentDetailsChanged,
    TournamentOpened,
    TournamentReopened,
)
from paircard.domain.log.stored import StoredFact, checked_fact
from paircard.domain.values.regulations import Regulations, changed

HEADLINES: Final = "topic IN ('tournament-opened/1', 'tournament-details-changed/1', 'tournament-closed/1')"
"""In SQL, the facts that name tournaments and tell which are over."""
MILESTONES: Final = (
    "topic IN ('round-paired/1', 'round-unpaired/1', 'round-published/1', 'round-completed/1', "
    "'fide-mode-left/1')"
)
"""Those that tell how far a tournament has come, by their kind alone."""
REOPENINGS: Final = "topic IN ('round-reopened/1', 'tournament-reopened/1')"
"""Those that take an end back; they came later and have an index of their own."""
REGISTRATIONS: Final = "topic='player-registered/1'"
"""One for each player."""
REMOVALS: Final = "topic IN ('player-removed/1', 'player-merged/1')"
"""One for each entry that was taken back; few, and without an index."""


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


def list_tournaments(
    headlines: Iterable[StoredFact],
    versions: Mapping[str, tuple[int, int, CorruptFile | None]],
    stages: Mapping[str, "Stage"],
) -> list[Entry]:
    """Every tournament, the oldest first, from its facts.

    ``versions`` is how many facts each has, the position of the last, and what is wrong with their numbers.
    One that cannot be read is in the list as such, and keeps no other from it.
    """
    found: dict[str, Entry] = {}
    regulations: dict[str, Regulations] = {}
    for row in headlines:
        id = row.originator_id
        length, last, wrong = versions.get(id, (row.originator_version, row.id, None))
        name = readable_name(row) if row.originator_version == 1 else ""
        known = found.get(id) or Entry(id, row.id, last, length, name or id[:8])
        if known.unreadable:
            continue
        try:
            if wrong:
                raise wrong
            recorded = checked_fact(row)
        except (CorruptFile, NewerFile) as why:
            found[id] = msgspec.structs.replace(known, unreadable=str(why))
            continue
        match recorded.fact:
            case TournamentOpened(regulations=opening):
                regulations[id] = opening
                found[id] = msgspec.structs.replace(known, opened=recorded.when)
            case TournamentDetailsChanged(changes=changes) if id in found:
                regulations[id] = changed(regulations[id], changes)
            case TournamentClosed() | TournamentReopened() as fact if id in found:
                found[id] = msgspec.structs.replace(known, closed=isinstance(fact, TournamentClosed))
            case _:
                pass
    for id, rules in regulations.items():
        stage = stages.get(id, NOT_BEGUN)
        found[id] = msgspec.structs.replace(
            found[id],
            name=rules.name,
            rounds=rules.rounds,
            place=rules.place,
            starts=rules.starts,
            ends=rules.ends,
            players=stage.players,
            paired=stage.paired,
            published=stage.published,
            completed=stage.completed,
            fide_mode=stage.fide_mode,
        )
    return sorted(found.values(), key=lambda one: one.first)


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


class Stage(msgspec.Struct, frozen=True, kw_only=True):
    """One tournament."""

    players: int = 0
    paired: int = 0
    published: bool = False
    """The last round."""
    completed: bool = False
    unclear: bool = False
    """The kinds of its facts do not tell: the next round was taken back, or rounds are paired ahead."""
    fide_mode: bool = True


NOT_BEGUN: Final = Stage()


def stages(
    milestones: Iterable[tuple[str, str]], registrations: Iterable[tuple[str, int]]
) -> dict[str, Stage]:
    """From id and topic of the milestones, in their order, and id and number of players; by id."""
    players = dict(registrations)
    found = {id: Stage(players=count) for id, count in players.items()}
    for id, own in groupby(milestones, key=lambda row: row[0]):
        found[id] = reached([topic for _, topic in own], players.get(id, 0))
    return found


def reached(topics: Iterable[str], players: int) -> Stage:
    """The milestones of one tournament, folded."""
    rounds: list[tuple[bool, bool]] = []
    fide_mode, taken_back, ahead = True, False, False
    for topic in topics:
        match topic:
            case "round-paired/1":
                ahead = ahead or (bool(rounds) and not rounds[-1][1])
                rounds.append((False, False))
                taken_back = False
            case "round-unpaired/1":
                del rounds[-1:]
                taken_back = True
            case "round-published/1":
                rounds[-1:] = [(True, False)]
            case "round-completed/1":
                rounds[-1:] = [(True, True)]
            case "round-reopened/1":
                rounds[-1:] = [(True, False)]
            case "fide-mode-left/1":
                fide_mode = False
            case _:
                pass
    published, completed = rounds[-1] if rounds else (False, False)
    return Stage(
        players=players,
        paired=len(rounds),
        published=published,
        completed=completed,
        unclear=ahead or (taken_back and completed),
        fide_mode=fide_mode,
    )
