"""The order in which candidates are generated: Article 4 (2026), section D (2017)."""

from collections.abc import Callable, Iterator, Sequence
from functools import cache
from itertools import combinations

Pairs = tuple[tuple[int, int], ...]
"""Ranks, the S1 player first."""


def transpositions(
    s1: Sequence[int], s2: Sequence[int], refused: Callable[[Pairs], bool], before: Pairs = ()
) -> Iterator[tuple[Pairs, tuple[int, ...]]]:
    """[4.2, D.1] Pairs S1[i]–S2[i] and the rest of S2, in lexicographic order of the first |S1| of S2.

    When the pairs so far are refused, every transposition that begins with them is left out
    (Appendix P, pair of failure). ``before`` are pairs already made, also shown to ``refused``.
    """
    if not s1:
        yield before, tuple(s2)
        return
    for place, opponent in enumerate(s2):
        pairs = (*before, (s1[0], opponent))
        if not refused(pairs):
            rest = (*s2[:place], *s2[place + 1 :])
            yield from transpositions(s1[1:], rest, refused, pairs)


def divisions(players: Sequence[int], pairs: int) -> Iterator[tuple[tuple[int, ...], tuple[int, ...]]]:
    """[3.2, 3.6; B.2, B.6] S1 and S2 of a homogeneous bracket or remainder: original, then exchanged."""
    for moved_down, moved_up in exchanges(pairs, len(players) - pairs):
        upper = {*range(1, pairs + 1)} - {*moved_down} | {*moved_up}
        s1 = tuple(player for bsn, player in enumerate(players, 1) if bsn in upper)
        s2 = tuple(player for bsn, player in enumerate(players, 1) if bsn not in upper)
        yield s1, s2


@cache
def exchanges(n1: int, n2: int) -> tuple[tuple[tuple[int, ...], tuple[int, ...]], ...]:
    """[4.3, D.2] BSNs that go from S1 to S2 and from S2 to S1; the first exchange moves nobody."""
    s1, s2 = range(1, n1 + 1), range(n1 + 1, n1 + n2 + 1)
    found = [
        (down, up)
        for size in range(min(n1, n2) + 1)
        for down in combinations(s1, size)
        for up in combinations(s2, size)
    ]
    return tuple(sorted(found, key=exchange_key))


def exchange_key(exchange: tuple[tuple[int, ...], tuple[int, ...]]) -> tuple[object, ...]:
    """[4.3.1–4.3.4, D.2.a–d] Smaller is earlier."""
    down, up = exchange
    return (
        len(down),
        sum(up) - sum(down),
        tuple(-bsn for bsn in sorted(down, reverse=True)),
        tuple(sorted(up)),
    )


def mdp_sets(mdps: Sequence[int], size: int, score: Callable[[int], int]) -> list[tuple[int, ...]]:
    """[4.4, D.3] Sets of MDPs to be paired: highest different score, then smallest different BSN.

    Sets that [C7] calls valid leave equal scores in the Limbo, so that in 2026 only the second part
    decides.
    """
    return sorted(
        combinations(mdps, size), key=lambda chosen: (tuple(-score(rank) for rank in chosen), chosen)
    )
