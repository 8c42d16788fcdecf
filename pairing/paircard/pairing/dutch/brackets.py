"""Article 3 and 1.9 (2017: A.9 and section B): the round, bracket by bracket from the top."""

from collections.abc import Sequence

from paircard.pairing.dutch.completion import Completion
from paircard.pairing.dutch.field import Field
from paircard.pairing.dutch.joining import Joining
from paircard.pairing.dutch.paired import Paired, paired_by
from paircard.pairing.dutch.search.bracket import Bracket
from paircard.pairing.dutch.search.settle import Settled, Settler
from paircard.pairing.matching.cardinality import mask_of


class Round:
    """The brackets of a round, paired in turn."""

    def __init__(
        self,
        field: Field,
        completion: Completion,
        first: int = 0,
        moved: Sequence[int] = (),
        count: int = 0,
    ) -> None:
        """``count`` scoregroups from ``first`` on, into which ``moved`` come down; 0: all to the last."""
        self.field = field
        self.completion = completion
        self.settle = Settler(field, completion)
        self.brackets: list[Paired] = []
        groups = range(first, first + count if count else len(field.groups))
        if field.edition.joins_last_brackets:
            self.brackets = Joining(field, completion, self.settle).pair()
        elif field.edition.completes_every_bracket:
            self._pair_2026(groups, list(moved))
        else:
            self._pair_2017(groups, list(moved))

    def _next_end(self, group: int) -> int:
        """The place behind the scoregroup after this one."""
        groups = self.field.groups
        return groups[min(group + 1, len(groups) - 1)][1]

    # --- edition 2026: every bracket leaves a rest that can be paired

    def _pair_2026(self, groups: range, moved: list[int]) -> None:
        """[3, 1.9] Each scoregroup with the downfloaters from above."""
        for group in groups:
            start, end = self.field.groups[group]
            members = moved + list(range(start, end))
            settled = self.settle.few(members, len(moved), self.completion.completes([], end))
            settled = settled or self._bracket_2026(group, members, len(moved))
            self.brackets.append(paired_by(members, len(moved), settled))
            moved = self.brackets[-1].floaters

    def _bracket_2026(self, group: int, members: list[int], moved_down: int) -> Settled:
        """A bracket of three or more."""
        bracket = self.settle.bracket(members, moved_down)
        bye_score = self.completion.pab_score
        bye_here = bye_score is not None and bye_score >= self.field.score[members[-1]]
        return (
            self._common_2026(bracket, group, bye_here)
            or self.settle.by_listing(bracket, group + 1, complete=True, counts_c9=bye_here)
            or self.settle.whole(bracket, self._next_end(group), bye_here and self._c9_single_floats(bracket))
        )

    def _common_2026(self, bracket: Bracket, group: int, bye_here: bool) -> Settled | None:
        """At most one player floats: settled among the members, everything below being seen to."""
        completion, end = self.completion, bracket.end
        odd = bracket.size % 2
        if len(completion.exposed[end]) != odd or bracket.graph.count(0) > odd:
            return None
        if not odd:
            return self.settle.single_downfloater(bracket, 0, counts_c9=False)
        able = completion.reach(end, mask_of(bracket.members))  # [C4]
        # Where the bye is given here, the downfloater has it, and the next bracket is the same for all.
        fits = able
        if not bye_here and end < self.field.n:
            fits = completion.costs_next_nothing(group + 1, able)  # [C8]
        found = self.settle.single_downfloater(bracket, bracket.positions(fits), counts_c9=bye_here)
        if found is None or fits == able:
            return found
        score = self.field.score
        [floater] = paired_by(bracket.members, bracket.moved_down, found).floaters
        lower = mask_of([i for i in bracket.members if score[i] < score[floater]])
        return None if able & ~fits & lower else found  # [C7] outranks C8

    def _c9_single_floats(self, bracket: Bracket) -> bool:
        """[C9] Only a bracket from which a single player floats looks at that player's unplayed games."""
        settled = self.settle.whole(bracket, bracket.end, counts_c9=False)
        return len(paired_by(bracket.members, bracket.moved_down, settled).floaters) == 1

    # --- edition 2017: every bracket for itself, until the rest cannot be paired

    def _pair_2017(self, groups: range, moved: list[int]) -> None:
        """[B, A.9] Each scoregroup with the downfloaters from above."""
        for group in groups:
            start, end = self.field.groups[group]
            members = moved + list(range(start, end))
            paired = paired_by(members, len(moved), self.for_itself(group, members, len(moved)))
            if not self.completion.completes(paired.floaters, end):
                self.collapse(members, len(moved))
                return
            self.brackets.append(paired)
            moved = paired.floaters

    def for_itself(self, group: int, members: list[int], moved_down: int) -> Settled:
        """[2017] Mates of a bracket paired without regard to the completion of the round."""
        few = self.settle.few(members, moved_down, may_pair=True)
        if few:
            return few
        bracket = self.settle.bracket(members, moved_down)
        return (
            self._common_2017(bracket, group)
            or self.settle.by_listing(bracket, group + 1, complete=False)
            or self.settle.with_next_bracket(bracket, self._next_end(group))
        )

    def _common_2017(self, bracket: Bracket, group: int) -> Settled | None:
        """At most one player floats, without regard to completion."""
        odd = bracket.size % 2
        if bracket.graph.count(0) > odd:
            return None
        if not odd or bracket.end == self.field.n:
            return self.settle.single_downfloater(bracket, bracket.everyone, counts_c9=False)
        everyone = mask_of(bracket.members)
        fits = self.completion.costs_next_nothing(group + 1, everyone)  # [C.7]
        found = self.settle.single_downfloater(bracket, bracket.positions(fits), counts_c9=False)
        if found is None or fits == everyone:
            return found
        score = self.field.score
        [floater] = paired_by(bracket.members, bracket.moved_down, found).floaters
        return None if score[floater] > score[bracket.members[-1]] else found  # [C.6] outranks C.7

    def collapse(self, members: list[int], moved_down: int) -> None:
        """[2017 A.9] The PPB, paired again so that the rest can be paired, and the rest as one bracket."""
        settled = self._completing_2017(members, moved_down)
        self.brackets.append(paired_by(members, moved_down, settled, "PPB"))
        end = members[-1] + 1
        if end < self.field.n:
            self.collapsed_last(self.brackets[-1].floaters, end)

    def collapsed_last(self, moved: list[int], start: int) -> None:
        """[2017 A.9] Everyone from ``start`` down and the PPB's downfloaters: the CLB."""
        members = moved + list(range(start, self.field.n))
        settled = self._completing_2017(members, len(moved), collapsed=True)
        self.brackets.append(paired_by(members, len(moved), settled, "CLB"))

    def _completing_2017(self, members: list[int], moved_down: int, collapsed: bool = False) -> Settled:
        """[C.4] The PPB, or the collapsed last bracket, without look-ahead."""
        field, completion = self.field, self.completion
        end = members[-1] + 1
        few = self.settle.few(members, moved_down, completion.completes([], end))
        if few:
            return few
        bracket = self.settle.bracket(members, moved_down)
        listed = self.settle.by_listing(bracket, len(field.groups), complete=True, collapsed=collapsed)
        if listed:
            return listed
        if bracket.size % 2 == len(completion.exposed[end]) and end < field.n:
            able = bracket.positions(completion.reach(end, mask_of(members)))
            found = self.settle.single_downfloater(bracket, able, counts_c9=False)
            if found is not None:
                return found
        return self.settle.whole(bracket, end, counts_c9=False, collapsed=collapsed)
