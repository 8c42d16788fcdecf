"""``paircard lists``: from the file of a list to a corrected player."""

import sqlite3
import threading
from collections.abc import Iterator
from contextlib import closing
from functools import partial
from http.server import SimpleHTTPRequestHandler, ThreadingHTTPServer
from pathlib import Path
from typing import Any

import pytest

from paircard.domain.messages import Message
from tests.cli.session import Terminal
from tests.refusals import sentence

LIST = "id,name,rating,federation,birth\n77,Rossi Anna,2010,ITA,1990\n78,Verdi Ugo,1900,ITA,1985\n"

IMPORTED: dict[str, Any] = {"name": "ITA", "day": "2026-11-01", "count": 2}


def test_a_list_is_imported_looked_up_and_players_registered_checked_and_updated(tmp_path: Path) -> None:
    terminal = Terminal(tmp_path)
    terminal.write("list.csv", LIST)
    terminal.ok("new", "Club", "--rounds", "3", "--rating-lists", "national", "--starts", "2026-11-16")

    said = terminal.ok("lists", "import", "list.csv", "--name", "ITA", "--valid", "2026-11-01")
    assert said.splitlines() == [sentence("cli.lists.imported", **IMPORTED)]
    assert "Rossi Anna" in terminal.ok("lists", "find", "anna ros", "--list", "ITA")
    assert "ITA   2026-11-01       2  list.csv" in terminal.ok("lists", "show")
    registered = sentence("log.player-registered", name="Rossi Anna", rating=2010)
    assert registered in terminal.ok("lists", "register", "77", "--list", "ITA")
    terminal.ok("player", "add", "Verdi Ugo", "--rating", "1500")

    checked = terminal.ok("lists", "check", "--list", "ITA")
    by_hand: dict[str, Any] = {"name": "Verdi Ugo", "label": "rating", "value": "1500", "kind": "1900"}
    assert sentence("cli.lists.field-by-hand", **by_hand) in checked
    terminal.ok("lists", "update", "Verdi", "--list", "ITA", "--by-hand")
    none = sentence("cli.lists.summary", entered=0, count=0)
    assert none in terminal.ok("lists", "check", "--list", "ITA").splitlines()
    terminal.refuses("cli.nothing-to-update", "lists", "update", "--all", "--list", "ITA")


def test_a_rating_corrected_by_hand_no_longer_claims_to_be_of_a_list(tmp_path: Path) -> None:
    terminal = Terminal(tmp_path)
    terminal.ok("new", "Club", "--rounds", "3")
    terminal.ok("player", "add", "Ada", "--fide-rating", "2000")
    terminal.ok("player", "correct", "Ada", "--rating", "2100")

    assert '"rating_source":"manual"' in terminal.ok("player", "list", "--json").replace(" ", "")


def test_what_is_not_there_is_said(tmp_path: Path) -> None:
    terminal = Terminal(tmp_path)
    terminal.write("list.csv", LIST)

    terminal.refuses("lists.none-there", "lists", "find", "x")
    terminal.refuses("lists.without-day", "lists", "import", "list.csv")
    value = sentence("lists.without-day", file="list.csv")
    assert terminal.refused("lists", "import", "list.csv") == sentence("cli.valid-from", value=value)
    terminal.ok("lists", "import", "list.csv", "--name", "ITA", "--valid", "2026-11-01")
    terminal.refuses("lists.unknown", "lists", "find", "x", text="fide", known=("ITA",))
    terminal.refuses("cli.no-such-list", "lists", "remove", "ITA", "2026-01-01", text="ITA", day="2026-01-01")
    terminal.ok("lists", "remove", "ITA", "2026-11-01")


class Silent(SimpleHTTPRequestHandler):
    """Serves files and says nothing about it."""

    def log_message(self, *_: object) -> None:
        """Nothing."""


@pytest.fixture
def server(tmp_path_factory: pytest.TempPathFactory) -> Iterator[str]:
    """A web server with a list on it."""
    folder = tmp_path_factory.mktemp("www")
    (folder / "list.csv").write_text(LIST)
    handler = partial(Silent, directory=str(folder))
    server = ThreadingHTTPServer(("127.0.0.1", 0), handler)
    threading.Thread(target=server.serve_forever, daemon=True).start()
    yield f"http://127.0.0.1:{server.server_port}"
    server.shutdown()
    server.server_close()


