"""Paper for the hall, printed by a real browser: everybody is on it and no line is garbled."""

import csv
import io
import re
from pathlib import Path

import pytest

from tests.chromium import Window
from tests.cli.session import Terminal
from tests.web.pages.reading import Reader

NAMES = (
    "ענן, נועה",
    "القمر, ليلى",
    "林, 小溪",
    "Ραγδαία, Νεφέλη",
    "Nightjar-Ottersholm-Featherstonehaugh-Cholmondeley, Philippa Wilhelmina Alexandra",
    '<b>Bobby</b> & "Tables", O’Neil',
    *(f"Player, Number {k}" for k in range(7, 42)),
)


@pytest.fixture(scope="module")
def hall(tmp_path_factory: pytest.TempPathFactory) -> Terminal:
    """Forty-one players with names from everywhere; round 1 is published and two games are over."""
    terminal = Terminal(tmp_path_factory.mktemp("hall"))
    lines = io.StringIO()
    rows = csv.writer(lines)
    rows.writerow(["name", "title", "rating", "federation"])
    rows.writerows([name, "FM" if k % 5 == 0 else "", 2400 - 10 * k, "ITA"] for k, name in enumerate(NAMES))
    terminal.ok("new", "Open <of> Łódź", "--rounds", "5")
    terminal.write("players.csv", lines.getvalue())
    terminal.ok("player", "import", "players.csv")
    terminal.ok("bye", "grant", "Number 41", "1", "--zero")
    terminal.ok("draw", "--colour", "white")
    terminal.ok("pair")
    terminal.ok("publish")
    terminal.ok("result", "1", "1", "1-0", "2", "1F-0F")
    return terminal


PAPER = {
    "boards": ("boards", "1", "--html"),
    "names": ("boards", "1", "--by-name", "--html"),
    "slips": ("slips", "1"),
    "start list": ("player", "list", "--html"),
    "cards": ("card", "--html"),
    "standings": ("standings", "--html"),
    "crosstable": ("crosstable", "--html"),
}


@pytest.mark.parametrize("sheet", PAPER)
def test_a_sheet_names_everybody_isolates_names_and_loads_nothing(hall: Terminal, sheet: str) -> None:
    page = hall.ok(*PAPER[sheet])
    reader = Reader(page)

    assert reader.addresses == []
    assert not re.search(r"url\(|@import|<script", page)
    playing = [name for name in NAMES if sheet not in ("slips",) or name != "Player, Number 41"]
    assert set(playing) <= set(reader.isolated), "a name that is not isolated turns the line around it"
    assert "Open <of> Łódź" in reader.text
    assert "<b>Bobby" not in page


@pytest.mark.parametrize(
    ("sheet", "most"),
    [("boards", 1), ("names", 2), ("slips", 2), ("start list", 2), ("cards", 12), ("crosstable", 2)],
)
def test_a_sheet_takes_few_pages_of_a4(hall: Terminal, window: Window, sheet: str, most: int) -> None:
    assert 1 <= window.sheets(hall.ok(*PAPER[sheet])) <= most


def test_slips_cut_as_one_stack_are_in_order(hall: Terminal) -> None:
    """20 boards are two sheets of ten: at each place the pile has two boards that follow each other."""
    page = hall.ok("slips", "1")
    sheets = [re.findall(r"Board (\d+)", one) for one in page.split('<ul class="slips">')[1:]]
    piles = [board for pile in zip(*sheets, strict=True) for board in pile]
    assert len(sheets) == 2
    assert piles == [str(board) for board in range(1, 21)]


@pytest.mark.parametrize("sheet", PAPER)
@pytest.mark.parametrize("width", [390, 1280])
def test_a_sheet_fits_the_screen(hall: Terminal, window: Window, sheet: str, width: int) -> None:
    assert window.width(hall.ok(*PAPER[sheet]), width) <= width


def test_a_board_shows_number_rating_federation_score_and_result(hall: Terminal) -> None:
    rows = Reader(hall.ok("boards", "1", "--html")).rows

    first = [" ".join(cell.split()) for cell in rows[1]]
    assert first == [
        "1",
        "1",
        "FM ענן, נועה",
        "2400",
        "ITA",
        "0",
        "1–0",
        "0",
        "FM Player, Number 21",
        "2200",
        "ITA",
        "21",
    ]
    assert rows[2][6].startswith("+–−")
    assert "forfeit" in rows[2][6]
    assert "not finished" in rows[3][6]


def test_the_list_by_name_says_board_colour_and_opponent(hall: Terminal) -> None:
    rows = [row for row in Reader(hall.ok("boards", "1", "--by-name", "--html")).rows if "Number 7" in row[0]]

    assert [" ".join(cell.split()) for cell in rows[0]] == [
        "Player, Number 7", "2340", "ITA", "0", "7", "White", "Player, Number 27",
    ]  # fmt: skip


def test_the_sheet_carries_the_code_of_the_record(hall: Terminal) -> None:
    sheet = Reader(hall.ok("boards", "1", "--html")).text
    [code] = re.findall(r"\d+:[0-9a-f]{4}(?:-[0-9a-f]{4}){4}", sheet)

    assert "1 tournament" in hall.ok("verify", "--head", code) or hall.run("verify", "--head", code).code == 0
    changed = code[:-1] + ("0" if code[-1] != "0" else "1")
    assert hall.run("verify", "--head", changed).code != 0


def test_signs_of_a_round_by_hand_and_out_of_fide_mode_are_on_every_sheet(tmp_path: Path) -> None:
    terminal = Terminal(tmp_path)
    terminal.ok("new", "Club", "--rounds", "3")
    for name in ("Ada", "Ben", "Cleo", "Dag"):
        terminal.ok("player", "add", name)
    terminal.ok("draw", "--colour", "white")
    terminal.ok("pair")
    assert "not published" in Reader(terminal.ok("boards", "--html")).text
    assert "altered by hand" not in Reader(terminal.ok("boards", "--html")).text
    terminal.ok("alter", "begin", "1")
    terminal.write("boards.txt", "4 1\n2 3\n")
    terminal.ok("alter", "end", "1", "--boards", "boards.txt", "--why", "agreed", "--ack", "manual-pairing")
    terminal.ok("publish")

    for words in (("boards", "--html"), ("boards", "--by-name", "--html"), ("slips",)):
        text = Reader(terminal.ok(*words)).text
        assert "altered by hand" in text
        assert "Out of FIDE mode" not in text


def test_by_name_without_a_page_is_refused(hall: Terminal) -> None:
    assert "--html" in hall.refused("boards", "--by-name", code=2)
    assert "name a player" in hall.refused("card", code=2)


def test_a_round_that_is_not_paired_has_no_sheet(hall: Terminal) -> None:
    for words in (("boards", "3", "--html"), ("slips", "3")):
        assert "round 3" in hall.refused(*words)


def test_a_sheet_says_where_and_when_the_event_is(tmp_path: Path) -> None:
    terminal = Terminal(tmp_path)
    terminal.ok("new", "Harbour Open", "--rounds", "1", "--place", "Saltmarsh", "--starts", "2026-11-14")
    for name in ("Ada", "Ben"):
        terminal.ok("player", "add", name)
    terminal.ok("draw", "--colour", "white")
    terminal.ok("pair")
    page = terminal.ok("boards", "1", "--html")

    assert "<p><bdi>Saltmarsh</bdi> · <bdi>14 November 2026</bdi></p>" in page
