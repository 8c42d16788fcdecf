"""What a second reader found: each of these once went wrong."""

import pytest

from tests.cli.session import Terminal

PLAYERS = "name,rating\n" + "".join(f"P{k},{2000 - 10 * k}\n" for k in range(1, 9))


@pytest.fixture
def eight(terminal: Terminal) -> Terminal:
    terminal.ok("new", "Eight", "--rounds", "5", "--tiebreaks", "ARO")
    (terminal.folder / "eight.csv").write_text(PLAYERS, encoding="utf-8")
    terminal.ok("player", "import", "eight.csv")
    terminal.ok("draw", "--colour", "white")
    return terminal


def play(terminal: Terminal, round: int, *results: str) -> None:
    terminal.ok("pair")
    terminal.ok("publish")
    terminal.ok("result", str(round), *(word for k, r in enumerate(results, 1) for word in (str(k), r)))


def test_a_correction_counts_for_the_pairing_made_in_place_of_one_taken_back(eight: Terminal) -> None:
    play(eight, 1, "1-0", "1-0", "1-0", "1-0")
    first = eight.ok("pair")
    eight.ok("correct", "1", "1", "0-1", "--why", "both sheets say so", "--ack", "3")
    eight.ok("unpair")

    assert eight.ok("pair") != first
    assert eight.ok("replay").count("identical") == 3


def test_final_standings_stand_when_a_rating_is_corrected_after_the_end(eight: Terminal) -> None:
    play(eight, 1, "1-0", "1-0", "½-½", "0-1")
    eight.ok("close", "--why", "snow", "--ack", "rounds-unplayed")
    before = eight.ok("standings", "--final", "--csv")

    eight.ok("player", "correct", "P3", "--rating", "1000", "--why", "wrong list")

    assert eight.ok("standings", "--final", "--csv") == before


def test_a_manual_session_can_be_given_up(eight: Terminal) -> None:
    eight.ok("alter", "begin", "1")

    eight.ok("alter", "end", "1", "--give-up")

    eight.ok("pair")


def test_a_report_of_an_accelerated_event_says_so_before_round_one(
    terminal: Terminal,
) -> None:
    terminal.ok("new", "Fast", "--rounds", "5", "--acceleration", "baku")
    (terminal.folder / "eight.csv").write_text(PLAYERS, encoding="utf-8")
    terminal.ok("player", "import", "eight.csv")
    terminal.ok("draw", "--colour", "white")
    terminal.ok("number")

    report = terminal.ok("trf", "export")

    assert "192 FIDE_DUTCH_2026_BAKU" in report
    assert [line for line in report.splitlines() if line.startswith("250")] == [
        "250      01.0 001 002 0001 0004",
        "250      00.5 003 003 0001 0004",
    ]


def test_group_a_keeps_its_size_when_numbers_are_made_anew(terminal: Terminal) -> None:
    terminal.ok("new", "Fast", "--rounds", "7", "--acceleration", "baku")
    (terminal.folder / "eight.csv").write_text(PLAYERS, encoding="utf-8")
    terminal.ok("player", "import", "eight.csv")
    terminal.ok("draw", "--colour", "white")
    play(terminal, 1, "1-0", "1-0", "1-0", "1-0")
    terminal.ok("player", "correct", "P4", "--rating", "1000", "--why", "wrong list")
    terminal.ok("number", "--ack", "3")

    terminal.ok("pair")

    brackets = [line for line in terminal.ok("explain", "2").splitlines() if line.startswith("Bracket of")]
    assert [line.split(":")[0] for line in brackets] == [
        "Bracket of 2 points",
        "Bracket of 1 point",
        "Bracket of 0 points",
    ]


def test_byes_of_later_rounds_come_in_with_a_report(eight: Terminal) -> None:
    play(eight, 1, "1-0", "1-0", "1-0", "1-0")
    eight.ok("bye", "grant", "P2", "4", "--why", "a wedding")
    eight.ok("trf", "export", "-o", "eight.trf")

    eight.ok("--db", "other.db", "trf", "import", "eight.trf")

    assert "half-point bye for P2 in round 4" in eight.ok("--db", "other.db", "log")


