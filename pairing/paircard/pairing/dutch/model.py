"""The graph whose perfect matchings are the candidates of a bracket.

Vertices are the members of the bracket in the order of their sequence numbers (4.1: moved-down players,
then residents), and behind them whatever a downfloater may go to. An edge inside the bracket is a pair of
the candidate; an edge that leaves it is a downfloater. Vertices that are alike for every criterion form a
kind, and the packed penalty of an edge depends on the two kinds only.
"""

from paircard.pairing.dutch.criteria import Criteria
from paircard.pairing.dutch.field import ABSOLUTE, Field
from paircard.pairing.matching.bits import bits
from paircard.pairing.matching.cardinality import maximise
from paircard.pairing.matching.transport import bound
from paircard.pairing.matching.weighted import Solver, Unmatchable

MDP, RESIDENT, NEXT, REST, BYE, FLOAT, STUCK = range(7)
"""What a vertex is: a moved-down player, a resident, a player of the next scoregroup or below it, the bye,
or, where nobody asks what becomes of a downfloater, just a place to go to (STUCK where rules forbid it)."""


class Gap(Exception):
    """This way of looking at a bracket does not decide it."""


class Model:
    """One bracket as a matching problem; ``cost`` is the packed penalty of a pair of kinds, -1 for never."""

    def __init__(
        self, size: int, moved_down: int, adjacent: list[int], kind: list[int], cost: list[list[int]]
    ) -> None:
        self.size = size
        self.moved_down = moved_down
        self.adjacent = adjacent
        self.kind = kind
        self.cost = cost
        self.masks = [0] * len(cost)
        for v, k in enumerate(kind):
            self.masks[k] |= 1 << v
        duals = bound(cost, [mask.bit_count() for mask in self.masks])
        if duals is None:
            raise Gap
        self.duals = duals

    def tight(self) -> list[int]:
        """The edges that meet the bound between kinds. If these match everyone, they decide the bracket."""
        reach = []
        for mine, row in zip(self.duals, self.cost, strict=True):
            mask = 0
            for theirs, price, members in zip(self.duals, row, self.masks, strict=True):
                if price >= 0 and mine + theirs == 2 * price:
                    mask |= members
            reach.append(mask)
        return [row & reach[k] for row, k in zip(self.adjacent, self.kind, strict=True)]

    def solve(self, tight: list[int]) -> tuple[list[int], int | None]:
        """Go on from the bound with a weighted search, or ``Gap`` if no perfect matching exists.

        Answers a graph that holds every best candidate, and the penalty to look for; None where each perfect
        matching of that graph is a best candidate (no blossom binds).
        """
        n = len(self.adjacent)
        mate = [-1] * n
        everyone = (1 << n) - 1
        maximise(tight, mate, everyone)
        kind = self.kind
        weights = [[-2 * price for price in row] for row in self.cost]
        y = [-self.duals[k] for k in kind]
        solver = Solver(self.adjacent, kind, weights, y, mate)
        try:
            solver.solve()
        except Unmatchable:
            raise Gap from None
        graph = tight_edges(self.adjacent, kind, weights, y)
        binding = solver.binding()
        if not binding:
            return graph, None
        for u, row in enumerate(self.adjacent):
            held = [(members, z) for members, z in binding if members >> u & 1]
            for v in bits(row & mask_union(held)):
                slack = y[u] + y[v] - weights[kind[u]][kind[v]]
                slack += sum(z for members, z in held if members >> v & 1)
                graph[u] = graph[u] & ~(1 << v) | (0 if slack else 1 << v)
        return graph, self.value(mate)

    def value(self, mate: list[int]) -> int:
        """Packed penalty of a perfect matching."""
        kind, cost = self.kind, self.cost
        return sum(cost[kind[u]][kind[v]] for u, v in enumerate(mate) if u < v)


def mask_union(held: list[tuple[int, int]]) -> int:
    mask = 0
    for members, _ in held:
        mask |= members
    return mask


