"""A command ended at every single call that writes: nothing answered is lost, nothing half done, none twice.

The calls are counted by a library that is preloaded into the command (``shim.c``, built here). So each kill
is at a chosen place between the first byte and the last sync, not at a moment that chance gave. Afterwards
the same command is sent again under its id: it must leave what an undisturbed one leaves, once.
"""

import json
import os
import shutil
import sqlite3
import subprocess
import sys
from collections.abc import Iterator
from contextlib import closing
from pathlib import Path

import msgspec
import pytest

from paircard.domain.log.backends.sqlite import FORMAT
from paircard.domain.log.reader import entry_of
from paircard.domain.log.store import Tournaments
from paircard.service.review.stores import look_through
from tests.audit.command_line import ok
from tests.roots import PYTHONPATH

KILLS = ("kill", "after", "half")
FAILURES = ("eio", "enospc")


class Ended(msgspec.Struct, frozen=True):
    """How a command ended."""

    code: int
    """Its exit code, or minus the signal."""
    out: str


class Commands:
    """Runs commands in processes that the library can end."""

    def __init__(self, shim: Path, folder: Path) -> None:
        self.count = folder / "calls"
        environment = {name: value for name, value in os.environ.items() if not name.startswith("PAIRCARD_")}
        self.process = subprocess.Popen(
            [sys.executable, "-m", "tests.scale.forked"],
            env=environment | {"PYTHONPATH": PYTHONPATH, "LD_PRELOAD": str(shim), "PAIRCARD_AS": "Anna"},
            stdin=subprocess.PIPE,
            stdout=subprocess.PIPE,
            text=True,
        )

    def run(self, path: Path, *words: str, at: int = 0, how: str = "kill") -> Ended:
        """One command on a file, ended at its n-th call; 0 leaves it alone."""
        assert self.process.stdin
        assert self.process.stdout
        names = {"PAIRCARD_DB": str(path), "SHIM_AT": str(at), "SHIM_HOW": how, "SHIM_COUNT": str(self.count)}
        print(json.dumps({"words": words, "environment": names}), file=self.process.stdin, flush=True)
        while not (line := self.process.stdout.readline()).startswith("{"):
            assert line, "the process that forks has ended"
        ended = msgspec.json.decode(line, type=Ended)
        assert "Traceback" not in ended.out, ended
        assert "internal error" not in ended.out, ended
        return ended

    def calls(self) -> int:
        """How many calls the last command made."""
        return int(self.count.read_text()) if self.count.exists() else 0


@pytest.fixture(scope="module")
def commands(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Commands]:
    compiler = shutil.which("cc") or shutil.which("gcc")
    if not compiler or sys.platform != "linux":
        pytest.skip("the library that ends a writer at a chosen call needs a C compiler on Linux")
    folder = tmp_path_factory.mktemp("shim")
    made, source = folder / "shim.so", Path(__file__).with_name("shim.c")
    subprocess.run([compiler, "-shared", "-fPIC", "-O1", "-o", str(made), str(source), "-ldl"], check=True)
    commands = Commands(made, folder)
    yield commands
    assert commands.process.stdin
    commands.process.stdin.close()
    commands.process.wait()
    assert commands.process.stdout
    commands.process.stdout.close()


class Case(msgspec.Struct, frozen=True):
    """A file, and a command for it."""

    file: Path
    words: tuple[str, ...]


def cases(folder: Path) -> Iterator[Case]:
    """One more player, three more, a round, its publication with a signed checkpoint, its results."""
    path = folder / "open.db"
    ok(path, "key", "new", "arbiter", "-o", str(folder / "a.key"))
    people = folder / "people.csv"
    people.write_text("name,rating\nOne,2100\nTwo,2000\nThree,1900\n")
    ok(path, "new", "Open", "--rounds", "5")
    ok(path, "player", "import", str(people))
    steps: list[tuple[str, ...]] = [
        ("player", "add", "Ada", "--rating", "2200"),
        ("player", "import", str(folder / "more.csv")),
        ("pair",),
        ("publish", "--key", str(folder / "a.key")),
        ("result", "1", "1", "1-0", "2", "1/2", "3", "0-1"),
    ]
    (folder / "more.csv").write_text("name,rating\nFour,1800\nFive,1700\n")
    ok(path, "draw", "--colour", "white")
    for step in steps:
        yield Case(path, step)
        ok(path, *step)


