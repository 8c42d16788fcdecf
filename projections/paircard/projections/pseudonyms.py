"""A pseudonymous copy of a log: the same tournament without the people, to be shared when something is odd.

Every fact stays in its place, so versions, numbers, snapshots and pairings are unchanged and every round
replays. Names, ids and births are replaced in an order-preserving way, because the initial order may rest
on them (C.04.2:2.2); ratings and titles stay, for the same reason. Free text, places, people of the staff
and the day of the event go. The copy has an id and a chain of its own and says what it is.
"""

from collections.abc import Iterable, Sequence
from datetime import UTC, date, datetime, timedelta
from typing import Final

import msgspec
from msgspec.structs import replace

from paircard.domain.events import (
    Event,
    PlayerDetailsCorrected,
    PlayerRegistered,
    Recorded,
    TournamentDetailsChanged,
    TournamentImported,
    TournamentOpened,
)
from paircard.domain.log.stored import GENESIS, seal
from paircard.domain.proof.bundles import MARK
from paircard.domain.values.players import Changes, Details
from paircard.domain.values.regulations import RegulationChanges, Regulations, given

NAME: Final = "Pseudonymous copy"
WITHHELD: Final = "withheld"
BEGIN: Final = datetime(2000, 1, 1, tzinfo=UTC)
"""The first fact of every copy; intervals stay."""
_EARLIEST: Final = date(1900, 1, 1)


class Pseudonyms(msgspec.Struct, frozen=True, kw_only=True):
    """What stands for what, in the same order."""

    names: dict[str, str]
    fide_ids: dict[int, int]
    births: dict[str, str]


def pseudonymous(log: Sequence[Recorded], id: str) -> list[Recorded]:
    """The copy under a new id, with a chain of its own."""
    cover = assign_pseudonyms(log)
    shift = BEGIN - moment(log[0].when)
    people: dict[str, str] = {}
    commands: dict[str, str] = {}
    copy: list[Recorded] = []
    head = GENESIS
    for recorded in log:
        draft = replace(
            recorded,
            tournament=id,
            fact=without_people(recorded.fact, cover),
            who=people.setdefault(recorded.who, f"Person {len(people) + 1}"),
            when=(moment(recorded.when) + shift).strftime("%Y-%m-%dT%H:%M:%SZ"),
            why=MARK if recorded.version == 1 else WITHHELD if recorded.why else "",
            command_id=commands.setdefault(recorded.command_id, f"c{len(commands) + 1}"),
            position=0,
        )
        sealed = seal(draft, head).fact
        copy.append(sealed)
        head = sealed.hash
    return copy


def moment(when: str) -> datetime:
    return datetime.fromisoformat(when)


def assign_pseudonyms(log: Iterable[Recorded]) -> Pseudonyms:
    """A pseudonym for every name, id and birth in the log, in the same order."""
    names: set[str] = set()
    fide_ids: set[int] = set()
    births: set[str] = set()
    for recorded in log:
        match recorded.fact:
            case PlayerRegistered(details=said):
                values = msgspec.structs.asdict(said)
            case PlayerDetailsCorrected(changes=changes):
                values = given(changes)
            case _:
                continue
        names.add(str(values.get("name", "")).casefold())
        fide_ids.add(int(str(values.get("fide_id", 0))))
        births.add(str(values.get("birth", "")))
    ranked = enumerate(sorted(names - {""}), start=1)
    days = enumerate(sorted(births - {""}))
    return Pseudonyms(
        names={name: f"Player {rank:04}" for rank, name in ranked},
        fide_ids={id: rank for rank, id in enumerate(sorted(fide_ids - {0}), start=1)},
        births={birth: (_EARLIEST + timedelta(days=rank)).isoformat() for rank, birth in days},
    )


def without_people(fact: Event, cover: Pseudonyms) -> Event:
    """The fact with everybody covered."""
    match fact:
        case PlayerRegistered(details=details):
            return replace(fact, details=covered_details(details, cover))
        case PlayerDetailsCorrected(changes=changes):
            return replace(fact, changes=changes_without_people(changes, cover))
        case TournamentOpened(regulations=regulations):
            return replace(fact, regulations=without_descriptions(regulations))
        case TournamentDetailsChanged(changes=news):
            kept = {name: value for name, value in given(news).items() if name in PLAIN}
            return replace(fact, changes=RegulationChanges(**kept))  # type: ignore[arg-type]
        case TournamentImported(adjustments=adjustments):
            lines = tuple(line if line.startswith("Import @ Round ") else WITHHELD for line in adjustments)
            return TournamentImported(source=WITHHELD, format=fact.format, adjustments=lines)
        case _:
            return fact


def covered_details(details: Details, cover: Pseudonyms) -> Details:
    return Details(
        name=cover.names[details.name.casefold()],
        title=details.title,
        rating=details.rating,
        fide_id=cover.fide_ids.get(details.fide_id, 0),
        birth=cover.births.get(details.birth, ""),
        half_byes=details.half_byes,
    )


def changes_without_people(changes: Changes, cover: Pseudonyms) -> Changes:
    """The same corrections, of what a copy still has."""
    values = given(changes)
    kept: dict[str, object] = {
        name: values[name] for name in ("title", "rating", "half_byes") if name in values
    }
    if "name" in values:
        kept["name"] = cover.names[str(values["name"]).casefold()]
    if "fide_id" in values:
        kept["fide_id"] = cover.fide_ids.get(int(str(values["fide_id"])), 0)
    if "birth" in values:
        kept["birth"] = cover.births.get(str(values["birth"]), "")
    return Changes(**kept)  # type: ignore[arg-type]


PLAIN: Final = frozenset(
    {
        "rounds", "edition", "scoring", "acceleration", "tiebreaks", "initial_order",
        "last_half_bye", "tempo", "rated", "tiebreak_ratings", "rating_lists",
    }
)  # fmt: skip
"""Regulations that tell nothing about people or the place."""


def without_descriptions(regulations: Regulations) -> Regulations:
    """What pairings and standings depend on, and nothing else."""
    kept = {name: getattr(regulations, name) for name in PLAIN}
    return Regulations(name=NAME, **kept)
