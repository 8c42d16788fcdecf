"""A bracket as a matching problem, and the first of its best candidates.

Vertices are the members of the bracket in the order of their sequence numbers (4.1: moved-down players,
then residents), and behind them whatever a downfloater may go to. An edge inside the bracket is a pair of
the candidate; an edge that leaves it is a downfloater.

The first best candidate is found level by level of Article 4 (2017: section D): set of moved-down players
(4.4), their opponents (4.2), exchange in the remainder (4.3), opponents in the remainder (4.2). Where the
best candidates are just the perfect matchings of a graph of tight edges (``matching.weighted``), each
decision is a question to that graph: is there a perfect matching that holds this edge too? One witness is
kept, and turned along an alternating path for every yes. Where blossoms bind the best candidates further,
each level is one more term below the criteria: slower, always exact, and at most three weighted matchings.
"""

from collections.abc import Callable, Sequence

from paircard.pairing.dutch.criteria import BYE, FLOAT, NEXT, REST, STUCK, Criteria, Kinds
from paircard.pairing.dutch.graphs import Bracket, graph_of, moved_down_apart
from paircard.pairing.matching.cardinality import (
    augment,
    bits,
    exposed_of,
    first_assignment,
    mask_of,
    maximise,
)
from paircard.pairing.matching.weighted import Solver, Unmatchable, bound


class NotDecided(Exception):
    """This route does not decide the bracket."""


Settled = tuple[list[int], str]
"""Mates of the members by position, a downfloater's being no member's, and the route that found them."""


class Model:
    """One bracket as a matching problem; ``cost`` is the packed penalty of a pair of kinds."""

    def __init__(self, bracket: Bracket, adjacent: list[int], kinds: Kinds) -> None:
        self.size = bracket.size
        self.moved_down = bracket.moved_down
        self.choosers = bracket.choosers
        self.adjacent = adjacent
        self.kind = kinds.kind
        self.masks = kinds.masks
        self.cost = kinds.cost
        duals = bound(self.cost, kinds.count, kinds.criteria.never)
        if duals is None:
            raise NotDecided
        self.duals = duals

    def tight(self) -> list[int]:
        """The edges that meet the bound between kinds. If these match everyone, they decide the bracket."""
        reach = []
        for mine, row in zip(self.duals, self.cost, strict=True):
            mask = 0
            for theirs, price, members in zip(self.duals, row, self.masks, strict=True):
                if mine + theirs == price + price:
                    mask |= members
            reach.append(mask)
        return [row & reach[k] for row, k in zip(self.adjacent, self.kind, strict=True)]

    def solve(self, mate: list[int]) -> tuple[list[int], list[int] | None]:
        """Go on from the bound with a weighted search, or ``NotDecided`` if no perfect matching exists.

        ``mate`` is a matching of tight edges to begin with, and a best candidate in the end. Answers a graph
        that holds every best candidate. Where no blossom binds, each perfect matching of that graph is a best
        candidate. Else the second answer are twice the duals of the vertices, each with half of those of its
        blossoms: feasible without blossoms, and nearly tight.
        """
        kind = self.kind
        weights = [[-2 * price for price in row] for row in self.cost]
        y = [-self.duals[k] for k in kind]
        solver = Solver(self.adjacent, kind, weights, y, mate)
        try:
            solver.solve()
        except Unmatchable:
            raise NotDecided from None
        binding = solver.binding()
        graph = tight_edges(self.adjacent, kind, weights, y, binding)
        if not binding:
            return graph, None
        twice = [dual + dual for dual in y]
        for members, dual in binding:
            for v in bits(members):
                twice[v] += dual
        return graph, twice

    def value(self, mate: list[int]) -> int:
        """Packed penalty of a perfect matching."""
        kind, cost = self.kind, self.cost
        return sum(cost[kind[u]][kind[v]] for u, v in enumerate(mate) if u < v)


