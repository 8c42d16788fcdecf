"""Advice on a list of tie-breaks: what is allowed but may surprise (C.07:10, VCL 208-211)."""

from collections.abc import Sequence
from typing import Final

from paircard.projections.standings.tiebreaks.codes import TieBreak

MANY_DAYS: Final = 30
"""Over a longer event a player may have several ratings (VCL 210)."""


def advice(
    listed: Sequence[TieBreak], *, days: int, unrated: bool, by_round: bool = False
) -> tuple[str, ...]:
    """Remarks for an event of this number of days, 0 if unknown, with or without unrated players."""
    by_rating = [each for each in listed if each.kind == "D"]
    remarks = []
    if by_rating and days > MANY_DAYS and not by_round:
        codes = ", ".join(each.code for each in by_rating)
        remarks.append(
            f"{codes}: ratings change in an event of {days} days, others serve it better (VCL 211); "
            "the regulations could count the rating of each round instead"
        )
    dropped = [each.code for each in by_rating if each.unrated is None]
    if dropped and unrated:
        remarks.append(
            f"{', '.join(dropped)}: dropped, for there are unrated players; announce {dropped[0]}/U1400 "
            f"to give them that rating, or {dropped[0]}/U to leave their games out (C.07:10)"
        )
    if any(each.name == "KS" for each in listed):
        remarks.append("KS: made for round robins, C.07:9.2 does not say what it means in a Swiss")
    return tuple(remarks)
