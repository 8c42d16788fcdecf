"""A tournament of 2015 at the command line, handled and replayed by the text of Istanbul 2012."""

import json
import zipfile
from pathlib import Path

import pytest

from paircard.domain.messages import say
from paircard.domain.values.results import Outcome
from paircard.projections.trf import crosstable, parse
from tests.cli.session import EIGHT, Terminal, play
from tests.refusals import sentence

CORPUS = Path(__file__).parents[1] / "corpus"

FOUR_WINS = ("1-0", "1-0", "1-0", "1-0")
NAMES = {id: f"P{id}" for id in range(1, 9)}


@pytest.mark.parametrize("edition", ["dutch-2012", "dutch-2012-javafo"])
def test_a_result_corrected_three_rounds_later_counts_from_then_on_and_every_round_replays(
    terminal: Terminal, edition: str
) -> None:
    """2012 F.7"""
    terminal.ok("new", "Eight", "--rounds", "6", "--edition", edition, "--starts", "2015-05-01")
    terminal.ok("player", "import", terminal.write("eight.csv", EIGHT))
    terminal.ok("draw", "--colour", "white")
    for round in range(1, 4):
        play(terminal, round, *FOUR_WINS)
    terminal.ok("pair")
    terminal.ok("publish")
    before = terminal.ok("standings", "--after", "2")

    white, black = Outcome("1", "0"), Outcome("0", "1")
    words = ("correct", "1", "1", "0-1", "--why", "score sheets")
    change = say("change.result", round=1, board=1, was=white, result=black)
    terminal.warned("correction.not-played", *words, change=change, round=4, next=5)
    done = terminal.ok(*words, "--ack", "correction")
    corrected = say("log.result-corrected", round=1, board=1, white=1, black=5, was=white, result=black)
    assert sentence(corrected.code, NAMES, **corrected.fields, scope="pairing-after-next") in done
    terminal.ok("result", "4", *(word for board in "1234" for word in (board, "=")))
    assert terminal.ok("standings", "--after", "2") == before, "standings of rounds that were paired stay"
    terminal.ok("player", "correct", "P8", "--rating", "2600", "--why", "wrong list")
    play(terminal, 5, *FOUR_WINS)

    listed = json.loads(terminal.ok("player", "list", "--json"))["players"]
    [first] = [player["name"] for player in listed if player["number"] == 1]
    assert first == ("P8" if edition == "dutch-2012" else "P1")  # 2012 A.2; JaVaFo keeps the numbers
    assert "different" not in terminal.ok("replay")
    terminal.ok("verify")


def test_what_an_arbiter_is_warned_of_cites_the_text_of_2012(terminal: Terminal) -> None:
    """2012 B.1.a, B.2, F.5 to F.9"""
    terminal.ok("new", "Eight", "--rounds", "6", "--edition", "dutch-2012", "--starts", "2015-05-01")
    terminal.ok("player", "import", terminal.write("eight.csv", EIGHT))
    terminal.ok("draw", "--colour", "white")
    play(terminal, 1, "1-0", "1F-0F", "1-0", "1-0")

    said = terminal.refused("bye", "grant", "P1", "2", "--half")
    assert sentence("half-bye-not-announced", player=1) + " (2012 F.5)" in said
    said = terminal.refused("pair")
    assert sentence("no-show", NAMES, players=(2,), round=1) + " (2012 F.8)" in said
    said = terminal.ok("pair", "--ack", "no-show", "--why", "the car broke down")
    meant = sentence("log.accepted-warning", meaning="no-show", article="2012 F.8")
    assert sentence("cli.said.accepted", value=meant) in said
    terminal.ok("publish")
    said = terminal.ok("correct", "1", "1", "=", "--why", "score sheets", "--preview")
    assert sentence("cli.what-if.stands", round=2, article="2012 F.7") in said
    said = terminal.refused("alter", "pair", "P1", "P5", "--why", "they asked")
    assert sentence("rematch", NAMES, white=1, black=5) + " (2012 B.1.a)" in said
    altered = sentence("published-pairing.altered", round=2, cases="dutch-2012")
    assert f"{altered} (2012 F.6, F.7)" in said
    terminal.ok("result", "2", "1", "adjourned")
    said = terminal.refused("pair")
    assert sentence("adjourned-games", games=[(2, 1)]) + " (2012 F.9)" in said


@pytest.mark.parametrize("name", ["g46", "g53"])
def test_an_archive_of_javafo_is_imported_verified_and_explained_round_by_round(
    terminal: Terminal, name: str
) -> None:
    with zipfile.ZipFile(CORPUS / "dutch-2012.zip") as archive:
        text = archive.read(f"{name}.trf").decode()
    terminal.ok("trf", "import", terminal.write(f"{name}.trf", text), "--edition", "dutch-2012-javafo")
    terminal.ok("verify")

    said = []
    for round in range(1, crosstable(parse(text)).paired + 1):
        said.append(terminal.ok("explain", str(round)))
        said.append(terminal.ok("candidates", str(round)))
        said.append(terminal.ok("why", str(round), "2"))
        said.append(terminal.ok("why-not", str(round), "1", "6"))

    assert any("Joined last bracket (C.13)" in one for one in said)
    assert not any(f" C{number}" in one for one in said for number in range(1, 22))  # no name of 2026
    assert not any("MaxPairs" in one or ", x " in one for one in said)


def test_a_bracket_is_counted_by_the_symbols_of_2012(terminal: Terminal) -> None:
    """2012 A.6, A.8, C.2: Z1 in even rounds alone"""
    with zipfile.ZipFile(CORPUS / "dutch-2012.zip") as archive:
        text = archive.read("g46.trf").decode()
    terminal.ok("trf", "import", terminal.write("g46.trf", text), "--edition", "dutch-2012-javafo")

    even, odd = terminal.ok("explain", "4"), terminal.ok("explain", "5")

    assert "[1Bb] [2Ww↓ 4Ww↑ 6Ww 7Bb-↓ 11w↓]\n  P0 3, P1 3, M0 1, M1 1, X1 1, X 1, Z1 0, Z 0.\n" in even
    assert "[1w↓] [4b-↑ 6b]\n  P0 1, P1 1, M0 1, M1 0, X1 0, X 1.\n" in odd
    assert sentence("explain.key.numbers.P0") in " ".join(odd.split())
