"""C4, C6–C8 (2017: C.4–C.7) for brackets of a few players: which of them may float.

Every set of downfloaters is looked at: fewest first (C6), of the lowest scores (C7), so that the others can
be paired among themselves and everybody below together with the downfloaters (C4), then by what becomes of
the next bracket (C8).
"""

from collections.abc import Iterable
from itertools import combinations

from paircard.pairing.dutch.completion import Completion
from paircard.pairing.dutch.field import Field
from paircard.pairing.dutch.model import apart, graph_of
from paircard.pairing.matching.bits import mask_of
from paircard.pairing.matching.cardinality import augment, maximise


def fewest_first(least: int, most: int) -> range:
    """[C6] Numbers of downfloaters; by twos, since the others are paired."""
    return range(least, most + 1, 2)


class Floaters:
    """The downfloaters of one bracket; ``complete`` asks for the completion of the round."""

    def __init__(
        self,
        field: Field,
        completion: Completion,
        members: list[int],
        moved_down: int,
        end: int,
        complete: bool,
    ) -> None:
        self.field = field
        self.completion = completion
        self.members = members
        self.end = end
        self.complete = complete
        self.graph = apart(graph_of(field.adjacent, members, moved_down, [], 0), moved_down)
        self._can: dict[int, bool] = {0: True}

    def best(self) -> list[int]:
        """[C4, C6, C7] The sets, by place in the bracket, that nothing before C8 tells apart."""
        size, score = len(self.members), self.field.score
        least = len(self.completion.exposed[self.end]) if self.complete else 0
        everyone = (1 << size) - 1
        for many in fewest_first(max(size % 2, least), size):
            by_scores: dict[tuple[int, ...], list[int]] = {}
            for who in combinations(range(size), many):
                mask = mask_of(who)
                if self._paired(everyone ^ mask):
                    by_scores.setdefault(tuple(score[self.members[u]] for u in who), []).append(mask)
            for scores in sorted(by_scores):
                able = [mask for mask in by_scores[scores] if not self.complete or self._completes(mask)]
                if able:
                    return able
        return []

    def _paired(self, places: int) -> bool:
        """Whether these can all be paired with each other."""
        known = self._can.get(places)
        if known is None:
            first = places & -places
            rest = places ^ first
            mates = self.graph[first.bit_length() - 1] & rest
            known = False
            while mates and not known:
                low = mates & -mates
                mates ^= low
                known = self._paired(rest ^ low)
            self._can[places] = known
        return known

    def _players(self, places: int) -> list[int]:
        return [i for u, i in enumerate(self.members) if places >> u & 1]

    def _completes(self, places: int) -> bool:
        return self.completion.completes(self._players(places), self.end)

    def best_for_the_next(self, sets: Iterable[int], next_end: int) -> list[int] | None:
        """[C8] Those that leave fewest unpaired in the next bracket, and of the lowest scores.

        None where the best for the next bracket might not be allowed by what follows it.
        """
        values = []
        for places in sets:
            value = self._next_value(self._players(places), next_end)
            if value is None:
                return None
            values.append((value, places))
        best = min(value for value, _ in values)
        return [places for value, places in values if value == best]

    def _next_value(self, moved: list[int], next_end: int) -> tuple[int, list[int]] | None:
        """How many the next bracket leaves unpaired, and the scores of the moved-down among them.

        Which vertices of a graph a matching can reach is a matroid (J. Edmonds, D. R. Fulkerson 1965): to
        take the highest scores first is best. Moved-down players meet residents only.
        """
        members = moved + list(range(self.end, next_end))
        many, total = len(moved), len(members)
        graph = apart(graph_of(self.field.adjacent, members, many, [], 0), many)
        everyone = (1 << total) - 1
        above = (1 << many) - 1
        mate = [-1] * total
        across = graph[:many] + [row & above for row in graph[many:]]
        for u in range(many):
            augment(across, mate, u, everyone)
        left = maximise(graph, mate, everyone)
        if self.complete and not self.completion.completes([members[v] for v in left], next_end):
            return None
        return len(left), [self.field.score[members[v]] for v in left if v < many]
