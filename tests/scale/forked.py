"""Commands of ``paircard``, each in a process forked from one that has loaded everything.

Started with a library preloaded that ends a process at a chosen call (``shim.c``). Reads one JSON object per
line: the words of a command and the environment it gets; answers with how it ended and what it printed.
"""

import json
import os
import sys
import tempfile
from pathlib import Path

from paircard.cli.main import run


def in_a_fork(words: list[str], environment: dict[str, str]) -> dict[str, object]:
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
        _, status = os.waitpid(child, 0)
        output.seek(0)
        return {"code": os.waitstatus_to_exitcode(status), "out": output.read().decode()}


def main() -> None:
    run(["--version"])  # loads what every command needs
    answers = os.fdopen(os.dup(1), "w")
    for line in sys.stdin:
        asked = json.loads(line)
        Path(asked["environment"]["SHIM_COUNT"]).unlink(missing_ok=True)
        answers.write(json.dumps(in_a_fork(asked["words"], asked["environment"])) + "\n")
        answers.flush()


if __name__ == "__main__":
    main()