def tight_edges(adjacent: list[int], kind: list[int], weights: list[list[int]], y: list[int]) -> list[int]:
    """The edges whose slack is zero."""
    tight = []
    for u, row in enumerate(adjacent):
        mine, prices, mask = y[u], weights[kind[u]], 0
        while row:
            low = row & -row
            row ^= low
            v = low.bit_length() - 1
            if mine + y[v] == prices[kind[v]]:
                mask |= low
        tight.append(mask)
    return tight


class Kinds:
    """Vertices sorted into kinds, with the penalties between them."""

    def __init__(self, field: Field, criteria: Criteria, members: list[int], moved_down: int) -> None:
        self.field = field
        self.criteria = criteria
        self.kind: list[int] = []
        self.many: list[int] = []
        self.examples: list[tuple[int, int]] = []
        self._known: dict[object, int] = {}
        self.members = members
        self.moved_down = moved_down

    def add_members(self, floaters: int, all_alike: bool) -> None:
        """Sort the members. ``floaters`` (by place) may leave; with ``all_alike`` nobody asks who.

        What cannot matter is left out: float records of a bracket nobody leaves, upfloats where nobody
        moved down.
        """
        f, moved = self.field, self.moved_down
        nines = self.criteria.nines
        leaving = bool(floaters) or all_alike or f.old
        for place, i in enumerate(self.members):
            above = place < moved
            flags: tuple[bool, ...] = ()
            if leaving:
                flags = (f.last[i] == "d", f.before_last[i] == "d")
            if moved and not above:
                flags += (f.last[i] == "u", f.before_last[i] == "u")
            key = (
                f.colour_kind[i],
                f.score[i],
                above,
                flags,
                not all_alike and floaters >> place & 1,
                f.unplayed[i] if nines else 0,
                f.topscorer[i],
            )
            self._add(key, i, MDP if above else RESIDENT)

    def add(self, v: int, what: int) -> None:
        """Add a vertex outside the bracket."""
        self._add(what, v, what)

    def _add(self, key: object, v: int, what: int) -> None:
        k = self._known.get(key)
        if k is None:
            k = self._known[key] = len(self._known)
            self.many.append(0)
            self.examples.append((what, v))
        self.many[k] += 1
        self.kind.append(k)

    def cost(self) -> list[list[int]]:
        """Packed penalties between kinds, -1 where no two may meet."""
        k = len(self.examples)
        cost = [[-1] * k for _ in range(k)]
        for a in range(k):
            for b in range(a if self.many[a] > 1 else a + 1, k):
                cost[a][b] = cost[b][a] = self._price(*sorted((self.examples[a], self.examples[b])))
        return cost

    def _price(self, one: tuple[int, int], other: tuple[int, int]) -> int:
        (what_i, i), (what_j, j) = one, other
        f, c = self.field, self.criteria
        stuck = c.next_illegal() if what_j == STUCK else 0
        if what_i <= RESIDENT:
            if what_j <= RESIDENT:
                if what_j == MDP:  # they never meet here (2026 3.2); both float on
                    return self._leaves(i) + self._leaves(j)
                if (
                    f.strength[i] == ABSOLUTE == f.strength[j]
                    and f.due[i] == f.due[j]
                    and not (f.topscorer[i] or f.topscorer[j])
                ):
                    return -1  # [C3]
                return c.pair(i, j)
            if what_j == NEXT:
                return c.downfloat(i) + c.next_pair(f.score[i])
            return self._leaves(i) + (c.bye(i) if what_j in (BYE, FLOAT) else 0) + stuck
        if what_i == NEXT and what_j != NEXT:
            return c.next_downfloat(f.score[i]) + stuck
        return 0

    def _leaves(self, i: int) -> int:
        """A downfloater who will not be paired in the next bracket either."""
        c = self.criteria
        return c.downfloat(i) + (c.next_downfloat(self.field.score[i]) if c.looks_ahead else 0)


