"""The public log: what a notice board shows of a tournament, as a log of its own.

A round appears when it is published, with all that pairing it did; before that, and if it is taken back, it
was never there. Personal data beyond name, title, rating, federation and club, the reasons, and who recorded
what are left out. Facts are numbered anew, so that not even a gap tells of what is hidden. Every view of the
public is a view of this log.

The public log only ever grows, so a place in it is a moment that never changes.
"""

from collections.abc import Collection, Iterable, Mapping, Sequence
from datetime import UTC, date, datetime, timedelta
from itertools import groupby
from typing import Any, Final

import msgspec
from msgspec import UNSET
from msgspec.structs import asdict, replace

from paircard.domain import events
from paircard.domain.events import Event, Recorded
from paircard.domain.log.stored import GENESIS, seal
from paircard.domain.proof.bundles import MARK
from paircard.domain.state import NOTHING, Tournament, state_after
from paircard.domain.values.players import Changes, Details
from paircard.domain.values.prizes import Category, Filled
from paircard.domain.values.regulations import RegulationChanges, Regulations, given
from paircard.domain.values.rules import RULES
from paircard.projections.categories import inside

SHOWN: Final = ("name", "title", "rating", "federation", "club")
"""What a notice board says about a person."""

MOVES: Final = (
    events.RoundPublished, events.PlayerRegistered, events.PlayerDetailsCorrected, events.RatingCorrected,
    events.PlayerWithdrawn, events.PersonErased,
)  # fmt: skip
"""Facts after which others may be in a category."""


