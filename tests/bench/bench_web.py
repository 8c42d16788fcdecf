"""What `paircard serve` takes and how much it carries, one line per target and store.

    python tests/bench/bench_web.py [--players 300] [--rounds 6] [--feeds 1000] [--seconds 10]
        [--on sqlite,postgres]

A server of its own on 127.0.0.1, a tournament in its last round. CPU is the processor time of the server
alone. How long phones and arbiters wait is in ``bench_hall.py``, kills under load are in
``tests/web/test_crash.py``. What is counted by the second is true on an idle machine only: the load is
printed first and last.
"""

import argparse
import os
import resource
import selectors
import shutil
import socket
import sys
import tempfile
import threading
import time
from collections.abc import Callable
from concurrent.futures import ProcessPoolExecutor
from contextlib import ExitStack
from pathlib import Path
from typing import Any

ROOT = Path(__file__).parents[2]
sys.path[:0] = [
    str(ROOT / name) for name in ("domain", "projections", "pairing", "service", "cli", "web", ".")
]

from paircard.domain.log.store import prepare  # noqa: E402
from paircard.web.client import Client, ProblemAnswered  # noqa: E402
from tests import postgres  # noqa: E402
from tests.bench.bench_hall import cpu, line, play  # noqa: E402
from tests.web.running import Running, running  # noqa: E402


def memory(server: Running) -> float:
    """Megabytes in memory."""
    lines = Path(f"/proc/{server.process.pid}/status").read_text().splitlines()
    return int(next(line for line in lines if line.startswith("VmRSS")).split()[1]) / 1024


def spent(server: Running, times: int, work: Callable[[], object]) -> float:
    """Do it so often; CPU of the server for each in ms."""
    before = cpu(server.process.pid)
    for _ in range(times):
        work()
    return (cpu(server.process.pid) - before) / times * 1000


def result(round: int, board: int, outcome: str = "1-0") -> dict[str, Any]:
    return {"do": "record-result", "round": round, "board": board, "outcome": outcome}


def refused(client: Client, id: str, command: dict[str, Any]) -> None:
    try:
        client.send(id, command)
    except ProblemAnswered:
        return
    raise AssertionError("it was to be refused")


def write_for(seconds: float, base: str, key: str, id: str, players: int, me: int) -> int:
    """In a process of its own: four clients enter as fast as they are answered; how often."""
    end, done = time.monotonic() + seconds, [0] * 4

    def enter(n: int) -> None:
        with Client(base, key=key) as client:
            while time.monotonic() < end:
                changes = {"club": f"Club {me} {n} {done[n]}"}
                player = 1 + (done[n] * 16 + me * 4 + n) % players
                client.send(id, {"do": "correct-player", "player": player, "changes": changes}, why="list")
                done[n] += 1

    threads = [threading.Thread(target=enter, args=(n,)) for n in range(4)]
    for one in threads:
        one.start()
    for one in threads:
        one.join()
    return sum(done)


def read_for(seconds: float, port: int, path: str) -> int:
    """In a process of its own: eight connections that ask again as soon as they are answered; how often."""
    request = f"GET {path} HTTP/1.1\r\nHost: 127.0.0.1\r\nAccept-Encoding: gzip\r\n\r\n".encode()
    chosen, done, end = selectors.DefaultSelector(), 0, time.monotonic() + seconds
    lines = [socket.create_connection(("127.0.0.1", port)) for _ in range(8)]
    lines[0].sendall(request)
    time.sleep(0.5)
    length = len(lines[0].recv(1 << 20))
    left = dict.fromkeys(lines, length)
    for one in lines:
        chosen.register(one, selectors.EVENT_READ)
        one.sendall(request)
    while time.monotonic() < end:
        for event, _ in chosen.select(1):
            ready: Any = event.fileobj
            left[ready] -= len(ready.recv(65536))
            if left[ready] <= 0:
                done, left[ready] = done + 1, length
                ready.sendall(request)
    for one in lines:
        one.close()
    return done


def side_by_side(work: Callable[..., int], *args: Any, each: list[tuple[Any, ...]]) -> int:
    with ProcessPoolExecutor(len(each)) as pool:
        return sum(future.result() for future in [pool.submit(work, *args, *more) for more in each])


