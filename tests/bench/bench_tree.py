"""The tree over all facts at the size of a federation: build, publish one fact, prove, verify.

    python tests/bench/bench_tree.py [TOURNAMENTS]

TOURNAMENTS (7,500 by default) of 27 facts each, filled as ``bench_federation.py`` does. Figures are medians,
in milliseconds where nothing else is said.
"""

import statistics
import sys
import tempfile
import time
from collections.abc import Callable
from itertools import count
from pathlib import Path
from random import Random

ROOT = Path(__file__).parents[2]
sys.path[:0] = [
    str(ROOT),
    *(str(ROOT / name) for name in ("domain", "projections", "pairing", "service", "cli", "web")),
]

from paircard.cli import verify as alone  # noqa: E402
from paircard.domain.commands import RegisterPlayer  # noqa: E402
from paircard.domain.proof.note import Signer  # noqa: E402
from paircard.domain.values.players import Details  # noqa: E402
from paircard.domain.values.regulations import Regulations  # noqa: E402
from paircard.service import Office  # noqa: E402
from paircard.service.transparency import prove_fact, publish_tree, verify_tree  # noqa: E402
from tests.bench.bench_federation import ANNA, fill, template  # noqa: E402

FEDERATION = Signer("example.org/federation", bytes(range(32)))


def median(times: int, work: Callable[[], object]) -> float:
    """Of so many runs, in milliseconds."""
    found = []
    for _ in range(times):
        start = time.perf_counter()
        work()
        found.append((time.perf_counter() - start) * 1000)
    return statistics.median(found)


def size_of(folder: Path) -> tuple[int, float]:
    """Files and megabytes."""
    files = [path for path in folder.rglob("*") if path.is_file()]
    return len(files), sum(path.stat().st_size for path in files) / 1e6


def main(folder: Path, tournaments: int) -> None:
    chance, tree = Random(1), folder / "tree"
    place, key = str(tree), alone.read_key(FEDERATION.verifier().line())
    with Office.create(folder / "federation.db") as office:
        store = office.store()
        start = time.perf_counter()
        fill(store, template(folder), tournaments)
        facts = store.last_position()
        print(f"{facts} facts recorded in {time.perf_counter() - start:.0f} s", flush=True)
        start = time.perf_counter()
        publish_tree(store, tree, FEDERATION)
        seconds = time.perf_counter() - start
        print(f"build: {seconds:.1f} s, {seconds / facts * 1e6:.1f} us for each fact", flush=True)
        files, megabytes = size_of(tree)
        print(f"tree: {files} files, {megabytes:.0f} MB", flush=True)
        t = office.new(Regulations(name="Open", rounds=3), by=ANNA)
        steps = count()

        def publish_one() -> None:
            t.ask(RegisterPlayer(details=Details(name=f"Late {next(steps)}")), by=ANNA)
            publish_tree(store, tree, FEDERATION)

        def record_one() -> None:
            t.ask(RegisterPlayer(details=Details(name=f"Late {next(steps)}")), by=ANNA)

        recorded = median(30, record_one)
        print(f"one fact: recorded {recorded:.1f}, recorded and published {median(30, publish_one):.1f}")
        some = [office.tournament(one.id) for one in chance.choices(office.tournaments(), k=50)]
        asked = iter(some * 2)
        print(f"prove: {median(50, lambda: prove_fact(store, next(asked), chance.randint(1, 4), place)):.1f}")
        text = prove_fact(store, some[0], 2, place).text
        print(f"verify a proof of {len(text)} bytes: {median(50, lambda: alone.verify_proof(text, key)):.2f}")
        start = time.perf_counter()
        verify_tree(place, FEDERATION.verifier())
        print(f"verify the whole tree: {time.perf_counter() - start:.1f} s", flush=True)


if __name__ == "__main__":
    with tempfile.TemporaryDirectory() as name:
        main(Path(name), int(sys.argv[1]) if len(sys.argv) > 1 else 7_500)
