"""A report against the record made of it: what a pairing depends on must be alike, the rest is noted."""

from collections.abc import Sequence

from msgspec.structs import replace

from paircard.domain.messages import Message, say
from paircard.domain.values.text import without_unseen
from paircard.projections.round.crosstable import Crosstable, Entry, Row, entry, virtual_points
from paircard.projections.trf.columns import points_text
from paircard.projections.trf.lines import render_record
from paircard.projections.trf.notes import Notes
from paircard.projections.trf.records import (
    UNKNOWN_POINTS,
    Abnormal,
    Absent,
    Acceleration,
    Apart,
    Byes,
    Line,
    PlayerLine,
    Report,
)

# --- what a pairing depends on


def difference(imported: Crosstable, filed: Crosstable) -> Message | None:
    """The first thing a pairing depends on that record and file do not have alike; None if there is none."""
    if len(imported.rows) != len(filed.rows):
        return say("trf.lacks.players", number=len(imported.rows), first=len(filed.rows))
    for name in ("rounds", "paired", "scoring", "initial_colour"):
        ours, theirs = getattr(imported, name), getattr(filed, name)
        if ours != theirs:
            return say("trf.lacks.setting", label=name, value=str(ours), code=str(theirs))
    number = {row.id: place for place, row in enumerate(filed.rows, 1)}
    known = {row.number: row for row in imported.rows}
    accelerated = max((len(row.virtual) for row in filed.rows), default=0)
    for row in filed.rows:
        other = known[number[row.id]]
        if sum(row.extra) != sum(other.extra):
            return say("trf.lacks.points", number=row.id)
        for round in range(1, filed.paired + 1):
            if not _alike(entry(row, round), entry(other, round), number):
                return say("trf.lacks.round", round=round, number=row.id)
        for round in _rounds_that_count(row, filed.paired, accelerated):
            if virtual_points(row, round) != virtual_points(other, round):
                return say("trf.lacks.virtual", number=row.id, round=round)
    return None


def _alike(filed: Entry, imported: Entry, number: dict[int, int]) -> bool:
    if number.get(filed.opponent, 0) != imported.opponent:
        return False
    if filed.colour not in ("-", imported.colour):
        return False
    # a game without a result yet is a draw for the next pairing (C.04.2:3.1)
    return (filed.letter or "?") == imported.letter


def _rounds_that_count(row: Row, paired: int, accelerated: int) -> list[int]:
    """Rounds whose virtual points a pairing sees: an absentee's are of no account (C.04.7:1.5)."""
    took_part = not paired or any(entry.opponent or entry.letter == "U" for entry in row.entries)
    rounds = []
    for round in range(1, accelerated + 1):
        now = entry(row, round)
        if now.opponent or now.letter == "U" or (round > paired and took_part):
            rounds.append(round)
    return rounds


# --- fields that a report would not come back with: the file against the export of its import


TEXTS = {
    "012": "name", "022": "city", "032": "federation", "042": "first_day", "052": "last_day",
    "092": "type", "102": "chief_arbiter", "122": "time_control", "132": "round_days",
    "172": "ranking_method", "192": "tournament_type", "202": "tiebreak_list",
    "222": "encoded_time_control",
}  # fmt: skip
"""Text records whose content is compared."""

WORDS = ("sex", "title", "federation")
"""Fields with few values: players with the same change share a note."""

TRF26_CODES = {
    "XXR": "142", "XXC": "152", "XXS": "162", "XXZ": "240", "XXA": "250", "XXP": "260", "212": "202",
    "BBW": "162", "BBD": "162", "BBL": "162", "BBZ": "162", "BBF": "162", "BBU": "162",
}  # fmt: skip
"""Records of JaVaFo, bbpPairings and team events, and where TRF26 has what they say."""

LISTED = (Byes, Acceleration, Apart, Abnormal)
"""Records that may stand several times."""

COLUMNS = ("name", "rating", "fide_id", "birth", "points", "place")


def note_changes(filed: Report, written: Report, table: Crosstable, notes: Notes) -> None:
    """Note each text record and each field of a player that the record does not hold as the file has it.

    ``written`` is the report of the record made from ``filed``, ``table`` the crosstable of the file.
    """
    for code, label in TEXTS.items():
        before, after = filed.text(code), written.text(code)
        if before and before.split() != after.split():
            _note_text(label, code, before, after, notes)
    _note_codes(filed, written, notes)
    _note_listed(filed, written, table, notes)
    arbiters = [_arbiters(report) for report in (filed, written)]
    if arbiters[0] != arbiters[1]:
        _note_text("arbiters", "112", "; ".join(arbiters[0]), "; ".join(arbiters[1]), notes)
    lines = {line.number: line for line in filed.players()}
    players = sorted(written.players(), key=lambda line: line.number)
    for row, now in zip(table.rows, players, strict=True):
        _note_player(lines[row.id], now, notes)


