"""A report in the words bbpPairings 6.0.0 reads: a TRF26 file is not automatically one of them.

It knows no ``FIDE_DUTCH_2026``, calls the absence of record 162 ``Z``, refuses ``X``, ``?``, 299 and team
records, and accelerates ⌈N/2⌉ players for ``_BAKU`` where C.04.7:1.2 has 2·⌈N/4⌉ (so 250 says it instead).
"""

import msgspec

from paircard.projections.crosstable import Entry
from paircard.projections.trf.reading import read
from paircard.projections.trf.records import Absent, Byes, Line, PlayerLine, Record, Report, ScoringLine
from paircard.projections.trf.writing import acceleration_records

REFUSED = frozenset(["299", "013", "300", "310", "320", "330", "352", "362"])


def for_bbp(report: Report) -> Report:
    """The same tournament for bbpPairings 6.0.0."""
    records: list[Record] = []
    reading = read(report)
    for record in report.records:
        match record:
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
