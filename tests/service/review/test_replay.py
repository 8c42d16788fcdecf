"""Every recorded round is made again, and what differs has a name.

These tests are quick and free of chance, for ``tests/mutation/run.py`` runs them once for every mutant.
"""

import msgspec
import pytest

from paircard.domain import commands as c
from paircard.domain.events import (
    ByeGranted,
    Event,
    PairingsAltered,
    PersonErased,
    Recorded,
    RoundCompleted,
    RoundPaired,
)
from paircard.domain.state import state_after
from paircard.pairing import pair
from paircard.projections import Player, Snapshot
from paircard.service.review.replay import PairingSheet, Replayed, input_of, paired_again, replay
from tests.audit.quiet import END, LOG, quiet_life

FIRST, SECOND = (one.fact for one in LOG if isinstance(one.fact, RoundPaired))


def added(log: list[Recorded] | tuple[Recorded, ...], *facts: Event) -> list[Recorded]:
    """The log with further facts, as somebody with the file could add them."""
    envelopes = enumerate(facts, start=len(log) + 1)
    return [*log, *(msgspec.structs.replace(LOG[-1], version=at, fact=fact) for at, fact in envelopes)]


def changed(log: list[Recorded], kind: type[Event], **changes: object) -> list[Recorded]:
    """The log with the last fact of a kind changed."""
    at = max(place for place, one in enumerate(log) if isinstance(one.fact, kind))
    fact = msgspec.structs.replace(log[at].fact, **changes)
    return [*log[:at], msgspec.structs.replace(log[at], fact=fact), *log[at + 1 :]]


def verdicts(log: list[Recorded] | tuple[Recorded, ...], round: int | None = None) -> list[tuple[int, str]]:
    return [(each.round, each.verdict) for each in replay(log, round)]


BEFORE = [(1, "identical"), (2, "identical")]


def altered() -> list[Recorded]:
    """A third round by the engine, of which the arbiter exchanged two players."""
    life = quiet_life()
    assert life.pair()
    life.alter(3)
    assert isinstance(life.log[-2].fact, PairingsAltered)
    return life.log


def by_hand() -> list[Recorded]:
    """A third round that the arbiter paired, with the engine's boards recorded beside it."""
    life = quiet_life()
    assert life.pair_by_hand(3)
    return life.log


def test_a_round_that_was_altered_is_the_engines_with_other_boards() -> None:
    log = altered()
    fact = next(one.fact for one in log if isinstance(one.fact, PairingsAltered))

    assert verdicts(log) == [*BEFORE, (3, "altered")]
    third = replay(log)[2]
    assert third.recorded == PairingSheet(fact.boards, fact.pab)
    assert third.replayed == PairingSheet(fact.engine_boards, fact.engine_pab)
    assert not third.same
    back = msgspec.structs.replace(fact, boards=fact.engine_boards)
    assert verdicts(added(log, back)) == [*BEFORE, (3, "identical")], "the last change tells all of it"
    assert verdicts(added(log, back, fact)) == [*BEFORE, (3, "altered")]
    other = changed(log, RoundPaired, boards=fact.boards)
    assert verdicts(other) == [*BEFORE, (3, "differs")], "no alteration makes up for other boards"


def test_a_round_paired_by_hand_stands_beside_the_engines_boards() -> None:
    log = by_hand()
    wrong = changed(log, PairingsAltered, engine_boards=((1, 2), (3, 4), (5, 6)))
    silent = changed(log, PairingsAltered, engine_boards=())

    assert verdicts(log) == verdicts(silent) == [*BEFORE, (3, "by-hand")]
    assert verdicts(wrong) == [*BEFORE, (3, "differs")], "they are not what the engine gives"
    assert verdicts(changed(wrong, RoundPaired, engine="other 1")) == [*BEFORE, (3, "other-engine")]
    alone = changed(by_hand()[:-3], RoundPaired, engine="other 1")
    assert verdicts(alone) == [*BEFORE, (3, "by-hand")]


def test_a_round_that_was_taken_back_is_replayed_and_said_to_be() -> None:
    life = quiet_life()
    assert life.pair()
    assert life.ask(c.UnpairRound, why="a late entry", round=3)
    assert life.pair()

    made = replay(life.log)

    assert [(each.round, each.taken_back) for each in made] == [(1, False), (2, False), (3, True), (3, False)]
    assert {each.verdict for each in made} == {"identical"}


