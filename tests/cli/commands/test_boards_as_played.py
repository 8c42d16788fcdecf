"""``correct --played`` and ``--boards``: who really met, at the terminal."""

from typing import Any

import pytest

from paircard.domain.messages import Message
from paircard.domain.values.results import parse_outcome
from tests.cli.session import Terminal, play
from tests.refusals import sentence

NAMES = {1: "Ada", 2: "Ben", 3: "Cleo", 4: "Dag"}

SURE = ("--why", "sat at each other's boards", "--ack", "boards-as-played", "--ack", "correction")
MET = ("--played", "1", "Ada", "Ben", "1-0", "--played", "2", "Dag", "Cleo", "0-1")


def seat(board: int, white: int, black: int, result: str) -> Message:
    fields = {"board": board, "white": white, "black": black, "result": parse_outcome(result)}
    return Message("log.seat", fields)


PAIRED = [seat(1, 1, 3, "1-0"), seat(2, 4, 2, "0-1")]
PLAYED = [seat(1, 1, 2, "1-0"), seat(2, 4, 3, "0-1")]


def told_of(now: list[Message]) -> str:
    """What is said of round 1 once it is on record as it was played."""
    fields = {"round": 1, "scope": "pairing-after-next", "now": now, "instead": PAIRED}
    return sentence("log.boards-corrected", people=NAMES, **fields)


@pytest.fixture
def second(playing: Terminal) -> Terminal:
    """Round 1 was Ada – Cleo 1-0 and Dag – Ben 0-1; round 2 is published."""
    playing.ok("result", "1", "1", "1-0", "2", "0-1")
    playing.ok("pair")
    playing.ok("publish")
    return playing


def test_two_pairs_sat_at_each_others_boards(second: Terminal) -> None:
    told = told_of(PLAYED)

    assert second.ok("correct", "1", *MET, *SURE).splitlines()[0] == told

    assert "### Correction @ Round 1: 1-3:1-0 4-2:0-1 => 1-2:1-0 4-3:0-1 (boards as played)" in second.ok(
        "trf", "export"
    )
    assert "round 2: identical" in second.ok("replay")
    assert "chain whole" in second.ok("verify")
    assert told in second.ok("log", "--board", "1.2").splitlines()[-1]


def test_why_explains_the_pairing_and_says_that_others_met(second: Terminal) -> None:
    note = sentence("explain.note.played", round=1)
    assert note not in second.ok("why", "1", "Ada")
    second.ok("correct", "1", *MET, *SURE)
    told = second.ok("why", "1", "Ada")

    assert note in told
    assert "Cleo" in told, "whom the pairing gave"
    assert note not in second.ok("why", "2", "Ada")


def test_a_whole_round_is_read_as_alter_show_prints_it(second: Terminal) -> None:
    shown = second.ok("alter", "show", "1").splitlines()
    assert shown == ["1 3  # Ada – Cleo", "4 2  # Dag – Ben"]
    second.write("round1.txt", "4 2\n1 3 ½-½\n")

    told = second.ok("correct", "1", "--boards", "round1.txt", *SURE).splitlines()[0]

    assert told == told_of([seat(1, 4, 2, "0-1"), seat(2, 1, 3, "½-½")])


def test_the_warnings_name_who_met_and_the_window(second: Terminal) -> None:
    told = second.refused("correct", "1", *MET, "--why", "both pairs say so")

    change = Message("change.boards", {"round": 1, "boards": [1, 2]})
    met = sentence("boards-as-played", people=NAMES, round=1, now=PLAYED)
    assert sentence("cli.warning", value=f"{met} (C.04.2:4.3)", level=4) in told.splitlines()
    assert sentence("correction.stands", change=change, round=2, next=3) in told
    assert "--ack boards-as-played" in told
    assert "--ack correction" in told


@pytest.mark.parametrize(
    ("words", "code", "fields"),
    [
        (MET[:5], "sits-twice", {"player": 2, "other": 3, "round": 1}),
        (("--played", "1", "Ada", "Zoe", "1-0"), "no-player-called", {"text": "Zoe"}),
        (("--played", "3", *MET[2:5]), "no-such-board", {"round": 1, "board": 3, "last": 2}),
        (
            ("--played", "1", "Ada", "Ben", "same", "--played", "2", "Dag", "Cleo", "same"),
            "did-not-meet",
            {"white": 1, "black": 2, "round": 1, "board": 1},
        ),
        (("--played", "1", "Ada", "Cleo", "2-0"), "result-unreadable", {"text": "2-0"}),
        (("--played", "1", "Cleo", "Ada", "same", "--bye", "Ben"), "nobody-had-the-bye", {"round": 1}),
    ],
)
def test_what_cannot_have_been_played_is_one_line_and_nothing_recorded(
    second: Terminal, words: tuple[str, ...], code: str, fields: dict[str, Any]
) -> None:
    before = second.ok("log")

    second.refuses(code, "correct", "1", *words, *SURE, **fields)
    assert second.ok("log") == before


@pytest.mark.parametrize(
    "words",
    [
        ("1",),
        ("1", "1"),
        ("1", "1", "1-0", *MET),
        ("1", "1", "--colours", *MET),
        ("1", "--boards", "x.txt", *MET),
        ("1", "--played", "one", "Ada", "Ben", "1-0"),
        ("1", "--played", "1", "Ada", "Ben", "1-0", "--played", "1", "Dag", "Cleo", "1-0"),
    ],
)
def test_a_correction_is_of_one_kind(second: Terminal, words: tuple[str, ...]) -> None:
    assert second.run("correct", *words, *SURE).code == 2


def test_before_the_next_pairing_the_way_is_to_alter_the_boards(playing: Terminal) -> None:
    playing.ok("result", "1", "1", "1-0", "2", "0-1")

    playing.refuses("boards-still-altered", "correct", "1", *MET, *SURE, round=1, completed=False)


def test_a_round_that_is_past_altering_says_which_way_is_right(second: Terminal) -> None:
    second.refuses("round-not-altered", "alter", "begin", "1", round=1, last=2)
    second.ok("result", "2", "1", "1-0", "2", "0-1")
    second.ok("complete")
    second.refuses("boards-stand", "alter", "begin", "2", round=2)


def test_a_checker_of_the_report_is_told_why_rounds_are_not_as_the_rules_give_them(eight: Terminal) -> None:
    """The file has who met; the rounds were paired with what was recorded then."""
    play(eight, 1, "1-0", "0-1", "1-0", "0-1")
    play(eight, 2, "1-0", "0-1", "1-0", "0-1")
    boards = [line.split("#")[0].split() for line in eight.ok("alter", "show", "1").splitlines()]
    (one, two), (three, four) = boards[:2]
    met = ("--played", "1", one, four, "0-1", "--played", "2", three, two, "0-1")

    eight.ok("correct", "1", *met, *SURE)
    eight.write("report.trf", eight.ok("trf", "export"))

    told = eight.run("check", "report.trf").out
    assert "### Correction @ Round 1: " in told
    assert "boards as played" in told