def bracket_model(
    field: Field, criteria: Criteria, members: list[int], moved_down: int, floaters: int
) -> Model:
    """The members alone, and if their number is odd one vertex for the downfloater, open to ``floaters``."""
    size = len(members)
    graph = graph_of(field.adjacent, members, moved_down, [], 0)
    odd = size % 2 == 1
    kinds = Kinds(field, criteria, members, moved_down)
    kinds.add_members(floaters if odd else 0, all_alike=False)
    apart = ~((1 << moved_down) - 1)
    for u in range(moved_down):
        graph[u] &= apart
    if odd:
        gone = 1 << size
        for u in bits(floaters):
            graph[u] |= gone
        graph.append(floaters)
        kinds.add(-1, FLOAT)
    cost = kinds.cost()
    moved = set(kinds.kind[:moved_down])
    for a in moved:
        for b in moved:
            cost[a][b] = -1
    if odd:
        leave = kinds.kind[size]
        for u, k in enumerate(kinds.kind[:size]):
            if not floaters >> u & 1:
                cost[leave][k] = cost[k][leave] = -1
    return Model(size, moved_down, graph, kinds.kind, cost)


def whole_model(
    field: Field,
    criteria: Criteria,
    members: list[int],
    moved_down: int,
    start: int,
    next_end: int,
    adjacent: list[int],
) -> Model:
    """The bracket, everyone from place ``start`` down, and the bye: completion [C4] is a perfect matching.

    The next scoregroup ends before ``next_end``; with ``next_end == start`` there is no look-ahead.
    """
    kinds = Kinds(field, criteria, members, moved_down)
    kinds.add_members(0, all_alike=True)
    outside = list(range(start, len(adjacent)))
    for v in outside:
        kinds.add(v, NEXT if v < next_end else REST if v < field.n else BYE)
    graph = graph_of(adjacent, members, moved_down, outside, start)
    return Model(len(members), moved_down, graph, kinds.kind, kinds.cost())


def ahead_model(
    field: Field,
    criteria: Criteria,
    members: list[int],
    moved_down: int,
    start: int,
    next_end: int,
    adjacent: list[int],
    bye: bool,
    places: int,
    strict: bool = False,
) -> Model:
    """The bracket, the next scoregroup, perhaps the bye, and ``places`` for those who float on from there.

    What becomes of those is not asked here. ``strict``: the next bracket is the last, and nobody may be left
    there without the bye (2017 C.2); such ends are the worst, not forbidden.
    """
    kinds = Kinds(field, criteria, members, moved_down)
    kinds.add_members(0, all_alike=True)
    outside = list(range(start, next_end)) + ([field.n] if bye else [])
    for v in outside:
        kinds.add(v, NEXT if v < field.n else BYE)
    graph = graph_of(adjacent, members, moved_down, outside, start)
    apart = ~((1 << moved_down) - 1)
    for u in range(moved_down):
        graph[u] &= apart
    total = len(graph)
    leave = ((1 << places) - 1) << total
    anyone = (1 << total - bye) - 1
    graph = [row | leave if u < total - bye else row for u, row in enumerate(graph)]
    graph += [anyone | leave & ~(1 << total + k) for k in range(places)]
    for _ in range(places):
        kinds.add(-1, STUCK if strict else REST)
    return Model(len(members), moved_down, graph, kinds.kind, kinds.cost())


def graph_of(
    adjacent: list[int], members: list[int], moved_down: int, outside: list[int], start: int
) -> list[int]:
    """The field's graph on the members and, behind them, the vertices outside.

    Residents stand together in the field; so do the vertices outside, from ``start`` on, but for the bye.
    """
    size = len(members)
    first = members[moved_down]
    residents = (1 << size - moved_down) - 1
    many = len(outside)
    gap = many and outside[-1] != start + many - 1  # the bye is not beside the others
    beside = (1 << many - bool(gap)) - 1
    rows = []
    for i in members + outside:
        whole = adjacent[i]
        row = (whole >> first & residents) << moved_down
        for k in range(moved_down):
            if whole >> members[k] & 1:
                row |= 1 << k
        if many:
            row |= (whole >> start & beside) << size
            if gap and whole >> outside[-1] & 1:
                row |= 1 << size + many - 1
        rows.append(row)
    return rows
