"""Histories in the manner of Jepsen: two servers and the command line on one store, killed at random moments.

``oracle`` decides whether all that was answered can be true; here are the doors that ask, those who kill
them, and histories with a lie in them, which the oracle must find.
"""

import json
import os
import subprocess
import sys
import threading
import time
from collections.abc import Iterator
from contextlib import contextmanager
from http.client import HTTPException
from itertools import count
from pathlib import Path
from random import Random

import msgspec
import pytest

from paircard.domain.events import Recorded, ResultCleared, ResultRecorded
from paircard.domain.log.store import Tournaments
from paircard.domain.values.regulations import Regulations
from paircard.domain.values.results import parse_outcome
from paircard.service.review.stores import look_through
from paircard.web.client import Client, ProblemAnswered
from paircard.web.messages import Outcome
from tests.roots import PYTHONPATH
from tests.scale.oracle import OPEN, Answer, Question, unexplained
from tests.web.running import Running, running

BOARDS = 4
RESULTS = ("1-0", "½-½", "0-1")
AT_ONCE = 4
"""Tournaments that are on; so a server often meets one in which others were the last to do something."""
PER_EVENT = 1000
"""Answers about one tournament, before the doors turn to others."""


class Event:
    """One tournament in play, and all that is answered about it."""

    def __init__(self, client: Client, name: str) -> None:
        self.id = client.open(Regulations(name=name, rounds=3)).id
        players = [{"do": "register-player", "details": {"name": f"P{n}"}} for n in range(2 * BOARDS)]
        client.send(self.id, *players)
        version = client.send(self.id, {"do": "draw-initial-colour", "colour": "w"}).version
        version = client.send(self.id, {"do": "pair-round", "round": 1}, expected=version).version
        self.version = client.send(self.id, {"do": "publish-round", "round": 1}, expected=version).version
        self.answers: list[Answer] = []


class Hall:
    """What all doors share: the events that are on, and when it is over."""

    def __init__(self, arbiter: Client) -> None:
        self.arbiter = arbiter
        self.events: list[Event] = []
        self.turn_to_others()
        self.over = threading.Event()
        self.unanswered = 0
        """Attempts that were killed, or told to come back."""

    def turn_to_others(self) -> None:
        """Begin new events; what was asked about the old ones is still answered."""
        first = len(self.events) + 1
        self.events += [Event(self.arbiter, f"Open {first + n}") for n in range(AT_ONCE)]

    def total(self) -> int:
        return sum(len(event.answers) for event in self.events)


class Door(threading.Thread):
    """Somebody who asks at one door, again until there is an answer."""

    def __init__(self, hall: Hall, name: str, seed: int) -> None:
        super().__init__(name=name, daemon=True)
        self.hall, self.chance, self.numbers = hall, Random(seed), count(1)
        self.trouble: list[str] = []

    def attempt(self, event: Event, question: Question) -> Answer | None:
        """None if there was no answer, or one that asks to come back."""
        raise NotImplementedError

    def run(self) -> None:
        while not self.hall.over.is_set() and not self.trouble:
            event = self.chance.choice(self.hall.events[-AT_ONCE:])
            question = self.question(event)
            began = time.monotonic()
            while True:
                tried = time.monotonic()
                try:
                    found = self.attempt(event, question)
                except Exception as reason:
                    self.trouble.append(f"{self.name}: {question}: {reason!r}")
                    return
                if found is not None:
                    times = {"began": began, "tried": tried, "ended": time.monotonic()}
                    event.answers.append(msgspec.structs.replace(found, **times))
                    event.version = max(event.version, found.version or 0)
                    break
                self.hall.unanswered += 1
                time.sleep(0.05)

    def question(self, event: Event) -> Question:
        id, board = f"{self.name}-{next(self.numbers)}", self.chance.randint(1, BOARDS)
        [do] = self.chance.choices(("record", "clear", "correct", "read"), (9, 6, 3, 3))
        result = self.chance.choice(RESULTS) if do in ("record", "correct") else OPEN
        expected = event.version - self.chance.choice((0, 0, 0, 1)) if do == "correct" else None
        return Question(id=id, do=do, board=board, result=result, expected=expected)  # type: ignore[arg-type]


def answer(question: Question, said: str, **more: object) -> Answer:
    """An answer whose times are not known yet."""
    return Answer(question=question, began=0, tried=0, ended=0, said=said, **more)  # type: ignore[arg-type]


