"""A federation's archive: one tournament among thousands is as quick as one among ten."""

import os
import time
from collections.abc import Callable
from pathlib import Path

import msgspec
import psycopg
import pytest

from paircard.domain.events import Recorded, TournamentOpened
from paircard.domain.log.location import Address, address_of
from paircard.domain.log.store import Tournaments
from paircard.domain.log.stored import GENESIS, Sealed, seal
from paircard.domain.state import state_after
from paircard.pairing import pair
from paircard.projections.standings.standings import standings_after
from paircard.projections.views import snapshot_now
from paircard.service import Office
from tests.cli.session import Terminal
from tests.scale.events import next_round, opening, result

PLAYERS, ROUNDS = 60, 3
PATIENCE = 400
AT_ONCE = 50
"""Tournaments per transaction."""


def one_log(folder: Path) -> list[Recorded]:
    """A tournament of sixty players, three rounds played."""
    id = "0" * 32
    with Tournaments(folder / "one.db", create=True) as store:
        store.ask(id, *opening("Open", PLAYERS, 9))
        for round in range(1, ROUNDS + 1):
            next_round(store, id, PLAYERS, round)
            store.ask(id, *[result(round, board) for board in range(1, PLAYERS // 2 + 1)])
        return store.log(id)


def id_of(number: int) -> str:
    return f"{number * 2654435761 % 2**32:08x}{number:024x}"


def fill(location: str, log: list[Recorded], count: int) -> None:
    """Many tournaments with these facts, each under its own id and name, sealed into a chain of its own."""
    with Tournaments(location, create=True) as store:
        for start in range(0, count, AT_ONCE):
            with store.backend.writing():
                for number in range(start, min(start + AT_ONCE, count)):
                    store.backend.insert_events([one.stored for one in sealed(log, number)])


def sealed(log: list[Recorded], number: int) -> list[Sealed]:
    id, head = id_of(number), GENESIS
    facts = []
    for recorded in log:
        fact = recorded.fact
        if isinstance(fact, TournamentOpened):
            regulations = msgspec.structs.replace(fact.regulations, name=f"Open {number:05}")
            fact = TournamentOpened(regulations=regulations)
        facts.append(seal(msgspec.structs.replace(recorded, tournament=id, fact=fact), head))
        head = facts[-1].fact.hash
    return facts


def measured(location: str, number: int) -> dict[str, float]:
    """Seconds to find and load, to pair and to rank one tournament that nobody has looked at yet."""
    id = id_of(number)
    times = {}
    with Tournaments(location) as store:
        store.last_position()  # connecting to a server takes its time, whatever is in it
        start = time.perf_counter()
        assert store.ids_from(id[:12]) == [id]
        state = store.state(id)
        times["opening"], start = time.perf_counter() - start, time.perf_counter()
        told = state_after(store.log(id))
        round = pair(snapshot_now(told))
        times["pairing"], start = time.perf_counter() - start, time.perf_counter()
        ranked = standings_after(state_after(store.log(id)))
        times["standings"] = time.perf_counter() - start
    assert (state.paired, len(round.boards), len(ranked)) == (ROUNDS, PLAYERS // 2, PLAYERS)
    return times


def best(few: str, many: str, count: int, times: int) -> dict[str, tuple[float, float]]:
    """The quickest of several, taken in turn so that what else the machine does hits both.

    Others can only make it slower: as long as it looks too slow, it is tried again, up to ``PATIENCE`` times.
    """
    found: dict[str, tuple[float, float]] = {}
    for turn in range(PATIENCE):
        if turn >= times and all(other < 1.5 * one for one, other in found.values()):
            break
        one, other = measured(few, turn % 10), measured(many, turn * 7919 % count)
        for name in one:
            before = found.get(name, (9e9, 9e9))
            found[name] = min(before[0], one[name]), min(before[1], other[name])
    return found


def compare(folder: Path, count: int, times: int, where: Callable[[str], str]) -> str:
    log = one_log(folder)
    few, many = where("few"), where("many")
    fill(few, log, 10)
    fill(many, log, count)
    found = best(few, many, count, times)
    told = ", ".join(
        f"{name} {one * 1e3:.1f} and {other * 1e3:.1f} ms ({other / one:.2f})"
        for name, (one, other) in found.items()
    )
    assert all(other < 1.5 * one for one, other in found.values()), told
    return f"10 and {count} tournaments: {told}"


def test_one_tournament_among_many_is_as_quick_as_among_ten(tmp_path: Path) -> None:
    compare(tmp_path, 150, 6, lambda name: str(tmp_path / f"{name}.db"))


@pytest.mark.soak
def test_one_tournament_among_five_thousand_is_as_quick_as_among_ten(
    location: str, tmp_path: Path, request: pytest.FixtureRequest
) -> None:
    from paircard.domain.log.store import prepare

    def where(name: str) -> str:
        if "://" not in location:
            return str(tmp_path / f"{name}.db")
        url: str = request.getfixturevalue("server").fresh()
        prepare(url)
        return url

    count = int(os.environ.get("PAIRCARD_TOURNAMENTS", "5000"))
    print("\n" + location.partition(":")[0], compare(tmp_path, count, 25, where))


@pytest.mark.soak
def test_the_command_line_finds_a_name_among_five_thousand(tmp_path: Path) -> None:
    count = int(os.environ.get("PAIRCARD_TOURNAMENTS", "5000"))
    terminal, log = Terminal(tmp_path), one_log(tmp_path)
    for name, size in (("few.db", 10), ("many.db", count)):
        fill(str(tmp_path / name), log, size)
    quickest: dict[tuple[str, str], float] = {}
    for turn in range(5):
        for name in ("few.db", "many.db"):
            for words in (["show"], ["pair"], ["standings"]):
                start = time.perf_counter()
                terminal.ok(*words, "-t", f"Open {turn:05}", "--db", name)
                key = words[0], name
                quickest[key] = min(quickest.get(key, 9e9), time.perf_counter() - start)
    told = []
    for word in ("show", "pair", "standings"):
        one, other = quickest[word, "few.db"], quickest[word, "many.db"]
        told.append(f"{word} {one * 1e3:.0f} and {other * 1e3:.0f} ms ({other / one:.2f})")
        assert other < 1.5 * one, told
    print(f"\ncommand line, 10 and {count} tournaments: {', '.join(told)}")


@pytest.mark.soak
def test_five_thousand_are_listed_in_well_under_a_second(location: str, tmp_path: Path) -> None:
    count = int(os.environ.get("PAIRCARD_TOURNAMENTS", "5000"))
    fill(location, one_log(tmp_path), count)
    address = address_of(location)
    if isinstance(address, Address):
        with psycopg.connect(address.url, autocommit=True) as db:  # as PostgreSQL does by itself in time
            db.execute(f"VACUUM ANALYZE {address.schema}.stored_events")
    taken = 9e9
    with Office.open(location) as office:
        for _ in range(5):
            start = time.perf_counter()
            rows = office.tournaments()
            taken = min(taken, time.perf_counter() - start)
        assert rows[-1] == office.tournament(rows[-1].id).now().summary()
    assert len(rows) == count
    assert {(row.players, row.paired, row.state) for row in rows} == {(60, 3, "round 3 in play")}
    print(f"\n{location.partition(':')[0]}: {count} tournaments listed in {taken * 1e3:.0f} ms")
    assert taken < 1
