"""How long round 6 of 9 takes, by size of the field, beside other engines on the same tournaments.

    python tests/bench/bench_pairing.py [--sizes 30,100,300,1000,3000,9999] [--bbp6 PATH] [--bbp5 PATH]
        [--javafo CMD] [--py4swiss PYTHON] [--edition E] [--repeat N] [--limit SECONDS]
        [--peers-up-to SIZE] [--json OUT]

Seeded tournaments, with byes and forfeits, are played to round 5 by our engine. Then round 6 is timed:
ours inside this process, from a snapshot to the paired round, reading and preparing apart; a peer as a
whole process, less what it takes for four players. Processor time is compared; the smallest of some
repeats is taken of each tournament, on both sides, then the median over the tournaments. p95 is of all
single runs. A peer that needs more than the limit is stopped and left out of larger fields.
"""

import gc
import json
import math
import statistics
import sys
import tempfile
import time
from argparse import ArgumentParser
from collections.abc import Callable
from itertools import pairwise
from pathlib import Path
from typing import Any

ROOT = Path(__file__).parents[2]
sys.path[:0] = [
    str(ROOT),
    *(str(ROOT / name) for name in ("domain", "projections", "pairing", "service", "cli")),
]

import msgspec  # noqa: E402

from paircard.pairing import ENGINE, NoLegalRound, Pairing, pair  # noqa: E402
from paircard.pairing.dutch.editions import EDITIONS  # noqa: E402
from paircard.pairing.lab.check import boards_from  # noqa: E402
from paircard.pairing.lab.simulate import Settings, simulate  # noqa: E402
from paircard.projections.round.crosstable import Boards, Crosstable  # noqa: E402
from paircard.projections.round.snapshot import Snapshot, snapshot  # noqa: E402
from paircard.projections.trf import crosstable, parse  # noqa: E402
from tests.bench.peers import (  # noqa: E402
    ENVIRONMENT,
    Peer,
    add_peers,
    at_percent,
    best,
    given_peers,
    load,
    machine,
    report,
    seconds,
    startup,
    timed,
)

SIZES = (30, 100, 300, 1000, 3000, 9999)
ROUND, ROUNDS = 6, 9
TARGETS = {30: 1, 100: 5, 300: 25, 1000: 200}
"""Times as fast as the fastest peer (issue 7)."""
BBP6_TARGETS = {100: 1, 1000: 20}
"""Times as fast as bbpPairings 6 (issue 3)."""
ENOUGH = 2
"""Seconds of processor time a peer takes at one size before no further tournament is begun."""
STEEPEST = 1.3
MOST_MEMORY = 500

MEMORY = """
import resource, sys
from itertools import pairwise
from pathlib import Path
from paircard.pairing import pair
from paircard.projections.round.snapshot import snapshot
from paircard.projections.trf import crosstable, parse
def peak():
    return resource.getrusage(resource.RUSAGE_SELF).ru_maxrss
state = snapshot(crosstable(parse(Path(sys.argv[1]).read_text())), int(sys.argv[2]), sys.argv[3])
prepared = peak()
pair(state)
Path(sys.argv[4]).write_text(f"{prepared} {peak()}")
"""


class Ours(msgspec.Struct, frozen=True, kw_only=True):
    """Our engine at one size; seconds of processor time unless it says wall."""

    tournaments: int
    pairing: float
    p95: float
    wall: float
    reading: float
    """From the text of the report to the snapshot."""


class Theirs(msgspec.Struct, frozen=True, kw_only=True):
    """A peer at one size."""

    pairing: float
    """Less start-up; of a run that was stopped, as far as it came."""
    whole: float
    wall: float
    tournaments: int
    stopped: bool = False
    differ: int | None = None
    """Tournaments it pairs otherwise; None if its rules are another edition's."""


def before_round(players: int, seed: int, edition: str) -> Crosstable:
    """A tournament played to the round that is timed, with the byes known for it."""

    def choose(table: Crosstable, round: int, edition: str) -> Pairing:
        if round == ROUND:
            raise NoLegalRound("pairing.no-legal-round")
        return pair(snapshot(table, round, edition))

    # py4swiss refuses a board of ½-0
    settings = Settings(players=players, rounds=ROUNDS, edition=edition, odd_results=())
    played = simulate(settings, seed, choose)
    assert played.stopped == ROUND, f"seed {seed} stops at round {played.stopped}"
    return played.table


