"""Brackets of middle size, where every way of settling them has something to do, come out alike."""

from itertools import combinations
from random import Random

import pytest

from paircard.pairing import NoLegalRound
from paircard.pairing.dutch.editions import EDITIONS
from paircard.pairing.outcome import Board
from paircard.projections.round.snapshot import Player, Snapshot, snapshot
from tests.pairing.histories import KINDS, drawn, shape
from tests.pairing.ways import WAYS, pair_by

every = pytest.mark.parametrize("edition", EDITIONS)


def boards(state: Snapshot, way: str) -> tuple[tuple[Board, ...], int] | None:
    """The round, without the routes that are quicker than this one."""
    try:
        pairing = pair_by(state, way)
    except NoLegalRound:
        return None
    return pairing.boards, pairing.pab


def kept_apart(draw: Random, edition: str) -> Snapshot:
    """A few leaders above one large scoregroup, and half of all pairs and more prohibited.

    The leaders come down; S1 can seldom meet S2 as they stand, so that exchanges and other opponents of the
    leaders compete.
    """
    leaders, many = draw.randint(0, 3), draw.randint(11, 22)
    share = draw.uniform(0.5, 0.8)
    players = tuple(
        Player(
            id=number,
            number=number,
            score=10 if number <= leaders else 5,
            points=10 if number <= leaders else 5,
            opponents=(0,),
            colours="-",
            letters="F" if number <= leaders else "H",
            floats=draw.choice("-d"),
        )
        for number in range(1, leaders + many + 1)
    )
    pairs = combinations(range(1, leaders + many + 1), 2)
    return Snapshot(
        edition=edition,
        round=2,
        rounds=9,
        players=players,
        prohibited=tuple(pair for pair in pairs if pair[1] <= leaders or draw.random() < share),
    )


@every
@pytest.mark.parametrize("first", [0, pytest.param(100, marks=pytest.mark.soak)])
def test_one_large_scoregroup_of_players_kept_apart(edition: str, first: int) -> None:
    for seed in range(first, first + (400 if first else 100)):
        state = kept_apart(Random(seed), edition)

        answer, *others = [boards(state, way) for way in WAYS]

        assert others == [answer] * len(others), f"seed {seed}"


@every
@pytest.mark.parametrize("kind", KINDS)
def test_histories_no_engine_would_produce(kind: str, edition: str) -> None:
    for seed in range(8):
        draw = Random(seed)
        table = drawn(shape(kind, draw), draw)
        state = snapshot(table, table.paired + 1, edition)

        answer, *others = [boards(state, way) for way in WAYS]

        assert others == [answer] * len(others), f"seed {seed}"
