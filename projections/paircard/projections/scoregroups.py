"""Points and scoregroups (C.04.3:1.2–1.3, C.04.7:1.5)."""

from itertools import groupby

from paircard.projections.crosstable import Crosstable, Row


def points_before(table: Crosstable, round: int) -> dict[int, int]:
    """Points in tenths that each player has when the round is paired, without virtual points."""
    worth = table.scoring.table()
    missing = worth["Z"]
    points = {}
    for row in table.rows:
        known = row.entries[: round - 1]
        points[row.id] = sum(worth[e.letter] for e in known) + missing * (round - 1 - len(known))
    return points


def virtual_points(row: Row, round: int) -> int:
    """Virtual points of an accelerated round, in tenths (C.04.7:1.4)."""
    return row.virtual[round - 1] if round <= len(row.virtual) else 0


def scoregroups(table: Crosstable, round: int) -> list[tuple[int, tuple[int, ...]]]:
    """Pairing score and ids of each scoregroup, best first; inside a group by pairing number."""
    points = points_before(table, round)
    ranked = sorted((-(points[r.id] + virtual_points(r, round)), r.number, r.id) for r in table.rows)
    return [
        (-score, tuple(id for _, _, id in group))
        for score, group in groupby(ranked, key=lambda item: item[0])
    ]
