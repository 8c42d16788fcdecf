"""The demo plays the worked example; it must tell the truth about it."""

import json

from paircard.cli.commands.demo import FINAL, ROUNDS
from paircard.domain.values.results import parse_outcome
from tests.cli.session import Terminal
from tests.refusals import sentence


def corrected(round: int, white: str, black: str, was: str, result: str, scope: str) -> str:
    """What the log says of a corrected result of board 4."""
    return sentence(
        "log.result-corrected",
        people={1: white, 2: black},
        white=1,
        black=2,
        round=round,
        board=4,
        was=parse_outcome(was),
        result=parse_outcome(result),
        scope=scope,
    )


def test_the_demo_pairs_every_round_as_published_and_ends_with_the_published_scores(
    terminal: Terminal,
) -> None:
    told = terminal.ok("demo", "--db", "demo.db")

    lines = told.splitlines()
    assert lines.count(sentence("cli.demo.as-published", yes=True)) == len(ROUNDS)
    assert sentence("cli.demo.scores-published", yes=True) in lines
    for wrong in ("cli.demo.as-published", "cli.demo.scores-published"):
        assert sentence(wrong, yes=False) not in told
    standings = json.loads(terminal.ok("standings", "--db", "demo.db", "--json"))["standings"]
    assert {line["name"]: line["points"] for line in standings} == FINAL


def test_the_demo_shows_that_a_correction_changes_the_next_pairing(terminal: Terminal) -> None:
    told = terminal.ok("demo")

    assert corrected(3, "Roberto", "Alice", "1-0", "0-1", "pairing-next") in told
    met = ["Alice – Carla", "Marco – Roberto", "Kevin – Luisa", "Patrizia – Oscar"]
    assert sentence("cli.demo.new", round=4, known=met) in told.splitlines()
    assert corrected(5, "Carla", "Giorgia", "0-1", "½-½", "rating-report-only") in told
    assert list(terminal.folder.iterdir()) == []


def test_the_demo_does_not_touch_a_file_that_is_there(terminal: Terminal) -> None:
    terminal.write("mine.db", "precious")

    terminal.refuses("cli.demo-file-there", "demo", "--db", "mine.db", file="mine.db")
