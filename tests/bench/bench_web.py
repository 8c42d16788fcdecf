"""What a request costs the server: CPU per request, which a busy machine does not change much.

    python tests/bench/bench_web.py [PLAYERS] [ROUNDS]

A server of its own on 127.0.0.1, a tournament of 300 players and five rounds; one client.
"""

import os
import sys
import tempfile
import time
from collections.abc import Callable
from pathlib import Path

ROOT = Path(__file__).parents[2]
sys.path[:0] = [
    str(ROOT / name) for name in ("domain", "projections", "pairing", "service", "cli", "web", ".")
]

from paircard.domain.values.regulations import Regulations  # noqa: E402
from paircard.web.client import Client, ProblemAnswered  # noqa: E402
from tests.web.running import Running, running  # noqa: E402

OUTCOMES = ("1-0", "½-½", "0-1")
TICK = os.sysconf("SC_CLK_TCK")


def cpu(server: Running) -> float:
    """Seconds of CPU the server has used."""
    fields = Path(f"/proc/{server.process.pid}/stat").read_text().rpartition(")")[2].split()
    return (int(fields[11]) + int(fields[12])) / TICK


def memory(server: Running) -> float:
    """Megabytes in memory."""
    [line] = [
        one for one in Path(f"/proc/{server.process.pid}/status").read_text().splitlines() if "VmRSS" in one
    ]
    return int(line.split()[1]) / 1024


def measure(name: str, server: Running, times: int, work: Callable[[int], object]) -> None:
    """Do it so often; CPU of the server and time of the caller, per request."""
    before, waits = cpu(server), []
    for n in range(times):
        began = time.perf_counter()
        work(n)
        waits.append(time.perf_counter() - began)
    used = (cpu(server) - before) / times
    waits.sort()
    p50, p99 = waits[len(waits) // 2], waits[min(len(waits) - 1, round(len(waits) * 0.99))]
    print(
        f"{name:<38} {used * 1000:7.2f} ms CPU   p50 {p50 * 1000:6.1f}  p99 {p99 * 1000:6.1f} ms   n={times}"
    )


def refused(client: Client, id: str, command: dict[str, object], key: str) -> None:
    try:
        client.send(id, command, id=key)
    except ProblemAnswered:
        return
    raise AssertionError("it was to be refused")


def main(players: int, rounds: int) -> None:
    folder = Path(tempfile.mkdtemp())
    with running(str(folder / "open.db"), folder / "log") as server:
        print(f"start: {cpu(server):.2f} s CPU, {memory(server):.0f} MB; load {os.getloadavg()[0]:.1f}")
        client, public = server.client(), server.anybody()
        id = client.open(Regulations(name="Bench", rounds=9, tiebreaks=("BH/C1", "BH", "SB"))).id
        client.send(
            id,
            *(
                {"do": "register-player", "details": {"name": f"Player {n}", "rating": 2500 - n}}
                for n in range(players)
            ),
        )
        version = client.send(id, {"do": "draw-initial-colour", "colour": "w"}).version
        boards = players // 2
        for round in range(1, rounds + 1):
            version = client.send(id, {"do": "pair-round", "round": round}, expected=version).version
            version = client.send(id, {"do": "publish-round", "round": round}, expected=version).version
            if round < rounds:
                results = [
                    {
                        "do": "record-result",
                        "round": round,
                        "board": b,
                        "outcome": ("1-0", "½-½", "0-1")[b % 3],
                    }
                    for b in range(1, boards + 1)
                ]
                version = client.send(id, *results).version
        print(f"{version} facts, {memory(server):.0f} MB")
        last = {"do": "record-result", "round": rounds, "outcome": "1-0"}
        measure("a result", server, boards, lambda n: client.send(id, last | {"board": n + 1}))
        other = last | {"board": 1, "outcome": "0-1"}
        measure("a refused result", server, 100, lambda n: refused(client, id, other, f"no-{n}"))
        measure("the same request again", server, 100, lambda n: refused_or_same(client, id, last, boards))
        path = f"/tournaments/{id}/rounds/{rounds}"
        packed = {"accept-encoding": "gzip"}
        measure(
            "boards, public, cached, gzip", server, 1000, lambda n: public.request("GET", path, b"", packed)
        )
        tag = public.request("GET", path).headers["etag"]
        measure("304", server, 1000, lambda n: public.request("GET", path, b"", {"if-none-match": tag}))
        table = f"/tournaments/{id}/standings"
        measure("standings, cached, gzip", server, 300, lambda n: public.request("GET", table, b"", packed))

        def after_a_fact(n: int) -> None:
            client.send(
                id, {"do": "correct-player", "player": n + 1, "changes": {"club": f"Club {n}"}}, why="list"
            )
            public.request("GET", table, b"", packed)

        measure("a fact, then new standings", server, 20, after_a_fact)
        print(f"end: {memory(server):.0f} MB; load {os.getloadavg()[0]:.1f}")


def refused_or_same(client: Client, id: str, last: dict[str, object], boards: int) -> None:
    """The last result once more."""
    client.send(id, last | {"board": boards}, id="again")


if __name__ == "__main__":
    words = [int(word) for word in sys.argv[1:]]
    main(*(words + [300, 5][len(words) :]))
