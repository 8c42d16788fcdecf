"""A federation: does anything that is asked of one tournament know how many others there are?

    python tests/bench/bench_federation.py [--sizes 100,1000,10000] [--on sqlite,postgres] [--repeat 15]

Stores of each size are filled by sealing played templates anew, each under a name, a place, a year and
players of its own, inside the write transaction of the store; a database gets the rows of the file. Then each
question is asked of all sizes in turn, and the best of the wall times are compared: time = size ** exponent.
``verify --all`` is run once on each size, for the memory of the largest of its processes.
"""

import math
import sqlite3
import subprocess
import sys
import tempfile
import time
from argparse import ArgumentParser
from collections.abc import Callable, Iterator
from contextlib import ExitStack, closing, contextmanager
from hashlib import sha256
from itertools import count
from pathlib import Path

import psycopg
from msgspec.structs import replace

ROOT = Path(__file__).parents[2]
sys.path[:0] = [
    str(ROOT),
    *(str(ROOT / name) for name in ("domain", "projections", "pairing", "service", "cli", "web")),
]

from paircard.domain.events import PlayerRegistered, Recorded, TournamentOpened  # noqa: E402
from paircard.domain.log.location import parsed_address  # noqa: E402
from paircard.domain.log.store import Tournaments, prepare  # noqa: E402
from paircard.domain.log.stored import GENESIS, new_salt, seal_all  # noqa: E402
from paircard.domain.values.regulations import Regulations  # noqa: E402
from paircard.service import Office, person  # noqa: E402
from tests.bench.peers import ENVIRONMENT, load, machine, seconds  # noqa: E402
from tests.postgres import Server, running  # noqa: E402
from tests.test_walks import playing  # noqa: E402
from tests.web.hall import Hall, hall_at  # noqa: E402

MOST = 0.1
"""The exponent."""
FLAT = 1.25
"""Of memory, the largest store against the smallest."""
AT_ONCE = 100
TOWNS = ("Torino", "Köln", "Łódź", "Praha", "Riga", "Bath", "Lyon", "Graz")
FAMILIES = ("Rossi", "Novák", "Weber", "Kowalski", "Martin", "Bērziņš", "Smith", "Gruber")
ANNA = person("Anna Arbiter")
Work = Callable[[], object]
_new = count(1)


def template(folder: Path) -> list[Recorded]:
    """The facts of a small tournament, two rounds played and the third published."""
    playing(folder / "template.db", 8, 3)
    with Office.open(folder / "template.db") as office:
        return office.tournament().facts()


def id_of(number: int) -> str:
    return sha256(f"federation {number}".encode()).hexdigest()[:32]


def name_of(number: int) -> str:
    return f"Open {TOWNS[number % len(TOWNS)]} n{number}"


def fill(store: Tournaments, facts: list[Recorded], tournaments: int) -> None:
    """So many tournaments, each with a name, a place, a year and players of its own."""
    for begin in range(0, tournaments, AT_ONCE):
        with store.backend.writing():
            for number in range(begin, min(begin + AT_ONCE, tournaments)):
                drafts = [replace(one, tournament=id_of(number), private=()) for one in facts]
                opening = drafts[0].fact
                assert isinstance(opening, TournamentOpened)
                year = 1996 + number % 30
                rules = replace(
                    opening.regulations,
                    name=name_of(number),
                    place=TOWNS[number % len(TOWNS)],
                    starts=f"{year}-05-01",
                )
                drafts[0] = replace(drafts[0], fact=replace(opening, regulations=rules))
                drafts = [named(one, number) for one in drafts]
                store.add_stored(
                    id_of(number), [one.stored for one in seal_all(drafts, GENESIS, None, new_salt)]
                )


def named(one: Recorded, number: int) -> Recorded:
    """The first player is of this tournament alone, the others have names that many have."""
    if not isinstance(one.fact, PlayerRegistered):
        return one
    player = one.fact.player
    family = FAMILIES[(number + player) % len(FAMILIES)] if player > 1 else f"Unico{number}"
    details = replace(one.fact.details, name=f"{family}, Anna {player}")
    return replace(one, fact=replace(one.fact, details=details))


@contextmanager
def places(kind: str, files: dict[int, Path]) -> Iterator[dict[int, str]]:
    """The store of each size: the file, or a database with all that is in the file."""
    if kind == "sqlite":
        yield {size: str(file) for size, file in files.items()}
        return
    with running() as server:
        yield {size: copied(file, server) for size, file in files.items()}


TABLES = {
    "stored_events": "originator_id, originator_version, topic, state, notification_id",
    "private": "tournament, version, hash, bytes",
    "catalogue": "*",
    "words": "first, word, player",
}


def copied(file: Path, server: Server) -> str:
    """A database with the rows of a file, and the statistics the server makes by itself within a minute."""
    location = server.fresh()
    prepare(location)
    address = parsed_address(location)
    with closing(sqlite3.connect(file)) as rows, psycopg.connect(address.url) as db:
        for table, columns in TABLES.items():
            found = rows.execute(f"SELECT {columns.replace('notification_id', 'rowid')} FROM {table}")
            named = "" if columns == "*" else f"({columns})"
            with db.cursor().copy(f'COPY "{address.schema}".{table} {named} FROM STDIN') as copy:
                for row in found:
                    copy.write_row(row)
        facts = f'"{address.schema}".stored_events'
        db.execute(f"SELECT setval('{facts}_notification_id_seq', max(notification_id)) FROM {facts}")
        db.execute("ANALYZE")
    return location


