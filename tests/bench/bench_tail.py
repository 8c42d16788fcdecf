"""The worst cases: random histories that no Swiss engine would produce, ours against bbpPairings.

    python tests/bench/bench_tail.py [--bbp6 PATH] [--bbp5 PATH] [--cases 1000] [--first SEED]
        [--group 2000] [--limit SECONDS] [--edition E]

Every history (``tests/pairing/histories.py``) of 10 to 130 players is paired by both engines, edition 2026
beside bbpPairings 6, edition 2017 beside bbpPairings 5. Compared is processor time: ours from a snapshot
to the paired round, theirs as a process less its start-up, the least of some repeats on both sides. The
start-up is the least that was seen beside any case, since machines are faster at one time than at another. A
difference smaller than the scatter of the start-up itself says nothing, so theirs is taken as at least that.
Cases beyond the target are timed again with more repeats before they are listed. Answers are
compared too. Last comes one scoregroup as large as ``--group`` says.
"""

import gc
import statistics
import sys
import tempfile
import time
from argparse import ArgumentParser
from pathlib import Path

ROOT = Path(__file__).parents[2]
sys.path[:0] = [
    str(ROOT),
    *(str(ROOT / name) for name in ("domain", "projections", "pairing", "service", "cli")),
]

import msgspec  # noqa: E402
from msgspec.structs import replace  # noqa: E402

from paircard.pairing import NoLegalRound, pair  # noqa: E402
from paircard.pairing.lab.check import boards_from  # noqa: E402
from paircard.pairing.lab.compare import classify  # noqa: E402
from paircard.projections.round.crosstable import Boards, Crosstable  # noqa: E402
from paircard.projections.round.snapshot import Snapshot, snapshot  # noqa: E402
from tests.bench.peers import (  # noqa: E402
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
)
from tests.pairing.histories import history, kind_of, one_scoregroup  # noqa: E402

EDITIONS = ("dutch-2026", "dutch-2017")
CLASSES = (10, 20, 40, 80, 131)
"""Sizes at which a class of cases begins."""
SLOWER, FROM_MEDIAN = 2.0, 20.0
REPEAT, AGAIN = 2, 15
LISTED = 15
"""Slow cases told at length."""


class Case(msgspec.Struct, frozen=True, kw_only=True):
    """One history, paired by both."""

    seed: int
    kind: str
    players: int
    ours: float
    theirs: float = 0.0
    """Less start-up, at least the scatter; before that is known, the whole process."""
    stopped: bool = False
    """The peer used up its time."""
    none: bool = False
    """No legal round exists."""
    differs: str = ""
    """Who is right by the criteria, where the answers differ."""

    def __str__(self) -> str:
        return f"seed {self.seed} ({self.kind}, {self.players} players{', no legal round' * self.none})"

    @property
    def ratio(self) -> float:
        return self.ours / self.theirs if self.theirs else 0.0


def paired(state: Snapshot) -> Boards | None:
    """Our answer; None where no legal round exists."""
    try:
        return boards_from(pair(state))
    except NoLegalRound:
        return None


def our_time(state: Snapshot, repeat: int) -> float:
    """Least processor time of some repeats."""
    took = []
    for _ in range(repeat):
        start = time.process_time()
        paired(state)
        took.append(time.process_time() - start)
    return min(took)


class Base:
    """What a peer takes without pairing anything, and how far that scatters."""

    def __init__(self, peer: Peer, folder: Path) -> None:
        self.peer, self.folder = peer, folder
        runs = [startup(peer, folder, 1, 0).cpu for _ in range(41)]
        self.least = min(runs)
        self.scatter = statistics.median(runs) - self.least

    def again(self) -> None:
        """Look whether the machine is faster by now."""
        self.least = min(self.least, startup(self.peer, self.folder, 1, 0).cpu)

    def net(self, case: Case) -> Case:
        """The case without the start-up."""
        return replace(case, theirs=max(case.theirs - self.least, self.scatter))


def one_case(
    seed: int,
    kind: str,
    table: Crosstable,
    edition: str,
    peer: Peer | None,
    path: Path,
    repeat: int,
    limit: float = 0,
) -> Case:
    """Time and compare one history; the peer's time is that of the whole process."""
    state = snapshot(table, table.paired + 1, edition)
    answer = paired(state)
    mine = our_time(state, repeat)
    case = Case(seed=seed, kind=kind, players=len(table.rows), ours=mine, none=answer is None)
    if peer is None:
        return case
    path.write_text(report(table))
    target = path.with_suffix(".out")
    run = best(lambda: peer.run(path, target, limit), repeat)
    if run.stopped:
        return replace(case, theirs=run.cpu, stopped=True)
    found = peer.boards(run, target)
    differs = ""
    if (None if found is None else set(found)) != (None if answer is None else set(answer)):
        differs = classify(state, answer, found)
    return replace(case, theirs=run.cpu, differs=differs)


