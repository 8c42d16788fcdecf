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


def tagged(seat: Seat) -> str:
    """``5Bb↓``."""
    return f"{seat.number}{due(seat.preference)}{floats(seat)}"
