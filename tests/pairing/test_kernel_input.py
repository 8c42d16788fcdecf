"""What the kernel refuses, and what it answers where no round exists."""

import pytest
from msgspec.structs import replace

from paircard.domain.messages import Message, say
from paircard.pairing import NoLegalRound, PairingError, pair
from paircard.projections.round.snapshot import Player, Snapshot
from tests.refusals import refuses

ONE = Player(id=1, number=1, score=10, points=10, opponents=(2,), colours="w", letters="1", floats="-")
TWO = Player(id=2, number=2, score=0, points=0, opponents=(1,), colours="b", letters="0", floats="-")
THREE = Player(id=3, number=3, score=10, points=10, opponents=(4,), colours="w", letters="1", floats="-")
FOUR = Player(id=4, number=4, score=0, points=0, opponents=(3,), colours="b", letters="0", floats="-")


def state(*players: Player, round: int = 2, edition: str = "dutch-2026", rounds: int = 5) -> Snapshot:
    return Snapshot(edition=edition, round=round, rounds=rounds, players=players)


def refused(snapshot: Snapshot) -> Message:
    with pytest.raises(PairingError) as refusal:
        pair(snapshot)
    return refusal.value.said


def test_a_sound_snapshot_is_paired() -> None:
    assert [(b.white, b.black) for b in pair(state(ONE, TWO, THREE, FOUR)).boards] == [(3, 1), (2, 4)]


def test_an_opponent_nobody_knows_is_refused_with_player_and_round() -> None:
    assert refused(state(replace(ONE, opponents=(9,)), TWO)) == say(
        "pairing.opponent-unknown", player=1, other=9, round=1
    )


def test_a_player_twice_is_refused() -> None:
    assert refused(state(ONE, TWO, ONE)) == say("pairing.twice", player=1)


def test_colours_that_contradict_are_refused() -> None:
    assert refused(state(ONE, replace(TWO, colours="w"))) == say(
        "pairing.colours-not-opposite", player=1, other=2, round=1
    )


def test_a_game_only_one_side_knows_is_refused() -> None:
    assert refused(state(ONE, replace(TWO, opponents=(3,)), THREE, FOUR)).code == "pairing.one-sided"


def test_a_colour_without_a_game_is_refused() -> None:
    winner = replace(ONE, letters="+", colours="w")

    assert refused(state(winner, replace(TWO, letters="-", colours="-"))) == say(
        "pairing.colour-without-game", player=1, round=1
    )


def test_a_result_after_the_round_to_be_paired_is_refused() -> None:
    assert refused(state(ONE, TWO, round=1)) == say("pairing.record-too-long", player=1, last=1, round=1)


def test_a_missing_round_is_refused() -> None:
    assert refused(state(ONE, TWO, round=3)) == say("pairing.record-too-short", player=1, round=2)


def test_two_byes_in_a_past_round_do_not_stop_the_next_one() -> None:
    bye = {"opponents": (0,), "colours": "-", "letters": "U", "floats": "d"}

    paired = pair(state(replace(ONE, **bye), replace(TWO, **bye)))

    assert [(board.white, board.black) for board in paired.boards] in ([(1, 2)], [(2, 1)])


def test_two_players_with_one_number_are_refused() -> None:
    assert refused(state(ONE, replace(TWO, number=1))) == say(
        "pairing.same-number", player=1, other=2, number=1
    )


def test_an_unknown_edition_is_refused_with_the_known_ones() -> None:
    assert refused(state(ONE, TWO, edition="dutch-1998")) == say(
        "pairing.edition-unknown",
        text="dutch-1998",
        known=("dutch-2026", "dutch-2017", "dutch-2012", "dutch-2012-javafo", "round-robin"),
    )


def test_a_round_beyond_the_announced_ones_is_refused() -> None:
    assert refused(state(ONE, TWO, rounds=1)) == say("pairing.round-not-announced", round=2, rounds=1)


def test_a_round_without_a_drawn_colour_is_refused() -> None:
    assert refused(replace(state(ONE, TWO), initial_colour="")) == say("pairing.colour-unknown")


def test_a_prohibited_pair_of_strangers_is_refused() -> None:
    stranger = replace(state(ONE, TWO), prohibited=((1, 9),))

    assert refused(stranger) == say("pairing.prohibited-unknown", player=9)


def test_two_who_have_met_and_nobody_else_is_no_legal_round_and_says_who_and_why() -> None:
    with refuses(NoLegalRound, "pairing.stuck") as obstacle:
        pair(state(ONE, TWO))

    reasons = obstacle.value.said.fields["reasons"]
    assert say("pairing.only-among", numbers=[1, 2], others=[]) in reasons
    assert say("pairing.kept-apart", causes=[say("pairing.have-met", rule="C1")]) in reasons

    assert set(obstacle.value.players) <= {1, 2}


def test_nobody_may_have_the_bye_is_no_legal_round_and_names_c2() -> None:
    had = Player(id=1, number=1, score=10, points=10, opponents=(0,), colours="-", letters="U", floats="d")

    with refuses(NoLegalRound, "pairing.nobody-for-the-bye", rule="C2"):
        pair(state(had))


def test_nobody_to_pair_is_a_round_without_boards() -> None:
    assert pair(state(replace(ONE, absent="Z"), replace(TWO, absent="H"))).boards == ()
