"""The graph whose perfect matchings are the candidates of a bracket.

Vertices are the members of the bracket in the order of their sequence numbers (4.1: moved-down players,
then residents), and behind them whatever a downfloater may go to. An edge inside the bracket is a pair of
the candidate; an edge that leaves it is a downfloater. Vertices that are alike for every criterion form a
kind, and the packed penalty of an edge depends on the two kinds only.
"""

from collections.abc import Sequence

from paircard.pairing.dutch.criteria import Criteria
from paircard.pairing.dutch.field import ANY_FLOAT, DOWN, DOWN_BEFORE, UP, UP_BEFORE, Field
from paircard.pairing.matching.bits import bits
from paircard.pairing.matching.transport import bound
from paircard.pairing.matching.weighted import Solver, Unmatchable

NEXT, REST, BYE, FLOAT, STUCK = range(5)
"""What a vertex outside the bracket is: a player of the next scoregroup or below it, the bye, or, where
nobody asks what becomes of a downfloater, just a place to go to (STUCK where rules forbid it)."""


class Gap(Exception):
    """This way of looking at a bracket does not decide it."""


class Model:
    """One bracket as a matching problem; ``cost`` is the packed penalty of a pair of kinds."""

    def __init__(
        self, size: int, moved_down: int, adjacent: list[int], kinds: "Kinds", cost: list[list[int]]
    ) -> None:
        self.size = size
        self.moved_down = moved_down
        self.adjacent = adjacent
        self.kind = kinds.kind
        self.masks = kinds.masks
        self.cost = cost
        duals = bound(cost, kinds.many, kinds.criteria.never)
        if duals is None:
            raise Gap
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
        """Go on from the bound with a weighted search, or ``Gap`` if no perfect matching exists.

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
            raise Gap from None
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


class Kinds:
    """Vertices sorted into kinds, with the penalties between them."""

    def __init__(
        self,
        field: Field,
        criteria: Criteria,
        members: list[int],
        moved_down: int,
        outside: list[int],
        floaters: int | None = None,
    ) -> None:
        """``outside`` says what the vertices outside the bracket are.

        ``floaters`` (by place) may leave; without them nobody asks who. What cannot matter is left out of a
        kind: float records of a bracket nobody leaves, upfloats where nobody moved down.
        """
        self.field = field
        self.criteria = criteria
        looks, score = field.looks, field.score
        mattering = ~ANY_FLOAT | (DOWN | DOWN_BEFORE if floaters or floaters is None else 0)
        keys: list[object] = [(looks[i] & mattering, score[i]) for i in members[:moved_down]]
        if moved_down:
            mattering |= UP | UP_BEFORE
        keys += [looks[i] & mattering for i in members[moved_down:]]
        if criteria.collapsed:
            residents = zip(keys[moved_down:], members[moved_down:], strict=True)
            keys[moved_down:] = [(key, score[i], None) for key, i in residents]  # None: unlike any above
        if criteria.nines:
            keys = [(key, field.unplayed[i]) for key, i in zip(keys, members, strict=True)]
        if floaters and floaters.bit_count() < len(members):
            keys = [(key, floaters >> place & 1) for place, key in enumerate(keys)]
        known: dict[object, int] = {}
        self.kind = kind = [known.setdefault(key, len(known)) for key in keys]
        self.moved = max(kind[:moved_down], default=-1) + 1
        """Kinds of moved-down players: these are the first."""
        self.inside = len(known)
        """Kinds of members."""
        self.outside = list(dict.fromkeys(outside))
        place = {what: k for k, what in enumerate(self.outside, self.inside)}
        self.kind += [place[what] for what in outside]
        self.masks = [0] * (self.inside + len(self.outside))
        self.examples = [-1] * self.inside
        for v, k in enumerate(self.kind):
            self.masks[k] |= 1 << v
        for i, k in zip(reversed(members), reversed(kind[: len(members)]), strict=True):
            self.examples[k] = i
        self.many = [mask.bit_count() for mask in self.masks]

    def cost(self, next_score: int = 0) -> list[list[int]]:
        """Packed penalties between kinds, ``Criteria.never`` where no two may meet."""
        f, c = self.field, self.criteria
        colour, score, colours = f.clashes.of, f.score, c.prices()
        many, examples, inside, moved = self.many, self.examples, self.inside, self.moved
        rows = [[c.never] * len(many) for _ in many]
        for a, i in enumerate(examples):
            row, clash, mine = rows[a], f.clashes.row(colour[i]), score[i]
            for b in range(max(a + (many[a] == 1), moved), inside):
                j = examples[b]
                price = colours[clash[colour[j]]]
                if mine != score[j]:
                    price += c.upfloat(i, j) if i < j else c.upfloat(j, i)
                row[b] = rows[b][a] = price
        if self.outside:
            self._price_leaving(rows, next_score)
        return rows

    def _price_leaving(self, rows: list[list[int]], next_score: int) -> None:
        """The penalties of leaving the bracket, and of what is outside it."""
        f, c, many, inside = self.field, self.criteria, self.many, self.inside
        leave = [c.downfloat(i) for i in self.examples]
        onward = leave
        if c.looks_ahead:
            onward = [
                price + c.next_downfloat(f.score[i]) for price, i in zip(leave, self.examples, strict=True)
            ]
        for a in range(self.moved):  # they never meet here (2026 3.2); both float on
            for b in range(a + (many[a] == 1), self.moved):
                rows[a][b] = rows[b][a] = onward[a] + onward[b]
        for b, what in enumerate(self.outside, inside):
            stuck = c.next_illegal() if what == STUCK else 0
            for a, i in enumerate(self.examples):
                if what == NEXT:
                    price = leave[a] + c.next_pair(f.score[i])
                else:
                    price = onward[a] + stuck + (c.bye(i) if what in (BYE, FLOAT) else 0)
                rows[a][b] = rows[b][a] = price
            for a, other in enumerate(self.outside[: b - inside + 1], inside):
                if a == b and many[a] == 1:
                    continue
                price = c.next_downfloat(next_score) + stuck if (other == NEXT) != (what == NEXT) else 0
                rows[a][b] = rows[b][a] = price


def bracket_model(
    field: Field,
    criteria: Criteria,
    members: list[int],
    moved_down: int,
    pairs: list[int],
    floaters: int,
    many: int,
) -> Model:
    """The members alone with their legal ``pairs``, and a vertex for each of so ``many`` downfloaters, open
    to ``floaters``."""
    size = len(members)
    graph = pairs.copy()
    kinds = Kinds(field, criteria, members, moved_down, [FLOAT] * many, floaters if many else 0)
    cost = kinds.cost()
    never = criteria.never
    for a in range(kinds.moved):
        for b in range(kinds.moved):
            cost[a][b] = never
    if many:
        gone = ((1 << many) - 1) << size
        for u in bits(floaters):
            graph[u] |= gone
        graph += [floaters] * many
        cost[-1][-1] = never
        for a, mask in enumerate(kinds.masks[:-1]):
            if not floaters & mask:
                cost[-1][a] = cost[a][-1] = never
    return Model(size, moved_down, graph, kinds, cost)


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
    places = list(range(start, len(adjacent)))
    outside = [NEXT if v < next_end else REST if v < field.n else BYE for v in places]
    kinds = Kinds(field, criteria, members, moved_down, outside)
    graph = graph_of(adjacent, members, moved_down, places, start)
    return Model(len(members), moved_down, graph, kinds, kinds.cost(field.score[next_end - 1]))


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
    there without the bye (2017 C.2); such ends are the worst, not forbidden, so the bye may go to nobody.
    """
    near = list(range(start, next_end)) + [field.n] * bye
    outside = [NEXT] * (next_end - start) + [BYE] * bye + [STUCK if strict else REST] * places
    kinds = Kinds(field, criteria, members, moved_down, outside)
    graph = apart(graph_of(adjacent, members, moved_down, near, start), moved_down)
    total = len(graph)
    leave = ((1 << places) - 1) << total
    free = total if strict else total - bye
    anyone = (1 << free) - 1
    graph = [row | leave if u < free else row for u, row in enumerate(graph)]
    graph += [anyone | leave & ~(1 << total + k) for k in range(places)]
    return Model(len(members), moved_down, graph, kinds, kinds.cost(field.score[next_end - 1]))


def apart(graph: list[int], moved_down: int) -> list[int]:
    """[2026 3.2] Moved-down players never meet in the bracket they came into."""
    residents = ~((1 << moved_down) - 1)
    return [row & residents for row in graph[:moved_down]] + graph[moved_down:]


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
