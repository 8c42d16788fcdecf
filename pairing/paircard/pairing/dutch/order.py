"""Article 4 (2017: section D): the order in which the candidates of a bracket are generated.

The order is nested: which moved-down players are paired (4.4), with whom (4.2), how S1 and S2 of the
remainder are exchanged (4.3), and whom S1 meets then (4.2). Of equally good candidates the one generated
first is chosen (3.8). Players are numbers here, the higher-ranked the smaller.
"""

from collections.abc import Iterable, Sequence
from typing import Final

Pair = tuple[int, int]

STEPS: Final = ("mdp-set", "mdp-opponents", "exchange", "transposition")
"""The steps of the order, the outermost first."""

Key = tuple[tuple[object, ...], tuple[int, ...], tuple[object, ...], tuple[int, ...]]
"""One part for each of ``STEPS``; smaller is earlier."""


def generation_key(
    pairs: Iterable[Pair], moved_down: Sequence[int], residents: Sequence[int], score: Sequence[int]
) -> Key:
    """When a candidate is generated; smaller is earlier.

    The upper player of a pair in the remainder is the S1 player: with the two the other way round the same
    pairs come later.
    """
    opponent = dict(pairs)
    opponent.update([(lower, upper) for upper, lower in opponent.items()])
    paired_above = [player for player in moved_down if player in opponent]
    opponents = tuple([opponent[player] for player in paired_above])
    taken = set(opponents)
    remainder = [player for player in residents if player not in taken] if taken else residents
    number = {player: place for place, player in enumerate(remainder)}
    s1 = [place for player, place in number.items() if opponent.get(player, -1) > player]
    return (
        moved_down_set(paired_above, score),
        opponents,
        exchange(s1),
        tuple([number[opponent[remainder[place]]] for place in s1]),
    )


def moved_down_set(chosen: Sequence[int], score: Sequence[int]) -> tuple[object, ...]:
    """[4.4, 2017 D.3] Most moved-down players, of the highest scores, of the smallest numbers."""
    return (-len(chosen), tuple([-score[player] for player in chosen]), tuple(chosen))


def exchange(s1: Sequence[int]) -> tuple[object, ...]:
    """[4.3, 2017 D.2] Fewest players exchanged, the least difference of sums, lowest of S1, highest of S2.

    ``s1`` are the places in the remainder of those in S1 after the exchange, in order. Before it they are the
    first ``len(s1)`` places.
    """
    size = len(s1)
    if not s1 or s1[-1] < size:
        return 0, 0, (), ()
    to_s1 = [place for place in s1 if place >= size]
    kept = set(s1)
    to_s2 = [place for place in reversed(range(size)) if place not in kept]
    return (len(to_s1), sum(to_s1) - sum(to_s2), tuple([-place for place in to_s2]), tuple(to_s1))


def first_different_step(one: Key, other: Key) -> str:
    """The first step by which two candidates differ; empty if in none."""
    return next((step for step, mine, theirs in zip(STEPS, one, other, strict=True) if mine != theirs), "")
