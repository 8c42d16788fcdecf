"""The candidate that nothing could be better than, found in the order of Article 4.

Preferences alone tell how many pairs must clash in any candidate (C12, C13), and who may float what floating
costs at least. A candidate that costs no more is a best one, and the search, going in the order in which
candidates are generated, stops at the first. Where no such candidate exists, or it is not found soon, the
answer is left to others.
"""

from collections.abc import Iterator, Sequence

from paircard.pairing.dutch.criteria import Criteria
from paircard.pairing.dutch.field import Field
from paircard.pairing.dutch.listing import exchange
from paircard.pairing.dutch.preferences import BLACK, STRONG, WHITE

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
    """The search in one bracket; ``graph`` are its legal pairs, ``floaters`` the places that may float."""

    def __init__(
        self,
        field: Field,
        criteria: Criteria,
        members: list[int],
        moved_down: int,
        graph: list[int],
        floaters: int,
    ) -> None:
        self.size = len(members)
        self.moved_down = moved_down
        self.residents = ((1 << self.size) - 1) >> moved_down << moved_down
        self.steps = 0
        self.mate = [self.size] * self.size
        self.prices = self._prices(field, criteria, members)
        self.least = clashes_at_least(field, criteria, members)
        self.graph = graph
        self.floaters = 0
        if self.size % 2:
            costs = {
                u: criteria.downfloat(members[u]) + criteria.bye(members[u])
                for u in range(self.size)
                if floaters >> u & 1
            }
            cheapest = min(costs.values(), default=0)
            for u, cost in costs.items():
                if cost == cheapest:
                    self.floaters |= 1 << u

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
        return self.mate if self._moved_down(0, self.residents, self.least) else None

    def _moved_down(self, u: int, rest: int, budget: int) -> bool:
        """[4.2] Their lowest opponents, one after the other; then the remainder."""
        if u == self.moved_down:
            return self._remainder(rest, budget)
        prices = self.prices[u]
        choice = self.graph[u] & rest
        while choice and self.steps < STEPS:
            low = choice & -choice
            choice ^= low
            v = low.bit_length() - 1
            left = budget - prices[v]
            if left >= 0:
                self.steps += 1
                if self._moved_down(u + 1, rest ^ low, left):
                    self.mate[u], self.mate[v] = v, u
                    return True
        return False

    def _remainder(self, rest: int, budget: int) -> bool:
        """[4.3] S1 and S2 in the order of exchanges."""
        players = [v for v in range(self.moved_down, self.size) if rest >> v & 1]
        for upper in exchanges(len(players), len(players) // 2):
            s1 = [players[place] for place in upper]
            s2 = rest
            for u in s1:
                s2 ^= 1 << u
            if self._opponents(s1, 0, s2, budget):
                return True
            if self.steps >= STEPS:
                return False
        if len(players) > EXCHANGED:
            self.steps = STEPS  # an exchange comes before other opponents of the moved-down: give up
        return False

    def _opponents(self, s1: list[int], at: int, s2: int, budget: int) -> bool:
        """[4.2] The lowest opponents of S1, one after the other; who is left at the end floats."""
        if at == len(s1):
            return not s2 or bool(s2 & self.floaters)
        u = s1[at]
        prices = self.prices[u]
        choice = self.graph[u] & s2 & -(1 << u)
        while choice and self.steps < STEPS:
            low = choice & -choice
            choice ^= low
            v = low.bit_length() - 1
            left = budget - prices[v]
            if left >= 0:
                self.steps += 1
                if self._opponents(s1, at + 1, s2 ^ low, left):
                    self.mate[u], self.mate[v] = v, u
                    return True
        return False
