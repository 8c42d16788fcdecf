"""How long a question takes, against pairing the round: ``python tests/bench/bench_explain.py [PLAYERS]``.

Random players of one tournament, rounds 3 to 9 of 9, both editions. Times are processor time, the least of
three runs in one process; the promise is that ``why_not`` takes no longer than pairing the round ten times.
"""

import platform
import sys
import time
from collections.abc import Callable
from pathlib import Path
from random import Random
from statistics import median

ROOT = Path(__file__).parents[2]
sys.path[:0] = [str(ROOT / name) for name in ("domain", "projections", "pairing", "service", "cli")]

from paircard.pairing import pair  # noqa: E402
from paircard.pairing.explain import explain, why, why_not  # noqa: E402
from paircard.pairing.lab.simulate import Settings, simulate  # noqa: E402
from paircard.projections.round.snapshot import snapshot  # noqa: E402

QUESTIONS = 15


def took(work: Callable[[], object]) -> float:
    """Milliseconds, the least of three runs."""
    best = float("inf")
    for _ in range(3):
        start = time.process_time()
        work()
        best = min(best, time.process_time() - start)
    return best * 1000


def bench(players: int, edition: str) -> list[float]:
    """Print a line for each round; the ratios of all questions."""
    settings = Settings(edition=edition, players=players, rounds=9)
    table = simulate(settings, 6, lambda table, round, rules: pair(snapshot(table, round, rules))).table
    draw = Random(6)
    ratios = []
    for round in range(3, 10):
        state = snapshot(table, round, edition)
        playing = [player.id for player in state.players if not player.absent]
        pairing = took(lambda state=state: pair(state))  # type: ignore[misc]
        nots, whys = [], []
        for _ in range(QUESTIONS):
            a, b = draw.sample(playing, 2)
            nots.append(took(lambda a=a, b=b, state=state: why_not(state, a, b)))  # type: ignore[misc]
            whys.append(took(lambda a=a, state=state: why(state, a)))  # type: ignore[misc]
        whole = took(lambda state=state: explain(state))  # type: ignore[misc]
        ratios += [one / pairing for one in nots]
        print(
            f"{edition} {players:5} players  round {round}  pair {pairing:7.1f}  "
            f"why-not median {median(nots):7.1f} max {max(nots):7.1f}  "
            f"why {median(whys):7.1f}  explain {whole:8.1f}  (ms)"
        )
    return ratios


def main() -> None:
    players = int(sys.argv[1]) if len(sys.argv) > 1 else 300
    print(f"Python {platform.python_version()} on {platform.machine()}")
    for edition in ("dutch-2026", "dutch-2017"):
        ratios = bench(players, edition)
        print(
            f"{edition}: why-not / pair: median {median(ratios):.1f}, max {max(ratios):.1f}, "
            f"above ten {sum(ratio > 10 for ratio in ratios)} of {len(ratios)}"
        )


if __name__ == "__main__":
    main()
