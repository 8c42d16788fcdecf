"""Small brackets, whose candidates are looked at one by one: until an ideal one is found, or all of them."""

from collections.abc import Callable, Iterable, Iterator, Sequence
from functools import lru_cache
from typing import Final

from paircard.pairing.dutch.criteria import Criteria, exchange, generation_key
from paircard.pairing.dutch.field import BLACK, STRONG, WHITE, Field
from paircard.pairing.dutch.graphs import Bracket, Completion, graph_of, moved_down_apart
from paircard.pairing.matching.cardinality import augment, mask_of, maximise


class TooMany(Exception):
    """Looking at them all would take too long."""


# --- the candidate that nothing could be better than
#
# Preferences alone tell how many pairs must clash in any candidate (C12, C13), and who may float what
# floating costs at least. A candidate that costs no more is a best one, and the search, going in the order in
# which candidates are generated, stops at the first. Where no such candidate exists, or it is not found soon,
# the answer is left to other routes.


Continuation = Callable[[int, int], bool]
"""Called with the remaining players and the remaining budget; whether it succeeds."""

LARGEST_EXCHANGED: Final = 12
"""Players of the largest remainder in which exchanges are tried."""
STEPS: Final = 80
"""Steps after which the search is given up."""


def exchanges(players: int, pairs: int) -> Iterator[tuple[int, ...]]:
    """[4.3] Every S1 whose players have opponents below them; mostly only the first is asked for."""
    yield tuple(range(pairs))
    if players <= LARGEST_EXCHANGED:
        yield from _later_exchanges(players, pairs)


@lru_cache(maxsize=LARGEST_EXCHANGED * LARGEST_EXCHANGED)
def _later_exchanges(players: int, pairs: int) -> list[tuple[int, ...]]:
    """All but the first, in order."""
    unpaired = players - 2 * pairs
    every: list[tuple[int, ...]] = [()]
    for k in range(pairs):
        every = [
            (*s1, place) for s1 in every for place in range(s1[-1] + 1 if s1 else 0, 2 * k + unpaired + 1)
        ]
    return sorted(every, key=exchange)[1:]


def least_colour_penalty(field: Field, criteria: Criteria, members: Sequence[int]) -> int:
    """[C12, C13] What clashes cost in any candidate: more are due one colour than there are pairs.

    Two absolute preferences that clash (of topscorers) do not fail C13, but C10 or C11, which is dearer.
    """
    pairs, floats = len(members) // 2, len(members) % 2
    due, strength = field.due, field.strength
    penalty = 0
    for colour in (WHITE, BLACK):
        same = [strength[i] for i in members if due[i] == colour]
        too_many = len(same) - floats - pairs
        if too_many > 0:
            penalty += too_many * criteria.worth("C12")
            too_many = len([one for one in same if one >= STRONG]) - floats - pairs
            if too_many > 0:
                penalty += too_many * sum([criteria.worth(name) for name in ("C13", "A7d", "Z")])
    return penalty