def questions(size: int, location: str, hall: Hall) -> dict[str, Work]:
    """What is asked of each store, always of a tournament in its middle."""
    middle, office = size // 2, hall.site.office

    def opened(work: Callable[[Office], object]) -> Work:
        """With a store that was just opened, as every command does."""

        def run() -> object:
            with Office.open(location) as fresh:
                return work(fresh)

        return run

    def page(address: str) -> Work:
        def run() -> object:
            answer = hall.http.request("GET", address)
            assert answer.status_code == 200, answer.text
            return answer

        return run

    def new() -> object:
        return office.new(Regulations(name=f"New {next(_new)}", rounds=5), by=ANNA)

    def found(text: str, address: str) -> Work:
        assert text in hall.http.request("GET", address).text, address
        return page(address)

    api, name = "/api/v1/tournaments", name_of(middle)
    return {
        "list, a page of 50": page(f"{api}?limit=50"),
        "list, a page in the middle": page(f"{api}?limit=50&after={id_of(middle)}"),
        "home page": page("/"),
        "search by name": found(name, f"{api}?name=n{middle}"),
        "search by a name that all have": page(f"{api}?name=open"),
        "search by place and year": page(f"{api}?place=torino&year=2004&limit=1"),
        "search by player": found(name, f"{api}?player=unico{middle}"),
        "search by a player that most have": page(f"{api}?player=anna+rossi"),
        "search that finds nothing": page(f"{api}?name=nothing+at+all"),
        "`show` by name": opened(lambda fresh: fresh.tournament(name).now()),
        "`show` by a part of the name": opened(lambda fresh: fresh.tournament(f"n{middle}").now()),
        "`new`": new,
        "`verify -t`": opened(lambda fresh: fresh.tournament(id_of(middle)).verify()),
        "`list --limit 50`": opened(lambda fresh: fresh.tournaments(limit=50)),
    }


def measured(kind: str, at: dict[int, str], repeat: int) -> None:
    """One row for each question."""
    sizes = sorted(at)
    with ExitStack() as open_halls:
        halls = {size: open_halls.enter_context(hall_at(at[size])) for size in sizes}
        asked = {size: questions(size, at[size], halls[size]) for size in sizes}
        for what in asked[sizes[0]]:
            taken: dict[int, list[float]] = {size: [] for size in sizes}
            for turn in range(repeat + 2):
                for size in sizes:
                    begun = time.perf_counter()
                    asked[size][what]()
                    if turn > 1:
                        taken[size].append(time.perf_counter() - begun)
            best = [min(taken[size]) for size in sizes]
            exponent = math.log(best[-1] / best[0]) / math.log(sizes[-1] / sizes[0])
            shown = [seconds(one) for one in best]
            row(f"{what}, {kind}", shown, f"{exponent:.2f}", MOST, exponent < MOST)


MEASURING = """
import resource, subprocess, sys, time
begun = time.perf_counter()
code = subprocess.call([sys.executable, "-m", "paircard.cli", *sys.argv[1:]], stdout=subprocess.DEVNULL)
print(code, resource.getrusage(resource.RUSAGE_CHILDREN).ru_maxrss, time.perf_counter() - begun)
"""
"""A small process between: a child begins with the memory of whoever starts it."""


def memory(kind: str, at: dict[int, str]) -> None:
    """``verify --all`` in processes of its own: the memory of the largest of them, and its time."""
    used, shown = [], []
    for size in sorted(at):
        words = [sys.executable, "-c", MEASURING, "verify", "--all", "--db", at[size]]
        said = subprocess.run(words, env=ENVIRONMENT, capture_output=True, text=True, check=True).stdout
        code, most, taken = said.split()
        assert code == "0", f"verify --all of {size} ended with {code}"
        used.append(int(most))
        shown.append(f"{used[-1] / 2**10:.0f} MiB, {seconds(float(taken))}")
    ratio = used[-1] / used[0]
    row(f"`verify --all`, {kind}", shown, f"×{ratio:.2f}", FLAT, ratio < FLAT)


def row(what: str, shown: list[str], result: str, most: float, met: bool) -> None:
    verdict = "met" if met else "MISSED"
    print(f"| {what} | {' | '.join(shown)} | {result} | below {most:g} | {verdict} |", flush=True)


def main() -> None:
    """Fill, ask, print."""
    options = ArgumentParser(description=__doc__.splitlines()[0] if __doc__ else "")
    options.add_argument("--sizes", default="100,1000,10000")
    options.add_argument("--on", default="sqlite,postgres")
    options.add_argument("--repeat", type=int, default=15)
    options.add_argument("--no-memory", action="store_true", help="leave verify --all out")
    given = options.parse_args()
    sizes = [int(size) for size in given.sizes.split(",")]
    print(f"{machine()}; {load()}\n")
    with tempfile.TemporaryDirectory() as name:
        facts, filled = template(Path(name)), []
        files = {size: Path(name) / f"{size}.db" for size in sizes}
        for size, file in files.items():
            begun = time.perf_counter()
            with Tournaments(file, create=True) as store:
                fill(store, facts, size)
            filled.append(f"{size:,} in {seconds(time.perf_counter() - begun)}")
        print(f"| among {len(facts)} facts each | {' | '.join(f'{size:,}' for size in sizes)} | | target | |")
        print("|---" * (len(sizes) + 4) + "|")
        for kind in given.on.split(","):
            with places(kind, files) as at:
                measured(kind, at, given.repeat)
                if not given.no_memory:
                    memory(kind, at)
    print(f"\nFilled: {', '.join(filled)}; {load()}")


if __name__ == "__main__":
    main()