def note_spelling(filed: Report, lines: Sequence[str], notes: Notes) -> None:
    """Note each line whose values are kept and written in the columns and letters of TRF26."""
    for at, (record, line) in enumerate(zip(filed.records, lines, strict=True), 1):
        if type(record) is Line:
            continue
        written = render_record(record)
        if written != line.rstrip(" "):
            notes.add(say("trf.note.spelled"), say("trf.at.line", line=at))


def _note_codes(filed: Report, written: Report, notes: Notes) -> None:
    """Records that have another code in TRF26, and those that the file lacks."""
    empty = {code for code in (*TEXTS, "062", "072", "182") if not filed.text(code)}
    codes = [code for code in dict.fromkeys(record.code for record in filed.records) if code not in empty]
    if older := [code for code in codes if code in TRF26_CODES]:
        changed = [say("trf.note.code", value=code, code=TRF26_CODES[code]) for code in older]
        notes.add(say("trf.note.codes", changed=changed))
    said = {TRF26_CODES.get(code, code) for code in codes} | {"###"}
    if missing := [code for code in dict.fromkeys(each.code for each in written.records) if code not in said]:
        notes.add(say("trf.note.added", codes=missing))


def _note_listed(filed: Report, written: Report, table: Crosstable, notes: Notes) -> None:
    """Byes, virtual points, prohibitions and abnormal points that are written otherwise, or not at all."""
    number_of = {row.id: at for at, row in enumerate(table.rows, 1)}
    now = {render_record(record) for record in written.records if isinstance(record, LISTED)}
    before: dict[str, None] = {}
    for record in filed.records:
        if isinstance(record, Absent) or (isinstance(record, Byes) and record.round <= table.paired):
            notes.add(say("trf.note.byes-in-columns", code=record.code))
        elif isinstance(record, Acceleration):
            before[render_record(record)] = None
        elif isinstance(record, LISTED):
            record = replace(record, ids=tuple(number_of[id] for id in record.ids))
            if isinstance(record, Apart) and record.code == "XXP":
                record = Apart("260", record.ids, 1, table.rounds)
            before[render_record(record)] = None
    for code in sorted({text[:3] for text in before}):
        lost = [text for text in before if text[:3] == code and text not in now]
        made = [text for text in sorted(now) if text[:3] == code and text not in before]
        if lost and made:
            was, now_is = "; ".join(lost), "; ".join(made)
            notes.add(say("trf.note.record-became", code=code, before=was, after=now_is))
        elif lost:
            notes.add(say("trf.note.record-gone", code=code, before="; ".join(lost)))


def _arbiters(report: Report) -> Sequence[str]:
    lines = (record for record in report.records if type(record) is Line and record.code == "112")
    return [line.text[4:].strip() for line in lines if line.text[4:].strip()]


def _note_text(label: str, code: str, before: str, after: str, notes: Notes) -> None:
    if after:
        notes.add(say("trf.note.text-became", label=label, code=code, before=before, after=after))
    else:
        notes.add(say("trf.note.text-gone", label=label, code=code, before=before))


def _note_player(before: PlayerLine, now: PlayerLine, notes: Notes) -> None:
    who = say("trf.at.player", number=before.number)
    for field in (*WORDS, *COLUMNS):
        old, new = _shown(before, field), _shown(now, field)
        if not old or old == new:
            continue
        if field in COLUMNS:
            became = say("trf.at.became", number=before.number, value=old, code=new)
            gone = say("trf.at.gone", number=before.number, value=old)
            notes.add(say("trf.note.column", label=field), became if new else gone)
        elif new:
            notes.add(say("trf.note.word-became", label=field, before=old, after=new), who)
        else:
            notes.add(say("trf.note.word-gone", label=field, before=old), who)


def _shown(line: PlayerLine, field: str) -> str:
    value = getattr(line, field)
    if field == "points":
        return "" if value == UNKNOWN_POINTS else points_text(value)
    return str(value or "") if field in WORDS else without_unseen(str(value or ""))
