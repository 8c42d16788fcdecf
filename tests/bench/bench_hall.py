"""A hall: everybody looks at their own page while results come in; one line per target, as ratios.

    python tests/bench/bench_hall.py [--players 2000] [--rounds 11] [--every 30] [--seconds 20] [--turns 3]

A server on 127.0.0.1 with the last round in play. In turns, four results a second are entered with nobody
looking, and while every player's phone asks for its own page once in ``--every`` seconds, at any moment; a
phone's wait counts from when it meant to ask, so it includes every queue. Then commands over HTTP beside the
service alone, and cached reads beside bare Starlette, in turns and by the processor time of the server.
Phones, server and press share the cores of this machine, and so does whatever else runs: the load is printed.
"""

import argparse
import asyncio
import json
import os
import random
import resource
import shutil
import socket
import subprocess
import sys
import tempfile
import time
from collections.abc import Callable
from concurrent.futures import ProcessPoolExecutor
from contextlib import suppress
from pathlib import Path
from statistics import median

ROOT = Path(__file__).parents[2]
sys.path[:0] = [
    str(ROOT / name) for name in ("domain", "projections", "pairing", "service", "cli", "web", ".")
]

from paircard.domain.commands import CorrectPlayer, RegisterPlayer  # noqa: E402
from paircard.domain.log.store import prepare  # noqa: E402
from paircard.domain.values.players import Changes, Details  # noqa: E402
from paircard.domain.values.regulations import Regulations  # noqa: E402
from paircard.service import Office, person  # noqa: E402
from tests import postgres  # noqa: E402
from tests.web.running import Running, running  # noqa: E402

ANNA = person("Anna Arbiter")
OUTCOMES = ("1-0", "½-½", "0-1")
BARE = """
import sys, uvicorn
from starlette.applications import Starlette
from starlette.responses import Response
from starlette.routing import Route
body = sys.stdin.buffer.read()
async def page(request): return Response(body, media_type="application/json")
app = Starlette(routes=[Route("/{rest:path}", page)])
uvicorn.run(app, port=int(sys.argv[1]), log_level="error", access_log=False)
"""


