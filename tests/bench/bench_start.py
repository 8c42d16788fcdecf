"""Whole processes: how much of a command is Paircard, and how much is starting Python.

    python tests/bench/bench_start.py [--bbp6 PATH] [--corpus FOLDER] [--every N] [--repeat N] [--only WORD]

Each command is run in turn with what it is compared to, so that both meet the same machine; medians of
processor time are compared, wall time stands beside. ``paircard`` and ``paircard-engine`` are started as
their installed scripts start them. ``--corpus`` names a folder of zips or reports for ``paircard check``
beside ``bbpPairings -c``, one process at a time on both sides; ``--every 5`` takes every fifth tournament.
"""

import json
import resource
import shutil
import statistics
import subprocess
import sys
import tempfile
import time
from argparse import ArgumentParser, Namespace
from collections.abc import Callable, Sequence
from functools import partial
from pathlib import Path

ROOT = Path(__file__).parents[2]
sys.path[:0] = [
    str(ROOT),
    *(str(ROOT / name) for name in ("domain", "projections", "pairing", "service", "cli")),
]

from paircard.cli.commands.check import cases  # noqa: E402
from paircard.pairing import NoLegalRound, pair  # noqa: E402
from paircard.pairing.lab.simulate import Settings, simulate  # noqa: E402
from paircard.pairing.outcome import Pairing  # noqa: E402
from paircard.projections.round.crosstable import Crosstable  # noqa: E402
from paircard.projections.round.snapshot import snapshot  # noqa: E402
from paircard.projections.trf import render  # noqa: E402
from paircard.projections.trf.records import CODES  # noqa: E402
from paircard.projections.trf.writing import report_of  # noqa: E402
from tests.bench.peers import (  # noqa: E402
    ENVIRONMENT,
    Run,
    add_peers,
    given_peers,
    load,
    machine,
    report,
    seconds,
    timed,
)
from tests.test_walks import playing  # noqa: E402

PYTHON = sys.executable
PAIRCARD = (PYTHON, "-c", "from paircard.cli.main import main; main()")
ENGINE = (PYTHON, "-c", "from paircard.cli.engine.main import main; main()")
EDITION = "dutch-2026"
BARE = """
import sys, click, msgspec, sqlite3

class Fact(msgspec.Struct):
    board: int

@click.command()
@click.argument("board", type=int)
@click.option("--db")
def main(board, db):
    with sqlite3.connect(db) as log:
        log.execute("create table if not exists facts (line blob)")
        log.execute("insert into facts values (?)", (msgspec.json.encode(Fact(board)),))
    click.echo(f"board {board}")

main()
"""
"""The least a command can be that takes an argument and writes a line to SQLite."""
FLOOR = f"import eventsourcing.sqlite\n{BARE}"
"""The same with all libraries that ``paircard`` stands on: no command that records can take less."""
IMPORTS = "import paircard.cli.main, paircard.cli.commands.rounds"
"""What ``paircard pair`` imports."""


def before(round: int, players: int, rounds: int = 9, seed: int = 1) -> Crosstable:
    """A tournament played to the round before this one."""

    def choose(table: Crosstable, now: int, edition: str) -> Pairing:
        if now == round:
            raise NoLegalRound("pairing.no-legal-round")
        return pair(snapshot(table, now, edition))

    played = simulate(Settings(players=players, rounds=rounds, edition=EDITION), seed, choose)
    assert played.stopped == round
    return played.table


def python(*command: str) -> Run:
    """One run of ours, which must succeed."""
    run = timed(command, environment=ENVIRONMENT)
    assert run.code == 0, f"{' '.join(command[2:])[:200]} ended with {run.code}"
    return run


def side_by_side(works: Sequence[Callable[[], Run]], repeat: int) -> list[Run]:
    """Medians of processor and wall time of each, run in turn; a first round only warms the disk."""
    runs: list[list[Run]] = [[] for _ in works]
    for turn in range(repeat + 1):
        for work, done in zip(works, runs, strict=True):
            run = work()
            if turn:
                done.append(run)
    return [
        Run(
            cpu=statistics.median(run.cpu for run in done),
            wall=statistics.median(run.wall for run in done),
            memory=max(run.memory for run in done),
            code=0,
        )
        for done in runs
    ]


