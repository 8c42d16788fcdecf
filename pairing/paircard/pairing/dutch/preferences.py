"""Colour preferences (2026 1.7, 2017 A.6), and what two of them cost a pair: C3, C10–C13 (C.3, C.8–C.11).

Players alike in this form a class. What a pair costs depends on the two classes only: it fails some of
``COLOUR_CRITERIA``, or it may not be made at all.
"""

from collections.abc import Callable, Sequence
from functools import lru_cache
from typing import Final

import msgspec

from paircard.projections.round.snapshot import Due, colour_due

WHITE, BLACK, NEITHER = 1, -1, 0
SIDES: Final = {"w": WHITE, "b": BLACK, "": NEITHER}
NO, MILD, STRONG, ABSOLUTE = 0, 1, 2, 3
STRENGTHS: Final = ("none", "mild", "strong", "absolute")
"""Strengths of a preference, by these numbers."""


class Preference(msgspec.Struct, frozen=True, gc=False):
    """What colour a player should have next."""

    played: str
    """Colours of the games played, ``w`` and ``b``."""
    difference: int
    """Games with White minus games with Black (1.6)."""
    due: int
    """``WHITE``, ``BLACK`` or ``NEITHER``."""
    strength: int
    repeated: int
    """The colour of the last two games if they had the same, else ``NEITHER``."""
    wanted: Due
    """Colour and strength in words."""


class ColourClass(msgspec.Struct, frozen=True, gc=False):
    """What a pair's colours depend on. The last three are asked only where topscorers may clash."""

    due: int
    strength: int
    difference: int = 0
    repeated: int = NEITHER
    topscorer: bool = False


def preference(colours: str) -> Preference:
    """What the colours of all rounds ask for, ``-`` being a round without a game, as numbers."""
    played, wanted = colours.replace("-", ""), colour_due(colours)
    difference = played.count("w") - played.count("b")
    repeated = SIDES[played[-1]] if played[-2:] in ("ww", "bb") else NEITHER
    strength = STRENGTHS.index(wanted.strength)
    return Preference(played, difference, SIDES[wanted.colour], strength, repeated, wanted)


def same_preference(one: ColourClass, other: ColourClass) -> bool:
    """Both want the same colour, so that one of them does not get it."""
    return one.due == other.due != NEITHER


def same_absolute_preference(one: ColourClass, other: ColourClass) -> bool:
    """Both must have the same colour."""
    return same_preference(one, other) and one.strength == ABSOLUTE == other.strength


def c3_may_not_meet(one: ColourClass, other: ColourClass) -> bool:
    """[C3, 2017 C.3] Non-topscorers with the same absolute colour preference shall not meet."""
    return same_absolute_preference(one, other) and not (one.topscorer or other.topscorer)


def c10_wide_difference(one: ColourClass, other: ColourClass) -> bool:
    """[C10, 2017 C.8] A topscorer, or a topscorer's opponent, gets a colour difference beyond two."""
    return same_absolute_preference(one, other) and abs(one.difference) > 1 < abs(other.difference)


def c11_third_in_a_row(one: ColourClass, other: ColourClass) -> bool:
    """[C11, 2017 C.9] A topscorer, or a topscorer's opponent, gets the same colour a third time running.

    With equal differences 5.2.3 spares whoever alone had the colour twice; if both had, one of them gets it
    again. Of unequal differences the wider is mended (5.2.2), and only the one who yields is looked at.
    """
    if not same_absolute_preference(one, other):
        return False
    if abs(one.difference) == abs(other.difference):
        return one.repeated == other.repeated != NEITHER
    yields = one if abs(one.difference) < abs(other.difference) else other
    return yields.repeated == -one.due


def c12_preference_not_granted(one: ColourClass, other: ColourClass) -> bool:
    """[C12, 2017 C.10] A player does not get the colour preference."""
    return same_preference(one, other)