def copy_of(case: Case, to: Path, *, journal: bool) -> None:
    """A copy of the file; with its journal, as a crash leaves it, or without."""
    for end in ("", "-wal", "-shm"):
        Path(f"{to}{end}").unlink(missing_ok=True)
    with closing(sqlite3.connect(case.file, isolation_level=None)) as db:
        db.execute("PRAGMA wal_checkpoint(TRUNCATE)")
        if journal:
            db.execute(f"PRAGMA user_version={FORMAT}")  # a page in the journal
        shutil.copy(case.file, to)
        if journal:
            shutil.copy(f"{case.file}-wal", f"{to}-wal")


Content = tuple[int, int, int]
"""Facts, personal parts, checkpoints."""


def content_of(path: Path) -> Content:
    """What is in a file; whole, whatever happened to it."""
    with Tournaments(path) as store:
        ids, findings = look_through(store)
        assert findings == []
        [id] = ids
        length, _ = store.verify_chain(id)
        known = store.read(id)
        assert (store.entry(id), store.words(id)) == (entry_of(known.state, id, known.facts), known.words())
        return length, len([*store.backend.private_rows()]), len(store.backend.stored_checkpoints(id))


class Tally(msgspec.Struct):
    endings: int = 0
    kills: int = 0
    failures: int = 0
    """Commands that were refused by the disk and said so."""
    unknown: int = 0
    """Of these, on record all the same: the disk failed after the facts were in the journal."""
    repeats: int = 0
    """Sent again and answered as done: the first time was on record although nobody was told."""


def end_everywhere(
    commands: Commands,
    case: Case,
    to: Path,
    ways: tuple[str, ...],
    tally: Tally,
    *,
    journal: bool,
    step: int = 1,
) -> None:
    """End a command at each of its calls, or at every so many, in each way, then send it again."""
    words = (*case.words, "--id", "again")
    copy_of(case, to, journal=journal)
    before = content_of(to)
    copy_of(case, to, journal=journal)
    undisturbed = commands.run(to, *words)
    assert undisturbed.code == 0, undisturbed
    calls, after = commands.calls(), content_of(to)
    assert calls > 3, "the command wrote nothing"
    assert after > before
    for how in ways:
        for at in range(1, calls + 1, step):
            copy_of(case, to, journal=journal)
            ended = commands.run(to, *words, at=at, how=how)
            found = content_of(to)
            facts = found[:2]
            assert facts in (before[:2], after[:2]), (how, at, before, found, after, "half done")
            if ended.code == 0:
                assert found == after, (how, at, ended, "answered and lost")
            tally.endings += 1
            tally.kills += ended.code == -9
            tally.failures += ended.code == 1
            if ended.code == 1 and facts == after[:2]:
                tally.unknown += 1
                assert "nothing was recorded" not in ended.out, (how, at, ended)
                assert "recorded, but not finished" in ended.out or "publish" not in words, (how, at, ended)
            assert ended.code in (0, 1, -9), ended
            assert how in FAILURES or ended.code != 1, ended

            again = commands.run(to, *words)
            assert again.code == 0, (how, at, again)
            assert content_of(to) == after, (how, at, "sent again")
            tally.repeats += "nothing new" in again.out
            if "publish" in words:
                assert "for the pairing sheet" in again.out


def test_a_command_ended_at_chosen_calls_loses_nothing(commands: Commands, tmp_path: Path) -> None:
    tally = Tally()
    for case in cases(tmp_path):
        if case.words[0] in ("publish", "result"):
            end_everywhere(
                commands, case, tmp_path / "copy.db", ("after", "eio"), tally, journal=False, step=8
            )
    assert tally.kills > 5
    assert tally.failures


def end_in_turns(commands: Commands, folder: Path, ways: tuple[str, ...], endings: int) -> Tally:
    """All cases again and again, in turn on files with and without a journal, until there were so many."""
    tally, turn = Tally(), 0
    while tally.endings < endings:
        mine = folder / str(turn)
        mine.mkdir()
        for case in cases(mine):
            end_everywhere(commands, case, mine / "copy.db", ways, tally, journal=turn % 2 == 1)
        turn += 1
    print(f"\n{tally}: 0 lost, 0 partial, 0 twice")
    return tally


@pytest.mark.soak
def test_a_thousand_commands_killed_at_chosen_calls_lose_nothing(commands: Commands, tmp_path: Path) -> None:
    assert end_in_turns(commands, tmp_path, KILLS, 1000).kills >= 1000


@pytest.mark.soak
def test_a_disk_that_fails_at_any_call_loses_nothing(commands: Commands, tmp_path: Path) -> None:
    assert end_in_turns(commands, tmp_path, FAILURES, 400).failures > 200
