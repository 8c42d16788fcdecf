"""Files that people hand in, and what is said about the bad ones."""

import json
import os
from pathlib import Path

import pytest

from paircard.cli.text_files import board_lines, result_lines
from paircard.domain.errors import Invalid
from paircard.domain.messages import Message, say
from paircard.domain.speaking import Speaker
from tests.cli.session import EIGHT, Terminal
from tests.refusals import refuses, sentence
from tests.service.test_sheets import SHEET


def test_results_are_a_board_and_a_result_per_line(tmp_path: Path) -> None:
    path = tmp_path / "results.txt"
    path.write_text("# round 1\n1 1-0\n\n2,½-½  # agreed\n", encoding="utf-8")

    assert list(result_lines(str(path))) == [(2, 1, "1-0"), (4, 2, "½-½")]


@pytest.mark.parametrize("line", ["one 1-0", "-1 1-0", "0 1-0"])
def test_a_line_that_is_no_result_is_refused_with_its_number(tmp_path: Path, line: str) -> None:
    path = tmp_path / "results.txt"
    path.write_text(f"7 0-1\n{line}\n", encoding="utf-8")

    with refuses(Invalid, "cli.not-board-and-result", line=2, text=line):
        list(result_lines(str(path)))


def test_boards_are_read_with_or_without_the_count_engines_write_first(tmp_path: Path) -> None:
    path = tmp_path / "boards.txt"
    for head in ("", "2\n"):
        path.write_text(f"{head}1 3\n4 2\n5 0\n", encoding="utf-8")

        assert board_lines(str(path)) == ([("1", "3"), ("4", "2")], "5")


@pytest.mark.parametrize(
    ("text", "code", "line"),
    [
        ("\n", "cli.file-without-boards", None),
        ("1 0\n2 0\n", "cli.second-bye", 2),
        ("a b\n", "cli.not-two-seats", 1),
    ],
)
def test_bad_boards_are_refused(tmp_path: Path, text: str, code: str, line: int | None) -> None:
    path = tmp_path / "boards.txt"
    path.write_text(text, encoding="utf-8")

    with refuses(Invalid, code, line=line):
        board_lines(str(path))


def test_boards_may_name_players_by_id_and_carry_comments(tmp_path: Path) -> None:
    path = tmp_path / "boards.txt"
    path.write_text("# by hand\n#1 3  # top board\n4,#12\n", encoding="utf-8")

    assert board_lines(str(path)) == ([("#1", "3"), ("4", "#12")], "")


def test_players_come_from_excel_and_results_from_a_sheet_by_name(tmp_path: Path) -> None:
    terminal = Terminal(tmp_path)
    terminal.ok("new", "Club", "--rounds", "1")
    terminal.write("players.xlsx", SHEET)
    terminal.ok("player", "import", "players.xlsx")
    terminal.ok("draw", "--colour", "white")
    terminal.ok("pair")
    terminal.ok("publish")
    terminal.write("results.csv", 'White;Black;Result\n"Rossi, Anna";Verdi;1-0\n')

    assert "Rossi, Anna" in terminal.ok("result", "1", "--file", "results.csv")


def test_a_column_nobody_knows_is_left_out_only_when_asked(tmp_path: Path) -> None:
    terminal = Terminal(tmp_path)
    terminal.ok("new", "Club", "--rounds", "1")
    terminal.write("players.csv", "name,shoe size\nAda,38\n")

    assert "unknown columns 'shoe size'" in terminal.refused("player", "import", "players.csv")
    assert terminal.ok("player", "import", "players.csv", "--skip-unknown") == "1 player registered\n"


LIST = "name,rating,fide_id,birth\nAda,2100,11,1990\nBén,2000,,1985-02-03\nCleo,1900,,\nDag,,,\n"
UPDATED = "name,rating,fide_id,birth\nAda Lovelace,2150,11,\nBen,2000,,1985\nDag,1500,,\nEve,1400,,\n"


def people(terminal: Terminal) -> list[tuple[str, int]]:
    found = json.loads(terminal.ok("player", "list", "--json"))["players"]
    return [(one["name"], one["rating"]) for one in found]


@pytest.fixture
def listed(tmp_path: Path) -> Terminal:
    """Four players came from a list, and an updated list lies beside it."""
    terminal = Terminal(tmp_path)
    terminal.ok("new", "Club", "--rounds", "3", "--tiebreaks", "BH")
    terminal.ok("player", "import", terminal.write("list.csv", LIST))
    terminal.write("updated.csv", UPDATED)
    return terminal


