"""How long the way of a command is: modules entered, borders crossed, statements given to SQLite.

The way of one result must not grow with players, rounds or facts. Who makes it longer sees it here.
"""

import json
import os
import subprocess
import sys
from pathlib import Path

import pytest

from paircard.domain.commands import RegisterPlayer
from paircard.domain.values.players import Details
from paircard.domain.values.regulations import Regulations
from paircard.service import Office, person
from tests.roots import PYTHONPATH, ROOT

COUNTING = """
import collections, json, os, sqlite3, sys, threading
stacks, entered, crossings, statements = collections.defaultdict(list), set(), collections.Counter(), []
connect = sqlite3.connect

def listening(*args, **options):
    made = connect(*args, **options)
    made.set_trace_callback(lambda sql: following() or statements.append(sql))
    return made

def following():  # a server looks for news and for webhooks now and then, whatever is asked
    return threading.current_thread().name.startswith(("follower", "courier"))

def profile(frame, event, _):
    module, stack = frame.f_globals.get("__name__", ""), stacks[threading.get_ident()]
    if not module.startswith("paircard.") or not frame.f_code.co_flags & 1:
        return
    if module == "paircard.web.feed" or following():
        return
    if event == "call":
        if stack and stack[-1] != module:
            crossings[f"{stack[-1]} -> {module}"] += 1
        entered.add(module)
        stack.append(module)
    elif event == "return" and stack:
        stack.pop()
"""
WALK = f"""{COUNTING}
import click
from paircard.cli.main import cli, main
cli.get_command(click.Context(cli), sys.argv[1])  # what is counted is the way, not the loading of rooms
if sys.argv[1] not in ("result", "--version", "--help"):
    from paircard.service import Office, Tournament
sqlite3.connect, os._exit = listening, sys.exit
sys.argv = ["paircard", *sys.argv[1:]]
sys.setprofile(profile)
try:
    main()
except SystemExit as end:
    code = end.code
finally:
    sys.setprofile(None)
print(json.dumps([code, sorted(entered), crossings, statements]))
"""
SERVED = f"""{COUNTING}
from msgspec.structs import replace
from tests.web.hall import QUICK, hall_at
sqlite3.connect = listening
counting = False
threading.setprofile(lambda *event: counting and profile(*event))
with hall_at(sys.argv[3], replace(QUICK, large=10**6)) as hall:  # pages are made here, where they are counted
    [hall.tournament] = [one.id for one in hall.site.office.tournaments()]
    for board in (2, 1):  # what is counted is the way, not the loading of rooms
        for way in ("result", "page"):
            statements.clear()
            counting = (way, board) == (sys.argv[1], 1)
            if way == "result":
                command = {{"do": "record-result", "round": 1, "board": board, "outcome": "1-0"}}
                address, body = f"/tournaments/{{hall.tournament}}/commands", {{"commands": [command]}}
                answer = hall.call("POST", address, "arbiter", body, idempotency_key=f"k{{board}}")
            else:
                answer = hall.http.request("GET", f"/tournaments/{{hall.tournament}}/rounds/1")
            assert answer.status_code in (200, 201), answer.text
            if counting:
                counted = [0, sorted(entered), dict(crossings), list(statements)]
            counting = False
print(json.dumps(counted))
"""
MODULES, CROSSINGS, STATEMENTS = 16, 59, 18
BUDGETS = {
    ("standings", 8): (26, 91, 12),
    ("standings", 200): (26, 91, 12),
    ("why", 8): (42, 251, 16),
    ("why", 200): (43, 233, 16),
    ("correct", 8): (18, 71, 19),
    ("correct", 200): (18, 71, 19),
    ("pair", 8): (35, 161, 19),
    ("pair", 200): (36, 205, 19),
}
"""By command and number of players: modules, crossings, statements."""


SERVED_BUDGETS = {
    ("result", 8): (25, 64, 10),
    ("result", 200): (25, 64, 10),
    ("page", 8): (26, 201, 1),
    ("page", 200): (26, 201, 1),
}
"""By what is asked of a server and number of players: modules, crossings, statements."""


def playing(path: Path, players: int, rounds: int) -> None:
    """A tournament whose last round of so many is published."""
    anna = person("Anna Arbiter")
    with Office.create(path) as office:
        t = office.new(Regulations(name="Open", rounds=rounds + 1), by=anna)
        entries = [
            RegisterPlayer(details=Details(name=f"Player {n}", rating=2500 - n)) for n in range(players)
        ]
        t.ask(*entries, by=anna)
        t.draw_colour("w", by=anna)
        for round in range(1, rounds + 1):
            boards = len(t.pair(by=anna).round.boards)
            t.publish(by=anna)
            if round < rounds:
                t.record(
                    round, {board: "1-0" if board % 3 else "½-½" for board in range(1, boards + 1)}, by=anna
                )


