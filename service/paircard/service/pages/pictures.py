"""Geometry of the pictures; the templates draw them as SVG with a text beside."""

from collections.abc import Iterable, Sequence
from typing import Final

import msgspec

from paircard.domain.values.results import points

WIDE, HIGH = 180, 114
"""Size of the field of a small chart; labels stand around it."""


class Mark(msgspec.Struct, frozen=True):
    """A point of a chart with its label."""

    x: float
    y: float
    label: str


class Chart(msgspec.Struct, frozen=True, kw_only=True):
    """A line over the rounds."""

    line: tuple[Mark, ...]
    """By round, round 1 first."""
    levels: tuple[Mark, ...]
    """Horizontal lines and what they stand for."""
    start: tuple[float, float]
    values: tuple[str, ...]
    """The same as text."""
    ghost: tuple[float, float] | None = None
    """Where the line would end if every game was won."""


def course(scores: Sequence[int], rounds: int, win: int) -> Chart | None:
    """Points after each round; none before the first."""
    if not scores or not rounds:
        return None
    most = max(rounds * win, *scores, 1)
    step = WIDE / rounds
    whole = most // 10
    every = next(each for each in (1, 2, 3, 5, 10, 25, 50, 1000) if whole <= each * 5)
    return Chart(
        line=tuple(
            Mark(round(step * at, 1), height(score, most), str(at))
            for at, score in enumerate(scores, start=1)
        ),
        levels=tuple(Mark(0, height(level * 10, most), str(level)) for level in range(0, whole + 1, every)),
        start=(0, HIGH),
        values=tuple(points(score) for score in scores),
        ghost=(round(step * rounds, 1), height(rounds * win, most)),
    )


def ranks(places: Sequence[int], players: int) -> Chart | None:
    """The place after each round, the first place on top; none where there is nothing to see."""
    known = [place for place in places if place]
    if len(known) < 2 or players < 2 or len(known) != len(places):
        return None
    step = WIDE / max(len(places) - 1, 1)

    def y(place: int) -> float:
        return round((place - 1) / (players - 1) * HIGH, 1)

    middle = (players + 1) // 2
    return Chart(
        line=tuple(Mark(round(step * at, 1), y(place), str(at + 1)) for at, place in enumerate(places)),
        levels=tuple(Mark(0, y(place), str(place)) for place in dict.fromkeys((1, middle, players))),
        start=(0, y(places[0])),
        values=tuple(map(str, places)),
    )


def height(value: int, most: int) -> float:
    """How far below the top of the field a value stands."""
    return round(HIGH - value / most * HIGH, 1)


# --- geometry of the heat map: everybody against everybody, in the order of the standings


MOST: Final = 60
"""Players up to which it is drawn; the table says the same for larger events."""
STEP, LEFT, TOP = 16, 28, 24
"""Size of a square, and the room for the places beside and above."""


class Square(msgspec.Struct, frozen=True, kw_only=True):
    """A game, from the point of view of the player in the row."""

    x: int
    y: int
    kind: str
    """``won``, ``drawn``, ``lost`` or ``open``."""
    mark: str


class Heat(msgspec.Struct, frozen=True, kw_only=True):
    """The whole map."""

    size: int
    places: tuple[str, ...]
    """Labels of rows and columns, from the top and from the left."""
    squares: tuple[Square, ...]
    games: int


def heat_map(places: Sequence[str], games: Iterable[tuple[int, int, str, str]]) -> Heat | None:
    """The map of games: row, column, kind and mark, each game from both sides.

    None before the first game, and for an event that is too large to draw.
    """
    squares = tuple(
        Square(x=LEFT + STEP * column, y=TOP + STEP * row, kind=kind, mark=mark)
        for row, column, kind, mark in games
    )
    if not squares or len(places) > MOST:
        return None
    return Heat(size=STEP * len(places), places=tuple(places), squares=squares, games=len(squares) // 2)
