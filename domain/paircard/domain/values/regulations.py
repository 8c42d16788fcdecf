"""The regulations of an event: what is announced before it and stands once round 1 is paired."""

import math
import re
from datetime import date
from itertools import pairwise
from typing import Final

import msgspec
from msgspec import UNSET, UnsetType

from paircard.domain.errors import Invalid
from paircard.domain.values.prizes import Category, PrizeRules, check_prizes
from paircard.domain.values.results import STANDARD, Scoring
from paircard.domain.values.rules import RULES
from paircard.domain.values.text import check_choice, checked_text, is_day

ACCELERATIONS: Final = ("none", "baku")
RATING_LISTS: Final = ("standard", "rapid", "blitz", "national", "higher", "lower")
"""Where ratings come from; ``higher`` and ``lower`` compare the FIDE and the national rating (TRF26 172)."""
VARIANTS: Final = ("standard", "chess960")
LISTS_OF_TEMPO: Final = {
    "standard": ("standard", "rapid", "blitz"),
    "rapid": ("rapid", "standard", "blitz"),
    "blitz": ("blitz", "standard", "rapid"),
}
"""Where ratings come from by default (VCL 123); the standard rating stands for a missing rapid or blitz one,
which is what FIDE calls effective."""
TIEBREAK_RATINGS: Final = ("first", "round")
TEMPOS: Final = ("standard", "rapid", "blitz")
ORDER_CRITERIA: Final = ("rating", "title", "name", "birth", "fide-id", "declared")
"""Criteria of the initial order; ``declared`` is a list the organiser gives (C.04.2:2.2)."""
DEFAULT_ORDER: Final = ("rating", "title", "name")
MOST_ROUNDS: Final = 99
MOST_CYCLES: Final = 8
TABLES: Final = ("berger", "hand")
"""Where the rounds of a round robin come from."""

DESCRIPTIVE: Final = frozenset(
    {
        "name", "starts", "ends", "place", "federation", "organiser",
        "chief_arbiter", "arbiters", "time_control", "tempo", "rated", "dates",
    }
)  # fmt: skip
"""Fields no pairing or standing depends on; they may be corrected at any time before closing."""


class Regulations(msgspec.Struct, frozen=True, kw_only=True):
    """What holds for the whole event."""

    name: str
    rounds: int
    """Announced; 0 for a round robin until round 1 is paired, since they follow from the players."""
    edition: str = "dutch-2026"  # a stored default never changes
    scoring: Scoring = STANDARD
    """What a result is worth, in tenths of a point."""
    acceleration: str = "none"
    tiebreaks: tuple[str, ...] = ()
    """In order of application, as written in the announcement; their grammar belongs to the projections."""
    initial_order: tuple[str, ...] = DEFAULT_ORDER
    """Criteria of the initial order, first decides (C.04.2:2.2)."""
    last_half_bye: int = 0
    """Last round for which a half-point bye may be asked; 0 sets no limit."""
    starts: str = ""
    """First day, ``2026-11-16``."""
    ends: str = ""
    place: str = ""
    federation: str = ""
    organiser: str = ""
    chief_arbiter: str = ""
    arbiters: tuple[str, ...] = ()
    time_control: str = ""
    tempo: str = "standard"
    rated: bool = True
    dates: tuple[str, ...] = ()
    """Day of each round, round 1 first."""
    rating_lists: tuple[str, ...] | UnsetType = UNSET
    """Lists a player's rating for the tournament is taken from, the first that has one; else by the tempo."""
    tiebreak_ratings: str | UnsetType = UNSET
    """Which rating of an opponent counts in rating tie-breaks: the ``first``, or that of the ``round`` of the
    game (C.07:10, VCL 214-216)."""
    half_byes: int | UnsetType = UNSET
    """Half-point byes that the regulations announce for each player; none if not given (C.04.2:3.3)."""
    variant: str | UnsetType = UNSET
    """``chess960``; standard chess if not given (VCL 222)."""
    numbering: int | UnsetType = UNSET
    """How this program numbers players: 2 sorts names as people do, and under dutch-2017 a late entry
    after round 4 takes the next free number. Tournaments opened before it existed keep what they had."""
    cycles: int | UnsetType = UNSET
    """How often everybody meets everybody in a round robin; once if not given."""
    exchange: bool | UnsetType = UNSET
    """Whether a double round robin exchanges the last two rounds of its first cycle, so that nobody has the
    same colour three times in a row (C.05 Annex 1); yes if not given."""
    table: str | UnsetType = UNSET
    """``hand`` for a round robin whose rounds the arbiter makes; else they follow the Berger tables."""
    categories: tuple[Category, ...] | UnsetType = UNSET
    """Groups of players with places of their own."""
    prizes: PrizeRules | UnsetType = UNSET
    """The prizes and how they are given."""

    @property
    def days(self) -> int:
        """How many days the event lasts; 0 where its dates are not known."""
        if not (self.starts and self.ends):
            return 0
        return (date.fromisoformat(self.ends) - date.fromisoformat(self.starts)).days + 1


