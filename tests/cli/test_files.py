"""Files that people hand in, and what is said about the bad ones."""

from pathlib import Path

import click
import pytest

from paircard.cli.input_files import board_lines, player_rows, result_lines


def players(tmp_path: Path, content: bytes) -> list[tuple[int, dict[str, str]]]:
    path = tmp_path / "players.csv"
    path.write_bytes(content)
    return list(player_rows(str(path)))


@pytest.mark.parametrize("delimiter", [",", ";", "\t"])
def test_players_come_by_line_whatever_parts_the_columns(tmp_path: Path, delimiter: str) -> None:
    text = "name,rating\nAda,2100\n\nBen,\n".replace(",", delimiter)

    assert players(tmp_path, text.encode()) == [
        (2, {"name": "Ada", "rating": "2100"}),
        (4, {"name": "Ben", "rating": ""}),
    ]


def test_a_byte_order_mark_and_spaces_in_headings_are_understood(tmp_path: Path) -> None:
    assert players(tmp_path, "\ufeffName , FIDE id\r\nAda,17\r\n".encode()) == [
        (2, {"name": "Ada", "fide_id": "17"})
    ]


def test_a_comma_inside_quotes_belongs_to_the_name(tmp_path: Path) -> None:
    assert players(tmp_path, b'name,rating\n"Lovelace, Ada",2100\n') == [
        (2, {"name": "Lovelace, Ada", "rating": "2100"})
    ]


@pytest.mark.parametrize(
    ("content", "message"),
    [
        (b"", "no heading line"),
        (b"name,elo\nAda,1\n", r"line 1, column 2: no column of ours is called 'elo'"),
        (b"name,rating,name\n", r"line 1, column 3: 'name' stands twice"),
        (b"rating\n2100\n", "line 1: no column 'name'"),
        (b"name,rating\nAda,2100,GM\n", r"line 2, column 3: 3 values under 2 headings"),
        (b"name\nJos\xe9\n", r"line 2, column 4: byte 0xe9 is not UTF-8"),
        (b'name\n"Ada\n', "line 2: unexpected end of data"),
        (b"name\n" + b"A" * 200_000 + b"\n", "line 2: field larger than field limit"),
    ],
)
def test_a_bad_player_file_is_refused_with_its_line(tmp_path: Path, content: bytes, message: str) -> None:
    with pytest.raises(click.ClickException, match=message):
        players(tmp_path, content)


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
