"""Keeps a checker written in Python in memory, so that a long comparison does not pay for its start.

python tests/bench/resident_checker.py serve SOCKET CHECKER.py  loads the checker in two processes
python -IS tests/bench/resident_checker.py ask SOCKET ARGUMENT...  answers as CHECKER.py would
"""

import io
import os
import runpy
import socket
import sys
from contextlib import redirect_stdout, suppress

PROCESSES = 2


def serve(path: str, checker: str) -> None:
    """Answer questions until the process is ended."""
    sys.path.insert(0, os.path.dirname(os.path.abspath(checker)))
    runpy.run_path(checker, run_name="loaded")  # imports what the checker needs, without running it
    with socket.socket(socket.AF_UNIX) as listening:
        listening.bind(path)
        listening.listen()
        for _ in range(PROCESSES - 1):
            os.fork()
        while True:
            asked, _ = listening.accept()
            with asked, asked.makefile("rb") as question:
                sys.argv = [checker, *question.read().decode().split("\0")]
                asked.sendall(answer(checker).encode())


def answer(checker: str) -> str:
    """What the checker prints for the arguments in ``sys.argv``; nothing of it if it fails."""
    printed = io.StringIO()
    with redirect_stdout(printed), suppress(SystemExit, Exception):
        runpy.run_path(checker, run_name="__main__")
    return printed.getvalue()


def ask(path: str, arguments: list[str]) -> None:
    """Send the arguments, print the answer."""
    with socket.socket(socket.AF_UNIX) as asking:
        asking.connect(path)
        asking.sendall("\0".join(arguments).encode())
        asking.shutdown(socket.SHUT_WR)
        while part := asking.recv(65536):
            sys.stdout.buffer.write(part)


if __name__ == "__main__":
    if sys.argv[1] == "serve":
        serve(*sys.argv[2:])
    else:
        ask(sys.argv[2], sys.argv[3:])