def test_an_updated_list_updates_and_doubles_nobody(listed: Terminal) -> None:
    said = listed.ok("player", "import", "updated.csv", "--preview")
    assert "line 2: Ada: name Ada -> Ada Lovelace, rating 2100 -> 2150\n" in said
    counts = say(
        "cli.players.counts",
        causes=(
            say("cli.players.would-be-registered", entered=1),
            say("cli.players.updated", count=2),
            say("cli.players.as-before", count=1),
        ),
    )
    missing = say("cli.players.not-in-file", names=("Cleo",))
    outcome = sentence("cli.players.outcome", news=(counts, missing, say("cli.players.nothing-written")))
    assert said.endswith(f"{outcome}\n")
    assert people(listed)[0] == ("Ada", 2100)

    said = listed.ok("player", "import", "updated.csv")
    rating = say("log.changed", label="rating", value="1500")
    assert sentence("log.player-details-corrected", name="Dag", changes=(rating,)) + "\n" in said
    assert people(listed) == [
        ("Ada Lovelace", 2150), ("Bén", 2000), ("Cleo", 1900), ("Dag", 1500), ("Eve", 1400),
    ]  # fmt: skip
    again = sentence(
        "cli.players.counts",
        causes=(say("cli.players.registered", entered=0), say("cli.players.as-before", count=4)),
    )
    assert listed.ok("player", "import", "updated.csv").startswith(again)


def counted(registered: int, updated: int, as_before: int) -> str:
    return sentence(
        "cli.players.counts",
        causes=(
            say("cli.players.registered", entered=registered),
            say("cli.players.updated", count=updated),
            say("cli.players.as-before", count=as_before),
        ),
    )


def test_a_sheet_made_from_the_list_of_players_is_read_again(listed: Terminal) -> None:
    listed.ok("player", "correct", "Dag", "--rating", "1500", "--estimated")
    sheet = listed.ok("player", "list", "--csv").replace("1900", "1950")

    rating = say("log.changed", label="rating", value="1950")
    corrected = sentence("log.player-details-corrected", name="Cleo", changes=(rating,))
    assert listed.ok("player", "import", listed.write("list2.csv", sheet)) == (
        f"{corrected}\n{counted(0, 1, 3)}\n"
    )


def test_an_undone_import_is_as_before_it(listed: Terminal) -> None:
    before = people(listed)
    listed.ok("player", "import", "updated.csv")

    listed.ok("undo")
    assert people(listed) == before
    assert counted(1, 2, 1) in listed.ok("player", "import", "updated.csv")


def test_ratings_of_an_updated_list_keep_the_rules_about_numbers(listed: Terminal) -> None:
    listed.ok("draw", "--colour", "white")
    for round in (1, 2):
        listed.ok("pair")
        listed.ok("publish")
        listed.ok("result", str(round), "1", "1-0", "2", "1-0")
    deed = say("deed.correcting-player", player=1)
    reason = sentence("cli.reason-missing", value=sentence("reason-missing", {1: "Ada"}, deed=deed))
    assert listed.refused("player", "import", "updated.csv") == f"updated.csv: line 2: {reason}"

    said = listed.ok("player", "import", "updated.csv", "--why", "list of December")
    assert sentence("cli.players.numbers-stay") + "\n" in said


def test_after_round_4_an_updated_list_corrects_ratings_and_moves_no_number(tmp_path: Path) -> None:
    terminal = Terminal(tmp_path)
    terminal.ok("new", "Club", "--rounds", "4", "--tiebreaks", "ARO")
    eight = "name,rating\n" + "".join(f"P{k},{2000 - 10 * k}\n" for k in range(1, 9))
    terminal.ok("player", "import", terminal.write("eight.csv", eight))
    terminal.ok("draw", "--colour", "white")
    for round in "1234":
        terminal.ok("pair")
        terminal.ok("publish")
        if round != "4":
            terminal.ok("result", round, "1", "1-0", "2", "1-0", "3", "1-0", "4", "1-0")

    terminal.write("eight.csv", eight.replace("1920", "2500"))
    said = terminal.ok("player", "import", "eight.csv", "--why", "list of December")
    assert "rating of P8 corrected from 1920 to 2500" in said
    assert people(terminal)[-1] == ("P8", 2500)


def in_line(line: int, what: Message) -> str:
    return sentence("import.line", line=line, what=what)


SAME_NAME = sentence("cli.warning", value=sentence("same-person.name", {5: "Fay"}, player=5), level=3)


@pytest.mark.parametrize(
    ("lines", "fault"),
    [
        (
            "Ada,2100,11\nAda Lovelace,2100,11\n",
            in_line(3, say("import.same-player", name="Ada Lovelace", line=2, who="Ada")),
        ),
        ("Cleo,1900,11\n", in_line(2, say("import.id-of-another", id="11", who="Ada", name="Cleo"))),
        ("Fay,1900,\nFay,2100,\n", f"line 3: {SAME_NAME}"),
    ],
)
def test_a_list_that_names_somebody_twice_changes_nothing(listed: Terminal, lines: str, fault: str) -> None:
    before = people(listed)
    assert fault in listed.refused(
        "player", "import", listed.write("wrong.csv", "name,rating,fide_id\n" + lines)
    )
    assert people(listed) == before


