"""Matchings without weights: as large as can be, and the first assignment of an ordered list.

Of a general graph: J. Edmonds, "Paths, trees, and flowers" (1965). Graphs are lists of int bitsets.
``mate[v]`` is -1 for an exposed vertex. ``alive`` restricts the graph.
"""

from collections.abc import Iterable


def bits(mask: int) -> list[int]:
    """The members, in ascending order."""
    if mask.bit_count() << 3 > mask.bit_length():  # dense enough for one pass over its digits
        return [place for place, digit in enumerate(bin(mask)[:1:-1]) if digit == "1"]
    members = []
    while mask:
        low = mask & -mask
        members.append(low.bit_length() - 1)
        mask ^= low
    return members


def lowest(mask: int) -> int:
    """The smallest member of a set that is not empty."""
    return (mask & -mask).bit_length() - 1


def mask_of(members: Iterable[int]) -> int:
    """The bitset of these members."""
    mask = 0
    for v in members:
        mask |= 1 << v
    return mask


def augment(
    adjacent: list[int], mate: list[int], root: int, alive: int, sight: list[int] | None = None, goal: int = 0
) -> int:
    """Look for an augmenting path from an exposed root.

    Found: the matching is turned along it, and the answer is 0. Not found: the answer is the set of
    vertices at even distance from the root over alternating paths, that is those that a maximum
    matching could leave exposed in the root's place (Gallai 1964, Edmonds 1965). With a ``goal`` the search
    stops as soon as the vertices found so far see all of it in ``sight``.
    """
    outer = 1 << root
    unseen = alive & ~outer
    came: dict[int, int] = {}  # vertex off the matched path -> the outer vertex it was reached from
    blossoms = Blossoms()
    queue = [root]
    grown = closed = 0
    if goal and sight is not None:
        goal &= ~sight[root]
        if not goal:
            return outer
    while True:
        if grown < len(queue):
            u = queue[grown]
            grown += 1
            fresh = adjacent[u] & unseen
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
                if goal and sight is not None:
                    goal &= ~sight[w]
                    if not goal:
                        return outer
        elif closed < len(queue):  # odd cycles only where plain growth has come to its end
            u = queue[closed]
            closing = adjacent[u] & outer & ~blossoms.members(u)
            if not closing:
                closed += 1
                continue
            for w in blossoms.close(mate, came, u, lowest(closing), outer):
                outer |= 1 << w
                queue.append(w)
                if goal and sight is not None:
                    goal &= ~sight[w]
        else:
            return outer


class Blossoms:
    """The odd cycles closed by a search: disjoint sets of vertices, each known by its base."""

    def __init__(self) -> None:
        self.up: dict[int, int] = {}
        self.mask: dict[int, int] = {}

    def base(self, v: int) -> int:
        up = self.up
        while (above := up.get(v, v)) != v:
            up[v] = up.get(above, above)
            v = up[v]
        return v

    def members(self, v: int) -> int:
        base = self.base(v)
        return self.mask.get(base, 1 << base)

    def close(self, mate: list[int], came: dict[int, int], u: int, v: int, outer: int) -> list[int]:
        """Close the cycle of the edge u-v between outer vertices; returns inner vertices that turn outer."""
        stem = self._meeting(mate, came, u, v)
        merged = self.mask.get(stem, 1 << stem)
        risen = []
        joined = {stem}
        for start, across in ((u, v), (v, u)):
            x, behind = start, across
            while self.base(x) != stem:
                y = mate[x]
                joined |= {self.base(x), self.base(y)}
                came[x] = behind
                if not outer >> y & 1:
                    risen.append(y)
                behind, x = y, came[y]
        for old in joined:
            merged |= self.mask.get(old, 1 << old)
            self.up[old] = stem
        self.mask[stem] = merged
        return risen

    def _meeting(self, mate: list[int], came: dict[int, int], u: int, v: int) -> int:
        """The base where the tree paths of two outer vertices meet."""
        a, b = self.base(u), self.base(v)
        seen = {a}
        while mate[a] >= 0:
            a = self.base(came[mate[a]])
            seen.add(a)
        while b not in seen:
            b = self.base(came[mate[b]])
        return b


def _turn(mate: list[int], came: dict[int, int], v: int) -> None:
    """Match along the path that ends in the exposed vertex v."""
    while v >= 0:
        u = came[v]
        after = mate[u]
        mate[v], mate[u] = u, v
        v = after


