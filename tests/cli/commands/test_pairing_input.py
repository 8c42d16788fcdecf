"""``snapshot``, ``tabellone`` and ``candidates``: what the pairing saw, for people and for programs."""

import csv
import hashlib
import io
import json
import sqlite3
from contextlib import closing
from pathlib import Path

import pytest

from paircard.cli.main import run
from paircard.domain.messages import Message
from paircard.pairing.explain.speaking import Candidate, RoundSpeaker, Who
from paircard.service.print.rendering import language
from tests.cli.session import Terminal
from tests.refusals import sentence

WORKED = str(Path(__file__).parents[2] / "corpus" / "six-rounds-baku-2016.trf")
OF_FILE = ("--edition", "dutch-2017", "--round", "4")


@pytest.fixture
def club(tmp_path: Path) -> Terminal:
    """Five players, round 1 played with a forfeit, round 2 to be paired."""
    terminal = Terminal(tmp_path)
    terminal.write("players.csv", "name,rating\nAda,2100\nBen,2000\nCleo,1900\nDag,1800\nEve,1700\n")
    terminal.ok("new", "Club Open", "--rounds", "3")
    terminal.ok("player", "import", "players.csv")
    terminal.ok("draw", "--colour", "white")
    terminal.ok("pair")
    terminal.ok("publish")
    terminal.ok("result", "1", "1", "1-0", "2", "0F-1F")
    return terminal


def shown(captured: pytest.CaptureFixture[str], *words: str) -> str:
    captured.readouterr()
    assert run(words) == 0
    told = captured.readouterr()
    assert told.err == ""
    return told.out


# --- snapshot


def test_the_bytes_printed_are_those_hashed_into_the_fact_of_the_round(club: Terminal) -> None:
    recorded = json.loads(club.ok("boards", "1", "--json"))["snapshot"]
    printed = club.ok("snapshot", "1")
    club.ok("snapshot", "1", "-o", "round1.json")
    assert (club.folder / "round1.json").read_bytes() == printed.encode()

    assert hashlib.sha256(printed.encode()).hexdigest() == recorded
    assert club.ok("snapshot", "1", "--sha256") == f"{recorded}\n"
    assert not printed.endswith("\n"), "not one byte more than was hashed"
    assert json.loads(printed)["edition"] == "dutch-2026"


def test_the_snapshot_of_the_next_round_is_the_one_it_will_be_paired_from(club: Terminal) -> None:
    expected = club.ok("snapshot", "2", "--sha256").strip()
    club.ok("pair", "2", "--ack", "no-show", "--why", "a flat tyre")

    assert json.loads(club.ok("boards", "2", "--json"))["snapshot"] == expected
    assert club.ok("snapshot", "2", "--sha256").strip() == expected
    club.ok("publish", "2")
    club.ok("correct", "1", "1", "0-1", "--why", "swapped", "--ack", "correction")
    assert club.ok("snapshot", "2", "--sha256").strip() == expected, "a correction does not reach back"
    club.refuses("no-snapshot-yet", "snapshot", "4", round=4, rounds=2)


# --- tabellone


def test_the_table_before_a_round_on_a_terminal(capsys: pytest.CaptureFixture[str]) -> None:
    told = shown(capsys, "tabellone", WORKED, *OF_FILE)

    title = sentence("cli.title.tabellone", round=4, last=6)
    assert told.startswith(f"{title}\nPoints  No  Name")
    *table, legend = told.splitlines()
    rows = {line.split()[1]: line.split() for line in table[2:]}
    assert rows["6"] == ["2½", "6", "Francesco", "13", "3", "(11)", "=BW", "+0", "b", "↓–"]
    assert legend == sentence("cli.said.forfeited-opponent")
    assert rows["1"] == ["2", "1", "Alice", "8", "5", "14", "WBB", "-1", "W", "––"]


def test_the_table_for_spreadsheets_programs_and_browsers(capsys: pytest.CaptureFixture[str]) -> None:
    rows = list(csv.DictReader(io.StringIO(shown(capsys, "tabellone", WORKED, *OF_FILE, "--csv"))))
    data = json.loads(shown(capsys, "tabellone", WORKED, *OF_FILE, "--json"))
    page = shown(capsys, "tabellone", WORKED, *OF_FILE, "--html")

    lines = [line for group in data["scoregroups"] for line in group["players"]]
    assert [row["name"] for row in rows] == [line["name"] for line in lines]
    assert [float(row["score"]) * 10 for row in rows] == [line["score"] for line in lines]
    assert (rows[2]["colours"], rows[2]["sign"], rows[2]["floats"]) == ("'=BW", "b", "'--d"), (
        "no spreadsheet takes them for a formula"
    )
    assert (rows[2]["opponents"], rows[2]["difference"]) == ("13 3 (11)", "0")
    francesco = next(line for line in lines if line["number"] == 6)
    assert (francesco["opponents"], francesco["met"]) == ([13, 3, 11], [True, True, False])
    assert ">13 3 (11)<" in page
    assert f"<dt>(n)</dt><dd>{language('en')('page.tabellone.forfeited')}</dd>" in page
    assert [group["score"] for group in data["scoregroups"]] == [25, 20, 15, 10, 5, 0]
    assert page.count('scope="rowgroup"') == 6
    assert all(f"<bdi>{line['name']}</bdi>" in page for line in lines)
    assert '<span class="vh">=BW</span>' in page, "colours are text too, for who cannot see squares"


