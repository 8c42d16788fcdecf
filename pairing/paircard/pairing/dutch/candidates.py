"""Brackets of few legal pairs: their candidates are looked at one by one.

First by who floats: fewest (C6), of the lowest scores (C7), so that everybody below can be paired together
with them (C4), then by what becomes of the next bracket (C8). Mostly a single candidate is left by then; if
not, the other criteria choose, and the order of Article 4 between equals. In 2017 these are C.4–C.7.
"""

from collections.abc import Iterable, Iterator

from paircard.pairing.dutch.completion import Completion
from paircard.pairing.dutch.criteria import Criteria
from paircard.pairing.dutch.field import Field
from paircard.pairing.dutch.listing import Pairs, TooMany, first_in_order, listed
from paircard.pairing.dutch.model import apart, graph_of
from paircard.pairing.matching.bits import bits, mask_of
from paircard.pairing.matching.cardinality import augment, maximise

Value = tuple[int, int, list[int]]
"""[C8] What a bracket leaves unpaired against the rules (2017 C.2), and in all, and with which scores."""

MOST = 24
"""Members of the largest bracket whose candidates are listed."""
SETS = 12
"""Sets of downfloaters that are looked at one by one."""


class Candidates:
    """Those of one bracket; ``complete`` asks for the completion of the round [C4]."""

    def __init__(
        self,
        field: Field,
        completion: Completion,
        members: list[int],
        moved_down: int,
        complete: bool = False,
    ) -> None:
        self.field = field
        self.completion = completion
        self.members = members
        self.moved_down = moved_down
        self.complete = complete
        self.size = len(members)
        self.end = members[-1] + 1
        """Place behind the bracket."""
        self.graph = apart(graph_of(field.adjacent, members, moved_down, [], 0), moved_down)
        self.by_set: dict[int, list[Pairs]] = {}
        """The candidates listed last, by the places of those they leave."""
        self.legal = sum([row.bit_count() for row in self.graph]) if self.size <= MOST else 0
        """Legal pairs, each counted for both; not counted in large brackets."""
        self._leave: tuple[int, int] | None = None

    @property
    def few(self) -> bool:
        """Whether it is worth while to list them: only where there are few legal pairs."""
        return self.size < 6 or (self.size <= MOST and self.legal <= 5 * self.size // 2 + 30)

    @property
    def sparse(self) -> bool:
        """Whether there are hardly more legal pairs than members: then several float as a rule."""
        return self.size <= MOST and self.legal < 2 * self.size

    def places(self, who: int) -> int:
        """A set of players of the field as a set of places in the bracket."""
        return mask_of([u for u, i in enumerate(self.members) if who >> i & 1])

    def leave(self) -> tuple[int, int]:
        """[C6] How many must float at least, whatever is below; if it is one, who it can be."""
        if self._leave is None:
            everyone = (1 << self.size) - 1
            mate = [-1] * self.size
            left = maximise(self.graph, mate, everyone)
            one = augment(self.graph, mate, left[0], everyone) if len(left) == 1 else 0
            self._leave = len(left), one
        return self._leave

    def leave_one(self, floaters: int) -> list[Pairs]:
        """Those that leave nobody, or one of these places."""
        self.by_set = listed(self.graph, self.size % 2)
        return self.leaving([places for places in self.by_set if not places or places & floaters])

    def leaving(self, sets: Iterable[int]) -> list[Pairs]:
        """The listed ones that leave one of these sets."""
        return [pairs for places in sets for pairs in self.by_set[places]]

    def best(self, collapsed: bool = False) -> list[int]:
        """[C4, C6, C7] The sets of downfloaters, by place, that nothing before C8 tells apart."""
        return next((able for sets in self.levels(collapsed) if (able := self._able(sets))), [])

    def levels(self, collapsed: bool = False) -> Iterator[list[int]]:
        """[C6, C7] All sets of downfloaters, those together that are equally good; the best ones first.

        In a ``collapsed`` bracket pairs count for C7 too: that is left to the penalties.
        """
        score = self.field.score
        for many in self.numbers():
            self.by_set = listed(self.graph, many)
            by_scores: dict[tuple[int, ...], list[int]] = {}
            for places in self.by_set:
                scores = () if collapsed else tuple([score[i] for i in self._players(places)])
                by_scores.setdefault(scores, []).append(places)
            for scores in sorted(by_scores):
                yield by_scores[scores]

    def numbers(self) -> Iterator[int]:
        """[C6] How many float, fewest first; by twos, since the others are paired."""
        size = self.size
        least = len(self.completion.exposed[self.end]) if self.complete else size % 2
        yield least
        more = least + 2 if self.by_set else self.leave()[0]
        yield from range(more, size + 1, 2)

    def alone(self) -> list[int]:
        """[C4, C7] The places that can be left alone, of the lowest score; empty if more must float."""
        many, who = self.leave()
        score, members = self.field.score, self.members
        could = self._able([1 << u for u in bits(who)]) if many == 1 else []
        lowest = min([score[members[one.bit_length() - 1]] for one in could], default=0)
        return [one for one in could if score[members[one.bit_length() - 1]] == lowest]

    def _players(self, places: int) -> list[int]:
        return [i for u, i in enumerate(self.members) if places >> u & 1]

    def _able(self, sets: list[int]) -> list[int]:
        """[C4] Those with whom the round can be completed."""
        if not self.complete:
            return sets
        if sets[0].bit_count() == 1:
            able = self.completion.reach(self.end, self._union(sets))
            return [places for places in sets if able >> self.members[places.bit_length() - 1] & 1]
        if len(sets) > 3 * SETS:
            raise TooMany
        return [places for places in sets if self.completion.completes(self._players(places), self.end)]

    def _union(self, sets: list[int]) -> int:
        """The players of several sets of one place each."""
        return mask_of([self.members[places.bit_length() - 1] for places in sets])

    def first_of_the_best(self, some: list[Pairs], nines: bool, collapsed: bool = False) -> list[int]:
        """[C9–C21] Mates of the first best one of these; a downfloater's is ``size``."""
        size = self.size
        if len(some) > 1:
            some = self._cheapest(some, nines, collapsed)
        mate = [size] * size
        for u, v in first_in_order(some, size, self.moved_down):
            mate[u] = v
            if v < size:
                mate[v] = u
        return mate

    def _cheapest(self, some: list[Pairs], nines: bool, collapsed: bool) -> list[Pairs]:
        """Those with the least penalty."""
        field, members, size = self.field, self.members, self.size
        scores = [field.score[i] for i in members]
        criteria = Criteria(field, scores, [], size + 1, nines, collapsed)
        prices = {
            (u, v): criteria.leaving(members[u]) if v == size else criteria.pair(members[u], members[v])
            for u, v in {pair for pairs in some for pair in pairs}
        }
        totals = [sum([prices[pair] for pair in pairs]) for pairs in some]
        lowest = min(totals)
        return [pairs for pairs, total in zip(some, totals, strict=True) if total == lowest]

    # --- the next bracket [C8]

    def best_for_the_next(self, sets: list[int], group: int) -> list[int]:
        """[C8] Those that leave fewest unpaired in the bracket of that scoregroup, of the lowest scores."""
        if len(sets) < 2 or group == len(self.field.groups):
            return sets
        if sets[0].bit_count() == 1:
            welcome = self.completion.welcome(group, self._union(sets))
            fit = [places for places in sets if welcome >> self.members[places.bit_length() - 1] & 1]
            if fit:
                return fit
        if len(sets) > SETS:
            raise TooMany
        values = [self._next_value(self._players(places), group) for places in sets]
        best = min(values)
        return [places for places, value in zip(sets, values, strict=True) if value == best]

    def _next_value(self, moved: list[int], group: int) -> Value:
        """What the bracket of that scoregroup leaves if these float into it."""
        field = self.field
        start, end = field.groups[group]
        if not field.old or end < field.n:
            value = self._unpaired(moved, start, end)
            if value:
                return value
        members = moved + list(range(start, end))
        after = Candidates(field, self.completion, members, len(moved), self.complete)
        if not after.few:
            raise TooMany
        every = (after._players(places) for sets in after.levels() for places in sets)
        if self.complete:
            left = next(left for left in every if self.completion.completes(left, end))
        else:
            left = next(every)
        wrong = 0
        if field.old and end == field.n and left:  # who may have the bye there is looked at too (2017 C.2)
            allowed = [
                places
                for places in after.by_set
                if field.n % 2 and any(field.may_have_pab[i] for i in after._players(places))
            ]
            wrong = len(left) - bool(allowed)
            if allowed:
                left = min(map(after._players, allowed), key=lambda some: [field.score[i] for i in some])
        return wrong, len(left), [field.score[i] for i in left if i < start]

    def _unpaired(self, moved: list[int], start: int, end: int) -> Value | None:
        """The same if all is well below it, else None."""
        left = self._left(moved, start, end)
        if self.complete and not self.completion.completes(left, end):
            return None
        return 0, len(left), [self.field.score[i] for i in left if i < start]

    def float_on(self, end: int) -> int:
        """How many float on from the next bracket, which ends there, if the fewest float into it somehow."""
        left = maximise(self.graph, [-1] * self.size, (1 << self.size) - 1)
        moved = [self.members[u] for u in left]
        return len(self._left(moved, self.end, end)) if end > self.end else len(moved)

    def _left(self, moved: list[int], start: int, end: int) -> list[int]:
        """Whom a bracket of these and the residents from ``start`` to ``end`` leaves.

        Which vertices of a graph a matching can reach is a matroid (J. Edmonds, D. R. Fulkerson 1965): to
        take the highest scores first is best. Moved-down players meet residents only.
        """
        members = moved + list(range(start, end))
        many, total = len(moved), len(members)
        graph = apart(graph_of(self.field.adjacent, members, many, [], 0), many)
        everyone = (1 << total) - 1
        above = (1 << many) - 1
        mate = [-1] * total
        across = graph[:many] + [row & above for row in graph[many:]]
        for u in range(many):
            augment(across, mate, u, everyone)
        return [members[v] for v in maximise(graph, mate, everyone)]
