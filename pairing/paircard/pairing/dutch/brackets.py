"""Article 3 and 1.9 (2017: A.9 and section B): the round, bracket by bracket from the top."""

from collections import Counter
from collections.abc import Sequence

from paircard.pairing.dutch.completion import Completion
from paircard.pairing.dutch.criteria import Criteria
from paircard.pairing.dutch.field import Field
from paircard.pairing.dutch.model import Model, free_model, whole_model
from paircard.pairing.dutch.order import first_candidate
from paircard.pairing.dutch.tight import Bracket, Gap, local_graph
from paircard.pairing.matching.bits import mask_of

Pairs = list[tuple[int, int]]


class Paired:
    """A bracket after its pairing; players as places in the field, upper player of a pair first."""

    def __init__(
        self, members: list[int], moved_down: int, pairs: Pairs, floaters: list[int], route: str
    ) -> None:
        self.members = members
        self.moved_down = moved_down
        self.pairs = pairs
        self.floaters = floaters
        self.route = route
        self.role = ""
        """``PPB`` or ``CLB`` for the last two brackets of a collapsed round (2017 A.9)."""


class Round:
    """The brackets of a round, paired in turn."""

    def __init__(
        self, field: Field, completion: Completion, first: int = 0, moved: Sequence[int] = ()
    ) -> None:
        """From scoregroup ``first`` down, where ``moved`` come down into it; the whole round unless told."""
        self.field = field
        self.completion = completion
        self.first = first
        self.moved = list(moved)
        self.brackets: list[Paired] = []
        self.work: Counter[str] = Counter()
        """How often each way of settling a bracket was taken: for the guard of the fast ways."""
        if field.old:
            self._pair_2017()
        else:
            self._pair_2026()

    def _groups(self) -> list[tuple[int, int, int, int]]:
        """Each scoregroup's index, start and end, and the end of the next one."""
        groups = self.field.groups
        ends = [end for _, end in groups[1:]] + [self.field.n]
        listed = enumerate(zip(groups, ends, strict=True))
        return [(k, start, end, after) for k, ((start, end), after) in listed if k >= self.first]

    def _finish(self, members: list[int], moved_down: int, mate: list[int], route: str) -> list[int]:
        """Record a bracket from the mates of its members; returns its downfloaters."""
        size = len(members)
        pairs, floaters = [], []
        for u in range(size):
            v = mate[u]
            if v >= size or (u < moved_down and v < moved_down):
                floaters.append(members[u])
            elif u < v:
                pairs.append((members[u], members[v]))
        self.brackets.append(Paired(members, moved_down, pairs, floaters, route))
        self.work[route] += 1
        return floaters

    # --- edition 2026

    def _pair_2026(self) -> None:
        field, completion = self.field, self.completion
        moved = self.moved
        for k, start, end, next_end in self._groups():
            members = moved + list(range(start, end))
            pab_here = completion.pab_score is not None and completion.pab_score >= field.score[start]
            settled = self._common_2026(k, members, len(moved), end, pab_here)
            if settled is not None:
                moved = self._finish(members, len(moved), settled[0], settled[1])
            else:
                mate = self._whole_2026(members, len(moved), end, next_end, pab_here)
                moved = self._finish(members, len(moved), mate, "whole")

    def _common_2026(
        self, k: int, members: list[int], moved_down: int, end: int, pab_here: bool
    ) -> tuple[list[int], str] | None:
        """At most one player floats: settled among the members, everything below being seen to."""
        completion = self.completion
        odd = len(members) % 2
        if len(completion.exposed[end]) != odd:
            return None
        if not odd:
            return self.bracket(members, moved_down, 0, nines=False)
        able = completion.reach(end, mask_of(members))
        # Where the bye is given here, the downfloater has it, and the next bracket is the same for all.
        fits = able if pab_here or end == self.field.n else completion.welcome(k + 1, able)
        found = self.bracket(members, moved_down, self.places(members, fits), nines=pab_here)
        if found is None or fits == able:
            return found
        score = self.field.score
        floater = next(u for u in range(len(members)) if found[0][u] >= len(members))
        lower = mask_of([i for i in members if score[i] < score[members[floater]]])
        return None if able & ~fits & lower else found  # [C7] outranks C8

    @staticmethod
    def places(members: list[int], who: int) -> int:
        """A set of players of the field as a set of places in the bracket."""
        mask = 0
        for u, i in enumerate(members):
            if who >> i & 1:
                mask |= 1 << u
        return mask

    def bracket(
        self, members: list[int], moved_down: int, floaters: int, nines: bool
    ) -> tuple[list[int], str] | None:
        """Mates of the members (the downfloater's is ``len(members)``) with at most one downfloater.

        None where that is impossible. ``floaters`` are the places that may float.
        """
        field, size = self.field, len(members)
        if moved_down > size - moved_down + (size % 2):
            return None
        criteria = Criteria(field, [field.score[i] for i in members], [], size + 1, nines)
        graph = local_graph(field.adjacent, members, moved_down)
        try:
            bracket = Bracket(field, criteria, members, moved_down, graph, floaters)
        except Gap:
            return None
        route = "tight"
        try:
            pairs, _ = bracket.first()
        except Gap:
            try:
                exact = bracket.solve()
            except Gap:
                return None
            if not exact:
                model = Model(size, moved_down, bracket.adjacent, bracket.kind, bracket.cost)
                return first_candidate(model), "blossom"
            route = "weighted"
            pairs, _ = bracket.first()
        mate = [size] * size
        for u, v in pairs:
            mate[u], mate[v] = v, u
        return mate, route

    def _whole_2026(
        self, members: list[int], moved_down: int, end: int, next_end: int, pab_here: bool
    ) -> list[int]:
        """Whatever the common way leaves: the bracket and everything below as one problem."""
        field = self.field
        scores = [field.score[i] for i in members]
        next_scores = scores + [field.score[i] for i in range(end, next_end)] if next_end > end else []
        size = len(members) + field.n - end + 1
        nines = False
        if pab_here:  # [C9] only where a single player floats
            plain = Criteria(field, scores, next_scores, size, nines=False)
            model = whole_model(field, plain, members, moved_down, end, next_end, self.completion.adjacent)
            mate = model.best()
            nines = sum(v >= model.size for v in mate[: model.size]) == 1
        criteria = Criteria(field, scores, next_scores, size, nines)
        model = whole_model(field, criteria, members, moved_down, end, next_end, self.completion.adjacent)
        return first_candidate(model)

    # --- edition 2017

    def _pair_2017(self) -> None:
        completion = self.completion
        moved = self.moved
        for k, start, end, next_end in self._groups():
            members = moved + list(range(start, end))
            moved_down = len(moved)
            settled = self._common_2017(k, members, moved_down, end)
            mate, route = settled or (self._free_2017(members, moved_down, end, next_end), "free")
            floaters = [members[u] for u in range(len(members)) if mate[u] >= len(members)]
            if completion.completes(floaters, end):
                moved = self._finish(members, moved_down, mate, route)
                continue
            self.collapse(members, moved_down, end)
            return

    def collapse(self, members: list[int], moved_down: int, end: int) -> None:
        """[A.9] The PPB, paired again so that the rest can be paired, and the rest as one bracket."""
        moved = self._finish(members, moved_down, self._complete_2017(members, moved_down, end), "whole")
        self.brackets[-1].role = "PPB"
        if end < self.field.n:
            self.collapsed_last(moved, end)

    def collapsed_last(self, moved: list[int], start: int) -> None:
        """[A.9] Everyone from ``start`` down and the PPB's downfloaters: the CLB."""
        members = moved + list(range(start, self.field.n))
        mate = self._complete_2017(members, len(moved), self.field.n)
        self._finish(members, len(moved), mate, "whole")
        self.brackets[-1].role = "CLB"

    def _common_2017(
        self, k: int, members: list[int], moved_down: int, end: int
    ) -> tuple[list[int], str] | None:
        """At most one player floats, without regard to completion."""
        everyone = (1 << len(members)) - 1
        if len(members) % 2 == 0 or end == self.field.n:
            return self.bracket(members, moved_down, everyone, nines=False)
        fits = self.places(members, self.completion.welcome(k + 1, mask_of(members)))
        found = self.bracket(members, moved_down, fits, nines=False)
        if found is None or fits == everyone:
            return found
        score = self.field.score
        floater = next(u for u in range(len(members)) if found[0][u] >= len(members))
        return None if score[members[floater]] > score[members[-1]] else found  # [C.6] outranks C.7

    def _free_2017(self, members: list[int], moved_down: int, end: int, next_end: int) -> list[int]:
        field = self.field
        scores = [field.score[i] for i in members]
        next_scores = scores + [field.score[i] for i in range(end, next_end)] if next_end > end else []
        total = len(members) + next_end - end
        criteria = Criteria(field, scores, next_scores, 2 * total + 1, nines=False)
        model = free_model(field, criteria, members, moved_down, end, next_end, self.completion.adjacent)
        return first_candidate(model)

    def _complete_2017(self, members: list[int], moved_down: int, end: int) -> list[int]:
        """[C.4] The PPB, or the collapsed last bracket, without look-ahead."""
        field = self.field
        scores = [field.score[i] for i in members]
        criteria = Criteria(field, scores, [], len(members) + field.n - end + 1, nines=False)
        model = whole_model(field, criteria, members, moved_down, end, end, self.completion.adjacent)
        return first_candidate(model)