class HttpDoor(Door):
    """A deputy's phone."""

    def __init__(self, hall: Hall, name: str, seed: int, server: Running) -> None:
        super().__init__(hall, name, seed)
        self.client = server.client(who=name)

    def attempt(self, event: Event, question: Question) -> Answer | None:
        try:
            if question.do == "read":
                return self.read(event, question)
            return self.command(event, question)
        except (OSError, HTTPException):
            return None
        except ProblemAnswered as answered:
            problem = answered.problem
            if problem.status in (429, 503):
                return None
            assert problem.status in (409, 412), problem
            version = problem.version if isinstance(problem.version, int) else None
            said = "stale" if problem.status == 412 else "no"
            return answer(question, said, version=version, text=problem.detail)

    def read(self, event: Event, question: Question) -> Answer:
        reply = self.client.request("GET", f"/tournaments/{event.id}/rounds/1")
        boards = tuple(board["result"] or OPEN for board in json.loads(reply.body)["boards"])
        version = int(reply.headers["etag"].strip('"').partition("-")[0])
        return answer(question, "done", version=version, boards=boards)

    def command(self, event: Event, question: Question) -> Answer:
        verb = {"do": f"{question.do}-result", "round": 1, "board": question.board}
        if question.result:
            verb["outcome"] = question.result
        headers = {"idempotency-key": question.id}
        if question.expected is not None:
            headers["if-match"] = f'"{question.expected}"'
        body = msgspec.json.encode({"commands": [verb], "why": "seen by an arbiter"})
        reply = self.client.request("POST", f"/tournaments/{event.id}/commands", body, headers)
        done = msgspec.json.decode(reply.body, type=Outcome)
        return answer(
            question, "done", version=done.version, versions=tuple(fact.version for fact in done.facts)
        )


class Terminal(Door):
    """Somebody at the command line, whose programs are sometimes killed."""

    kills = 0

    def __init__(self, hall: Hall, name: str, seed: int, location: str) -> None:
        super().__init__(hall, name, seed)
        environment = {key: text for key, text in os.environ.items() if not key.startswith("PAIRCARD_")}
        self.environment = {"PAIRCARD_DB": location, "PAIRCARD_AS": name}
        self.process = subprocess.Popen(
            [sys.executable, "-m", "tests.scale.forked"],
            env=environment | {"PYTHONPATH": PYTHONPATH},
            stdin=subprocess.PIPE,
            stdout=subprocess.PIPE,
            text=True,
        )

    def question(self, event: Event) -> Question:
        while (found := super().question(event)).do in ("correct", "read"):
            pass  # it has no versions to name
        return found

    def attempt(self, event: Event, question: Question) -> Answer | None:
        words = ["clear", "1", str(question.board)]
        if question.do == "record":
            words = ["result", "1", str(question.board), question.result]
        words += ["-t", event.id, "--id", question.id, "--why", "seen by another arbiter"]
        kill_after = self.chance.uniform(0, 0.25) if self.chance.random() < 0.3 else None
        asked = {"words": words, "environment": self.environment, "kill_after": kill_after}
        assert self.process.stdin
        assert self.process.stdout
        print(json.dumps(asked), file=self.process.stdin, flush=True)
        while not (line := self.process.stdout.readline()).startswith("{"):
            assert line, "the process that forks has ended"
        ended = json.loads(line)
        code, text = ended["code"], ended["out"]
        assert "Traceback" not in text, text
        self.kills += code == -9
        if code == 0:
            return answer(question, "done", text=text)
        if code < 0 or "board" not in text:  # killed, or the store asks to come back
            return None
        return answer(question, "no", text=text)

    def close(self) -> None:
        assert self.process.stdin
        assert self.process.stdout
        self.process.stdin.close()
        self.process.wait()
        self.process.stdout.close()


@contextmanager
def terminals_at(hall: Hall, location: str) -> Iterator[list[Terminal]]:
    """Two of them."""
    terminals = [Terminal(hall, f"desk{n}", n, location) for n in range(2)]
    try:
        yield terminals
    finally:
        for terminal in terminals:
            terminal.close()


def ask_and_kill(hall: Hall, doors: list[Door], servers: list[Running], wanted: int) -> int:
    """Let all ask until there are so many answers, and kill servers meanwhile; how many were killed."""
    chance, kills = Random(7), 0
    try:
        for door in doors:
            door.start()
        while hall.total() < wanted and not any(door.trouble for door in doors):
            time.sleep(chance.uniform(1, 3))
            victim = servers[kills % 2]
            victim.kill()
            kills += 1
            victim.start()
            if len(hall.events[-1].answers) > PER_EVENT:
                hall.turn_to_others()
    finally:
        hall.over.set()
        for door in doors:
            door.join(60)
    assert not [text for door in doors for text in door.trouble]
    return kills


@pytest.mark.soak
def test_ten_thousand_answers_of_two_servers_and_the_command_line_are_explained(
    location: str, tmp_path: Path
) -> None:
    with running(location, tmp_path / "a.log") as one, running(location, tmp_path / "b.log") as other:
        hall = Hall(one.client())
        phones = [HttpDoor(hall, f"phone{n}", 100 + n, (one, other)[n % 2]) for n in range(6)]
        with terminals_at(hall, location) as terminals:
            kills = ask_and_kill(hall, [*terminals, *phones], [one, other], wanted=10_000)
    with Tournaments(location) as store:
        assert look_through(store)[1] == []
        logs = [store.log(event.id) for event in hall.events]
    wrong = [
        why
        for event, log in zip(hall.events, logs, strict=True)
        for why in unexplained(log, event.answers, BOARDS)
    ]
    answers = [one for event in hall.events for one in event.answers]
    told = {
        "facts": sum(bool(one.versions) for one in answers),
        "nothing new": sum(one.versions == () for one in answers),
        "refusals": sum(one.said != "done" for one in answers),
        "reads": sum(one.question.do == "read" for one in answers),
        "at the command line": sum(one.question.id.startswith("desk") for one in answers),
        "servers killed": kills,
        "commands killed": sum(one.kills for one in terminals),
        "attempts without an answer": hall.unanswered,
    }
    print(f"\n{len(answers):,} answers, {told}, {sum(map(len, logs)):,} facts: {len(wrong)} unexplained")
    assert not wrong, "\n".join(wrong[:20])
    assert all(told.values()), told


