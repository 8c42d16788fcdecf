"""Team tournaments are recognised, and refused in one sentence."""

from collections.abc import Sequence

from paircard.projections.trf.format.problems import Problem

TEAM_RECORDS = ("300", "310", "320", "330", "352", "362", "801", "802")
"""Records that only a team tournament has (TRF26 §5)."""


def with_teams(lines: Sequence[str], problems: Sequence[Problem]) -> list[Problem]:
    """The one fault of a team tournament; those found, for an individual one.

    A file whose only sign of teams is a roster (013) may be an individual tournament that also ranks
    clubs: that is said before its other faults, and is no fault by itself.
    """
    rosters = []
    for at, line in enumerate(lines, 1):
        if found := _sign(line):
            return [_teams(at, line, found)]
        if line[:3] == "013" and problems:
            rosters.append(_teams(at, line, "record 013"))
    return [*rosters[:1], *problems]


def _teams(at: int, line: str, found: str) -> Problem:
    return Problem(at, 0, line[:3], f"a team tournament ({found})", "an individual tournament")


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