class PublicLog:
    """The public log as far as the facts were read."""

    def __init__(self) -> None:
        self.facts: list[Recorded] = []
        self.shown: list[int] = []
        """How many public facts there are after each fact of the tournament that was read."""
        self._held: list[tuple[Recorded, bool, int]] = []
        """Facts that wait for the publication of a round, whether its pairing made them, and the round."""
        self._rounds = 0
        """Rounds that are published."""
        self._whole = NOTHING
        """The tournament as it was when the categories were last filled."""
        self._announced = False
        """Whether there ever were categories."""
        self._filled: tuple[Category, ...] = ()

    def read_further(self, log: Sequence[Recorded]) -> None:
        """Take in what is new in the log of the tournament."""
        for _, command in groupby(log[len(self.shown) :], key=lambda recorded: recorded.command_id):
            facts = list(command)
            pairing = any(isinstance(one.fact, events.RoundPaired) for one in facts)
            for one in facts:
                self._take(one, pairing)
                self._fill(one, log)
                self.shown.append(len(self.facts))

    def _fill(self, one: Recorded, log: Sequence[Recorded]) -> None:
        """Say who is in each category that is announced: what it asks for may not be shown.

        That is from round 1 on, when the list of players is closed, and whenever somebody moves.
        """
        match one.fact:
            case events.TournamentOpened(regulations=news) | events.TournamentDetailsChanged(changes=news):
                self._announced = self._announced or bool(news.categories)
            case _ if not isinstance(one.fact, MOVES):
                return
        if not (self._announced and self._rounds) or self._held:
            return
        self._whole = state = state_after(log[self._whole.version : one.version], self._whole)
        filled = tuple(filled_from(category, state) for category in state.regulations.categories or ())
        if filled != self._filled:
            self._filled = filled
            changes = RegulationChanges(categories=filled)
            self._show(events.TournamentDetailsChanged(changes=changes), one)

    def _take(self, one: Recorded, pairing: bool) -> None:
        fact = one.fact
        match fact:
            case events.ManualPairingBegun() | events.ManualPairingEnded():
                return
            case events.RoundPaired():
                based_on = fact.based_on and len(self.facts)
                paired = replace(one, fact=replace(fact, based_on=based_on))
                self._held.append((paired, True, fact.round))
            case events.PrizesPublished():
                self._show(replace(fact, based_on=len(self.facts)), one)
            case events.RoundPublished():
                self._rounds = fact.round
                for waiting, _ in self._released(range(fact.round + 1)):
                    self._show(waiting.fact, one)
                self._show(fact, one)
            case events.RoundUnpaired() if any(round == fact.round for *_, round in self._held):
                held = self._released((fact.round,))
                edition = next(w.fact.edition for w, _ in held if isinstance(w.fact, events.RoundPaired))
                for waiting, by_pairing in held:
                    if not by_pairing:
                        self._show(in_time_again(waiting.fact, edition), one)
            case events.RoundUnpaired():  # it was published, and taken back before it was played
                self._rounds = fact.round - 1
                self._show(fact, one)
            case events.ResultRecorded(reason="withdrawal"):  # of a published round, as it is published
                self._show(fact, one)
            case _ if pairing:
                self._held.append((one, True, self._rounds + 1))
            case _ if self._held and isinstance(fact, events.PairingsAltered):
                self._held.append((one, True, fact.round))
            case _ if self._held and self._waits(fact):
                self._held.append((one, False, self._held[-1][2]))
            case _:
                self._show(fact, one)

    def _released(self, rounds: Collection[int]) -> list[tuple[Recorded, bool]]:
        """What waited for these rounds, and no longer does; a table has rounds that wait on."""
        held, self._held = self._held, []
        self._held = [one for one in held if one[2] not in rounds]
        return [(waiting, by_pairing) for waiting, by_pairing, round in held if round in rounds]

    def _waits(self, fact: Event) -> bool:
        """Whether a fact that came after an unpublished pairing rests on it."""
        if isinstance(fact, events.PairingNumbersAssigned):
            return True
        if isinstance(fact, events.PlayerRegistered) and fact.missed[self._rounds :].strip("Z"):
            return True
        if isinstance(fact, events.Correction) and fact.scope == "pairing-after-next":
            return True
        entered = {w.fact.player for w, *_ in self._held if isinstance(w.fact, events.PlayerRegistered)}
        return getattr(fact, "player", 0) in entered or any(
            places(fact) & places(waiting.fact) for waiting, *_ in self._held
        )

    def _show(self, fact: Event, by: Recorded) -> None:
        shown = for_the_public(fact, self._rounds)
        if shown is not None:
            self.facts.append(
                Recorded(
                    tournament=by.tournament,
                    version=len(self.facts) + 1,
                    fact=shown,
                    who="the arbiter",
                    when=by.when,
                    previous="",
                    hash="",
                )
            )


def filled_from(category: Category, state: Tournament) -> Filled:
    """A category with those who belong to it."""
    return Filled(**asdict(category), members=inside(state, category))


def in_time_again(fact: Event, edition: str) -> Event:
    """A correction that came too late for a pairing which was then taken back.

    Under 2012 F.7 it may be of any earlier round, and counts for the pairings to come all the same.
    """
    if RULES[edition].corrections == "always":
        return fact
    if isinstance(fact, events.Correction) and fact.scope == "pairing-after-next":
        return replace(fact, scope="pairing-next")
    return fact


def places(fact: Event) -> set[tuple[int, int]]:
    if isinstance(fact, events.BoardsCorrected):
        return {(fact.round, one.board) for one in fact.boards}
    return {(fact.round, fact.board)} if isinstance(fact, events.OnBoard) else set()


