"""The candidate that nothing could be better than, found in the order of Article 4.

Preferences alone tell how many pairs must clash in any candidate (C12, C13), and who may float what floating
costs at least. A candidate that costs no more is a best one, and the search, going in the order in which
candidates are generated, stops at the first. Where no such candidate exists, or it is not found soon, the
answer is left to others.
"""

from collections.abc import Callable, Iterator, Sequence

from paircard.pairing.dutch.candidates import Candidates
from paircard.pairing.dutch.criteria import Criteria
from paircard.pairing.dutch.field import Field
from paircard.pairing.dutch.listing import exchange
from paircard.pairing.dutch.preferences import BLACK, STRONG, WHITE
from paircard.pairing.matching.bits import mask_of

Then = Callable[[int, int], bool]
"""What is asked of those who are left, and of what may still be spent."""

SOON = 24
"""Members of the largest bracket that is searched."""
EXCHANGED = 12
"""Players of the largest remainder in which exchanges are tried."""
STEPS = 80
"""Steps after which the search is given up."""

EXCHANGES: dict[tuple[int, int], list[tuple[int, ...]]] = {}
"""[4.3] Upper players of so many pairs of so many players, by place, in order; they never change."""


def exchanges(players: int, pairs: int) -> Iterator[tuple[int, ...]]:
    """[4.3] Every S1 whose players have opponents below them; mostly the first is all that is asked for."""
    yield tuple(range(pairs))
    if players > EXCHANGED:
        return
    known = EXCHANGES.get((players, pairs))
    if known is None:
        loose = players - 2 * pairs
        every: list[tuple[int, ...]] = [()]
        for k in range(pairs):
            every = [
                (*some, place)
                for some in every
                for place in range(some[-1] + 1 if some else 0, 2 * k + loose + 1)
            ]
        known = EXCHANGES[players, pairs] = sorted(every, key=lambda upper: exchange(list(upper)))[1:]
    yield from known


def clashes_at_least(field: Field, criteria: Criteria, members: Sequence[int]) -> int:
    """[C12, C13] What clashes cost in any candidate: more are due one colour than there are pairs.

    Two absolute preferences that clash (of topscorers) do not fail C13, but C10 or C11, which is dearer.
    """
    pairs, floats = len(members) // 2, len(members) % 2
    due, strength = field.due, field.strength
    cost = 0
    for colour in (WHITE, BLACK):
        same = [strength[i] for i in members if due[i] == colour]
        over = len(same) - floats - pairs
        if over > 0:
            cost += over * criteria.unit["C12"]
            over = len([one for one in same if one >= STRONG]) - floats - pairs
            if over > 0:
                cost += over * criteria.unit["C13"]
    return cost


class Ideal:
    """The search in one bracket; ``floaters`` are the places that may float."""

    def __init__(self, every: Candidates, criteria: Criteria, floaters: int) -> None:
        self.size, self.moved_down, self.graph = every.size, every.moved_down, every.graph
        self.residents = ((1 << self.size) - 1) >> self.moved_down << self.moved_down
        self.steps = 0
        self.mate = [self.size] * self.size
        self.prices = self._prices(every.field, criteria, every.members)
        self.least = clashes_at_least(every.field, criteria, every.members)
        self.floaters = 0
        if self.size % 2:
            costs = {u: criteria.leaving(i) for u, i in enumerate(every.members) if floaters >> u & 1}
            cheapest = min(costs.values(), default=0)
            self.floaters = mask_of([u for u, cost in costs.items() if cost == cheapest])

    def _prices(self, field: Field, criteria: Criteria, members: list[int]) -> list[list[int]]:
        """Penalties of the pairs, less what a moved-down player costs with anyone (2017 C.6)."""
        score, colour, colours = field.score, field.clashes.of, criteria.prices()
        moved = self.moved_down
        looks = [colour[i] for i in members]
        rows = []
        for u, i in enumerate(members):
            clash = field.clashes.row(colour[i])
            row = [colours[clash[look]] for look in looks]
            if u < moved:
                same = criteria.unit["C7", score[i] - criteria.lowest] if field.old else 0
                row[moved:] = [
                    price + criteria.upfloat(i, j) - same
                    for price, j in zip(row[moved:], members[moved:], strict=True)
                ]
            rows.append(row)
        return rows

    def mates(self) -> list[int] | None:
        """Mates of the first such candidate, the downfloater's being ``size``."""
        if self.size % 2 and not self.floaters & self.residents:
            return None
        moved = list(range(self.moved_down))
        found = self._opponents(moved, self.residents, self.least, self._remainder)
        return self.mate if found else None

    def _opponents(self, upper: list[int], rest: int, budget: int, then: Then) -> bool:
        """[4.2] The lowest opponents of these, one after the other, so that what comes then succeeds."""
        if not upper:
            return then(rest, budget)
        u, *others = upper
        prices = self.prices[u]
        choice = self.graph[u] & rest & -(1 << u)
        while choice and self.steps < STEPS:
            low = choice & -choice
            choice ^= low
            v = low.bit_length() - 1
            left = budget - prices[v]
            if left >= 0:
                self.steps += 1
                if self._opponents(others, rest ^ low, left, then):
                    self.mate[u], self.mate[v] = v, u
                    return True
        return False

    def _remainder(self, rest: int, budget: int) -> bool:
        """[4.3] S1 and S2 in the order of exchanges."""
        players = [v for v in range(self.moved_down, self.size) if rest >> v & 1]
        for upper in exchanges(len(players), len(players) // 2):
            s1 = [players[place] for place in upper]
            if self._opponents(s1, rest & ~mask_of(s1), budget, self._left):
                return True
            if self.steps >= STEPS:
                return False
        if len(players) > EXCHANGED:
            self.steps = STEPS  # an exchange comes before other opponents of the moved-down: give up
        return False

    def _left(self, rest: int, _: int) -> bool:
        """Whoever is left at the end floats."""
        return not rest or bool(rest & self.floaters)
