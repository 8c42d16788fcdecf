"""Reports of accelerated events, and of byes to come."""

from tests.cli.session import EIGHT, Terminal, play


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

    brackets = [line for line in terminal.ok("explain", "2").splitlines() if line.startswith("Bracket of")]
    assert [line.split(":")[0] for line in brackets] == [
        "Bracket of 2 points",
        "Bracket of 1 point",
        "Bracket of 0 points",
    ]


def test_byes_of_later_rounds_come_in_with_a_report(eight: Terminal) -> None:
    play(eight, 1, "1-0", "1-0", "1-0", "1-0")
    eight.ok("bye", "grant", "P2", "4", "--half", "--ack", "half-bye-not-announced")
    eight.ok("trf", "export", "-o", "eight.trf")

    eight.ok("--db", "other.db", "trf", "import", "eight.trf")

    assert "half-point bye for P2 in round 4" in eight.ok("--db", "other.db", "log")