def test_a_round_made_by_hand_as_the_engine_makes_it_is_not_called_altered(eight: Terminal) -> None:
    eight.write("engines.txt", "1 5\n6 2\n3 7\n8 4\n")
    eight.ok("alter", "begin", "1")

    told = eight.ok("alter", "end", "1", "--boards", "engines.txt", "--why", "the printer failed")

    assert "round 1 by hand: the engine's boards\n" in told
    assert "manual pairing of round 1 ended, nothing altered" in told
    assert "altered by hand" not in eight.ok("boards")
    assert "altered" not in eight.ok("explain", "1")


def test_boards_altered_and_put_back_are_the_engines_again(eight: Terminal) -> None:
    eight.ok("pair")
    eight.write("other.txt", "5 1\n6 2\n3 7\n8 4\n")
    eight.write("engines.txt", "1 5\n6 2\n3 7\n8 4\n")
    for file in ("other.txt", "engines.txt"):
        eight.ok("alter", "begin", "1")
        eight.ok("alter", "end", "1", "--boards", file, "--why", "trying", "--ack", "manual-pairing")

    assert "altered by hand" not in eight.ok("boards")
    assert eight.ok("replay").startswith("round 1: identical")
    assert "altered" not in eight.ok("explain", "1")


def test_taking_a_pairing_back_leaves_no_game_adjourned_and_no_round_ended(eight: Terminal) -> None:
    eight.ok("pair")
    eight.ok("publish")
    eight.ok("result", "1", "1", "1-0", "2", "1-0")
    sheet = eight.ok("boards")
    eight.ok("pair", "--ack", "2")

    assert eight.ok("unpair") == "round 2 unpaired\nround 1 goes on: 2 games to finish\n"

    assert eight.ok("boards") == sheet
    eight.ok("result", "1", "3", "1-0", "4", "0-1")
    assert eight.ok("pair").startswith("round 1 completed\n")
    assert eight.ok("replay").count("identical") == 3


def test_an_adjourned_game_keeps_report_and_lots_from_being_final(eight: Terminal) -> None:
    """VCL 161, 169"""
    eight.ok("change", "--rounds", "2")
    play(eight, 1, "adjourned", "1-0", "1-0", "1-0")
    eight.ok("pair", "--ack", "2")
    eight.ok("publish")
    assert "adjourned" not in eight.ok("trf", "export", "--round", "1")
    assert "games without a result: round 1 board 1, round 2 boards 1, 2, 3, 4;" in eight.refused("lots")
    eight.ok("result", "2", "1", "½-½", "2", "½-½", "3", "½-½", "4", "½-½")

    for words in (("trf", "export"), ("trf", "export", "--for", "rating"), ("trf", "export", "--round", "2")):
        assert "games have no result: round 1 board 1; the final" in eight.refused(*words)
    assert "games without a result: round 1 board 1; enter" in eight.refused("lots")
    assert "games without a result" in eight.refused("lots", "P1", "P2")
    assert "games without a result: round 1 board 1" in eight.refused("close")

    eight.ok("result", "1", "1", "0-1", "--ack", "3")
    told = eight.ok("correct", "1", "1", "1-0", "--why", "read from the wrong side")
    assert "counts for the standings of the round and the next pairing" in told
    report = eight.ok("trf", "export")
    assert "### Adjournment @ Round 1: 1-5 1-0" in report
    assert report.count("### Adjournment") == 1
    eight.ok("lots")
    assert eight.ok("replay").count("identical") == 2


def test_lots_for_all_shared_places_wait_for_the_last_round(eight: Terminal) -> None:
    play(eight, 1, "1-0", "1-0", "1-0", "1-0")

    assert "rounds paired so far: 1 of 5, places are still open: name the players" in eight.refused("lots")
    eight.ok("lots", "P1", "P2")


def test_a_value_from_outside_needs_a_name_that_was_announced(eight: Terminal) -> None:
    told = eight.refused("playoff", "P1", "PLAYOFF", "1.5")

    assert told.startswith("PLAYOFF is not among the announced tie-breaks, which take no value from outside")


def test_the_end_of_a_round_is_the_round_completed(eight: Terminal) -> None:
    """Pairing the next round says so; ``before r2`` is what that pairing saw."""
    play(eight, 1, "1-0", "1-0", "1-0")
    eight.ok("pair", "--ack", "2")

    assert "Round 1 of 5, completed" in eight.ok("boards", "1", "--at", "r1")
    assert "adjourned" in eight.ok("boards", "1", "--at", "r1")
    assert "Round 1 of 5, 1 to play" in eight.ok("boards", "1", "--at", "before r2")
    assert eight.ok("trf", "export", "--at", "r1") == eight.ok("trf", "export", "--round", "1")


