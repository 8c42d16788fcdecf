"""The crosstable: every player's round by round record, the base of all other projections.

It is made from the log of a tournament or from a report file, and knows neither.
"""

import msgspec
from msgspec.structs import replace

from paircard.domain.state import REMOVED
from paircard.domain.values.results import STANDARD, Scoring


class Entry(msgspec.Struct, frozen=True, array_like=True, gc=False):
    """One round of one player."""

    opponent: int = 0
    """Id of the scheduled opponent; 0 for none."""
    colour: str = "-"
    """Scheduled colour: ``w``, ``b`` or ``-``."""
    letter: str = "Z"
    """What the round brought, see ``paircard.domain.values.results``."""


ABSENT = Entry()


class Row(msgspec.Struct, frozen=True, kw_only=True):
    """One player's record."""

    id: int
    """The player's id for life; not the pairing number."""
    number: int
    """Tournament pairing number (TPN) in force; 0 while the player has none (C.04.2:2.4)."""
    entries: tuple[Entry, ...] = ()
    """By round, the first is round 1. May reach into rounds not yet paired, for byes known in advance."""
    virtual: tuple[int, ...] = ()
    """Virtual points by round, in tenths (C.04.7); missing rounds have none."""
    extra: tuple[int, ...] = ()
    """Points beyond those of the results, by round, in tenths: bonuses and penalties (TRF26 299)."""
    name: str = ""
    title: str = ""
    rating: int = 0
    """The rating used for this tournament; 0 is unrated."""
    ratings: tuple[tuple[int, int], ...] = ()
    """Further ratings that count in rating tie-breaks: the first round each belongs to, and the rating."""
    federation: str = ""
    status: str = ""
    """Empty, ``withdrawn``, ``expelled`` or ``removed``."""


class Prohibition(msgspec.Struct, frozen=True):
    """Players of whom no two may meet in these rounds (TRF26 260)."""

    ids: tuple[int, ...]
    first: int = 1
    last: int = 999


class Crosstable(msgspec.Struct, frozen=True, kw_only=True):
    """All that was played, as known at one moment."""

    rows: tuple[Row, ...]
    """In order of pairing number."""
    rounds: int
    """Announced number of rounds."""
    paired: int
    """Rounds paired so far."""
    scoring: Scoring = STANDARD
    initial_colour: str = ""
    """Colour drawn for the first number, ``w`` or ``b``; empty before the drawing of lots."""
    prohibitions: tuple[Prohibition, ...] = ()
    one_code_for_byes: bool = False
    """Whether a report in JaVaFo's old codes writes every full point without an opponent like the bye."""


def record(row: Row, rounds: int) -> tuple[Entry, ...]:
    """The player's first rounds; a round not entered is an absence."""
    known = row.entries[:rounds]
    return known if len(known) == rounds else known + (ABSENT,) * (rounds - len(known))


def rating_in(row: Row, round: int) -> int:
    """The rating of a player in a game of this round, as rating tie-breaks see it."""
    rating = row.rating
    for first, listed in row.ratings:
        if first <= round:
            rating = listed
    return rating


def entry(row: Row, round: int) -> Entry:
    """The player's record of a round; a round not entered is an absence."""
    return row.entries[round - 1] if round <= len(row.entries) else ABSENT


def never_came(row: Row) -> bool:
    """Whether a player withdrew, never paired and without a point: no place, no line in a report."""
    if row.status == REMOVED:
        return True
    if row.status != "withdrawn" or row.number:
        return False
    return all(entry.letter == "Z" for entry in row.entries)


def who_came(table: Crosstable) -> Crosstable:
    """The table without those who withdrew before they ever took part."""
    rows = tuple(row for row in table.rows if not never_came(row))
    return table if len(rows) == len(table.rows) else replace(table, rows=rows)
