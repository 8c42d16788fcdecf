"""Players in arbiters' shorthand, as the documents write them: ``5Bb↓``."""

from typing import Final

from paircard.pairing.explain.colours import Preference
from paircard.pairing.explain.why import Seat

ARROWS: Final = {"d": "↓", "u": "↑", "-": "-"}


def due(one: Preference) -> str:
    """A colour preference as on a pairing card: ``W``, ``Ww``, ``w``."""
    if not one.colour:
        return ""
    return {"absolute": one.colour.upper(), "strong": one.colour.upper() + one.colour}.get(
        one.strength, one.colour
    )


def floats(seat: Seat) -> str:
    """Arrows of the last two rounds, the latest first; empty for none."""
    last, before = seat.floats
    if before == "-":
        return "" if last == "-" else ARROWS[last]
    return ARROWS[last] + ARROWS[before]


TOPSCORER: Final = "*"
"""The sign of a topscorer, behind the number."""


def tagged(seat: Seat) -> str:
    """``5Bb↓``; ``5*Bb↓`` for a topscorer."""
    return f"{seat.number}{TOPSCORER if seat.topscorer else ''}{due(seat.preference)}{floats(seat)}"
