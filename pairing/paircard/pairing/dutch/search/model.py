"""The graph whose perfect matchings are the candidates of a bracket.

Vertices are the members of the bracket in the order of their sequence numbers (4.1: moved-down players,
then residents), and behind them whatever a downfloater may go to. An edge inside the bracket is a pair of
the candidate; an edge that leaves it is a downfloater. Vertices that are alike for every criterion form a
kind, and the packed penalty of an edge depends on the two kinds only.
"""

from collections.abc import Sequence
from typing import Final

from paircard.pairing.dutch.criteria import Criteria
from paircard.pairing.dutch.field import ANY_FLOAT, DOWN, DOWN_BEFORE, UP, UP_BEFORE
from paircard.pairing.dutch.search.bracket import Bracket, graph_of, moved_down_apart
from paircard.pairing.matching.cardinality import bits
from paircard.pairing.matching.transport import bound
from paircard.pairing.matching.weighted import Solver, Unmatchable

# --- players alike for every criterion form a kind: the penalty of an edge depends on the two kinds only


NEXT, REST, BYE, FLOAT, STUCK = range(5)
"""What a vertex outside the bracket is: a player of the next scoregroup or below it, the bye, or, where
nobody asks what becomes of a downfloater, just a place to go to (STUCK where rules forbid it)."""

RESIDENT: Final = -1
"""In the place of the score of a moved-down player."""

KindKey = tuple[int, int, int, int]
"""Colours and floats as far as they matter; score of a moved-down player, ``RESIDENT`` for the others, their
negated score in a collapsed bracket; unplayed games where C9 counts; whether the player may float."""


def kind_keys(criteria: Criteria, bracket: Bracket, floaters: int | None) -> list[KindKey]:
    """What tells the members apart. What cannot matter is left out: downfloats of a bracket nobody leaves,
    upfloats where nobody moved down. ``floaters`` may leave; None: nobody asks who."""
    field, members, moved_down = bracket.field, bracket.members, bracket.moved_down
    downfloats = DOWN | DOWN_BEFORE if floaters or floaters is None else 0
    upfloats = UP | UP_BEFORE if moved_down or bracket.added else 0
    above_matters = ~ANY_FLOAT | downfloats
    matters = above_matters | upfloats
    looks = [field.colours_and_floats[i] & above_matters for i in members[:moved_down]]
    looks += [field.colours_and_floats[i] & matters for i in members[moved_down:]]
    score = [field.score[i] for i in members[:moved_down]]
    if criteria.mixed:
        score += [~field.score[i] for i in members[moved_down:]]
    else:
        score += [RESIDENT] * (bracket.size - moved_down)
    nothing = [0] * bracket.size
    unplayed = [field.unplayed[i] for i in members] if criteria.counts_c9 else nothing
    some_float = bool(floaters) and floaters != bracket.everyone
    may_float = [(floaters or 0) >> u & 1 for u in range(bracket.size)] if some_float else nothing
    return list(zip(looks, score, unplayed, may_float, strict=True))


class Kinds:
    """The vertices of a bracket sorted into kinds, with the penalties between them."""

    def __init__(
        self, criteria: Criteria, bracket: Bracket, outside: list[int], floaters: int | None = None
    ) -> None:
        """``outside`` says what the vertices outside the bracket are; ``floaters`` (positions) may leave."""
        self.field = bracket.field
        self.criteria = criteria
        known: dict[KindKey, int] = {}
        keys = kind_keys(criteria, bracket, floaters)
        self.kind = [known.setdefault(key, len(known)) for key in keys]
        """Kind of each vertex."""
        self.moved = max(self.kind[: bracket.moved_down], default=-1) + 1
        """Kinds of moved-down players: these are the first."""
        self.inside = len(known)
        """Kinds of members."""
        self.outside = list(dict.fromkeys(outside))
        """What the kinds of vertices outside the bracket are."""
        self.examples = [-1] * self.inside
        """The first player of each kind."""
        for i, k in zip(reversed(bracket.members), reversed(self.kind), strict=True):
            self.examples[k] = i
        kind_of = {what: k for k, what in enumerate(self.outside, self.inside)}
        self.kind += [kind_of[what] for what in outside]
        self.masks = [0] * (self.inside + len(self.outside))
        """Vertices of each kind."""
        for v, k in enumerate(self.kind):
            self.masks[k] |= 1 << v
        self.count = [mask.bit_count() for mask in self.masks]

    def cost(self, next_score: int = 0) -> list[list[int]]:
        """Packed penalties between kinds, ``Criteria.never`` where no two may meet."""
        f, c = self.field, self.criteria
        colour, score, colours = f.clashes.of, f.score, c.colours()
        count, examples, inside, moved = self.count, self.examples, self.inside, self.moved
        rows = [[c.never] * len(count) for _ in count]
        for a, i in enumerate(examples):
            row, clash, mine = rows[a], f.clashes.row(colour[i]), score[i]
            for b in range(max(a + (count[a] == 1), moved), inside):
                j = examples[b]
                price = colours[clash[colour[j]]]
                if mine != score[j]:
                    price += c.upfloat(i, j) if i < j else c.upfloat(j, i)
                elif mine == c.s1_score:
                    price += c.within_s1()
                row[b] = rows[b][a] = price
        if self.outside:
            self._price_leaving(rows, next_score)
        return rows

    def _price_leaving(self, rows: list[list[int]], next_score: int) -> None:
        """The penalties of leaving the bracket, and of what is outside it."""
        f, c, count, inside = self.field, self.criteria, self.count, self.inside
        leave = [c.downfloat(i) for i in self.examples]
        onward = leave
        if c.looks_ahead:
            onward = [
                price + c.c8_downfloat(f.score[i]) for price, i in zip(leave, self.examples, strict=True)
            ]
        for a in range(self.moved):  # they never meet here (2026 3.2); both float on
            for b in range(a + (count[a] == 1), self.moved):
                rows[a][b] = rows[b][a] = onward[a] + onward[b]
        for b, what in enumerate(self.outside, inside):
            stuck = c.c8_illegal() if what == STUCK else 0
            for a, i in enumerate(self.examples):
                if what == NEXT:
                    price = leave[a] + c.c8_pair(f.score[i])
                else:
                    price = onward[a] + stuck + (c.c9_unplayed_games(i) if what in (BYE, FLOAT) else 0)
                rows[a][b] = rows[b][a] = price
            for a, other in enumerate(self.outside[: b - inside + 1], inside):
                if a == b and count[a] == 1:
                    continue
                price = c.c8_downfloat(next_score) + stuck if (other == NEXT) != (what == NEXT) else 0
                rows[a][b] = rows[b][a] = price


