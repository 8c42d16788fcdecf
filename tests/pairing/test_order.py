"""Article 4: the order in which candidates are generated, by one key for everybody who asks."""

from itertools import combinations
from random import Random

from hypothesis import given
from hypothesis import strategies as st

from paircard.pairing.dutch.criteria import first_different_step, generation_key
from tests.pairing import alternatives

EQUAL = [10] * 6


def test_a_transposition_comes_before_an_exchange() -> None:
    original = generation_key([(0, 3), (1, 4), (2, 5)], [], range(6), EQUAL)
    transposed = generation_key([(0, 3), (1, 5), (2, 4)], [], range(6), EQUAL)
    exchanged = generation_key([(0, 2), (1, 4), (3, 5)], [], range(6), EQUAL)

    assert original < transposed < exchanged
    assert first_different_step(original, transposed) == "transposition"
    assert first_different_step(transposed, exchanged) == "exchange"


def test_the_order_is_nested_moved_down_players_their_opponents_exchange_transposition() -> None:
    scores = [20, 10, 10, 10, 10]  # a moved-down player 0 and four residents
    floats = generation_key([(1, 3), (2, 4)], [0], range(1, 5), scores)
    low = generation_key([(0, 1), (2, 4)], [0], range(1, 5), scores)
    exchanged = generation_key([(0, 1), (3, 4)], [0], range(1, 5), scores)
    high = generation_key([(0, 2), (1, 4)], [0], range(1, 5), scores)

    assert low < exchanged < high < floats
    assert first_different_step(low, high) == "mdp-opponents"
    assert first_different_step(high, floats) == "mdp-set"


@given(st.randoms(use_true_random=False))
def test_the_literal_reading_of_the_order_agrees(draw: Random) -> None:
    moved, total = draw.randrange(3), draw.randrange(4, 9)
    scores = [20 if place < moved else 10 for place in range(total)]
    above, residents = range(moved), range(moved, total)
    some = [a_candidate(draw, moved, total) for _ in range(6)]

    for one, other in combinations(some, 2):
        ours = [generation_key(pairs, above, residents, scores) for pairs in (one, other)]
        theirs = [alternatives.generation_key(above, residents, pairs, scores) for pairs in (one, other)]

        assert (ours[0] < ours[1]) == (theirs[0] < theirs[1])


def a_candidate(draw: Random, moved: int, total: int) -> list[tuple[int, int]]:
    """Any pairs in which no two moved-down players meet."""
    players = list(range(total))
    draw.shuffle(players)
    pairs = [(min(pair), max(pair)) for pair in zip(players[::2], players[1::2], strict=False)]
    pairs = [pair for pair in pairs if pair[1] >= moved]
    return sorted(pairs[: draw.randrange(1, len(pairs) + 1)]) if pairs else []
