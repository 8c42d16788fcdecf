"""Every field that a report would not come back with: the file held against the export of its import."""

from collections.abc import Sequence

from paircard.domain.values.text import without_unseen
from paircard.projections.round.crosstable import Crosstable
from paircard.projections.trf.format.columns import points_text
from paircard.projections.trf.format.records import UNKNOWN_POINTS, Line, PlayerLine, Report
from paircard.projections.trf.notes import Notes

TEXTS = {
    "012": "name", "022": "city", "032": "federation", "042": "first day", "052": "last day",
    "092": "type", "102": "chief arbiter", "122": "time control", "132": "days of the rounds",
    "172": "starting rank method", "222": "encoded time control",
}  # fmt: skip
"""Text records whose content is compared."""

WORDS = ("sex", "title", "federation")
"""Fields with few values: players with the same change share a note."""

COLUMNS = ("name", "rating", "fide_id", "birth", "points", "place")
LABELS = {"fide_id": "FIDE id"}


def note_changes(filed: Report, written: Report, table: Crosstable, notes: Notes) -> None:
    """Note each text record and each field of a player that the record does not hold as the file has it.

    ``written`` is the report of the record made from ``filed``, ``table`` the crosstable of the file.
    """
    for code, label in TEXTS.items():
        before, after = filed.text(code), written.text(code)
        if before and before.split() != after.split():
            notes.add(_change(f"{label} ({code})", before, after))
    arbiters = [_arbiters(report) for report in (filed, written)]
    if arbiters[0] != arbiters[1]:
        notes.add(_change("arbiters (112)", "; ".join(arbiters[0]), "; ".join(arbiters[1])))
    lines = {line.number: line for line in filed.players()}
    players = sorted(written.players(), key=lambda line: line.number)
    for row, now in zip(table.rows, players, strict=True):
        _note_player(lines[row.id], now, notes)


def _arbiters(report: Report) -> Sequence[str]:
    lines = (record for record in report.records if type(record) is Line and record.code == "112")
    return [line.text[4:].strip() for line in lines if line.text[4:].strip()]


def _note_player(before: PlayerLine, now: PlayerLine, notes: Notes) -> None:
    who = f"player {before.number}"
    for field in WORDS:
        old, new = _shown(before, field), _shown(now, field)
        if old and old != new:
            notes.add(_change(field, old, new), who)
    for field in COLUMNS:
        old, new = _shown(before, field), _shown(now, field)
        if old and old != new:
            became = f"{old} became {new}" if new else f"{old} left out"
            notes.add(f"{LABELS.get(field, field)} changed", f"{who} {became}")


def _shown(line: PlayerLine, field: str) -> str:
    value = getattr(line, field)
    if field == "points":
        return "" if value == UNKNOWN_POINTS else points_text(value)
    return without_unseen(str(value or ""))


def _change(label: str, before: str, after: str) -> str:
    old = repr(before if len(before) <= 60 else before[:57] + "...")
    return f"{label} {old} became {after[:60]!r}" if after else f"{label} {old} left out"