def edition_run(
    edition: str, peer: Peer | None, seeds: range, group: int, limit: float, folder: Path
) -> None:
    """All cases of an edition, and what came of them."""
    base = Base(peer, folder) if peer else None
    path = folder / "case.trf"

    def timed(seed: int, repeat: int) -> Case:
        return one_case(seed, kind_of(seed), history(seed), edition, peer, path, repeat)

    cases = []
    for seed in seeds:
        if base:
            base.again()
        cases.append(timed(seed, REPEAT))
    if base:
        cases = [
            base.net(timed(case.seed, AGAIN)) if base.net(case).ratio > SLOWER else base.net(case)
            for case in cases
        ]
    print(f"\nedition {edition}, {len(cases)} cases, {load()}")
    if base:
        print(f"{base.peer.name}: start-up {seconds(base.least)}, scatter {seconds(base.scatter)}")
    show(cases, peer)
    sys.stdout.flush()
    if group:
        gc.collect()
        table = one_scoregroup(group, seed=1)
        case = one_case(1, "one scoregroup", table, edition, peer, path, 2, limit)
        case = base.net(case) if base else case
        cut = "> " if case.stopped else ""
        beside = f", {peer.name} {cut}{seconds(case.theirs)}, ratio {case.ratio:.3g}" if peer else ""
        print(f"one scoregroup of {group}: {seconds(case.ours)}{beside} {case.differs}".rstrip())


def show(cases: list[Case], peer: Peer | None) -> None:
    """Distributions, then each case beyond a target."""
    print("\n| players | cases | ours, median | p95 | most | most to median |", end="")
    print(f" {peer.name}, median | ratio, median | p95 | most | above {SLOWER:g} |" if peer else "")
    print("|---" * (11 if peer else 6) + "|")
    medians: dict[int, float] = {}
    for at, low in enumerate(CLASSES[:-1]):
        some = [case for case in cases if low <= case.players < CLASSES[at + 1]]
        if not some:
            continue
        medians[low] = statistics.median(case.ours for case in some)
        row = [f"{low}–{CLASSES[at + 1] - 1}", *cells(some, medians[low], peer)]
        print(f"| {' | '.join(row)} |")
    if peer:
        for kind in dict.fromkeys(case.kind for case in cases):
            some = [case for case in cases if case.kind == kind]
            print(f"| {kind} | {' | '.join(cells(some, 0, peer))} |")
        print(f"| all | {' | '.join(cells(cases, 0, peer))} |")
    print()
    far = [
        (case.ours / medians[low], case)
        for at, low in enumerate(CLASSES[:-1])
        for case in cases
        if low <= case.players < CLASSES[at + 1] and case.ours > FROM_MEDIAN * medians[low]
    ]
    for times, case in sorted(far, key=lambda one: -one[0]):
        print(f"MISSED {case}: {times:.1f} times its class's median")
    if not far:
        print(f"met    no case above {FROM_MEDIAN:g} times the median of its size")
    if not peer:
        return
    slow = sorted((case for case in cases if case.ratio > SLOWER), key=lambda case: -case.ratio)
    for case in slow[:LISTED]:
        print(
            f"MISSED {case}: {case.ratio:.2f} times {peer.name}, "
            f"{seconds(case.ours)} to {seconds(case.theirs)}"
        )
    if slow[LISTED:]:
        rest = " ".join(f"{case.seed}:{case.ratio:.1f}" for case in slow[LISTED:])
        print(f"MISSED {len(slow) - LISTED} more (seed:ratio): {rest}")
    if not slow:
        print(f"met    no case above {SLOWER:g} times {peer.name}")
    differing = [case for case in cases if case.differs]
    for case in differing:
        print(f"DIFFERS {case}: {case.differs}")
    print(f"{len(differing)} of {len(cases)} paired otherwise")


def cells(some: list[Case], median: float, peer: Peer | None) -> list[str]:
    """The figures of some cases."""
    mine = [case.ours for case in some]
    row = [str(len(some)), *map(seconds, (statistics.median(mine), at_percent(mine, 95), max(mine)))]
    row.append(f"{max(mine) / median:.1f}" if median else "")
    if peer:
        ratios = [case.ratio for case in some]
        row.append(seconds(statistics.median(case.theirs for case in some)))
        row += [f"{value:.2f}" for value in (statistics.median(ratios), at_percent(ratios, 95), max(ratios))]
        row.append(str(sum(ratio > SLOWER for ratio in ratios)))
    return row


def main() -> None:
    """Measure and print."""
    options = ArgumentParser(description=__doc__.splitlines()[0] if __doc__ else "")
    add_peers(options)
    options.add_argument("--cases", type=int, default=1000)
    options.add_argument("--first", type=int, default=1, help="first seed")
    options.add_argument("--group", type=int, default=2000, help="size of the one scoregroup, 0 for none")
    options.add_argument("--limit", type=float, default=60, help="seconds the peer has for that group")
    options.add_argument("--edition", choices=EDITIONS, action="append", help="only this one")
    given = options.parse_args()
    peers = {peer.edition: peer for peer in given_peers(given) if peer.name.startswith("bbp")}
    seeds = range(given.first, given.first + given.cases)
    print(machine())
    with tempfile.TemporaryDirectory() as name:
        for edition in given.edition or EDITIONS:
            edition_run(edition, peers.get(edition), seeds, given.group, given.limit, Path(name))


if __name__ == "__main__":
    main()
