"""Many arbiters at once: every result counts once however often it is sent, and no reader misses one."""

import time
from functools import partial
from hashlib import sha256

import pytest

from paircard.domain.commands import RecordResult
from paircard.domain.log.store import Tournaments
from tests.scale.children import Child, Say, percentile
from tests.scale.events import next_round, opening, sendings

ONE, LAST = "1" * 32, "f" * 32


def send(location: str, id: str, commands: list[RecordResult], say: Say) -> None:
    """One arbiter: sends, and says how long each answer took."""
    with Tournaments(location, patience=60) as store:
        store.state(id)
        for command in commands:
            start = time.perf_counter()
            answer = store.ask(id, command)
            say(f"{time.perf_counter() - start:.6f} {int(answer.repeated)}")


def tail(location: str, say: Say) -> None:
    """A reader that follows all there is until the last tournament is opened; says what it saw."""
    seen = sha256()
    facts = position = 0
    with Tournaments(location, patience=60) as store:
        while True:
            for recorded in store.notifications(position, 500):
                if recorded.tournament == LAST:
                    say(f"{facts} {seen.hexdigest()}")
                    return
                seen.update(recorded.hash.encode())
                facts, position = facts + 1, recorded.position
            store.wait(position, 1)


def told(name: str, times: list[float], new: int, seconds: float) -> str:
    return (
        f"{name}: {len(times)} requests for {new} results in {seconds:.1f} s, "
        f"p50 {percentile(times, 0.5):.1f} ms, p99 {percentile(times, 0.99):.1f} ms, "
        f"max {max(times) * 1e3:.0f} ms"
    )


def enter_together(location: str, processes: int, players: int, rounds: int) -> str:
    """Results of one tournament from several processes at once, with a reader that follows them all."""
    boards = players // 2
    times: list[float] = []
    new, seconds = 0, 0.0
    with Tournaments(location, create=True) as store:
        store.ask(ONE, *opening("One", players, rounds))
    reader = Child(partial(tail, location))
    for round in range(1, rounds + 1):
        with Tournaments(location) as store:
            next_round(store, ONE, players, round)
            before = store.version(ONE)
        start = time.perf_counter()
        arbiters = [
            Child(partial(send, location, ONE, share))
            for share in sendings(round, boards, processes, seed=processes)
        ]
        for arbiter in arbiters:
            code, lines = arbiter.end()
            assert code == 0
            times += [float(line.split()[0]) for line in lines]
            new += sum(line.endswith(" 0") for line in lines)
        seconds += time.perf_counter() - start
        with Tournaments(location) as store:
            assert store.version(ONE) == before + boards, "one fact for each distinct command"
    with Tournaments(location) as store:
        assert store.verify_chain(ONE)[0] == store.version(ONE)
        sent = [r.command_id for r in store.log(ONE) if r.command_id.startswith("result")]
        assert new == boards * rounds == len(sent) == len(set(sent))
        hashes = [recorded.hash for recorded in store.notifications(limit=10**7)]
        store.ask(LAST, *opening("Last", 2, 1)[:1])
    code, [seen] = reader.end()
    assert code == 0
    assert seen == f"{len(hashes)} {sha256(''.join(hashes).encode()).hexdigest()}", "every fact, in order"
    return told(f"{processes} processes, one tournament", times, new, seconds)


def enter_apart(location: str, processes: int, players: int, rounds: int) -> str:
    """As many tournaments as processes, each entering its own results."""

    def run(number: int, say: Say) -> None:
        id = f"{number:032x}"
        with Tournaments(location, patience=60) as store:
            store.ask(id, *opening(f"Open {number}", players, rounds))
            for round in range(1, rounds + 1):
                next_round(store, id, players, round)
                [commands] = sendings(round, players // 2, 1, seed=number)
                for command in commands:
                    start = time.perf_counter()
                    answer = store.ask(id, command)
                    say(f"{time.perf_counter() - start:.6f} {int(answer.repeated)}")

    Tournaments(location, create=True).close()
    start = time.perf_counter()
    children = [Child(partial(run, number)) for number in range(1, processes + 1)]
    times: list[float] = []
    new = 0
    for child in children:
        code, lines = child.end()
        assert code == 0
        times += [float(line.split()[0]) for line in lines]
        new += sum(line.endswith(" 0") for line in lines)
    seconds = time.perf_counter() - start
    assert new == processes * rounds * (players // 2)
    facts = players + 2 + rounds * (players // 2 + 2) + rounds  # numbers or freezing, and completion
    with Tournaments(location) as store:
        for number in range(1, processes + 1):
            length, _ = store.verify_chain(f"{number:032x}")
            results = [r for r in store.log(f"{number:032x}") if r.command_id.startswith("result")]
            assert len(results) == rounds * (players // 2) <= length <= facts + 2
    return told(f"{processes} processes, {processes} tournaments", times, new, seconds)


def test_several_arbiters_send_results_of_one_tournament_again_and_again(location: str) -> None:
    enter_together(location, processes=4, players=40, rounds=2)


def test_several_arbiters_work_on_tournaments_of_their_own(location: str) -> None:
    enter_apart(location, processes=4, players=16, rounds=2)


@pytest.mark.soak
def test_ten_thousand_results_in_one_tournament_from_eight_processes(location: str) -> None:
    print("\n" + location.partition(":")[0], enter_together(location, processes=8, players=2000, rounds=10))


@pytest.mark.soak
def test_ten_thousand_results_in_thirty_two_tournaments_from_as_many_processes(location: str) -> None:
    print("\n" + location.partition(":")[0], enter_apart(location, processes=32, players=128, rounds=5))
