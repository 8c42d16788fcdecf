"""Assignments of an ordered list of left vertices to a set of right ones, first in lexicographic order."""

from paircard.pairing.matching.cardinality import lowest

REMEMBERED = 16
"""Sets of holders that are out of reach."""


def first_assignment(adjacent: list[int], left: list[int], right: int) -> list[int] | None:
    """For each left vertex its right one, lexicographically first among all complete assignments.

    There are as many right vertices as left ones. None if no complete assignment exists. Giving each in turn
    the lowest still free is the answer if nobody comes away empty-handed. Otherwise one complete assignment
    is found and then improved from the first vertex on: a lower partner is possible just if an alternating
    path gives its holder another one.
    """
    taken = {}  # right -> left
    mine: dict[int, int] = {}
    free = right
    short = []
    for u in left:
        choice = adjacent[u] & free
        if choice:
            low = choice & -choice
            free ^= low
            v = low.bit_length() - 1
            mine[u] = v
            taken[v] = u
        else:
            short.append(u)
    if short:
        for u in short:
            if not _augment(adjacent, mine, taken, u, right, free):
                return None
            free = right
            for v in taken:
                free &= ~(1 << v)
        _improve(adjacent, left, mine, taken, right)
    return [mine[u] for u in left]


def _augment(
    adjacent: list[int], mine: dict[int, int], taken: dict[int, int], root: int, right: int, free: int
) -> bool:
    """Give ``root`` a partner along an alternating path that ends in a free right vertex."""
    unseen = right
    came: dict[int, int] = {}
    queue = [root]
    for u in queue:
        found = adjacent[u] & unseen
        ends = found & free
        if ends:
            v = lowest(ends)
            came[v] = u
            while True:
                u = came[v]
                before = mine.get(u, -1)
                mine[u], taken[v] = v, u
                if before < 0:
                    return True
                v = before
        unseen &= ~found
        while found:
            low = found & -found
            found ^= low
            v = low.bit_length() - 1
            came[v] = u
            queue.append(taken[v])
    return False


def _improve(
    adjacent: list[int], left: list[int], mine: dict[int, int], taken: dict[int, int], right: int
) -> None:
    """Turn a complete assignment into the first one.

    Holders reached in vain can reach nobody outside their own set, and never will: what is taken from now on
    only makes it harder, and a vertex that swaps with one of them is one of them. So what they hold is out of
    reach for everybody else.
    """
    unfixed = right
    closed: list[int] = []
    for u in left:
        held = mine[u]
        lower = adjacent[u] & unfixed & ((1 << held) - 1)
        for apart in closed:
            if not apart >> held & 1:
                lower &= ~apart
        while lower:
            low = lower & -lower
            v = low.bit_length() - 1
            dead = _reassign(adjacent, mine, taken, u, v, unfixed)
            if not dead:
                break
            lower &= ~dead
            closed = [dead, *closed[: REMEMBERED - 1]]
        unfixed &= ~(1 << mine[u])


def _reassign(
    adjacent: list[int], mine: dict[int, int], taken: dict[int, int], u: int, v: int, unfixed: int
) -> int:
    """Let u take v, if v's holder can be compensated out of what u gives back.

    Answers 0 when done. Otherwise the right vertices whose holders were reached in vain: none of them can
    be u's either.
    """
    target = mine[u]
    goal = 1 << target
    holder = taken[v]
    unseen = unfixed & ~(1 << v)
    came: dict[int, int] = {}
    queue = [holder]
    for x in queue:
        found = adjacent[x] & unseen
        if found & goal:
            came[target] = x
            w = target
            while True:
                x = came[w]
                before = mine[x]
                mine[x], taken[w] = w, x
                if before == v:
                    break
                w = before
            mine[u], taken[v] = v, u
            return 0
        unseen &= ~found
        while found:
            low = found & -found
            found ^= low
            w = low.bit_length() - 1
            came[w] = x
            if taken[w] != u:
                queue.append(taken[w])
    dead = 1 << v
    for w in came:
        dead |= 1 << w
    return dead
