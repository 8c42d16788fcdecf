"""The regulations of an event: what is announced before it and stands once round 1 is paired."""

import math
import re
from datetime import date
from itertools import pairwise
from typing import Final

import msgspec
from msgspec import UNSET, UnsetType

from paircard.domain.errors import Invalid
from paircard.domain.values.editions import EDITIONS
from paircard.domain.values.results import STANDARD, Scoring, points
from paircard.domain.values.text import checked_text, counted

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
    edition: str = "dutch-2026"  # a stored default never changes
    scoring: Scoring = STANDARD
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


def announced_half_byes(regulations: Regulations) -> int:
    """How many half-point byes each player may take; a last round for them announces one."""
    if isinstance(regulations.half_byes, int):
        return regulations.half_byes
    return 1 if regulations.last_half_bye else 0


def lists_of(regulations: Regulations) -> tuple[str, ...]:
    """The rating lists in force, the one asked first in front."""
    return regulations.rating_lists or LISTS_OF_TEMPO[regulations.tempo]


def changed(regulations: Regulations, changes: RegulationChanges) -> Regulations:
    """The regulations with the changes in them."""
    return msgspec.structs.replace(regulations, **given(changes))


def given(changes: msgspec.Struct) -> dict[str, object]:
    """The fields of a set of changes that hold a new value."""
    values = ((name, getattr(changes, name)) for name in changes.__struct_fields__)
    return {name: value for name, value in values if value is not UNSET}


def check_regulations(regulations: Regulations) -> None:
    """Refuse regulations under which no event could be held."""
    r = regulations
    checked_text("name of the tournament", r.name, required=True)
    for label in ("place", "organiser", "chief_arbiter", "time_control"):
        checked_text(label.replace("_", " "), getattr(r, label))
    for arbiter in r.arbiters:
        checked_text("arbiter", arbiter, required=True)
    for tiebreak in r.tiebreaks:
        checked_text("tie-break", tiebreak, required=True, limit=40)
    if not 1 <= r.rounds <= MOST_ROUNDS:
        raise Invalid(f"{r.rounds} rounds were asked for: a tournament has 1 to {MOST_ROUNDS}")
    check_choice("edition", r.edition, EDITIONS)
    check_choice("acceleration", r.acceleration, ACCELERATIONS)
    check_choice("tempo", r.tempo, TEMPOS)
    lists = lists_of(r)
    for name in lists:
        check_choice("rating list", name, RATING_LISTS)
    if len(set(lists)) != len(lists):
        raise Invalid(f"rating lists {', '.join(lists)}: each may be named once")
    if len(lists) > 1 and {"higher", "lower"} & set(lists):
        raise Invalid("the higher or the lower of two ratings needs no other list: name it alone")
    check_choice("choice of ratings for tie-breaks", r.tiebreak_ratings or "first", TIEBREAK_RATINGS)
    check_scoring(r.scoring)
    if r.acceleration == "baku" and (r.scoring.win != 2 * r.scoring.draw or r.scoring.loss != 0):
        # C.04.7:1.1 presumes it
        raise Invalid("Baku acceleration needs a win worth two draws and a loss worth nothing: change one")
    if not r.initial_order or len(set(r.initial_order)) != len(r.initial_order):
        raise Invalid("the initial order needs criteria, each named once, such as rating, title, name")
    for criterion in r.initial_order:
        check_choice("criterion of the initial order", criterion, ORDER_CRITERIA)
    if not 0 <= r.last_half_bye <= r.rounds:
        raise Invalid(
            f"half-point byes cannot end with round {r.last_half_bye}: the tournament has {r.rounds} rounds"
        )
    if not 0 <= announced_half_byes(r) <= r.rounds:
        raise Invalid(f"{r.half_byes} half-point byes per player: announce 0 to {r.rounds}")
    check_choice("variant", r.variant or "standard", VARIANTS)
    check_federation(r.federation)
    for label, day in (("first day", r.starts), ("last day", r.ends), *(("day", day) for day in r.dates)):
        check_day(label, day)
    if r.starts and r.ends and r.ends < r.starts:
        raise Invalid(f"the last day {r.ends} is before the first day {r.starts}")
    if len(r.dates) > r.rounds:
        raise Invalid(_days_of(r))


