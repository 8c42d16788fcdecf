"""Looking at a tournament as it stood: moments, the log of a round, replays."""

from typing import Any

from paircard.domain.messages import Message
from paircard.domain.speaking import Speaker
from tests.cli.session import Terminal, play
from tests.refusals import sentence


def replayed(round: int, version: int, *causes: str) -> str:
    """What a replay says of a round that comes out the same."""
    verdict = Message("cli.replay.verdict", {"verdict": "identical", "yes": False})
    fields: dict[str, Any] = {"version": version, "known": ["dutch-2026", "paircard-dutch/2"], "count": 4}
    return sentence("cli.replay.round", round=round, causes=[verdict, *map(Message, causes)], **fields)


def test_the_end_of_a_round_is_the_round_completed(eight: Terminal) -> None:
    """Pairing the next round says so; ``before r2`` is what that pairing saw, the missing game adjourned."""
    play(eight, 1, "1-0", "1-0", "1-0")
    eight.ok("pair", "--ack", "missing-results", "--ack", "adjourned-games")

    shown = eight.ok("boards", "1", "--at", "r1")
    completed = sentence("round-stage", stage="completed", count=1)
    assert sentence("cli.title.round", round=1, last=5, value=completed, altered=False) in shown.splitlines()
    assert Speaker().word("result", "adjourned") in shown
    assert eight.ok("boards", "1", "--at", "before r2") == shown
    for words in (("standings",), ("crosstable",), ("tabellone", "2"), ("snapshot", "2")):
        assert eight.ok(*words, "--at", "before r2"), words
    seen = eight.ok("trf", "export", "--for", "bbp", "--round", "1", "--at", "before r2")
    assert seen == eight.ok("trf", "export", "--for", "bbp", "--round", "1")
    assert eight.ok("trf", "export", "--at", "r1") == eight.ok("trf", "export", "--round", "1")


def test_a_pairing_that_was_taken_back_is_named_where_somebody_looks_for_it(eight: Terminal) -> None:
    play(eight, 1, "1-0", "1-0", "1-0", "1-0")
    eight.ok("pair")
    fact = int(eight.ok("log", "--kind", "round-paired").splitlines()[-1].split()[0])
    eight.ok("unpair")
    eight.ok("pair")

    what = Message("round-not-paired", {"round": 2, "last": 1})
    eight.refuses("round-taken-back", "boards", "2", "--at", "before r2", what=what, version=fact)
    paired = sentence("round-stage", stage="paired", count=0)
    title = sentence("cli.title.round", round=2, last=5, value=paired, altered=False)
    assert eight.ok("boards", "2", "--at", str(fact)).splitlines()[0] == title
    assert replayed(2, fact, "cli.replay.taken-back") in eight.ok("replay").splitlines()
    eight.refuses("round-not-paired", "boards", "3", "--at", "r2", round=3, last=2)


def test_two_moments_in_the_wrong_order_are_put_right_and_it_is_said(eight: Terminal) -> None:
    forth, back = eight.ok("diff", "3", "5"), eight.ok("diff", "5", "3")

    assert back == sentence("cli.what-if.turned", value="3", kind="5") + "\n" + forth
    nothing = sentence("cli.what-if.facts", first=5, last=5, count=0)
    assert nothing in eight.ok("diff", "5", "5").splitlines()


def test_the_log_of_a_round_or_board_that_never_was_is_refused(eight: Terminal) -> None:
    eight.refuses("round-not-paired", "log", "--board", "1", round=1, last=0)
    eight.ok("pair")
    eight.refuses("round-not-paired", "log", "--board", "2.1", round=2, last=1)
    eight.refuses("no-such-board", "log", "--board", "1.9", round=1, board=9, last=4)
    eight.ok("unpair")
    assert sentence("log.round-unpaired", round=1) in eight.ok("log", "--board", "1")
    assert eight.ok("log", "--kind", "lots-drawn").splitlines() == [sentence("cli.said.no-such-fact")]


def test_a_list_is_of_one_time(eight: Terminal) -> None:
    assert "Eight" in eight.ok("list", "--at", "2999-01-01")
    none = sentence("cli.said.no-tournament-then", path="paircard.db", when="2001-01-01")
    assert eight.ok("list", "--at", "2001-01-01").splitlines() == [none]
    eight.refuses("list-needs-time", "list", "--at", "r1")


def test_a_replay_is_of_any_moment(eight: Terminal) -> None:
    eight.ok("pair")
    eight.ok("unpair")
    eight.ok("pair")
    first = int(eight.ok("log", "--kind", "round-paired").splitlines()[0].split()[0])

    assert eight.ok("replay", "--at", str(first)).splitlines()[0] == replayed(1, first)
    assert eight.ok("replay", "--at", str(first - 1)).splitlines() == [sentence("cli.replay.nothing")]
    assert eight.ok("replay", "--at", "r 1") == eight.ok("replay")
    eight.refuses("cli.all-to-the-end", "replay", "--all", "--at", "r1", exit=2)
