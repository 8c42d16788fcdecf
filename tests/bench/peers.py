"""Other engines as whole processes, timed by the processor time they used; none of them is part of Paircard.

A machine that runs benchmarks is seldom idle, so processor time is what is compared: it counts what the
process did, not what it waited for. ``os.wait4`` gives it in microseconds.
"""

import os
import platform
import resource
import shlex
import shutil
import signal
import subprocess
import sys
import time
from argparse import ArgumentParser, Namespace
from collections.abc import Callable, Mapping, Sequence
from pathlib import Path

import msgspec

from paircard.cli.commands.check import parse_answer
from paircard.domain.values.results import Scoring
from paircard.projections.round.crosstable import Boards, Crosstable, Row
from paircard.projections.trf import PlayerLine, Report, render
from paircard.projections.trf.writing import trfx

ROOT = Path(__file__).parents[2]
SOURCES = os.pathsep.join(str(ROOT / name) for name in ("domain", "projections", "pairing", "service", "cli"))
ENVIRONMENT = {**os.environ, "PYTHONPATH": SOURCES}
ENVIRONMENT.pop("PYTHONDONTWRITEBYTECODE", None)  # an installed package is compiled
ENVIRONMENT.pop("PYTHONUNBUFFERED", None)  # for logs of services; nobody's terminal has it

PY4SWISS = """
import sys
from pathlib import Path
from py4swiss.engines import DutchEngine
from py4swiss.trf import TrfParser
try:
    pairs = DutchEngine.generate_pairings(TrfParser.parse(Path(sys.argv[1]), strict=False))
except Exception as refusal:
    sys.exit(1 if type(refusal).__name__ == "PairingError" else 3)
DutchEngine.write_pairings_to_file(pairs, Path(sys.argv[2]))
"""


class Run(msgspec.Struct, frozen=True, kw_only=True):
    """One process that ended."""

    cpu: float
    """Seconds of processor time, user and system."""
    wall: float
    memory: int
    """Largest resident size in KiB."""
    code: int
    """Exit code; negative for a signal."""
    stopped: bool = False
    """It used up the time it was given."""


class Peer(msgspec.Struct, frozen=True, kw_only=True):
    """An engine that reads a report and writes boards."""

    name: str
    edition: str
    """The only rules it knows."""
    command: tuple[str, ...]
    """With ``IN`` and ``OUT`` where the files go."""

    def run(self, report: Path, target: Path, limit: float = 0) -> Run:
        """Pair the round after the report."""
        target.unlink(missing_ok=True)
        files = {"IN": str(report), "OUT": str(target)}
        return timed([files.get(word, word) for word in self.command], limit=limit)

    def boards(self, run: Run, target: Path) -> Boards | None:
        """What it wrote; None where it says that no legal round exists."""
        if run.code == 1:
            return None
        if run.code or not target.exists():
            raise RuntimeError(f"{self.name} ended with exit code {run.code}")
        return parse_answer(target.read_text(encoding="utf-8", errors="replace"))


def timed(
    command: Sequence[str],
    *,
    limit: float = 0,
    environment: Mapping[str, str] | None = None,
    stdout: int | None = subprocess.DEVNULL,
) -> Run:
    """Run a process to its end, or until it has used ``limit`` seconds of processor time."""
    start = time.perf_counter()
    process = subprocess.Popen(
        command, stdout=stdout, stderr=subprocess.DEVNULL, env=environment, close_fds=False
    )
    if limit:
        seconds = max(1, round(limit))
        resource.prlimit(process.pid, resource.RLIMIT_CPU, (seconds, seconds))
    _, status, usage = os.wait4(process.pid, 0)
    wall = time.perf_counter() - start
    process.returncode = os.waitstatus_to_exitcode(status)
    cpu = usage.ru_utime + usage.ru_stime
    return Run(
        cpu=cpu,
        wall=wall,
        memory=usage.ru_maxrss,
        code=process.returncode,
        stopped=bool(limit) and process.returncode == -signal.SIGKILL and cpu > limit / 2,  # it counts ticks
    )