def spent(work: Callable[[], object], repeat: int) -> tuple[list[float], list[float]]:
    """Processor time and wall time of each repeat; what the bench itself holds is not collected again."""
    cpu, wall = [], []
    for _ in range(repeat):
        gc.collect()
        gc.freeze()
        start, clock = time.process_time(), time.perf_counter()
        work()
        cpu.append(time.process_time() - start)
        wall.append(time.perf_counter() - clock)
    return cpu, wall


def ours(tables: list[Crosstable], texts: list[str], edition: str, repeat: int) -> Ours:
    """Time our engine on these tournaments."""
    pairing: list[list[float]] = []
    walls, readings = [], []
    for table, text in zip(tables, texts, strict=True):
        state = snapshot(table, ROUND, edition)
        cpu, wall = spent(lambda state=state: pair(state), repeat)  # type: ignore[misc]
        pairing.append(cpu)
        walls.append(min(wall))
        cpu, _ = spent(lambda text=text: prepared(text, edition), min(repeat, 3))  # type: ignore[misc]
        readings.append(min(cpu))
    return Ours(
        tournaments=len(tables),
        pairing=statistics.median(map(min, pairing)),
        p95=at_percent([one for cpu in pairing for one in cpu], 95),
        wall=statistics.median(walls),
        reading=statistics.median(readings),
    )


def prepared(text: str, edition: str) -> Snapshot:
    """From the text of a report to the state of its next round."""
    return snapshot(crosstable(parse(text)), ROUND, edition)


def theirs(
    peer: Peer, paths: list[Path], answers: list[Boards] | None, base: float, repeat: int, limit: float
) -> Theirs:
    """Time a peer on these reports, one after the other until there is enough to go by."""
    net: list[float] = []
    whole: list[float] = []
    wall: list[float] = []
    differ = 0
    target = paths[0].with_suffix(".out")
    for at, path in enumerate(paths):
        if sum(whole) > ENOUGH:
            break
        run = best(lambda path=path: peer.run(path, target, limit), repeat)  # type: ignore[misc]
        if run.stopped:
            took = run.cpu - base
            return Theirs(pairing=took, whole=run.cpu, wall=run.wall, tournaments=1, stopped=True)
        found = peer.boards(run, target)
        differ += answers is not None and set(found or ()) != set(answers[at])
        net.append(max(run.cpu - base, 0.0))
        whole.append(run.cpu)
        wall.append(run.wall)
    return Theirs(
        pairing=statistics.median(net),
        whole=statistics.median(whole),
        wall=statistics.median(wall),
        tournaments=len(net),
        differ=None if answers is None else differ,
    )


def peak(path: Path, edition: str, folder: Path) -> tuple[float, float]:
    """MiB of a fresh process: when the snapshot is there, and at the end."""
    target = folder / "peak"
    run = timed(
        [sys.executable, "-c", MEMORY, str(path), str(ROUND), edition, str(target)], environment=ENVIRONMENT
    )
    assert run.code == 0, "the process that measures memory failed"
    before, after = map(int, target.read_text().split())
    return before / 1024, after / 1024


def exponent(small: int, large: int, figures: dict[int, Ours]) -> float:
    """Growth of the pairing time as a power of the number of players."""
    return math.log(figures[large].pairing / figures[small].pairing) / math.log(large / small)


