"""A crosstable as a report: in TRF26, in its older versions, and in the words of other engines.

A TRF26 file is not automatically one bbpPairings 6.0.0 reads: it knows no ``FIDE_DUTCH_2026``, calls the
absence of record 162 ``Z``, refuses ``X``, ``?``, 299 and team records, and accelerates ⌈N/2⌉ players for
``_BAKU`` where C.04.7:1.2 has 2·⌈N/4⌉ (so 250 says it instead).
"""

from collections.abc import Mapping, Sequence
from itertools import groupby
from operator import itemgetter

import msgspec
from msgspec.structs import replace

from paircard.domain.messages import say
from paircard.domain.values.results import STANDARD
from paircard.domain.values.rules import ISTANBUL
from paircard.projections.round.crosstable import Crosstable, Entry, Row, points_before
from paircard.projections.trf import records as trf
from paircard.projections.trf.lines import BLANK, is_unknown
from paircard.projections.trf.notes import Notes
from paircard.projections.trf.reading import read
from paircard.projections.trf.records import Line, PlayerLine, Record, Report

# --- TRF16 and TRF06


OLDER = frozenset(code for code in trf.TEXTS if "012" <= code <= "132")
"""Records of TRF16 and TRF06 other than 001 (TRF26 §8)."""

LETTERS_2006 = {"W": "1", "D": "=", "L": "0"}
"""Games under one move: TRF06 knows no other letters than those of any game."""

BYES_2006 = {"U": "+", "F": "+", "H": "=", "Z": "-"}
"""A round without an opponent is written by its points alone."""


def trf16(report: Report, notes: Notes) -> Report:
    """The report in TRF16; what that version cannot say is left out, with a note."""
    records: list[Record] = []
    for record in report.records:
        if type(record) is PlayerLine:
            records.append(replace(record, entries=tuple(_known(entry, notes) for entry in record.entries)))
        elif type(record) is Line and record.code in OLDER:
            records.append(record)
        else:
            notes.add(say("trf.note.record-unwritten"), say("trf.at.record", code=record.code))
    return Report(tuple(records))


def trf06(report: Report, notes: Notes) -> Report:
    """The report in TRF06, which has neither the letters W D L nor those of byes."""
    records: list[Record] = []
    for record in trf16(report, notes).records:
        if type(record) is PlayerLine:
            for round, entry in enumerate(record.entries, 1):
                if entry.letter in LETTERS_2006 or entry.letter in BYES_2006:
                    new = entry_of_2006(entry).letter
                    where = say("trf.at.round-player", round=round, number=record.number)
                    notes.add(say("trf.note.written-as", value=entry.letter, code=new), where)
            record = replace(record, entries=tuple(map(entry_of_2006, record.entries)))
        records.append(record)
    return Report(tuple(records))


def _known(entry: Entry, notes: Notes) -> Entry:
    """An adjourned game has no result yet; these versions have no letter for it."""
    if not is_unknown(entry.letter):
        return entry
    notes.add(say("trf.note.adjourned-blank"))
    return replace(entry, letter=" ")


def entry_of_2006(entry: Entry) -> Entry:
    """The entry in the letters of TRF06, which JaVaFo 1.4 reads too: byes are ``+``, ``=`` and ``-``."""
    letters = LETTERS_2006 if entry.opponent else BYES_2006
    return replace(entry, letter=letters.get(entry.letter, entry.letter))


# --- TRF26


def report_of(
    table: Crosstable,
    *,
    texts: Sequence[tuple[str, str]] = (),
    system: str = "",
    remarks: Sequence[str] = (),
    places: Mapping[int, int] | None = None,
) -> Report:
    """The report of a crosstable.

    ``texts`` are text records (code and content) in file order; ``system`` is the code of 192 without
    ``_BAKU``; ``remarks`` become ``###`` lines; ``places`` are ranks by id.
    The numbers of the file are the pairing numbers of the table, in the past rounds too.
    """
    rows = [row for row in table.rows if row.number]
    numbers = {row.id: row.number for row in rows}
    accelerated = any(any(row.virtual) for row in rows)
    records: list[Record] = [Line(f"{code} {text}".rstrip()) for code, text in texts]
    if table.rounds:  # those of a round robin follow from its field
        records.append(trf.Rounds("142", table.rounds))
    if table.initial_colour:
        records.append(trf.InitialColour(table.initial_colour))
    records += scoring_records(table)
    if system:
        records.append(Line(f"192 {system}{'_BAKU' if accelerated else ''}"))
    records.sort(key=lambda record: record.code)
    records += [Line(f"### {remark}") for remark in remarks]
    points = points_before(table, table.paired + 1)
    ranks = places or {}
    for row in sorted(rows, key=lambda row: row.number):
        records.append(
            PlayerLine(
                number=row.number,
                sex=row.sex,
                title=row.title,
                name=row.name[:33].strip(),
                rating=row.rating,
                federation=row.federation,
                fide_id=str(row.fide_id or ""),
                birth=row.birth.replace("-", "/"),
                points=points[row.id],
                place=ranks.get(row.id, 0),
                entries=entries_of(row, table.paired, numbers),
            )
        )
    records += bye_records(rows, table.paired)
    records += acceleration_records(rows)
    records += abnormal_records(rows)
    records += [
        trf.Apart("260", tuple(sorted(numbers[id] for id in ban.ids)), ban.first, min(ban.last, table.rounds))
        for ban in table.prohibitions
        if len(ban.ids) > 1 and all(id in numbers for id in ban.ids)
    ]
    return Report(tuple(records))