def test_topscorers_of_the_last_round_are_marked(capsys: pytest.CaptureFixture[str]) -> None:
    of_last = (*OF_FILE[:-1], "6")
    told = shown(capsys, "tabellone", WORKED, *of_last)
    data = json.loads(shown(capsys, "tabellone", WORKED, *of_last, "--json"))
    rows = list(csv.DictReader(io.StringIO(shown(capsys, "tabellone", WORKED, *of_last, "--csv"))))
    page = shown(capsys, "tabellone", WORKED, *of_last, "--html")

    marked = [line.split()[1] for line in told.splitlines()[2:] if len(line.split()) > 1]
    assert [number for number in marked if number.endswith("*")] == ["2*", "5*", "1*", "4*", "6*", "7*"]
    assert told.splitlines()[-1] == sentence("cli.said.topscorer", value="*")
    lines = [line for group in data["scoregroups"] for line in group["players"]]
    assert [line["number"] for line in lines if line["topscorer"]] == [2, 5, 1, 4, 6, 7]
    assert [row["number"] for row in rows if row["topscorer"] == "1"] == ["2", "5", "1", "4", "6", "7"]
    assert page.count("<abbr title=") == 6
    assert "topscorer" not in shown(capsys, "tabellone", WORKED, *OF_FILE)


def test_without_a_round_it_is_the_next_one(club: Terminal) -> None:
    told = club.ok("tabellone")

    assert told.splitlines()[0] == sentence("cli.title.tabellone", round=2, last=3)
    assert told == club.ok("tabellone", "2")
    first = club.ok("tabellone", "1")
    assert first.splitlines()[0] == sentence("cli.title.tabellone", round=1, last=3)
    club.refuses("round-not-paired", "tabellone", "3", round=3, last=1)
    ben = next(line for line in told.splitlines() if "Ben" in line).split()
    assert ben[-4:] == ["=", "0", "A", "↓"], "won by forfeit: no colour, a downfloat"


def test_the_read_tables_have_it_too_and_a_forfeit_has_no_colour(club: Terminal) -> None:
    club.ok("tables", "read.db")
    with closing(sqlite3.connect(club.folder / "read.db")) as tables:
        colours = tables.execute(
            "SELECT p.name, e.colour, c.colour, c.float, c.score_tenths FROM players p"
            " JOIN entries e ON e.player = p.id JOIN cards c ON c.player = p.id AND c.round = e.round"
            " ORDER BY p.number"
        ).fetchall()
        groups = tables.execute(
            "SELECT score_tenths, count(*) FROM tabellone WHERE round = 2 GROUP BY 1 ORDER BY 1 DESC"
        ).fetchall()
        [ada] = tables.execute(
            "SELECT colours, difference, due, strength, floats FROM tabellone t JOIN players p"
            " ON p.id = t.player WHERE p.name = 'Ada' AND round = 2"
        ).fetchall()
    assert colours == [
        ("Ada", "w", "w", "-", 10),
        ("Ben", "b", "-", "d", 10),
        ("Cleo", "b", "b", "-", 0),
        ("Dag", "w", "-", "-", 0),
        ("Eve", "-", "-", "d", 10),
    ]
    assert groups == [(10, 3), (0, 2)]
    assert ada == ("w", 1, "b", "strong", "-")


# --- candidates


def said(code: str, **fields: object) -> str:
    """A line about a bracket of fourteen players."""
    return RoundSpeaker({number: Who(number, "") for number in range(1, 15)}).say(Message(code, fields))


def test_the_sieve_of_a_bracket_on_a_terminal(capsys: pytest.CaptureFixture[str]) -> None:
    told = shown(capsys, "candidates", WORKED, "4", *OF_FILE)

    assert [" ".join(line.split()) for line in told.splitlines()] == [
        f"4. {said('explain.bracket.title', score=10)}",
        said("explain.sieve.members", numbered=(9, 10, 14)),
        said("explain.bracket.numbers", symbols="MaxPairs 1, x 0, z 0"),
        said("explain.sieve.apart.none"),
        said("explain.bracket.rest", candidate=Candidate(pairs=((9, 12), (8, 13)))),
        "No Candidate Values",
        f"1 * 9–10, ↓ 14 C.14 1; C.18 1 {said('explain.sieve.excluded', criterion='C.14')}",
        f"2 9–14, ↓ 10 C.10 1 {said('explain.sieve.excluded', criterion='C.10')}",
        f"3 * 10–14, ↓ 9 {said('explain.sieve.none')} {said('explain.sieve.chosen')}",
        "4 ↓ 9 10 14 C.5 3; C.6 1, 1, 1; C.7 1 (1½, ½, ½); C.14 1; C.18 1 "
        + said("explain.sieve.excluded", criterion="C.5"),
    ]


def test_all_brackets_without_a_number_and_the_same_as_data(capsys: pytest.CaptureFixture[str]) -> None:
    whole = shown(capsys, "candidates", WORKED, *OF_FILE)
    data = json.loads(shown(capsys, "candidates", WORKED, *OF_FILE, "--json"))

    assert shown(capsys, "candidates", WORKED, "4", *OF_FILE) in whole
    assert len(data["brackets"]) == 6
    assert sum(row["chosen"] for bracket in data["brackets"] for row in bracket["rows"]) == 6
    few = shown(capsys, "candidates", WORKED, "2", *OF_FILE, "--rows", "3")
    assert said("explain.sieve.more") in " ".join(few.split())


def test_a_bracket_that_is_not_there_is_refused(club: Terminal) -> None:
    club.refuses("pairing.no-such-bracket", "candidates", "1", "9", round=1, number=9, last=1)
    title = f"1. {said('explain.bracket.title', score=10)}"
    assert club.ok("candidates", "2", "1").splitlines()[0] == title, "also before it is paired"
