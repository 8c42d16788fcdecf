"""Standings, crosstable and ties on the command line, on a real log."""

import csv
import io
import json
import re
from html.parser import HTMLParser
from pathlib import Path

import pytest

from paircard.cli.main import run
from paircard.domain.messages import Message
from paircard.pairing.explain.speaking import Levels, RoundSpeaker, Who
from tests.cli.session import BY_HAND
from tests.refusals import sentence

NAMES = {1: "Ada", 2: "Ben", 3: "Cleo"}
SPEAKER = RoundSpeaker({id: Who(id, name) for id, name in NAMES.items()}, numbers=False)


def placed(code: str, /, **fields: object) -> str:
    """The line that says why a player is above another."""
    return SPEAKER.say(Message(code, fields)) + "\n"


class Table:
    """Runs commands on one file, in this process."""

    def __init__(self, file: Path, captured: pytest.CaptureFixture[str]) -> None:
        self.file, self.captured = file, captured

    def ok(self, *words: str) -> str:
        code = run([*words, "--db", str(self.file)])
        told = self.captured.readouterr()
        assert (code, told.err) == (0, ""), (words, told)
        return told.out

    def refused(self, *words: str) -> str:
        code = run([*words, "--db", str(self.file)])
        told = self.captured.readouterr()
        assert code in (1, 2)
        assert told.out == ""
        return told.err


@pytest.fixture
def table(tmp_path: Path, capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch) -> Table:
    """Two rounds: Ada 2, Ben and Cleo 1, Dag 0; Ben and Cleo did not meet and won alike."""
    monkeypatch.setenv("PAIRCARD_AS", "Anna Arbiter")
    table = Table(tmp_path / "open.db", capsys)
    table.ok("new", "Club <Open>", "--rounds", "2", "--tiebreaks", "WIN,OTHER_PLAYOFF", "--place", "Torino")
    players = tmp_path / "players.csv"
    players.write_text("name,rating,title\nAda,2100,FM\nBen,2000,\nCleo,1900,\nDag & Co,1800,\n")
    table.ok("player", "import", str(players))
    table.ok("draw", "--colour", "white")
    boards = tmp_path / "boards.txt"
    for round, lines, first, second in (("1", "1 3\n4 2\n", "1-0", "0-1"), ("2", "2 1\n3 4\n", "0-1", "1-0")):
        boards.write_text(lines)
        table.ok("pair", "--boards", str(boards), *BY_HAND)
        table.ok("publish")
        table.ok("result", round, "1", first, "2", second)
    return table


def order(table: Table, *words: str) -> list[tuple[int, str]]:
    lines = json.loads(table.ok("standings", "--json", *words))["standings"]
    return [(line["rank"], line["name"]) for line in lines]


def test_standings_after_any_round_name_what_decided(table: Table) -> None:
    assert order(table, "--round", "1") == [(1, "Ada"), (1, "Ben"), (3, "Cleo"), (3, "Dag & Co")]
    assert order(table) == [(1, "Ada"), (2, "Ben"), (2, "Cleo"), (4, "Dag & Co")]
    printed = table.ok("standings").splitlines()
    assert printed[1].endswith("Points  WIN  OTHER_PLAYOFF  Decided by")
    assert printed[2].split() == ["1", "1", "FM", "Ada", "2100", "2", "2", "-"]
    assert printed[3].split() == ["2", "2", "Ben", "2000", "1", "1", "-", "points"]


def test_a_value_from_outside_decides(table: Table) -> None:
    table.ok("playoff", "Cleo", "PLAYOFF", "1.5")
    table.ok("playoff", "Ben", "other_playoff", "0.5")

    assert order(table) == [(1, "Ada"), (2, "Cleo"), (3, "Ben"), (4, "Dag & Co")]
    rows = list(csv.DictReader(io.StringIO(table.ok("standings", "--csv"))))
    assert [(row["place"], row["name"], row["OTHER_PLAYOFF"], row["decided_by"]) for row in rows[1:3]] == [
        ("2", "Cleo", "1.50", "PTS"),
        ("3", "Ben", "0.50", "OTHER_PLAYOFF"),
    ]


def test_lots_are_drawn_once_and_stay(table: Table) -> None:
    table.ok("lots")

    drawn = order(table)
    assert {name for _, name in drawn[1:3]} == {"Ben", "Cleo"}
    assert [rank for rank, _ in drawn] == [1, 2, 3, 4]
    assert order(table) == drawn
    assert sentence("nobody-tied") in table.refused("lots")
    lots = [2 if name == "Ben" else 3 for _, name in drawn[1:3]]
    again = sentence("lots-drawn", people=NAMES, players=lots)
    assert again in table.refused("lots", "Ben", "Cleo")


