"""How long twelve tie-breaks of a large event take, against FIDE's reference checker if it is at hand.

    python tests/bench/bench_tiebreaks.py [--players 1000] [--rounds 11] [--checker FOLDER --python PYTHON]

FOLDER holds ``tiebreakchecker.py`` of TieBreakServer, PYTHON is an interpreter that can run it. Both
programs are timed as whole processes on the same file, best of three; ours is also timed inside one
process, reading and computing apart. The event is made up by a seeded generator: opponents close in
score, one game in forty forfeited, one player in twenty absent for a round, so that Art. 16 has work.
"""

import argparse
import os
import platform
import random
import subprocess
import sys
import tempfile
from collections.abc import Callable
from pathlib import Path
from time import perf_counter

ROOT = Path(__file__).parents[2]
SOURCES = [str(ROOT / name) for name in ("domain", "projections", "pairing", "service", "cli")]
sys.path[:0] = SOURCES

from paircard.projections.round.crosstable import Entry  # noqa: E402
from paircard.projections.standings.standings import Ranking  # noqa: E402
from paircard.projections.standings.tiebreaks import parse_list  # noqa: E402
from paircard.projections.trf import PlayerLine, Report, crosstable, parse, render  # noqa: E402
from paircard.projections.trf.records import Line, Rounds  # noqa: E402

TWELVE = "BH/C1,BH,BH/M1,FB,SB,SB/C1,DE,WIN,PS,AOB,ARO,TPR"


def made_up(players: int, rounds: int, seed: int) -> str:
    """A report of an event nobody played."""
    chance = random.Random(seed)
    entries: dict[int, list[Entry]] = {number: [] for number in range(1, players + 1)}
    scores = dict.fromkeys(entries, 0)
    balance = dict.fromkeys(entries, 0)
    worth = {"1": 10, "+": 10, "U": 10, "=": 5, "H": 5}
    for _ in range(rounds):
        order = sorted(entries, key=lambda number: (-scores[number] + chance.uniform(-6, 6), number))
        present = []
        for number in order:
            if chance.random() < 0.05:
                entries[number].append(Entry(letter=chance.choice("HZ")))
            else:
                present.append(number)
        if len(present) % 2:
            entries[present.pop()].append(Entry(letter="U"))
        for pair in zip(present[::2], present[1::2], strict=True):
            white, black = sorted(pair, key=lambda number: balance[number])  # who had fewer whites
            balance[white] += 1
            balance[black] -= 1
            results = ("+-", "-+") if chance.random() < 0.025 else ("10", "==", "01")
            letters = chance.choice(results)
            entries[white].append(Entry(black, "w", letters[0]))
            entries[black].append(Entry(white, "b", letters[1]))
        for number, record in entries.items():
            scores[number] += worth.get(record[-1].letter, 0)
    lines = [
        PlayerLine(
            number=number,
            name=f"Player {number:04}",
            rating=2700 - number,
            points=scores[number],
            place=number,
            entries=tuple(record),
        )
        for number, record in entries.items()
    ]
    return render(Report((Line("012 made up for a measurement"), Rounds("XXR", rounds), *lines)))


def best(run: Callable[[], object], times: int = 3) -> float:
    """The shortest of some runs, in seconds."""
    took = []
    for _ in range(times):
        start = perf_counter()
        run()
        took.append(perf_counter() - start)
    return min(took)


def main() -> None:
    """Measure and print."""
    options = argparse.ArgumentParser(description=__doc__.splitlines()[0] if __doc__ else "")
    options.add_argument("--players", type=int, default=1000)
    options.add_argument("--rounds", type=int, default=11)
    options.add_argument("--checker", type=Path, help="folder with tiebreakchecker.py")
    options.add_argument("--python", default=sys.executable, help="interpreter for the checker")
    given = options.parse_args()

    text = made_up(given.players, given.rounds, seed=8)
    table = crosstable(parse(text))
    listed = parse_list(TWELVE)
    print(f"Python {platform.python_version()}, {platform.machine()}")
    print(f"{given.players} players, {given.rounds} rounds")
    print(f"{TWELVE}")
    print(f"{'reading the file':<34} {best(lambda: crosstable(parse(text))):8.3f} s")
    ranked = best(lambda: Ranking(table, given.rounds, listed).lines())
    print(f"{'twelve tie-breaks and places':<34} {ranked:8.3f} s")
    with tempfile.TemporaryDirectory() as folder:
        file = Path(folder) / "event.trf"
        file.write_text(text)
        ours = [sys.executable, "-m", "paircard.cli", "tiebreaks", str(file), "--list", TWELVE, "--tsv"]
        environment = {**os.environ, "PYTHONPATH": os.pathsep.join(SOURCES)}
        mine = best(lambda: subprocess.run(ours, env=environment, check=True, capture_output=True))
        print(f"{'paircard tiebreaks, the process':<34} {mine:8.3f} s")
        if given.checker:
            answer = Path(folder) / "answer.tsv"
            theirs = [
                given.python,
                "tiebreakchecker.py",
                "-i",
                str(file),
                "-o",
                str(answer),
                "-s",
                "-dT",
                "-t",
            ]
            theirs += ["PTS", *TWELVE.split(",")]
            other = best(lambda: subprocess.run(theirs, cwd=given.checker, check=True, capture_output=True))
            print(f"{'reference checker, the process':<34} {other:8.3f} s   {other / mine:.1f} times as long")
            shown = subprocess.run(ours, env=environment, check=True, capture_output=True, text=True).stdout
            cells = [line.split("\t") for line in shown.splitlines()]
            agreed = [line.split("\t") for line in answer.read_text().splitlines()]
            differ = sum(
                a != b for x, y in zip(cells, agreed, strict=True) for a, b in zip(x, y, strict=True)
            )
            print(f"{differ} of {sum(map(len, cells))} cells differ (articles: test_agreed_values.py)")


if __name__ == "__main__":
    main()
