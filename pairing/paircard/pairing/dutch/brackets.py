"""Article 3 and 1.9 (2017: A.9 and section B): the round, bracket by bracket from the top."""

from collections import Counter
from collections.abc import Sequence

from paircard.pairing.dutch.completion import Completion
from paircard.pairing.dutch.criteria import Criteria
from paircard.pairing.dutch.field import Field
from paircard.pairing.dutch.floaters import Floaters
from paircard.pairing.dutch.listing import MOST, first_of_list
from paircard.pairing.dutch.model import Gap, ahead_model, apart, bracket_model, graph_of, whole_model
from paircard.pairing.dutch.order import first_candidate
from paircard.pairing.matching.bits import bits, mask_of
from paircard.pairing.matching.cardinality import maximise

Pairs = list[tuple[int, int]]

PLACES = 4
"""Players that may float on from the next bracket in a first look ahead; more are very rare."""

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

    # --- edition 2026

    def _pair_2026(self) -> None:
        field, completion = self.field, self.completion
        moved = self.moved
        for k, start, end, next_end in self._groups():
            members = moved + list(range(start, end))
            pab_here = completion.pab_score is not None and completion.pab_score >= field.score[start]
            settled = self._few(members, len(moved), completion.completes([], end)) or self._common_2026(
                k, members, len(moved), end, pab_here
            )
            mate, route = settled or self._uncommon_2026(members, len(moved), end, next_end, pab_here)
            moved = self._finish(members, len(moved), mate, route)

    def _few(self, members: list[int], moved_down: int, may_pair: bool) -> tuple[list[int], str] | None:
        """A bracket of one or two has nothing to choose: those who can be paired are, others float."""
        if len(members) > 2:
            return None
        if may_pair and len(members) == 2 and moved_down < 2:
            one, other = members
            if self.field.adjacent[one] >> other & 1:
                return [1, 0], "tight"
        return [len(members)] * len(members), "tight"

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
        self, members: list[int], moved_down: int, floaters: int, nines: bool, collapsed: bool = False
    ) -> tuple[list[int], str] | None:
        """Mates of the members (the downfloater's is ``len(members)``) with at most one downfloater.

        None where that is impossible. ``floaters`` are the places that may float.
        """
        size = len(members)
        if moved_down > size - moved_down + size % 2:
            return None
        field = self.field
        scores = [field.score[i] for i in members]
        criteria = Criteria(field, scores, [], size + 1, nines, collapsed)
        if size <= MOST:
            sets = [1 << u for u in bits(floaters)] if size % 2 else [0]
            mate = first_of_list(field, criteria, members, moved_down, sets) if sets else None
            return (mate, "listed") if mate else None
        try:
            return first_candidate(bracket_model(field, criteria, members, moved_down, floaters, size % 2))
        except Gap:
            return None

    def _listed(
        self, members: list[int], moved_down: int, end: int, next_end: int, complete: bool
    ) -> tuple[list[int], str] | None:
        """A bracket of a few from which several may float, and which gives no bye; None if it is left open.

        With ``next_end == end`` there is no look-ahead.
        """
        if len(members) > MOST:
            return None
        field = self.field
        floaters = Floaters(field, self.completion, members, moved_down, end, complete)
        sets: list[int] | None = floaters.best()
        if sets and len(sets) > 1 and end < next_end:
            if field.old and next_end == field.n:
                return None  # who may have the bye there is looked at too (2017 C.2)
            sets = floaters.best_for_the_next(sets, next_end)
        if not sets:
            return None
        criteria = Criteria(field, [field.score[i] for i in members], [], len(members) + 1, nines=False)
        mate = first_of_list(field, criteria, members, moved_down, sets)
        return (mate, "listed") if mate else None

    def _ahead(
        self, members: list[int], moved_down: int, end: int, next_end: int, nines: bool, places: int
    ) -> tuple[list[int], str, list[int]]:
        """The bracket and the next one; also returns who would float on from there."""
        field, adjacent = self.field, self.completion.adjacent
        scores = [field.score[i] for i in members]
        ahead = [field.score[i] for i in range(end, next_end)]
        last_follows = end < next_end == field.n
        bye = last_follows and bool(field.n % 2) if field.old else self._bye_near(members, end, next_end)
        total = len(members) + len(ahead) + bye
        places += (total + places) % 2
        criteria = Criteria(field, scores, scores + ahead if ahead else [], total + places, nines)
        strict = field.old and last_follows
        model = ahead_model(
            field, criteria, members, moved_down, end, next_end, adjacent, bye, places, strict
        )
        mate, route = first_candidate(model)
        if places and all(v < total for v in mate[total:]):
            raise Gap  # more might want to leave than there are places
        outside = [*members, *range(end, next_end)]
        return mate, route, [outside[u] for u in range(len(outside)) if mate[u] >= total]

    def alone(self, members: list[int], moved_down: int) -> tuple[list[int], str]:
        """Mates of a bracket by itself, whatever follows: as few float as can be [C6]."""
        field, size = self.field, len(members)
        everyone = (1 << size) - 1
        graph = apart(graph_of(field.adjacent, members, moved_down, [], 0), moved_down)
        many = len(maximise(graph, [-1] * size, everyone))
        criteria = Criteria(field, [field.score[i] for i in members], [], size + many, nines=False)
        return first_candidate(bracket_model(field, criteria, members, moved_down, everyone, many))

    # --- edition 2026, the rest

    def _uncommon_2026(
        self, members: list[int], moved_down: int, end: int, next_end: int, pab_here: bool
    ) -> tuple[list[int], str]:
        """Several float, or the next bracket must be weighed.

        Where many follow, first without asking what becomes of those who float on from the next bracket: if
        the first of the best candidates lets the rest be paired, no other can be better. Else with everything
        below.
        """
        if not pab_here:
            listed = self._listed(members, moved_down, end, next_end, complete=True)
            if listed:
                return listed
        nines = pab_here and self._one_floats(members, moved_down, end)
        if end < next_end < self.field.n - FEW_BELOW:
            try:
                mate, route, gone = self._ahead(members, moved_down, end, next_end, nines, PLACES)
            except Gap:
                pass
            else:
                if self.completion.completes(gone, next_end, bye=not self._bye_near(members, end, next_end)):
                    return mate, f"ahead {route}"
        return self._whole_2026(members, moved_down, end, next_end, nines)

    def _bye_near(self, members: list[int], end: int, next_end: int) -> bool:
        """Whether there is a bye, and one of the bracket or the next may have it."""
        n = self.field.n
        near = mask_of(members) | mask_of(range(end, next_end))
        return bool(n % 2) and bool(self.completion.adjacent[n] & near)

    def _one_floats(self, members: list[int], moved_down: int, end: int) -> bool:
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
    ) -> tuple[list[int], str]:
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

    def for_itself(
        self, k: int, members: list[int], moved_down: int, end: int, next_end: int
    ) -> tuple[list[int], str]:
        """[2017] Mates of a bracket paired without regard to the completion of the round."""
        return (
            self._few(members, moved_down, may_pair=True)
            or self._common_2017(k, members, moved_down, end)
            or self._uncommon_2017(members, moved_down, end, next_end)
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

    def _uncommon_2017(
        self, members: list[int], moved_down: int, end: int, next_end: int
    ) -> tuple[list[int], str]:
        """Several float, or the next bracket must be weighed; completion is looked at afterwards."""
        listed = self._listed(members, moved_down, end, next_end, complete=False)
        if listed:
            return listed
        try:
            mate, route, _ = self._ahead(members, moved_down, end, next_end, False, PLACES)
        except Gap:
            many = len(members) + next_end - end + 2
            mate, route, _ = self._ahead(members, moved_down, end, next_end, False, many)
        return mate, f"ahead {route}"

    def _complete_2017(
        self, members: list[int], moved_down: int, end: int, collapsed: bool = False
    ) -> tuple[list[int], str]:
        """[C.4] The PPB, or the collapsed last bracket, without look-ahead."""
        field = self.field
        few = self._few(members, moved_down, self.completion.completes([], end))
        if few:
            return few
        if len(members) % 2 == len(self.completion.exposed[end]):
            able = self.places(members, self.completion.reach(end, mask_of(members)))
            if end < field.n or len(members) <= MOST:
                found = self.bracket(members, moved_down, able, nines=False, collapsed=collapsed)
                if found is not None:
                    return found
        if not collapsed:
            listed = self._listed(members, moved_down, end, end, complete=True)
            if listed:
                return listed
        scores = [field.score[i] for i in members]
        size = len(members) + field.n - end + 1
        criteria = Criteria(field, scores, [], size, nines=False, collapsed=collapsed)
        model = whole_model(field, criteria, members, moved_down, end, end, self.completion.adjacent)
        mate, route = first_candidate(model)
        return mate, f"whole {route}"