def walk(path: Path, *words: str, program: str = WALK) -> tuple[list[str], dict[str, int], list[str]]:
    """The modules a command enters, the borders it crosses and how often, and its statements."""
    environment = {name: value for name, value in os.environ.items() if not name.startswith("PAIRCARD_")}
    ended = subprocess.run(
        [sys.executable, "-c", program, *words, "--db", str(path)],
        cwd=path.parent,
        env=environment | {"PYTHONPATH": f"{PYTHONPATH}{os.pathsep}{ROOT}", "PAIRCARD_AS": "Anna Arbiter"},
        capture_output=True,
        text=True,
        check=True,
    )
    code, entered, crossings, statements = json.loads(ended.stdout.splitlines()[-1])
    assert not code, ended.stdout + ended.stderr
    return entered, crossings, statements


@pytest.mark.parametrize(("players", "rounds"), [(8, 1), (200, 1), (60, 9)])
def test_the_way_of_a_result_is_short_whatever_the_number_of_players_and_rounds(
    tmp_path: Path, players: int, rounds: int
) -> None:
    path = tmp_path / "open.db"
    playing(path, players, rounds)

    entered, crossings, statements = walk(path, "result", str(rounds), "1", "1-0")

    assert len(statements) <= STATEMENTS, statements
    assert len(entered) <= MODULES, entered
    assert sum(crossings.values()) <= CROSSINGS, crossings


def test_nothing_of_the_facts_is_read_twice(tmp_path: Path) -> None:
    path = tmp_path / "open.db"
    playing(path, 8, 1)

    _, _, statements = walk(path, "result", "1", "1", "1-0")

    facts = [sql for sql in statements if "FROM stored_events e" in sql]
    assert len([sql for sql in facts if "originator_version>" not in sql]) == 1, "the whole log, once"
    assert len(facts) == 3, "then the last known fact under the lock, and what was written"


def test_a_result_loads_neither_engine_nor_sheets_nor_views(tmp_path: Path) -> None:
    playing(tmp_path / "open.db", 8, 1)
    loaded = WALK.replace("[code, sorted(entered)", "[code, sorted(sys.modules)")

    modules, _, _ = walk(tmp_path / "open.db", "result", "1", "1", "1-0", program=loaded)

    rooms = ("pairing", "service.sheets", "service.review", "service.explaining", "service.reports")
    assert not [name for name in modules if name.startswith(tuple(f"paircard.{room}" for room in rooms))]


@pytest.mark.parametrize("asked", ["--version", "--help"])
def test_version_and_help_load_neither_store_nor_service(tmp_path: Path, asked: str) -> None:
    loaded = WALK.replace("[code, sorted(entered)", "[code, sorted(sys.modules)")

    modules, _, _ = walk(tmp_path / "none.db", asked, program=loaded)

    rooms = ("service", "pairing", "projections", "domain.deciding", "domain.log.store", "domain.log.reader")
    assert not [name for name in modules if name.startswith(tuple(f"paircard.{room}" for room in rooms))]


@pytest.mark.parametrize("players", [8, 200])
def test_the_ways_over_http_are_no_longer_than_they_were(tmp_path: Path, players: int) -> None:
    for way in ("result", "page"):
        path = tmp_path / f"{way}.db"
        playing(path, players, 1)
        entered, crossings, statements = walk(path, way, program=SERVED)
        modules, calls, asked = SERVED_BUDGETS[way, players]
        assert len(statements) <= asked, (way, statements)
        assert len(entered) <= modules, (way, entered)
        assert sum(crossings.values()) <= calls, (way, crossings)


@pytest.mark.parametrize("players", [8, 200])
def test_the_ways_of_other_commands_are_no_longer_than_they_were(tmp_path: Path, players: int) -> None:
    path = tmp_path / "open.db"
    playing(path, players, 2)
    with Office.open(path) as office:
        results = dict.fromkeys(range(1, players // 2 + 1), "1-0")
        office.tournament().record(2, results, by=person("Anna Arbiter"))
    commands: dict[str, tuple[str, ...]] = {
        "standings": (),
        "why": ("2", "Player 3"),
        "correct": ("2", "1", "0-1", "--why", "a slip"),
        "pair": (),
    }

    for command, words in commands.items():
        entered, crossings, statements = walk(path, command, *words)
        modules, calls, asked = BUDGETS[command, players]
        assert len(statements) <= asked, (command, statements)
        assert len(entered) <= modules, (command, entered)
        assert sum(crossings.values()) <= calls, (command, crossings)
        facts = [sql for sql in statements if "FROM stored_events e" in sql]
        whole = [sql for sql in facts if "version>" not in sql]
        assert len(whole) == 1, "the log is read once"
