"""Geometry of the heat map: everybody against everybody, in the order of the standings."""

from collections.abc import Iterable, Sequence
from typing import Final

import msgspec

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
