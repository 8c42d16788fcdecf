"""Colour histories: only games that were played count (C.04.2:3.4, C.04.3:1.6)."""

from collections.abc import Iterable

from paircard.domain.values.results import PLAYED
from paircard.projections.round.crosstable import Entry


def colours_by_round(entries: Iterable[Entry]) -> str:
    """``w`` or ``b`` for each game played, ``-`` for a round without one."""
    return "".join([e.colour if e.letter in PLAYED else "-" for e in entries])


def aligned(by_round: str) -> str:
    """Unplayed rounds moved to the front: BWWuBuW is uuBWWBW (C.04.2:3.4)."""
    played = by_round.replace("-", "")
    return "-" * (len(by_round) - len(played)) + played


def signed_difference(by_round: str) -> str:
    """The difference as arbiters write it: ``+2``, ``-1``; ``+0`` after White, ``-0`` after Black."""
    played = by_round.replace("-", "")
    if not played:
        return "0"
    return f"{difference(played):+d}" if difference(played) else ("+0" if played[-1] == "w" else "-0")


def difference(by_round: str) -> int:
    """Games with White less games with Black (C.04.3:1.6)."""
    return by_round.count("w") - by_round.count("b")
