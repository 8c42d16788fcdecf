"""Commands of ``paircard``, each in a process forked from one that has loaded everything.

Started with a library preloaded that ends a process at a chosen call (``shim.c``), or without one. Reads one
JSON object per line: the words of a command, the environment it gets, and after how many seconds it is
killed, if it is; answers with how it ended and what it printed.
"""

import json
import os
import signal
import sys
import tempfile
import threading
from pathlib import Path

from paircard.cli.main import run


def in_a_fork(words: list[str], environment: dict[str, str], kill_after: float | None) -> dict[str, object]:
    """Run a command in a process of its own; its exit code, or minus the signal that ended it."""
    with tempfile.TemporaryFile() as output:
        child = os.fork()
        if not child:
            os.environ.update(environment)
            os.dup2(output.fileno(), 1)
            os.dup2(output.fileno(), 2)
            code = run(words)
            sys.stdout.flush()
            os._exit(code)
        killer = threading.Timer(kill_after or 0, os.kill, (child, signal.SIGKILL))
        if kill_after is not None:
            killer.start()
        os.waitid(os.P_PID, child, os.WEXITED | os.WNOWAIT)  # its number stays its own until it is not killed
        killer.cancel()
        if kill_after is not None:
            killer.join()
        _, status = os.waitpid(child, 0)
        output.seek(0)
        return {"code": os.waitstatus_to_exitcode(status), "out": output.read().decode()}


def main() -> None:
    run(["--version"])  # loads what every command needs
    answers = os.fdopen(os.dup(1), "w")
    for line in sys.stdin:
        asked = json.loads(line)
        if counted := asked["environment"].get("SHIM_COUNT"):
            Path(counted).unlink(missing_ok=True)
        ended = in_a_fork(asked["words"], asked["environment"], asked.get("kill_after"))
        answers.write(json.dumps(ended) + "\n")
        answers.flush()


if __name__ == "__main__":
    main()
