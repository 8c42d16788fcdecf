"""The routes by which one bracket is settled, from the quickest to the one that is always exact.

A bracket of one or two has nothing to choose (``few``). Any other, as a rule, leaves nobody or one player:
then a candidate that nothing could be better than is looked for (``ideal``), or all of them are listed if
legal pairs are few (``listed``), or it is a matching problem of its members (``model``, ``tight``). Where
several float, or it must be weighed who suits the next bracket best, the candidates are listed
(``by_listing``), or what follows is taken into the matching problem (``with_next_bracket``, ``whole``), which
is always exact. Every route gives the same round; tests leave the quicker ones out.
"""

from paircard.pairing.dutch.completion import Completion
from paircard.pairing.dutch.criteria import Criteria
from paircard.pairing.dutch.field import Field
from paircard.pairing.dutch.search.bracket import Bracket
from paircard.pairing.dutch.search.ideal import LARGEST, ideal_candidate
from paircard.pairing.dutch.search.listed import Listed, TooMany, left_unpaired
from paircard.pairing.dutch.search.model import NotDecided, bracket_model, next_bracket_model, whole_model
from paircard.pairing.dutch.search.tight import first_candidate
from paircard.pairing.matching.cardinality import maximise

Settled = tuple[list[int], str]
"""Mates of the members by position, a downfloater's being no member's, and the route that found them."""


class Settler:
    """Settles brackets of a field."""

    def __init__(self, field: Field, completion: Completion) -> None:
        self.field = field
        self.completion = completion

    def bracket(self, members: list[int], moved_down: int) -> Bracket:
        """The bracket of these members; the first ``moved_down`` of them moved down."""
        return Bracket(self.field, members, moved_down)

    def few(self, members: list[int], moved_down: int, may_pair: bool) -> Settled | None:
        """A bracket of one or two has nothing to choose: those who can be paired are, others float."""
        if len(members) > 2:
            return None
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
            if mate := ideal_candidate(bracket, criteria, floaters):
                return mate, "ideal"
            least, who = bracket.fewest_downfloaters()
            if least > size % 2 or (size % 2 and not who & floaters):
                return None
        listed = Listed(bracket, self.completion, complete=False)
        if listed.are_few():
            try:
                some = listed.with_at_most_one_of(floaters)
            except TooMany:
                pass
            else:
                return (listed.first_of_the_best(some, counts_c9), "listed") if some else None
        try:
            return first_candidate(bracket_model(criteria, bracket, floaters, size % 2))
        except NotDecided:
            return None

    def by_listing(
        self,
        bracket: Bracket,
        group: int,
        *,
        complete: bool,
        counts_c9: bool = False,
        collapsed: bool = False,
    ) -> Settled | None:
        """A bracket of few legal pairs; None if there are too many, here or in the next one, of ``group``."""
        listed = Listed(bracket, self.completion, complete)
        if not listed.are_few():
            return None
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
        There are more exits for those who float on than are taken, or more might want to float on.
        """
        most = bracket.size + next_end - bracket.end + 2
        exits = self._floating_on(bracket, next_end) + 1
        while True:
            try:
                return self._with_next_bracket(bracket, next_end, exits, counts_pairs)
            except NotDecided:
                if exits >= most:
                    raise AssertionError("with an exit for everybody there is a matching") from None
                exits = min(2 * exits, most)

    def _with_next_bracket(self, bracket: Bracket, next_end: int, exits: int, counts_pairs: bool) -> Settled:
        field, end = self.field, bracket.end
        next_scores = [field.score[i] for i in range(end, next_end)]
        bye = end < next_end == field.n and field.n % 2
        total = bracket.size + len(next_scores) + bye
        exits += (total + exits) % 2
        both = bracket.scores + next_scores if next_scores else []
        criteria = Criteria(bracket, total + exits, both)
        if not counts_pairs:
            criteria.unit["C8"] = 0
        model = next_bracket_model(criteria, bracket, next_end, self.completion.adjacent, exits)
        mate, route = first_candidate(model)
        if max(mate[total:]) < total:
            raise NotDecided
        return mate, f"ahead {route}"

    def _floating_on(self, bracket: Bracket, next_end: int) -> int:
        """How many float on from the next bracket, if the fewest float into it somehow."""
        left = maximise(bracket.graph, [-1] * bracket.size, bracket.everyone)
        moved = [bracket.members[u] for u in left]
        if next_end == bracket.end:
            return len(moved)
        return len(left_unpaired(self.field.adjacent, moved, bracket.end, next_end))

    def whole(self, bracket: Bracket, next_end: int, counts_c9: bool, collapsed: bool = False) -> Settled:
        """The bracket and everything below as one problem: always exact.

        The next scoregroup ends before ``next_end``; with the bracket's own end there is no look-ahead.
        """
        field, end = self.field, bracket.end
        both = bracket.scores + field.score[end:next_end] if next_end > end else []
        size = bracket.size + field.n - end + 1
        criteria = Criteria(bracket, size, both, counts_c9, collapsed)
        model = whole_model(criteria, bracket, next_end, self.completion.adjacent)
        mate, route = first_candidate(model)
        return mate, f"whole {route}"

    def ignoring_next(self, bracket: Bracket) -> Settled:
        """A bracket by itself, whatever follows: as few float as can be [C6]."""
        count, _ = bracket.fewest_downfloaters()
        criteria = Criteria(bracket, bracket.size + count)
        return first_candidate(bracket_model(criteria, bracket, bracket.everyone, count))
