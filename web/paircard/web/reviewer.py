"""Work in a process of its own: public pages of large events, and what takes long, with a limit.

A round of thousands of players takes seconds to explain, and its pages are asked for by thousands of phones.
In a thread of the server that would slow down everybody's results. The process is told the facts it works on
and nothing else, each of them once: for the public those of the public log.
"""

import os
import pickle
import signal
import subprocess
import sys
from collections import OrderedDict, deque
from collections.abc import Callable, Sequence
from concurrent.futures import Future, InvalidStateError
from contextlib import suppress
from threading import Lock, Thread
from typing import Any, Final

from paircard.domain.errors import PaircardError
from paircard.domain.events import Recorded
from paircard.service import Moment
from paircard.web.problems import TooLong, TooOften

ENDED: Final = "the process that makes pages and explains rounds ended by itself"
REMEMBERED: Final = 8
"""Tournaments whose facts the process keeps."""
LATELY: Final = 4
"""Moments of each that it keeps with what was made of them."""


class Reviewer:
    """The process; made when it is first needed, and again after one that ended or took too long."""

    def __init__(self, seconds: float, *, patient: bool = False) -> None:
        self.seconds = seconds
        """The longest a piece of work may take; 0 for any time."""
        self.patient = patient
        """Whether callers wait for their turn; else they are refused while there is work."""
        self._turn = Lock()
        self._process: subprocess.Popen[bytes] | None = None
        self._waiting: deque[Future[Any]] = deque()
        """Answers that the process owes, in order."""
        self._told: OrderedDict[str, Sequence[Recorded]] = OrderedDict()
        """The facts the process has, by tournament."""

    def run(self, work: Callable[..., Any], *args: object, at: Moment | None = None) -> Any:
        """The result of a function of some module, which is told the moment first if one is given."""
        try:
            return self._answer(work, args, at)
        except EndedByItself:
            if at is None or not self.patient:
                raise
            return self._answer(work, args, at)  # by a new one

    def _answer(self, work: Callable[..., Any], args: tuple[object, ...], moment: Moment | None) -> Any:
        """Ask and wait; who is patient asks behind others, so that the process never waits for us."""
        if self.patient:
            with self._turn:
                promised = self._ask(work, args, moment)
            return promised.result()
        if not self._turn.acquire(blocking=False):
            raise TooOften("http.explanation-busy").after(1)
        try:
            return self._ask(work, args, moment).result(self.seconds)
        except TimeoutError:
            self._end()
            raise TooLong("http.too-long", value=f"{self.seconds:g}") from None
        finally:
            self._turn.release()

    def _ask(self, work: Callable[..., Any], args: tuple[object, ...], moment: Moment | None) -> Future[Any]:
        process, promised = self._ready(), Future[Any]()
        assert process.stdin is not None
        self._waiting.append(promised)
        try:
            told = None if moment is None else self._news(moment)
            pickle.dump((work, args, told), process.stdin, pickle.HIGHEST_PROTOCOL)
            process.stdin.flush()
        except (OSError, ValueError):  # it has just ended
            self._end()
            with suppress(InvalidStateError):  # they were told
                promised.set_exception(EndedByItself(ENDED))
        return promised

    def _news(self, moment: Moment) -> tuple[str, int, Sequence[Recorded], int]:
        """The facts of a moment that the process does not know yet, and how many it knows."""
        facts, told = moment.facts, self._told.pop(moment.id, ())
        both = min(len(facts), len(told))
        if not both or facts[both - 1] is not told[both - 1]:  # somebody was erased, or the store is another
            told = ()
        self._told[moment.id] = facts if len(facts) > len(told) else told
        if len(self._told) > REMEMBERED:
            self._told.popitem(last=False)
        return moment.id, len(told), facts[len(told) :], len(facts)

    def _ready(self) -> subprocess.Popen[bytes]:
        if self._process is None or self._process.poll() is not None:
            self._end()
            self._waiting = deque()
            self._process = subprocess.Popen(
                [sys.executable, "-m", __name__],
                stdin=subprocess.PIPE,
                stdout=subprocess.PIPE,
                env=os.environ | {"PYTHONPATH": os.pathsep.join(filter(None, sys.path))},
            )
            Thread(target=listen, args=(self._process, self._waiting), daemon=True).start()
        return self._process

    def _end(self) -> None:
        self._told.clear()
        if self._process is not None:
            self._process.kill()
            self._process.wait()
            self._process = None

    def close(self) -> None:
        """End the process."""
        with self._turn:
            self._end()


def listen(process: subprocess.Popen[bytes], waiting: deque[Future[Any]]) -> None:
    """In a thread: hand the answers of a process to those who wait for them, in order, to its end."""
    assert process.stdin is not None
    assert process.stdout is not None
    with process.stdout, suppress(EOFError, OSError, pickle.UnpicklingError):
        while True:
            result, refusal = pickle.load(process.stdout)
            promised = waiting.popleft()
            if refusal is None:
                promised.set_result(result)
            else:
                promised.set_exception(refusal)
    process.kill()
    with suppress(OSError):
        process.stdin.close()
    process.wait()
    while waiting:
        with suppress(InvalidStateError):
            waiting.popleft().set_exception(EndedByItself(ENDED))


class EndedByItself(RuntimeError):
    """The process is gone, and nobody ended it."""


class Logs:
    """In the process: the tournaments it was told of, as far as it was told."""

    def __init__(self) -> None:
        self.lately: OrderedDict[str, list[Moment]] = OrderedDict()
        """By tournament, the last moments that were asked about, the newest last."""

    def moment(self, id: str, known: int, news: Sequence[Recorded], length: int) -> Moment:
        """The moment that is asked about, with what is new taken in.

        Who asks may be a little behind others: the moments just before are at hand.
        """
        lately = self.lately.pop(id)[-LATELY:] if known else [Moment.of(news)]
        self.lately[id] = lately
        if len(self.lately) > REMEMBERED:
            self.lately.popitem(last=False)
        if known and news:
            lately.append(lately[-1].followed_by(news))
        before = [one for one in lately if one.version <= length]
        facts = lately[-1].facts
        if not before:
            return Moment.of(facts[:length])
        if before[-1].version < length:
            before.append(before[-1].followed_by(facts[before[-1].version : length]))
            lately.insert(len(before) - 1, before[-1])
        return before[-1]


def main() -> None:
    """In the process: do what is asked until nobody asks any more."""
    signal.signal(signal.SIGINT, signal.SIG_IGN)  # the server ends us
    asked, answers, logs = sys.stdin.buffer, sys.stdout.buffer, Logs()
    sys.stdout = sys.stderr  # nothing else may come between the answers
    while True:
        try:
            work, args, told = pickle.load(asked)
        except EOFError:
            return
        try:
            about = () if told is None else (logs.moment(*told),)
            answer: tuple[Any, PaircardError | None] = (work(*about, *args), None)
        except PaircardError as refusal:
            answer = (None, refusal)
        pickle.dump(answer, answers, pickle.HIGHEST_PROTOCOL)
        answers.flush()


if __name__ == "__main__":
    main()
