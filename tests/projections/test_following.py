"""Read tables that follow the log, on a file and on PostgreSQL alike."""

import itertools
import os
import signal
import subprocess
import sys
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path

from paircard.domain.log.store import Tournaments
from paircard.domain.proof.doctor import BAD, CARE, GOOD
from paircard.projections.runner import Runner
from paircard.projections.tables import ReadTables, how_far
from tests.projections.test_tables import opening, two_tournaments
from tests.read_tables import catch_up, contents, follow
from tests.refusals import sentence
from tests.roots import PYTHONPATH
from tests.signals import interruptible


def test_tables_that_follow_the_log_equal_a_rebuild(location: str, tmp_path: Path) -> None:
    with Tournaments(location, create=True) as log, Tournaments(location) as reader:
        with ThreadPoolExecutor() as pool:
            writing = pool.submit(two_tournaments, log)
            for _, position in follow(reader, tmp_path / "live.db", batch=7):
                if writing.done() and position == log.last_position():
                    break
        catch_up(log, tmp_path / "zero.db")
    assert contents(tmp_path / "live.db") == contents(tmp_path / "zero.db")


def test_positions_may_have_gaps(location: str, tmp_path: Path) -> None:
    """PostgreSQL does not give the position of a refused fact to another."""
    with Tournaments(location, create=True) as one, Tournaments(location) as other:
        script = opening("Alpha", 4)
        for store, command in zip(itertools.cycle((one, other)), script, strict=False):
            store.ask("a" * 32, command)
            catch_up(one, tmp_path / "live.db", batch=1)
        catch_up(one, tmp_path / "zero.db")

        assert Runner(one, ReadTables(), tmp_path / "live.db").position() == one.last_position()
        assert one.last_position() == len(script) or ("://" in location and one.last_position() > len(script))
    assert contents(tmp_path / "live.db") == contents(tmp_path / "zero.db")


def test_the_doctor_knows_how_far_tables_are(tmp_path: Path) -> None:
    read = tmp_path / "read.db"
    with Tournaments(tmp_path / "log.db", create=True) as log:
        log.ask("c" * 32, opening("Gamma", 2)[0])
        assert how_far(log, read).state == BAD
        catch_up(log, read)
        assert how_far(log, read).state == GOOD
        log.ask("c" * 32, opening("Gamma", 2)[1])
        found = how_far(log, read)
        behind = sentence("tables.behind", path=str(read), number=log.last_position() - 1)
        assert (found.state, found.text) == (CARE, behind)
    with Tournaments(tmp_path / "other.db", create=True) as log:
        assert how_far(log, read).text == sentence("tables.another-log", path=str(read))


def test_the_command_follows_until_it_is_interrupted(tmp_path: Path) -> None:
    with Tournaments(tmp_path / "log.db", create=True) as log:
        log.ask("c" * 32, opening("Gamma", 2)[0])
        process = subprocess.Popen(
            [sys.executable, "-m", "paircard.cli", "tables", "read.db", "--follow", "--db", "log.db"],
            cwd=tmp_path,
            env=os.environ | {"PYTHONPATH": PYTHONPATH, "PYTHONUNBUFFERED": "1"},
            stdout=subprocess.PIPE,
            stderr=subprocess.STDOUT,
            text=True,
            preexec_fn=interruptible,
        )
        assert process.stdout is not None
        assert process.stdout.readline() == "read.db: 1 new fact, now at 1\n"
        log.ask("c" * 32, opening("Gamma", 2)[1])
        assert process.stdout.readline() == "read.db: 1 new fact, now at 2\n"
        process.send_signal(signal.SIGINT)

        assert process.communicate(timeout=600)[0] == ""
        assert process.returncode == 0
