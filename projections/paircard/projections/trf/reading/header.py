"""What the header of a report says about the event: edition and format."""

from paircard.domain.values.editions import edition_in_force
from paircard.projections.trf.format.dates import day_of
from paircard.projections.trf.format.records import Report

EDITIONS = {
    "FIDE_DUTCH": "dutch-2026",
    "FIDE_DUTCH_2026": "dutch-2026",
    "FIDE_DUTCH_2025": "dutch-2026",
    "FIDE_DUTCH_2017": "dutch-2017",
    "FIDE_DUTCH_2012": "dutch-2012",
    "FIDE_DUTCH_2012_JAVAFO": "dutch-2012-javafo",
}
"""Record 192 without ``_BAKU``; the plain code goes by date."""


def edition_of(report: Report) -> str:
    """The edition record 192 names; the plain code, or none, goes by the start date; empty without one."""
    code = report.text("192").upper().removesuffix("_BAKU")
    if code in ("", "FIDE_DUTCH"):
        start = day_of(report.text("042"))
        if start:
            return edition_in_force(start)
    return EDITIONS.get(code, "")


def format_of(report: Report) -> str:
    """Which version of the format a file is in, judged by its records and letters."""
    codes = {record.code for record in report.records}
    if any("142" <= code <= "362" and code.isdecimal() for code in codes) or "###" in codes:
        return "TRF26"
    if any(code[:2] in ("XX", "BB") for code in codes):
        return "TRF(bx)" if any(code[:2] == "BB" for code in codes) else "TRF(x)"
    letters = {entry.letter for player in report.players() for entry in player.entries}
    return "TRF16" if letters & set("WDLHFUZ") else "TRF06"