def tight_edges(
    adjacent: list[int],
    kind: list[int],
    weights: list[list[int]],
    y: list[int],
    binding: Sequence[tuple[int, int]] = (),
) -> list[int]:
    """The edges whose slack is zero; ``binding`` are blossoms, sets of vertices with their duals."""
    inside = [0] * len(adjacent)
    for place, (members, _) in enumerate(binding):
        for v in bits(members):
            inside[v] |= 1 << place
    alike: dict[tuple[int, int, int], int] = {}
    group = []
    masks: list[int] = []
    for v, key in enumerate(zip(kind, y, inside, strict=True)):
        g = alike.setdefault(key, len(masks))
        if g == len(masks):
            masks.append(0)
        masks[g] |= 1 << v
        group.append(g)
    together = {0: 0}  # blossoms that hold both ends of an edge -> the sum of their duals
    reach = []
    for k, mine, mine_in in alike:
        row, mask = weights[k], 0
        for (other, theirs, theirs_in), members in zip(alike, masks, strict=True):
            both = mine_in & theirs_in
            if both not in together:
                together[both] = sum(binding[place][1] for place in bits(both))
            if row[other] - mine - theirs == together[both]:
                mask |= members
        reach.append(mask)
    return [row & reach[g] for row, g in zip(adjacent, group, strict=True)]


# --- what is taken into the problem: the bracket alone, the next one, or everyone below


def alone(criteria: Criteria, bracket: Bracket, floaters: int, count: int) -> Settled:
    """The first best candidate by the members alone: ``count`` of the positions ``floaters`` float."""
    graph = bracket.graph
    if count:
        gone = ((1 << count) - 1) << bracket.size
        graph = [row | gone if floaters >> u & 1 else row for u, row in enumerate(graph)]
        graph += [floaters] * count
    kinds = Kinds(criteria, bracket, [FLOAT] * count, floaters if count else 0)
    return first_candidate(Model(bracket, graph, kinds))


def with_all_below(criteria: Criteria, bracket: Bracket, next_end: int, adjacent: list[int]) -> Settled:
    """By the bracket, everyone below it, and the bye: completion [C4] is a perfect matching.

    The next scoregroup ends before ``next_end``; with the bracket's own end there is no look-ahead.
    """
    field, start = bracket.field, bracket.end
    below = list(range(start, len(adjacent)))
    outside = [NEXT if v < next_end else REST if v < field.n else BYE for v in below]
    kinds = Kinds(criteria, bracket, outside, next_score=field.score[next_end - 1])
    graph = graph_of(adjacent, bracket.members, bracket.came_down, below, start)
    return first_candidate(Model(bracket, graph, kinds))


def with_next(criteria: Criteria, bracket: Bracket, next_end: int, adjacent: list[int]) -> Settled:
    """[2017] By the bracket, the next scoregroup, and for everybody a vertex to float on to from there.

    What becomes of those is not asked here. If the next bracket is the last, nobody may be left there
    without the bye (C.2); such ends are the worst, not forbidden, so the bye may go to nobody.
    """
    field, start = bracket.field, bracket.end
    last_follows = start < next_end == field.n
    bye = last_follows and field.n % 2 == 1
    near = list(range(start, next_end)) + [field.n] * bye
    total = bracket.size + len(near)
    outside = [NEXT] * (next_end - start) + [BYE] * bye + [STUCK if last_follows else REST] * total
    kinds = Kinds(criteria, bracket, outside, next_score=field.score[next_end - 1])
    graph = graph_of(adjacent, bracket.members, bracket.came_down, near, start)
    graph = moved_down_apart(graph, bracket.came_down)
    everyone = (1 << total + total) - 1
    leave = everyone >> total << total
    graph = [row | leave for row in graph]
    graph += [everyone & ~(1 << exit) for exit in range(total, total + total)]
    return first_candidate(Model(bracket, graph, kinds))


# --- Article 4 as questions to a graph of edges that are all equally good


