"""What is said about a file: the faults that stop it, and notes on what was changed, assumed or left out."""

from collections import Counter
from collections.abc import Iterable, Iterator, Sequence

import msgspec

from paircard.domain.errors import PaircardError
from paircard.domain.messages import Message, say
from paircard.domain.speaking import Speaker

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
    found: Message
    allowed: Message
    grave: bool = True
    """False for what stops nobody who reads a file as another engine does."""

    @property
    def said(self) -> Message:
        """The fault as a message."""
        if not self.line:
            return say("trf.fault", found=self.found, allowed=self.allowed)
        code = "trf.fault-in-column" if self.column else "trf.fault-in-line"
        at = {"line": self.line, "column": self.column, "record": self.record}
        return Message(code, {**at, "found": self.found, "allowed": self.allowed})


class TrfError(PaircardError):
    """The text is no usable report: ``problems`` holds every fault, in file order."""

    def __init__(self, *problems: Problem) -> None:
        code = "trf.faults"
        super().__init__(code, faults=tuple(faults_said(problems)))
        self.problems = problems


def faults_said(problems: Sequence[Problem]) -> Iterator[Message]:
    """Each fault; of a kind that occurs very often the first ones, and how many more there are."""
    kinds = [(problem.record, repr(problem.allowed)) for problem in problems]
    count = Counter(kinds)
    shown: Counter[tuple[str, str]] = Counter()
    for problem, kind in zip(problems, kinds, strict=True):
        shown[kind] += 1
        if shown[kind] <= MOST_SHOWN:
            yield problem.said
        elif shown[kind] == count[kind]:
            more = count[kind] - MOST_SHOWN
            yield say("trf.more-faults", count=more, record=problem.record, allowed=problem.allowed)


class Fault(ValueError):
    """One field of one record is wrong; the reader adds the line and goes on."""

    def __init__(self, column: int, found: str | Message, allowed: Message) -> None:
        super().__init__(column, found)
        self.column = column
        self.found = say("trf.found.text", text=found) if isinstance(found, str) else found
        self.allowed = allowed

    def at(self, line: int, record: str) -> Problem:
        return Problem(line, self.column, record, self.found, self.allowed)


class Notes:
    """Collects notes while a file is read. Nothing is changed silently: each change adds a note."""

    def __init__(self) -> None:
        self._kinds: dict[str, tuple[Message, list[Message]]] = {}

    def add(self, note: Message, at: Message | None = None) -> None:
        """Add a note; ``at`` says where, and the places of one note share a line."""
        _, places = self._kinds.setdefault(repr(note), (note, []))
        if at is not None:
            places.append(at)

    def messages(self) -> tuple[Message, ...]:
        """One message per note, in the order of their first appearance."""
        return tuple(_together(note, places) for note, places in self._kinds.values())

    def lines(self) -> tuple[str, ...]:
        """The notes in English, as a fact holds them."""
        return in_english(self.messages())


def in_english(notes: Iterable[Message]) -> tuple[str, ...]:
    """Notes as facts and programs have them."""
    return tuple(map(Speaker().say, notes))


def _together(note: Message, places: list[Message]) -> Message:
    if not places:
        return note
    if len(places) == 1:
        return say("trf.note.once", what=note, where=places[0])
    if len(places) <= MOST_SHOWN:
        return say("trf.note.often", what=note, number=len(places), spots=places)
    shown, more = places[:MOST_SHOWN], len(places) - MOST_SHOWN
    return say("trf.note.more", what=note, number=len(places), spots=shown, count=more)
