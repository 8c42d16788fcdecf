"""Article 4 to the letter: every candidate of a bracket, and which of several is generated first."""

from collections.abc import Callable, Sequence

Pairs = tuple[tuple[int, int], ...]
"""Members by place, the upper one first; a downfloater is paired with the vertex behind all members."""
Key = tuple[int, ...]

STEPS = 200
"""Steps after which a bracket has too many candidates to list."""


class TooMany(Exception):
    """There are too many candidates to list."""


def listed(graph: Sequence[int], many: int) -> dict[int, list[Pairs]]:
    """Every way to pair all but so ``many``, by the set of those who are left."""
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
        if steps > STEPS:
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

    go_on((1 << size) - 1, many, 0, ())
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


def first_in_order(some: list[Pairs], size: int, moved_down: int) -> Pairs:
    """The candidate of these that is generated first."""
    if len(some) == 1:
        return some[0]
    some = [tuple(sorted(pairs)) for pairs in some]
    if moved_down:
        some = least(some, lambda pairs: moved_down_set(pairs[:moved_down], size))
        some = least(some, lambda pairs: moved_down_opponents(pairs[:moved_down], size))
    if len(some) == 1:
        return some[0]
    met = {v for _, v in some[0][:moved_down]}
    place = {v: k for k, v in enumerate([v for v in range(moved_down, size) if v not in met])}

    def remainder(pairs: Pairs) -> list[tuple[int, int]]:
        return [(place[u], place[v]) for u, v in pairs[moved_down:] if v < size]

    some = least(some, lambda pairs: exchange([u for u, _ in remainder(pairs)]))
    return least(some, lambda pairs: transposition(remainder(pairs)))[0]


def least(some: list[Pairs], key: Callable[[Pairs], Key]) -> list[Pairs]:
    """Those with the least key."""
    if len(some) == 1:
        return some
    keys = [key(pairs) for pairs in some]
    lowest = min(keys)
    return [pairs for pairs, mine in zip(some, keys, strict=True) if mine == lowest]


def moved_down_set(above: Pairs, size: int) -> Key:
    """[4.4] The first moved-down players are paired; one with the vertex behind all members floats."""
    return tuple([int(v == size) for _, v in above])


def moved_down_opponents(above: Pairs, size: int) -> Key:
    """[4.2] The lowest opponents of the moved-down players, one after the other."""
    return tuple([v for _, v in above if v < size])


def exchange(upper: list[int]) -> Key:
    """[4.3] Fewest players exchanged, the least difference of sums, the lowest of S1 and the highest of S2.

    ``upper`` are the upper players of the pairs in order, by place in the remainder: S1 after the exchange.
    """
    pairs = len(upper)
    if not upper or upper[-1] < pairs:
        return 0, 0
    up = [place for place in upper if place >= pairs]
    down = [place for place in reversed(range(pairs)) if place not in upper]
    return (len(up), sum(up) - sum(down), *[-place for place in down], *up)


def transposition(below: list[tuple[int, int]]) -> Key:
    """[4.2] The lowest opponents of S1, one after the other."""
    return tuple([v for _, v in below])
