"""``correct --played`` and ``--boards``: who really met, at the terminal."""

import pytest

from tests.cli.session import Terminal, play

SURE = ("--why", "sat at each other's boards", "--ack", "boards-as-played", "--ack", "correction")
MET = ("--played", "1", "Ada", "Ben", "1-0", "--played", "2", "Dag", "Cleo", "0-1")


@pytest.fixture
def second(playing: Terminal) -> Terminal:
    """Round 1 was Ada – Cleo 1-0 and Dag – Ben 0-1; round 2 is published."""
    playing.ok("result", "1", "1", "1-0", "2", "0-1")
    playing.ok("pair")
    playing.ok("publish")
    return playing


def test_two_pairs_sat_at_each_others_boards(second: Terminal) -> None:
    assert second.ok("correct", "1", *MET, *SURE).splitlines()[0] == (
        "round 1 played otherwise: board 1 Ada – Ben 1-0; board 2 Dag – Cleo 0-1 instead of "
        "board 1 Ada – Cleo 1-0; board 2 Dag – Ben 0-1, counts for the pairings yet to be made"
    )

    assert "### Correction @ Round 1: 1-3:1-0 4-2:0-1 => 1-2:1-0 4-3:0-1 (boards as played)" in second.ok(
        "trf", "export"
    )
    assert "round 2: identical" in second.ok("replay")
    assert "chain whole" in second.ok("verify")
    assert "played otherwise" in second.ok("log", "--board", "1.2").splitlines()[-1]


def test_why_explains_the_pairing_and_says_that_others_met(second: Terminal) -> None:
    note = "Round 1 was played otherwise than it was paired."
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

    assert told.startswith("round 1 played otherwise: board 1 Dag – Ben 0-1; board 2 Ada – Cleo ½-½ instead")


def test_the_warnings_name_who_met_and_the_window(second: Terminal) -> None:
    told = second.refused("correct", "1", *MET, "--why", "both pairs say so")

    assert "round 1 would be on record as played otherwise: board 1 Ada – Ben 1-0; board 2 Dag – Cleo" in told
    assert "boards 1, 2 of round 1 as played; round 2 is paired and stands" in told
    assert "--ack boards-as-played" in told
    assert "--ack correction" in told


@pytest.mark.parametrize(
    ("words", "said"),
    [
        (("--played", "1", "Ada", "Ben", "1-0"), "Ben would sit twice in round 1 and Cleo not at all"),
        (("--played", "1", "Ada", "Zoe", "1-0"), "Zoe"),
        (("--played", "3", "Ada", "Ben", "1-0"), "round 1 has boards 1 to 2, not 3"),
        (("--played", "1", "Ada", "Ben", "same", "--played", "2", "Dag", "Cleo", "same"), "did not meet"),
        (("--played", "1", "Ada", "Cleo", "2-0"), "is not a result"),
        (("--played", "1", "Cleo", "Ada", "same", "--bye", "Ben"), "nobody had the bye in round 1"),
    ],
)
def test_what_cannot_have_been_played_is_one_line_and_nothing_recorded(
    second: Terminal, words: tuple[str, ...], said: str
) -> None:
    before = second.ok("log")

    assert said in second.refused("correct", "1", *words, *SURE)
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
