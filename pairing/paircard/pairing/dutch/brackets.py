"""Article 3 and 1.9 (2017: A.9 and section B): the round, bracket by bracket from the top.

Each bracket is settled by the quickest route that may be taken. One of one or two has nothing to choose
(``few``). Any other, as a rule, leaves nobody or one player (``single_downfloater``): then a candidate that
nothing could be better than is looked for, or all of them are listed if legal pairs are few (``listed.py``),
or it is a matching problem of its members (``problem.py``). Where several float, or it must be weighed who
suits the next bracket best, the candidates are listed (``_by_listing``), or what follows is taken into the
matching problem (``with_next_bracket``, ``_whole``), which is always exact. Every route gives the same round;
tests leave the quicker ones out.
"""

from collections.abc import Sequence
from typing import Final

import msgspec

from paircard.pairing.dutch.criteria import Criteria
from paircard.pairing.dutch.field import Field
from paircard.pairing.dutch.graphs import LARGEST, Bracket, Completion
from paircard.pairing.dutch.listed import IdealSearch, Listed, TooMany
from paircard.pairing.dutch.problem import NotDecided, Settled, alone, with_all_below, with_next
from paircard.pairing.matching.cardinality import mask_of

JOINED: Final = "joined"
"""Role of a bracket made of the last scoregroups (2012 C.13)."""
HOMOGENEOUS: Final = "homogeneous"
"""Role of a bracket at least half of which moved down, treated as homogeneous (2012 A.3)."""

Pairs = list[tuple[int, int]]


class Paired(msgspec.Struct):
    """A bracket after its pairing; players as places in the field, upper player of a pair first."""

    members: list[int]
    moved_down: int
    """So many of the members, the first ones, came from above."""
    pairs: Pairs
    floaters: list[int]
    route: str
    """Which part of the search settled it."""
    role: str = ""
    """``PPB`` or ``CLB`` for the last two brackets of a collapsed round (2017 A.9), ``JOINED``,
    ``HOMOGENEOUS``, or empty."""
    made_of: Bracket | None = None
    """[2012] The bracket, where it may be joined, or treated as homogeneous."""
    anew: bool = False
    """[2012 C.13] Whether it was paired so that everyone below it can be."""

    @property
    def came_down(self) -> int:
        """So many came from above, even if the bracket is treated as if nobody had (2012 A.3)."""
        return self.made_of.came_down if self.made_of else self.moved_down


def paired_by(
    members: list[int], moved_down: int, settled: Settled, role: str = "", made_of: Bracket | None = None
) -> Paired:
    """A bracket from the mates of its members; two moved-down players who have each other both float."""
    mate, route = settled
    size = len(members)
    pairs, floaters = [], []
    for u in range(size):
        v = mate[u]
        if v >= size or (u < moved_down and v < moved_down):
            floaters.append(members[u])
        elif u < v:
            pairs.append((members[u], members[v]))
    return Paired(members, moved_down, pairs, floaters, route, role, made_of)


