"""Results as people write them and hand them in."""

import pytest

from tests.cli.session import Terminal
from tests.refusals import sentence


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
    short = sentence("cli.results-for-boards", count=3, round=1, there=4)
    assert playing.refused("result", "1", "--file", "short.txt") == f"short.txt: {short}"
    playing.refuses("cli.board-missing", "result", "1", "--file", "mixed.txt", file="mixed.txt", line=2)
    unpaired = sentence("cli.round-not-paired", round=2)
    assert playing.refused("result", "2", "--file", "short.txt") == f"short.txt: {unpaired}"


@pytest.mark.parametrize("line", ["3 0,5-0,5", "3;0,5", "3, 0,5-0,5;", "3\t½ : ½"])
def test_a_line_of_a_file_may_hold_commas(playing: Terminal, line: str) -> None:
    playing.write("results.txt", f"{line}\n")
    assert playing.ok("result", "1", "--file", "results.txt").endswith(" ½-½\n")


def test_a_line_that_cannot_be_read_is_quoted_as_it_stands(playing: Terminal) -> None:
    file = ("result", "1", "--file", "results.txt")
    for text, line, quoted in (("3 0,7-0,3\n", 1, "0,7-0,3"), ("2 1-0\n3 1-0 4\n", 2, "1-0 4")):
        playing.write("results.txt", text)
        playing.refuses("result-unreadable", *file, text=quoted)
        assert playing.refused(*file).startswith(f"results.txt: line {line}: '{quoted}' ")
    playing.write("results.txt", "board 3, 0,5\n")
    playing.refuses("cli.not-board-and-result", *file, line=1, text="board 3, 0,5")


def test_results_alone_on_the_line_are_told_where_they_go(playing: Terminal) -> None:
    playing.refuses("cli.not-a-board", "result", "1", "1-0", "=", "0-1", "1-0", exit=2, text="1-0")


def test_a_sheet_with_the_colours_exchanged_is_told_which_board_it_means(playing: Terminal) -> None:
    playing.write("sheet.csv", "white,black,result\nP5,P1,1-0\n")
    turned = sentence("cli.turned-round", board=1, round=1, name="P1 – P5")
    assert playing.refused("result", "1", "--file", "sheet.csv") == f"sheet.csv: line 2: {turned}"
    playing.write("sheet.csv", "white,black,result\nP1,P2,1-0\n")
    without = sentence("cli.pair-without-board", name="P1", who="P2", round=1)
    assert playing.refused("result", "1", "--file", "sheet.csv").endswith(without)
    playing.write("sheet.csv", "white,black,result\nP1,Nobody,1-0\n")
    told = playing.refused("result", "1", "--file", "sheet.csv")
    nobody = sentence("no-player-called", text="Nobody", candidates=0, each=[])
    assert told.startswith(f"sheet.csv: line 2: {nobody}")