# Histories with a lie in them


def fact(version: int, id: str, what: ResultRecorded | ResultCleared) -> Recorded:
    return Recorded(
        tournament="t", version=version, fact=what, who="A", when="", why="", command_id=id, acknowledged=(),
        previous="", hash="",
    )  # fmt: skip


def record(version: int, id: str, board: int = 1, result: str = "1-0") -> Recorded:
    return fact(version, id, ResultRecorded(round=1, board=board, outcome=parse_outcome(result)))


def clear(version: int, id: str, board: int = 1) -> Recorded:
    return fact(version, id, ResultCleared(round=1, board=board, was=parse_outcome("1-0")))


def said(id: str, do: str, at: float, said: str = "done", **more: object) -> Answer:
    """An answer within a tenth of a second."""
    result = more.pop("result", "1-0" if do in ("record", "correct") else OPEN)
    asked = Question(id=id, do=do, board=1, result=result, expected=more.pop("expected", None))  # type: ignore[arg-type]
    times = {"began": at, "tried": at, "ended": at + 0.1}
    return msgspec.structs.replace(answer(asked, said, **more), **times)


TRUE_LOG = [record(1, "a"), clear(2, "desk"), record(3, "b")]
TRUE = [
    said("a", "record", 0, versions=(1,), version=1),
    said("r1", "read", 1, version=1, boards=("1-0", OPEN)),
    said("desk", "clear", 2),
    said("c", "correct", 3, "no", expected=2),
    said("c2", "correct", 3, "stale", expected=1, version=2),
    said("b", "record", 4, versions=(3,), version=3),
    said("same", "record", 5, versions=(), version=3),
    said("other", "record", 5, "no", result="0-1"),
    said("r2", "read", 6, version=3, boards=("1-0", OPEN)),
]
LIES = {
    "a fact that was answered and is lost": (
        TRUE_LOG[:2], [one for one in TRUE if one.question.id in ("a", "r1", "desk", "b")],
        "facts are",
    ),
    "a false 'nothing new' of a door that saw an old state": (
        TRUE_LOG[:2], [*TRUE[:3], said("b", "record", 4, versions=(), version=1)],
        "answered 'nothing', but the board had",
    ),
    "the same of a door that names no versions": (
        TRUE_LOG[:2], [*TRUE[:3], said("b", "record", 4)], "answered 'nothing', but the board had",
    ),
    "a refusal of what could be done": (
        TRUE_LOG[:2], [*TRUE[:3], said("b", "record", 4, "no")], "answered 'no', but the board had",
    ),
    "a version refused that was right": (
        TRUE_LOG[:1], [TRUE[0], said("c", "correct", 3, "stale", expected=1)], "answered 'stale'",
    ),
    "one request recorded twice": (
        [*TRUE_LOG[:2], record(3, "a")], TRUE[:3], "more than once",
    ),
    "a refusal that was recorded": (
        TRUE_LOG[:1], [said("a", "record", 0, "no")], "refused, and recorded",
    ),
    "a fact nobody asked for": (
        [*TRUE_LOG, clear(4, "ghost")], TRUE, "asked for by nobody",
    ),
    "another result than was asked for": (
        [record(1, "a", result="0-1")], TRUE[:1], "recorded as",
    ),
    "a result over another": (
        [record(1, "a"), record(2, "b")], [TRUE[0], said("b", "record", 4, versions=(2,), version=2)],
        "not allowed",
    ),
    "a fact before one that was told earlier": (
        [record(1, "a"), clear(2, "desk")], [said("a", "record", 5, versions=(1,)), said("desk", "clear", 2)],
        "had been told before it was asked",
    ),
    "a stale read": (
        TRUE_LOG, [*TRUE[:-1], said("r2", "read", 6, version=2, boards=(OPEN, OPEN))],
        "speaks of version 2 when 3 had been told",
    ),
    "a read from the future": (
        TRUE_LOG, [said("r0", "read", -1, version=3, boards=("1-0", OPEN)), *TRUE], "at most",
    ),
    "a read that is no state of the log": (
        TRUE_LOG, [*TRUE[:-1], said("r2", "read", 6, version=3, boards=("1-0", "1-0"))], "does not equal",
    ),
}  # fmt: skip


def test_a_true_history_is_explained() -> None:
    assert unexplained(TRUE_LOG, TRUE, 2) == []


@pytest.mark.parametrize("name", LIES)
def test_the_oracle_finds_a_lie(name: str) -> None:
    log, answers, why = LIES[name]
    wrong = unexplained(log, answers, 2)
    assert wrong
    assert any(why in text for text in wrong), wrong
