"""The command line tells the truth about what is on record, whatever happens to its output."""

import os
import resource
import subprocess
import sys
from collections.abc import Callable

import pytest

from paircard.domain.log.store import Tournaments
from tests.audit.byhand import by_hand
from tests.cli.session import Terminal
from tests.refusals import sentence


def test_publishing_again_after_a_crash_leaves_what_the_first_time_would_have(playing: Terminal) -> None:
    """The crash: the fact is there, the checkpoint is not, and nobody saw the head."""
    playing.ok("key", "new", "arbiter", "-o", "a.key")
    playing.ok("result", "1", "1", "1-0", "2", "1-0")
    playing.ok("pair")
    first = playing.ok("publish", "--id", "p2", "--key", "a.key")
    by_hand(str(playing.folder / "paircard.db"), "DELETE FROM checkpoints")
    playing.ok("result", "2", "1", "1-0")

    again = playing.ok("publish", "--id", "p2", "--key", "a.key")

    assert again.splitlines()[1:] == first.splitlines()
    assert sentence("cli.said.checkpoint-signed", facts=17, name="arbiter") in again
    assert sentence("cli.said.for-the-sheet", value="17:") in again
    playing.ok("publish", "--id", "p2", "--key", "a.key")
    with Tournaments(playing.folder / "paircard.db") as store:
        assert len(store.backend.stored_checkpoints(store.find() or "")) == 1


@pytest.mark.parametrize("command", ["standings", "list", "verify", "log", "boards --json"])
@pytest.mark.parametrize(("output", "code"), [("> /dev/full", 1), (">&-", 0)])
def test_a_view_that_cannot_be_written_is_no_internal_error(
    playing: Terminal, command: str, output: str, code: int
) -> None:
    """A full disk is told; whoever closes the output does not want to read."""
    run = subprocess.run(
        ["bash", "-c", f"{sys.executable} -m paircard.cli {command} {output}"],
        cwd=playing.folder,
        env={**os.environ, **playing.environment},
        capture_output=True,
        text=True,
    )

    assert run.returncode == code, run.stderr
    assert run.stderr == ("paircard: no space left on device\n" if code else "")


@pytest.mark.parametrize("command", ["player import -", "announce -", "result 1 --file -", "number --file -"])
def test_a_closed_input_is_an_empty_file(playing: Terminal, command: str) -> None:
    run = subprocess.run(
        ["bash", "-c", f"{sys.executable} -m paircard.cli {command} <&-"],
        cwd=playing.folder,
        env={**os.environ, **playing.environment},
        capture_output=True,
        text=True,
    )

    assert run.returncode in (1, 2)
    assert run.stderr.startswith("paircard: ")
    assert "internal error" not in run.stderr


@pytest.mark.parametrize(
    ("command", "left"),
    [
        ("result 1 1 1-0", lambda t: "1-0" in t.ok("boards")),
        ("publish 2 --key a.key", lambda t: "1 checkpoint" in t.ok("log", "export", "b.bundle")),
        ("trf import r.trf", lambda t: t.ok("list").count("Open") == 2),
        ("log import o.bundle --db new.db", lambda t: "Open" in t.ok("list", "--db", "new.db")),
        ("move paircard.db new.db", lambda t: "Open" in t.ok("list", "--db", "new.db")),
        ("backup new.db", lambda t: "Open" in t.ok("list", "--db", "new.db")),
        ("restore copy.db", lambda t: (t.folder / "paircard.db.replaced-1").exists()),
        ("log export x.bundle", lambda t: (t.folder / "x.bundle").exists()),
        ("trf export -o x.trf", lambda t: (t.folder / "x.trf").exists()),
        ("tables read.db", lambda t: (t.folder / "read.db").exists()),
        ("tree publish --to tree --key a.key", lambda t: (t.folder / "tree" / "checkpoint").exists()),
        ("checkpoint --key a.key -o c.txt", lambda t: (t.folder / "c.txt").exists()),
    ],
)
def test_what_was_done_is_done_also_where_neither_answer_nor_trouble_can_be_written(
    playing: Terminal, command: str, left: Callable[[Terminal], bool]
) -> None:
    playing.ok("key", "new", "a", "-o", "a.key")
    playing.ok("backup", "copy.db")
    playing.ok("log", "export", "o.bundle")
    playing.ok("trf", "export", "-o", "r.trf")
    if command.startswith("publish"):
        playing.ok("result", "1", "1", "1-0", "2", "1-0")
        playing.ok("pair")

    run = subprocess.run(
        ["bash", "-c", f"{sys.executable} -m paircard.cli {command} > /dev/full 2> /dev/full"],
        cwd=playing.folder,
        env={**os.environ, **playing.environment},
    )

    assert run.returncode == 0
    assert left(playing)


def test_a_view_in_the_place_of_the_table_is_damage_and_no_internal_error(playing: Terminal) -> None:
    file = str(playing.folder / "paircard.db")
    by_hand(file, "ALTER TABLE stored_events RENAME TO elsewhere")
    by_hand(file, "CREATE VIEW stored_events AS SELECT * FROM elsewhere")

    for words in (("verify",), ("verify", "--all"), ("doctor",), ("result", "1", "1", "1-0")):
        done = playing.run(*words)
        assert done.code == 1
        assert "internal" not in done.out + done.err
        foreign = sentence("store.fault.foreign", kind="view", text="stored_events")
        assert foreign in done.out + done.err


@pytest.mark.parametrize("output", ["> /dev/full", ">&-", "| true"])
def test_the_exit_code_tells_whether_it_was_recorded_also_where_nothing_can_be_printed(
    playing: Terminal, output: str
) -> None:
    command = f"set -o pipefail; {sys.executable} -m paircard.cli"
    run = subprocess.run(
        ["bash", "-c", f"{command} result 1 1 1-0 {output}"],
        cwd=playing.folder,
        env={**os.environ, **playing.environment},
        capture_output=True,
        text=True,
    )

    assert run.returncode == 0, run.stderr
    assert "Traceback" not in run.stderr
    assert "internal error" not in run.stderr
    assert "1-0" in playing.ok("boards", "1")
    twice = subprocess.run(
        ["bash", "-c", f"{command} result 1 1 0-1 {output}"],
        cwd=playing.folder,
        env={**os.environ, **playing.environment},
        capture_output=True,
        text=True,
    )
    assert twice.returncode == 1


@pytest.mark.parametrize(
    "command",
    [
        "trf export -o old",
        "export pgn -o old",
        "export broadcast -o old",
        "export players -o old",
        "export results -o old",
        "export performance -o old",
        "generate old --players 8 --rounds 3 --seed 1",
    ],
)
def test_an_export_that_finds_no_room_leaves_the_old_file(playing: Terminal, command: str) -> None:
    playing.write("old", "what was there before")
    soft, hard = resource.getrlimit(resource.RLIMIT_FSIZE)
    with Tournaments(playing.folder / "paircard.db") as store:
        store.names()  # so that SQLite's own files are there
        resource.setrlimit(resource.RLIMIT_FSIZE, (10, hard))
        try:
            done = playing.run(*command.split())
        finally:
            resource.setrlimit(resource.RLIMIT_FSIZE, (soft, hard))

    assert (done.code, done.err) == (1, "paircard: old: file too large\n")
    assert (playing.folder / "old").read_text() == "what was there before"
    assert not list(playing.folder.glob(".*.draft"))
