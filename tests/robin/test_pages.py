"""The crosstable and the schedule of a round robin, at the terminal, as pages, sheets and calendars."""

import csv
import io
import json
from pathlib import Path
from random import Random

import pytest

from paircard.domain import WithdrawPlayer
from paircard.service import Tournament
from paircard.service.print.rendering import Frame
from paircard.service.print.standings import crosstable_at
from paircard.service.schedule import calendar_of, schedule_of, schedule_page
from tests.cli.session import Terminal
from tests.pairing.berger.annexes import printed_tables
from tests.robin.club import ANNA, NAMES, club, play


@pytest.fixture
def six(tmp_path: Path) -> Tournament:
    return club(tmp_path, 6, dates=("2026-11-21", "2026-11-22", "2026-11-28", "2026-11-29", "2026-12-05"))


def test_the_schedule_is_the_printed_table(six: Tournament) -> None:
    found = schedule_of(six.now())

    numbers = [[(game.white.number, game.black.number) for game in one.boards] for one in found.rounds]
    assert numbers == printed_tables()[6]
    assert [one.day for one in found.rounds][:2] == ["2026-11-21", "2026-11-22"]


def test_an_odd_field_says_who_is_free(tmp_path: Path) -> None:
    found = schedule_of(club(tmp_path, 5).now())

    assert [one.free.number for one in found.rounds if one.free] == [1, 4, 2, 5, 3]


def test_the_schedule_as_a_page_names_every_game_in_both_languages(six: Tournament) -> None:
    play(six, Random(1), 0.4)
    for language, word in (("en", "Round 5"), ("it", "Turno 5")):
        page = schedule_page(six.now(), Frame(language=language))
        assert word in page
        assert page.count("Adams") == 5
        assert "2026" in page


def test_the_schedule_at_the_terminal_and_as_a_sheet(six: Tournament, tmp_path: Path) -> None:
    terminal = Terminal(tmp_path)
    shown = terminal.ok("schedule", "--db", "club.db")
    rows = list(csv.DictReader(io.StringIO(terminal.ok("schedule", "--csv", "--db", "club.db"))))
    data = json.loads(terminal.ok("schedule", "--json", "--db", "club.db"))

    assert "2026-12-05" in shown
    assert len(rows) == 15
    assert (rows[0]["white_name"], rows[0]["black_name"]) == ("Adams", "Fischer")
    assert [len(one["boards"]) for one in data["rounds"]] == [3] * 5


def test_the_calendar_has_a_day_for_each_round_in_both_languages(six: Tournament) -> None:
    text = calendar_of(six.now())

    assert text.count("BEGIN:VEVENT") == text.count("END:VEVENT") == 5
    assert "DTSTART;VALUE=DATE:20261205\r\nDTEND;VALUE=DATE:20261206\r\nSUMMARY:Club\\, Round 5\r\n" in text
    assert all(len(line.encode()) <= 75 for line in text.split("\r\n"))
    assert "Turno 5" in calendar_of(six.now(), language="it")


def test_the_calendar_of_one_player_has_their_games_alone(six: Tournament) -> None:
    text = calendar_of(six.now(), player=2)

    assert text.count("SUMMARY") == text.count("Botvinnik") // 2 == 5


def test_rounds_without_a_day_are_in_no_calendar(tmp_path: Path) -> None:
    assert "VEVENT" not in calendar_of(club(tmp_path, 4).now())


def test_the_crosstable_has_a_column_for_each_opponent(six: Tournament, tmp_path: Path) -> None:
    six.record(1, {1: "1-0"}, by=ANNA)  # Adams – Fischer
    six.record(2, {3: "½-½"}, by=ANNA)  # Adams – Botvinnik
    lines = Terminal(tmp_path).ok("crosstable", "--db", "club.db").splitlines()

    adams = next(line for line in lines if "Adams" in line).split()
    assert adams[:3] == ["1", "1", "Adams"]
    assert adams[3:] == ["■", "w½", "r3", "r4", "r5", "w1", "1½"]
    fischer = next(line for line in lines if "Fischer" in line)
    assert "b0" in fischer
    assert "r5" in fischer


def test_a_double_round_robin_has_two_games_in_a_cell(tmp_path: Path) -> None:
    tournament = club(tmp_path, 4, cycles=2)
    play(tournament, Random(2))
    rows = list(csv.DictReader(io.StringIO(Terminal(tmp_path).ok("crosstable", "--csv", "--db", "club.db"))))

    assert [len(rows[0][f"against_{row['number']}"].split()) for row in rows[1:]] == [2, 2, 2]
    assert rows[0][f"against_{rows[0]['number']}"] == ""


def test_the_crosstable_as_a_page_and_as_data(six: Tournament, tmp_path: Path) -> None:
    play(six, Random(3), 0.6)
    for language in ("en", "it"):
        page = crosstable_at(six.now(), frame=Frame(language=language))
        assert page.count('class="meet') >= 18
        assert page.count("■") == 6
        assert all(name in page for name in NAMES[:6])
    data = json.loads(Terminal(tmp_path).ok("crosstable", "--json", "--db", "club.db"))
    assert [len(line["games"]) for line in data["grid"]] == [6] * 6


def test_who_left_early_stands_last_with_the_games_that_were_played(six: Tournament, tmp_path: Path) -> None:
    six.record(1, {1: "0-1"}, by=ANNA)
    six.ask(WithdrawPlayer(player=6), by=ANNA.because("moved away"))
    lines = Terminal(tmp_path).ok("standings", "--db", "club.db").splitlines()

    assert "Fischer" in lines[-1]
    assert "left early" in lines[-1]
    page = crosstable_at(six.now())
    assert page.index("Euwe") < page.index("Fischer", page.index("<tbody>"))
