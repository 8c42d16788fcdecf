"""Processes forked from the test, so that a thousand of them can be started and killed in minutes."""

import os
import signal
import sys
import traceback
from collections.abc import Callable

Say = Callable[[str], None]


class Child:
    """A process that runs one function and says lines."""

    def __init__(self, work: Callable[[Say], None]) -> None:
        self.heard, mouth = os.pipe()
        self.pid = os.fork()
        if not self.pid:
            os.close(self.heard)
            code = 0
            try:
                work(lambda line: _write(mouth, line))
            except BaseException:
                traceback.print_exc()
                code = 1
            finally:
                sys.stderr.flush()
                os._exit(code)
        os.close(mouth)

    def kill(self) -> None:
        """kill -9."""
        os.kill(self.pid, signal.SIGKILL)

    def end(self) -> tuple[int, list[str]]:
        """Wait for its end: the exit code, negative for a signal, and all whole lines it said."""
        said = b""
        while part := os.read(self.heard, 1 << 16):
            said += part
        os.close(self.heard)
        _, status = os.waitpid(self.pid, 0)
        return os.waitstatus_to_exitcode(status), said.decode().split("\n")[:-1]

    def next_line(self) -> str:
        """The next line it says."""
        said = b""
        while not said.endswith(b"\n"):
            part = os.read(self.heard, 1)
            if not part:
                break
            said += part
        return said.decode().rstrip("\n")


def _write(mouth: int, line: str) -> None:
    os.write(mouth, f"{line}\n".encode())


def percentile(times: list[float], share: float) -> float:
    """In milliseconds."""
    return sorted(times)[min(len(times) - 1, int(len(times) * share))] * 1e3
