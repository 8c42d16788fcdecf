"""The demo plays the worked example; it must tell the truth about it."""

import json

from paircard.cli.commands.demo import FINAL, ROUNDS
from tests.cli.session import Terminal


def test_the_demo_pairs_every_round_as_published_and_ends_with_the_published_scores(
    terminal: Terminal,
) -> None:
    told = terminal.ok("demo", "--db", "demo.db")

    assert told.count("\n  as in the published example\n") == len(ROUNDS)
    assert "\n  the scores of the published example\n" in told
    assert "NOT" not in told
    lines = json.loads(terminal.ok("standings", "--db", "demo.db", "--json"))["standings"]
    assert {line["name"]: line["points"] for line in lines} == FINAL


def test_the_demo_shows_that_a_correction_changes_the_next_pairing(terminal: Terminal) -> None:
    told = terminal.ok("demo")

    assert "round 3 board 4: Roberto – Alice corrected from 1-0 to 0-1" in told
    assert "\n  new in round 4:    " in told
    assert "counts for the rating report only" in told
    assert list(terminal.folder.iterdir()) == []


def test_the_demo_does_not_touch_a_file_that_is_there(terminal: Terminal) -> None:
    terminal.write("mine.db", "precious")

    terminal.refuses("cli.demo-file-there", "demo", "--db", "mine.db", file="mine.db")