def first_candidate(model: Model) -> Settled:
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
        rest = [v for v in range(self.moved_down, self.size) if players >> v & 1]
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
        pairs = sum(1 for v in players if mate[v] < self.size) // 2
        others = bits(alive & ~mask_of(players))
        first = self._general
        if self.simple:  # a moved-down player who floats needs the only vertex outside
            others, first = [v for v in others if self.moved_down <= mate[v] < self.size], self._bipartite
        if not first(mate, players[:pairs], players[pairs:], others):
            upper, lower = self._exchange(mate, players, pairs, others)
            if not first(mate, upper, lower, others):
                raise AssertionError("the exchange was made so that this is possible")

    def _bipartite(self, mate: list[int], upper: list[int], lower: list[int], others: list[int]) -> bool:
        """[4.2] The first transposition, the one who floats counting as the last of S1."""
        left = upper + others
        chosen = first_assignment(self.tight, left, lower)
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


# --- Article 4 by weights: exchanges between S1 and S2 (4.3, D.2) ranked by one number, then all levels


def exchange_prices(players: int, pairs: int) -> tuple[list[int], list[int], int]:
    """What it costs to move each player of the remainder, the first ``pairs`` being S1: from S1 to S2, and
    from S2 to S1. And the room in bits that the prices of one exchange take.

    From the top a price holds: one for a player moved down, counting the exchange; the difference of
    sequence numbers; one bit for each player of S1, then of S2. These bits are rewards: they lower a cost
    that the difference has already made positive.
    """
    difference_bits = (players * players).bit_length() + 1
    tie_bits = 2 * players
    one_exchange = 1 << difference_bits
    s1, everyone = range(1, pairs + 1), range(1, players + 1)
    down = [((one_exchange - number) << tie_bits) - (1 << (players + number)) for number in s1]
    up = [(number << tie_bits) - (1 << (players - number)) for number in everyone]
    return down, up, tie_bits + 2 * difference_bits + 2


class ExchangeWeights:
    """The ranking as weights of a matching problem, row by row as they are asked for.

    Vertices are S1, S2, and whatever else up to ``total``.
    """

    def __init__(self, players: int, pairs: int, total: int) -> None:
        self.players, self.pairs, self.total = players, pairs, total
        self.down, self.up, self.room = exchange_prices(players, pairs)
        self._rows: dict[int, list[int]] = {}

    def __getitem__(self, u: int) -> list[int]:
        row = self._rows.get(u)
        if row is None:
            row = self._rows[u] = self._row(u)
        return row

    def _row(self, u: int) -> list[int]:
        players, pairs, total, down, up = self.players, self.pairs, self.total, self.down, self.up
        if u >= players:
            return [-2 * price for price in down] + [0] * (total - pairs)
        if u < pairs:
            inner = [-2 * down[max(u, v)] for v in range(pairs)]
            return inner + [0] * (players - pairs) + [-2 * down[u]] * (total - players)
        return [0] * pairs + [-2 * up[min(u, v)] for v in range(pairs, players)] + [0] * (total - players)


Extra = Callable[[int, int], int]
"""Penalty below all criteria for an edge of two members; -1 stands for any vertex outside the bracket."""


def first_by_weights(model: Model, graph: list[int], duals: list[int], mate: list[int]) -> list[int]:
    """Mates of the first best candidate; ``graph`` holds all the best, ``mate`` is one of them.

    ``duals`` are twice what is feasible for twice the penalties.
    """
    adjacent = graph.copy()
    fixed: set[int] = set()
    for first, end in model.choosers:
        if first < end:
            mate = _choosers(model, adjacent, duals, first, end, fixed)
    return _remainder(model, adjacent, duals, mate, fixed)


def _best(model: Model, adjacent: list[int], duals: list[int], extra: Extra, room: int) -> list[int]:
    """Mates of a perfect matching with the least penalty, ``extra`` (below 2**room) deciding ties."""
    n = len(adjacent)
    prices = [[-2 * (price << room) for price in row] for row in model.cost]
    weights = [_row(model, adjacent[u], u, extra, prices[model.kind[u]]) for u in range(n)]
    y = [dual << room - 1 for dual in duals]
    tight = []
    for mine, row in zip(y, weights, strict=True):
        tight.append(mask_of([v for v, weight in row.items() if mine + y[v] == weight]))
    mate = [-1] * n
    maximise(tight, mate, (1 << n) - 1)
    Solver(adjacent, list(range(n)), weights, y, mate).solve()
    return mate


