"""What the header of a report says about the event: edition and format."""

from paircard.domain.values.editions import edition_in_force
from paircard.projections.trf.format.dates import day_of
from paircard.projections.trf.format.records import Report
from paircard.projections.trf.format.systems import EDITION_OF_CODE, UNDATED


def edition_of(report: Report) -> str:
    """The edition record 192 names; the plain code, or none, goes by the start date; empty without one."""
    code = report.text("192").upper().removesuffix("_BAKU")
    if code in ("", UNDATED):
        start = day_of(report.text("042"))
        if start:
            return edition_in_force(start)
    return EDITION_OF_CODE.get(code, "")


def format_of(report: Report) -> str:
    """Which version of the format a file is in, judged by its records and letters."""
    codes = {record.code for record in report.records}
    if any("142" <= code <= "362" and code.isdecimal() for code in codes) or "###" in codes:
        return "TRF26"
    if any(code[:2] in ("XX", "BB") for code in codes):
        return "TRF(bx)" if any(code[:2] == "BB" for code in codes) else "TRF(x)"
    letters = {entry.letter for player in report.players() for entry in player.entries}
    return "TRF16" if letters & set("WDLHFUZ") else "TRF06"