def add_peers(options: ArgumentParser) -> None:
    """The options that name peers."""
    options.add_argument("--bbp6", help="bbpPairings 6")
    options.add_argument("--bbp5", help="bbpPairings 5")
    options.add_argument("--javafo", help="command that runs JaVaFo 2.2, e.g. 'java -jar javafo.jar'")
    options.add_argument("--py4swiss", help="python that imports py4swiss; this one if it does")


def given_peers(given: Namespace) -> list[Peer]:
    """The peers at hand."""
    found = []
    for name, path, edition in (
        ("bbpPairings 6", given.bbp6, "dutch-2026"),
        ("bbpPairings 5", given.bbp5, "dutch-2017"),
    ):
        if path:
            found.append(
                Peer(name=name, edition=edition, command=(known(path), "--dutch", "IN", "-p", "OUT"))
            )
    if given.javafo:
        first, *rest = shlex.split(given.javafo)
        found.append(
            Peer(name="JaVaFo", edition="dutch-2017", command=(known(first), *rest, "IN", "-p", "OUT"))
        )
    python = given.py4swiss or sys.executable
    if subprocess.run([known(python), "-c", "import py4swiss"], capture_output=True).returncode == 0:
        found.append(
            Peer(name="py4swiss", edition="dutch-2017", command=(known(python), "-c", PY4SWISS, "IN", "OUT"))
        )
    elif given.py4swiss:
        sys.exit(f"{given.py4swiss} cannot import py4swiss")
    return found


def known(program: str) -> str:
    """The program, if it is there."""
    if not shutil.which(program):
        sys.exit(f"there is no program {program}")
    return program


def report(table: Crosstable) -> str:
    """The tournament as all peers read it.

    py4swiss wants a place in every line, and the known byes of the next round among the points.
    """
    worth = table.scoring.table()
    coming = {row.number: sum(worth[e.letter] for e in row.entries[table.paired :]) for row in table.rows}
    records = tuple(
        msgspec.structs.replace(
            record, place=record.number, points=(record.points or 0) + coming[record.number]
        )
        if isinstance(record, PlayerLine)
        else record
        for record in trfx(table, "made up for a measurement").records
    )
    return render(Report(records))


def startup(peer: Peer, folder: Path, repeat: int = 15, enough: float = 0.4) -> Run:
    """What the peer takes for four players before their first round: all but the pairing.

    The least of so many runs, and of as many as take ``enough`` seconds: it is a small difference of two
    such figures that is wanted.
    """
    four = Crosstable(
        rows=tuple(Row(id=n, number=n, name=f"Player {n:04}", rating=2000 - n) for n in range(1, 5)),
        rounds=3,
        paired=0,
        initial_colour="w",
        scoring=Scoring(),
    )
    path, target = folder / "four.trf", folder / "four.out"
    path.write_text(report(four))
    runs: list[Run] = []
    while len(runs) < repeat or sum(run.cpu for run in runs) < enough:
        runs.append(peer.run(path, target))
    peer.boards(runs[-1], target)
    return min(runs, key=lambda run: run.cpu)


def best(run: Callable[[], Run], repeat: int, enough: float = 0.4) -> Run:
    """The run that used the least processor time; long ones are not repeated."""
    runs = [run()]
    while len(runs) < repeat and not runs[-1].stopped and sum(one.cpu for one in runs) < enough:
        runs.append(run())
    return min(runs, key=lambda one: one.cpu)


def machine() -> str:
    """Where the figures come from."""
    model = platform.processor() or platform.machine()
    if os.path.exists("/proc/cpuinfo"):
        names = [line for line in Path("/proc/cpuinfo").read_text().splitlines() if "model name" in line]
        model = names[0].partition(":")[2].strip() if names else model
    return f"{model}, {os.cpu_count()} cores, {platform.system()}, Python {platform.python_version()}"


def load() -> str:
    """How busy the machine is."""
    return "load average " + " ".join(f"{value:.1f}" for value in os.getloadavg())


def at_percent(values: Sequence[float], percent: int) -> float:
    """A percentile by nearest rank."""
    ordered = sorted(values)
    return ordered[max(0, -(-len(ordered) * percent // 100) - 1)]


def seconds(value: float) -> str:
    """A time for people: three figures."""
    if value < 1:
        return f"{value * 1000:.3g} ms"
    return f"{value:.3g} s"
