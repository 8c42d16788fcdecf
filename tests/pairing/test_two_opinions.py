"""Two opinions on the same round: the fast engine and the literal generator, which share no code."""

from itertools import combinations
from random import Random

import pytest
from hypothesis import given
from hypothesis import strategies as st

from paircard.pairing import NoLegalRound
from paircard.pairing.dutch.editions import EDITIONS
from paircard.pairing.dutch.pairing import pair
from paircard.pairing.outcome import Board
from paircard.projections.round.crosstable import Crosstable, Entry, Prohibition, Row
from paircard.projections.round.snapshot import Snapshot, snapshot
from tests.examples import examples
from tests.pairing.literal.field import TooLarge
from tests.pairing.literal.rounds import literal_pair
from tests.pairing.rounds import random_round
from tests.pairing.ways import WAYS, pair_by

every = pytest.mark.parametrize("edition", EDITIONS)

Opinion = tuple[tuple[Board, ...], int] | None
"""Boards in published order, each with the colour rule applied, and the PAB; None for no legal round."""


def fast(state: Snapshot, way: str = WAYS[0]) -> Opinion:
    try:
        pairing = pair_by(state, way)
    except NoLegalRound:
        return None
    return pairing.boards, pairing.pab


def literal(state: Snapshot) -> Opinion:
    try:
        return literal_pair(state, limit=11)
    except NoLegalRound:
        return None


@every
@examples(150)
@given(st.randoms(use_true_random=False))
def test_both_opinions_agree_on_random_small_rounds(edition: str, draw: Random) -> None:
    state = random_round(draw, edition, most=11)
    agreed = dict.fromkeys(WAYS, literal(state))

    assert {way: fast(state, way) for way in WAYS} == agreed, state.canonical().decode()


def test_the_bye_of_the_last_bracket_is_no_reason_to_float_more_than_need_be() -> None:
    # [2017 C.5–C.7, A.9] Eight come down to five residents, four follow. Whoever floats by C.5 and C.6,
    # nobody of the last bracket may have the bye: the round collapses, and no look-ahead sees to it instead.
    above, residents, below = range(1, 9), range(9, 14), range(14, 18)
    letters = {
        **dict.fromkeys(above, "+FF"),
        **dict.fromkeys(residents, "+FZ"),
        **dict.fromkeys(below, "+ZZ"),
    }
    letters |= {8: "FFF", 10: "FFZ"}
    apart = [*combinations(above, 2), *((a, b) for a in above for b in residents if (a == 8) != (b == 9))]
    table = Crosstable(
        rows=tuple(
            Row(id=id, number=id, entries=tuple(Entry(0, "-", letter) for letter in told))
            for id, told in letters.items()
        ),
        rounds=9,
        paired=3,
        initial_colour="w",
        prohibitions=tuple(Prohibition(pair) for pair in apart),
    )
    state = snapshot(table, 4, "dutch-2017")

    assert [bracket.role for bracket in pair(state).brackets][-2:] == ["PPB", "CLB"]
    assert fast(state) == literal_pair(state, limit=13)


@pytest.mark.soak
@every
@pytest.mark.parametrize("first", range(0, 20_000, 5_000))
def test_both_opinions_agree_on_thousands_of_rounds(edition: str, first: int) -> None:
    for seed in range(first, first + 5_000):
        state = random_round(Random(seed), edition, most=16)
        try:
            expected = literal(state)
        except TooLarge:
            continue

        assert fast(state) == expected, f"seed {seed}: {state.canonical().decode()}"
