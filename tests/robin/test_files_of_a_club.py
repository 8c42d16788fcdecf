"""A round robin as a report: written, read again, imported, and checked."""

from pathlib import Path
from random import Random
from typing import Any

import pytest

from paircard.domain import WithdrawPlayer
from paircard.projections.round.crosstable import ABSENT
from paircard.projections.trf import parse, read
from paircard.service import Office, Tournament
from tests.cli.session import Terminal
from tests.refusals import sentence
from tests.robin.club import ANNA, club, play


def exported(folder: Path, *more: str) -> str:
    return Terminal(folder).ok("trf", "export", *more, "--db", "club.db")


@pytest.mark.parametrize(
    ("players", "rules", "code"),
    [
        (6, {}, "FIDE_ROUNDROBIN"),
        (5, {}, "FIDE_ROUNDROBIN"),
        (4, {"cycles": 2}, "FIDE_DOUBLEROUNDROBIN"),
        (4, {"cycles": 2, "exchange": False}, "BERGER_DOUBLEROUNDROBIN"),
        (3, {"cycles": 3}, "BERGER_ROUNDROBIN_G3"),
    ],
)
def test_a_report_names_the_system_and_comes_back_as_it_was(
    players: int, rules: dict[str, Any], code: str, tmp_path: Path
) -> None:
    tournament = club(tmp_path, players, **rules)
    play(tournament, Random(players))
    text = exported(tmp_path)
    (tmp_path / "club.trf").write_text(text, encoding="utf-8")
    terminal = Terminal(tmp_path)

    assert f"192 {code}\n" in text
    assert "092 Individual:" in text
    assert "\n152 " not in text
    assert "\n240 " not in text
    assert terminal.run("check", "club.trf").code == 0
    imported = again(tmp_path, terminal)
    rules_again = imported.now().state.regulations
    assert (rules_again.edition, rules_again.cycles or 1) == ("round-robin", rules.get("cycles", 1))
    assert [line.score for line in imported.now().standings().standings] == [
        line.score for line in tournament.now().standings().standings
    ]
    back = terminal.ok("trf", "export", "--db", "other.db")
    assert back.split("\n###")[0] == text.split("\n###")[0]


def again(folder: Path, terminal: Terminal) -> Tournament:
    terminal.ok("init", "--db", "other.db")
    done = terminal.run("trf", "import", "club.trf", "--db", "other.db")
    assert done.code == 0, done
    office = Office.open(folder / "other.db")
    [found] = office.tournaments()
    return office.tournament(found.id)


def test_the_free_day_is_a_z_and_worth_nothing(tmp_path: Path) -> None:
    play(club(tmp_path, 5), Random(5))
    text = exported(tmp_path)

    assert text.count("0000 - Z") == 5
    table = read(parse(text)).table
    assert [row.entries.count(ABSENT) for row in table.rows] == [1] * 5


def test_who_left_early_keeps_the_points_in_001_and_is_named_in_a_remark(tmp_path: Path) -> None:
    tournament = club(tmp_path, 6)
    tournament.record(1, {1: "0-1"}, by=ANNA)  # Adams – Fischer
    tournament.ask(WithdrawPlayer(player=6), by=ANNA.because("moved away"))
    play(tournament, Random(1))
    text = exported(tmp_path)
    fischer = next(line for line in text.splitlines() if line.startswith("001") and "Fischer" in line)

    assert fischer[80:84] == " 1.0"
    assert fischer[85:89].strip() == ""
    assert "### Left early: 6, 1 of 5 games completed: they count for nobody (C.05:6.6)" in text
    assert " w -" in fischer or " b -" in fischer


@pytest.mark.parametrize("order", [(), (6, 2, 3, 4, 5, 1), (4, 6, 1, 5, 3, 2)])
@pytest.mark.parametrize("share", [0.0, 0.4, 1.0])
def test_who_left_early_counts_for_nobody_in_the_event_that_is_imported(
    share: float, order: tuple[int, ...], tmp_path: Path
) -> None:
    """In the middle of the event the file's remark tells, and nothing else: by the number that was drawn."""
    tournament = club(tmp_path, 6, order)
    tournament.record(1, {1: "0-1"}, by=ANNA)
    tournament.ask(WithdrawPlayer(player=6), by=ANNA.because("moved away"))
    play(tournament, Random(1), share)
    (tmp_path / "club.trf").write_text(exported(tmp_path), encoding="utf-8")
    terminal = Terminal(tmp_path)
    imported = again(tmp_path, terminal)

    assert terminal.ok("standings", "--db", "other.db") == terminal.ok("standings", "--db", "club.db")
    left = [player.details.name for player in imported.now().state.players if player.status == "withdrawn"]
    assert left == ["Fischer"]
    assert terminal.ok("trf", "export", "--db", "other.db").count("### Left early") == 1


def test_who_left_early_is_inferred_from_a_file_of_another_program_and_told(tmp_path: Path) -> None:
    tournament = club(tmp_path, 6)
    tournament.record(1, {1: "0-1"}, by=ANNA)
    tournament.ask(WithdrawPlayer(player=6), by=ANNA.because("moved away"))
    play(tournament, Random(1))
    lines = [line for line in exported(tmp_path).splitlines(keepends=True) if not line.startswith("###")]
    (tmp_path / "club.trf").write_text("".join(lines), encoding="utf-8")
    terminal = Terminal(tmp_path)
    terminal.ok("init", "--db", "other.db")
    told = terminal.run("trf", "import", "club.trf", "--db", "other.db")

    assert sentence("standings.left-early-inferred", number=6, count=1, most=5) in told.out
    assert terminal.ok("standings", "--db", "other.db") == terminal.ok("standings", "--db", "club.db")


def test_a_report_in_the_middle_of_the_event_has_the_open_games(tmp_path: Path) -> None:
    play(club(tmp_path, 6), Random(4), 0.5)
    text = exported(tmp_path)

    assert read(parse(text)).table.rounds == 5
    assert exported(tmp_path, "--round", "2").count("\n001 ") == 6


def test_a_correction_is_no_adjournment(tmp_path: Path) -> None:
    tournament = club(tmp_path, 4)
    play(tournament, Random(9))
    was = tournament.now().boards(1).boards[0].result
    new = "0-1" if was != "0-1" else "1-0"
    tournament.correct(1, 1, new, by=ANNA.because("the slip was misread").accepting("correction"))

    assert "Adjournment" not in exported(tmp_path)


@pytest.mark.parametrize("dialect", ["trf16", "trf06", "rating"])
def test_older_formats_and_the_rating_report_come_back_as_a_round_robin(dialect: str, tmp_path: Path) -> None:
    """TRF16 and TRF06 have no record 192: record 092 and the games tell."""
    tournament = club(tmp_path, 5)
    play(tournament, Random(6))
    terminal = Terminal(tmp_path)
    assert terminal.run("trf", "export", "--for", dialect, "-o", "club.trf", "--db", "club.db").code == 0

    assert terminal.run("check", "club.trf").code == 0
    imported = again(tmp_path, terminal)
    assert imported.now().state.regulations.edition == "round-robin"
    points = {line.name: line.score for line in imported.now().standings().standings}
    assert points == {line.name: line.score for line in tournament.now().standings().standings}
