"""The server killed under load: what was answered is there, once; feeds have no gap."""

import contextlib
import socket
import threading
import time
from itertools import count
from pathlib import Path
from random import Random

import pytest

from paircard.domain.log.store import Tournaments
from paircard.domain.values.regulations import Regulations
from paircard.web.client import Client, ProblemAnswered
from tests.web.running import Running

PLAYERS = 60


def event_in_play(client: Client) -> tuple[str, int]:
    """Round 1 of a tournament is published; its id and the number of boards."""
    id = client.open(Regulations(name="Under load", rounds=9)).id
    client.send(
        id,
        *({"do": "register-player", "details": {"name": f"Player {n}"}} for n in range(1, PLAYERS + 1)),
    )
    client.send(id, {"do": "draw-initial-colour", "colour": "w"})
    version = client.overview(id).version
    version = client.send(id, {"do": "pair-round", "round": 1}, expected=version).version
    client.send(id, {"do": "publish-round", "round": 1}, expected=version)
    return id, PLAYERS // 2


class Deputy(threading.Thread):
    """Somebody who enters and corrects results as fast as the server takes them, and resends."""

    def __init__(self, server: Running, id: str, boards: list[int], seed: int, version: int) -> None:
        super().__init__(daemon=True)
        self.id, self.boards, self.seed, self.version = id, boards, seed, version
        self.client = server.client(who=f"Deputy {seed}")
        self.ending = threading.Event()
        self.sent: dict[str, tuple[int, ...]] = {}
        """By key, the versions the server answered with."""
        self.trouble: list[str] = []

    def run(self) -> None:
        version = self.version
        for number in count():
            if self.ending.is_set():
                break
            board = self.boards[number % len(self.boards)]
            key = f"{self.seed}-{number}"
            outcome = ("1-0", "0-1")[number // len(self.boards) % 2]
            verb = "record-result" if number < len(self.boards) else "correct-result"
            command = {"do": verb, "round": 1, "board": board, "outcome": outcome}
            while True:
                try:
                    done = self.client.send(
                        self.id, command, why="score sheet", ack=("correction",), expected=version, id=key
                    )
                    version = done.version
                    self.sent[key] = tuple(fact.version for fact in done.facts)
                    break
                except OSError:
                    continue  # it takes longer to come back than a client is patient: the same again
                except ProblemAnswered as answered:
                    if answered.problem.status != 412:
                        self.trouble.append(str(answered))
                        return
                    version = int(answered.problem.version or 0)
                except Exception as other:
                    self.trouble.append(repr(other))
                    raise


class Ear(threading.Thread):
    """Somebody who follows the feed, and resumes where it broke off."""

    def __init__(self, server: Running, id: str) -> None:
        super().__init__(daemon=True)
        self.server, self.id = server, id
        self.heard: list[int] = []

    def run(self) -> None:
        for event in self.server.client(who="Ear").follow(self.id, after=0):
            self.heard.append(int(event.id))


def lasting_port() -> int:
    """A port that no caller is given by chance: one who calls a dead server could else take its place."""
    for port in range(12_000, 13_000):
        with contextlib.suppress(OSError), socket.create_server(("127.0.0.1", port)):
            return port
    raise AssertionError("no port is free")


def kill_under_load(location: str, log: Path, kills: int) -> tuple[int, int]:
    """Kill the server so often while four deputies write; how many requests and facts there were."""
    server = Running(location, log, port=lasting_port())
    anna = server.client()
    id, boards = event_in_play(anna)
    start = anna.overview(id).version
    rng = Random(7)
    share = [list(range(1 + n, boards + 1, 4)) for n in range(4)]
    deputies = [Deputy(server, id, mine, seed, start) for seed, mine in enumerate(share)]
    ear = Ear(server, id)
    for thread in (*deputies, ear):
        thread.start()
    for _ in range(kills):
        more = sum(len(deputy.sent) for deputy in deputies) + rng.randrange(1, 25)
        while sum(len(deputy.sent) for deputy in deputies) < more:
            assert not [line for deputy in deputies for line in deputy.trouble]
            time.sleep(0.005)
        server.kill()
        server.start()
    for deputy in deputies:
        deputy.ending.set()
    for deputy in deputies:
        deputy.join(60)
    assert not [line for deputy in deputies for line in deputy.trouble]
    with Tournaments(location) as store:
        facts = store.log(id)
        store.verify_chain(id)
    last = facts[-1].version
    end = time.monotonic() + 20
    while (not ear.heard or ear.heard[-1] < last) and time.monotonic() < end:
        time.sleep(0.05)
    assert ear.heard == list(range(1, last + 1)), "every fact was heard, once, in order"
    answered = {key: versions for deputy in deputies for key, versions in deputy.sent.items()}
    by_key: dict[str, list[int]] = {}
    for fact in facts[start:]:
        by_key.setdefault(fact.command_id.partition("/")[2], []).append(fact.version)
    recorded = {key: tuple(versions) for key, versions in by_key.items()}
    assert recorded == answered, "nothing lost, nothing twice"
    assert all(len(versions) == 1 for versions in by_key.values())
    for client in server.clients:
        client.close()
    server.stop()
    assert "Traceback" not in log.read_text()
    return len(answered), last


def test_four_kills_and_nothing_is_lost_or_twice(tmp_path: Path) -> None:
    requests, _ = kill_under_load(str(tmp_path / "open.db"), tmp_path / "log", 4)

    assert requests > 20


@pytest.mark.soak
def test_a_hundred_kills_and_nothing_is_lost_or_twice(tmp_path: Path) -> None:
    requests, facts = kill_under_load(str(tmp_path / "open.db"), tmp_path / "log", 100)

    print(f"100 kills: {requests} requests answered, {facts} facts, 0 lost, 0 twice, feed without gap")


@pytest.mark.soak
def test_kills_on_postgresql(location: str, tmp_path: Path) -> None:
    requests, facts = kill_under_load(location, tmp_path / "log", 20)

    print(f"20 kills: {requests} requests answered, {facts} facts, 0 lost, 0 twice, feed without gap")
