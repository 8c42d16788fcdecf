"""Article 4 (2017: section D): the first of the best candidates, in the order they are generated.

The order is nested: set of moved-down players (4.4), their opponents (4.2), exchange in the remainder (4.3),
opponents in the remainder (4.2).

Where the best candidates are just the perfect matchings of a graph of tight edges (``matching.transport``),
each decision is a question to that graph: is there a perfect matching that holds this edge too? One witness
is kept, and turned along an alternating path for every yes. Where blossoms bind the best candidates further,
``weights.py`` asks by weights instead.
"""

from paircard.pairing.dutch.search.model import Model, NotDecided
from paircard.pairing.dutch.search.weights import ExchangeWeights, first_by_weights
from paircard.pairing.matching.bipartite import first_assignment
from paircard.pairing.matching.cardinality import augment, bits, exposed_of, mask_of, maximise
from paircard.pairing.matching.weighted import Solver, Unmatchable


def first_candidate(model: Model) -> tuple[list[int], str]:
    """Mates of the first best candidate, and how it was found."""
    search = Search(model, model.tight())
    try:
        return search.mates(), "tight"
    except NotDecided:
        graph, duals = model.solve(search.mate)
    if duals is None:
        return Search(model, graph, search.mate).mates(), "weighted"
    # The graph may hold worse matchings too. If its first one is a best one, it is the first of the best.
    mate = Search(model, graph.copy(), search.mate.copy()).mates()
    if model.value(mate) == model.value(search.mate):
        return mate, "blossom"
    return first_by_weights(model, graph, duals, search.mate), "ordered"


