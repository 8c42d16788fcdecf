"""The graph whose perfect matchings are the candidates of a bracket.

Vertices are the members of the bracket in the order of their sequence numbers (4.1: moved-down players,
then residents), and behind them whatever a downfloater may go to. An edge inside the bracket is a pair of
the candidate; an edge that leaves it is a downfloater.
"""

from collections.abc import Callable

from paircard.pairing.dutch.criteria import Criteria
from paircard.pairing.dutch.field import Field
from paircard.pairing.matching.bits import bits
from paircard.pairing.matching.cardinality import maximise
from paircard.pairing.matching.transport import bound
from paircard.pairing.matching.weighted import Solver, Unmatchable

NEXT, REST, BYE, FLOAT, STUCK = "next", "rest", "bye", "float", "stuck"
"""What a vertex outside the bracket is: a player of the next scoregroup or below it, the bye, or, where
nobody asks what becomes of a downfloater, just a place to go to; STUCK where the rules forbid that end."""

Extra = Callable[[int, int], int]
"""Penalty below all criteria for an edge of two members; -1 stands for any vertex outside the bracket."""


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
        self.inside = (1 << size) - 1
        self.duals = self._bound()

    def _bound(self) -> list[int]:
        many = [0] * len(self.cost)
        for k in self.kind:
            many[k] += 1
        duals = bound(self.cost, many)
        if duals is None:
            raise Unmatchable(0)
        return duals

    def best(self, adjacent: list[int] | None = None, extra: Extra | None = None, room: int = 0) -> list[int]:
        """Mates of a perfect matching with the least penalty, ``extra`` (below 2**room) deciding ties."""
        if adjacent is None:
            adjacent = self.adjacent
        n = len(adjacent)
        y = [-self.duals[k] << room for k in self.kind]
        if extra is None:
            kind = self.kind
            weights = [[-2 * p for p in row] for row in self.cost]
        else:
            kind = list(range(self.size)) + [self.size + k for k in self.kind[self.size :]]
            weights = self._refined(extra, room)
        mate = [-1] * n
        tight = []
        for u, row in enumerate(adjacent):
            mine, prices, mask = y[u], weights[kind[u]], 0
            for v in bits(row):
                if mine + y[v] == prices[kind[v]]:
                    mask |= 1 << v
            tight.append(mask)
        everyone = (1 << n) - 1
        maximise(tight, mate, everyone, everyone)
        if -1 in mate:
            Solver(adjacent, kind, weights, y, mate).solve()
        return mate

    def _refined(self, extra: Extra, room: int) -> list[list[int]]:
        size, kind, cost = self.size, self.kind, self.cost
        rows = []
        for u in range(size):
            row = cost[kind[u]]
            inner = [-2 * ((row[kind[v]] << room) + (extra(u, v) if u != v else 0)) for v in range(size)]
            leaving = extra(u, -1)
            rows.append(inner + [-2 * ((p << room) + leaving) for p in row])
        leave = [extra(v, -1) for v in range(size)]
        for row in cost:
            inner = [-2 * ((row[kind[v]] << room) + leave[v]) for v in range(size)]
            rows.append(inner + [-2 * (p << room) for p in row])
        return rows


class Outlook:
    """Members and outside of a bracket, priced for ``Model``."""

    def __init__(
        self,
        field: Field,
        criteria: Criteria,
        members: list[int],
        moved_down: int,
        outside: list[tuple[int, str]],
    ) -> None:
        self.field = field
        self.criteria = criteria
        kinds: dict[object, int] = {}
        self.kind: list[int] = []
        examples: list[tuple[int, str]] = []
        for place, i in enumerate(members):
            above = place < moved_down
            key: object = (
                above, field.score[i], field.colour_kind[i], field.last[i], field.before_last[i],
                field.unplayed[i] if criteria.nines else None, field.topscorer[i],
            )  # fmt: skip
            self._classify(kinds, examples, key, i, "mdp" if above else "resident")
        for v, what in outside:
            self._classify(kinds, examples, what, v, what)
        self.cost = [[self._penalty(a, b) for b in examples] for a in examples]

    def _classify(
        self, kinds: dict[object, int], examples: list[tuple[int, str]], key: object, v: int, role: str
    ) -> None:
        if key not in kinds:
            kinds[key] = len(kinds)
            examples.append((v, role))
        self.kind.append(kinds[key])

    def _penalty(self, a: tuple[int, str], b: tuple[int, str]) -> int:
        ranks = {"mdp": 0, "resident": 1, NEXT: 2, REST: 3, BYE: 4, FLOAT: 5, STUCK: 6}
        (i, role_i), (j, role_j) = sorted((a, b), key=lambda x: (ranks[x[1]], x[0]))
        c, score = self.criteria, self.field.score
        stuck = c.next_illegal() if role_j == STUCK else 0
        if role_i in ("mdp", "resident"):
            if role_j in ("mdp", "resident"):
                if role_i == role_j == "mdp":
                    return self._leaves(i) + self._leaves(j)
                return c.pair(i, j)
            if role_j == NEXT:
                return c.downfloat(i) + c.next_pair(score[i])
            return self._leaves(i) + (c.bye(i) if role_j == BYE else 0) + stuck
        if role_i == NEXT and role_j != NEXT:
            return c.next_downfloat(score[i]) + stuck
        return 0

    def _leaves(self, i: int) -> int:
        """A downfloater who will not be paired in the next bracket either."""
        c = self.criteria
        return c.downfloat(i) + (c.next_downfloat(self.field.score[i]) if c.looks_ahead else 0)


def graph_of(adjacent: list[int], members: list[int], start: int) -> list[int]:
    """The field's graph on the members and, behind them, every vertex from ``start`` on."""
    size = len(members)
    mask = 0
    local = {}
    for k, g in enumerate(members):
        mask |= 1 << g
        local[g] = k
    graph = []
    for g in [*members, *range(start, len(adjacent))]:
        row = adjacent[g] >> start << size
        for other in bits(adjacent[g] & mask):
            row |= 1 << local[other]
        graph.append(row)
    return graph


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
    outside = [(v, NEXT) for v in range(start, next_end)]
    outside += [(v, REST) for v in range(next_end, field.n)]
    if field.n % 2:
        outside.append((field.n, BYE))
    priced = Outlook(field, criteria, members, moved_down, outside)
    return Model(len(members), moved_down, graph_of(adjacent, members, start), priced.kind, priced.cost)


def free_model(
    field: Field,
    criteria: Criteria,
    members: list[int],
    moved_down: int,
    start: int,
    next_end: int,
    adjacent: list[int],
) -> Model:
    """[2017] The bracket and the next scoregroup; whoever floats on from there is nobody's concern yet.

    Unless that is the last bracket: whoever is left there must be allowed the bye (C.2).
    """
    size = len(members)
    last_follows = start < next_end == field.n
    bye = 1 if last_follows and field.n % 2 else 0
    total = size + next_end - start + bye
    inner = (1 << total) - 1
    graph = [row & inner for row in graph_of(adjacent, members, start)[:total]]
    for u in range(moved_down):
        graph[u] &= ~((1 << moved_down) - 1)
    floats = inner << total
    graph = [row | floats for row in graph] + [floats & ~(1 << total + u) | inner for u in range(total)]
    outside = [(v, NEXT) for v in range(start, next_end)]
    outside += [(field.n, BYE)] * bye + [(-1, STUCK if last_follows else FLOAT)] * total
    priced = Outlook(field, criteria, members, moved_down, outside)
    return Model(size, moved_down, graph, priced.kind, priced.cost)
