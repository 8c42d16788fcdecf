"""Our own ``###`` lines, read back: facts that no record of the format holds."""

from paircard.projections.trf.format.records import Line, Report

RATINGS = "Ratings @ Round "
"""Ratings from a round on (VCL 214): ``### Ratings @ Round 4: 7=2450``."""

EXPULSION = "Expulsion @ Round "
"""Why a player has no place (VCL 197-198): ``### Expulsion @ Round 3: 7``."""

LOTS = "Lots: "
"""Tied players in the order lots gave them (VCL 204): ``### Lots: 7 3``."""

RANKED_BY_HAND = "Ranked by hand: "
"""Tied players in the order the arbiter gave them (VCL 205)."""

OUTSIDE_VALUES = "Tie-break "
"""Values from outside (VCL 207): ``### Tie-break OTHER_PLAYOFF: 7=1.5 3=0.5``."""

FIDE_MODE_LEFT = "FIDE mode exited "
"""Followed by ``@ Round 3`` or ``before Round 1 was paired`` (VCL 44)."""

RESTORED = (RATINGS, EXPULSION, LOTS, RANKED_BY_HAND, OUTSIDE_VALUES, FIDE_MODE_LEFT)
"""Remarks that become facts on import and are written anew."""


def remarks_of(report: Report, begin: str) -> list[str]:
    """What follows ``### begin`` in the lines that begin so."""
    opening = f"### {begin}"
    return [
        record.text.removeprefix(opening)
        for record in report.records
        if type(record) is Line and record.text.startswith(opening)
    ]


def further_ratings(report: Report) -> dict[int, dict[int, int]]:
    """Ratings by player and the first round they belong to."""
    found: dict[int, dict[int, int]] = {}
    for remark in remarks_of(report, RATINGS):
        round, _, pairs = remark.partition(": ")
        for pair in pairs.split():
            number, _, rating = pair.partition("=")
            words = (round, number, rating)
            if all(word.isascii() and word.isdecimal() and len(word) < 5 for word in words):
                found.setdefault(int(number), {})[int(round)] = int(rating)
    return found