def entries_of(row: Row, paired: int, numbers: Mapping[int, int]) -> tuple[Entry, ...]:
    """The rounds paired so far, opponents by number; a game in progress has no letter yet."""
    entries = [
        Entry(numbers.get(entry.opponent, 0), entry.colour, entry.letter or " ")
        for entry in row.entries[:paired]
    ]
    entries += [Entry()] * (paired - len(entries))
    while entries and entries[-1] == BLANK:
        entries.pop()
    return tuple(entries)


def scoring_records(table: Crosstable) -> list[Record]:
    """162, only where something differs from the default; P only where it is not a win."""
    usual = replace(STANDARD, pab=table.scoring.win)
    values = [
        (symbol, getattr(table.scoring, field))
        for symbol, field in trf.SYMBOLS.items()
        if getattr(table.scoring, field) != getattr(usual, field)
    ]
    return [trf.ScoringLine(tuple(values))] if values else []


def bye_records(rows: Sequence[Row], paired: int) -> list[Record]:
    """240 for rounds not yet paired."""
    byes: dict[tuple[int, str], list[int]] = {}
    for row in sorted(rows, key=lambda row: row.number):
        for round, entry in enumerate(row.entries[paired:], paired + 1):
            if entry.letter in ("F", "H", "Z"):
                byes.setdefault((round, entry.letter), []).append(row.number)
    return [trf.Byes(letter, round, tuple(ids)) for (round, letter), ids in sorted(byes.items())]


def abnormal_records(rows: Sequence[Row]) -> list[Record]:
    """299: one line for each round and number of points that players have beyond their results."""
    groups: dict[tuple[int, int], list[int]] = {}
    for row in sorted(rows, key=lambda row: row.number):
        for round, points in enumerate(row.extra, 1):
            if points:
                groups.setdefault((round, points), []).append(row.number)
    return [trf.Abnormal("", points, round, tuple(ids)) for (round, points), ids in sorted(groups.items())]


def acceleration_records(rows: Sequence[Row]) -> list[Record]:
    """250: one line for each run of numbers and of rounds with the same virtual points."""
    records: list[Record] = []
    for virtual, alike in groupby(sorted(rows, key=lambda row: row.number), key=lambda row: row.virtual):
        numbers = [row.number for row in alike]
        for points, run in groupby(enumerate(virtual, 1), key=itemgetter(1)):
            rounds = [round for round, _ in run]
            if points:
                ends = rounds[0], rounds[-1], numbers[0], numbers[-1]
                records.append(trf.Acceleration(points, *ends))
    return records


# --- bbpPairings and JaVaFo


def for_bbp(report: Report) -> Report:
    """The report as bbpPairings 6.0.0 reads it."""
    records: list[Record] = []
    reading = read(report)
    for record in report.records:
        match record:
            case trf.Abnormal():
                continue
            case Line() if record.code == "013":
                continue
            case Line() if record.code == "192":
                if reading.edition == "dutch-2026":
                    records.append(Line("192 FIDE_DUTCH"))
            case trf.ScoringLine(values):
                kept = tuple(
                    ("Z" if symbol == "A" else symbol, value) for symbol, value in values if symbol != "X"
                )
                if kept:
                    records.append(trf.ScoringLine(kept))
            case trf.Absent(ids):
                records.append(trf.Byes("Z", reading.table.paired + 1, ids))
            case PlayerLine():
                entries = tuple(
                    Entry(entry.opponent, entry.colour, "=") if entry.letter == "?" else entry
                    for entry in record.entries
                )
                records.append(msgspec.structs.replace(record, entries=entries))
            case _:
                records.append(record)
    if reading.system.upper().endswith("_BAKU") and not any(r.code in ("250", "XXA") for r in records):
        records += acceleration_records(reading.table.rows)
    return Report(tuple(records))


def trfx(table: Crosstable, name: str, edition: str = "") -> Report:
    """A crosstable in TRF(x) and TRF(bx), which bbpPairings 5 and 6 and JaVaFo all read.

    Programs of the time of the 2012 editions know no letters of byes: they get ``+``, ``=`` and ``-``.
    """
    report = report_of(table)
    records: list[Record] = [
        Line(f"012 {name}"),
        trf.Rounds("XXR", table.rounds),
        trf.Configuration(table.initial_colour),
    ]
    scoring = table.scoring
    if scoring != STANDARD:
        worth = {symbol: getattr(scoring, field) for symbol, field in trf.SYMBOLS.items()}
        records += [trf.Worth(code, worth[symbol]) for code, symbol in trf.BBP_WORTHS.items()]
        said = ("W", "D", "L", "ZPB", "FL", "PAB")
        records.append(trf.Worths(tuple((code, worth[trf.JAVAFO_WORTHS[code]]) for code in said)))
    # the byes of the next round go into its column: JaVaFo knows no 240
    ahead = {row.number: row.entries[table.paired : table.paired + 1] for row in table.rows}
    for record in report.players():
        coming = tuple(Entry(0, "-", entry.letter) for entry in ahead[record.number])
        entries = record.entries + coming
        if edition in ISTANBUL:
            entries = tuple(map(entry_of_2006, entries))
        records.append(msgspec.structs.replace(record, entries=entries))
    records += [trf.Virtual(row.number, row.virtual) for row in table.rows if any(row.virtual)]
    records += [trf.Apart("XXP", record.ids) for record in report.of(trf.Apart)]
    return Report(tuple(records))
