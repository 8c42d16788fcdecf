"""Float records by round: ``d`` downfloat, ``u`` upfloat, ``-`` none."""

from paircard.domain.values.editions import ISTANBUL
from paircard.domain.values.results import PLAYED
from paircard.projections.round.crosstable import Crosstable, record
from paircard.projections.round.scoregroups import virtual_points

UNPLAYED_IS_A_DOWNFLOAT = frozenset({"dutch-2017"})
"""Editions in which whoever does not play, for whatever reason, gets a downfloat (2017 A.4.b)."""

POINTS_ARE_A_DOWNFLOAT = ISTANBUL
"""Editions in which points without playing are a downfloat, and no other absence is (2012 B.1.b)."""


def float_records(table: Crosstable, edition: str, round: int) -> dict[int, str]:
    """Each player's floats of the rounds before this one (2026 1.4, 2017 A.4).

    Scores are those before the round concerned, with the virtual points of that round (C.04.7:1.5).
    """
    worth = table.scoring.table()
    any_unplayed = edition in UNPLAYED_IS_A_DOWNFLOAT
    points_alone = edition in POINTS_ARE_A_DOWNFLOAT
    points = {row.id: 0 for row in table.rows}
    records: dict[int, list[str]] = {row.id: [] for row in table.rows}
    for past, entries in enumerate(
        zip(*[record(row, round - 1) for row in table.rows], strict=True), start=1
    ):
        scores = {row.id: points[row.id] + virtual_points(row, past) for row in table.rows}
        for row, now in zip(table.rows, entries, strict=True):
            if now.letter in PLAYED:
                mine, theirs = scores[row.id], scores[now.opponent]
                mark = "d" if mine > theirs else "u" if mine < theirs else "-"
            elif any_unplayed or gains(now.letter, worth, points_alone):
                mark = "d"
            else:
                mark = "-"
            records[row.id].append(mark)
            points[row.id] += worth[now.letter] + (row.extra[past - 1] if past <= len(row.extra) else 0)
    return {id: "".join(marks) for id, marks in records.items()}


def gains(letter: str, worth: dict[str, int], points_alone: bool) -> bool:
    """Whether a round without a game is a downfloat for what it brought.

    [2026 1.4.3] The PAB, or more than a loss; [2012 B.1.b] any point or half point.
    """
    if points_alone:
        return worth[letter] > 0
    return letter == "U" or worth[letter] > worth["0"]
