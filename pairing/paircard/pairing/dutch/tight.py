"""The common case, settled without a weighted search (``matching.transport`` has the argument).

A bracket from which at most one player floats. Players who are alike for every criterion form a kind; the
bound between kinds marks the tight pairs; every best candidate is a perfect matching of tight pairs. What is
left is Article 4: the first of them in the order of generation.

Where tight pairs do not suffice (the bound has a gap, or earlier games are in the way), the weighted search
goes on from the same duals; where that ends without blossoms, its own tight pairs serve instead.
"""

from paircard.pairing.dutch.criteria import Criteria
from paircard.pairing.dutch.field import ABSOLUTE, Field
from paircard.pairing.matching.bipartite import first_assignment
from paircard.pairing.matching.bits import bits
from paircard.pairing.matching.cardinality import augment, maximise
from paircard.pairing.matching.transport import bound
from paircard.pairing.matching.weighted import Solver, Unmatchable


class Gap(Exception):
    """Tight pairs do not decide this bracket."""


class Bracket:
    """A bracket with at most one downfloater: members by sequence number, ``size`` is the one who floats."""

    def __init__(
        self,
        field: Field,
        criteria: Criteria,
        members: list[int],
        moved_down: int,
        adjacent: list[int],
        floaters: int,
    ) -> None:
        """``adjacent`` among members; ``floaters`` may leave the bracket (looked at only if it is odd)."""
        self.field = field
        self.criteria = criteria
        self.members = members
        self.size = len(members)
        self.moved_down = moved_down
        self.odd = self.size % 2 == 1
        self.floaters = floaters if self.odd else 0
        self.adjacent = adjacent
        if moved_down:
            apart = ~((1 << moved_down) - 1)
            for u in range(moved_down):
                adjacent[u] &= apart  # moved-down players never meet (2026 3.2)
        if self.odd:
            gone = 1 << self.size
            for u in bits(self.floaters):
                adjacent[u] |= gone
            adjacent.append(self.floaters)
        self.tight = self._tight_pairs()

    def _tight_pairs(self) -> list[int]:
        f, odd, moved = self.field, self.odd, self.moved_down
        nines = self.criteria.nines
        kinds: dict[object, int] = {}
        kind: list[int] = []
        masks: list[int] = []
        example: list[int] = []
        for place, i in enumerate(self.members):
            above = place < moved
            flags: tuple[bool, ...] = ()
            if odd or f.old:
                flags = (f.last[i] == "d", f.before_last[i] == "d")
            if moved and not above:
                flags += (f.last[i] == "u", f.before_last[i] == "u")
            key = (
                f.colour_kind[i],
                f.score[i] if above else -1,
                flags,
                odd and self.floaters >> place & 1,
                f.unplayed[i] if nines and odd else 0,
                f.topscorer[i],
            )
            k = kinds.get(key)
            if k is None:
                k = kinds[key] = len(kinds)
                masks.append(0)
                example.append(place)
            kind.append(k)
            masks[k] |= 1 << place
        cost = self._costs(example, masks)
        many = [mask.bit_count() for mask in masks]
        if odd:
            kind.append(len(many))
            masks.append(1 << self.size)
            many.append(1)
        duals = bound(cost, many)
        if duals is None:
            raise Gap
        self.kind, self.cost, self.duals = kind, cost, duals
        reach = []
        for a, row in enumerate(cost):
            mine, mask = duals[a], 0
            for b, c in enumerate(row):
                if c >= 0 and mine + duals[b] == 2 * c:
                    mask |= masks[b]
            reach.append(mask)
        return [row & reach[k] for row, k in zip(self.adjacent, kind, strict=True)]

    def _costs(self, example: list[int], masks: list[int]) -> list[list[int]]:
        f, c, members, moved = self.field, self.criteria, self.members, self.moved_down
        k = len(example)
        cost = [[-1] * k for _ in range(k)]
        for a in range(k):
            i = members[example[a]]
            for b in range(a, k):
                j = members[example[b]]
                if example[a] < moved and example[b] < moved:
                    continue
                if a == b and masks[a].bit_count() == 1:
                    continue
                if (
                    f.strength[i] == ABSOLUTE == f.strength[j]
                    and f.due[i] == f.due[j]
                    and not f.topscorer[i]
                    and not f.topscorer[j]
                ):
                    continue  # [C3]
                cost[a][b] = cost[b][a] = c.pair(min(i, j), max(i, j))
        if self.odd:
            leaves = []
            for place in example:
                i = members[place]
                leaves.append(c.downfloat(i) + c.bye(i) if self.floaters >> place & 1 else -1)
            for row, price in zip(cost, leaves, strict=True):
                row.append(price)
            cost.append([*leaves, -1])
        return cost

    def solve(self) -> bool:
        """Go on with a weighted search; afterwards ``tight`` is exact. False if blossoms stand in the way."""
        n = len(self.adjacent)
        mate = [-1] * n
        everyone = (1 << n) - 1
        maximise(self.tight, mate, everyone, everyone)
        weights = [[-2 * c for c in row] for row in self.cost]
        y = [-self.duals[k] for k in self.kind]
        solver = Solver(self.adjacent, self.kind, weights, y, mate)
        try:
            solver.solve()
        except Unmatchable:
            raise Gap from None
        if solver.blossoms():
            return False
        kind = self.kind
        tight = []
        for u, row in enumerate(self.adjacent):
            mine, prices, mask = y[u], weights[kind[u]], 0
            for v in bits(row):
                if mine + y[v] == prices[kind[v]]:
                    mask |= 1 << v
            tight.append(mask)
        self.tight = tight
        return True

    # --- the first perfect matching of tight pairs, in the order of Article 4

    def first(self) -> tuple[list[tuple[int, int]], int]:
        """Pairs (upper first, by place) and the place that floats (-1 for none); or ``Gap``."""
        if not self.moved_down:
            return self._remainder(list(range(self.size)), {})
        mate = [-1] * len(self.tight)
        everyone = (1 << len(self.tight)) - 1
        maximise(self.tight, mate, everyone, everyone)
        if -1 in mate:
            raise Gap
        alive = everyone
        fixed: dict[int, int] = {}
        if self.odd and mate[self.size] < self.moved_down:
            alive = self._limbo(mate, alive)
            fixed[mate[self.size]] = self.size
        for u in range(self.moved_down):
            if u in fixed:
                continue
            self._lowest_opponent(mate, u, alive)
            fixed[u] = mate[u]
            alive &= ~(1 << u | 1 << mate[u])
        players = [v for v in range(self.moved_down, self.size) if alive >> v & 1]
        return self._remainder(players, fixed)

    def _limbo(self, mate: list[int], alive: int) -> int:
        """[4.4] One moved-down player must float again: the last one who can."""
        gone = self.size
        choices = self.tight[gone] & ((1 << self.moved_down) - 1)
        while True:
            u = choices.bit_length() - 1
            if self._force(mate, gone, u, alive):
                return alive & ~(1 << gone | 1 << u)
            choices &= ~(1 << u)

    def _lowest_opponent(self, mate: list[int], u: int, alive: int) -> None:
        """[4.2] The first opponent for a moved-down player that leaves the rest a perfect matching."""
        lower = self.tight[u] & alive & ((1 << mate[u]) - 1)
        for v in bits(lower):
            if self._force(mate, u, v, alive):
                return

    def _force(self, mate: list[int], u: int, v: int, alive: int) -> bool:
        """Turn the perfect matching so that it holds u-v, if any perfect matching does."""
        if mate[u] == v:
            return True
        x, y = mate[u], mate[v]
        if self.tight[x] >> y & 1:
            mate[x], mate[y] = y, x
        else:
            kept = mate.copy()
            mate[x] = mate[y] = -1
            if augment(self.tight, mate, x, alive & ~(1 << u | 1 << v)):
                mate[:] = kept
                return False
        mate[u], mate[v] = v, u
        return True

    def _remainder(self, players: list[int], fixed: dict[int, int]) -> tuple[list[tuple[int, int]], int]:
        """[4.2, 4.3] S1 against S2, exchanged as little as possible."""
        gone = self.size
        floats = self.odd and gone not in fixed.values()
        pairs = (len(players) - floats) // 2
        s1, s2 = players[:pairs], players[pairs:]
        right = 0
        for v in s2:
            right |= 1 << v
        left = [*s1, gone] if floats else s1
        chosen = first_assignment(self.tight, left, right)
        if chosen is None:
            left, right = self._exchange(players, pairs, floats)
            chosen = first_assignment(self.tight, left, right)
            assert chosen is not None
        result = [(u, v) for u, v in fixed.items() if v != gone]
        result += [(u, v) for u, v in zip(left, chosen, strict=True) if u != gone]
        if floats:
            return result, chosen[-1]
        return result, next((u for u, v in fixed.items() if v == gone), -1)

    def _exchange(self, players: list[int], pairs: int, floats: bool) -> tuple[list[int], int]:
        """[4.3] The first exchange with which tight pairs between S1 and S2 are enough."""
        many = len(players)
        everyone = 0
        for v in players:
            everyone |= 1 << v
        vertices = players + ([self.size] if floats else [])
        if floats:
            everyone |= 1 << self.size
        local = {v: k for k, v in enumerate(vertices)}
        graph = []
        for v in vertices:
            row = 0
            for w in bits(self.tight[v] & everyone):
                row |= 1 << local[w]
            graph.append(row)
        weights = ExchangeOrder(many, pairs, floats)
        total = len(vertices)
        mate = [-1] * total
        first = (1 << pairs) - 1
        left = first | (1 << many if floats else 0)
        halves = [row & ~left if left >> k & 1 else row & left for k, row in enumerate(graph)]
        maximise(halves, mate, left, (1 << total) - 1)
        solver = Solver(graph, list(range(total)), weights, [0] * total, mate)
        try:
            solver.solve()
        except Unmatchable:
            raise Gap from None
        upper = [k for k in range(many) if k < mate[k] < many]
        in_s1 = set(upper)
        right = 0
        for k in range(many):
            if k not in in_s1:
                right |= 1 << players[k]
        left_players = [players[k] for k in upper]
        return ([*left_players, self.size] if floats else left_players), right


