"""The tournaments of a store, read from the facts that name them, change their regulations or close them.

How far each has come is read from the kinds of its facts alone, so a list of thousands is made from two
indexes. Rounds are paired, published and completed one after the other, and only the last can be taken back:
so counting is enough. One thing kinds do not tell: whether a round is open again once the pairing after it
was taken back.
"""

from collections.abc import Iterable, Mapping
from itertools import groupby
from typing import Final

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


class TournamentEntry(msgspec.Struct, frozen=True, kw_only=True):
    """One tournament of a store."""

    id: str
    regulations: Regulations
    opened: str
    """When."""
    version: int
    closed: bool
    unreadable: str = ""
    """Why the rest of it cannot be read; empty for all that can."""

    @property
    def name(self) -> str:
        return self.regulations.name


def list_tournaments(
    headlines: Iterable[StoredFact], versions: Mapping[str, tuple[int, str]]
) -> list[TournamentEntry]:
    """Every tournament, the oldest first; ``versions`` is how many facts each has, and whether that is right.

    One that cannot be read is in the list as such, and keeps no other from it.
    """
    found: dict[str, tuple[int, TournamentEntry]] = {}
    for row in headlines:
        id, position = row.originator_id, row.id
        length, wrong = versions.get(id, (row.originator_version, ""))
        known = found.get(id)
        if known and known[1].unreadable:
            continue
        try:
            if wrong:
                raise CorruptFile(wrong)
            recorded = checked_fact(row)
        except (CorruptFile, NewerFile) as why:
            place, one = known or (position, _nameless(id, length, readable_name(row)))
            found[id] = place, msgspec.structs.replace(one, unreadable=str(why))
            continue
        match recorded.fact:
            case TournamentOpened(regulations=regulations):
                new = TournamentEntry(
                    id=id,
                    regulations=regulations,
                    opened=recorded.when,
                    version=length,
                    closed=False,
                )
                found[id] = position, new
            case TournamentDetailsChanged(changes=changes) if id in found:
                place, one = found[id]
                regulations = changed(one.regulations, changes)
                found[id] = place, msgspec.structs.replace(one, regulations=regulations)
            case TournamentClosed() | TournamentReopened() as fact if id in found:
                place, one = found[id]
                closed = isinstance(fact, TournamentClosed)
                found[id] = place, msgspec.structs.replace(one, closed=closed)
            case _:
                pass
    ordered = sorted(found.values(), key=lambda item: item[0])
    return [one for _, one in ordered]


def readable_name(row: StoredFact) -> str:
    """The name a headline gives, empty also where it cannot be read."""
    try:
        return name_in(row)
    except CorruptFile:
        return ""


def _nameless(id: str, length: int, name: str) -> TournamentEntry:
    """A tournament whose opening cannot be read; its name often can."""
    return TournamentEntry(
        id=id, regulations=Regulations(name=name or id[:8], rounds=0), opened="", version=length, closed=False
    )


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
            f"fact {row.originator_version} of tournament {row.originator_id} cannot be read: {reason}"
        ) from None
    return fact.regulations.name or fact.changes.name or ""


class Stage(msgspec.Struct, frozen=True, kw_only=True):
    """One tournament."""

    players: int = 0
    paired: int = 0
    published: bool = False
    """The last round."""
    completed: bool = False
    taken_back: bool = False
    """Whether the round after it was the last thing taken back: if it is completed is in the facts."""
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
    fide_mode, taken_back = True, False
    for topic in topics:
        match topic:
            case "round-paired/1":
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
        taken_back=taken_back and completed,
        fide_mode=fide_mode,
    )