def test_the_arbiter_ranks_by_hand_with_a_reason(table: Table) -> None:
    table.refused("lots", "--by-hand", "Cleo", "Ben")

    table.ok("lots", "--by-hand", "Cleo", "Ben", "--why", "play-off, 2-0")

    assert order(table)[1:3] == [(2, "Cleo"), (3, "Ben")]
    assert "Cleo" in table.ok("standings", "--html").split("Ben")[0]


def test_one_sentence_says_why_a_player_is_above_another(table: Table) -> None:
    assert table.ok("standings", "--between", "Ben", "Ada") == placed(
        "explain.place.points", player=1, other=2, amount=Levels((("PTS", "2"),)), against="1"
    )
    level = (("PTS", "1"), ("WIN", "1"))
    assert table.ok("standings", "--between", "Cleo", "Ben") == placed(
        "explain.place.shared", player=3, other=2, tied=Levels((*level, ("OTHER_PLAYOFF", "-"))), place=2
    )
    table.ok("playoff", "Cleo", "PLAYOFF", "2")
    table.ok("playoff", "Ben", "PLAYOFF", "1")
    told = table.ok("standings", "--between", "Ben", "Cleo")
    decided = {"code": "OTHER_PLAYOFF", "value": "2.00", "against": "1.00"}
    assert told == placed("explain.place.tiebreak", player=3, other=2, tied=Levels(level), **decided)
    data = json.loads(table.ok("standings", "--between", "Ben", "Cleo", "--json"))
    assert data["comparison"]["decided"]["code"] == "OTHER_PLAYOFF"
    assert sentence("standings.with-themself") in table.refused("standings", "--between", "Ben", "Ben")


def test_the_arithmetic_of_a_player(table: Table) -> None:
    told = table.ok("standings", "--explain", "Ben")

    assert f"WIN = 1   {sentence('standings.rule.WIN')} (C.07:7.1)" in told
    assert re.search(r"round +2 +Ada +0\n", told)
    assert json.loads(table.ok("standings", "--explain", "Ben", "--json"))[1]["value"] == "1"


def test_final_standings_only_when_all_is_played(table: Table) -> None:
    after = Message("cli.title.standings", {"round": 2})
    title = sentence("cli.title.of", name="Club <Open>", causes=[after])
    assert table.ok("standings", "--final").splitlines()[0] == title
    assert sentence("cli.final-or-round") in table.refused("standings", "--final", "--round", "1")


def test_the_tournament_shows_remarks_on_its_list(table: Table) -> None:
    table.ok(
        "new",
        "Long League",
        "--rounds",
        "2",
        "--tiebreaks",
        "ARO",
        "--starts",
        "2026-01-01",
        "--ack",
        "edition-not-in-force",
        "--ends",
        "2026-05-01",
    )

    remark = sentence("standings.ratings-change", codes=["ARO"], days=121)
    assert remark in table.ok("show", "-t", "Long League")


class Reader(HTMLParser):
    """Which tags are open, what was seen, and every address a page would load."""

    def __init__(self) -> None:
        super().__init__()
        self.open: list[str] = []
        self.addresses: list[str] = []
        self.text = ""

    def handle_starttag(self, tag: str, attrs: list[tuple[str, str | None]]) -> None:
        self.addresses += [value or "" for name, value in attrs if name in ("src", "href")]
        if tag not in ("meta", "link", "br"):
            self.open.append(tag)

    def handle_endtag(self, tag: str) -> None:
        assert self.open.pop() == tag

    def handle_data(self, data: str) -> None:
        self.text += f" {data}"


@pytest.mark.parametrize("command", ["standings", "crosstable"])
def test_a_page_is_whole_escapes_names_and_loads_nothing(table: Table, command: str) -> None:
    page = table.ok(command, "--html")

    reader = Reader()
    reader.feed(page)
    assert reader.open == []
    assert reader.addresses == []
    assert "url(" not in page
    assert "@import" not in page
    assert "<script" not in page
    assert "Club <Open>" in reader.text
    assert "Dag & Co" in reader.text
    assert "<Open>" not in page
    assert "Torino" in reader.text


def test_a_crosstable_for_a_spreadsheet(table: Table) -> None:
    rows = list(csv.reader(io.StringIO(table.ok("crosstable", "--csv"))))

    fields = ["sex", "birth", "club"]
    assert rows[0] == ["number", "name", "rating", "round_1", "round_2", "points", "place", *fields]
    assert rows[1] == ["1", "Ada", "2100", "3w1", "2b1", "2.0", "1", "", "", ""]
    after_one = list(csv.reader(io.StringIO(table.ok("crosstable", "--csv", "--round", "1"))))
    assert [row[3] for row in after_one[1:]] == ["3w1", "4b1", "1b0", "2w0"]
