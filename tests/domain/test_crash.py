"""What was acknowledged is there after a crash, whole; two writers lose nothing of each other."""

import os
import random
import sqlite3
import subprocess
import sys
import time
from collections import Counter
from pathlib import Path

import pytest

from paircard.domain.commands import OpenTournament, RegisterPlayer
from paircard.domain.log.store import Tournaments
from paircard.domain.values.players import Details
from paircard.domain.values.regulations import Regulations
from tests.domain.scenes import ask
from tests.domain.writer import BATCH

ROOT = Path(__file__).parent.parent.parent
ONE = "1" * 32
START = 2
"""Facts before the writers begin."""


@pytest.fixture
def path(tmp_path: Path) -> Path:
    path = tmp_path / "events.db"
    with Tournaments(path, create=True) as store:
        opening = ask(
            OpenTournament, regulations=Regulations(name="Crash", rounds=5, tiebreaks=("OTHER_PLAYOFF",))
        )
        store.ask(ONE, opening, ask(RegisterPlayer, details=Details(name="A")))
    return path


def start_writer(path: Path, name: str, count: int) -> "subprocess.Popen[str]":
    return subprocess.Popen(
        [sys.executable, "-m", "tests.domain.writer", str(path), ONE, name, str(count)],
        cwd=ROOT,
        env={**os.environ, "PYTHONPATH": os.pathsep.join((str(ROOT / "domain"), str(ROOT)))},
        stdout=subprocess.PIPE,
        text=True,
    )


def kill_writers(path: Path, kills: int) -> None:
    rng = random.Random(20261116)
    for kill in range(kills):
        writer = start_writer(path, f"w{kill}", 10**6)
        assert writer.stdout is not None
        acknowledged = int(writer.stdout.readline().split()[1])
        time.sleep(rng.uniform(0, 0.15))
        writer.kill()
        for line in writer.stdout:
            if line.endswith("\n"):
                acknowledged = int(line.split()[1])
        writer.wait()
        writer.stdout.close()

        with Tournaments(path) as store:
            version = store.version(ONE)
            assert version >= acknowledged, "an acknowledged fact was lost"
            assert (version - START) % BATCH == 0, "a part of a command was written"
            assert store.verify_chain(ONE)[0] == version
    with sqlite3.connect(path) as db:
        assert db.execute("PRAGMA integrity_check").fetchone() == ("ok",)
    db.close()


def test_a_killed_writer_loses_nothing_acknowledged_and_leaves_nothing_half_done(path: Path) -> None:
    kill_writers(path, 4)


@pytest.mark.soak
def test_two_hundred_killed_writers_lose_nothing(path: Path) -> None:
    kill_writers(path, 200)


def test_two_processes_write_to_one_tournament_and_lose_nothing(path: Path) -> None:
    count = 25
    writers = [start_writer(path, name, count) for name in ("one", "other")]
    said = [writer.communicate(timeout=600)[0] for writer in writers]

    with Tournaments(path) as store:
        log = store.log(ONE)[START:]
        assert store.verify_chain(ONE)[0] == START + 2 * count * BATCH
    assert [writer.returncode for writer in writers] == [0, 0]
    assert all(len(text.splitlines()) == count for text in said)
    assert set(Counter(recorded.command_id for recorded in log).values()) == {BATCH}
    for name in ("one", "other"):
        mine = [recorded.command_id for recorded in log if recorded.who == name]
        assert mine == [f"{name}-{n}" for n in range(count) for _ in range(BATCH)], "in order"


def test_two_processes_that_send_the_same_commands_write_them_once(path: Path) -> None:
    writers = [start_writer(path, "same", 15) for _ in range(2)]
    for writer in writers:
        writer.communicate(timeout=600)

    with Tournaments(path) as store:
        assert store.version(ONE) == START + 15 * BATCH
    assert [writer.returncode for writer in writers] == [0, 0]