def test_a_sheet_in_another_spelling_names_those_who_are_registered(terminal: Terminal) -> None:
    terminal.ok("new", "Open", "--rounds", "3")
    names = ('"Müller, Jürgen",1800', '"Kovač, Iván",1576', '"Gross Anne",1500')
    terminal.ok("player", "import", terminal.write("a.csv", "name,rating\n" + "\n".join(names) + "\n"))
    sheet = 'name,rating\nMueller Juergen,1810\nIván Kovač,1576\n"Gross, Anne",\n'
    told = terminal.ok("player", "import", terminal.write("b.csv", sheet))
    assert counted(0, 2, 1) in told
    listed = terminal.ok("player", "list")
    for name in ("Müller, Jürgen", "Kovač, Iván", "Gross, Anne"):
        assert name in listed
    assert "3 players" in listed


def test_namesakes_are_told_apart_by_birth_or_not_at_all(listed: Terminal) -> None:
    listed.ok("player", "add", "Cleo", "--birth", "1999", "--ack", "same-person")
    cleos = Speaker().say(say("import.may-be", name="Cleo", names=["Cleo (id p3)", "Cleo (1999)"]))
    two = listed.write("two.csv", "name,rating\nCleo,1950\n")
    assert cleos in listed.refused("player", "import", two)


def test_a_rating_that_a_list_gave_follows_the_list_and_one_by_hand_stays(tmp_path: Path) -> None:
    terminal = Terminal(tmp_path)
    terminal.ok("new", "Club", "--rounds", "3")
    terminal.ok("player", "import", terminal.write("a.csv", "name,elo\nAda,2100\nBen,2000\n"))
    terminal.ok("player", "correct", "Ben", "--rating", "1990")

    said = terminal.ok("player", "import", terminal.write("b.csv", "name,elo\nAda,2150\nBen,2050\n"))
    assert "Ada corrected: rating 2150; FIDE rating 2150" in said
    assert people(terminal) == [("Ada", 2150), ("Ben", 1990)]


def test_a_sheet_of_results_is_entered_by_the_players_it_names(tmp_path: Path) -> None:
    terminal = Terminal(tmp_path)
    terminal.ok("new", "Club", "--rounds", "3")
    terminal.ok("player", "import", terminal.write("players.csv", EIGHT))
    terminal.ok("draw", "--colour", "white")
    terminal.ok("pair")
    terminal.ok("publish")
    head = "Club Open\nRound 1 on 2026/11/20\nBo.;No.;White;Result;Black;No.\n"

    refused = terminal.refused("result", "1", "--file", terminal.write("r.csv", f"{head}2;1;P1;1 - 0;P5;5\n"))
    elsewhere = sentence("cli.pair-elsewhere", name="P1", who="P5", board=1, number=2)
    assert f"r.csv: line 4: {elsewhere}" in refused
    terminal.ok("result", "1", "--file", terminal.write("r.csv", f"{head}1;1;P1;1 - 0;P5;5\n"))

    assert "1-0" in terminal.ok("boards")


def test_whatever_holds_births_and_ids_is_written_for_its_owner_alone(terminal: Terminal) -> None:
    umask = os.umask(0o022)
    try:
        terminal.ok("new", "Club", "--rounds", "1")
        for name in ("Ada", "Ben"):
            terminal.ok("player", "add", name, "--birth", "1990-04-23")
        for words in (
            ("draw", "--colour", "white"), ("pair",), ("publish",), ("tables", "read.db"), ("backup", "b.db"),
            ("log", "export", "club.bundle"), ("trf", "export", "-o", "club.trf"),
            ("move", "paircard.db", "m.db"),
            ("export", "players", "-o", "players.csv"), ("export", "results", "-o", "results.csv"),
            ("invite", "Otto", "--role", "officer"),
        ):  # fmt: skip
            terminal.ok(*words)
        (terminal.folder / "list.csv").write_text("id,name,rating\n1,Ada,2100\n")
        terminal.ok("lists", "import", "list.csv", "--name", "ITA", "--valid", "2026-11-01")
    finally:
        os.umask(umask)
    public = {"results.csv", "list.csv"}
    shared = {
        file.name for file in terminal.folder.iterdir() if file.is_file() and file.stat().st_mode & 0o077
    }
    assert shared == public
    assert len(list(terminal.folder.iterdir())) >= 10
