"""Every candidate of a bracket, one by one, where they are few."""

from collections.abc import Sequence
from typing import Final

Pairs = tuple[tuple[int, int], ...]
"""Members by position, the upper one first; a downfloater is paired with the vertex behind all members."""

MOST_STEPS: Final = 200
"""Steps after which a bracket has too many candidates to list."""


class TooMany(Exception):
    """There are too many candidates to list."""


def list_candidates(graph: Sequence[int], floaters: int) -> dict[int, list[Pairs]]:
    """Every way to pair all but ``floaters`` players, by the set of players who are left."""
    size = len(graph)
    found: dict[int, list[Pairs]] = {}
    steps = 0

    def go_on(rest: int, left: int, out: int, pairs: Pairs) -> None:
        nonlocal steps
        if not rest:
            if not left:
                found.setdefault(out, []).append(pairs)
            return
        steps += 1
        if steps > MOST_STEPS:
            raise TooMany
        u = hardest(graph, rest)
        me = 1 << u
        rest ^= me
        if left:
            go_on(rest, left - 1, out | me, (*pairs, (u, size)))
        mates = graph[u] & rest
        while mates:
            low = mates & -mates
            mates ^= low
            v = low.bit_length() - 1
            go_on(rest ^ low, left, out, (*pairs, (u, v) if u < v else (v, u)))

    go_on((1 << size) - 1, floaters, 0, ())
    return found


def hardest(graph: Sequence[int], rest: int) -> int:
    """The vertex with the fewest partners left."""
    fewest, hardest, others = len(graph), 0, rest
    while others:
        low = others & -others
        others ^= low
        u = low.bit_length() - 1
        partners = (graph[u] & rest).bit_count()
        if partners < fewest:
            fewest, hardest = partners, u
            if partners < 2:
                break
    return hardest
