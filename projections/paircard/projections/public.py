"""The public log: what a notice board shows of a tournament, as a log of its own.

A round appears when it is published, with all that pairing it did; before that, and if it is taken back, it
was never there. Personal data beyond name, title, rating, federation and club, the reasons, and who recorded
what are left out. Facts are numbered anew, so that not even a gap tells of what is hidden. Every view of the
public is a view of this log.

The public log only ever grows, so a place in it is a moment that never changes.
"""

from collections.abc import Sequence
from itertools import groupby
from typing import Final, TypeAlias

from msgspec import UNSET
from msgspec.structs import replace

from paircard.domain.events import (
    BoardsCorrected,
    ColoursCorrected,
    Event,
    GameAdjourned,
    ManualPairingBegun,
    ManualPairingEnded,
    PairingNumbersAssigned,
    PairingsAltered,
    PersonErased,
    PlayerDetailsCorrected,
    PlayerExpelled,
    PlayerRegistered,
    PlayerReinstated,
    PlayerReturned,
    PlayerWithdrawn,
    ProhibitionLifted,
    Recorded,
    ResultCleared,
    ResultCorrected,
    ResultRecorded,
    RoundPaired,
    RoundPublished,
    RoundUnpaired,
    TournamentImported,
)
from paircard.domain.values.editions import CORRECTIONS_ALWAYS_COUNT
from paircard.domain.values.players import Changes, Details
from paircard.domain.values.regulations import given

SHOWN: Final = ("name", "title", "rating", "federation", "club")
"""What a notice board says about a person."""

OnBoard: TypeAlias = ResultRecorded | GameAdjourned | ResultCleared | ResultCorrected | ColoursCorrected
Corrected: TypeAlias = ResultCorrected | ColoursCorrected | BoardsCorrected


class PublicLog:
    """The public log as far as the facts were read."""

    def __init__(self) -> None:
        self.facts: list[Recorded] = []
        self.read: int = 0
        """Facts of the tournament that were read."""
        self._held: list[tuple[Recorded, bool]] = []
        """Facts that wait for the publication of a round, and whether its pairing made them."""
        self._rounds = 0
        """Rounds that are published."""

    def read_further(self, log: Sequence[Recorded]) -> None:
        """Take in what is new in the log of the tournament."""
        for _, command in groupby(log[self.read :], key=lambda recorded: recorded.command_id):
            facts = list(command)
            pairing = any(isinstance(one.fact, RoundPaired) for one in facts)
            for one in facts:
                self._take(one, pairing)
        self.read = len(log)

    def _take(self, one: Recorded, pairing: bool) -> None:
        fact = one.fact
        match fact:
            case ManualPairingBegun() | ManualPairingEnded():
                return
            case RoundPaired():
                based_on = fact.based_on and len(self.facts)
                self._held.append((replace(one, fact=replace(fact, based_on=based_on)), True))
            case RoundPublished():
                held, self._held = self._held, []
                self._rounds = fact.round
                for waiting, _ in held:
                    self._show(waiting.fact, one)
                self._show(fact, one)
            case RoundUnpaired() if self._held:
                held, self._held = self._held, []
                edition = next(w.fact.edition for w, _ in held if isinstance(w.fact, RoundPaired))
                for waiting, by_pairing in held:
                    if not by_pairing:
                        self._show(in_time_again(waiting.fact, edition), one)
            case RoundUnpaired():  # it was published, and taken back before it was played
                self._rounds = fact.round - 1
                self._show(fact, one)
            case _ if pairing or (self._held and isinstance(fact, PairingsAltered)):
                self._held.append((one, True))
            case _ if self._held and self._waits(fact):
                self._held.append((one, False))
            case _:
                self._show(fact, one)

    def _waits(self, fact: Event) -> bool:
        """Whether a fact that came after an unpublished pairing rests on it."""
        if isinstance(fact, PairingNumbersAssigned):
            return True
        if isinstance(fact, PlayerRegistered) and fact.missed[self._rounds :].strip("Z"):
            return True
        if isinstance(fact, Corrected) and fact.scope == "pairing-after-next":
            return True
        held = [waiting.fact for waiting, _ in self._held]
        if any(
            isinstance(one, PlayerRegistered) and one.player == getattr(fact, "player", 0) for one in held
        ):
            return True
        return any(places(fact) & places(one) for one in held)

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


def public_log(log: Sequence[Recorded]) -> list[Recorded]:
    """The log of a tournament as the public may see it."""
    public = PublicLog()
    public.read_further(log)
    return public.facts


def in_time_again(fact: Event, edition: str) -> Event:
    """A correction that came too late for a pairing which was then taken back.

    Under 2012 F.7 it may be of any earlier round, and counts for the pairings to come all the same.
    """
    if edition in CORRECTIONS_ALWAYS_COUNT:
        return fact
    if isinstance(fact, Corrected) and fact.scope == "pairing-after-next":
        return replace(fact, scope="pairing-next")
    return fact


def places(fact: Event) -> set[tuple[int, int]]:
    """Round and board of the games that a fact is about."""
    if isinstance(fact, BoardsCorrected):
        return {(fact.round, one.board) for one in fact.boards}
    return {(fact.round, fact.board)} if isinstance(fact, OnBoard) else set()


def for_the_public(fact: Event, rounds: int) -> Event | None:
    """The fact without what is personal, and as if only the first ``rounds`` rounds were paired.

    None if nothing is left of it.
    """
    match fact:
        case PlayerRegistered(details=details, missed=missed):
            return replace(fact, details=shown_of(details), missed=missed[:rounds])
        case (
            PlayerWithdrawn(round=round)
            | PlayerReturned(round=round)
            | PlayerExpelled(round=round)
            | PlayerReinstated(round=round)
            | ProhibitionLifted(round=round)
        ):
            return replace(fact, round=min(round, rounds + 1))
        case PlayerDetailsCorrected(changes=changes):
            left = {name: value for name, value in given(changes).items() if name in SHOWN}
            return replace(fact, changes=Changes(**left)) if left else None  # type: ignore[arg-type]
        case PersonErased():
            return replace(fact, pieces=())
        case TournamentImported():
            return replace(fact, source="", digest="", adjustments=(), kept=UNSET)
        case _:
            return fact


def shown_of(details: Details) -> Details:
    """What is shown of a person."""
    return Details(**{name: getattr(details, name) for name in SHOWN})
