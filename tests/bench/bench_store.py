"""How fast the log is: appends at one fact per commit, and loading tournaments of some sizes.

Run by hand on an idle machine: PYTHONPATH=domain:. python tests/bench/bench_store.py
"""

import contextlib
import platform
import sqlite3
import statistics
import tempfile
import time
from collections.abc import Callable, Iterator
from pathlib import Path

from paircard.domain.commands import (
    Command,
    DrawInitialColour,
    Meta,
    OpenTournament,
    PairRound,
    PublishRound,
    RecordResult,
    RegisterPlayer,
)
from paircard.domain.log.store import Tournaments
from paircard.domain.values.players import Details
from paircard.domain.values.regulations import Regulations
from paircard.domain.values.results import OUTCOMES
from tests.cautions import codes_up_to

PLAYERS = 100
WHO = Meta(who="bench", when="2026-11-16T09:30:00Z", command_id="")


def meta(number: int) -> Meta:
    return Meta(who=WHO.who, when=WHO.when, command_id=f"bench-{number}", acknowledge=codes_up_to(3))


def commands(events: int) -> Iterator[Callable[[int], Command]]:
    """Commands of one fact each, nearly all of them results, for a tournament of this many facts."""
    names = iter(range(1, 10**9))
    rounds = max(1, (events - PLAYERS - 3) // (PLAYERS // 2 + 4) + 1)
    regulations = Regulations(name="Bench", rounds=min(rounds, 99))
    yield lambda _: OpenTournament(meta=meta(next(names)), regulations=regulations)
    for n in range(1, PLAYERS + 1):
        details = Details(name=f"Player {n:04}", rating=2500 - n, federation="ITA", fide_id=800000 + n)
        yield lambda _, d=details: RegisterPlayer(meta=meta(next(names)), details=d)  # type: ignore[misc]
    yield lambda _: DrawInitialColour(meta=meta(next(names)), colour="w")
    circle = list(range(1, PLAYERS + 1))
    for round in range(1, regulations.rounds + 1):
        half = PLAYERS // 2
        boards = tuple(zip(circle[:half], reversed(circle[half:]), strict=True))
        yield lambda version, r=round, b=boards: PairRound(  # type: ignore[misc]
            meta=meta(next(names)), round=r, boards=b, based_on=version, snapshot="a" * 64, engine="bench"
        )
        yield lambda _, r=round: PublishRound(meta=meta(next(names)), round=r)  # type: ignore[misc]
        for board in range(1, half + 1):
            yield lambda _, r=round, b=board: RecordResult(  # type: ignore[misc]
                meta=meta(next(names)), round=r, board=b, outcome=OUTCOMES[b % 3]
            )
        circle = [circle[0], circle[-1], *circle[1:-1]]


def fill(store: Tournaments, id: str, events: int) -> list[float]:
    """Seconds of each append until the tournament has this many facts."""
    taken: list[float] = []
    version = 0
    for make in commands(events):
        if version >= events:
            break
        command = make(version)
        start = time.perf_counter()
        version = store.ask(id, command).state.version
        taken.append(time.perf_counter() - start)
    return taken


def floor(path: Path, rows: int) -> float:
    """Commits per second of SQLite alone, one row each, on this disk at this moment."""
    with contextlib.closing(sqlite3.connect(path, isolation_level=None)) as db:
        db.execute("PRAGMA journal_mode=WAL")
        db.execute("PRAGMA synchronous=FULL")
        db.execute("CREATE TABLE floor (id TEXT, version INTEGER, topic TEXT, state BLOB)")
        db.execute("CREATE UNIQUE INDEX place ON floor (id, version)")
        start = time.perf_counter()
        for version in range(rows):
            db.execute("BEGIN")
            db.execute("INSERT INTO floor VALUES ('1', ?, 'result-recorded/1', ?)", (version, b"x" * 330))
            db.execute("COMMIT")
        return rows / (time.perf_counter() - start)


def main() -> None:
    print(f"Python {platform.python_version()}, SQLite {sqlite3.sqlite_version}, {platform.machine()}")
    with tempfile.TemporaryDirectory() as folder:
        print(f"SQLite alone           : {floor(Path(folder) / 'floor.db', 1000):7.0f} commits/s")
        path = Path(folder) / "bench.db"
        ids = {}
        with Tournaments(path, create=True) as store:
            for events in (100, 1000, 5000):
                ids[events] = f"{events:032x}"
                taken = fill(store, ids[events], events)
                p99 = sorted(taken)[len(taken) * 99 // 100]
                print(
                    f"append to {events:5} facts: {len(taken) / sum(taken):7.0f} commands/s, "
                    f"p50 {statistics.median(taken) * 1e3:.2f} ms, p99 {p99 * 1e3:.2f} ms"
                )
        for events, id in ids.items():
            loads = []
            for _ in range(15):
                with Tournaments(path) as store:
                    store.last_position()  # opening the file is not loading
                    start = time.perf_counter()
                    store.state(id)
                    loads.append(time.perf_counter() - start)
            median, best = statistics.median(loads) * 1e3, min(loads) * 1e3
            print(f"load   of {events:5} facts: {median:7.2f} ms, best {best:.2f} ms, chain checked")
        with Tournaments(path) as store:
            start = time.perf_counter()
            count = len(store.tournaments())
            print(f"list   of {count:5} tournaments: {(time.perf_counter() - start) * 1e3:.2f} ms")
            start = time.perf_counter()
            read = len(store.notifications(limit=10**6))
            print(f"read   of {read:5} facts in total order: {(time.perf_counter() - start) * 1e3:.1f} ms")


if __name__ == "__main__":
    main()
