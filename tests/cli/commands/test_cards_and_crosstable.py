"""The pairing card and the crosstable: their heads, forfeits as such, floats and running scores."""

import csv
import io
import json
import sqlite3
from contextlib import closing
from pathlib import Path

import pytest

from paircard.service import Moment
from paircard.service.print.paper import cards_page
from paircard.service.print.rendering import language
from paircard.web.pages.player import player_page
from tests.cli.session import Terminal, moment
from tests.public_logs import public_log
from tests.refusals import sentence

WORKED = Path(__file__).parents[2] / "corpus" / "six-rounds-baku-2016.trf"


@pytest.fixture
def worked(tmp_path: Path) -> Terminal:
    """The worked example of the document; Francesco won by forfeit against Nancy in round 3."""
    terminal = Terminal(tmp_path)
    terminal.ok("trf", "import", str(WORKED), "--edition", "dutch-2017")
    return terminal


@pytest.fixture
def registered(worked: Terminal) -> Terminal:
    words = ("--fide-id", "1503014", "--national-id", "IT99", "--birth", "1990-04-23", "--club", "Torre")
    worked.ok("player", "correct", "Francesco", *words, "--why", "from the list")
    return worked


def test_a_card_names_ids_birth_and_club(registered: Terminal) -> None:
    text, page = registered.ok("card", "Francesco"), registered.ok("card", "Francesco", "--html")
    data = json.loads(registered.ok("card", "Francesco", "--json"))

    assert text.splitlines()[1] == "FIDE ID 1503014, national ID IT99, born 1990-04-23, club Torre"
    for said in ("FIDE ID 1503014", "National ID IT99", "Born 1990-04-23", "<bdi>Torre</bdi>"):
        assert said in page
    assert (data["fide_id"], data["national_id"], data["birth"]) == (1503014, "IT99", "1990-04-23")
    assert data["club"] == "Torre"


def test_the_public_sees_the_club_and_neither_ids_nor_birth(registered: Terminal) -> None:
    facts = public_log(moment(registered).facts)
    public = Moment.of(facts)
    card = public.card(public.player("Francesco"))
    page = cards_page(public)

    assert (card.fide_id, card.national_id, card.birth, card.club) == (0, "", "", "Torre")
    assert "Torre" in page
    for hidden in ("1503014", "IT99", "1990"):
        assert hidden not in page


def test_the_colour_of_a_forfeit_stands_in_brackets(worked: Terminal) -> None:
    text, page = worked.ok("card", "Francesco"), worked.ok("card", "Francesco", "--html")
    lines = json.loads(worked.ok("card", "Francesco", "--json"))["lines"]
    other = player_page(moment(worked), 6)

    assert text.splitlines()[4].split() == ["3", "11", "Nancy", "(black)", "↓", "+", "2½"]
    legend = sentence("cli.said.colour-in-brackets")
    assert text.splitlines()[-1] == legend
    assert [line["forfeited"] for line in lines] == [False, False, True, False, False, False]
    for html in (page, other):
        assert '(<span class="sq b"></span>)<span class="vh">Black, not played</span>' in html
    assert legend not in worked.ok("card", "Alice")


def test_the_table_of_the_document_has_a_command(worked: Terminal) -> None:
    """Opponent, colour, result, float and running score of every round."""
    told = worked.ok("crosstable", "--floats", "--running")

    francesco = next(line for line in told.splitlines() if "Francesco" in line)
    assert " ".join(francesco.split()) == "6 Francesco 2300 13b1 1 3w= 1½ 11b+↓ 2½ 2w0 2½ 4b= 3 1b0↑ 3 3"
    roberto = next(line for line in told.splitlines() if "Roberto" in line)
    assert "– U↓ 1" in roberto


def test_floats_and_scores_are_there_for_spreadsheets_programs_and_pages(worked: Terminal) -> None:
    rows = list(csv.DictReader(io.StringIO(worked.ok("crosstable", "--floats", "--running", "--csv"))))
    data = json.loads(worked.ok("crosstable", "--floats", "--running", "--json"))
    page = worked.ok("crosstable", "--floats", "--running", "--html")

    assert [rows[5][f"float_{n}"] for n in range(1, 7)] == ["", "", "d", "", "", "u"]
    assert [rows[5][f"score_{n}"] for n in range(1, 7)] == ["1.0", "1.5", "2.5", "2.5", "3.0", "3.0"]
    assert (data["rows"][5]["floats"], data["rows"][5]["running"]) == ("--d--u", [10, 15, 25, 25, 30, 30])
    assert '<small class="soft">2½</small>' in page
    assert sentence("page.crosstable.running") in page
    assert "floats" not in json.loads(worked.ok("crosstable", "--json"))["rows"][5]
    assert "float_1" not in worked.ok("crosstable", "--running", "--csv")


def test_floats_and_scores_of_an_earlier_round_are_of_that_round(worked: Terminal) -> None:
    data = json.loads(worked.ok("crosstable", "--round", "3", "--floats", "--running", "--json"))

    assert (data["rows"][5]["floats"], data["rows"][5]["running"]) == ("--d", [10, 15, 25])


def test_both_read_tables_say_which_opponent_was_not_met(worked: Terminal) -> None:
    worked.ok("tables", "read.db")
    with closing(sqlite3.connect(worked.folder / "read.db")) as tables:
        both = tables.execute(
            "SELECT e.opponent, e.colour, e.forfeited, c.opponent, c.colour, c.forfeited FROM entries e"
            " JOIN cards c USING (tournament, player, round) WHERE player = 6 ORDER BY round"
        ).fetchall()
        differ = tables.execute(
            "SELECT count(*) FROM entries e JOIN cards c USING (tournament, player, round)"
            " WHERE e.forfeited <> c.forfeited OR (e.colour <> c.colour) <> e.forfeited"
        ).fetchone()

    assert both[1:4] == [(3, "w", 0, 3, "w", 0), (11, "b", 1, 11, "-", 1), (2, "w", 0, 2, "w", 0)]
    assert differ == (0,), "the tables differ in the colours of forfeits alone"


def test_a_forfeit_is_no_game_of_the_heat_map(worked: Terminal) -> None:
    """41 boards were paired, and one of them was not played."""
    page = worked.ok("crosstable", "--html")

    assert language("en")("page.heat.title", players=14, games=40) in page
    assert page.count('<rect class="game ') == 80
