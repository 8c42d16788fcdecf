"""Reports for programs that read older versions of the format: TRF16 and TRF06."""

from msgspec.structs import replace

from paircard.projections.round.crosstable import Entry
from paircard.projections.trf.format.columns import is_unknown
from paircard.projections.trf.format.records import Line, PlayerLine, Record, Report
from paircard.projections.trf.notes import Notes

TEXTS = frozenset(
    ["012", "022", "032", "042", "052", "062", "072", "082", "092", "102", "112", "122", "132", "013"]
)
"""Records of TRF16 and TRF06 beside 001 (TRF26 §8)."""

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
        elif type(record) is Line and record.code in TEXTS:
            records.append(record)
        else:
            notes.add("record left out, this version of the format has none like it", record.code)
    return Report(tuple(records))


def trf06(report: Report, notes: Notes) -> Report:
    """The report in TRF06, which has neither the letters W D L nor those of byes."""
    records: list[Record] = []
    for record in trf16(report, notes).records:
        if type(record) is PlayerLine:
            for round, entry in enumerate(record.entries, 1):
                if entry.letter in LETTERS_2006 or entry.letter in BYES_2006:
                    new = entry_of_2006(entry).letter
                    notes.add(f"{entry.letter} written as {new}", f"round {round} player {record.number}")
            record = replace(record, entries=tuple(map(entry_of_2006, record.entries)))
        records.append(record)
    return Report(tuple(records))


def _known(entry: Entry, notes: Notes) -> Entry:
    """An adjourned game has no result yet; these versions have no letter for it."""
    if not is_unknown(entry.letter):
        return entry
    notes.add("adjourned game written without a result")
    return replace(entry, letter=" ")


def entry_of_2006(entry: Entry) -> Entry:
    """The entry in the letters of TRF06, which JaVaFo 1.4 reads too: byes are ``+``, ``=`` and ``-``."""
    letters = LETTERS_2006 if entry.opponent else BYES_2006
    return replace(entry, letter=letters.get(entry.letter, entry.letter))
