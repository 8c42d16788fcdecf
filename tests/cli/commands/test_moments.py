"""Looking at a tournament as it stood: moments, the log of a round, replays."""

from tests.cli.session import Terminal, play


def test_the_end_of_a_round_is_the_round_completed(eight: Terminal) -> None:
    """Pairing the next round says so; ``before r2`` is what that pairing saw, the missing game adjourned."""
    play(eight, 1, "1-0", "1-0", "1-0")
    eight.ok("pair", "--ack", "missing-results", "--ack", "adjourned-games")

    assert "Round 1 of 5, completed" in eight.ok("boards", "1", "--at", "r1")
    assert "adjourned" in eight.ok("boards", "1", "--at", "r1")
    assert eight.ok("boards", "1", "--at", "before r2") == eight.ok("boards", "1", "--at", "r1")
    for words in (("standings",), ("crosstable",), ("tabellone", "2"), ("snapshot", "2")):
        assert eight.ok(*words, "--at", "before r2"), words
    seen = eight.ok("trf", "export", "--for", "bbp", "--round", "1", "--at", "before r2")
    assert seen == eight.ok("trf", "export", "--for", "bbp", "--round", "1")
    assert eight.ok("trf", "export", "--at", "r1") == eight.ok("trf", "export", "--round", "1")


def test_a_pairing_that_was_taken_back_is_named_where_somebody_looks_for_it(eight: Terminal) -> None:
    play(eight, 1, "1-0", "1-0", "1-0", "1-0")
    eight.ok("pair")
    fact = next(line.split()[0] for line in eight.ok("log").splitlines() if "round 2 paired" in line)
    eight.ok("unpair")
    eight.ok("pair")

    assert eight.refused("boards", "2", "--at", "before r2") == (
        "round 2 is not paired: round 1 is; a pairing of it was taken back: "
        f"look at the moment of fact {fact}"
    )
    assert eight.ok("boards", "2", "--at", fact).startswith("Round 2 of 5")
    assert f"(fact {fact}, " in eight.ok("replay")
    assert "taken back later" in eight.ok("replay")
    eight.refuses("round-not-paired", "boards", "3", "--at", "r2", round=3, last=2)


def test_two_moments_in_the_wrong_order_are_put_right_and_it_is_said(eight: Terminal) -> None:
    forth, back = eight.ok("diff", "3", "5"), eight.ok("diff", "5", "3")

    assert back == "3 comes before 5: shown from 3 to 5\n" + forth
    assert "from fact 5 to fact 5: nothing new" in eight.ok("diff", "5", "5")


def test_the_log_of_a_round_or_board_that_never_was_is_refused(eight: Terminal) -> None:
    eight.refuses("round-not-paired", "log", "--board", "1", round=1, last=0)
    eight.ok("pair")
    eight.refuses("round-not-paired", "log", "--board", "2.1", round=2, last=1)
    eight.refuses("no-such-board", "log", "--board", "1.9", round=1, board=9, last=4)
    eight.ok("unpair")
    assert "round 1 unpaired" in eight.ok("log", "--board", "1")
    assert eight.ok("log", "--kind", "lots-drawn") == "no such fact in the log\n"


def test_a_list_is_of_one_time(eight: Terminal) -> None:
    assert "Eight" in eight.ok("list", "--at", "2999-01-01")
    assert eight.ok("list", "--at", "2001-01-01") == "no tournament in paircard.db at 2001-01-01\n"
    eight.refuses("list-needs-time", "list", "--at", "r1")


def test_a_replay_is_of_any_moment(eight: Terminal) -> None:
    eight.ok("pair")
    eight.ok("unpair")
    eight.ok("pair")
    first = int(eight.ok("replay").partition("(fact ")[2].partition(",")[0])

    assert eight.ok("replay", "--at", str(first)).startswith("round 1: identical (fact ")
    assert eight.ok("replay", "--at", str(first - 1)) == "no round is paired: there is nothing to replay\n"
    assert eight.ok("replay", "--at", "r 1") == eight.ok("replay")
    assert "leave out --at" in eight.refused("replay", "--all", "--at", "r1", code=2)
