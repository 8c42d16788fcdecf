"""What is said on the way: one is one, and mistakes are told as what they are."""

import shlex

from paircard.cli.refusals import in_a_line
from paircard.domain.deciding.decision import caution
from paircard.domain.errors import NeedsAcknowledgement
from tests.cli.session import Terminal


def test_a_board_given_twice_is_told_as_such(eight: Terminal) -> None:
    eight.ok("pair")
    eight.ok("publish")
    eight.write("results.txt", "1 1-0\n2 =\n1 0-1\n")

    told = "board 1 is given twice, 1-0 and 0-1: leave one out"
    assert eight.refused("result", "1", "1", "1-0", "1", "0-1") == told
    there = "results.txt: line 1, results.txt: line 3"
    assert eight.refused("result", "1", "--file", "results.txt") == f"{there}: {told}"


def test_one_is_one_in_every_message(terminal: Terminal) -> None:
    assert terminal.ok("new", "Duel", "--rounds", "1").startswith("Duel opened: 1 round, ")
    assert terminal.refused("pair") == "nobody is registered: enter the players first"
    terminal.ok("player", "add", "Ada", "--rating", "2000")
    assert terminal.refused("card", "#2") == "there is no player p2: the only one is p1"
    assert "so nobody has missed one" in terminal.refused("player", "add", "Ben", "--missed", "H")
    terminal.ok("bye", "grant", "Ada", "1")
    assert terminal.refused("pair").startswith("nobody can play round 1: all have byes")
    terminal.ok("bye", "revoke", "Ada", "1")
    terminal.ok("player", "add", "Ben")
    terminal.ok("draw", "--colour", "white")
    terminal.ok("pair")
    terminal.ok("publish")
    assert terminal.refused("result", "1", "2", "1-0") == "round 1 has one board, 1, not 2"
    assert terminal.refused("pair") == "there is no round 2: the tournament has 1 round"


def test_a_tournament_opened_twice_by_mistake_is_told(terminal: Terminal) -> None:
    terminal.ok("new", "Club Open", "--rounds", "5", "--id", "one")

    told = terminal.refused("new", "Club Open", "--rounds", "5")

    assert told.startswith("Club Open is in paircard.db already, ")
    assert told.endswith("\nif that is meant: paircard new 'Club Open' --rounds 5 --ack same-name")
    assert "carried out before" in terminal.ok("new", "Club Open", "--rounds", "5", "--id", "one")
    terminal.ok("new", "Club Open", "--rounds", "5", "--ack", "same-name")
    assert terminal.ok("list").count("Club Open") == 2


def test_what_a_new_arbiter_is_told_on_the_way(eight: Terminal) -> None:
    assert eight.ok("standings").startswith("Eight: before round 1\n")
    eight.ok("pair")
    eight.ok("alter", "begin", "1")
    told = eight.refused("alter", "end", "2", "--give-up")
    assert told == "round 2 is not being paired by hand: round 1 is"
    assert eight.refused("publish") == (
        "round 1 is being paired by hand: finish that first, or give it up "
        "(paircard alter end ROUND --boards FILE, or --give-up)"
    )
    eight.ok("alter", "end", "1", "--give-up")
    told = eight.ok("player", "correct", "P8", "--rating", "2500", "--why", "wrong list")
    assert told.endswith("pairing numbers stay as they are: paircard number ranks the players again\n")
    eight.ok("player", "add", "Late", "--missed", "H", "--why", "train", "--ack", "half-bye-not-announced")
    assert "missed H" in eight.ok("player", "list")


def test_each_warning_has_a_line_and_the_last_line_is_the_command_that_accepts_them(eight: Terminal) -> None:
    eight.ok("pair")
    eight.ok("publish")
    eight.ok("result", "1", "1", "+", "2", "-", "3", "adjourned")

    *warnings, way_out = eight.refused("pair").splitlines()

    assert [line[-9:] for line in warnings] == ["(level 2)"] * 3, warnings
    assert all(name in "".join(warnings) for name in ("P5", "P6"))
    assert way_out.startswith("if that is meant: paircard pair --why TEXT --ack ")
    typed = way_out.partition(": paircard ")[2].replace("TEXT", "'train late'")
    assert "round 2 paired" in eight.ok(*shlex.split(typed))