NUMBERING: Final = 2
"""How this program numbers players, see ``Regulations.numbering``."""

UNOPENED: Final = Regulations(name="", rounds=0, numbering=NUMBERING)
"""The regulations before a tournament is opened."""


class RegulationChanges(msgspec.Struct, frozen=True, kw_only=True):
    """New values of some regulations; a field left out stays as it is."""

    name: str | UnsetType = UNSET
    rounds: int | UnsetType = UNSET
    edition: str | UnsetType = UNSET
    scoring: Scoring | UnsetType = UNSET
    acceleration: str | UnsetType = UNSET
    tiebreaks: tuple[str, ...] | UnsetType = UNSET
    initial_order: tuple[str, ...] | UnsetType = UNSET
    last_half_bye: int | UnsetType = UNSET
    starts: str | UnsetType = UNSET
    ends: str | UnsetType = UNSET
    place: str | UnsetType = UNSET
    federation: str | UnsetType = UNSET
    organiser: str | UnsetType = UNSET
    chief_arbiter: str | UnsetType = UNSET
    arbiters: tuple[str, ...] | UnsetType = UNSET
    time_control: str | UnsetType = UNSET
    tempo: str | UnsetType = UNSET
    rated: bool | UnsetType = UNSET
    dates: tuple[str, ...] | UnsetType = UNSET
    rating_lists: tuple[str, ...] | UnsetType = UNSET
    tiebreak_ratings: str | UnsetType = UNSET
    half_byes: int | UnsetType = UNSET
    variant: str | UnsetType = UNSET
    cycles: int | UnsetType = UNSET
    exchange: bool | UnsetType = UNSET
    table: str | UnsetType = UNSET
    categories: tuple[Category, ...] | UnsetType = UNSET
    prizes: PrizeRules | UnsetType = UNSET


def cycles_of(regulations: Regulations) -> int:
    """How often everybody meets everybody in a round robin."""
    return regulations.cycles or 1


def exchanges(regulations: Regulations) -> bool:
    """Whether the last two rounds of the first of two cycles change places; so the rules recommend."""
    return cycles_of(regulations) == 2 and regulations.exchange is not False


def rounds_for(regulations: Regulations, players: int) -> int:
    """How many rounds so many players play: as announced, or as everybody meets everybody (C.05 Annex 1)."""
    if not RULES[regulations.edition].rounds_follow_field:
        return regulations.rounds
    return (players + players % 2 - 1) * cycles_of(regulations) if players > 1 else 0


def announced_half_byes(regulations: Regulations) -> int:
    """How many half-point byes each player may take; a last round for them announces one."""
    if isinstance(regulations.half_byes, int):
        return regulations.half_byes
    return 1 if regulations.last_half_bye else 0


def lists_of(regulations: Regulations) -> tuple[str, ...]:
    """The rating lists in force, the one asked first in front."""
    return regulations.rating_lists or LISTS_OF_TEMPO[regulations.tempo]


def changed(regulations: Regulations, changes: RegulationChanges) -> Regulations:
    return msgspec.structs.replace(regulations, **given(changes))


def given(changes: msgspec.Struct) -> dict[str, object]:
    """The fields of a set of changes that hold a new value."""
    values = ((name, getattr(changes, name)) for name in changes.__struct_fields__)
    return {name: value for name, value in values if value is not UNSET}