def c13_strong_preference_not_granted(one: ColourClass, other: ColourClass) -> bool:
    """[C13, 2017 C.11] A player does not get a strong colour preference.

    Two absolute preferences that clash (of topscorers) fail C10 or C11 instead.
    """
    return (
        same_preference(one, other)
        and min(one.strength, other.strength) >= STRONG
        and not same_absolute_preference(one, other)
    )


def b2_same_absolute_preference(one: ColourClass, other: ColourClass) -> bool:
    """[2012 B.2] Top scorers with the same absolute colour preference meet."""
    return same_absolute_preference(one, other)


def a7_same_strong_preference(one: ColourClass, other: ColourClass) -> bool:
    """[2012 A.7.d, A.7.e] Two with the same strong, or absolute, colour preference meet."""
    return same_preference(one, other) and min(one.strength, other.strength) >= STRONG


COLOUR_CRITERIA: Final[dict[str, Callable[[ColourClass, ColourClass], bool]]] = {
    "B2": b2_same_absolute_preference,
    "A7d": a7_same_strong_preference,
    "Z": a7_same_strong_preference,
    "C10": c10_wide_difference,
    "C11": c11_third_in_a_row,
    "C12": c12_preference_not_granted,
    "C13": c13_strong_preference_not_granted,
}
"""Each says whether a pair of two classes fails the criterion."""


@lru_cache(maxsize=4096)
def colour_failures(one: ColourClass, other: ColourClass, criteria: tuple[str, ...]) -> int:
    """Which of these criteria a pair fails, one bit for each in order; a bit beyond them if C3 forbids it."""
    if not same_preference(one, other):
        return 0
    if c3_may_not_meet(one, other):
        return 1 << len(criteria)
    return sum(COLOUR_CRITERIA[name](one, other) << place for place, name in enumerate(criteria))


def colour_classes(preferences: Sequence[Preference], topscorers: Sequence[bool]) -> list[ColourClass]:
    """The class of each player. C10 and C11 look closer at those who may clash, if there is a topscorer."""
    asked = [(one.due, one.strength) for one in preferences]
    plain = {one: ColourClass(*one) for one in set(asked)}
    classes = [plain[one] for one in asked]
    if any(topscorers):
        for i, one in enumerate(preferences):
            if one.strength == ABSOLUTE:
                classes[i] = ColourClass(one.due, one.strength, one.difference, one.repeated, topscorers[i])
    return classes


class Clashes:
    """The colour classes of a round's players, and what pairs of them fail."""

    def __init__(self, players: Sequence[ColourClass], criteria: Sequence[str]) -> None:
        """``criteria``: those of the round; the ones on colours are looked at here."""
        self.criteria = tuple(name for name in criteria if name in COLOUR_CRITERIA)
        known: dict[ColourClass, int] = {}
        self.of = [known.setdefault(one, len(known)) for one in players]
        """Class of each player."""
        self.classes = list(known)
        self._rows: list[list[int]] = [[] for _ in known]

    def row(self, one: int) -> list[int]:
        """``colour_failures`` of this class with each class."""
        if not self._rows[one]:
            mine = self.classes[one]
            self._rows[one] = [colour_failures(mine, other, self.criteria) for other in self.classes]
        return self._rows[one]

    def between(self, i: int, j: int) -> int:
        """``colour_failures`` of two players."""
        return self.row(self.of[i])[self.of[j]]

    def failed(self, i: int, j: int) -> tuple[str, ...]:
        """Names of the colour criteria that a pair of two players fails."""
        failures = self.between(i, j)
        return tuple(name for place, name in enumerate(self.criteria) if failures >> place & 1)

    def counted(self, pairs: Sequence[tuple[int, int]]) -> dict[str, int]:
        """How many of these pairs fail each colour criterion."""
        failures = [self.between(i, j) for i, j in pairs]
        return {name: sum(one >> place & 1 for one in failures) for place, name in enumerate(self.criteria)}
