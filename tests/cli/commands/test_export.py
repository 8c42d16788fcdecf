"""``paircard export``: what relays, broadcasts, other programs and rating officers get."""

import csv
import io
from pathlib import Path

import pytest

from paircard.service.exports import harmless
from tests.cli.session import EIGHT, Terminal
from tests.refusals import sentence

PLAYERS = '''name,rating,title,federation,fide_id,sex,birth,club
"Rossi, ""Anna""",2400,IM,ITA,800,w,1990,=cmd()
"Verdi, Ugo",2300,GM,ITA,801,m,1980,
"Blanc, Zoé",2200,,FRA,,w,2001,
"Noir, Max",2000,FM,FRA,803,m,,
"Bye, Bob",0,,ENG,,,,
'''


@pytest.fixture
def played(tmp_path: Path) -> Terminal:
    terminal = Terminal(tmp_path)
    terminal.ok("new", "Open", "--rounds", "3", "--starts", "2026-11-16", "--place", "Trento")
    terminal.ok("player", "import", terminal.write("players.csv", PLAYERS))
    terminal.ok("player", "correct", "Rossi", "--k-factor", "10")
    terminal.ok("draw", "--colour", "white")
    terminal.ok("pair")
    terminal.ok("publish")
    terminal.ok("result", "1", "1", "½-½", "2", "0F-1F")
    return terminal


def test_pgn_has_the_headers_of_every_board(played: Terminal) -> None:
    first, second = played.ok("export", "pgn").split("\n\n[Event ")

    assert first.splitlines() == [
        '[Event "Open"]',
        '[Site "Trento"]',
        '[Date "2026.11.16"]',
        '[Round "1.1"]',
        '[White "Rossi, \\"Anna\\""]',
        '[Black "Blanc, Zoé"]',
        '[Result "1/2-1/2"]',
        '[WhiteTitle "IM"]',
        '[WhiteElo "2400"]',
        '[BlackElo "2200"]',
        '[WhiteFideId "800"]',
        '[EventDate "2026.11.16"]',
        '[EventRounds "3"]',
        "",
        "1/2-1/2",
    ]
    assert '[Termination "unplayed"]' in second
    assert second.rstrip().endswith("0-1")


def test_a_broadcast_gets_names_with_ids_or_ratings(played: Terminal) -> None:
    lines = played.ok("export", "broadcast").splitlines()

    assert 'Rossi, "Anna" / 800' in lines
    assert "Blanc, Zoé / 2200" in lines
    assert "Bye, Bob" in lines


def test_sheets_for_swiss_manager_come_back_and_hold_no_formula(played: Terminal) -> None:
    played.ok("export", "players", "-o", "out.csv")
    rows = list(csv.DictReader(io.StringIO((played.folder / "out.csv").read_text()), delimiter=";"))

    assert rows[0] == {
        "No": "1", "Name": 'Rossi, "Anna"', "Title": "IM", "ID no": "", "Rating nat": "",
        "Rating int": "2400", "Birth": "1990", "Fed": "ITA", "Sex": "w", "Club": "'=cmd()", "FIDE-No": "800",
    }  # fmt: skip
    played.ok("--db", "two.db", "new", "Again", "--rounds", "3")
    registered = sentence("cli.players.registered", entered=5)
    assert played.ok("--db", "two.db", "player", "import", "out.csv").splitlines() == [registered]
    assert '1;1;1;"Rossi, ""Anna""";2400;½-½;3;Blanc, Zoé;2200' in played.ok("export", "results")
    assert "1;;5;Bye, Bob;;bye;;;" in played.ok("export", "results")


@pytest.mark.parametrize(("cell", "safe"), [("=1+1", "'=1+1"), ("-1.5", "-1.5"), ("-x", "'-x"), ("A", "A")])
def test_a_cell_cannot_become_a_formula(cell: str, safe: str) -> None:
    assert harmless(cell) == safe


def test_rating_changes_and_opponents_are_counted_by_the_tables(played: Terminal) -> None:
    anna = next(line for line in played.ok("export", "performance", "--csv").splitlines() if "Anna" in line)

    # 200 points above: expected .76 (B.02:8.1), ½ - .76 = -.26, times 10
    assert anna.endswith(";2400;1;0.5;0.76;10;-2.60;2200;2200;;FRA 1")
    ugo = next(line for line in played.ok("export", "performance", "--csv").splitlines() if "Ugo" in line)
    assert ";0;0.0;" in ugo, "a forfeit is no game"
    assert '"change":-260' in played.ok("export", "performance", "--json").replace(" ", "")


def test_an_adjourned_game_is_in_no_performance(tmp_path: Path) -> None:
    terminal = Terminal(tmp_path)
    terminal.ok("new", "Club", "--rounds", "3")
    terminal.ok("player", "import", terminal.write("players.csv", EIGHT))
    terminal.ok("draw", "--colour", "white")
    terminal.ok("pair")
    terminal.ok("publish")
    terminal.ok("result", "1", "1", "adjourned", "2", "1-0")

    games = {
        line.split(";")[0]: line.split(";")[4]
        for line in terminal.ok("export", "performance", "--csv").splitlines()[1:]
    }

    assert (games["P1"], games["P5"], games["P2"]) == ("0", "0", "1")
