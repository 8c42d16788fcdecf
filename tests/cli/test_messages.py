"""What is said on the way: one is one, and mistakes are told as what they are."""

import shlex

from paircard.cli.refusals import in_a_line
from paircard.domain.deciding.decision import caution
from paircard.domain.errors import NeedsAcknowledgement
from paircard.domain.messages import say
from tests.cli.session import Terminal
from tests.refusals import sentence


def test_a_board_given_twice_is_told_as_such(eight: Terminal) -> None:
    eight.ok("pair")
    eight.ok("publish")
    eight.write("results.txt", "1 1-0\n2 =\n1 0-1\n")

    told = sentence("cli.board-twice", board=1, value="1-0", kind="0-1")
    assert eight.refused("result", "1", "1", "1-0", "1", "0-1") == told
    there = "results.txt: line 1, results.txt: line 3"
    assert eight.refused("result", "1", "--file", "results.txt") == f"{there}: {told}"


def test_one_is_one_in_every_message(terminal: Terminal) -> None:
    assert terminal.ok("new", "Duel", "--rounds", "1").startswith("Duel opened: 1 round, ")
    assert terminal.refused("pair") == sentence("nobody-registered")
    terminal.ok("player", "add", "Ada", "--rating", "2000")
    assert terminal.refused("card", "#2") == sentence("no-such-player", id="p2", last=1)
    terminal.refuses("no-round-missed", "player", "add", "Ben", "--missed", "H")
    terminal.ok("bye", "grant", "Ada", "1")
    assert terminal.refused("pair") == sentence("nobody-present", round=1)
    terminal.ok("bye", "revoke", "Ada", "1")
    terminal.ok("player", "add", "Ben")
    terminal.ok("draw", "--colour", "white")
    terminal.ok("pair")
    terminal.ok("publish")
    assert terminal.refused("result", "1", "2", "1-0") == sentence("no-such-board", round=1, board=2, last=1)
    assert terminal.refused("pair") == sentence("no-such-round", round=2, rounds=1)


def test_a_tournament_opened_twice_by_mistake_is_told(terminal: Terminal) -> None:
    terminal.ok("new", "Club Open", "--rounds", "5", "--id", "one")

    again = ("new", "Club Open", "--rounds", "5")
    terminal.warned("same-name", *again, name="Club Open", file="paircard.db")
    way_out = sentence("cli.acknowledge", value="paircard new 'Club Open' --rounds 5 --ack same-name")
    assert terminal.refused(*again).endswith(f"\n{way_out}")
    assert sentence("cli.said.nothing-new") in terminal.ok(*again, "--id", "one")
    terminal.ok("new", "Club Open", "--rounds", "5", "--ack", "same-name")
    assert terminal.ok("list").count("Club Open") == 2


def test_what_a_new_arbiter_is_told_on_the_way(eight: Terminal) -> None:
    assert eight.ok("standings").startswith("Eight: before round 1\n")
    eight.ok("pair")
    eight.ok("alter", "begin", "1")
    told = eight.refused("alter", "end", "2", "--give-up")
    assert told == sentence("no-manual-session", round=2, other_round=1)
    assert eight.refused("publish") == sentence(
        "cli.manual-session-open", value=sentence("manual-session-open", round=1)
    )
    eight.ok("alter", "end", "1", "--give-up")
    told = eight.ok("player", "correct", "P8", "--rating", "2500", "--why", "wrong list")
    assert told.endswith(sentence("cli.players.numbers-stay") + "\n")
    eight.ok("player", "add", "Late", "--missed", "H", "--why", "train", "--ack", "half-bye-not-announced")
    assert sentence("cli.players.missed", value="H") in eight.ok("player", "list")


def test_each_warning_has_a_line_and_the_last_line_is_the_command_that_accepts_them(eight: Terminal) -> None:
    eight.ok("pair")
    eight.ok("publish")
    eight.ok("result", "1", "1", "+", "2", "-", "3", "adjourned")

    *warnings, way_out = eight.refused("pair").splitlines()

    level = sentence("cli.warning", value="", level=2)
    assert [line.endswith(level) for line in warnings] == [True] * 3, warnings
    assert all(name in "".join(warnings) for name in ("P5", "P6"))
    assert way_out.startswith(sentence("cli.acknowledge", value="paircard pair --why TEXT --ack "))
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

    terminal.refuses("reason-missing", "close", deed=say("deed.closing-early", round=0, rounds=5))
    terminal.warned("rounds-unplayed", "close", *why, round=0, rounds=5)
    terminal.ok("close", *why, "--ack", "rounds-unplayed")

    assert terminal.ok("list").rstrip().endswith("closed")
    terminal.refuses("tournament-closed", "player", "add", "Ada", name="Mistake")
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

    terminal.refuses("pairing.no-legal-pairing", "pair", round=2)
    told = terminal.refused("pair")
    way_out = "paircard close --why TEXT --ack rounds-unplayed"
    assert told.endswith(sentence("cli.no-legal-round", value="", round=2, code=way_out))
    assert terminal.refused("change", "--rounds", "1").endswith(sentence("cli.end-earlier", code=way_out))
    assert sentence("log.tournament-closed", rounds=1) in terminal.ok(*shlex.split(way_out)[1:])


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
    assert sentence("cli.two-days", text="10/11/2026") in told
    terminal.refuses("day-unknown", "change", "--ends", "31.11.2026", label="last_day", text="31.11.2026")
    words = ("change", "--tiebreaks", "Buchholz")
    terminal.refuses("standings.unknown-meant", *words, text="Buchholz", code="BH")
    assert terminal.refused(*words).endswith(sentence("cli.bad-tie-break", value=""))


def test_points_that_are_given_are_repeated_with_what_follows_from_them(terminal: Terminal) -> None:
    told = terminal.ok("new", "Open", "--rounds", "3", "--win", "1,5")
    assert told.endswith("points: win 1½, draw ½, loss 0, absence 0, bye 1½\n")
    assert terminal.ok("change", "--pab", "1").endswith("points: win 1½, draw ½, loss 0, absence 0, bye 1\n")
    assert "points" not in terminal.ok("change", "--place", "Torino")