def line(what: str, one: Run, beside: str, other: Run, most: float = 0) -> None:
    """One row of the table, with its target; without one it is a floor: libraries alone, nothing of ours."""
    ratio = one.cpu / other.cpu
    told = f"below {most:g} | {'met' if ratio < most else 'MISSED'}" if most else "floor |"
    print(
        f"| {what} | {seconds(one.cpu)} | {seconds(one.wall)} "
        f"| {beside} | {seconds(other.cpu)} | {seconds(other.wall)} | {ratio:.2f} | {told} |",
        flush=True,
    )


def help_page(repeat: int) -> None:
    """``paircard --version`` and ``--help`` beside importing click."""
    version, page, click = side_by_side(
        [
            lambda: python(*PAIRCARD, "--version"),
            lambda: python(*PAIRCARD, "--help"),
            lambda: python(PYTHON, "-c", "import click"),
        ],
        repeat,
    )
    line("`paircard --version`", version, "`import click`", click, 1.8)
    line("`paircard --help`", page, "`import click`", click, 2.4)


def one_result(repeat: int, folder: Path) -> None:
    """``paircard result`` in a tournament of 200 beside bare programs, without and with eventsourcing."""
    whole, work = folder / "playing.db", folder / "result.db"
    playing(whole, 200, 1)

    def record() -> Run:
        shutil.copyfile(whole, work)
        return python(*PAIRCARD, "result", "1", "1", "1-0", "--db", str(work), "--as", "bench")

    def alone(program: str) -> Run:
        return python(PYTHON, "-c", program, "1", "--db", str(folder / "bare.db"))

    ours, bare, floor = side_by_side([record, partial(alone, BARE), partial(alone, FLOOR)], repeat)
    line("`paircard result`, 200 players", ours, "bare click, msgspec, sqlite3", bare, 2)
    line("bare, and eventsourcing", floor, "bare click, msgspec, sqlite3", bare)


def engine(given: Namespace, folder: Path) -> None:
    """``paircard-engine`` on 100 players, round 6, beside Python, its one library, and bbpPairings 6."""
    path, target = folder / "hundred.trf", folder / "hundred.out"
    path.write_text(report(before(6, 100)))
    peers = [peer for peer in given_peers(given) if peer.edition == EDITION][:1]
    ours, floor, nothing, *theirs = side_by_side(
        [
            lambda: python(*ENGINE, "--dutch", str(path), "-p", str(target)),
            lambda: python(PYTHON, "-c", "import msgspec"),
            lambda: python(PYTHON, "-c", "pass"),
            *(partial(peer.run, path, folder / "theirs.out") for peer in peers),
        ],
        given.repeat,
    )
    assert target.stat().st_size
    line("`paircard-engine`, 100 players", ours, "`python -c pass`", nothing, 2.5)
    line("`import msgspec`", floor, "`python -c pass`", nothing)
    stays = request_of_a_resident(path.read_text(), given.repeat)
    for peer, one in zip(peers, theirs, strict=True):
        line("`paircard-engine`, 100 players", ours, f"`{peer.name}`", one, 1.5)
        line("`import msgspec`", floor, f"`{peer.name}`", one)
        line("`paircard-engine --serve`, one request more", stays, f"`{peer.name}`", one, 0.5)


def request_of_a_resident(report: str, repeat: int, more: int = 40) -> Run:
    """What one request more takes of an engine that stays."""
    asked = json.dumps({"report": report}).encode() + b"\n"

    def ended(requests: int) -> tuple[float, float]:
        before, start = resource.getrusage(resource.RUSAGE_CHILDREN), time.perf_counter()
        done = subprocess.run(
            [*ENGINE, "--serve"], input=asked * requests, env=ENVIRONMENT, capture_output=True, check=True
        )
        wall, after = time.perf_counter() - start, resource.getrusage(resource.RUSAGE_CHILDREN)
        assert done.stdout.count(b'"boards"') == requests
        return after.ru_utime + after.ru_stime - before.ru_utime - before.ru_stime, wall

    runs = [(ended(1), ended(more + 1)) for _ in range(repeat)]
    cpu, wall = (statistics.median((many[at] - one[at]) / more for one, many in runs) for at in (0, 1))
    return Run(cpu=cpu, wall=wall, memory=0, code=0)