class ExchangeOrder(list[list[int]]):
    """[4.3, 2017 D.2] Weights that rank exchanges, row by row as they are asked for.

    A pair across S1 and S2 costs nothing. A pair inside S1 moves its lower player down, and so does
    floating; a pair inside S2 moves its upper player up. Fewest moved, then the least difference of sums,
    then the highest moved down, then the lowest moved up.
    """

    def __init__(self, many: int, pairs: int, floats: bool) -> None:
        super().__init__()
        self.many, self.pairs, self.floats = many, pairs, floats
        digit = (many * many).bit_length() + 1
        self.down = [((1 << digit) - (k + 1) << 2 * many) - (1 << many + k + 1) for k in range(pairs)]
        self.up = [((k + 1) << 2 * many) - (1 << many - k - 1) for k in range(many)]
        self.rows: dict[int, list[int]] = {}

    def __getitem__(self, u: int) -> list[int]:  # type: ignore[override]
        row = self.rows.get(u)
        if row is None:
            row = self.rows[u] = self._row(u)
        return row

    def _row(self, u: int) -> list[int]:
        many, pairs = self.many, self.pairs
        gone = [0] if self.floats else []
        if u == many:  # whoever floats
            return [-2 * c for c in self.down] + [0] * (many - pairs) + gone
        if u < pairs:
            inner = [-2 * self.down[max(u, v)] for v in range(pairs)]
            return inner + [0] * (many - pairs) + ([-2 * self.down[u]] if self.floats else [])
        return [0] * pairs + [-2 * self.up[min(u, v)] for v in range(pairs, many)] + gone


def local_graph(adjacent: list[int], members: list[int], moved_down: int) -> list[int]:
    """The field's graph among the members of a bracket, by their places in it."""
    if moved_down == len(members):
        start, residents = 0, 0
    else:
        start = members[moved_down]
        residents = (1 << len(members) - moved_down) - 1
    rows = []
    for i in members:
        whole = adjacent[i]
        row = (whole >> start & residents) << moved_down
        for k in range(moved_down):
            if whole >> members[k] & 1:
                row |= 1 << k
        rows.append(row)
    return rows
