"""The ways to settle one bracket, from the quickest to the ones that are always right.

A bracket of one or two has nothing to choose (``few``). Any other, as a rule, leaves nobody or one player:
then a candidate that nothing could be better than is looked for (``ideal``), or all of them are listed if
legal pairs are few (``listing``), or it is a matching problem of its members (``model``, ``order``). Where
several float, or it must be weighed who suits the next bracket best, the candidates are listed
(``candidates``), or the next bracket is taken into the matching problem (``ahead``).
"""

from paircard.pairing.dutch.candidates import Candidates
from paircard.pairing.dutch.completion import Completion
from paircard.pairing.dutch.criteria import Criteria
from paircard.pairing.dutch.field import Field
from paircard.pairing.dutch.ideal import SOON, Ideal
from paircard.pairing.dutch.listing import TooMany
from paircard.pairing.dutch.model import Gap, ahead_model, bracket_model
from paircard.pairing.dutch.order import first_candidate
from paircard.pairing.matching.bits import mask_of

Settled = tuple[list[int], str]
"""Mates of the members, that of a downfloater being no member's place, and the way that found them."""


class Settling:
    """Settles brackets of a field."""

    def __init__(self, field: Field, completion: Completion) -> None:
        self.field = field
        self.completion = completion

    def candidates(self, members: list[int], moved_down: int, complete: bool = False) -> Candidates:
        """Those of a bracket; ``complete`` asks for the completion of the round [C4]."""
        return Candidates(self.field, self.completion, members, moved_down, complete)

    def few(self, members: list[int], moved_down: int, may_pair: bool) -> Settled | None:
        """A bracket of one or two has nothing to choose: those who can be paired are, others float."""
        if len(members) > 2:
            return None
        if may_pair and len(members) == 2 and moved_down < 2:
            one, other = members
            if self.field.adjacent[one] >> other & 1:
                return [1, 0], "tight"
        return [len(members)] * len(members), "tight"

    def bracket(self, every: Candidates, floaters: int, nines: bool) -> Settled | None:
        """At most one player floats, one of the places ``floaters``; None where that is impossible."""
        members, moved_down, size = every.members, every.moved_down, every.size
        field = self.field
        criteria = Criteria(field, [field.score[i] for i in members], [], size + 1, nines)
        if size <= SOON:
            mate = Ideal(every, criteria, floaters).mates()
            if mate:
                return mate, "ideal"
            least, who = every.leave()
            if least > size % 2 or (size % 2 and not who & floaters):
                return None
        if every.few:
            try:
                some = every.leave_one(floaters)
            except TooMany:
                pass
            else:
                return (every.first_of_the_best(some, nines), "listed") if some else None
        try:
            return first_candidate(
                bracket_model(field, criteria, members, moved_down, every.graph, floaters, size % 2)
            )
        except Gap:
            return None

    def listed(
        self, every: Candidates, group: int, nines: bool = False, collapsed: bool = False
    ) -> Settled | None:
        """A bracket of few legal pairs; None if there are too many, here or in the next one, of ``group``."""
        if not every.few:
            return None
        try:
            sets = every.best(collapsed)
            nines = nines and sets[0].bit_count() == 1
            if not nines:  # whoever floats alone has the bye: the next bracket is the same for all
                sets = every.best_for_the_next(sets, group)
        except TooMany:
            return None
        return every.first_of_the_best(every.leaving(sets), nines, collapsed), "listed"

    def one_floats(self, every: Candidates, group: int) -> Settled | None:
        """One player floats, and the next bracket, of ``group``, is worse off by it; None if more float."""
        try:
            sets = every.best_for_the_next(every.alone(), group)
        except TooMany:
            return None
        return self.bracket(every, sum(sets), nines=False) if sets else None

    def ahead(
        self, every: Candidates, next_end: int, nines: bool = False
    ) -> tuple[list[int], str, list[int]] | None:
        """The bracket and the next one; also returns who would float on from there.

        There are more places for those than they take, or more might want to float on.
        """
        most = every.size + next_end - every.end + 2
        places = every.float_on(next_end) + 1
        while True:
            try:
                return self._ahead_with(every, next_end, nines, places)
            except Gap:
                if places >= most:
                    return None
                places = min(2 * places, most)

    def _ahead_with(
        self, every: Candidates, next_end: int, nines: bool, places: int
    ) -> tuple[list[int], str, list[int]]:
        field, adjacent = self.field, self.completion.adjacent
        members, end = every.members, every.end
        scores = [field.score[i] for i in members]
        ahead = [field.score[i] for i in range(end, next_end)]
        last_follows = end < next_end == field.n
        bye = last_follows and bool(field.n % 2) if field.old else self.bye_near(members, end, next_end)
        total = len(members) + len(ahead) + bye
        places += (total + places) % 2
        criteria = Criteria(field, scores, scores + ahead if ahead else [], total + places, nines)
        strict = field.old and last_follows
        model = ahead_model(
            field, criteria, members, every.moved_down, end, next_end, adjacent, bye, places, strict
        )
        mate, route = first_candidate(model)
        if max(mate[total:]) < total:
            raise Gap
        outside = [*members, *range(end, next_end)]
        return mate, route, [outside[u] for u in range(len(outside)) if mate[u] >= total]

    def bye_near(self, members: list[int], end: int, next_end: int) -> bool:
        """Whether there is a bye, and one of the bracket or the next may have it."""
        n = self.field.n
        near = mask_of(members) | mask_of(range(end, next_end))
        return bool(n % 2) and bool(self.completion.adjacent[n] & near)

    def alone(self, every: Candidates) -> Settled:
        """A bracket by itself, whatever follows: as few float as can be [C6]."""
        field, members, size = self.field, every.members, every.size
        many, _ = every.leave()
        criteria = Criteria(field, [field.score[i] for i in members], [], size + many, nines=False)
        everyone = (1 << size) - 1
        return first_candidate(
            bracket_model(field, criteria, members, every.moved_down, every.graph, everyone, many)
        )
