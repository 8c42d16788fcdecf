"""The initial colour of a report: announced, or seen from its first round."""

from collections.abc import Sequence

from paircard.projections.round.crosstable import Row
from paircard.projections.trf.format.records import Configuration, InitialColour, Report
from paircard.projections.trf.notes import Notes


def initial_colour(report: Report, rows: Sequence[Row], notes: Notes) -> str:
    """``w`` or ``b`` for the first number (C.04.3:5.1); empty if nothing tells."""
    for record in report.records:
        if type(record) is InitialColour or (type(record) is Configuration and record.colour):
            return record.colour
    colour = inferred_colour(rows)
    if colour:
        notes.add(f"initial colour {'White' if colour == 'w' else 'Black'}: taken from the first round")
    return colour


def inferred_colour(rows: Sequence[Row]) -> str:
    """The colour drawn by lot, seen from the first round that has colours.

    The highest number paired by then has it, if its place among all paired by then is odd; players who
    were never paired are skipped (ruling of August 2026 on C.04.3:5.2.5).
    """
    first = min(
        (index for row in rows for index, entry in enumerate(row.entries) if entry.colour in ("w", "b")),
        default=None,
    )
    if first is None:
        return ""
    place = 0
    for row in rows:
        if any(entry.opponent or entry.letter == "U" for entry in row.entries[: first + 1]):
            place += 1
            colour = row.entries[first].colour if first < len(row.entries) else "-"
            if colour in ("w", "b"):
                return colour if place % 2 else ("b" if colour == "w" else "w")
    return ""
