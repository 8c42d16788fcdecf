"""The candidate that nothing could be better than, found in the order of Article 4.

Preferences alone tell how many pairs must clash in any candidate (C12, C13), and who may float what floating
costs at least. A candidate that costs no more is a best one, and the search, going in the order in which
candidates are generated, stops at the first. Where no such candidate exists, or it is not found soon, the
answer is left to other routes.
"""

from collections.abc import Callable, Iterator, Sequence
from functools import lru_cache
from typing import Final

from paircard.pairing.dutch.criteria import Criteria
from paircard.pairing.dutch.field import Field
from paircard.pairing.dutch.order import exchange
from paircard.pairing.dutch.preferences import BLACK, STRONG, WHITE
from paircard.pairing.dutch.search.bracket import Bracket
from paircard.pairing.matching.cardinality import mask_of

Continuation = Callable[[int, int], bool]
"""Called with the remaining players and the remaining budget; whether it succeeds."""

LARGEST: Final = 24
"""Members of the largest bracket that is searched."""
LARGEST_EXCHANGED: Final = 12
"""Players of the largest remainder in which exchanges are tried."""
MOST_STEPS: Final = 80
"""Steps after which the search is given up."""


class GivenUp(Exception):
    """The search takes too long."""


def ideal_candidate(bracket: Bracket, criteria: Criteria, floaters: int) -> list[int] | None:
    """Mates of the first candidate that nothing could be better than, a downfloater's being ``size``.

    ``floaters`` are the positions that may float. None if there is no such one, or it is not found soon.
    """
    try:
        return IdealSearch(bracket, criteria, floaters).mates()
    except GivenUp:
        return None


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
        self.size, self.moved_down, self.graph = bracket.size, bracket.moved_down, bracket.graph
        self.residents = bracket.everyone >> self.moved_down << self.moved_down
        self.steps = 0
        self.mate = [self.size] * self.size
        self.prices = self._prices(bracket, criteria)
        self.budget = least_colour_penalty(bracket.field, criteria, bracket.members)
        self.cheapest_floaters = 0
        if self.size % 2:
            costs = {u: criteria.leaving(i) for u, i in enumerate(bracket.members) if floaters >> u & 1}
            cheapest = min(costs.values(), default=0)
            self.cheapest_floaters = mask_of([u for u, cost in costs.items() if cost == cheapest])

    def _prices(self, bracket: Bracket, criteria: Criteria) -> list[list[int]]:
        """Penalties of the pairs, less what a moved-down player costs with anyone (2017 C.6)."""
        field, members, moved = bracket.field, bracket.members, self.moved_down
        colour, colours = field.clashes.of, criteria.colours()
        classes = [colour[i] for i in members]
        of_class = {}
        for one in set(classes):
            clash = field.clashes.row(one)
            of_class[one] = [colours[clash[other]] for other in classes]
        rows = [of_class[one] for one in classes]
        for u, i in enumerate(members[:moved]):
            anyway = criteria.unavoidable(i)
            rows[u] = rows[u][:moved] + [
                price + criteria.upfloat(i, j) - anyway
                for price, j in zip(rows[u][moved:], members[moved:], strict=True)
            ]
        return rows

    def mates(self) -> list[int] | None:
        """Mates of the first such candidate, or ``GivenUp``."""
        if self.size % 2 and not self.cheapest_floaters & self.residents:
            return None
        moved = list(range(self.moved_down))
        found = self._opponents(moved, self.residents, self.budget, self._remainder)
        return self.mate if found else None

    def _opponents(self, upper: list[int], rest: int, budget: int, then: Continuation) -> bool:
        """[4.2] The lowest opponents of these, one after the other, so that the continuation succeeds."""
        if not upper:
            return then(rest, budget)
        u, *others = upper
        prices = self.prices[u]
        choice = self.graph[u] & rest & -(1 << u)
        while choice:
            low = choice & -choice
            choice ^= low
            v = low.bit_length() - 1
            left = budget - prices[v]
            if left >= 0:
                self.steps += 1
                if self._opponents(others, rest ^ low, left, then):
                    self.mate[u], self.mate[v] = v, u
                    return True
                if self.steps >= MOST_STEPS:
                    raise GivenUp
        return False

    def _remainder(self, rest: int, budget: int) -> bool:
        """[4.3] S1 and S2 in the order of exchanges."""
        players = [v for v in range(self.moved_down, self.size) if rest >> v & 1]
        for places in exchanges(len(players), len(players) // 2):
            s1 = [players[place] for place in places]
            if self._opponents(s1, rest & ~mask_of(s1), budget, self._float):
                return True
        if len(players) > LARGEST_EXCHANGED:
            raise GivenUp  # an exchange comes before other opponents of the moved-down players
        return False

    def _float(self, rest: int, _: int) -> bool:
        """The player left at the end floats."""
        return not rest or bool(rest & self.cheapest_floaters)