def greedy(adjacent: list[int], mate: list[int], loose: list[int], alive: int) -> list[int]:
    """Match exposed vertices directly, or by a path of length three; returns those still exposed."""
    exposed = mask_of(loose)
    for v in loose:
        mine = 1 << v
        if not exposed & mine:
            continue
        direct = adjacent[v] & exposed & ~mine
        if direct:
            u = lowest(direct)
            mate[v], mate[u] = u, v
            exposed ^= mine | direct & -direct
            continue
        others = exposed ^ mine
        around = adjacent[v] & alive if others else 0
        while around:
            low = around & -around
            around ^= low
            u = low.bit_length() - 1
            w = mate[u]
            third = adjacent[w] & others
            if third:
                x = lowest(third)
                mate[v], mate[u], mate[w], mate[x] = u, v, x, w
                exposed ^= mine | third & -third
                break
    return [v for v in loose if mate[v] < 0]


def exposed_of(mate: list[int], alive: int) -> list[int]:
    """Exposed vertices among these."""
    return [v for v in bits(alive) if mate[v] < 0]


def maximise(adjacent: list[int], mate: list[int], alive: int, loose: list[int] | None = None) -> list[int]:
    """Extend a matching of ``alive`` to a maximum one; returns the vertices it leaves exposed.

    ``loose`` are the exposed vertices, if the caller knows them. A lone one can never be matched, so nothing
    is searched for it.
    """
    loose = greedy(adjacent, mate, exposed_of(mate, alive) if loose is None else loose, alive)
    while len(loose) > 1:
        for v in loose:
            if not augment(adjacent, mate, v, alive):
                break
        else:
            return loose
        loose = [v for v in loose if mate[v] < 0]
    return loose


def maximise_from(adjacent: list[int], starts: list[int]) -> dict[int, tuple[list[int], list[int]]]:
    """Maximum matchings of all vertices from each start on, made from the last start up.

    By start: the mates, and the vertices left exposed.
    """
    mate, end, left = [-1] * len(adjacent), len(adjacent), list[int]()
    everyone = (1 << end) - 1
    found = {}
    for start in reversed(starts):
        left = maximise(adjacent, mate, everyone >> start << start, [*range(start, end), *left])
        found[start] = mate.copy(), left
        end = start
    return found


# --- assignments of an ordered list of left vertices to a set of right ones, first in lexicographic order

REMEMBERED = 16
"""Sets of holders that are out of reach."""


def first_assignment(adjacent: list[int], left: list[int], right: list[int]) -> list[int] | None:
    """For each left vertex its right one, lexicographically first among all complete assignments.

    There are as many right vertices as left ones. None if no complete assignment exists. Giving each in turn
    the lowest still free is the answer if nobody comes away empty-handed. Otherwise one complete assignment
    is found and then improved from the first vertex on: a lower partner is possible just if an alternating
    path gives its holder another one.
    """
    taken = {}  # right -> left
    mine: dict[int, int] = {}
    every = free = mask_of(right)
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
            if _provide(adjacent, mine, taken, u, every, free) is not None:
                return None
            free = every & ~mask_of(taken)
        _improve(adjacent, left, mine, taken, every)
    return [mine[u] for u in left]


def _provide(
    adjacent: list[int], mine: dict[int, int], taken: dict[int, int], root: int, unseen: int, goal: int
) -> int | None:
    """Give a left vertex without a partner one, along an alternating path that ends in the goal.

    Answers None when done, otherwise the right vertices that were reached in vain.
    """
    allowed = unseen
    came: dict[int, int] = {}
    queue = [root]
    for u in queue:
        found = adjacent[u] & unseen
        if found & goal:
            v = lowest(found & goal)
            came[v] = u
            while v >= 0:
                u = came[v]
                before = mine.get(u, -1)
                mine[u], taken[v] = v, u
                v = before
            return None
        unseen &= ~found
        while found:
            low = found & -found
            found ^= low
            v = low.bit_length() - 1
            came[v] = u
            queue.append(taken[v])
    return allowed & ~unseen


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
            holder = taken[v]
            del mine[holder]  # compensated out of what u gives back
            dead = _provide(adjacent, mine, taken, holder, unfixed & ~low, 1 << held)
            if dead is None:
                mine[u], taken[v] = v, u
                break
            mine[holder] = v
            lower &= ~(dead | low)
            closed = [dead | low, *closed[: REMEMBERED - 1]]
        unfixed &= ~(1 << mine[u])
