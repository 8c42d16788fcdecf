"""``erase`` at the command line."""

from tests.cli.session import Terminal


def test_the_command_line_says_what_it_did_and_what_it_cannot_reach(playing: Terminal) -> None:
    said = playing.ok("erase", "Cleo", "--why", "request of 12 May", "--ack", "erase-while-running")

    assert "personal data of a player (id p3) erased, 1 part" in said
    assert "not reached from here: backups and copies of the file" in said
    assert "(erased p3)" in playing.ok("player", "list")
    assert "Cleo" not in playing.ok("log")
    assert "0 wrong" in playing.ok("verify", "--all")
    assert "0 personal parts removed again" in playing.ok("erase", "--again")


def test_the_command_line_says_where_the_name_still_stands(playing: Terminal) -> None:
    playing.ok("player", "withdraw", "Dag", "--why", "a friend of Cleo")
    playing.ok("new", "Blitz", "--rounds", "3")
    playing.ok("player", "add", "Cleo", "-t", "Blitz")
    erase = ("erase", "-t", "Club Open", "--why", "request of 12 May", "--ack", "erase-while-running")

    refused = playing.refused(
        "erase", "Cleo", "-t", "Club Open", "--why", "Cleo asked", "--ack", "erase-while-running"
    )
    said = playing.ok(*erase, "Cleo")

    assert "give one without the name" in refused
    assert "the same name is in another tournament of this store" in said
    assert "friend" not in playing.ok("log", "-t", "Club Open")


def test_an_official_who_is_not_a_player_is_not_erased_and_the_command_says_where_the_name_is(
    playing: Terminal,
) -> None:
    playing.ok("change", "--chief-arbiter", "Olga Official")

    refused = playing.refused("erase", "Olga Official", "--why", "request of 12 May")
    unknown = playing.refused("erase", "Nobody Here", "--why", "request of 12 May")

    assert "Olga Official is not a player, and is named in fact " in refused
    assert "change the officials of the tournament" in refused
    assert "is named in" not in unknown
