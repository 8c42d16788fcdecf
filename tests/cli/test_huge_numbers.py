"""Numbers of 5,000 digits, wherever a command or a file takes a number: a sentence answers."""

from pathlib import Path

import pytest

from tests.cli.session import EIGHT, Terminal

HUGE = "9" * 5000
REPORT = str(Path(__file__).parents[1] / "corpus" / "programs" / "sharly.trf")


@pytest.fixture
def terminal(tmp_path: Path) -> Terminal:
    terminal = Terminal(tmp_path)
    terminal.ok("new", "Club", "--rounds", "3")
    terminal.ok("player", "import", terminal.write("players.csv", EIGHT))
    terminal.ok("draw", "--colour", "white")
    terminal.ok("pair")
    terminal.write("results.txt", f"{HUGE} 1-0\n")
    terminal.write("results.csv", f"Board;Result\n{HUGE};1-0\n")
    terminal.write("boards.txt", f"{HUGE} 1\n")
    terminal.write("players2.csv", f"Name;Rtg;FideID;Birth\nP;{HUGE};{HUGE};{HUGE}\n")
    terminal.write("list.csv", f"Id;Name;Rating;FideID\n{HUGE};P;{HUGE};{HUGE}\n")
    terminal.write("report.trf", f"012 X\nXXR {HUGE}\nXXZ {HUGE}\n062 {HUGE}\n")
    return terminal


@pytest.mark.parametrize(
    "words",
    [
        ("result", "1", HUGE, "1-0"),
        ("result", HUGE, "1", "1-0"),
        ("result", "1", "--file", "results.txt"),
        ("result", "1", "--file", "results.csv"),
        ("pair", "--boards", "boards.txt", "--why", "x"),
        ("number", "--exchange", HUGE, "1"),
        ("number", "--file", "boards.txt"),
        ("player", "import", "players2.csv"),
        ("player", "correct", f"#{HUGE}", "--rating", "1"),
        ("player", "add", "X", "--rating", HUGE),
        ("lists", "import", "list.csv", "--valid", "2026-11-01"),
        ("trf", "import", "report.trf"),
        ("check", "report.trf"),
        ("card", HUGE),
        ("card", f"#{HUGE}"),
        ("prohibit", HUGE, "2"),
        ("why", HUGE),
        ("why", REPORT, HUGE),
        ("why-not", HUGE, "1", "2"),
        ("candidates", HUGE, "2"),
        ("explain", HUGE),
        ("boards", HUGE),
        ("show", "--at", f"r{HUGE}"),
        ("compare", "--engine", "x", "--players", HUGE),
        ("generate", "x.trf", "--half-point-byes", f"1:{HUGE}%"),
        ("tiebreaks", REPORT, "--list", f"BH/C{HUGE}"),
        ("correct", "1", HUGE, "1-0"),
        ("playoff", "1", "OTHER_X", HUGE),
    ],
    ids=lambda words: " ".join(words).replace(HUGE, "huge").replace(REPORT, "report"),
)
def test_a_number_of_five_thousand_digits_is_refused_in_a_sentence(
    words: tuple[str, ...], terminal: Terminal
) -> None:
    answer = terminal.run(*words)

    assert answer.code in (1, 2)
    assert "internal error" not in answer.err
    assert "Traceback" not in answer.err
    assert 0 < len(answer.err) < 3_000