def recorded(repeat: int, folder: Path) -> None:
    """``paircard pair`` on the log of 300 players before round 9, beside the kernel and starting Python."""
    table = before(9, 300)
    file, whole, work = folder / "300.trf", folder / "whole.db", folder / "work.db"
    file.write_text(render(report_of(table, texts=[("012", "Measured")], system=CODES[EDITION])))
    python(
        *PAIRCARD,
        "trf",
        "import",
        str(file),
        "--db",
        str(whole),
        "--as",
        "bench",
        "--ack",
        "irregular-import",
    )
    state = snapshot(table, 9, EDITION)
    kernel = []
    for _ in range(repeat):
        start = time.process_time()
        pair(state)
        kernel.append(time.process_time() - start)

    codes = ("missing-results", "adjourned-games", "no-show")
    accepted = ["--why", "excused", *(word for code in codes for word in ("--ack", code))]

    def record() -> Run:
        shutil.copyfile(whole, work)
        return python(*PAIRCARD, "pair", "--db", str(work), "--as", "bench", *accepted)

    starts = ("pass", IMPORTS, "import click, msgspec, sqlite3, eventsourcing.sqlite")
    ours, nothing, imports, floor = side_by_side(
        [record, *(partial(python, PYTHON, "-c", start) for start in starts)], repeat
    )
    middle = statistics.median(kernel)

    def paired(start: Run) -> Run:
        return Run(cpu=start.cpu + middle, wall=start.wall + middle, memory=0, code=0)

    least, beside = paired(nothing), f"kernel ({seconds(middle)}) and `python -c pass`"
    rest = Run(cpu=ours.cpu - imports.cpu + nothing.cpu, wall=ours.wall, memory=0, code=0)
    line("log to recorded `RoundPaired`, 300 players, round 9", ours, beside, least, 5)
    line("kernel, click, msgspec, sqlite3, eventsourcing", paired(floor), beside, least)
    line(f"ours, less imports ({seconds(imports.cpu - nothing.cpu)})", rest, beside, least, 5)


def corpus(given: Namespace, folder: Path) -> None:
    """``paircard check`` beside ``bbpPairings -c`` on the same reports."""
    peer = next((peer for peer in given_peers(given) if peer.edition == EDITION), None)
    files = []
    for at, case in enumerate(cases(given.corpus)):
        if at % given.every == 0:
            path = folder / "corpus" / f"{at:05}.trf"
            path.parent.mkdir(exist_ok=True)
            path.write_bytes(case.report)
            files.append(path)
    ours = python(*PAIRCARD, "check", str(folder / "corpus"), "--edition", EDITION)
    what = f"`paircard check`, {len(files)} tournaments"
    if peer is None:
        print(f"| {what} | {seconds(ours.cpu)} | {seconds(ours.wall)} | | | | | | |")
        return
    runs = [timed([peer.command[0], "--dutch", str(path), "-c"]) for path in files]
    theirs = Run(cpu=sum(run.cpu for run in runs), wall=sum(run.wall for run in runs), memory=0, code=0)
    line(what, ours, f"`{peer.name} -c`", theirs, 1)


def main() -> None:
    """Measure and print."""
    options = ArgumentParser(description=__doc__.splitlines()[0] if __doc__ else "")
    add_peers(options)
    options.add_argument("--corpus", type=Path, help="folder with tournaments of edition 2026")
    options.add_argument("--every", type=int, default=1)
    options.add_argument("--repeat", type=int, default=15)
    options.add_argument("--only", default="help result engine record corpus", help="which of these to run")
    given = options.parse_args()
    print(f"{machine()}; {load()}\n")
    print("| command | cpu | wall | beside | cpu | wall | ratio of cpu | target | |")
    print("|---" * 9 + "|")
    with tempfile.TemporaryDirectory() as name:
        folder = Path(name)
        if "help" in given.only:
            help_page(given.repeat)
        if "result" in given.only:
            one_result(given.repeat, folder)
        if "engine" in given.only:
            engine(given, folder)
        if "record" in given.only:
            recorded(given.repeat, folder)
        if "corpus" in given.only and given.corpus:
            corpus(given, folder)
    print(f"\n{load()}")


if __name__ == "__main__":
    main()
