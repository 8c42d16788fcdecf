"""The tree over all facts at the size of a federation: build, publish one fact, prove, verify.

    PYTHONPATH=domain:projections:pairing:service:cli:. python tests/bench/bench_tree.py FOLDER [FACTS]

FACTS (200,000 by default) are recorded in tournaments of 1,000 facts, 100 of them with personal parts.
Figures are medians, in milliseconds where nothing else is said.
"""

import statistics
import sys
import time
from collections.abc import Callable
from pathlib import Path
from random import Random

from paircard.cli import verify as alone
from paircard.domain.commands import RegisterPlayer
from paircard.domain.events import Event, PlayerRegistered, Recorded, ResultRecorded, TournamentOpened
from paircard.domain.log.stored import GENESIS, StoredFact, new_salt, seal
from paircard.domain.proof.note import Signer
from paircard.domain.values.players import Details
from paircard.domain.values.regulations import Regulations
from paircard.domain.values.results import OUTCOMES
from paircard.service import Office, person
from paircard.service.transparency import prove_fact, publish_tree, verify_tree

LENGTH = 1_000
PLAYERS = 100
FEDERATION = Signer("example.org/federation", bytes(range(32)))


def rows_of(tournament: str) -> list[StoredFact]:
    """A log of players and results, as long as that of a middling open."""
    facts: list[Event] = [TournamentOpened(regulations=Regulations(name=tournament, rounds=9))]
    facts += [
        PlayerRegistered(player=n, details=Details(name=f"Player {n}", rating=2000 - n, birth="1990"))
        for n in range(1, PLAYERS + 1)
    ]
    facts += [
        ResultRecorded(round=1 + n % 9, board=1 + n // 9, outcome=OUTCOMES[n % 3])
        for n in range(LENGTH - PLAYERS - 1)
    ]
    rows, head = [], GENESIS
    for version, fact in enumerate(facts, start=1):
        sealed = seal(
            Recorded(
                tournament=tournament, version=version, fact=fact, who="Anna Arbiter",
                when="2026-11-16T09:30:00Z", why="", command_id=f"{version:032x}", acknowledged=(),
                previous="", hash="",
            ),
            head,
            salt=new_salt,
        )  # fmt: skip
        head = sealed.fact.hash
        rows.append(sealed.stored)
    return rows


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


def main(folder: Path, facts: int) -> None:
    chance, tree, anna = Random(1), folder / "tree", person("Anna Arbiter")
    place, key = str(tree), alone.read_key(FEDERATION.verifier().line())
    with Office.create(folder / "federation.db") as office:
        store = office.store()
        start = time.perf_counter()
        for _ in range(facts // LENGTH):
            id = f"{chance.getrandbits(128):032x}"
            store.add_stored(id, rows_of(id))
        print(f"{facts} facts recorded in {time.perf_counter() - start:.0f} s", flush=True)
        start = time.perf_counter()
        publish_tree(store, tree, FEDERATION)
        seconds = time.perf_counter() - start
        print(f"build: {seconds:.1f} s, {seconds / facts * 1e6:.1f} us for each fact", flush=True)
        files, megabytes = size_of(tree)
        print(f"tree: {files} files, {megabytes:.0f} MB", flush=True)
        t = office.new(Regulations(name="Open", rounds=3), by=anna)
        steps = iter(range(1_000))

        def publish_one() -> None:
            t.ask(RegisterPlayer(details=Details(name=f"Late {next(steps)}")), by=anna)
            publish_tree(store, tree, FEDERATION)

        def record_one() -> None:
            t.ask(RegisterPlayer(details=Details(name=f"Late {next(steps)}")), by=anna)

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
    main(Path(sys.argv[1]), int(sys.argv[2]) if len(sys.argv) > 2 else 200_000)
