"""Candidates one by one: all of them, and in the order of Article 4."""

from itertools import combinations
from random import Random

import pytest
from hypothesis import given
from hypothesis import strategies as st

from paircard.pairing.dutch.criteria import exchange
from paircard.pairing.dutch.listed import (
    LARGEST_EXCHANGED,
    MOST_STEPS,
    TooMany,
    exchanges,
    list_candidates,
)


def any_graph(draw: Random, size: int) -> list[int]:
    """A random graph as bitsets."""
    graph = [0] * size
    share = draw.random()
    for u, v in combinations(range(size), 2):
        if draw.random() < share:
            graph[u] |= 1 << v
            graph[v] |= 1 << u
    return graph


def every_matching(graph: list[int], many: int) -> set[frozenset[tuple[int, int]]]:
    """The same by looking at every set of pairs."""
    size = len(graph)
    edges = [(u, v) for u, v in combinations(range(size), 2) if graph[u] >> v & 1]
    found = set()
    for some in combinations(edges, (size - many) // 2):
        met = {v for pair in some for v in pair}
        if len(met) == 2 * len(some):
            found.add(frozenset(some) | {(u, size) for u in range(size) if u not in met})
    return found


@given(st.randoms(use_true_random=False), st.integers(1, 6))
def test_every_candidate_is_listed_once_under_those_it_leaves(draw: Random, size: int) -> None:
    graph = any_graph(draw, size)
    many = size % 2 + 2 * draw.randrange(2) if size > 2 else size % 2

    found = list_candidates(graph, many)

    pairs = [frozenset(one) for some in found.values() for one in some]
    assert len(pairs) == len(set(pairs))
    assert set(pairs) == every_matching(graph, many)
    for places, some in found.items():
        assert all(sum(1 << u for u, v in one if v == size) == places for one in some)


def test_a_full_bracket_of_twelve_has_too_many_candidates_to_list() -> None:
    everyone = (1 << 12) - 1

    with pytest.raises(TooMany):
        list_candidates([everyone ^ 1 << u for u in range(12)], 0)

    assert MOST_STEPS < 10395


@pytest.mark.parametrize(
    ("players", "pairs"), [(n, n // 2) for n in range(1, LARGEST_EXCHANGED + 1)], ids=lambda n: str(n)
)
def test_exchanges_come_in_the_order_of_article_4_3_and_none_is_left_out(players: int, pairs: int) -> None:
    def can_all_be_upper(some: tuple[int, ...]) -> bool:
        """Whether each has a lower player of its own below it."""
        free = [place for place in range(players) if place not in some]
        for place in reversed(some):
            below = [one for one in free if one > place]
            if not below:
                return False
            free.remove(below[0])
        return True

    wanted = [some for some in combinations(range(players), pairs) if can_all_be_upper(some)]

    assert list(exchanges(players, pairs)) == sorted(wanted, key=exchange)
