"""What takes long: explanations and previews, one at a time in a process of their own, with a limit.

A round of thousands of players takes seconds to explain. In a thread it would slow down everybody's results.
"""

import os
import pickle
import signal
import subprocess
import sys
from collections.abc import Callable
from threading import Lock, Timer
from typing import Any

from paircard.domain.errors import PaircardError
from paircard.web.problems import TooLong, TooOften


class Reviewer:
    """The process; made when it is first needed, and again after one that took too long."""

    def __init__(self, seconds: float) -> None:
        self.seconds = seconds
        self._turn = Lock()
        self._process: subprocess.Popen[bytes] | None = None

    def run(self, work: Callable[..., Any], *args: object) -> Any:
        """The result of a function of some module; refuses as the function does."""
        if not self._turn.acquire(blocking=False):
            raise TooOften("http.explanation-busy").after(1)
        try:
            process = self._ready()
            assert process.stdin is not None
            assert process.stdout is not None
            limit = Timer(self.seconds, process.kill)
            limit.start()
            try:
                pickle.dump((work, args), process.stdin)
                process.stdin.flush()
                result, refusal = pickle.load(process.stdout)
            except (EOFError, OSError, pickle.UnpicklingError):
                by_itself = limit.is_alive()
                self._end()
                if by_itself:
                    raise RuntimeError("the process that explains rounds ended by itself") from None
                raise TooLong("http.too-long", value=f"{self.seconds:g}") from None
            finally:
                limit.cancel()
        finally:
            self._turn.release()
        if refusal is not None:
            raise refusal
        return result

    def _ready(self) -> subprocess.Popen[bytes]:
        if self._process is None or self._process.poll() is not None:
            self._end()
            self._process = subprocess.Popen(
                [sys.executable, "-m", __name__],
                stdin=subprocess.PIPE,
                stdout=subprocess.PIPE,
                env=os.environ | {"PYTHONPATH": os.pathsep.join(filter(None, sys.path))},
            )
        return self._process

    def _end(self) -> None:
        if self._process is not None:
            self._process.kill()
            self._process.communicate()
            self._process = None

    def close(self) -> None:
        """End the process."""
        with self._turn:
            self._end()


def main() -> None:
    """In the process: do what is asked until nobody asks any more."""
    signal.signal(signal.SIGINT, signal.SIG_IGN)  # the server ends us
    asked, answers = sys.stdin.buffer, sys.stdout.buffer
    sys.stdout = sys.stderr  # nothing else may come between the answers
    while True:
        try:
            work, args = pickle.load(asked)
        except EOFError:
            return
        try:
            answer: tuple[Any, PaircardError | None] = (work(*args), None)
        except PaircardError as refusal:
            answer = (None, refusal)
        pickle.dump(answer, answers)
        answers.flush()


if __name__ == "__main__":
    main()
