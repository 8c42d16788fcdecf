"""``erase`` at the command line."""

from tests.cli.session import Terminal


def test_the_command_line_says_what_it_did_and_what_it_cannot_reach(playing: Terminal) -> None:
    said = playing.ok("erase", "Cleo", "--why", "request of 12 May", "--ack", "erase-while-running")

    assert "personal data of player #3 erased, 1 part" in said
    assert "not reached from here: backups and copies of the file" in said
    assert "(erased 3)" in playing.ok("player", "list")
    assert "Cleo" not in playing.ok("log")
    assert "0 wrong" in playing.ok("verify", "--all")
    assert "0 personal parts removed again" in playing.ok("erase", "--again")