def test_the_command_to_copy_is_the_one_that_was_typed_with_its_quotes(terminal: Terminal) -> None:
    terminal.ok("new", "Club Open", "--rounds", "5")
    terminal.ok("player", "add", "O'Brien, Ann")

    told = terminal.refused("-t", "Club Open", "player", "add", "O'Brien, Ann", "--rating", "1800")

    typed = told.splitlines()[-1].partition(": paircard ")[2]
    assert terminal.ok(*shlex.split(typed)).startswith("O'Brien, Ann")


def test_a_password_is_not_repeated() -> None:
    typed = ("pair", "--db", "postgresql://desk:secret@db.example.org/chess")
    told = in_a_line(NeedsAcknowledgement((caution("too-many-rounds.met", entered=4, rounds=9),)), typed)
    assert "secret" not in told
    assert told.endswith(" --ack too-many-rounds")


def test_a_tournament_opened_by_mistake_is_closed_with_a_reason(terminal: Terminal) -> None:
    terminal.ok("new", "Mistake", "--rounds", "5")
    why = ("--why", "opened by mistake")

    assert "needs a reason" in terminal.refused("close")
    assert "0 of 5" in terminal.refused("close", *why)
    terminal.ok("close", *why, "--ack", "rounds-unplayed")

    assert terminal.ok("list").rstrip().endswith("closed")
    assert "is closed" in terminal.refused("player", "add", "Ada")
    assert "chain whole" in terminal.ok("verify")
    terminal.ok("reopen", "--why", "it is the right one", "--ack", "reopened")
    terminal.ok("player", "add", "Ada")


def test_the_way_out_of_a_dead_end_is_named_and_works(terminal: Terminal) -> None:
    terminal.ok("new", "Duel", "--rounds", "3")
    for name in ("Ada", "Ben"):
        terminal.ok("player", "add", name)
    terminal.ok("draw", "--colour", "white")
    terminal.ok("pair", "--ack", "too-many-rounds")
    terminal.ok("publish")
    terminal.ok("result", "1", "1", "1-0")

    told = terminal.refused("pair")
    assert "(paircard alter begin 2, then alter end 2 --boards FILE)" in told
    way_out = "paircard close --why TEXT --ack rounds-unplayed"
    assert told.endswith(f"or end the tournament before it ({way_out})")
    assert terminal.refused("change", "--rounds", "1").endswith(f"to end it earlier: {way_out}")
    assert "closed after 1 round" in terminal.ok(*shlex.split(way_out)[1:])


def test_days_and_tie_breaks_are_taken_as_people_write_them(terminal: Terminal) -> None:
    terminal.ok(
        "new", "Open", "--rounds", "2", "--starts", "20.11.2026", "--ends", "21/11/2026",
        "--dates", "20.11.2026;21-11-2026", "--tiebreaks", "BH/C1; BH SB", "--tempo", "Rapid",
    )  # fmt: skip
    shown = terminal.ok("show")
    assert "2026-11-20" in shown
    assert "dates            2026-11-20, 2026-11-21\n" in shown
    assert "tie-breaks       BH/C1, BH, SB\n" in shown
    told = terminal.refused("change", "--starts", "10/11/2026", code=2)
    assert "'10/11/2026' may be two days: write the year first, like 2026-11-16" in told
    assert terminal.refused("change", "--ends", "31.11.2026").endswith("is not a day such as 2026-11-16")
    told = terminal.refused("change", "--tiebreaks", "Buchholz")
    assert "write BH; " in told
    assert told.endswith("paircard manual tie-breaks explains them")


def test_points_that_are_given_are_repeated_with_what_follows_from_them(terminal: Terminal) -> None:
    told = terminal.ok("new", "Open", "--rounds", "3", "--win", "1,5")
    assert told.endswith("points: win 1½, draw ½, loss 0, absence 0, bye 1½\n")
    assert terminal.ok("change", "--pab", "1").endswith("points: win 1½, draw ½, loss 0, absence 0, bye 1\n")
    assert "points" not in terminal.ok("change", "--place", "Torino")
