"""Rounds taken back, made by hand, altered and put back: what counts afterwards."""

from tests.cli.session import Terminal, play
from tests.refusals import sentence


def heading(terminal: Terminal) -> str:
    return terminal.ok("boards").splitlines()[0]


UNPUBLISHED = sentence("round-stage", stage="paired", count=0)
THE_ENGINES = sentence("cli.title.round", round=1, last=5, value=UNPUBLISHED, altered=False)


def test_a_correction_counts_for_the_pairing_made_in_place_of_one_taken_back(eight: Terminal) -> None:
    play(eight, 1, "1-0", "1-0", "1-0", "1-0")
    first = eight.ok("pair")
    eight.ok(
        "correct",
        "1",
        "1",
        "0-1",
        "--why",
        "both sheets say so",
        "--ack",
        "correction",
        "--ack",
        "rating-report-only",
    )
    eight.ok("unpair")

    assert eight.ok("pair") != first
    assert eight.ok("replay").count("identical") == 3


def test_a_manual_session_can_be_given_up(eight: Terminal) -> None:
    eight.ok("alter", "begin", "1")

    eight.ok("alter", "end", "1", "--give-up")

    eight.ok("pair")


def test_a_round_made_by_hand_as_the_engine_makes_it_is_not_called_altered(eight: Terminal) -> None:
    eight.write("engines.txt", "1 5\n6 2\n3 7\n8 4\n")
    eight.ok("alter", "begin", "1")

    told = eight.ok("alter", "end", "1", "--boards", "engines.txt", "--why", "the printer failed")

    assert sentence("log.pairings-altered", round=1, cause="same") in told.splitlines()
    assert sentence("log.manual-pairing-ended", round=1, altered=False) in told
    assert heading(eight) == THE_ENGINES
    assert "altered" not in eight.ok("explain", "1")


def test_boards_altered_and_put_back_are_the_engines_again(eight: Terminal) -> None:
    eight.ok("pair")
    eight.write("other.txt", "5 1\n6 2\n3 7\n8 4\n")
    eight.write("engines.txt", "1 5\n6 2\n3 7\n8 4\n")
    for file in ("other.txt", "engines.txt"):
        eight.ok("alter", "begin", "1")
        eight.ok("alter", "end", "1", "--boards", file, "--why", "trying", "--ack", "manual-pairing")

    assert heading(eight) == THE_ENGINES
    assert eight.ok("replay").startswith("round 1: identical")
    assert "altered" not in eight.ok("explain", "1")


def test_taking_a_pairing_back_leaves_no_game_adjourned_and_no_round_ended(eight: Terminal) -> None:
    eight.ok("pair")
    eight.ok("publish")
    eight.ok("result", "1", "1", "1-0", "2", "1-0")
    sheet = eight.ok("boards")
    eight.ok("pair", "--ack", "missing-results", "--ack", "adjourned-games")

    unpaired = sentence("log.round-unpaired", round=2)
    continues = sentence("cli.said.round-continues", round=1, count=2)
    assert eight.ok("unpair").splitlines() == [unpaired, continues]

    assert eight.ok("boards") == sheet
    eight.ok("result", "1", "3", "1-0", "4", "0-1")
    completed = sentence("log.round-completed", round=1)
    assert eight.ok("pair").splitlines()[0] == completed
    assert eight.ok("replay").count("identical") == 3
