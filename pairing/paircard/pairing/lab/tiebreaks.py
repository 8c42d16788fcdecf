"""Tie-break values of another program against ours, and what explains a difference."""

from collections import Counter

from paircard.projections.round.crosstable import Crosstable
from paircard.projections.standings.codes import shown
from paircard.projections.standings.ledger import Ledger
from paircard.projections.standings.standings import Ranking, value_texts
from paircard.projections.standings.tiebreaks import parse_list

CODES = (
    "PTS", "BH", "BH/C1", "BH/C2", "BH/M1", "SB", "SB/C1", "DE", "WIN", "WON", "BPG", "BWG", "PS", "PS/C1",
    "REP", "STD", "ARO", "ARO/C1", "TPR", "PTP", "APRO", "APPO", "TPN", "RTNG",
)  # fmt: skip
"""Codes that both sides know and compute to the same decimals."""

CODES_OF_TABLE = (
    "PTS", "WIN", "WON", "BPG", "BWG", "REP", "SB", "SB/C1", "SB/C2", "KS", "KS/L+1", "KS/L+2", "KS/L-1",
    "KS/L-2", "STD", "ARO", "TPR", "PTP", "TPN", "RTNG",
)  # fmt: skip
"""Those of a round robin, which has no Buchholz (C.07:8)."""

NONE = "-0"
"""A value that does not exist, as the checker of FIDE writes it."""


class Unreadable(Exception):
    """The other program's table is no table of tie-breaks; the message says why."""


def compare_values(table: Crosstable, theirs: str) -> tuple[int, tuple[tuple[str, int], ...]]:
    """Compare ranks and values with the tab-separated table of another program.

    The first line names the columns: ``StartNo``, ``Rank``, then codes, ``PTS`` first. How many values were
    compared; what differs, by code and cause, and how often.
    """
    heading, lines = parse_values(theirs)
    codes = heading[2:]
    listed = parse_list(",".join(codes))
    ours = {line.number: line for line in Ranking(table, table.paired, listed).lines()}
    if sorted(ours) != sorted(lines):
        raise Unreadable("the table has other starting numbers than the tournament")
    readings = {
        "STD": ("C.07:7.7", standard_points_by_draw(table)),
        "SB/C1": ("C.07:16.5", cut_by_score(table)),
    }
    compared = 0
    found: Counter[str] = Counter()
    for number, cells in lines.items():
        line = ours[number]
        texts = (str(line.rank), *value_texts(line, listed, NONE))
        for code, mine, other in zip(("rank", *codes), texts, cells, strict=True):
            compared += 1
            if same(mine, other):
                continue
            article, reading = readings.get(code, ("", {}))
            explained = line.id in reading and same(reading[line.id], other)
            found[f"{code}: another reading of {article}" if explained else f"{code}: unexplained"] += 1
    if any("another reading" in cause for cause in found) and "rank: unexplained" in found:
        found["rank: follows from a value above"] = found.pop("rank: unexplained")
    return compared, tuple(sorted(found.items()))


def parse_values(text: str) -> tuple[list[str], dict[int, list[str]]]:
    """The heading, and the cells of each starting number."""
    heading, *rows = [line.split("\t") for line in text.splitlines() if line.strip()] or [[]]
    if heading[:3] != ["StartNo", "Rank", "PTS"]:
        raise Unreadable("the table does not begin with StartNo, Rank and PTS")
    if any(len(row) != len(heading) or not row[0].isdecimal() or len(row[0]) > 5 for row in rows):
        raise Unreadable("a line of the table has not as many cells as its heading")
    return heading, {int(row[0]): row[1:] for row in rows}


def same(ours: str, theirs: str) -> bool:
    """Equal numbers, or no value on both sides."""
    if NONE in (ours, theirs) or "-" in (ours, theirs):
        return {ours, theirs} <= {NONE, "-"}
    try:
        return float(ours) == float(theirs)
    except ValueError:
        return False


def standard_points_by_draw(table: Crosstable) -> dict[int, str]:
    """Standard points by id as the checker of FIDE reads C.07:7.7: against a draw, also where the opponent
    has as little (0-0, double forfeit)."""
    draw = table.scoring.draw
    points = Ledger(table, table.paired).points
    return {
        row.id: shown(sum(10 if one > draw else 5 if one == draw else 0 for one in mine), 1)
        for row, mine in zip(table.rows, points, strict=True)
    }


def cut_by_score(table: Crosstable) -> dict[int, str]:
    """SB/C1 by id as the checker reads C.07:16.5: of the voluntary unplayed rounds it cuts the one with
    the lowest score, where the text has the lowest contribution."""
    found = {}
    for row, terms in zip(table.rows, Ledger(table, table.paired).terms(), strict=True):
        parts = [(term.score, term.score * term.points, term.vur) for term in terms]
        cut = min(parts, default=(0, 0, False))
        voluntary = min([part for part in parts if part[2]], default=cut)
        if voluntary[1] >= cut[1]:
            cut = voluntary
        found[row.id] = shown(sum(part[1] for part in parts) - cut[1], 2)
    return found