def check_regulations(regulations: Regulations) -> None:
    """Refuse regulations under which no event could be held."""
    r = regulations
    checked_text("tournament", r.name, required=True)
    for label in ("place", "organiser", "chief_arbiter", "time_control"):
        checked_text(label, getattr(r, label))
    for arbiter in r.arbiters:
        checked_text("arbiter", arbiter, required=True)
    for tiebreak in r.tiebreaks:
        checked_text("tiebreak", tiebreak, required=True, limit=40)
    check_choice("edition", r.edition, tuple(RULES))
    if not (0 if RULES[r.edition].rounds_follow_field else 1) <= r.rounds <= MOST_ROUNDS:
        raise Invalid("rounds-not-possible", count=r.rounds, most=MOST_ROUNDS)
    check_choice("acceleration", r.acceleration, ACCELERATIONS)
    check_choice("table", r.table or TABLES[0], TABLES)
    _check_system(r)
    check_choice("tempo", r.tempo, TEMPOS)
    lists = lists_of(r)
    for name in lists:
        check_choice("rating_list", name, RATING_LISTS)
    if len(set(lists)) != len(lists):
        raise Invalid("lists-twice", lists=lists)
    if len(lists) > 1 and {"higher", "lower"} & set(lists):
        raise Invalid("list-not-alone")
    check_choice("rating_for_tiebreaks", r.tiebreak_ratings or "first", TIEBREAK_RATINGS)
    check_scoring(r.scoring)
    if r.acceleration == "baku" and (r.scoring.win != 2 * r.scoring.draw or r.scoring.loss != 0):
        # C.04.7:1.1 presumes it
        raise Invalid("baku-scoring")
    if not r.initial_order or len(set(r.initial_order)) != len(r.initial_order):
        raise Invalid("order-empty")
    for criterion in r.initial_order:
        check_choice("criterion", criterion, ORDER_CRITERIA)
    if not 0 <= r.last_half_bye <= r.rounds:
        raise Invalid("half-byes-too-late", last=r.last_half_bye, rounds=r.rounds)
    if not 0 <= (byes := announced_half_byes(r)) <= r.rounds:
        raise Invalid("half-byes-too-many", count=byes, rounds=r.rounds)
    check_choice("variant", r.variant or "standard", VARIANTS)
    check_federation(r.federation)
    for label, day in (("first_day", r.starts), ("last_day", r.ends), *(("day", day) for day in r.dates)):
        check_day(label, day)
    if r.starts and r.ends and r.ends < r.starts:
        raise Invalid("days-turned", day=r.ends, when=r.starts)
    if len(r.dates) > (r.rounds or MOST_ROUNDS):
        raise Invalid("days-incomplete", days=len(r.dates), rounds=r.rounds)
    if r.categories or r.prizes:
        check_prizes(r.categories or (), r.prizes or PrizeRules(), r.starts)


def _check_system(r: Regulations) -> None:
    """Refuse what belongs to another pairing system."""
    cycles = 1 if r.cycles is UNSET else r.cycles
    given = {
        "acceleration": r.acceleration != "none",
        "half_byes": announced_half_byes(r) or r.last_half_bye,
        "cycles": cycles != 1,
        "exchange": r.exchange or False,
        "table": r.table == "hand",
    }
    has = RULES[r.edition].settings
    if labels := [label for label, told in given.items() if told and label not in has]:
        raise Invalid("regulations-of-other-rules", edition=r.edition, labels=labels)
    if not 1 <= cycles <= MOST_CYCLES:
        raise Invalid("cycles-not-possible", count=cycles, most=MOST_CYCLES)
    if r.exchange and cycles != 2:
        raise Invalid("exchange-not-double", count=cycles)


def check_scoring(s: Scoring) -> None:
    """Refuse point systems that FIDE does not allow in any event (VCL 74, 79, 81, 83)."""
    if not s.win >= s.draw >= s.loss or s.win <= s.loss:
        raise Invalid("win-too-low", win=s.win, draw=s.draw, loss=s.loss)
    if min(s.loss, s.absence, s.pab) < 0 or s.win > 990:
        raise Invalid("points-out-of-range")
    if 2 * s.draw > s.win + s.loss:  # VCL 74
        raise Invalid("draws-too-high", points=2 * s.draw, theirs=s.win + s.loss)
    if s.absence > s.draw:
        raise Invalid("absence-too-high", points=s.absence, theirs=s.draw)
    if s.pab > s.win:  # VCL 81
        raise Invalid("pab-too-high", points=s.pab, theirs=s.win)
    if (s.win, s.draw, s.loss) == (10, 5, 0) and s.pab not in (10, 5, 0):  # VCL 83
        raise Invalid("pab-not-standard", points=s.pab)
    if s.pab % math.gcd(s.win, s.draw, s.loss):  # VCL 84
        raise Invalid("pab-not-possible", win=s.win, draw=s.draw, loss=s.loss, points=s.pab)


def check_federation(code: str) -> None:
    if code and not re.fullmatch(r"[A-Z]{3}", code):
        raise Invalid("federation-unknown", text=code)


def check_announced(r: Regulations) -> None:
    """Refuse days of rounds that cannot be meant; a file may know those of some rounds only."""
    if not r.dates:
        return
    if len(r.dates) != (r.rounds or len(r.dates)):
        raise Invalid("days-incomplete", days=len(r.dates), rounds=r.rounds)
    for earlier, later in pairwise(("", *r.dates)):
        if later < earlier:
            raise Invalid("days-not-in-order", day=later, when=earlier)
    if (r.starts and r.dates[0] < r.starts) or (r.ends and r.dates[-1] > r.ends):
        raise Invalid(
            "days-outside",
            first_day=r.dates[0],
            last_day=r.dates[-1],
            when=r.starts or "…",
            day=r.ends or "…",
        )


def check_day(label: str, day: str) -> None:
    if day and not is_day(day):
        raise Invalid("day-unknown", label=label, text=day)
