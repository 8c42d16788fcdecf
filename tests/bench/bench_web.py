"""What `paircard serve` costs and how fast it answers, one line per target.

    python tests/bench/bench_web.py [--players 300] [--rounds 6] [--feeds 1000] [--kills 100] [--seconds 10]

A server of its own on 127.0.0.1, on SQLite and, where it is installed, on PostgreSQL; a tournament of 300
players with five rounds played and the sixth in play. CPU is that of the server process. Waiting times are
true on an idle machine only: the load is printed first and last.
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
from functools import partial
from pathlib import Path
from typing import Any

ROOT = Path(__file__).parents[2]
sys.path[:0] = [
    str(ROOT / name) for name in ("domain", "projections", "pairing", "service", "cli", "web", ".")
]

from paircard.domain.log.store import prepare  # noqa: E402
from paircard.domain.values.regulations import Regulations  # noqa: E402
from paircard.web.client import Client, ProblemAnswered  # noqa: E402
from tests import postgres  # noqa: E402
from tests.web.running import Running, running  # noqa: E402
from tests.web.test_crash import kill_under_load  # noqa: E402

OUTCOMES = ("1-0", "½-½", "0-1")
TICK = os.sysconf("SC_CLK_TCK")
PACKED = {"accept-encoding": "gzip"}


def cpu(server: Running) -> float:
    """Seconds of CPU the server has used."""
    fields = Path(f"/proc/{server.process.pid}/stat").read_text().rpartition(")")[2].split()
    return (int(fields[11]) + int(fields[12])) / TICK


def memory(server: Running) -> float:
    """Megabytes in memory."""
    lines = Path(f"/proc/{server.process.pid}/status").read_text().splitlines()
    return int(next(line for line in lines if line.startswith("VmRSS")).split()[1]) / 1024


def line(what: str, value: float, unit: str, target: float, *, least: bool = False, note: str = "") -> None:
    """One target: what was measured, what was wanted, and whether it was met."""
    met = value >= target if least else value <= target
    wanted = f"{'≥' if least else '≤'} {target:g}"
    verdict = "met" if met else "MISSED"
    print(f"{what:<36} {value:9.2f} {unit:<9} {wanted:>8}  {verdict:<7} {note}".rstrip(), flush=True)


def spent(server: Running, times: int, work: Callable[[int], object]) -> tuple[float, list[float]]:
    """Do it so often; CPU of the server for each in ms, and how long each took in ms, sorted."""
    before, waits = cpu(server), []
    for n in range(times):
        began = time.perf_counter()
        work(n)
        waits.append((time.perf_counter() - began) * 1000)
    return (cpu(server) - before) / times * 1000, sorted(waits)


def p99(waits: list[float]) -> float:
    return waits[min(len(waits) - 1, round(len(waits) * 0.99))]


def play(client: Client, players: int, rounds: int) -> str:
    """All rounds but the last are played, the last is published."""
    id = client.open(Regulations(name="Bench", rounds=9, tiebreaks=("BH/C1", "BH", "SB"))).id
    people = [{"name": f"Player {n}", "rating": 2500 - n} for n in range(players)]
    client.send(id, *({"do": "register-player", "details": one} for one in people))
    version = client.send(id, {"do": "draw-initial-colour", "colour": "w"}).version
    for round in range(1, rounds + 1):
        version = client.send(id, {"do": "pair-round", "round": round}, expected=version).version
        version = client.send(id, {"do": "publish-round", "round": round}, expected=version).version
        if round < rounds:
            results = [result(round, board, OUTCOMES[board % 3]) for board in range(1, players // 2 + 1)]
            version = client.send(id, *results).version
    return id


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
        before, began = cpu(server), time.perf_counter()
        client.send(id, result(round, board))
        hear(chosen, feeds, b"result-recorded")
        told.append((time.perf_counter() - began) * 1000)
        used.append((cpu(server) - before) / feeds * 1e6)
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


def sqlite(folder: Path, chosen: argparse.Namespace) -> None:
    with running(str(folder / "open.db"), folder / "log") as server:
        line("start", cpu(server), "s CPU", 0.6)
        line("  memory", memory(server), "MB", 60)
        client, public = server.client(), server.anybody()
        id = play(client, chosen.players, chosen.rounds)
        print(f"{client.overview(id).version} facts, {memory(server):.0f} MB")
        tell_feeds(server, client, id, chosen.rounds, chosen.feeds)
        results(client, id, chosen, 30, "SQLite")
        other = result(chosen.rounds, 1, "0-1")
        line("a refused result", spent(server, 100, lambda _: refused(client, id, other))[0], "ms CPU", 3)
        table, path = f"/tournaments/{id}/standings", f"/tournaments/{id}/rounds/{chosen.rounds}"

        def after_a_fact(n: int) -> float:
            changes = {"club": f"Club {n}"}
            client.send(id, {"do": "correct-player", "player": n + 1, "changes": changes}, why="list")
            began = time.perf_counter()
            public.request("GET", table, b"", PACKED)
            return (time.perf_counter() - began) * 1000

        waits = sorted(after_a_fact(n) for n in range(20))
        line("standings after a new fact", waits[10], "ms", 40, note=f"worst {waits[-1]:.0f}")
        ask = partial(public.request, "GET", path, b"")
        used, waits = spent(server, 1000, lambda _: ask(PACKED))
        line("boards, cached", used, "ms CPU", 0.4, note=f"p99 {p99(waits):.1f} ms")
        tag = ask({}).headers["etag"]
        line("  304", spent(server, 1000, lambda _: ask({"if-none-match": tag}))[0], "ms CPU", 0.4)
        reads = side_by_side(read_for, chosen.seconds, server.port, f"/api/v1{path}", each=[()])
        line("  read in a second", reads / chosen.seconds, "/s", 2000, least=True)
        key = server.key_for()
        commands = side_by_side(
            write_for, chosen.seconds, server.base, key, id, chosen.players, each=[(me,) for me in range(4)]
        )
        line("commands in a second, 16 clients", commands / chosen.seconds, "/s", 400, least=True)
        print(f"end: {client.overview(id).version} facts, {memory(server):.0f} MB")


def results(client: Client, id: str, chosen: argparse.Namespace, target: float, where: str) -> None:
    """Results at the pace of a hall: four in a second."""
    waits = []
    for board in range(6, min(chosen.players // 2, 6 + 4 * chosen.seconds)):
        began = time.perf_counter()
        client.send(id, result(chosen.rounds, board))
        waits.append((time.perf_counter() - began) * 1000)
        time.sleep(0.25)
    waits.sort()
    note = f"p50 {waits[len(waits) // 2]:.1f}, n={len(waits)}"
    line(f"a result, {where}, p99", p99(waits), "ms", target, note=note)


def postgresql(folder: Path, chosen: argparse.Namespace) -> None:
    with postgres.running() as database:
        location = database.fresh()
        prepare(location)
        with running(location, folder / "log-pg") as server:
            client = server.client()
            results(client, play(client, chosen.players, chosen.rounds), chosen, 60, "PostgreSQL")


def main() -> None:
    parser = argparse.ArgumentParser()
    for name, default in (("players", 300), ("rounds", 6), ("feeds", 1000), ("kills", 100), ("seconds", 10)):
        parser.add_argument(f"--{name}", type=int, default=default)
    chosen = parser.parse_args()
    most = resource.getrlimit(resource.RLIMIT_NOFILE)[1]
    resource.setrlimit(resource.RLIMIT_NOFILE, (most, most))
    folder = Path(tempfile.mkdtemp())
    print(f"load {os.getloadavg()[0]:.1f}")
    try:
        sqlite(folder, chosen)
        try:
            postgresql(folder, chosen)
        except postgres.Unavailable as reason:
            print(reason)
        if chosen.kills:
            answered, facts = kill_under_load(str(folder / "kills.db"), folder / "log-kills", chosen.kills)
            note = f"{answered} requests answered, {facts} facts, feed without gap"
            line(f"{chosen.kills} kills: lost or twice", 0, "requests", 0, note=note)
    finally:
        shutil.rmtree(folder, ignore_errors=True)
    print(f"load {os.getloadavg()[0]:.1f}")


if __name__ == "__main__":
    main()