class Search:
    """The first perfect matching of a graph, in the order of Article 4."""

    def __init__(self, model: Model, tight: list[int], mate: list[int] | None = None) -> None:
        """``mate``: a matching to begin with."""
        self.size = model.size
        self.moved_down = model.moved_down
        self.choosers = model.choosers
        self.tight = tight
        self.total = len(tight)
        self.mate = mate or [-1] * self.total
        self.simple = self.total - self.size <= 1
        """At most one vertex outside: the one who is left floats."""

    def mates(self) -> list[int]:
        """The first perfect matching. ``NotDecided`` if there is none; ``mate`` is a largest matching."""
        mate = self.mate
        alive = (1 << self.total) - 1
        if self.simple and len(self.choosers) == 1 and self._straight(mate):
            return mate
        if maximise(self.tight, mate, alive):
            raise NotDecided
        for first, end in self.choosers:
            self._choose_set(mate, first, end, alive)
            for u in range(first, end):
                if alive >> u & 1 and end <= mate[u] < self.size:
                    self._lowest_partner(self.tight, mate, u, alive)
                    alive &= ~(1 << u | 1 << mate[u])
        self._remainder(mate, alive)
        return mate

    def _straight(self, mate: list[int]) -> bool:
        """Each moved-down player has the lowest opponent left, and S1 meets S2 without exchange.

        Nothing comes before that, and it needs no matching to begin with.
        """
        players = ((1 << self.size) - 1) >> self.moved_down << self.moved_down
        opponents = []
        for u in range(self.moved_down):
            choice = self.tight[u] & players
            if not choice:
                return False
            first = choice & -choice
            players ^= first
            opponents.append(first.bit_length() - 1)
        rest = bits(players)
        pairs = len(rest) // 2
        if not self._bipartite(mate, rest[:pairs], rest[pairs:], list(range(self.size, self.total))):
            return False
        for u, v in enumerate(opponents):
            mate[u], mate[v] = v, u
        return True

    def _choose_set(self, mate: list[int], first: int, end: int, alive: int) -> None:
        """[4.4] Pair the first moved-down players that can be paired; the others are in Limbo.

        In a joined bracket (2012 C.13) the same goes for the players of the bracket added last.
        """
        if not first and self.simple and mate[-1] >= end:
            return
        residents = ((1 << self.size) - 1) >> end << end
        for u in range(first, end):
            if not alive >> u & 1:
                continue
            if residents >> mate[u] & 1:
                cut(self.tight, u, ~residents)
                continue
            graph, turned = self.tight.copy(), mate.copy()
            cut(graph, u, ~residents)
            turned[u] = turned[mate[u]] = -1
            if augment(graph, turned, u, alive):  # no perfect matching pairs u with a resident
                cut(self.tight, u, residents)
            else:
                self.tight, mate[:] = graph, turned

    def _lowest_partner(self, graph: list[int], mate: list[int], u: int, alive: int) -> None:
        """[4.2] The first opponent that leaves the rest a perfect matching."""
        for v in bits(graph[u] & alive & ((1 << mate[u]) - 1)):
            if self._force(graph, mate, u, v, alive):
                return

    @staticmethod
    def _force(graph: list[int], mate: list[int], u: int, v: int, alive: int) -> bool:
        """Turn the perfect matching so that it holds u-v, if any perfect matching does."""
        x, y = mate[u], mate[v]
        if graph[x] >> y & 1:
            mate[x], mate[y] = y, x
        else:
            kept = mate.copy()
            mate[x] = mate[y] = -1
            if augment(graph, mate, x, alive & ~(1 << u | 1 << v)):
                mate[:] = kept
                return False
        mate[u], mate[v] = v, u
        return True

    def _remainder(self, mate: list[int], alive: int) -> None:
        """[4.2, 4.3] S1 against S2, exchanged as little as possible."""
        players = [v for v in range(self.moved_down, self.size) if alive >> v & 1]
        if self.simple:
            floats = bool(alive >> self.size) and not (self.moved_down and mate[self.size] < self.moved_down)
            pairs = (len(players) - floats) // 2
            others = [self.size] if floats else []
            if self._bipartite(mate, players[:pairs], players[pairs:], others):
                return
            upper, lower = self._exchange(mate, players, pairs, others)
            if not self._bipartite(mate, upper, lower, others):
                raise AssertionError("the exchange was made so that this is possible")
            return
        pairs = sum(1 for v in players if mate[v] < self.size) // 2
        others = [v for v in bits(alive) if v not in set(players)]
        if not self._general(mate, players[:pairs], players[pairs:], others):
            upper, lower = self._exchange(mate, players, pairs, others)
            if not self._general(mate, upper, lower, others):
                raise AssertionError("the exchange was made so that this is possible")

    def _bipartite(self, mate: list[int], upper: list[int], lower: list[int], others: list[int]) -> bool:
        """[4.2] The first transposition, the one who floats counting as the last of S1."""
        left = upper + others
        chosen = first_assignment(self.tight, left, mask_of(lower))
        if chosen is None:
            return False
        for u, v in zip(left, chosen, strict=True):
            mate[u], mate[v] = v, u
        return True

    def _general(self, mate: list[int], upper: list[int], lower: list[int], others: list[int]) -> bool:
        """[4.2] The first transposition where several may float."""
        first, second, outside = mask_of(upper), mask_of(lower), mask_of(others)
        alive = first | second | outside
        graph = self.tight.copy()
        for v in upper:
            graph[v] &= second
        for v in lower:
            graph[v] &= first | outside
        for v in others:
            graph[v] &= second | outside
        kept = mate.copy()
        for v in bits(alive):
            if mate[v] >= 0 and not graph[v] >> mate[v] & 1:
                mate[mate[v]] = -1
                mate[v] = -1
        for v in exposed_of(mate, alive):
            if mate[v] < 0 and augment(graph, mate, v, alive):
                mate[:] = kept
                return False
        for u in upper:
            self._lowest_partner(graph, mate, u, alive)
            alive &= ~(1 << u | 1 << mate[u])
        return True

    def _exchange(
        self, mate: list[int], players: list[int], pairs: int, others: list[int]
    ) -> tuple[list[int], list[int]]:
        """[4.3] S1 and S2 after the first exchange with which tight edges between them are enough."""
        vertices = players + others
        count, total = len(players), len(players) + len(others)
        local = {v: k for k, v in enumerate(vertices)}
        inside = mask_of(vertices)
        graph = []
        for v in vertices:
            row = 0
            for w in bits(self.tight[v] & inside):
                row |= 1 << local[w]
            graph.append(row)
        first = (1 << pairs) - 1
        second = ((1 << count) - 1) ^ first
        across = []
        for k, row in enumerate(graph):
            across.append(row & second if k < pairs else row & ~second if k < count else row & ~first)
        start = [-1] * total
        everyone = (1 << total) - 1
        maximise(across, start, everyone)
        solver = Solver(graph, list(range(total)), ExchangeWeights(count, pairs, total), [0] * total, start)
        try:
            solver.solve()
        except Unmatchable:
            raise NotDecided from None
        for k, v in enumerate(vertices):
            mate[v] = vertices[start[k]]
        upper = [players[k] for k in range(count) if k < start[k] < count]
        taken = set(upper)
        return upper, [v for v in players if v not in taken]


def cut(graph: list[int], u: int, away: int) -> None:
    """Take the edges from u to these vertices out of the graph."""
    lost = graph[u] & away
    graph[u] ^= lost
    for v in bits(lost):
        graph[v] &= ~(1 << u)
