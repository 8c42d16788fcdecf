"""Files that people hand in, and what is said about the bad ones."""

from pathlib import Path

import click
import pytest

from paircard.cli.input_files import board_lines, result_lines
from tests.cli.session import Terminal
from tests.service.test_sheets import SHEET


def test_results_are_a_board_and_a_result_per_line(tmp_path: Path) -> None:
    path = tmp_path / "results.txt"
    path.write_text("# round 1\n1 1-0\n\n2,½-½  # agreed\n", encoding="utf-8")

    assert list(result_lines(str(path))) == [(2, 1, "1-0"), (4, 2, "½-½")]


@pytest.mark.parametrize("line", ["one 1-0", "1", "1 1-0 2", "-1 1-0"])
def test_a_line_that_is_no_result_is_refused_with_its_number(tmp_path: Path, line: str) -> None:
    path = tmp_path / "results.txt"
    path.write_text(f"7 0-1\n{line}\n", encoding="utf-8")

    with pytest.raises(click.ClickException, match="line 2"):
        list(result_lines(str(path)))


def test_boards_are_read_with_or_without_the_count_engines_write_first(tmp_path: Path) -> None:
    path = tmp_path / "boards.txt"
    for head in ("", "2\n"):
        path.write_text(f"{head}1 3\n4 2\n5 0\n", encoding="utf-8")

        assert board_lines(str(path)) == ([("1", "3"), ("4", "2")], "5")


@pytest.mark.parametrize(
    ("text", "message"), [("", "no boards"), ("1 0\n2 0\n", "second bye"), ("a b\n", "line 1")]
)
def test_bad_boards_are_refused(tmp_path: Path, text: str, message: str) -> None:
    path = tmp_path / "boards.txt"
    path.write_text(text, encoding="utf-8")

    with pytest.raises(click.ClickException, match=message):
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
