"""One id, one command: sent again it counts once, and another one under it is refused."""

import pytest

from paircard.domain.messages import say
from paircard.domain.values.results import Outcome
from tests.cli.session import Terminal
from tests.refusals import sentence

BEFORE = sentence("cli.said.nothing-new") + "\n"


def test_another_command_under_a_used_id_is_refused_with_what_the_id_did(playing: Terminal) -> None:
    playing.ok("result", "1", "1", "1-0", "--id", "sms-1")
    entered = say("log.result-recorded", round=1, board=1, white=1, black=3, result=Outcome("1", "0"))

    for words in (
        ("result", "1", "1", "0-1"),
        ("result", "1", "2", "1-0"),
        ("result", "1", "1", "1-0", "2", "1-0"),
        ("player", "add", "Eve"),
        ("pair",),
        ("result", "1", "1", "1-0", "--why", "late"),
    ):
        playing.refuses("id-taken", *words, "--id", "sms-1", id="sms-1")
        deed = playing.error(*words, "--id", "sms-1").said.fields["deed"]
        assert (deed.code, deed.fields["what"]) == ("used-for", entered), words
    assert playing.ok("result", "1", "1", "1-0", "--id", "sms-1").startswith(BEFORE)


def test_a_part_of_a_command_is_not_that_command(playing: Terminal) -> None:
    playing.ok("result", "1", "1", "1-0", "2", "0-1", "--id", "sms-1")

    assert "Ada – Cleo 1-0 and 1 more" in playing.refused("result", "1", "1", "1-0", "--id", "sms-1")


def test_an_id_that_looks_like_that_of_a_part_is_one_of_its_own(playing: Terminal) -> None:
    playing.ok("result", "1", "1", "1-0", "--id", "sms")
    playing.ok("result", "1", "2", "0-1", "--id", "sms-2", "--as", "Bo")

    assert playing.ok("result", "1", "1", "1-0", "--id", "sms").startswith(BEFORE)
    assert playing.ok("result", "1", "2", "0-1", "--id", "sms-2", "--as", "Bo").startswith(BEFORE)
    playing.refuses("id-taken", "result", "1", "2", "0-1", "--id", "sms-2")  # Bo's


def test_a_command_sent_again_means_what_it_meant_the_first_time(registered: Terminal) -> None:
    """However far the tournament has come since, names and rounds are those of then."""
    steps = (
        ("player", "add", "Eva", "--rating", "1700"),
        ("player", "correct", "Eva", "--name", "Eve"),
        ("bye", "grant", "Eve", "1"),
        ("pair",),
        ("unpair",),
        ("pair",),
        ("publish",),
        ("result", "1", "1", "1-0", "2", "1-0"),
        ("complete",),
    )
    for at, step in enumerate(steps):
        registered.ok(*step, "--id", f"step-{at}")

    for at, step in enumerate(steps):
        assert registered.ok(*step, "--id", f"step-{at}").startswith(BEFORE)


def test_lots_are_not_drawn_anew_by_a_command_sent_again(terminal: Terminal) -> None:
    terminal.ok("new", "Open", "--rounds", "3")
    first = terminal.ok("draw", "--id", "lot")

    assert [terminal.ok("draw", "--id", "lot") for _ in range(3)] == [BEFORE + first] * 3
    colour = "w" if "White" in first else "b"
    wrong = "black" if colour == "w" else "white"
    drawn = say("log.initial-colour-drawn", colour=colour, method="drawn")
    words = ("draw", "--colour", wrong, "--id", "lot")
    terminal.refuses("id-taken", *words, id="lot")
    assert sentence(drawn.code, **drawn.fields) in terminal.refused(*words)


def test_a_tournament_is_opened_under_an_id_another_tournament_has_used(playing: Terminal) -> None:
    playing.ok("result", "1", "1", "1-0", "--id", "one")

    opened = sentence("log.tournament-opened", name="Rapid", rounds=3, edition="dutch-2026", count=1)
    assert playing.ok("new", "Rapid", "--rounds", "3", "--id", "one").startswith(opened)
    assert playing.ok("new", "Rapid", "--rounds", "3", "--id", "one").startswith(BEFORE)
    assert opened in playing.refused("new", "Blitz", "--rounds", "3", "--id", "one")


@pytest.mark.parametrize("other", ["name,rating\nAda,2100\nBen,2001\n", "name,rating\nAda,2100\n"])
def test_a_file_that_was_changed_since_is_another_command(terminal: Terminal, other: str) -> None:
    terminal.ok("new", "Open", "--rounds", "3")
    terminal.write("players.csv", "name,rating\nAda,2100\nBen,2000\n")
    terminal.ok("player", "import", "players.csv", "--id", "csv")
    assert terminal.ok("player", "import", "players.csv", "--id", "csv").startswith(BEFORE)

    terminal.write("players.csv", other)

    told = terminal.refused("player", "import", "players.csv", "--id", "csv")
    assert "Ada 2100 registered and 1 more" in told


def test_an_import_sent_again_opens_one_tournament(playing: Terminal) -> None:
    playing.ok("result", "1", "1", "1-0", "2", "1-0")
    playing.ok("trf", "export", "-o", "one.trf")
    playing.ok("trf", "import", "one.trf", "--id", "in", "--ack", "irregular-import")

    assert playing.ok("trf", "import", "one.trf", "--id", "in", "--ack", "irregular-import").startswith(
        BEFORE
    )
    playing.refuses(
        "id-taken",
        "trf",
        "import",
        "one.trf",
        "--name",
        "Other",
        "--edition",
        "dutch-2017",
        "--id",
        "in",
        "--ack",
        "irregular-import",
    )
