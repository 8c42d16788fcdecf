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

    def __init__(self, field: Field, completion: Completion) -> None:
        self.field = field
        self.completion = completion
        self.settle = Settler(field, completion)
        self.brackets: list[Paired] = []

    def pair(self, first: int = 0, moved: Sequence[int] = (), count: int = 0) -> list[Paired]:
        """[3, 1.9, 2017 B] Each scoregroup with the downfloaters from above.

        ``count`` scoregroups from ``first`` on, into which ``moved`` come down; 0: all to the last. In 2026
        every bracket leaves a rest that can be paired; in 2017 the first that does not is collapsed.
        """
        if self.field.edition.joins_last_brackets:
            return Joining(self.field, self.completion, self.settle).pair()
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

    def for_itself(self, group: int, members: list[int], moved_down: int) -> Settled:
        """[2017] Mates of a bracket paired without regard to the completion of the round."""
        return self._settled(members, moved_down, group + 1, complete=False)

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
        field, completion, settle = self.field, self.completion, self.settle
        end = members[-1] + 1
        few = settle.few(members, moved_down, not complete or completion.completes([], end))
        if few:
            return few
        bracket = settle.bracket(members, moved_down)
        bye_score = completion.pab_score
        bye_here = bye_score is not None and bye_score >= field.score[members[-1]]
        found = None if collapsed else self._single_floats(bracket, following, complete, bye_here)
        found = found or settle.by_listing(
            bracket, following, complete=complete, counts_c9=bye_here, collapsed=collapsed
        )
        if found:
            return found
        next_end = field.groups[following][1] if following < len(field.groups) else end
        if not complete:
            return settle.with_next_bracket(bracket, next_end)
        return settle.whole(bracket, next_end, bye_here and self._c9_single_floats(bracket), collapsed)

    def _single_floats(
        self, bracket: Bracket, following: int, complete: bool, bye_here: bool
    ) -> Settled | None:
        """At most one player floats: settled among the members, everything below being seen to."""
        completion, end = self.completion, bracket.end
        odd = bracket.size % 2
        if (complete and len(completion.exposed[end]) != odd) or bracket.graph.count(0) > odd:
            return None
        if not odd:
            return self.settle.single_downfloater(bracket, 0, counts_c9=False)
        able = mask_of(bracket.members)
        if complete:
            able = completion.reach(end, able)  # [C4]
        # Where the bye is given here, the downfloater has it, and the next bracket is the same for all.
        fits = able
        if not bye_here and following < len(self.field.groups):
            fits = completion.costs_next_nothing(following, able)  # [C8]
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
