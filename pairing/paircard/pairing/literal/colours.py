"""Who gets White: Article 5.2 (2026), section E (2017, which agrees, and 2012)."""

from typing import Final

from paircard.pairing.literal.cards import ABSOLUTE, Card

OTHER: Final = {"w": "b", "b": "w"}


def allocate(one: Card, other: Card, initial_colour: str, widest: bool = True) -> tuple[Card, Card, int]:
    """White, Black, and which of the five rules decided.

    ``widest``: of two absolute preferences the wider difference is the stronger one; not so in 2012 (E.2).
    """
    high, low = sorted((one, other), key=lambda card: card.rank)
    colour, rule = colour_of_higher(high, low, initial_colour, widest)
    return (high, low, rule) if colour == "w" else (low, high, rule)


def colour_of_higher(high: Card, low: Card, initial_colour: str, widest: bool) -> tuple[str, int]:
    """The colour of the higher ranked player, and the rule."""
    # 5.2.1 / E.1: both preferences, or the only one
    if high.preference and high.preference != low.preference:
        return high.preference, 1
    if low.preference and not high.preference:
        return OTHER[low.preference], 1
    if high.preference:
        # 5.2.2 / E.2: the stronger one; of two absolute ones the wider difference
        if high.strength != low.strength:
            stronger_is_high = high.strength > low.strength
            return (high.preference if stronger_is_high else OTHER[low.preference]), 2
        if widest and high.strength == ABSOLUTE and abs(high.difference) != abs(low.difference):
            wider_is_high = abs(high.difference) > abs(low.difference)
            return (high.preference if wider_is_high else OTHER[low.preference]), 2
    # 5.2.3 / E.3: the latest game in which one had White and the other Black (C.04.2:3.4)
    for before, other in zip(reversed(high.played), reversed(low.played), strict=False):
        if before != other:
            return OTHER[before], 3
    if high.preference:
        return high.preference, 4  # 5.2.4 / E.4
    # 5.2.5 / E.5: nobody has a preference
    return (initial_colour if high.parity % 2 else OTHER[initial_colour]), 5