def test_a_list_is_fetched_and_the_running_tournaments_are_checked_against_it(
    tmp_path: Path, server: str
) -> None:
    terminal = Terminal(tmp_path)
    terminal.ok("new", "Club", "--rounds", "3", "--rating-lists", "national", "--starts", "2026-11-16")
    terminal.ok("player", "add", "Verdi Ugo", "--rating", "1500")
    words = ("--name", "ITA", "--valid", "2026-11-01")

    said = terminal.ok("lists", "fetch", "--url", f"{server}/list.csv", *words)
    imported = sentence("cli.lists.imported", **IMPORTED)
    differ = sentence("cli.lists.differ", name="Club", entered=1, value="Verdi Ugo")
    assert said.splitlines() == [imported, differ]
    quiet = terminal.ok("lists", "fetch", "--url", f"{server}/list.csv", *words, "--no-check")
    assert quiet.splitlines() == [imported]
    nothing = f"{server}/none.csv"
    terminal.refuses("lists.not-downloaded", "lists", "fetch", "--url", nothing, path=nothing)
    terminal.refuses("lists.not-an-address", "lists", "fetch", "--url", "file:///etc/passwd")


def test_a_daily_list_is_fetched_again_when_it_is_used_and_older_than_a_day(
    tmp_path: Path, server: str
) -> None:
    terminal = Terminal(tmp_path)
    terminal.ok("new", "Club", "--rounds", "3", "--rating-lists", "national", "--starts", "2026-11-16")
    terminal.ok("player", "add", "Verdi Ugo", "--rating", "1500")
    words = ("--name", "ITA", "--valid", "2026-11-01")
    terminal.ok("lists", "fetch", "--url", f"{server}/list.csv", *words, "--daily", "--no-check")
    assert terminal.run("lists", "find", "verdi", "--list", "ITA").err == ""

    set_fetched(tmp_path, "2026-11-01T12:00:00+00:00")
    renewed = terminal.run("lists", "find", "verdi", "--list", "ITA")
    assert renewed.err.splitlines()[0] == f"paircard: {sentence('cli.lists.fetched-again', name='ITA')}"
    assert "Verdi" in renewed.out
    assert terminal.run("lists", "find", "verdi", "--list", "ITA").err == ""

    set_fetched(tmp_path, "2026-11-01T12:00:00+00:00", address=f"{server}/none.csv")
    stale = terminal.run("lists", "check", "--list", "ITA")
    then: dict[str, Any] = {"name": "ITA", "day": "2026-11-01T12:00:00+00:00"}
    failed = Message("lists.not-downloaded", {"path": f"{server}/none.csv", "reason": "File not found"})
    assert sentence("cli.lists.stale", what=failed, **then) in stale.err
    assert stale.code == 0
    again = sentence("cli.lists.stale", what=Message("lists.tried-just-now"), **then)
    assert again in terminal.run("lists", "check", "--list", "ITA").err

    terminal.ok("lists", "fetch", "--url", f"{server}/list.csv", *words, "--once")
    assert terminal.run("lists", "check", "--list", "ITA").err == ""


def set_fetched(folder: Path, when: str, address: str = "") -> None:
    with closing(sqlite3.connect(folder / "paircard-lists.db")) as db, db:
        db.execute("UPDATE daily SET fetched=?, tried=?", (when, when))
        if address:
            db.execute("UPDATE daily SET address=?", (address,))


def test_every_rating_of_a_player_is_shown_with_the_list_it_comes_from(tmp_path: Path) -> None:
    terminal = Terminal(tmp_path)
    terminal.ok("new", "Club", "--rounds", "3")
    terminal.ok("player", "add", "Verdi Ugo", "--fide-rating", "1500", "--rapid-rating", "1400")
    terminal.ok("player", "add", "Rossi Eva", "--rating", "1450")

    shown = terminal.ok("lists", "ratings")

    assert [line.split() for line in shown.splitlines()[1:]] == [
        ["1", "Verdi", "Ugo", "1500", "FIDE", "standard", "1500", "1400"],
        ["2", "Rossi", "Eva", "1450", "by", "hand"],
    ]