class NotDecided(Exception):
    """This route does not decide the bracket."""


class Model:
    """One bracket as a matching problem; ``cost`` is the packed penalty of a pair of kinds."""

    def __init__(self, bracket: Bracket, adjacent: list[int], kinds: Kinds, cost: list[list[int]]) -> None:
        self.size = bracket.size
        self.moved_down = bracket.moved_down
        self.choosers = bracket.choosers
        self.adjacent = adjacent
        self.kind = kinds.kind
        self.masks = kinds.masks
        self.cost = cost
        duals = bound(cost, kinds.count, kinds.criteria.never)
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


def bracket_model(criteria: Criteria, bracket: Bracket, floaters: int, count: int) -> Model:
    """The members alone, and a vertex for each of ``count`` downfloaters, open to ``floaters``."""
    graph = bracket.graph.copy()
    kinds = Kinds(criteria, bracket, [FLOAT] * count, floaters if count else 0)
    cost = kinds.cost()
    never = criteria.never
    forbid_moved_down_pairs(cost, kinds)
    if count:
        gone = ((1 << count) - 1) << bracket.size
        for u in bits(floaters):
            graph[u] |= gone
        graph += [floaters] * count
        cost[-1][-1] = never
        for a, mask in enumerate(kinds.masks[:-1]):
            if not floaters & mask:
                cost[-1][a] = cost[a][-1] = never
    return Model(bracket, graph, kinds, cost)


def forbid_moved_down_pairs(cost: list[list[int]], kinds: Kinds) -> None:
    """[2026 3.2] No two moved-down players meet."""
    for a in range(kinds.moved):
        for b in range(kinds.moved):
            cost[a][b] = kinds.criteria.never


def whole_model(criteria: Criteria, bracket: Bracket, next_end: int, adjacent: list[int]) -> Model:
    """The bracket, everyone below it, and the bye: completion [C4] is a perfect matching.

    The next scoregroup ends before ``next_end``; with the bracket's own end there is no look-ahead.
    """
    field, start = bracket.field, bracket.end
    below = list(range(start, len(adjacent)))
    outside = [NEXT if v < next_end else REST if v < field.n else BYE for v in below]
    kinds = Kinds(criteria, bracket, outside)
    graph = graph_of(adjacent, bracket.members, bracket.came_down, below, start)
    return Model(bracket, graph, kinds, kinds.cost(field.score[next_end - 1]))


def next_bracket_model(
    criteria: Criteria, bracket: Bracket, next_end: int, adjacent: list[int], exits: int
) -> Model:
    """[2017] The bracket, the next scoregroup, and ``exits`` vertices for those who float on from there.

    What becomes of those is not asked here. If the next bracket is the last, nobody may be left there
    without the bye (C.2); such ends are the worst, not forbidden, so the bye may go to nobody.
    """
    field, start = bracket.field, bracket.end
    last_follows = start < next_end == field.n
    bye = last_follows and field.n % 2 == 1
    near = list(range(start, next_end)) + [field.n] * bye
    outside = [NEXT] * (next_end - start) + [BYE] * bye + [STUCK if last_follows else REST] * exits
    kinds = Kinds(criteria, bracket, outside)
    graph = graph_of(adjacent, bracket.members, bracket.came_down, near, start)
    graph = moved_down_apart(graph, bracket.came_down)
    total = len(graph)
    leave = ((1 << exits) - 1) << total
    anyone = (1 << total) - 1
    graph = [row | leave for row in graph]
    graph += [anyone | leave & ~(1 << total + k) for k in range(exits)]
    return Model(bracket, graph, kinds, kinds.cost(field.score[next_end - 1]))
