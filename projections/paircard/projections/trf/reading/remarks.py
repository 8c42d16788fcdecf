"""Our own ``###`` lines, read back: facts that no record of the format holds, and what they explain."""

import re

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
"""Remarks that become facts on import; the export writes them from those facts."""


def remarks_of(report: Report, begin: str) -> list[str]:
    """What follows ``### begin`` in the lines that begin so."""
    opening = f"### {begin}"
    return [
        record.text.removeprefix(opening)
        for record in report.records
        if type(record) is Line and record.text.startswith(opening)
    ]


def explaining(report: Report, round: int) -> tuple[str, ...]:
    """The ``###`` lines that may explain why a round is not the one the rules give for this file."""
    found = []
    for line in remarks_of(report, ""):
        parts = re.match(r"([A-Z][A-Za-z ]*) @ Round (\d{1,3})\b(.*)", line)
        if parts and explains(parts[1], int(parts[2]), parts[3], round):
            found.append(f"### {line}")
    return tuple(found)


def rating_corrections(report: Report) -> tuple[str, ...]:
    """The ``###`` lines on corrections that no standings use: places stay what they were (C.04.2:4.3)."""
    begin = "Rating correction @ Round"
    return tuple(f"### {begin}{rest}" for rest in remarks_of(report, begin))


def explains(kind: str, named: int, rest: str, round: int) -> bool:
    """Whether a remark on the round it names may explain a difference in another."""
    seats = re.match(r": \d+-\d+( =>|:\S)", rest) is not None  # colours, or boards, as they were played
    match kind:
        case "MPA" | "Import" | "FPB" | "Bye":
            return round == named
        case "Correction":  # the next round was paired with the first result (C.04.2:4.3)
            return round == named + 1 or (seats and round == named)
        case "Adjournment":  # a draw for pairing purposes until the result was known (C.04.2:3.1)
            return round > named
        case "Rating correction":  # a result; a rating moves no number
            return round > named - seats and re.match(r": \d+-\d+", rest) is not None
        case "Regeneration" | "Exchange":  # the file has the numbers of the end
            return round < named
        case "Configuration":
            return round <= named
        case _:
            return False


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
