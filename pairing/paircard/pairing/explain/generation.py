"""Candidates of a bracket in the order in which they are generated (2026 Article 4, 2017 section D).

For people who want to follow the search: the engine finds the first best candidate without listing them.
"""

from collections.abc import Callable, Iterable, Iterator, Sequence
from dataclasses import replace
from itertools import combinations
from math import comb
from typing import Final

from paircard.pairing.dutch import order
from paircard.pairing.dutch.field import Field
from paircard.pairing.dutch.order import exchange, moved_down_set
from paircard.pairing.dutch.paired import Paired
from paircard.pairing.matching.cardinality import bits, mask_of, maximise

STEPS: Final = 20_000
"""Pairs tried before a search gives up."""
EXCHANGES: Final = 50_000
"""Exchanges of one size that are put in order; more are not listed."""

Pairs = tuple[tuple[int, int], ...]


class TooMany(Exception):
    """The search would take too long; nothing is known about what follows."""


class Generation:
    """The candidates of one bracket that pair only players who may meet; with ``illegal``, all others too."""

    def __init__(self, field: Field, bracket: Paired, steps: int = STEPS, illegal: bool = False) -> None:
        self.field = field
        self.illegal = illegal
        self.bracket = bracket
        self.moved_down = bracket.members[: bracket.moved_down]
        self.residents = bracket.members[bracket.moved_down :]
        self.steps = steps

    def candidates(
        self, pairs: int, paired_mdps: int, limbo: Sequence[int] | None = None
    ) -> Iterator[Paired]:
        """Candidates with these numbers of pairs and of paired moved-down players (MaxPairs and M1).

        ``limbo`` are scores: only sets of moved-down players are taken that leave these (2026 C7). Raises
        ``TooMany`` where the search would take too long.
        """
        for chosen in self.sets(paired_mdps, limbo):
            rest = tuple(i for i in self.moved_down if i not in chosen)
            for mdp_pairs, remainder in self._transpositions(chosen, self.residents, (), pairs):
                many = pairs - paired_mdps
                for s1, s2 in divisions(remainder, many):
                    for made, left in self._transpositions(s1, s2, (), 0):
                        yield self._made((*mdp_pairs, *made), sorted((*rest, *left)))

    def sets(self, many: int, limbo: Sequence[int] | None) -> list[tuple[int, ...]]:
        """[4.4, D.3] Sets of moved-down players to be paired: highest scores first, then smallest BSNs."""
        score = self.field.score
        if comb(len(self.moved_down), many) > EXCHANGES:
            raise TooMany
        sets = list(combinations(self.moved_down, many))
        if limbo is not None:
            wanted = sorted(limbo)
            sets = [
                chosen
                for chosen in sets
                if sorted(score[i] for i in self.moved_down if i not in chosen) == wanted
            ]
        return sorted(sets, key=lambda chosen: moved_down_set(chosen, score))

    def _transpositions(
        self, s1: Sequence[int], s2: Sequence[int], before: Pairs, pairs: int
    ) -> Iterator[tuple[Pairs, tuple[int, ...]]]:
        """[4.2, D.1] S1 in order against S2 in lexicographic order; the rest of S2.

        ``pairs`` is how many pairs the residents who are left must still make possible, 0 for none. The S1
        player of a pair ranks above the other: what is left out was generated before (Appendix P, COGUP).
        """
        if not s1:
            yield before, tuple(s2)
            return
        one = s1[0]
        for place, other in enumerate(s2):
            if other < one or not (self.illegal or self.field.adjacent[one] >> other & 1):
                continue
            self.steps -= 1
            if self.steps < 0:
                raise TooMany
            rest = (*s2[:place], *s2[place + 1 :])
            if self._hopeless(s1[1:], rest, pairs and pairs - len(before) - 1):
                continue
            yield from self._transpositions(s1[1:], rest, (*before, (one, other)), pairs)

    def _hopeless(self, s1: Sequence[int], s2: Sequence[int], pairs: int) -> bool:
        """Whether these S1 players cannot all meet S2 players, or too few pairs are left in all."""
        if self.illegal or (not s1 and not pairs):
            return False
        above, below = mask_of(s1), mask_of(s2)
        adjacent, mate = self.field.adjacent, [-1] * self.field.n
        across = [0] * self.field.n
        for i in s1:
            across[i] = adjacent[i] & below
        for j in s2:
            across[j] = adjacent[j] & above
        maximise(across, mate, above | below)
        if any(mate[i] < 0 for i in s1):
            return True
        if not pairs:
            return False
        for j in s2:
            across[j] = adjacent[j] & (above | below)
        left = maximise(across, mate, above | below)  # turning along a path leaves nobody exposed who was not
        return (len(s1) + len(s2) - len(left)) // 2 < pairs

    def _made(self, pairs: Pairs, floaters: list[int]) -> Paired:
        return replace(self.bracket, pairs=list(pairs), floaters=floaters, route="listed")


def divisions(players: Sequence[int], pairs: int) -> Iterator[tuple[tuple[int, ...], tuple[int, ...]]]:
    """[4.3, D.2] S1 and S2 as they are, then after each exchange in order."""
    for upper in exchanges(pairs, len(players) - pairs):
        s1 = tuple(players[place] for place in upper)
        s2 = tuple(player for place, player in enumerate(players) if place not in upper)
        yield s1, s2


def exchanges(n1: int, n2: int) -> Iterator[tuple[int, ...]]:
    """[4.3, D.2] Places of those in S1, after each exchange in order; the first moves nobody."""
    for size in range(min(n1, n2) + 1):
        if comb(n1, size) * comb(n2, size) > EXCHANGES:
            raise TooMany
        found = [
            (*(place for place in range(n1) if place not in down), *up)
            for down in combinations(range(n1), size)
            for up in combinations(range(n1, n1 + n2), size)
        ]
        yield from sorted(found, key=exchange)


def first(candidates: Iterable[Paired], fits: Callable[[Paired], bool]) -> Paired | None:
    """The first candidate that fits; None where there is none or the search is too long."""
    try:
        return next((candidate for candidate in candidates if fits(candidate)), None)
    except TooMany:
        return None


def incompatible(field: Field, members: Sequence[int]) -> list[tuple[int, int]]:
    """Pairs of members who may not meet."""
    inside = mask_of(members)
    return [(i, j) for i in members for j in bits(inside & ~field.adjacent[i]) if i < j]


def generation_key(field: Field, candidate: Paired) -> order.Key:
    """Smaller is earlier; one part for each step."""
    members, moved_down = candidate.members, candidate.moved_down
    return order.generation_key(candidate.pairs, members[:moved_down], members[moved_down:], field.score)


def step_between(field: Field, earlier: Paired, later: Paired) -> str:
    """The first step by which the later candidate differs from the earlier; empty if in none."""
    return order.first_different_step(generation_key(field, earlier), generation_key(field, later))