def for_the_public(fact: Event, rounds: int) -> Event | None:
    """The fact without what is personal, and as if only the first ``rounds`` rounds were paired.

    None if nothing is left of it.
    """
    match fact:
        case events.PlayerRegistered(details=details, missed=missed):
            return replace(
                fact,
                details=Details(**{name: getattr(details, name) for name in SHOWN}),
                missed=missed[:rounds],
            )
        case (
            events.PlayerWithdrawn(round=round)
            | events.PlayerReturned(round=round)
            | events.PlayerExpelled(round=round)
            | events.PlayerReinstated(round=round)
            | events.ProhibitionLifted(round=round)
        ):
            return replace(fact, round=min(round, rounds + 1))
        case events.PlayerDetailsCorrected(changes=changes):
            left = {name: value for name, value in given(changes).items() if name in SHOWN}
            return replace(fact, changes=Changes(**left)) if left else None  # type: ignore[arg-type]
        case events.PersonErased():
            return replace(fact, pieces=())
        case events.TournamentImported():
            return replace(fact, source="", digest="", adjustments=(), kept=UNSET)
        case _:
            return fact


# --- a pseudonymous copy of a log: the same tournament without the people, to be shared when something is odd


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
    shift = BEGIN - datetime.fromisoformat(log[0].when)
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
            when=(datetime.fromisoformat(recorded.when) + shift).strftime("%Y-%m-%dT%H:%M:%SZ"),
            why=MARK if recorded.version == 1 else WITHHELD if recorded.why else "",
            command_id=commands.setdefault(recorded.command_id, f"c{len(commands) + 1}"),
            position=0,
        )
        sealed = seal(draft, head).fact
        copy.append(sealed)
        head = sealed.hash
    return copy


def assign_pseudonyms(log: Iterable[Recorded]) -> Pseudonyms:
    """A pseudonym for every name, id and birth in the log, in the same order."""
    names: set[str] = set()
    fide_ids: set[int] = set()
    births: set[str] = set()
    for recorded in log:
        match recorded.fact:
            case events.PlayerRegistered(details=said):
                values: Mapping[str, Any] = asdict(said)
            case events.PlayerDetailsCorrected(changes=changes):
                values = given(changes)
            case _:
                continue
        names.add(values.get("name", "").casefold())
        fide_ids.add(values.get("fide_id", 0))
        births.add(values.get("birth", ""))
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
        case events.PairingNumbersAssigned(cause="varma"):  # without federations nobody can draw them again
            return replace(fact, seed=UNSET)
        case events.PlayerRegistered(details=details):
            return replace(fact, details=Details(**covered(asdict(details), cover)))
        case events.PlayerDetailsCorrected(changes=changes):
            return replace(fact, changes=Changes(**covered(given(changes), cover)))
        case events.TournamentOpened(regulations=regulations):
            kept = {name: getattr(regulations, name) for name in PLAIN}
            return replace(fact, regulations=Regulations(name=NAME, **kept))
        case events.TournamentDetailsChanged(changes=news):
            kept = {name: value for name, value in given(news).items() if name in PLAIN}
            return replace(fact, changes=RegulationChanges(**kept))
        case events.PrizesPublished():  # whose names may tell of places and clubs
            return replace(fact, awards=(), computed_from="")
        case events.TournamentImported(adjustments=adjustments):
            lines = tuple(line if line.startswith("Import @ Round ") else WITHHELD for line in adjustments)
            return events.TournamentImported(source=WITHHELD, format=fact.format, adjustments=lines)
        case _:
            return fact


def covered(values: Mapping[str, Any], cover: Pseudonyms) -> dict[str, Any]:
    """What a copy keeps of the details of a person, or of corrections of them."""
    kept = {name: values[name] for name in ("title", "rating", "half_byes") if name in values}
    if "name" in values:
        kept["name"] = cover.names[values["name"].casefold()]
    if "fide_id" in values:
        kept["fide_id"] = cover.fide_ids.get(values["fide_id"], 0)
    if "birth" in values:
        kept["birth"] = cover.births.get(values["birth"], "")
    return kept


PLAIN: Final = frozenset(
    {
        "rounds", "edition", "scoring", "acceleration", "tiebreaks", "initial_order",
        "last_half_bye", "tempo", "rated", "tiebreak_ratings", "rating_lists",
    }
)  # fmt: skip
"""Regulations that tell nothing about people or the place."""
