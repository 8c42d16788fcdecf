"""What a command says besides its facts: results that stood already, games to finish, unknown strength."""

import json

from paircard.domain.values.results import Outcome
from tests.cli.session import Terminal
from tests.refusals import sentence

NAMES = {1: "Ada", 2: "Ben", 3: "Cleo", 4: "Dag"}


def test_a_result_that_is_sent_again_is_told_board_by_board(playing: Terminal) -> None:
    playing.ok("result", "1", "1", "1-0")
    won, lost = Outcome("1", "0"), Outcome("0", "1")
    first = sentence("log.result-recorded", NAMES, round=1, board=1, white=1, black=3, result=won)
    second = sentence("log.game-adjourned", NAMES, round=1, board=2, white=4, black=2)
    later = sentence("log.result-recorded", NAMES, round=1, board=2, white=4, black=2, result=lost)
    stands = [sentence("cli.said.already-recorded", value=one) for one in (first, second)]

    assert playing.ok("result", "1", "1", "1") == f"{stands[0]}\n"
    playing.write("sheet.txt", "1 1-0\n2 adjourned\n")
    assert playing.ok("result", "1", "--file", "sheet.txt").splitlines() == [second, stands[0]]
    assert playing.ok("result", "1", "--file", "sheet.txt").splitlines() == stands
    told = json.loads(
        playing.ok("result", "1", "1", "1-0", "2", "0-1", "--ack", "adjourned-not-drawn", "--json")
    )
    assert [line["text"] for line in told["lines"]] == [later]
    [already] = told["already"]
    assert (already["round"], already["board"], already["text"]) == (1, 1, first)
    assert already["message"]["code"] == "log.result-recorded"


def test_a_spreadsheet_of_standings_says_who_has_games_to_finish(playing: Terminal) -> None:
    playing.ok("result", "1", "1", "1-0", "2", "adjourned")
    playing.ok("complete")

    heading, *lines = playing.ok("standings", "--csv").splitlines()
    assert heading.split(",")[-1] == "games_to_finish"
    assert {line.split(",")[3]: line.rsplit(",", 1)[1] for line in lines} == {
        "Ada": "0",
        "Ben": "1",
        "Cleo": "0",
        "Dag": "1",
    }
    playing.ok("result", "1", "2", "½-½")
    assert "games_to_finish" not in playing.ok("standings", "--csv")


def test_pairing_round_1_says_whose_strength_nobody_gave(terminal: Terminal) -> None:
    terminal.ok("new", "Open", "--rounds", "3", "--tiebreaks", "BH")
    terminal.ok(
        "player", "import", terminal.write("p.csv", "name,rating\nAda,2000\nBen,\nCleo,1800\nDag,1700\n")
    )
    terminal.ok("draw")
    note = sentence("pairing.advice.unrated", {2: "Ben"}, players=[2], count=0)
    assert note in terminal.ok("pair")

    terminal.ok("unpair")
    terminal.ok("player", "correct", "Ben", "--rating", "1500", "--estimated")
    told = terminal.ok("pair")
    assert note not in told
    assert sentence("pairing.advice.nobody-rated") not in told
