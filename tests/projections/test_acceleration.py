"""Baku acceleration, C.04.7 (2026)."""

import pytest

from paircard.domain.values.results import Scoring
from paircard.projections.round.crosstable import group_a, group_a_size, last_of_group_a, virtual_by_round


@pytest.mark.parametrize(
    ("players", "size"), [(161, 82), (10, 6), (8, 4), (9, 6), (12, 6), (1, 2), (2, 2), (4, 2), (5, 4)]
)
def test_group_a_is_half_of_the_field_in_whole_pairs(players: int, size: int) -> None:
    assert group_a_size(players) == size


@pytest.mark.parametrize(
    ("rounds", "wins", "draws"),
    [(5, 2, 1), (6, 2, 1), (7, 2, 2), (8, 2, 2), (9, 3, 2), (10, 3, 2), (11, 3, 3)],
)
def test_virtual_points_are_a_win_then_a_draw_then_nothing(rounds: int, wins: int, draws: int) -> None:
    assert virtual_by_round(rounds) == (10,) * wins + (5,) * draws


def test_virtual_points_follow_the_scoring_of_the_event() -> None:
    assert virtual_by_round(5, Scoring(win=20, draw=10)) == (20, 20, 10)


def test_the_last_person_of_group_a_is_taken_from_the_numbers_of_round_one() -> None:
    assert last_of_group_a([11, 12, 13, 14, 15, 16, 17, 18, 19, 20]) == 16


def test_a_late_entry_above_the_boundary_joins_group_a_and_nobody_leaves_it() -> None:
    before = group_a({1: 1, 2: 2, 3: 3, 4: 4}, last=2)
    after = group_a({1: 1, 9: 2, 2: 3, 3: 4, 4: 5}, last=2)

    assert before == {1, 2}
    assert after == {1, 9, 2}


def test_a_player_without_a_number_is_in_no_group() -> None:
    assert group_a({1: 1, 2: 2, 3: 0}, last=2) == {1, 2}


def test_a_tournament_without_players_has_no_group_a() -> None:
    assert last_of_group_a([]) == 0
    assert group_a({}, last=0) == frozenset()
