"""Results as people write them and hand them in."""

import pytest

from tests.cli.session import Terminal


@pytest.fixture
def playing(eight: Terminal) -> Terminal:
    """Round 1 published: P1 – P5, P6 – P2, P3 – P7, P8 – P4."""
    eight.ok("pair")
    eight.ok("publish")
    return eight


@pytest.mark.parametrize("text", ["remis", "draw", "0,5", "0,5-0,5", "½:½", "1/2"])
def test_a_drawn_game_is_entered_in_the_words_of_the_hall(playing: Terminal, text: str) -> None:
    assert playing.ok("result", "1", "1", text).endswith(" ½-½\n")


def test_a_column_of_results_is_taken_in_the_order_of_the_boards(playing: Terminal) -> None:
    playing.write("column.txt", "1\n=\n\n0,5-0,5 # late\n0:1\n")

    told = playing.ok("result", "1", "--file", "column.txt").splitlines()

    assert [(line.split(":")[0], line.split()[-1]) for line in told] == [
        ("round 1 board 1", "1-0"),
        ("round 1 board 2", "½-½"),
        ("round 1 board 3", "½-½"),
        ("round 1 board 4", "0-1"),
    ]


def test_a_column_that_is_too_short_or_half_numbered_is_refused(playing: Terminal) -> None:
    playing.write("short.txt", "1\n=\n0\n")
    playing.write("mixed.txt", "1 1-0\n=\n")
    assert playing.refused("result", "1", "--file", "short.txt") == (
        "short.txt: 3 results without board numbers, and round 1 has 4 boards: "
        "give one for each board, or write the board before each result"
    )
    playing.refuses("cli.board-missing", "result", "1", "--file", "mixed.txt", file="mixed.txt", line=2)
    assert playing.refused("result", "2", "--file", "short.txt") == "short.txt: round 2 is not paired"


@pytest.mark.parametrize("line", ["3 0,5-0,5", "3;0,5", "3, 0,5-0,5;", "3\t½ : ½"])
def test_a_line_of_a_file_may_hold_commas(playing: Terminal, line: str) -> None:
    playing.write("results.txt", f"{line}\n")
    assert playing.ok("result", "1", "--file", "results.txt").endswith(" ½-½\n")


def test_a_line_that_cannot_be_read_is_quoted_as_it_stands(playing: Terminal) -> None:
    playing.write("results.txt", "3 0,7-0,3\n")
    told = playing.refused("result", "1", "--file", "results.txt")
    assert told.startswith("results.txt: line 1: '0,7-0,3' is not a result: ")
    playing.write("results.txt", "2 1-0\n3 1-0 4\n")
    told = playing.refused("result", "1", "--file", "results.txt")
    assert told.startswith("results.txt: line 2: '1-0 4' is not a result: ")
    playing.write("results.txt", "board 3, 0,5\n")
    playing.refuses(
        "cli.not-board-and-result", "result", "1", "--file", "results.txt", line=1, text="board 3, 0,5"
    )


def test_results_alone_on_the_line_are_told_where_they_go(playing: Terminal) -> None:
    told = playing.refused("result", "1", "1-0", "=", "0-1", "1-0", code=2)
    assert "'1-0' is not a board number" in told
    assert "--file - takes results alone, one for each board" in told


def test_a_sheet_with_the_colours_exchanged_is_told_which_board_it_means(playing: Terminal) -> None:
    playing.write("sheet.csv", "white,black,result\nP5,P1,1-0\n")
    assert playing.refused("result", "1", "--file", "sheet.csv") == (
        "sheet.csv: line 2: board 1 of round 1 is P1 – P5, the other way round: put White first and turn the "
        "result; if they played so, enter it, then paircard correct 1 1 --colours"
    )
    playing.write("sheet.csv", "white,black,result\nP1,P2,1-0\n")
    assert playing.refused("result", "1", "--file", "sheet.csv").endswith(
        "P1 and P2 have no board in round 1"
    )
    playing.write("sheet.csv", "white,black,result\nP1,Nobody,1-0\n")
    told = playing.refused("result", "1", "--file", "sheet.csv")
    assert told.startswith("sheet.csv: line 2: no player is called 'Nobody'")
