"""Killed writers, killed projectors, a server that stops dead: nothing acknowledged is lost or half done."""

import os
import random
import signal
import sqlite3
import time
from collections import Counter
from contextlib import closing
from functools import partial
from pathlib import Path

import pytest

from paircard.domain.log.store import Tournaments
from paircard.domain.proof.doctor import BAD, examine
from paircard.projections.tables import KEYS
from tests.domain.writer import BATCH, batch
from tests.postgres import Server
from tests.read_tables import catch_up, follow
from tests.scale.children import Child, Say
from tests.scale.events import opening

START = 4
"""Facts of a tournament before the writers begin."""
LIVES = 10
"""Writers one after the other in one tournament."""


def write(location: str, id: str, name: str, pause: float, say: Say) -> None:
    """Commands of seven facts each, each said as soon as it is acknowledged."""
    with Tournaments(location, patience=90) as store:
        store.ask(id, *opening(f"Open {id[-4:]}", 2, 3))
        say("ready")
        for number in range(10**6):
            answer = store.ask(id, *batch(name, number))
            say(f"{name}-{number} {answer.recorded[-1].version}")
            time.sleep(pause)


def project(location: str, tables: Path, say: Say) -> None:
    """Follows the log into read tables."""
    with Tournaments(location, patience=90) as store:
        say("ready")
        for _ in follow(store, tables, batch=20):
            pass


def contents(path: Path) -> dict[str, list[tuple[object, ...]]]:
    with closing(sqlite3.connect(path)) as db:
        return {name: sorted(db.execute(f"SELECT * FROM {name}").fetchall()) for name in KEYS}


def check_log(location: str, id: str, acknowledged: list[str]) -> int:
    """Every acknowledged command is there with all its facts, once; the chain is whole."""
    with Tournaments(location) as store:
        length, _ = store.verify_chain(id)
        assert (length - START) % BATCH == 0, "a part of a command was written"
        found = [recorded.command_id for recorded in store.log(id)[START:]]
    assert set(Counter(found).values()) <= {BATCH}, "a command was recorded twice"
    for line in acknowledged:
        name, version = line.split()
        last = int(version) - START
        assert found[last - BATCH : last] == [name] * BATCH, "an answer was lost"
    return length


def check_tables(location: str, tables: Path) -> int:
    """What the projectors left, caught up, is what a rebuild makes."""
    zero = tables.with_name("zero.db")
    with Tournaments(location) as store:
        catch_up(store, tables)
        catch_up(store, zero, rebuild=zero.exists())
        facts = store.last_position()
    assert contents(tables) == contents(zero)
    return facts


def kill_both(folder: Path, kills: int, seed: int) -> str:
    """A writer and a projector at once, again and again, each killed at a moment of its own."""
    location, tables = str(folder / "events.db"), folder / "read.db"
    Tournaments(location, create=True).close()
    chance = random.Random(seed)
    acknowledged: list[str] = []
    answers = facts = 0
    for life in range(kills // 2):
        id = f"{life // LIVES:032x}"
        if life % LIVES == 0:
            acknowledged = []
        children = [
            Child(partial(write, location, id, f"w{life}", 0.005)),
            Child(partial(project, location, tables)),
        ]
        for child in children:
            assert child.next_line() == "ready"
        for child in chance.sample(children, 2):
            time.sleep(chance.uniform(0, 0.08))
            child.kill()
        for child, mine in zip(children, (acknowledged, []), strict=True):
            code, lines = child.end()
            assert code == -signal.SIGKILL
            mine += lines
            answers += len(lines)
        check_log(location, id, acknowledged)
        if life % 100 == 99 or life == kills // 2 - 1:
            facts = check_tables(location, tables)
    assert not [finding for finding in examine(location) if finding.state == BAD]
    assert not list(folder.glob(".*")), "no drafts are left behind"
    return f"{kills} kills, {answers} acknowledged commands, {facts} facts: 0 lost, 0 partial, tables equal"


def stop_dead(server: Server, location: str, folder: Path, stops: int, writers: int, seed: int) -> str:
    """Stop the server as a power cut would, under load; the writers go on when it is back."""
    chance = random.Random(seed)
    tables = folder / "read.db"
    ids = [f"{number:032x}" for number in range(1, writers // 2 + 1)] * 2  # two write to each tournament
    said = [folder / f"writer {number}" for number in range(len(ids))]
    children = []
    for number, (id, file) in enumerate(zip(ids, said, strict=True)):
        children.append(Child(partial(write_to_file, location, id, f"w{number}", file)))
    children.append(Child(partial(project, location, tables)))
    for child in children:
        assert child.next_line() == "ready"
    down = 0.0
    for _ in range(stops):
        time.sleep(chance.uniform(0.1, 0.8))
        start = time.monotonic()
        server.stop("immediate")
        server.start()
        down += time.monotonic() - start
    time.sleep(0.5)
    for child in children:
        child.kill()
    for child in children:
        code, _ = child.end()
        assert code == -signal.SIGKILL, "everybody went on after each stop"
    answers = 0
    for id in set(ids):
        lines = [line for mine, file in zip(ids, said, strict=True) if mine == id for line in whole(file)]
        answers += len(lines)
        check_log(location, id, lines)
    facts = check_tables(location, tables)
    assert not [finding for finding in examine(location) if finding.state == BAD]
    return (
        f"{stops} immediate stops, {answers} acknowledged commands, {facts} positions: "
        f"0 lost, 0 partial, tables equal; down {down / stops:.1f} s each"
    )


def write_to_file(location: str, id: str, name: str, file: Path, say: Say) -> None:
    """As ``write``, for more answers than a pipe holds."""
    with file.open("w", buffering=1) as out:

        def tell(line: str) -> None:
            if line == "ready":
                say(line)
            else:
                print(line, file=out)

        write(location, id, name, 0.02, tell)


def whole(file: Path) -> list[str]:
    return file.read_text().split("\n")[:-1]


def test_killed_writers_and_projectors_lose_nothing(tmp_path: Path) -> None:
    kill_both(tmp_path, kills=24, seed=1)


def test_a_server_that_stops_dead_loses_nothing(server: Server, tmp_path: Path) -> None:
    stop_dead(server, prepared(server), tmp_path, stops=2, writers=2, seed=1)


def prepared(server: Server) -> str:
    from paircard.domain.log.store import prepare

    url = server.fresh()
    prepare(url)
    return url


@pytest.mark.soak
def test_a_thousand_kills_of_writers_and_projectors_lose_nothing(tmp_path: Path) -> None:
    print("\n" + kill_both(tmp_path, kills=int(os.environ.get("PAIRCARD_KILLS", "1000")), seed=2))


@pytest.mark.soak
def test_fifty_immediate_stops_of_postgresql_under_load_lose_nothing(server: Server, tmp_path: Path) -> None:
    stops = int(os.environ.get("PAIRCARD_STOPS", "50"))
    print("\n" + stop_dead(server, prepared(server), tmp_path, stops=stops, writers=4, seed=2))
