"""Article 3 and 1.9 (2017: A.9 and section B): the round, bracket by bracket from the top."""

from collections import Counter
from collections.abc import Callable, Sequence

from paircard.pairing.dutch.candidates import Candidates
from paircard.pairing.dutch.completion import Completion
from paircard.pairing.dutch.criteria import Criteria
from paircard.pairing.dutch.field import Field
from paircard.pairing.dutch.model import whole_model
from paircard.pairing.dutch.order import first_candidate
from paircard.pairing.dutch.settling import Settled, Settling
from paircard.pairing.matching.bits import mask_of

Pairs = list[tuple[int, int]]

FEW_BELOW = 12
"""So many players below the next bracket, or fewer, are taken into the graph without a first look."""


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
        self, field: Field, completion: Completion, first: int = 0, moved: Sequence[int] = (), many: int = 0
    ) -> None:
        """From scoregroup ``first``, into which ``moved`` come down: ``many`` of them, or all to the last."""
        self.field = field
        self.completion = completion
        self.settle = Settling(field, completion)
        self.scope = range(first, first + many if many else len(field.groups))
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
        ends = [end for _, end in groups]
        return [
            (k, start, end, ends[min(k + 1, len(ends) - 1)])
            for k, (start, end) in enumerate(groups)
            if k in self.scope
        ]

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

    def _quickly(
        self, every: Candidates, k: int, common: Callable[[], Settled | None], nines: bool = False
    ) -> Settled | None:
        """The common case, that at most one floats, or all candidates; where pairs are rare, these first."""
        if every.sparse:
            return self.settle.listed(every, k + 1, nines) or common()
        return common() or self.settle.listed(every, k + 1, nines)

    # --- edition 2026

    def _pair_2026(self) -> None:
        field, completion = self.field, self.completion
        moved = self.moved
        for k, start, end, next_end in self._groups():
            members = moved + list(range(start, end))
            pab_here = completion.pab_score is not None and completion.pab_score >= field.score[start]
            few = self.settle.few(members, len(moved), completion.completes([], end))
            mate, route = few or self._more_2026(k, members, len(moved), next_end, pab_here)
            moved = self._finish(members, len(moved), mate, route)

    def _more_2026(
        self, k: int, members: list[int], moved_down: int, next_end: int, pab_here: bool
    ) -> Settled:
        """A bracket of three or more."""
        every = self.settle.candidates(members, moved_down, complete=True)
        return (
            self._quickly(every, k, lambda: self._common_2026(every, k, pab_here), nines=pab_here)
            or (not pab_here and self.settle.one_floats(every, k + 1))
            or self._uncommon_2026(every, next_end, pab_here)
        )

    def _common_2026(self, every: Candidates, k: int, pab_here: bool) -> Settled | None:
        """At most one player floats: settled among the members, everything below being seen to."""
        completion, members, end = self.completion, every.members, every.end
        odd = every.size % 2
        if len(completion.exposed[end]) != odd or every.graph.count(0) > odd:
            return None
        if not odd:
            return self.settle.bracket(every, 0, nines=False)
        able = completion.reach(end, mask_of(members))
        # Where the bye is given here, the downfloater has it, and the next bracket is the same for all.
        fits = able if pab_here or end == self.field.n else completion.welcome(k + 1, able)
        found = self.settle.bracket(every, every.places(fits), nines=pab_here)
        if found is None or fits == able:
            return found
        score = self.field.score
        floater = next(u for u in range(every.size) if found[0][u] >= every.size)
        lower = mask_of([i for i in members if score[i] < score[members[floater]]])
        return None if able & ~fits & lower else found  # [C7] outranks C8

    def _uncommon_2026(self, every: Candidates, next_end: int, pab_here: bool) -> Settled:
        """Several float, or the next bracket must be weighed.

        Where many follow, first without asking what becomes of those who float on from the next bracket: if
        the first of the best candidates lets the rest be paired, no other can be better. Else with everything
        below.
        """
        members, moved_down, end = every.members, every.moved_down, every.end
        nines = pab_here and self._single_floats(members, moved_down, end)
        found = (
            self.settle.ahead(every, next_end, nines) if end < next_end < self.field.n - FEW_BELOW else None
        )
        if found:
            mate, route, gone = found
            if self.completion.completes(
                gone, next_end, bye=not self.settle.bye_near(members, end, next_end)
            ):
                return mate, f"ahead {route}"
        return self._whole_2026(members, moved_down, end, next_end, nines)

    def _single_floats(self, members: list[int], moved_down: int, end: int) -> bool:
        """[C9] Only a bracket from which a single player floats looks at that player's unplayed games."""
        field = self.field
        criteria = Criteria(
            field, [field.score[i] for i in members], [], len(members) + field.n - end + 1, False
        )
        model = whole_model(field, criteria, members, moved_down, end, end, self.completion.adjacent)
        mate, _ = first_candidate(model)
        return sum(v >= model.size for v in mate[: model.size]) == 1

    def _whole_2026(
        self, members: list[int], moved_down: int, end: int, next_end: int, nines: bool
    ) -> Settled:
        """The bracket and everything below as one problem: always exact."""
        field = self.field
        scores = [field.score[i] for i in members]
        next_scores = scores + [field.score[i] for i in range(end, next_end)] if next_end > end else []
        size = len(members) + field.n - end + 1
        criteria = Criteria(field, scores, next_scores, size, nines)
        model = whole_model(field, criteria, members, moved_down, end, next_end, self.completion.adjacent)
        mate, route = first_candidate(model)
        return mate, f"whole {route}"

    # --- edition 2017

    def _pair_2017(self) -> None:
        completion = self.completion
        moved = self.moved
        for k, start, end, next_end in self._groups():
            members = moved + list(range(start, end))
            moved_down = len(moved)
            mate, route = self.for_itself(k, members, moved_down, end, next_end)
            floaters = [members[u] for u in range(len(members)) if mate[u] >= len(members)]
            if completion.completes(floaters, end):
                moved = self._finish(members, moved_down, mate, route)
                continue
            self.collapse(members, moved_down, end)
            return

    def for_itself(self, k: int, members: list[int], moved_down: int, end: int, next_end: int) -> Settled:
        """[2017] Mates of a bracket paired without regard to the completion of the round."""
        few = self.settle.few(members, moved_down, may_pair=True)
        if few:
            return few
        every = self.settle.candidates(members, moved_down)
        return (
            self._quickly(every, k, lambda: self._common_2017(every, k))
            or self.settle.one_floats(every, k + 1)
            or self._uncommon_2017(every, next_end)
        )

    def collapse(self, members: list[int], moved_down: int, end: int) -> None:
        """[A.9] The PPB, paired again so that the rest can be paired, and the rest as one bracket."""
        moved = self._finish(members, moved_down, *self._complete_2017(members, moved_down, end))
        self.brackets[-1].role = "PPB"
        if end < self.field.n:
            self.collapsed_last(moved, end)

    def collapsed_last(self, moved: list[int], start: int) -> None:
        """[A.9] Everyone from ``start`` down and the PPB's downfloaters: the CLB."""
        members = moved + list(range(start, self.field.n))
        found = self._complete_2017(members, len(moved), self.field.n, collapsed=True)
        self._finish(members, len(moved), *found)
        self.brackets[-1].role = "CLB"

    def _common_2017(self, every: Candidates, k: int) -> Settled | None:
        """At most one player floats, without regard to completion."""
        members, size = every.members, every.size
        if every.graph.count(0) > size % 2:
            return None
        everyone = (1 << size) - 1
        if size % 2 == 0 or every.end == self.field.n:
            return self.settle.bracket(every, everyone, nines=False)
        fits = every.places(self.completion.welcome(k + 1, mask_of(members)))
        found = self.settle.bracket(every, fits, nines=False)
        if found is None or fits == everyone:
            return found
        score = self.field.score
        floater = next(u for u in range(size) if found[0][u] >= size)
        return None if score[members[floater]] > score[members[-1]] else found  # [C.6] outranks C.7

    def _uncommon_2017(self, every: Candidates, next_end: int) -> Settled:
        """Several float, or the next bracket must be weighed; completion is looked at afterwards."""
        found = self.settle.ahead(every, next_end)
        assert found, "with a place for everybody there is a matching"
        mate, route, _ = found
        return mate, f"ahead {route}"

    def _complete_2017(
        self, members: list[int], moved_down: int, end: int, collapsed: bool = False
    ) -> Settled:
        """[C.4] The PPB, or the collapsed last bracket, without look-ahead."""
        field = self.field
        few = self.settle.few(members, moved_down, self.completion.completes([], end))
        if few:
            return few
        every = self.settle.candidates(members, moved_down, complete=True)
        listed = self.settle.listed(every, len(field.groups), collapsed=collapsed)
        if listed:
            return listed
        if len(members) % 2 == len(self.completion.exposed[end]) and end < field.n:
            able = every.places(self.completion.reach(end, mask_of(members)))
            found = self.settle.bracket(every, able, nines=False)
            if found is not None:
                return found
        scores = [field.score[i] for i in members]
        size = len(members) + field.n - end + 1
        criteria = Criteria(field, scores, [], size, nines=False, collapsed=collapsed)
        model = whole_model(field, criteria, members, moved_down, end, end, self.completion.adjacent)
        mate, route = first_candidate(model)
        return mate, f"whole {route}"