def check_scoring(s: Scoring) -> None:
    """Refuse point systems that FIDE does not allow in any event (VCL 74, 79, 81, 83)."""
    if not s.win >= s.draw >= s.loss or s.win <= s.loss:
        of = f"win {points(s.win)}, draw {points(s.draw)}, loss {points(s.loss)}"
        raise Invalid(f"{of}: a win must be worth more than a loss, and a draw neither more nor less")
    if min(s.loss, s.absence, s.pab) < 0 or s.win > 990:
        raise Invalid("points are 0 to 99")
    if 2 * s.draw > s.win + s.loss:  # VCL 74
        both = points(s.win + s.loss)
        raise Invalid(f"two draws ({points(2 * s.draw)}) would be worth more than a win and a loss ({both})")
    if s.absence > s.draw:
        raise Invalid(f"an absence worth {points(s.absence)} exceeds a draw: at most {points(s.draw)}")
    if s.pab > s.win:  # VCL 81
        raise Invalid(f"a pairing-allocated bye worth {points(s.pab)} exceeds a win: at most {points(s.win)}")
    if (s.win, s.draw, s.loss) == (10, 5, 0) and s.pab not in (10, 5, 0):  # VCL 83
        raise Invalid(f"with 1, ½, 0 a pairing-allocated bye is worth 1, ½ or 0, not {points(s.pab)}")
    if s.pab % math.gcd(s.win, s.draw, s.loss):  # VCL 84
        of = f"{points(s.win)}, {points(s.draw)}, {points(s.loss)}"
        raise Invalid(f"with {of} nobody can score {points(s.pab)}: choose another value for the bye")


def check_choice(label: str, value: str, choices: tuple[str, ...]) -> None:
    """Refuse a word outside a closed list."""
    if value not in choices:
        raise Invalid(f"{label} {value[:40]!r} is unknown: choose {', '.join(choices)}")


def check_federation(code: str) -> None:
    """Refuse what is not a federation code of three letters."""
    if code and not re.fullmatch(r"[A-Z]{3}", code):
        raise Invalid(f"federation {code[:40]!r} is not a code of three capital letters, such as ITA")


def check_announced(r: Regulations) -> None:
    """Refuse days of rounds that cannot be meant; a file may know those of some rounds only."""
    if not r.dates:
        return
    if len(r.dates) != r.rounds:
        raise Invalid(_days_of(r))
    for earlier, later in pairwise(("", *r.dates)):
        if later < earlier:
            raise Invalid(f"{later} follows {earlier}: give the days in the order of the rounds")
    if (r.starts and r.dates[0] < r.starts) or (r.ends and r.dates[-1] > r.ends):
        event = f"{r.starts or '…'} to {r.ends or '…'}"
        raise Invalid(f"rounds on {r.dates[0]} to {r.dates[-1]} are outside the event, {event}")


def _days_of(r: Regulations) -> str:
    days, rounds = counted(len(r.dates), "day"), counted(r.rounds, "round")
    return f"{days} for {rounds}: give the day of each round, or none"


def is_day(day: str, since: str = "", before: str = "9") -> bool:
    """Whether this is a day of the calendar, written 2026-11-16, in a span of years."""
    try:
        return date.fromisoformat(day).isoformat() == day and since <= day < before
    except ValueError:
        return False


def check_day(label: str, day: str) -> None:
    """Refuse what is not a day of the calendar, written 2026-11-16."""
    if day and not is_day(day):
        raise Invalid(f"{label} {day[:40]!r} is not a day such as 2026-11-16")