def main() -> None:
    """Measure and print."""
    options = ArgumentParser(description=__doc__.splitlines()[0] if __doc__ else "")
    options.add_argument("--sizes", default=",".join(map(str, SIZES)))
    add_peers(options)
    options.add_argument("--edition", choices=list(EDITIONS), default="dutch-2026")
    options.add_argument("--repeat", type=int, default=7)
    options.add_argument("--limit", type=float, default=120, help="seconds a peer has for one size")
    options.add_argument("--peers-up-to", type=int, default=9999, help="largest field given to peers")
    options.add_argument("--json", type=Path, help="write the figures there too")
    given = options.parse_args()
    sizes = [int(size) for size in given.sizes.split(",")]
    peers = given_peers(given)
    print(f"{ENGINE}, edition {given.edition}, round {ROUND} of {ROUNDS}; {machine()}; {load()}")
    mine: dict[int, Ours] = {}
    others: dict[str, dict[int, Theirs]] = {peer.name: {} for peer in peers}
    memory: dict[int, tuple[float, float]] = {}
    with tempfile.TemporaryDirectory() as name:
        folder = Path(name)
        bases = {peer.name: startup(peer, folder) for peer in peers}
        for peer in peers:
            print(f"start-up of {peer.name}: {seconds(bases[peer.name].cpu)}")
        pair(prepared(report(before_round(20, 0, given.edition)), given.edition))  # imports and caches
        for size in sizes:
            count = min(20, max(2, 3000 // size))
            tables = [before_round(size, seed, given.edition) for seed in range(1, count + 1)]
            texts = [report(table) for table in tables]
            paths = [folder / f"{size}-{seed}.trf" for seed in range(1, count + 1)]
            for path, text in zip(paths, texts, strict=True):
                path.write_text(text)
            mine[size] = ours(tables, texts, given.edition, given.repeat)
            answers = [boards_from(pair(snapshot(table, ROUND, given.edition))) for table in tables]
            for peer in peers:
                known = others[peer.name]
                if size > given.peers_up_to or any(one.stopped for one in known.values()):
                    continue
                expected = answers if peer.edition == given.edition else None
                known[size] = theirs(
                    peer, paths, expected, bases[peer.name].cpu, min(given.repeat, 5), given.limit
                )
            if size == max(sizes):
                memory[size] = peak(paths[0], given.edition, folder)
            print(f"  {size} players done, {load()}", file=sys.stderr)
    show(sizes, mine, others, memory)
    if given.json:
        figures: dict[str, Any] = {
            "edition": given.edition,
            "machine": machine(),
            "load": load(),
            "ours": {size: msgspec.to_builtins(one) for size, one in mine.items()},
            "peers": {
                name: {size: msgspec.to_builtins(one) for size, one in known.items()}
                for name, known in others.items()
            },
            "memory": memory,
        }
        given.json.write_text(json.dumps(figures, indent=1))


def show(
    sizes: list[int],
    mine: dict[int, Ours],
    others: dict[str, dict[int, Theirs]],
    memory: dict[int, tuple[float, float]],
) -> None:
    """The tables, then every target with what came of it."""
    print("\n| players | tournaments | pairing | p95 | wall | reading and preparing |", end="")
    print("".join(f" {name} | times ours |" for name in others))
    print("|---" * (6 + 2 * len(others)) + "|")
    for size in sizes:
        one = mine[size]
        cells = [
            str(size),
            str(one.tournaments),
            *map(seconds, (one.pairing, one.p95, one.wall, one.reading)),
        ]
        for known in others.values():
            there = known.get(size)
            if there is None:
                cells += ["", ""]
                continue
            sign = "> " if there.stopped else ""
            cells += [f"{sign}{seconds(there.pairing)}", f"{sign}{there.pairing / one.pairing:.3g}"]
        print(f"| {' | '.join(cells)} |")
    print()
    for name, known in others.items():
        compared = [one for one in known.values() if one.differ is not None]
        if compared:
            total = sum(one.tournaments for one in compared)
            print(f"{name} pairs {sum(one.differ or 0 for one in compared)} of {total} otherwise")
    for small, large in pairwise(sizes):
        print(f"growth {small} to {large}: n^{exponent(small, large, mine):.2f}")
    for size, (before, after) in memory.items():
        print(f"memory at {size}: {before:.0f} MiB with the snapshot read, {after:.0f} MiB at most")
    judge(sizes, mine, others, memory)


def judge(
    sizes: list[int],
    mine: dict[int, Ours],
    others: dict[str, dict[int, Theirs]],
    memory: dict[int, tuple[float, float]],
) -> None:
    """Say of every target whether it is met."""
    for size, least in TARGETS.items():
        found = [known[size] for known in others.values() if size in known]
        if size in mine and found:
            ratio = min(one.pairing for one in found) / mine[size].pairing
            said(ratio >= least, f"{size} players, times as fast as the fastest peer", f"{ratio:.3g}", least)
    for size, least in BBP6_TARGETS.items():
        known = others.get("bbpPairings 6", {})
        if size in mine and size in known:
            ratio = known[size].pairing / mine[size].pairing
            said(ratio >= least, f"{size} players, times as fast as bbpPairings 6", f"{ratio:.3g}", least)
    if 1000 in mine and max(sizes) >= 9000:
        steep = exponent(1000, max(sizes), mine)
        said(steep < STEEPEST, f"growth exponent 1000 to {max(sizes)}", f"{steep:.2f}", f"below {STEEPEST}")
    for size, (_, after) in memory.items():
        if size >= 9000:
            said(after < MOST_MEMORY, f"MiB at {size} players", f"{after:.0f}", f"below {MOST_MEMORY}")


def said(met: bool, what: str, found: str, wanted: object) -> None:
    """One line of the judgement."""
    print(f"{'met   ' if met else 'MISSED'} {what}: {found} (wanted {wanted})")


if __name__ == "__main__":
    main()
