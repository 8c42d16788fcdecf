"""Laws: an HTTP answer is what the command line prints with --json; the public sees what was published."""

import json
from pathlib import Path

import pytest

from tests.audit.lives import life, rows
from tests.cli.session import Terminal
from tests.web.hall import hall_at

READS = {
    "show": "",
    "boards 1": "/rounds/1",
    "boards 2": "/rounds/2",
    "standings": "/standings",
    "standings --round 1": "/standings?after=1",
    "crosstable": "/crosstable",
    "card #1": "/players/1",
    "log": "/log",
}
"""A command, and the address that shows the same."""
PUBLIC = ("/rounds/1", "/rounds/2", "/standings", "/standings?after=1", "/crosstable", "/players/1")


@pytest.mark.parametrize("seed", [3, 11])
def test_an_answer_is_what_the_command_line_prints(seed: int, tmp_path: Path) -> None:
    log = life(seed, players=8, rounds=4)
    path, id = tmp_path / "open.db", log[0].tournament
    with hall_at(str(path)) as hall:
        hall.site.office.store().copy_in(id, rows(log))
        terminal = Terminal(tmp_path)

        def printed(command: str) -> object:
            done = terminal.run(*command.split(), "--json", "--db", str(path))
            assert done.code == 0, done.err
            return json.loads(done.out)

        for command, address in READS.items():
            answered = hall.call("GET", f"/tournaments/{id}{address}", "arbiter")
            assert answered.json() == printed(command), command
        assert hall.call("GET", "/tournaments", "arbiter").json()["tournaments"] == printed("list")


@pytest.mark.parametrize("seed", [3, 11])
def test_the_public_is_answered_what_the_arbiter_is_once_all_is_published(seed: int, tmp_path: Path) -> None:
    log = life(seed, players=8, rounds=4)
    id = log[0].tournament
    with hall_at(str(tmp_path / "open.db")) as hall:
        hall.site.office.store().copy_in(id, rows(log))
        for address in PUBLIC:
            public = hall.call("GET", f"/tournaments/{id}{address}")
            assert public.json() == hall.call("GET", f"/tournaments/{id}{address}", "arbiter").json(), address
