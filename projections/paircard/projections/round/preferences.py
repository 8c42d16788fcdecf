"""Colour preferences: what a player's colours so far ask for (C.04.3:1.7, 2017 A.6)."""

from typing import NamedTuple

from paircard.projections.round.colours import difference


class Due(NamedTuple):
    """The colour a player should have next."""

    colour: str
    """``w``, ``b``, or empty for a player without a game."""
    strength: str
    """``absolute``, ``strong``, ``mild`` or ``none``."""


def colour_due(by_round: str) -> Due:
    """What the colours of all rounds, ``-`` for one without a game, ask for.

    Where the difference and two games in a row ask for opposite colours, the difference counts.
    """
    played = by_round.replace("-", "")
    if not played:
        return Due("", "none")
    more = difference(played)
    other = "b" if (more > 0 if more else played[-1] == "w") else "w"
    if abs(more) > 1:
        return Due(other, "absolute")
    if played[-2:] in ("ww", "bb"):
        return Due("b" if played[-1] == "w" else "w", "absolute")
    return Due(other, "strong" if more else "mild")


def sign(due: Due) -> str:
    """As on a pairing card: ``W`` absolute, ``Ww`` strong, ``w`` mild, ``A`` for either colour."""
    if not due.colour:
        return "A"
    return {"absolute": due.colour.upper(), "strong": due.colour.upper() + due.colour}.get(
        due.strength, due.colour
    )
