"""On the Windows machine: runs commands one after another, each as if it were redirected to a file."""

import contextlib
import io
import json
import os
import sys

from paircard.cli.main import run


def main() -> None:
    """One line of JSON in, one out; the streams are those of Windows, with its code page and line ends."""
    answers = sys.stdout.buffer
    before = dict(os.environ)
    for line in sys.stdin.buffer:
        asked = json.loads(line)
        os.chdir(asked["folder"])
        os.environ.clear()
        os.environ.update(before | asked["environment"])
        out, err = (io.TextIOWrapper(io.BytesIO(), "cp1252", newline=None) for _ in range(2))
        with contextlib.redirect_stdout(out), contextlib.redirect_stderr(err):
            code = run(asked["words"])
        told = []
        for stream in (out, err):
            stream.flush()
            assert isinstance(stream.buffer, io.BytesIO)
            told.append(stream.buffer.getvalue().decode())
        answers.write(json.dumps([code, *told]).encode() + b"\n")
        answers.flush()


if __name__ == "__main__":
    main()
