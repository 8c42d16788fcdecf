"""Reports of accelerated events, and of byes to come."""

from paircard.domain.messages import Message
from paircard.pairing.explain.speaking import RoundSpeaker
from tests.cli.session import EIGHT, Terminal, play
from tests.refusals import sentence


def test_a_report_of_an_accelerated_event_says_so_before_round_one(
    terminal: Terminal,
) -> None:
    terminal.ok("new", "Fast", "--rounds", "5", "--acceleration", "baku")
    terminal.write("eight.csv", EIGHT)
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
    terminal.write("eight.csv", EIGHT)
    terminal.ok("player", "import", "eight.csv")
    terminal.ok("draw", "--colour", "white")
    play(terminal, 1, "1-0", "1-0", "1-0", "1-0")
    terminal.ok("player", "correct", "P4", "--rating", "1000", "--why", "wrong list")
    terminal.ok("number", "--ack", "renumbering")

    terminal.ok("pair")

    titles = {
        RoundSpeaker({}).say(Message("explain.bracket.title", {"score": n})): n for n in range(0, 75, 5)
    }
    heads = [line.split(":")[0] for line in terminal.ok("explain", "2").splitlines()]
    assert [titles[head] for head in heads if head in titles] == [20, 10, 0]


def test_byes_of_later_rounds_come_in_with_a_report(eight: Terminal) -> None:
    play(eight, 1, "1-0", "1-0", "1-0", "1-0")
    eight.ok("bye", "grant", "P2", "4", "--half", "--ack", "half-bye-not-announced")
    eight.ok("trf", "export", "-o", "eight.trf")

    eight.ok("--db", "other.db", "trf", "import", "eight.trf")

    granted = sentence("log.bye-granted", people={2: "P2"}, player=2, round=4, letter="H")
    assert granted in eight.ok("--db", "other.db", "log")
