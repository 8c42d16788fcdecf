"""Points of a report that are not those of its results (TRF26 299): bonuses, penalties, special values."""

from paircard.domain.values.results import Scoring
from paircard.projections.trf.format.records import Abnormal, Report
from paircard.projections.trf.reading.rounds import Entries

LETTERS = {"W": "1W", "D": "=D", "L": "0L"}
"""Symbols of 299 that stand for several letters of 001."""


def extra_points(
    report: Report, entries: Entries, scoring: Scoring, paired: int
) -> dict[int, tuple[int, ...]]:
    """Points beyond those of the results by starting rank and round, of the rounds paired so far."""
    worth = scoring.table()
    extra: dict[int, list[int]] = {}
    for record in report.records:
        if type(record) is not Abnormal:
            continue
        letters = LETTERS.get(record.letter, record.letter)
        for id in record.ids or entries:
            row = extra.setdefault(id, [0] * paired)
            for round, entry in enumerate(entries[id][:paired], 1):
                if record.round not in (0, round):
                    continue
                if not letters:
                    row[round - 1] += record.points
                elif entry.letter and entry.letter in letters:
                    row[round - 1] += record.points - worth[entry.letter]
    return {id: tuple(row) for id, row in extra.items() if any(row)}