def test_one_round_is_replayed_alone() -> None:
    life = quiet_life()
    assert life.pair()
    life.alter(3)
    unaltered = [one for one in life.log if not isinstance(one.fact, PairingsAltered)]

    assert verdicts(life.log, 2) == [(2, "identical")]
    assert verdicts(life.log, 3) == [(3, "altered")]
    assert verdicts(unaltered, 3) == [(3, "identical")]
    assert life.ask(c.UnpairRound, why="a late entry", round=3)
    assert [each.taken_back for each in replay(life.log, 2)] == [False]
    assert [each.taken_back for each in replay(life.log, 3)] == [True]
    assert verdicts(life.log, 4) == []


def test_a_round_that_names_no_version_was_paired_from_all_that_stood_before_it() -> None:
    last = max(one.version for one in LOG if isinstance(one.fact, RoundCompleted))
    log = [
        msgspec.structs.replace(one, version=one.version - (one.version > last))
        for one in LOG
        if one.version != last
    ]

    assert verdicts(changed(log, RoundPaired, based_on=0)) == BEFORE


def test_pairing_numbers_are_counted_again_unless_a_name_was_erased_that_decided_them() -> None:
    """A forger gives two players each other's numbers, and makes snapshot and boards to fit."""
    (a, first), (b, second), *rest = FIRST.numbers
    forged = msgspec.structs.replace(FIRST, numbers=((a, second), (b, first), *rest))
    input = input_of(state_after(LOG[: FIRST.based_on]), forged)
    made = pair(input)
    boards = tuple((board.white, board.black) for board in made.boards)
    forged = msgspec.structs.replace(forged, snapshot=input.digest(), boards=boards)
    at = next(place for place, one in enumerate(LOG) if one.fact == FIRST)
    log = [*LOG[:at], msgspec.structs.replace(LOG[at], fact=forged)]

    assert verdicts(log) == [(1, "numbers-differ")]
    assert not replay(log)[0].accounted_for
    assert verdicts(added(log, PersonErased(player=1, pieces=()))) == [(1, "identical")]
    honest = added(LOG[: at + 1], PersonErased(player=1, pieces=()))
    assert verdicts(honest) == verdicts(LOG[: at + 1]) == [(1, "identical")]
    unnumbered = changed(list(LOG[: at + 1]), RoundPaired, numbers=())
    assert verdicts(unnumbered) == [(1, "identical")]
    assert verdicts(changed(log, RoundPaired, snapshot="")) == [(1, "identical")]


def test_boards_from_a_file_come_with_the_absences_of_the_file() -> None:
    """The file says who did not play, whatever byes were granted before."""
    third = msgspec.structs.replace(
        SECOND, round=3, based_on=0, snapshot="", boards=((1, 3), (2, 4)), absent=((5, "H"), (6, "Z")),
        origin="import",
    )  # fmt: skip
    log = added(LOG, ByeGranted(player=1, round=3, letter="H"), third)

    made = replay(log)[2]

    assert (made.verdict, made.version) == ("imported", END + 2)
    assert made.replayed is not None
    assert sorted(id for board in made.replayed.boards for id in board) == [1, 2, 3, 4]
    engine = changed(log, RoundPaired, origin="manual")
    assert replay(engine)[2].verdict == "by-hand"
    assert replay(engine)[2].replayed != made.replayed, "there the bye counts"
    without = changed(added(LOG, third), RoundPaired, absent=())
    scores = replay(without)[2].replayed
    assert scores is not None
    assert scores == PairingSheet(tuple(altered_engine_boards())), "results of the rounds before count"


def altered_engine_boards() -> tuple[tuple[int, int], ...]:
    return next(one.fact.engine_boards for one in altered() if isinstance(one.fact, PairingsAltered))


@pytest.mark.parametrize(
    ("replayed", "same"),
    [
        (PairingSheet(((1, 2), (3, 4)), 5), True),
        (PairingSheet(((3, 4), (1, 2)), 5), True),
        (PairingSheet(((2, 1), (3, 4)), 5), False),
        (PairingSheet(((1, 2), (3, 4)), 6), False),
        (None, False),
    ],
)
def test_the_engines_boards_are_the_same_in_any_order(replayed: PairingSheet | None, same: bool) -> None:
    one = Replayed(
        round=1, version=9, verdict="by-hand", edition="dutch-2026", engine="x",
        recorded=PairingSheet(((1, 2), (3, 4)), 5), replayed=replayed,
    )  # fmt: skip

    assert one.same is same
    assert one.accounted_for


def test_a_round_the_engine_does_not_find_says_why_for_programs() -> None:
    two = tuple(Player(id=id, number=id, score=0, points=0) for id in (1, 2))
    apart = Snapshot(edition="dutch-2026", round=1, rounds=3, players=two, prohibited=((1, 2),))

    round, none = paired_again(apart)

    assert round is None
    assert none is not None
    assert none.said.code.startswith("pairing.")