class Round:
    """The brackets of a round, paired in turn."""

    def __init__(self, field: Field, completion: Completion) -> None:
        self.field = field
        self.completion = completion
        self.brackets: list[Paired] = []

    def pair(self, first: int = 0, moved: Sequence[int] = (), count: int = 0) -> list[Paired]:
        """[3, 1.9, 2017 B] Each scoregroup with the downfloaters from above.

        ``count`` scoregroups from ``first`` on, into which ``moved`` come down; 0: all to the last. In 2026
        every bracket leaves a rest that can be paired; in 2017 the first that does not is collapsed.
        """
        complete, moved = self.field.edition.completes_every_bracket, list(moved)
        for group in range(first, first + count if count else len(self.field.groups)):
            start, end = self.field.groups[group]
            members = moved + list(range(start, end))
            settled = self._settled(members, len(moved), group + 1, complete)
            paired = paired_by(members, len(moved), settled)
            if not complete and not self.completion.completes(paired.floaters, end):
                return self.collapse(members, len(moved))
            self.brackets.append(paired)
            moved = paired.floaters
        return self.brackets

    def for_itself(self, group: int, members: list[int], moved_down: int) -> Paired:
        """[2017] A bracket paired without regard to the completion of the round."""
        return paired_by(members, moved_down, self._settled(members, moved_down, group + 1, complete=False))

    def collapse(self, members: list[int], moved_down: int) -> list[Paired]:
        """[2017 A.9] The PPB, paired again so that the rest can be paired, and the rest as one bracket."""
        self._collapsed(members, moved_down, "PPB")
        end = members[-1] + 1
        if end < self.field.n:
            self.collapsed_last(self.brackets[-1].floaters, end)
        return self.brackets

    def collapsed_last(self, moved: list[int], start: int) -> list[Paired]:
        """[2017 A.9] Everyone from ``start`` down and the PPB's downfloaters: the CLB."""
        self._collapsed(moved + list(range(start, self.field.n)), len(moved), "CLB")
        return self.brackets

    def _collapsed(self, members: list[int], moved_down: int, role: str) -> None:
        """[2017 C.4] With completion and without look-ahead."""
        nothing = len(self.field.groups)
        settled = self._settled(members, moved_down, nothing, complete=True, collapsed=role == "CLB")
        self.brackets.append(paired_by(members, moved_down, settled, role))

    # --- one bracket

    def _settled(
        self, members: list[int], moved_down: int, following: int, complete: bool, collapsed: bool = False
    ) -> Settled:
        """Mates of the members. ``complete``: the rest must be pairable [C4].

        ``following`` is the scoregroup that is looked at ahead [C8]; beyond the last one, none is.
        """
        field, completion = self.field, self.completion
        end = members[-1] + 1
        if len(members) <= 2:
            return self.few(members, moved_down, not complete or completion.completes([], end))
        bracket = Bracket(field, members, moved_down)
        bye_score = completion.pab_score
        bye_here = bye_score is not None and bye_score >= field.score[members[-1]]
        found = None if collapsed else self._single_floats(bracket, following, complete, bye_here)
        found = found or self._by_listing(bracket, following, complete, bye_here, collapsed)
        if found:
            return found
        next_end = field.groups[following][1] if following < len(field.groups) else end
        if not complete:
            return self.with_next_bracket(bracket, next_end)
        return self._whole(bracket, next_end, bye_here and self._c9_single_floats(bracket), collapsed)

    def _single_floats(
        self, bracket: Bracket, following: int, complete: bool, bye_here: bool
    ) -> Settled | None:
        """At most one player floats: settled among the members, everything below being seen to."""
        completion, end = self.completion, bracket.end
        odd = bracket.size % 2
        if (complete and len(completion.exposed[end]) != odd) or bracket.graph.count(0) > odd:
            return None
        if not odd:
            return self.single_downfloater(bracket, 0, counts_c9=False)
        able = mask_of(bracket.members)
        if complete:
            able = completion.reach(end, able)  # [C4]
        # Where the bye is given here, the downfloater has it, and the next bracket is the same for all.
        fits = able
        if not bye_here and following < len(self.field.groups):
            fits = completion.costs_next_nothing(following, able)  # [C8]
        found = self.single_downfloater(bracket, bracket.positions(fits), counts_c9=bye_here)
        if found is None or fits == able:
            return found
        score = self.field.score
        [floater] = paired_by(bracket.members, bracket.moved_down, found).floaters
        lower = mask_of([i for i in bracket.members if score[i] < score[floater]])
        return None if able & ~fits & lower else found  # [C7] outranks C8

    def _c9_single_floats(self, bracket: Bracket) -> bool:
        """[C9] Only a bracket from which a single player floats looks at that player's unplayed games."""
        settled = self._whole(bracket, bracket.end, counts_c9=False)
        return len(paired_by(bracket.members, bracket.moved_down, settled).floaters) == 1

    # --- the routes

    def few(self, members: list[int], moved_down: int, may_pair: bool) -> Settled:
        """A bracket of one or two has nothing to choose: those who can be paired are, others float."""
        if may_pair and len(members) == 2 and moved_down < 2:
            one, other = members
            if self.field.adjacent[one] >> other & 1:
                return [1, 0], "tight"
        return [len(members)] * len(members), "tight"

    def single_downfloater(self, bracket: Bracket, floaters: int, counts_c9: bool) -> Settled | None:
        """At most one player floats, one of the positions ``floaters``; None where that is impossible."""
        size = bracket.size
        criteria = Criteria(bracket, size + 1, counts_c9=counts_c9)
        if size <= LARGEST:
            if mate := IdealSearch(bracket, criteria, floaters).mates():
                return mate, "ideal"
            least, who = bracket.fewest_downfloaters()
            if least > size % 2 or (size % 2 and not who & floaters):
                return None
            if bracket.has_few_pairs():
                listed = Listed(bracket, self.completion, complete=False)
                try:
                    some = listed.with_at_most_one_of(floaters)
                except TooMany:
                    pass
                else:
                    return (listed.first_of_the_best(some, counts_c9), "listed") if some else None
        try:
            return alone(criteria, bracket, floaters, size % 2)
        except NotDecided:
            return None

    def _by_listing(
        self, bracket: Bracket, group: int, complete: bool, counts_c9: bool, collapsed: bool
    ) -> Settled | None:
        """A bracket of few legal pairs; None if there are too many, here or in the next one, of ``group``."""
        if not bracket.has_few_pairs():
            return None
        listed = Listed(bracket, self.completion, complete)
        try:
            sets = listed.best_floaters(collapsed)
            counts_c9 = counts_c9 and sets[0].bit_count() == 1
            if not counts_c9:  # a single floater has the bye: the next bracket is the same for all
                sets = listed.best_for_the_next(sets, group)
        except TooMany:
            return None
        return listed.first_of_the_best(listed.with_floaters(sets), counts_c9, collapsed), "listed"

    def with_next_bracket(self, bracket: Bracket, next_end: int, counts_pairs: bool = True) -> Settled:
        """[2017] The bracket and the next one as one problem; completion is looked at afterwards.

        Not ``counts_pairs``: of the next bracket only those matter who move down into it (2012 C.12).
        """
        field, end = self.field, bracket.end
        next_scores = field.score[end:next_end]
        both = bracket.scores + next_scores if next_scores else []
        criteria = Criteria(bracket, 2 * (bracket.size + len(next_scores) + 1), both)
        if not counts_pairs:
            criteria.unit["C8"] = 0
        mate, route = with_next(criteria, bracket, next_end, self.completion.adjacent)
        return mate, f"ahead {route}"

    def _whole(self, bracket: Bracket, next_end: int, counts_c9: bool, collapsed: bool = False) -> Settled:
        """The bracket and everything below as one problem: always exact.

        The next scoregroup ends before ``next_end``; with the bracket's own end there is no look-ahead.
        """
        field, end = self.field, bracket.end
        both = bracket.scores + field.score[end:next_end] if next_end > end else []
        criteria = Criteria(bracket, bracket.size + field.n - end + 1, both, counts_c9, collapsed)
        mate, route = with_all_below(criteria, bracket, next_end, self.completion.adjacent)
        return mate, f"whole {route}"

    def ignoring_next(self, bracket: Bracket) -> Settled:
        """A bracket by itself, whatever follows: as few float as can be [C6]."""
        count, _ = bracket.fewest_downfloaters()
        return alone(Criteria(bracket, bracket.size + count), bracket, bracket.everyone, count)