def play(path: Path | str, players: int, rounds: int) -> str:
    """All rounds but the last are played, the last is published."""
    chosen = random.Random(1)
    with Office.create(path) as office:
        t = office.new(Regulations(name="Hall", rounds=rounds, tiebreaks=("BH/C1", "BH", "SB")), by=ANNA)
        people = [Details(name=f"Player {n:04d}, Pat", rating=2500 - n // 2) for n in range(players)]
        t.ask(*(RegisterPlayer(details=one) for one in people), by=ANNA)
        t.draw_colour("w", by=ANNA)
        for round in range(1, rounds + 1):
            boards = len(t.pair(by=ANNA).round.boards)
            t.publish(by=ANNA)
            if round < rounds:
                t.record(round, {at: chosen.choice(OUTCOMES) for at in range(1, boards + 1)}, by=ANNA)
        return t.id


class Line:
    """One connection that stays open, and as little else as possible."""

    def __init__(self, port: int) -> None:
        self.socket = socket.create_connection(("127.0.0.1", port))
        self.file = self.socket.makefile("rb")

    def ask(self, method: str, path: str, body: bytes = b"", **headers: str) -> tuple[int, bytes]:
        self.send(method, path, body, **headers)
        return self.answer()

    def send(self, method: str, path: str, body: bytes = b"", **headers: str) -> None:
        sent = {"Host": "127.0.0.1", "Content-Length": str(len(body)), "Accept-Encoding": "gzip", **headers}
        lines = "".join(f"{name.replace('_', '-')}: {value}\r\n" for name, value in sent.items())
        self.socket.sendall(f"{method} {path} HTTP/1.1\r\n{lines}\r\n".encode() + body)

    def answer(self) -> tuple[int, bytes]:
        status, length = int(self.file.readline().split()[1]), 0
        while (header := self.file.readline()) != b"\r\n":
            if header.lower().startswith(b"content-length:"):
                length = int(header.split(b":")[1])
        return status, self.file.read(length)


def cpu(pid: int) -> float:
    """Seconds of processor time of a process and of those it started, as the scheduler counts them."""
    used = 0.0
    for thread in Path(f"/proc/{pid}/task").iterdir():
        with suppress(OSError):  # it has just ended
            used += int((thread / "schedstat").read_text().split()[0]) / 1e9
            used += sum(map(cpu, map(int, (thread / "children").read_text().split())))
    return used


def line(what: str, value: float, unit: str, target: float, *, least: bool = False, note: str = "") -> None:
    """One target: what was measured, what was wanted, and whether it was met."""
    met = value >= target if least else value <= target
    wanted = f"{'≥' if least else '≤'} {target:g}"
    verdict = "met" if met else "MISSED"
    print(f"{what:<36} {value:9.2f} {unit:<9} {wanted:>8}  {verdict:<7} {note}".rstrip(), flush=True)


def p99(waits: list[float]) -> float:
    return waits[min(len(waits) - 1, round(len(waits) * 0.99))]


def look(port: int, id: str, players: int, every: float, end: float) -> tuple[list[float], int]:
    """In a process of its own: all phones; how long each page took in ms, and how many were refused."""
    waits: list[float] = []
    wrong = 0

    async def phone(player: int) -> None:
        nonlocal wrong
        path = f"/tournaments/{id}/players/p{player}"
        asked = f"GET {path} HTTP/1.1\r\nHost: 127.0.0.1\r\nAccept-Encoding: gzip\r\n\r\n".encode()
        due = time.time() + random.uniform(0, every)
        while due < end:
            await asyncio.sleep(max(0.0, due - time.time()))
            reader, writer = await asyncio.open_connection("127.0.0.1", port)
            writer.write(asked)
            head = await reader.readuntil(b"\r\n\r\n")
            length = int(head.lower().partition(b"content-length:")[2].split()[0])
            await reader.readexactly(length)
            waits.append((time.time() - due) * 1000)
            wrong += b" 200 " not in head[:16]
            due += every
            writer.close()

    async def hall() -> None:
        await asyncio.gather(*(phone(player) for player in range(1, players + 1)))

    asyncio.run(hall())
    return waits, wrong


def enter(server: Running, id: str, key: str, round: int, boards: list[int], end: float) -> list[float]:
    """Four results a second until the end; how long each took in ms."""
    desk, waits = Line(server.port), []
    due = time.time()
    while due < end and boards:
        time.sleep(max(0.0, due - time.time()))
        waits.append(send(desk, id, key, result(round, boards.pop())))
        due = max(due + 0.25, time.time())
    return waits


def result(round: int, board: int) -> dict[str, object]:
    return {"do": "record-result", "round": round, "board": board, "outcome": random.choice(OUTCOMES)}


def send(desk: Line, id: str, key: str, command: dict[str, object]) -> float:
    """One command; how long it took in ms."""
    body = json.dumps({"commands": [command], "why": "list"}).encode()
    began = time.perf_counter()
    status, answer = desk.ask(
        "POST",
        f"/api/v1/tournaments/{id}/commands",
        body,
        Authorization=f"Bearer {key}",
        Idempotency_Key=f"{random.getrandbits(60):x}",
        Content_Type="application/json",
    )
    assert status == 201, answer
    return (time.perf_counter() - began) * 1000


def hall(server: Running, id: str, chosen: argparse.Namespace) -> None:
    """Results with nobody looking and with everybody, in turns."""
    key, boards = server.key_for(), list(range(1, chosen.players // 2 + 1))
    random.shuffle(boards)
    Line(server.port).ask("GET", f"/tournaments/{id}/players/p1")  # what was never made is not the question
    alone: list[float] = []
    among: list[float] = []
    pages: list[float] = []
    refused, used = 0, 0.0
    with ProcessPoolExecutor(1) as pool:
        for _ in range(chosen.turns):
            alone += enter(server, id, key, chosen.rounds, boards, time.time() + chosen.seconds)
            before, end = cpu(server.process.pid), time.time() + chosen.seconds + chosen.settle
            phones = pool.submit(look, server.port, id, chosen.players, chosen.every, end)
            time.sleep(chosen.settle)
            among += enter(server, id, key, chosen.rounds, boards, end)
            waits, wrong = phones.result()
            pages, refused = pages + waits, refused + wrong
            used += cpu(server.process.pid) - before
    for waits in (alone, among, pages):
        waits.sort()
    assert not refused, f"{refused} pages were refused"
    seconds = chosen.turns * (chosen.seconds + chosen.settle)
    told = f"p50 {median(among):.1f} and {median(alone):.1f}, p99 {p99(among):.1f} and {p99(alone):.1f} ms"
    line("results with phones, p99 to without", p99(among) / p99(alone), "×", 3, note=told)
    told = f"p50 {median(pages):.1f}, {len(pages) / seconds:.0f} pages/s, {used / seconds:.2f} cores"
    line(f"{chosen.players} phones, pages p99", p99(pages), "ms", 300, note=told)


def beside(turns: int, one: Callable[[], float], other: Callable[[], float]) -> tuple[float, float]:
    """Two measures in turns; the median of each."""
    found = [(one(), other()) for _ in range(turns)]
    return median(mine for mine, _ in found), median(theirs for _, theirs in found)


def commands(server: Running, folder: Path, id: str, chosen: argparse.Namespace) -> None:
    """A command over HTTP, by the server's processor time, beside the same through the service here."""
    key, desk, times = server.key_for(), Line(server.port), 100
    shutil.copy(folder / "small.db", folder / "alone.db")
    with Office.open(folder / "alone.db") as office:
        t = office.tournament()

        def over_http() -> float:
            before = cpu(server.process.pid)
            for n in range(times):
                changes = {"club": f"{n} {random.random()}"}
                send(desk, id, key, {"do": "correct-player", "player": 1 + n, "changes": changes})
            return (cpu(server.process.pid) - before) / times * 1000

        def by_service() -> float:
            before = time.process_time()
            for n in range(times):
                changes = Changes(club=f"{n} {random.random()}")
                t.ask(CorrectPlayer(player=1 + n, changes=changes), by=ANNA.because("list"))
            return (time.process_time() - before) / times * 1000

        by_service()
        mine, theirs = beside(chosen.turns * 2, over_http, by_service)
    told = f"{mine:.2f} and {theirs:.2f} ms CPU"
    line("a command over HTTP to the service", mine / theirs, "×", 2.5, note=told)


TOGETHER = 8
"""Phones that ask at the same moment."""


def reads(server: Running, id: str, chosen: argparse.Namespace, of: str = "") -> None:
    """Cached reads beside Starlette that sends the same bytes: of phones that ask together, and of one."""
    path = f"/api/v1/tournaments/{id}/rounds/1"
    body = Line(server.port).ask("GET", path)[1]
    with socket.socket() as free:
        free.bind(("127.0.0.1", 0))
        port = free.getsockname()[1]
    bare = subprocess.Popen([sys.executable, "-c", BARE, str(port)], stdin=subprocess.PIPE)
    assert bare.stdin is not None
    bare.stdin.write(body)
    bare.stdin.close()
    while True:
        try:
            Line(port)
            break
        except OSError:
            time.sleep(0.1)

    def asked(port: int, pid: int, phones: int) -> Callable[[], float]:
        lines = [Line(port) for _ in range(phones)]

        def work(times: int = 500) -> float:
            before = cpu(pid)
            for _ in range(times):
                for one in lines:
                    one.send("GET", path)
                for one in lines:
                    one.answer()
            return (cpu(pid) - before) / times / phones * 1e6

        work(100)
        return work

    def both(phones: int) -> tuple[float, float]:
        of_ours = asked(server.port, server.process.pid, phones)
        return beside(chosen.turns, of_ours, asked(port, bare.pid, phones))

    try:
        (mine, floor), (alone, floor_alone) = both(TOGETHER), both(1)
        told = f"{mine:.0f} and {floor:.0f} µs CPU; of a phone alone × {alone / floor_alone:.1f}"
        line(f"{TOGETHER} cached reads{of} to bare Starlette", mine / floor, "×", 4, note=told)
    finally:
        bare.kill()
        bare.wait()


def main() -> None:
    parser = argparse.ArgumentParser()
    usual = {"players": 2000, "rounds": 11, "every": 30, "seconds": 20, "settle": 3, "turns": 3}
    for name, default in usual.items():
        parser.add_argument(f"--{name}", type=int, default=default)
    chosen = parser.parse_args()
    most = resource.getrlimit(resource.RLIMIT_NOFILE)[1]
    resource.setrlimit(resource.RLIMIT_NOFILE, (most, most))
    folder = Path(tempfile.mkdtemp())
    print(f"load {os.getloadavg()[0]:.1f}, {os.cpu_count()} cores")
    try:
        small = play(folder / "small.db", 300, 3)
        shutil.copy(folder / "small.db", folder / "open.db")
        with running(str(folder / "open.db"), folder / "log-small") as server:
            commands(server, folder, small, chosen)
            reads(server, small, chosen)
        with postgres.running() as database:  # of which each read asks once, by processor time of ours alone
            prepare(where := database.fresh())
            small = play(where, 300, 3)
            with running(where, folder / "log-postgres") as server:
                reads(server, small, chosen, " (PostgreSQL)")
        large = play(folder / "hall.db", chosen.players, chosen.rounds)
        print(f"{chosen.players} players, round {chosen.rounds}, load {os.getloadavg()[0]:.1f}", flush=True)
        with running(str(folder / "hall.db"), folder / "log") as server:
            hall(server, large, chosen)
    finally:
        shutil.rmtree(folder, ignore_errors=True)
    print(f"load {os.getloadavg()[0]:.1f}")


if __name__ == "__main__":
    main()
