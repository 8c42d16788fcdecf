"""Reports in the words of other engines.

A TRF26 file is not automatically one bbpPairings 6.0.0 reads: it knows no ``FIDE_DUTCH_2026``, calls the
absence of record 162 ``Z``, refuses ``X``, ``?``, 299 and team records, and accelerates ⌈N/2⌉ players for
``_BAKU`` where C.04.7:1.2 has 2·⌈N/4⌉ (so 250 says it instead).
"""

import msgspec

from paircard.domain.values.editions import ISTANBUL
from paircard.domain.values.results import STANDARD
from paircard.projections.round.crosstable import Crosstable, Entry
from paircard.projections.trf.format.records import (
    Abnormal,
    Absent,
    Apart,
    Byes,
    Configuration,
    Line,
    PlayerLine,
    Record,
    Report,
    Rounds,
    ScoringLine,
    Virtual,
    Worth,
    Worths,
)
from paircard.projections.trf.reading.report import read
from paircard.projections.trf.writing.older import entry_of_2006
from paircard.projections.trf.writing.report import acceleration_records, report_of

REFUSED = frozenset(["013", "300", "310", "320", "330", "352", "362"])


def for_bbp(report: Report) -> Report:
    """The same tournament for bbpPairings 6.0.0."""
    records: list[Record] = []
    reading = read(report)
    for record in report.records:
        match record:
            case Abnormal():
                continue
            case Line() if record.code in REFUSED:
                continue
            case Line() if record.code == "192":
                if reading.edition == "dutch-2026":
                    records.append(Line("192 FIDE_DUTCH"))
            case ScoringLine(values):
                kept = tuple(
                    ("Z" if symbol == "A" else symbol, value) for symbol, value in values if symbol != "X"
                )
                if kept:
                    records.append(ScoringLine(kept))
            case Absent(ids):
                records.append(Byes("Z", reading.table.paired + 1, ids))
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
        Rounds("XXR", table.rounds),
        Configuration(table.initial_colour),
    ]
    scoring = table.scoring
    if scoring != STANDARD:
        values = (("W", scoring.win), ("D", scoring.draw), ("L", scoring.loss))
        records += [Worth(f"BB{symbol}", value) for symbol, value in values]
        records += [Worth("BBZ", scoring.absence), Worth("BBF", scoring.absence), Worth("BBU", scoring.pab)]
        records.append(
            Worths((*values, ("ZPB", scoring.absence), ("FL", scoring.absence), ("PAB", scoring.pab)))
        )
    # the byes of the next round go into its column: JaVaFo knows no 240
    ahead = {row.number: row.entries[table.paired : table.paired + 1] for row in table.rows}
    for record in report.players():
        coming = tuple(Entry(0, "-", entry.letter) for entry in ahead[record.number])
        entries = record.entries + coming
        if edition in ISTANBUL:
            entries = tuple(map(entry_of_2006, entries))
        records.append(msgspec.structs.replace(record, entries=entries))
    records += [Virtual(row.number, row.virtual) for row in table.rows if any(row.virtual)]
    records += [Apart("XXP", record.ids) for record in report.records if type(record) is Apart]
    return Report(tuple(records))
