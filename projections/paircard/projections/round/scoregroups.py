"""Points and scoregroups (C.04.3:1.2–1.3, C.04.7:1.5)."""

from paircard.projections.round.crosstable import Crosstable, Row, record


def points_before(table: Crosstable, round: int) -> dict[int, int]:
    """Points in tenths that each player has when the round is paired, without virtual points."""
    worth = table.scoring.table()
    return {
        row.id: sum([worth[e.letter] for e in record(row, round - 1)]) + sum(row.extra[: round - 1])
        for row in table.rows
    }


def virtual_points(row: Row, round: int) -> int:
    """Virtual points of an accelerated round, in tenths (C.04.7:1.4)."""
    return row.virtual[round - 1] if round <= len(row.virtual) else 0
