"""``erase`` at the command line."""

import json

from tests.cli.session import Terminal
from tests.refusals import sentence


def test_the_command_line_says_what_it_did_and_what_it_cannot_reach(playing: Terminal) -> None:
    said = playing.ok("erase", "Cleo", "--why", "request of 12 May", "--ack", "erase-while-running")

    assert sentence("log.person-erased", id="p3", parts=1) in said
    assert sentence("cli.players.not-reached", reason=sentence("remains.backups")) in said
    assert "(erased p3)" in playing.ok("player", "list")
    assert "Cleo" not in playing.ok("log")
    sound = sentence("cli.verify.all", there=1, facts=13, number=0, count=0)
    assert sound in playing.ok("verify", "--all").splitlines()
    assert sentence("cli.players.erased-again", parts=0) in playing.ok("erase", "--again").splitlines()


def test_the_command_line_says_where_the_name_still_stands(playing: Terminal) -> None:
    playing.ok("player", "withdraw", "Dag", "--why", "a friend of Cleo")
    playing.ok("new", "Blitz", "--rounds", "3")
    playing.ok("player", "add", "Cleo", "-t", "Blitz")
    erase = ("erase", "-t", "Club Open", "--why", "request of 12 May", "--ack", "erase-while-running")

    playing.refuses("name-in-reason", *erase[:-3], "Cleo asked", *erase[-2:], "Cleo")
    [blitz] = json.loads(playing.ok("list", "--name", "Blitz", "--json"))
    said = playing.ok(*erase, "Cleo")

    assert sentence("cli.players.in-another", id=blitz["id"]) in said.splitlines()
    assert "friend" not in playing.ok("log", "-t", "Club Open")


def test_an_official_who_is_not_a_player_is_not_erased_and_the_command_says_where_the_name_is(
    playing: Terminal,
) -> None:
    playing.ok("change", "--chief-arbiter", "Olga Official")

    why = ("--why", "request of 12 May")

    erase = ("erase", "Olga Official", *why)
    playing.refuses("not-a-player-to-erase", *erase, name="Olga Official", versions=(13,))
    playing.refuses("no-player-called", "erase", "Nobody Here", *why, text="Nobody Here")
