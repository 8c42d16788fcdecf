"""Team tournaments are recognised, and refused in one sentence."""

from collections.abc import Sequence

from paircard.projections.trf.format.problems import Problem

TEAM_RECORDS = ("300", "310", "320", "330", "352", "362", "801", "802")
"""Records that only a team tournament has (TRF26 §5)."""


def team_problem(lines: Sequence[str], *, rosters: bool) -> Problem | None:
    """The one fault of a team tournament; None for an individual one.

    A file whose only sign of teams is a roster (013) may be an individual tournament that also ranks
    clubs: ``rosters`` takes that as a sign too.
    """
    for at, line in enumerate(lines, 1):
        found = _sign(line) or ("record 013" if rosters and line[:3] == "013" else "")
        if found:
            return Problem(at, 0, line[:3], f"a team tournament ({found})", "an individual tournament")
    return None


def _sign(line: str) -> str:
    code = line[:3]
    if code in TEAM_RECORDS:
        return f"record {code}"
    if code == "192" and "TEAM" in line.upper():
        return f"tournament type {line[4:].strip()[:40]}"
    digits = line[4:].strip()
    if code == "082" and digits.isascii() and digits.isdecimal() and digits.strip("0"):
        return f"{digits[:9]} teams"
    return ""