def test_two_moments_in_the_wrong_order_are_put_right_and_it_is_said(eight: Terminal) -> None:
    forth, back = eight.ok("diff", "3", "5"), eight.ok("diff", "5", "3")

    assert back == "3 comes before 5: shown from 3 to 5\n" + forth
    assert "from fact 5 to fact 5: nothing new" in eight.ok("diff", "5", "5")


def test_the_log_of_a_round_or_board_that_never_was_is_refused(eight: Terminal) -> None:
    assert eight.refused("log", "--board", "1") == "no round is paired yet: pair round 1 first"
    eight.ok("pair")
    assert eight.refused("log", "--board", "2.1") == "round 2 is not paired: round 1 is"
    assert eight.refused("log", "--board", "1.9") == "round 1 has boards 1 to 4, not 9"
    eight.ok("unpair")
    assert "round 1 unpaired" in eight.ok("log", "--board", "1")
    assert eight.ok("log", "--kind", "lots-drawn") == "no such fact in the log\n"


def test_a_list_is_of_one_time(eight: Terminal) -> None:
    assert "Eight" in eight.ok("list", "--at", "2999-01-01")
    assert eight.ok("list", "--at", "2001-01-01") == "no tournament in paircard.db at 2001-01-01\n"
    assert "a list of tournaments is of one time" in eight.refused("list", "--at", "r1", code=2)


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
    assert terminal.refused("card", "#2") == "there is no player #2: #1 is the only one"
    assert "nobody has missed one" in terminal.refused("player", "add", "Ben", "--missed", "H")
    terminal.ok("bye", "grant", "Ada", "1")
    assert terminal.refused("pair").startswith("nobody is there to play round 1: all have byes")
    terminal.ok("bye", "revoke", "Ada", "1")
    terminal.ok("player", "add", "Ben")
    terminal.ok("draw", "--colour", "white")
    terminal.ok("pair")
    terminal.ok("publish")
    assert terminal.refused("result", "1", "2", "1-0") == "round 1 has one board, 1, not 2"
    assert terminal.refused("pair") == "the tournament has 1 round, there is no round 2"


def test_a_tournament_opened_twice_by_mistake_is_told(terminal: Terminal) -> None:
    terminal.ok("new", "Club Open", "--rounds", "5", "--id", "one")

    told = terminal.refused("new", "Club Open", "--rounds", "5")

    assert told.startswith("Club Open is in paircard.db already, ")
    assert told.endswith("if that is meant, repeat with --ack same-name")
    assert "carried out before" in terminal.ok("new", "Club Open", "--rounds", "5", "--id", "one")
    terminal.ok("new", "Club Open", "--rounds", "5", "--ack", "same-name")
    assert terminal.ok("list").count("Club Open") == 2


def test_what_a_new_arbiter_is_told_on_the_way(eight: Terminal) -> None:
    assert eight.ok("standings").startswith("Eight: before round 1\n")
    eight.ok("pair")
    eight.ok("alter", "begin", "1")
    told = eight.refused("alter", "end", "2", "--give-up")
    assert told == "round 2 is not being paired by hand: round 1 is"
    assert eight.refused("publish") == "round 1 is being paired by hand: end that first, or give it up"
    eight.ok("alter", "end", "1", "--give-up")
    told = eight.ok("player", "correct", "P8", "--rating", "2500", "--why", "wrong list")
    assert told.endswith("pairing numbers stand as they are: paircard number ranks the players anew\n")
    eight.ok("player", "add", "Late", "--missed", "H")
    assert "missed H" in eight.ok("player", "list")


def test_a_replay_is_of_any_moment(eight: Terminal) -> None:
    eight.ok("pair")
    eight.ok("unpair")
    eight.ok("pair")
    first = int(eight.ok("replay").partition("(fact ")[2].partition(",")[0])

    assert eight.ok("replay", "--at", str(first)).startswith("round 1: identical (fact ")
    assert eight.ok("replay", "--at", str(first - 1)) == "no round is paired: there is nothing to replay\n"
    assert eight.ok("replay", "--at", "r 1") == eight.ok("replay")
    assert "leave out --at" in eight.refused("replay", "--all", "--at", "r1", code=2)
