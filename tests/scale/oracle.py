"""Whether a history of questions and answers can be true of the log they left behind.

Each board is a register: a result is recorded, corrected under the version it was decided on, cleared and
read. Several doors ask at the same time, and programs are killed. Afterwards the log is read by a fresh
process, and everything that was said must follow from it: facts are those that were asked for, once, where
they are allowed and in the order of real time; a read is the fold of the log at the version it names; and
"nothing new" or a refusal is explained by a state the boards had between question and answer.
"""

from bisect import bisect_left
from collections.abc import Iterator, Sequence
from typing import Literal

import msgspec

from paircard.domain.events import Recorded, ResultCleared, ResultCorrected, ResultRecorded
from paircard.domain.values.results import spell

Boards = tuple[str, ...]
"""The result of each board; empty while it is open."""
OPEN = ""


class Question(msgspec.Struct, frozen=True, kw_only=True):
    """What somebody asked."""

    id: str
    do: Literal["record", "clear", "correct", "read"]
    board: int = 0
    result: str = OPEN
    expected: int | None = None


class Answer(msgspec.Struct, frozen=True, kw_only=True):
    """What somebody was told, and between which moments."""

    question: Question
    began: float
    """The first time it was asked."""
    tried: float
    """The last time, after kills; the answer is to that."""
    ended: float
    said: Literal["done", "no", "stale"]
    versions: tuple[int, ...] | None = None
    """Of the facts the answer names; None from a door that names no versions."""
    version: int | None = None
    """The version the answer speaks of, if it says so."""
    boards: Boards = ()
    """As they were read."""
    text: str = ""


def outcome(question: Question, version: int, boards: Boards) -> str:
    """What must be answered on a state: ``fact``, ``nothing`` new, ``no`` or ``stale``."""
    if question.expected not in (None, version):
        return "stale"
    now = boards[question.board - 1]
    match question.do:
        case "record":
            return "fact" if now == OPEN else "nothing" if now == question.result else "no"
        case "clear":
            return "no" if now == OPEN else "fact"
        case _:
            return "no" if now in (OPEN, question.result) else "fact"


def unexplained(log: Sequence[Recorded], answers: Sequence[Answer], boards: int) -> list[str]:
    """Everything that was said or recorded and cannot be true; ``log`` is whole, its set-up included."""
    return list(_History(log, answers, boards).complaints())


class _History:
    def __init__(self, log: Sequence[Recorded], answers: Sequence[Answer], boards: int) -> None:
        self.log, self.answers = log, answers
        self.asked = {one.question.id: one for one in answers}
        self.states: list[Boards] = [(OPEN,) * boards]
        self.versions: dict[str, list[int]] = {}
        """Of the facts of each question."""
        self.strange: list[Recorded] = []
        for fact in log:
            now = list(self.states[-1])
            if isinstance(fact.fact, ResultRecorded | ResultCorrected | ResultCleared):
                cleared = isinstance(fact.fact, ResultCleared)
                now[fact.fact.board - 1] = OPEN if cleared else spell(fact.fact.outcome)  # type: ignore[union-attr]
                id = fact.command_id.rpartition("/")[2]  # over HTTP the grant stands before it
                self.versions.setdefault(id, []).append(fact.version)
                if id not in self.asked:
                    self.strange.append(fact)
            self.states.append(tuple(now))
        self._remember_times()

    def _remember_times(self) -> None:
        """What had been told at a moment, and what had been asked."""
        told = sorted((one.ended, self._newest(one)) for one in self.answers)
        self.ends = [at for at, _ in told]
        self.newest = [0]
        for _, version in told:
            self.newest.append(max(self.newest[-1], version))
        begun = sorted((one.began, min(self.versions.get(one.question.id, [10**9]))) for one in self.answers)
        self.begins = [at for at, _ in begun]
        self.oldest = [len(self.log) + 1]
        for _, version in reversed(begun):
            self.oldest.append(min(self.oldest[-1], version))
        self.oldest.reverse()

    def _newest(self, one: Answer) -> int:
        """The newest version somebody knows who has this answer."""
        there = self.versions.get(one.question.id, [0])
        return max(*there, one.version or 0) if one.said == "done" else one.version or 0

    def known_before(self, moment: float) -> int:
        """The newest version that anybody had been told of."""
        return self.newest[bisect_left(self.ends, moment)]

    def possible_at(self, moment: float) -> int:
        """The newest version there can have been: what was asked for later comes later."""
        return self.oldest[bisect_left(self.begins, moment)] - 1

    def complaints(self) -> Iterator[str]:
        for fact in self.strange:
            yield f"fact {fact.version} ({fact.command_id}) was asked for by nobody"
        for one in self.answers:
            why = self._read(one) if one.question.do == "read" else self._command(one)
            if why:
                yield f"{why}: {one}"

    def _read(self, one: Answer) -> str:
        assert one.version is not None
        if why := self._out_of_time(one, one.version):
            return f"a read that {why}"
        there = self.states[one.version]
        return "" if there == one.boards else f"a read that does not equal the log at its version, {there}"

    def _out_of_time(self, one: Answer, version: int) -> str:
        first, last = self.known_before(one.tried), self.possible_at(one.ended)
        if version < first:
            return f"speaks of version {version} when {first} had been told"
        return f"speaks of version {version} when there were {last} at most" if version > last else ""

    def _command(self, one: Answer) -> str:
        own = self.versions.get(one.question.id, [])
        if len(own) > 1:
            return f"recorded more than once, {own}"
        if one.said == "done" and one.versions is not None and list(one.versions) != own:
            return f"its facts are {list(one.versions)} in the answer and {own} in the log"
        if own:
            return "refused, and recorded" if one.said != "done" else self._fact(one, own[0])
        wanted = {"done": "nothing", "no": "no", "stale": "stale"}[one.said]
        seen = range(self.known_before(one.tried), self.possible_at(one.ended) + 1)
        if not any(outcome(one.question, at, self.states[at]) == wanted for at in seen):
            had = [self.states[at][one.question.board - 1] for at in seen]
            return f"answered {wanted!r}, but the board had {list(dict.fromkeys(had))}"
        if one.version is not None and (why := self._out_of_time(one, one.version)):
            return f"an answer that {why}"
        if one.version is not None and outcome(one.question, one.version, self.states[one.version]) != wanted:
            return f"answered {wanted!r}, which was not so at the version it names"
        return ""

    def _fact(self, one: Answer, version: int) -> str:
        """The fact is the one that was asked for, allowed there, and after all that was told before."""
        fact, question = self.log[version - 1].fact, one.question
        kinds = {"record": ResultRecorded, "clear": ResultCleared, "correct": ResultCorrected}
        if not isinstance(fact, kinds[question.do]) or fact.board != question.board:
            return f"recorded as {fact}"
        if self.states[version][question.board - 1] != question.result:
            return f"recorded as {fact}"
        if outcome(question, version - 1, self.states[version - 1]) != "fact":
            return f"recorded at version {version}, where it was not allowed"
        if version <= (known := self.known_before(one.began)):
            return f"recorded at version {version}, when {known} had been told before it was asked"
        if one.version is not None and (why := self._out_of_time(one, one.version)):
            return f"an answer that {why}"
        return ""
