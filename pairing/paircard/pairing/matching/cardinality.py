"""Maximum matchings of a general graph, unweighted: J. Edmonds, "Paths, trees, and flowers" (1965).

Graphs are lists of int bitsets. ``mate[v]`` is -1 for an exposed vertex. ``alive`` restricts the graph.
"""

from paircard.pairing.matching.bits import bits, lowest


def augment(adjacent: list[int], mate: list[int], root: int, alive: int) -> int:
    """Look for an augmenting path from an exposed root.

    Found: the matching is turned along it, and the answer is 0. Not found: the answer is the set of
    vertices at even distance from the root over alternating paths, that is those that a maximum
    matching could leave exposed in the root's place (Gallai 1964, Edmonds 1965).
    """
    outer = 1 << root
    unseen = alive & ~outer
    came: dict[int, int] = {}  # inner vertex -> outer vertex it was reached from
    base: dict[int, int] = {}  # vertices in blossoms -> base of the blossom
    queue = [root]
    for u in queue:
        around = adjacent[u] & alive
        fresh = around & unseen
        while fresh:
            low = fresh & -fresh
            v = low.bit_length() - 1
            came[v] = u
            w = mate[v]
            if w < 0:
                _turn(mate, came, v)
                return 0
            unseen &= ~(low | 1 << w)
            fresh &= unseen
            outer |= 1 << w
            queue.append(w)
        closing = around & outer
        while closing:
            low = closing & -closing
            closing ^= low
            v = low.bit_length() - 1
            if base.get(u, u) != base.get(v, v):
                for w in _shrink(mate, came, base, u, v, outer):
                    outer |= 1 << w
                    queue.append(w)
    return outer


def _shrink(
    mate: list[int], came: dict[int, int], base: dict[int, int], u: int, v: int, outer: int
) -> list[int]:
    """Close the blossom of the edge u-v; returns the inner vertices that become outer by it."""
    seen = set()
    a = base.get(u, u)
    while True:
        seen.add(a)
        if mate[a] < 0:
            break
        a = base.get(came[mate[a]], came[mate[a]])
    b = base.get(v, v)
    while b not in seen:
        b = base.get(came[mate[b]], came[mate[b]])
    stem = b
    rebased = set()
    risen = []
    for start, across in ((u, v), (v, u)):
        x, child = start, across
        while base.get(x, x) != stem:
            y = mate[x]
            came.setdefault(x, child)
            rebased.add(base.get(x, x))
            rebased.add(base.get(y, y))
            if not outer >> y & 1:
                risen.append(y)
            child = y
            x = came[y]
    _merge(base, rebased, stem, risen, u, v)
    return risen


def _merge(base: dict[int, int], rebased: set[int], stem: int, risen: list[int], u: int, v: int) -> None:
    for x, old in list(base.items()):
        if old in rebased:
            base[x] = stem
    for x in rebased:
        base[x] = stem
    for x in risen:
        base[x] = stem
    base.setdefault(u, stem)
    base.setdefault(v, stem)


def _turn(mate: list[int], came: dict[int, int], v: int) -> None:
    """Match along the path that ends in the exposed vertex v."""
    while v >= 0:
        u = came[v]
        after = mate[u]
        mate[v], mate[u] = u, v
        v = after


def greedy(adjacent: list[int], mate: list[int], vertices: int, alive: int) -> None:
    """Match exposed vertices directly, or by a path of length three, as far as that goes."""
    exposed = 0
    for v in bits(alive):
        if mate[v] < 0:
            exposed |= 1 << v
    for v in bits(vertices & exposed):
        if mate[v] >= 0:
            continue
        direct = adjacent[v] & exposed & ~(1 << v)
        if direct:
            u = lowest(direct)
            mate[v], mate[u] = u, v
            exposed &= ~(1 << u | 1 << v)
            continue
        others = exposed & ~(1 << v)
        if not others:
            continue
        for u in bits(adjacent[v] & alive):
            w = mate[u]
            third = adjacent[w] & others
            if third:
                x = lowest(third)
                mate[v], mate[u], mate[w], mate[x] = u, v, x, w
                exposed &= ~(1 << v | 1 << x)
                break


def exposed_of(mate: list[int], alive: int) -> list[int]:
    """Exposed vertices among these."""
    return [v for v in bits(alive) if mate[v] < 0]


def maximise(adjacent: list[int], mate: list[int], vertices: int, alive: int) -> None:
    """Extend a matching of ``alive`` to a maximum one, searching only from these exposed vertices.

    A lone exposed vertex can never be matched, so nothing is searched for it.
    """
    greedy(adjacent, mate, vertices, alive)
    open_ends = exposed_of(mate, alive)
    while len(open_ends) > 1:
        for v in open_ends:
            if not augment(adjacent, mate, v, alive):
                break
        else:
            return
        open_ends = exposed_of(mate, alive)
