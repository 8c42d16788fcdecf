"""Colour preferences (2026 1.7, 2017 A.6), and what two of them cost a pair: C3, C10–C13 (C.3, C.8–C.11).

Players alike in this form a class. What a pair costs depends on the two classes only: nothing, or one of
``FAILURES``, or it may not be made at all.
"""

from collections.abc import Sequence
from typing import Final

WHITE, BLACK, NEITHER = 1, -1, 0
NO, MILD, STRONG, ABSOLUTE = 0, 1, 2, 3
"""Strengths of a preference."""

Preference = tuple[str, int, int, int, int]
"""Colours played, their difference, the colour due, how strongly, and the colour had twice running."""
ColourClass = tuple[int, int, int, int, bool]
"""Colour due and strength; where topscorers may clash also the difference, the colour had twice running, and
whether they are one."""

FAILURES: Final[tuple[tuple[str, ...], ...]] = (
    (),
    ("C12",),
    ("C12", "C13"),
    ("C12", "C10"),
    ("C12", "C11"),
    ("C12", "C10", "C11"),
)
"""Criteria that a pair fails."""
FORBIDDEN: Final = len(FAILURES)


def preference(colours: str) -> Preference:
    """[2026 1.7, 2017 A.6] What the colours of all rounds, ``-`` for one without a game, ask for.

    Where difference and repetition ask for opposite colours the difference counts; the text does not rank
    them, all engines do.
    """
    played = colours.replace("-", "")
    difference = played.count("w") - played.count("b")
    tail = played[-2:]
    repeated = WHITE if tail == "ww" else BLACK if tail == "bb" else NEITHER
    if abs(difference) > 1:
        return played, difference, (BLACK if difference > 0 else WHITE), ABSOLUTE, repeated
    if repeated:
        return played, difference, -repeated, ABSOLUTE, repeated
    if difference:
        return played, difference, -difference, STRONG, repeated
    if played:
        return played, difference, (BLACK if played[-1] == "w" else WHITE), MILD, repeated
    return played, difference, NEITHER, NO, repeated


def colour_classes(players: Sequence[Preference], topscorers: Sequence[bool]) -> list[ColourClass]:
    """The class of each player. C10 and C11 look closer at those who may clash, if there is a topscorer."""
    if not any(topscorers):
        return [(due, strength, 0, 0, False) for _, _, due, strength, _ in players]
    return [
        (due, strength, difference, repeated, top) if strength == ABSOLUTE else (due, strength, 0, 0, False)
        for (_, difference, due, strength, repeated), top in zip(players, topscorers, strict=True)
    ]


class Clashes:
    """The classes of a round's players."""

    def __init__(self, players: Sequence[ColourClass]) -> None:
        known: dict[ColourClass, int] = {}
        self.of = [known.setdefault(one, len(known)) for one in players]
        """Class of each player."""
        self.classes = list(known)
        self._rows: list[list[int]] = [[] for _ in known]

    def row(self, one: int) -> list[int]:
        """For each class the place in ``FAILURES`` of its pair with this one."""
        if not self._rows[one]:
            self._rows[one] = [failure(self.classes[one], other) for other in self.classes]
        return self._rows[one]

    def between(self, i: int, j: int) -> int:
        """The same for two players."""
        return self.row(self.of[i])[self.of[j]]


def failure(one: ColourClass, other: ColourClass) -> int:
    """The place in ``FAILURES`` of a pair of these classes."""
    due, strength, difference, repeated, top = one
    other_due, other_strength, other_difference, other_repeated, other_top = other
    if not due or due != other_due:
        return 0
    if strength == ABSOLUTE == other_strength:
        if not (top or other_top):
            return FORBIDDEN  # [C3]
        return FAILURES.index(
            ("C12",)
            + ("C10",) * c10_wide_difference(difference, other_difference)
            + ("C11",) * c11_third_in_a_row(due, difference, repeated, other_difference, other_repeated)
        )
    return 2 if strength >= STRONG <= other_strength else 1


def c10_wide_difference(difference: int, other: int) -> bool:
    """[C10] Of two with the same absolute preference, one gets a colour difference beyond two."""
    return abs(difference) > 1 < abs(other)


def c11_third_in_a_row(due: int, difference: int, repeated: int, other: int, other_repeated: int) -> bool:
    """[C11] Of two with the same absolute preference, one gets a colour a third time running.

    With equal differences 5.2.3 spares whoever alone had the colour twice; if both had, one of them gets it
    again. Of unequal differences the wider is mended (5.2.2), and only the one who yields is looked at.
    """
    if abs(difference) == abs(other):
        return repeated == other_repeated != NEITHER
    return (repeated if abs(difference) < abs(other) else other_repeated) == -due