def _row(model: Model, near: int, u: int, extra: Extra, prices: list[int]) -> dict[int, int]:
    """Weights of the edges of a vertex."""
    size, kind = model.size, model.kind
    row = {v: prices[kind[v]] for v in bits(near)}
    inside = bits(near & (1 << size) - 1)
    if u >= size:
        for v in inside:
            row[v] -= 2 * extra(v, -1)
        return row
    leaving = 2 * extra(u, -1)
    if leaving:
        for v in bits(near >> size):
            row[v + size] -= leaving
    for v in inside:
        row[v] -= 2 * extra(u, v)
    return row


def _choosers(
    model: Model, adjacent: list[int], duals: list[int], first: int, end: int, fixed: set[int]
) -> list[int]:
    """[4.4, 4.2] The first set of moved-down players, and their first opponents; fixed in ``adjacent``."""
    size = model.size
    mate = _best(model, adjacent, duals, *_chooser_digits(first, end, size))
    residents = ((1 << size) - 1) >> end << end
    for u in range(first, end):
        v = mate[u]
        if u in fixed:
            continue
        if residents >> v & 1:
            for w in range(len(adjacent)):
                adjacent[w] &= ~(1 << u | 1 << v)
            adjacent[u], adjacent[v] = 1 << v, 1 << u
            fixed |= {u, v}
        else:
            adjacent[u] &= ~residents
            for w in range(end, size):
                adjacent[w] &= ~(1 << u)
    return mate


def _chooser_digits(first: int, end: int, size: int) -> tuple[Extra, int]:
    """One bit for each moved-down player who is not paired here, the first the highest (4.4); below them one
    digit for the opponent of each (4.2)."""
    digit = size.bit_length()
    count = end - first
    opponents = digit * count

    def unpaired(u: int) -> int:
        return 1 << opponents + (end - 1 - u)

    def extra(u: int, v: int) -> int:
        if u > v >= 0:
            u, v = v, u
        if not first <= u < end:
            return 0
        if v >= end:
            return (v - end) << digit * (end - 1 - u)
        return unpaired(u) + (unpaired(v) if v >= 0 else 0)

    return extra, opponents + count + 1


def _remainder(
    model: Model, adjacent: list[int], duals: list[int], mate: list[int], fixed: set[int]
) -> list[int]:
    """[4.3, 4.2] The first exchange between S1 and S2 of the remainder, then the first transposition."""
    size = model.size
    players = [v for v in range(model.moved_down, size) if v not in fixed]
    pairs = sum(1 for v in players if mate[v] < size) // 2
    if not pairs:
        return mate
    mate = _best(model, adjacent, duals, *_exchange_digits(players, pairs))
    s1 = [v for v in players if v < mate[v] < size]
    s2 = [v for v in players if v not in set(s1)]
    first, second = mask_of(s1), mask_of(s2)
    for v in s1:
        adjacent[v] &= second
    for v in s2:
        adjacent[v] &= ~second
    for w in range(size, len(adjacent)):
        adjacent[w] &= ~first
    return _best(model, adjacent, duals, *_transposition_digits(s1, s2))


def _exchange_digits(players: list[int], pairs: int) -> tuple[Extra, int]:
    """[4.3] What a pair inside S1 or S2, or an S1 player who floats, adds to the exchange."""
    place, outside = {v: k for k, v in enumerate(players)}, len(players)
    weights = ExchangeWeights(outside, pairs, outside + 1)

    def extra(u: int, v: int) -> int:
        return -weights[place.get(u, outside)][place.get(v, outside)] // 2

    return extra, weights.room


def _transposition_digits(s1: list[int], s2: list[int]) -> tuple[Extra, int]:
    """[4.2] One digit for the opponent of each S1 player, the first the highest."""
    upper, lower = ({v: k for k, v in enumerate(side)} for side in (s1, s2))
    digit = (len(s1) + len(s2)).bit_length()

    def extra(u: int, v: int) -> int:
        if u not in upper:
            u, v = v, u
        if u in upper and v in lower:
            return lower[v] << digit * (len(s1) - 1 - upper[u])
        return 0

    return extra, digit * len(s1) + 1
