"""Who meets in which round of a round robin, and with which colour (C.05 Annex 1)."""

from functools import cache
from itertools import combinations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from paircard.pairing.berger import Plan
from tests.pairing.berger.annexes import moved_round, printed_tables

PRINTED = printed_tables()
SIZES = st.integers(2, 30)


@cache
def colours_of_all(plan: Plan) -> dict[int, str]:
    """The colours of every number round by round, without free days."""
    seen = dict.fromkeys(range(1, plan.players + 1), "")
    for round in range(1, plan.rounds + 1):
        for white, black in plan.boards(round):
            seen[white] += "W"
            seen[black] += "B"
    return seen


def colours(plan: Plan, number: int) -> str:
    """The colours of a number."""
    return colours_of_all(plan)[number]


@pytest.mark.parametrize("players", range(3, 25))
def test_the_published_tables_are_reproduced(players: int) -> None:
    plan = Plan(players)
    table = PRINTED[players + players % 2]

    assert plan.rounds == len(table)
    for round, printed in enumerate(table, 1):
        assert list(plan.boards(round)) == [board for board in printed if max(board) <= players]
        free = [min(board) for board in printed if max(board) > players]
        assert plan.free(round) == (free[0] if free else 0)


@pytest.mark.parametrize("players", range(3, 25))
def test_the_second_cycle_of_a_double_round_robin_has_the_colours_reversed(players: int) -> None:
    plain, plan = Plan(players), Plan(players, 2)
    half = plain.rounds

    assert plan.rounds == 2 * half
    for round in range(1, half + 1):
        assert plan.boards(round) == plain.boards(round)
        assert plan.boards(half + round) == tuple((black, white) for white, black in plain.boards(round))


@pytest.mark.parametrize("players", range(3, 25))
def test_the_exchange_moves_the_last_two_rounds_of_the_first_cycle_and_no_other(players: int) -> None:
    plain, exchanged = Plan(players, 2), Plan(players, 2, exchange=True)
    last = Plan(players).rounds
    order = [*range(1, last - 1), last, last - 1, *range(last + 1, 2 * last + 1)]

    assert [exchanged.boards(round) for round in range(1, 2 * last + 1)] == [plain.boards(r) for r in order]


def test_four_players_twice_with_the_exchange() -> None:
    plan = Plan(4, 2, exchange=True)

    rounds = [" ".join(f"{white}-{black}" for white, black in plan.boards(round)) for round in range(1, 7)]
    assert rounds == ["1-4 2-3", "2-4 3-1", "4-3 1-2", "4-1 3-2", "3-4 2-1", "4-2 1-3"]


def test_colours_of_single_numbers() -> None:
    assert [colours(Plan(10), number) for number in (1, 5, 6, 10)] == [
        "WWBWBWBWB", "WBWBWBWBW", "BBWBWBWBW", "BWBWBWBWB",
    ]  # fmt: skip
    assert [colours(Plan(6, 2), number) for number in (1, 4)] == ["WWBWBBBWBW", "BBWBWWWBWB"]
    exchanged = Plan(6, 2, exchange=True)
    assert [colours(exchanged, number) for number in (1, 4)] == ["WWBBWBBWBW", "BBWWBWWBWB"]


@pytest.mark.parametrize(
    ("players", "free"),
    [(3, "1 3 2"), (5, "1 4 2 5 3"), (7, "1 5 2 6 3 7 4"), (9, "1 6 2 7 3 8 4 9 5")],
)
def test_who_is_free_in_an_odd_field(players: int, free: str) -> None:
    plan = Plan(players)

    assert " ".join(str(plan.free(round)) for round in range(1, plan.rounds + 1)) == free


@given(st.integers(2, 30))
def test_a_second_construction_gives_the_same_table(half: int) -> None:
    players = 2 * half

    assert [list(Plan(players).boards(round)) for round in range(1, players)] == moved_round(players)


@given(SIZES, st.integers(1, 4), st.booleans())
def test_everybody_meets_everybody_once_in_each_cycle(players: int, cycles: int, exchange: bool) -> None:
    plan = Plan(players, cycles, exchange)
    cycle = plan.rounds // cycles
    everybody = {frozenset(pair) for pair in combinations(range(1, players + 1), 2)}

    for first in range(1, plan.rounds + 1, cycle):
        rounds = [plan.boards(round) for round in range(first, first + cycle)]
        pairs = [frozenset(board) for boards in rounds for board in boards]
        assert len(pairs) == len(everybody)
        assert set(pairs) == everybody


@given(SIZES, st.integers(1, 4), st.booleans())
def test_in_each_round_everybody_sits_once_and_is_free_once_in_a_cycle(
    players: int, cycles: int, exchange: bool
) -> None:
    plan = Plan(players, cycles, exchange)
    free: list[int] = []
    for round in range(1, plan.rounds + 1):
        sitting = [number for board in plan.boards(round) for number in board]
        free += [plan.free(round)] if plan.free(round) else []
        assert sorted([*sitting, *free[-1:]] if players % 2 else sitting) == [*range(1, players + 1)]

    assert sorted(free) == sorted([*range(1, players + 1)] * cycles if players % 2 else [])


@given(SIZES, st.integers(1, 2), st.booleans())
def test_colours_are_balanced_within_one(players: int, cycles: int, exchange: bool) -> None:
    plan = Plan(players, cycles, exchange)

    for number in range(1, players + 1):
        seen = colours(plan, number)
        uneven = abs(seen.count("W") - seen.count("B"))
        assert uneven == (1 if players % 2 == 0 and cycles == 1 else 0)


@pytest.mark.parametrize("players", range(3, 41))
def test_the_first_half_has_the_extra_white_and_an_odd_field_alternates(players: int) -> None:
    plan, half = Plan(players), players // 2
    for number in range(1, players + 1):
        seen = colours(plan, number)
        if players % 2:
            assert "WW" not in seen
            assert "BB" not in seen
        else:
            assert seen.count("W") == half - (number > half)
    if players % 2 == 0 and players > 4:
        assert [colours(plan, number)[:2] for number in (1, half + 1)] == ["WW", "BB"]


@given(st.integers(2, 30))
def test_nobody_has_three_equal_colours_in_a_row(players: int) -> None:
    """Without the exchange exactly two numbers of an even field do, where the cycles meet."""
    for plan in (Plan(players), Plan(players, 2, exchange=True)):
        assert not [n for n in range(1, players + 1) if {"WWW", "BBB"} & runs(plan, n)]
    plain = [n for n in range(1, players + 1) if {"WWW", "BBB"} & runs(Plan(players, 2), n)]
    assert plain == ([1, players // 2 + 1] if players % 2 == 0 and players > 2 else [])


def runs(plan: Plan, number: int) -> set[str]:
    """Every three colours in a row."""
    seen = colours(plan, number)
    return {seen[at : at + 3] for at in range(len(seen) - 2)}


@given(SIZES, st.integers(1, 3), st.booleans(), st.data())
def test_the_rounds_in_which_two_meet_are_known_without_the_table(
    players: int, cycles: int, exchange: bool, data: st.DataObject
) -> None:
    plan = Plan(players, cycles, exchange)
    one, other = data.draw(st.permutations(range(1, players + 1)).map(lambda order: order[:2]))

    found = tuple(
        round for round in range(1, plan.rounds + 1) if {one, other} in map(set, plan.boards(round))
    )
    assert plan.meetings(one, other) == found