def tell_feeds(server: Running, client: Client, id: str, round: int, feeds: int) -> None:
    """So many follow the event; a result is entered, and all of them hear it."""
    before_memory = memory(server)
    request = f"GET /api/v1/tournaments/{id}/feed HTTP/1.1\r\nHost: 127.0.0.1\r\n\r\n".encode()
    chosen = selectors.DefaultSelector()
    lines = [socket.create_connection(("127.0.0.1", server.port)) for _ in range(feeds)]
    for one in lines:
        one.sendall(request)
        chosen.register(one, selectors.EVENT_READ)
    hear(chosen, feeds, b"retry:")
    time.sleep(1)
    each = (memory(server) - before_memory) * 1024 / feeds
    told, used = [], []
    for board in range(1, 6):
        before, began = cpu(server.process.pid), time.perf_counter()
        client.send(id, result(round, board))
        hear(chosen, feeds, b"result-recorded")
        told.append((time.perf_counter() - began) * 1000)
        used.append((cpu(server.process.pid) - before) / feeds * 1e6)
    for one in lines:
        one.close()
    line(f"{feeds} feeds are told", sorted(told)[len(told) // 2], "ms", 300, note=f"worst {max(told):.0f}")
    line("  CPU each", sum(used) / len(used), "µs", 40)
    line("  memory each", each, "kB", 25)


def hear(chosen: selectors.BaseSelector, feeds: int, word: bytes) -> None:
    """Wait until every feed has sent this word."""
    heard: dict[Any, bytes] = {}
    left = feeds
    while left:
        for event, _ in chosen.select(30):
            known = heard.get(event.fileobj, b"")
            if word not in known:
                part: Any = event.fileobj
                heard[part] = known + part.recv(65536)
                left -= word in heard[part]


def measured(server: Running, id: str, chosen: argparse.Namespace, least_commands: float) -> None:
    """One line after the other; 8 connections read, 16 clients in four processes write."""
    line("  memory", memory(server), "MB", 75)
    client, public = server.client(), server.anybody()
    tell_feeds(server, client, id, chosen.rounds, chosen.feeds)
    other = result(chosen.rounds, 1, "0-1")
    line("a refused result", spent(server, 100, lambda: refused(client, id, other)), "ms CPU", 3)
    path = f"/tournaments/{id}/rounds/{chosen.rounds}"
    tag = public.request("GET", path, b"").headers["etag"]
    again = {"if-none-match": tag}
    line("a 304", spent(server, 1000, lambda: public.request("GET", path, b"", again)), "ms CPU", 0.4)
    reads = side_by_side(read_for, chosen.seconds, server.port, f"/api/v1{path}", each=[()])
    line("cached reads in a second", reads / chosen.seconds, "/s", 2000, least=True)
    key, people = server.key_for(), chosen.players
    commands = side_by_side(
        write_for, chosen.seconds, server.base, key, id, people, each=[(me,) for me in range(4)]
    )
    line("commands in a second, 16 clients", commands / chosen.seconds, "/s", least_commands, least=True)
    print(f"end: {client.overview(id).version} facts, {memory(server):.0f} MB")


def main() -> None:
    parser = argparse.ArgumentParser()
    for name, default in (("players", 300), ("rounds", 6), ("feeds", 1000), ("seconds", 10)):
        parser.add_argument(f"--{name}", type=int, default=default)
    parser.add_argument("--on", default="sqlite,postgres")
    chosen = parser.parse_args()
    most = resource.getrlimit(resource.RLIMIT_NOFILE)[1]
    resource.setrlimit(resource.RLIMIT_NOFILE, (most, most))
    folder = Path(tempfile.mkdtemp())
    print(f"load {os.getloadavg()[0]:.1f}")
    try:
        for kind in chosen.on.split(","):
            with ExitStack() as opened:
                location = str(folder / "open.db")
                if kind == "postgres":
                    prepare(location := opened.enter_context(postgres.running()).fresh())
                id = play(location, chosen.players, chosen.rounds)
                server = opened.enter_context(running(location, folder / kind))
                print(kind)
                line("start", cpu(server.process.pid), "s CPU", 0.6)
                measured(server, id, chosen, 400 if kind == "sqlite" else 200)
    finally:
        shutil.rmtree(folder, ignore_errors=True)
    print(f"load {os.getloadavg()[0]:.1f}")


if __name__ == "__main__":
    main()