class IdealSearch:
    """The search in one bracket."""

    def __init__(self, bracket: Bracket, criteria: Criteria, floaters: int) -> None:
        """``floaters`` are the positions that may float."""
        self.size, self.moved_down, self.graph = bracket.size, bracket.moved_down, bracket.graph
        self.members, self.criteria = bracket.members, criteria
        self.residents = bracket.everyone >> self.moved_down << self.moved_down
        self.steps = 0
        self.mate = [self.size] * self.size
        self.budget = least_colour_penalty(bracket.field, criteria, bracket.members)
        self.cheapest_floaters = 0
        if self.size % 2:
            costs = {u: criteria.leaving(i) for u, i in enumerate(bracket.members) if floaters >> u & 1}
            cheapest = min(costs.values(), default=0)
            self.cheapest_floaters = mask_of([u for u, cost in costs.items() if cost == cheapest])

    def mates(self) -> list[int] | None:
        """Mates of the first such candidate, a downfloater's being ``size``; None if it is not found soon."""
        if self.size % 2 and not self.cheapest_floaters & self.residents:
            return None
        moved = list(range(self.moved_down))
        try:
            found = self._opponents(moved, self.residents, self.budget, self._remainder)
        except TooMany:
            return None
        return self.mate if found else None

    def _opponents(self, upper: list[int], rest: int, budget: int, then: Continuation) -> bool:
        """[4.2] The lowest opponents of these, one after the other, so that the continuation succeeds."""
        if not upper:
            return then(rest, budget)
        u, *others = upper
        i, price = self.members[u], self.criteria.pair
        # [2017 C.6] what a moved-down player costs with anyone says nothing against a candidate
        left = budget + (self.criteria.unavoidable(i) if u < self.moved_down else 0)
        choice = self.graph[u] & rest & -(1 << u)
        while choice:
            low = choice & -choice
            choice ^= low
            v = low.bit_length() - 1
            spare = left - price(i, self.members[v])
            if spare >= 0:
                self.steps += 1
                if self._opponents(others, rest ^ low, spare, then):
                    self.mate[u], self.mate[v] = v, u
                    return True
                if self.steps >= STEPS:
                    raise TooMany
        return False

    def _remainder(self, rest: int, budget: int) -> bool:
        """[4.3] S1 and S2 in the order of exchanges."""
        players = [v for v in range(self.moved_down, self.size) if rest >> v & 1]
        for places in exchanges(len(players), len(players) // 2):
            s1 = [players[place] for place in places]
            if self._opponents(s1, rest & ~mask_of(s1), budget, self._float):
                return True
        if len(players) > LARGEST_EXCHANGED:
            raise TooMany  # an exchange comes before other opponents of the moved-down players
        return False

    def _float(self, rest: int, _: int) -> bool:
        """The player left at the end floats."""
        return not rest or bool(rest & self.cheapest_floaters)


# --- every candidate of a bracket, where legal pairs are few
#
# First by who floats: fewest (C6), of the lowest scores (C7), so that everybody below can be paired together
# with them (C4), then by what becomes of the next bracket (C8). Mostly a single candidate is left by then; if
# not, the other criteria choose, and the order of Article 4 between equals. In 2017 these are C.4–C.7.


Pairs = tuple[tuple[int, int], ...]
"""Members by position, the upper one first; a downfloater is paired with the vertex behind all members."""

MOST_STEPS: Final = 200
"""Steps after which a bracket has too many candidates to list."""


def list_candidates(graph: Sequence[int], floaters: int) -> dict[int, list[Pairs]]:
    """Every way to pair all but ``floaters`` players, by the set of players who are left."""
    size = len(graph)
    found: dict[int, list[Pairs]] = {}
    steps = 0

    def go_on(rest: int, left: int, out: int, pairs: Pairs) -> None:
        nonlocal steps
        if not rest:
            if not left:
                found.setdefault(out, []).append(pairs)
            return
        steps += 1
        if steps > MOST_STEPS:
            raise TooMany
        u = hardest(graph, rest)
        me = 1 << u
        rest ^= me
        if left:
            go_on(rest, left - 1, out | me, (*pairs, (u, size)))
        mates = graph[u] & rest
        while mates:
            low = mates & -mates
            mates ^= low
            v = low.bit_length() - 1
            go_on(rest ^ low, left, out, (*pairs, (u, v) if u < v else (v, u)))

    go_on((1 << size) - 1, floaters, 0, ())
    return found


def hardest(graph: Sequence[int], rest: int) -> int:
    """The vertex with the fewest partners left."""
    fewest, hardest, others = len(graph), 0, rest
    while others:
        low = others & -others
        others ^= low
        u = low.bit_length() - 1
        partners = (graph[u] & rest).bit_count()
        if partners < fewest:
            fewest, hardest = partners, u
            if partners < 2:
                break
    return hardest


Left = tuple[int, int, list[int]]
"""[C8] Players left by the next bracket: how many against the rules (2017 C.2), how many in all, and the
scores of those who moved down into it."""

MOST_SETS: Final = 12
"""Sets of downfloaters whose next bracket is looked at one by one."""


class Listed:
    """The candidates of one bracket; ``complete`` asks for the completion of the round [C4]."""

    def __init__(self, bracket: Bracket, completion: Completion, complete: bool) -> None:
        self.bracket = bracket
        self.field = bracket.field
        self.completion = completion
        self.complete = complete
        self.by_floaters: dict[int, list[Pairs]] = {}
        """The candidates listed last, by the positions of those they leave."""

    # --- who floats

    def with_at_most_one_of(self, floaters: int) -> list[Pairs]:
        """Candidates that leave nobody, or one of these positions."""
        self.by_floaters = list_candidates(self.bracket.graph, self.bracket.size % 2)
        return self.with_floaters([one for one in self.by_floaters if not one or one & floaters])

    def with_floaters(self, sets: Iterable[int]) -> list[Pairs]:
        """The listed candidates that leave one of these sets."""
        return [pairs for positions in sets for pairs in self.by_floaters[positions]]

    def best_floaters(self, collapsed: bool = False) -> list[int]:
        """[C4, C6, C7] The sets of downfloaters, by position, that nothing before C8 tells apart."""
        return next((able for sets in self.levels(collapsed) if (able := self._c4_completable(sets))), [])

    def levels(self, collapsed: bool = False) -> Iterator[list[int]]:
        """[C6, C7] All sets of downfloaters, equally good ones together, the best ones first.

        In a ``collapsed`` bracket pairs count for C7 too: that is left to the penalties.
        """
        score = self.field.score
        for count in self._c6_counts():
            self.by_floaters = list_candidates(self.bracket.graph, count)
            by_scores: dict[tuple[int, ...], list[int]] = {}
            for positions in self.by_floaters:
                floaters = self.bracket.players(positions)
                scores = () if collapsed else tuple([score[i] for i in floaters])
                by_scores.setdefault(scores, []).append(positions)
            for scores in sorted(by_scores):
                yield by_scores[scores]

    def _c6_counts(self) -> Iterable[int]:
        """[C6] How many float, fewest first; by twos, since the others are paired."""
        size = self.bracket.size
        least = len(self.completion.exposed[self.bracket.end]) if self.complete else size % 2
        return range(least, size + 1, 2)

    def _c4_completable(self, sets: list[int]) -> list[int]:
        """[C4] Those sets that let the round be completed."""
        if not self.complete:
            return sets
        end = self.bracket.end
        return [one for one in sets if self.completion.completes(self.bracket.players(one), end)]

    # --- the first of the best

    def first_of_the_best(self, some: list[Pairs], counts_c9: bool, collapsed: bool = False) -> list[int]:
        """[C9–C21, Article 4] Mates of the first best one of these; a downfloater's is ``size``."""
        size = self.bracket.size
        if len(some) > 1:
            some = self._cheapest(some, counts_c9, collapsed)
        mate = [size] * size
        for u, v in self._first_generated(some):
            mate[u] = v
            if v < size:
                mate[v] = u
        return mate

    def _cheapest(self, some: list[Pairs], counts_c9: bool, collapsed: bool) -> list[Pairs]:
        """Those with the least penalty."""
        members, size = self.bracket.members, self.bracket.size
        criteria = Criteria(self.bracket, size + 1, (), counts_c9, collapsed)
        prices = {
            (u, v): criteria.leaving(members[u]) if v == size else criteria.pair(members[u], members[v])
            for u, v in {pair for pairs in some for pair in pairs}
        }
        totals = [sum([prices[pair] for pair in pairs]) for pairs in some]
        lowest = min(totals)
        return [pairs for pairs, total in zip(some, totals, strict=True) if total == lowest]

    def _first_generated(self, some: list[Pairs]) -> Pairs:
        """[Article 4] The candidate of these that is generated first."""
        if len(some) == 1:
            return some[0]
        size, moved_down, scores = self.bracket.size, self.bracket.moved_down, self.bracket.scores
        above, residents = range(moved_down), range(moved_down, size)
        return min(
            some,
            key=lambda pairs: generation_key(
                [pair for pair in pairs if pair[1] < size], above, residents, scores
            ),
        )

    # --- the next bracket [C8]

    def best_for_the_next(self, sets: list[int], group: int) -> list[int]:
        """[C8] Those that leave fewest unpaired in the bracket of that scoregroup, of the lowest scores."""
        if len(sets) < 2 or group == len(self.field.groups):
            return sets
        if len(sets) > MOST_SETS:
            raise TooMany
        judge = self._c8_left if self.complete else self._c7_left_2017
        values = [judge(self.bracket.players(one), group) for one in sets]
        best = min(values)
        return [one for one, value in zip(sets, values, strict=True) if value == best]

    def _c8_left(self, moved: list[int], group: int) -> Left:
        """[C8] Players left by the bracket of that scoregroup if these float into it, under completion."""
        start, end = self.field.groups[group]
        left = self._left(moved, start, end)
        if not self.completion.completes(left, end):
            after = self._next_bracket(moved, group)
            sets = (after.bracket.players(one) for level in after.levels() for one in level)
            left = next(left for left in sets if self.completion.completes(left, end))
        return 0, len(left), [self.field.score[i] for i in left if i < start]

    def _c7_left_2017(self, moved: list[int], group: int) -> Left:
        """[2017 C.7] Players left by it, completion apart; in the last bracket one must have the bye."""
        field = self.field
        start, end = field.groups[group]
        if end < field.n:
            left = self._left(moved, start, end)
            return 0, len(left), [field.score[i] for i in left if i < start]
        after = self._next_bracket(moved, group)
        first = next(after.levels())[0]
        left = after.bracket.players(first)
        sets = [after.bracket.players(one) for one in after.by_floaters] if field.n % 2 else []
        with_bye = [floaters for floaters in sets if any(field.may_have_pab[i] for i in floaters)]
        illegal = len(left) - bool(with_bye) if left else 0  # [2017 C.2]
        if left and with_bye:
            left = min(with_bye, key=lambda floaters: [field.score[i] for i in floaters])
        return illegal, len(left), [field.score[i] for i in left if i < start]

    def _next_bracket(self, moved: list[int], group: int) -> "Listed":
        """The next bracket, if these float into it and its candidates are few."""
        start, end = self.field.groups[group]
        bracket = Bracket(self.field, moved + list(range(start, end)), len(moved))
        if not bracket.has_few_pairs():
            raise TooMany
        return Listed(bracket, self.completion, self.complete)

    def _left(self, moved: list[int], start: int, end: int) -> list[int]:
        return left_unpaired(self.field.adjacent, moved, start, end)


def left_unpaired(adjacent: list[int], moved: list[int], start: int, end: int) -> list[int]:
    """[C6, C7] Players left at best by a bracket of these and the residents from ``start`` to ``end``.

    Which vertices of a graph a matching can reach is a matroid (J. Edmonds, D. R. Fulkerson 1965): to take
    the highest scores first is best. Moved-down players meet residents only.
    """
    members = moved + list(range(start, end))
    above, total = len(moved), len(members)
    graph = moved_down_apart(graph_of(adjacent, members, above, [], 0), above)
    everyone = (1 << total) - 1
    moved_down = (1 << above) - 1
    mate = [-1] * total
    across = graph[:above] + [row & moved_down for row in graph[above:]]
    for u in range(above):
        augment(across, mate, u, everyone)
    return [members[v] for v in maximise(graph, mate, everyone)]
