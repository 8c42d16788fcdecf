"""What is said about a file: the faults that stop it, and notes on what was changed, assumed or left out."""

from collections import Counter
from collections.abc import Iterator, Sequence

import msgspec

from paircard.domain.errors import PaircardError

MOST_SHOWN = 8
"""Faults or notes of a kind that are named; the others are counted."""


class Problem(msgspec.Struct, frozen=True):
    """One fault of a file: where it is, what was found and what is allowed."""

    line: int
    """First line is 1; 0 for the file as a whole."""
    column: int
    """First column is 1; 0 for the line as a whole."""
    record: str
    """Code of the record, columns 1-3."""
    found: str
    allowed: str

    def __str__(self) -> str:
        if not self.line:
            return f"found {self.found}, allowed: {self.allowed}"
        place = f"line {self.line}, column {self.column}" if self.column else f"line {self.line}"
        return f"{place}, record {self.record!r}: found {self.found}, allowed: {self.allowed}"


class TrfError(PaircardError):
    """The text is no usable report: ``problems`` holds every fault, in file order."""

    def __init__(self, problems: tuple[Problem, ...]) -> None:
        super().__init__("\n".join(fault_lines(problems)))
        self.problems = problems


def fault_lines(problems: Sequence[Problem]) -> Iterator[str]:
    """A line for each fault; of a kind that occurs very often the first ones, and how many more there are."""
    count = Counter((problem.record, problem.allowed) for problem in problems)
    shown: Counter[tuple[str, str]] = Counter()
    for problem in problems:
        kind = problem.record, problem.allowed
        shown[kind] += 1
        if shown[kind] <= MOST_SHOWN:
            yield str(problem)
        elif shown[kind] == count[kind]:
            more = count[kind] - MOST_SHOWN
            yield f"and {more} more in record {problem.record!r}, allowed: {problem.allowed}"


class Fault(Exception):
    """One field of one record is wrong; the reader adds the line and goes on."""

    def __init__(self, column: int, found: str, allowed: str) -> None:
        super().__init__(column, found, allowed)
        self.column = column
        self.found = found
        self.allowed = allowed


def quoted(text: str) -> str:
    """Text of a file, short enough for a message."""
    return repr(text if len(text) <= 40 else text[:37] + "...")


class Notes:
    """Collects notes while a file is read. Nothing is changed silently: each change adds a note."""

    def __init__(self) -> None:
        self._kinds: dict[str, list[str]] = {}

    def add(self, note: str, at: str = "") -> None:
        """Add a note; ``at`` says where, and the places of one note share a line."""
        places = self._kinds.setdefault(note, [])
        if at:
            places.append(at)

    def lines(self) -> tuple[str, ...]:
        """One line per note, in the order of their first appearance."""
        return tuple(_line(note, places) for note, places in self._kinds.items())


def _line(note: str, places: list[str]) -> str:
    if not places:
        return note
    shown = ", ".join(places[:MOST_SHOWN])
    if len(places) == 1:
        return f"{note}: {shown}"
    rest = f" and {len(places) - MOST_SHOWN} more" if len(places) > MOST_SHOWN else ""
    return f"{note}, {len(places)} times: {shown}{rest}"
