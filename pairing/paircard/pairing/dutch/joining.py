"""Edition 2012 (Istanbul): sections A.3 and C, bracket by bracket, the last ones joined if need be.

A bracket is paired for itself: most moved-down players (M1), the lowest scores left over, most pairs (P1),
then the requirements of C.10. Its downfloaters are exchanged for others if the next bracket can then be
paired better (C.12). Nobody asks whether the round can be completed until the penultimate bracket: that one
must leave a lowest bracket that can be paired, or the two are joined (C.13).
"""

from paircard.pairing.dutch.brackets import HOMOGENEOUS, JOINED, Paired, Round, paired_by
from paircard.pairing.dutch.criteria import Criteria
from paircard.pairing.dutch.field import Field
from paircard.pairing.dutch.graphs import Bracket
from paircard.pairing.dutch.listed import left_unpaired
from paircard.pairing.dutch.problem import NotDecided, Settled, alone, with_all_below
from paircard.pairing.matching.cardinality import mask_of, maximise


class Joining(Round):
    """The round of a field, by the edition of 2012.

    No two who move down from a bracket may meet: if they might, they would be one more pair there. So nothing
    needs to keep them apart in the brackets below, not even in one treated as homogeneous (A.3).
    """

    def join(self) -> list[Paired]:
        """All scoregroups from the top."""
        moved_into: list[list[int]] = [[]]
        for group in range(len(self.field.groups) - 2):
            self.brackets.append(self._bracket(group, moved_into[group]))
            moved_into.append(self.brackets[group].floaters)
        if len(self.field.groups) > 1:
            self._c13_lowest_brackets(moved_into)
        elif self.field.groups:
            self._lowest([], 0)
        return self.brackets

    # --- one bracket

    def _bracket(self, group: int, moved: list[int]) -> Paired:
        """A bracket above the penultimate."""
        start, end = self.field.groups[group]
        bracket = Bracket(self.field, moved + list(range(start, end)), len(moved))
        return self._c12_other_floaters(bracket, self._paired(bracket, self._for_itself(bracket)), group + 1)

    def _for_itself(self, bracket: Bracket) -> Settled:
        """The best candidate, whatever follows."""
        if bracket.size <= 2:
            return self.few(bracket.members, bracket.moved_down, may_pair=True)
        if bracket.fewest_downfloaters()[0] <= bracket.size % 2:
            settled = self.single_downfloater(bracket, bracket.everyone, counts_c9=False)
            assert settled is not None, "so few can float"
            return settled
        return self.ignoring_next(bracket)

    @staticmethod
    def _paired(bracket: Bracket, settled: Settled) -> Paired:
        role = JOINED if bracket.joined else HOMOGENEOUS if bracket.homogeneous else ""
        return paired_by(bracket.members, bracket.moved_down, settled, role, bracket)

    # --- C.12

    def _c12_other_floaters(self, bracket: Bracket, paired: Paired, group: int) -> Paired:
        """[C.12] Other floaters, as many and with the same scores, if the next bracket gains by it.

        They need allow no more pairs than P1, which is P0 of the bracket as it was (C.1, C.2).
        """
        field, end = self.field, self.field.groups[group][1]
        if not paired.floaters or next_lacks(field, paired.floaters, group) == (0, 0):
            return paired
        other = self._paired(bracket, self.with_next_bracket(bracket, end, counts_pairs=False))
        if next_pairs(field, other.floaters, group) >= next_p0(field, paired.floaters, group):
            return other
        return self._paired(bracket, self.with_next_bracket(bracket, end))

    # --- C.13

    def _c13_lowest_brackets(self, moved_into: list[list[int]]) -> None:
        """[C.13] The penultimate bracket leaves a lowest one that can be paired, or the two are joined.

        Those who moved down into the penultimate bracket stay, if the joined one can be paired; only if not
        is the bracket above paired again, under the same demand, and joined in its turn.
        """
        groups = self.field.groups
        bottom = groups[-1][0]
        joined = False
        for group, moved in reversed(list(enumerate(moved_into))):
            start = groups[group][0]
            paired = self._penultimate(moved, start, bottom, joined)
            if paired is not None:
                paired.anew = True
                self.brackets.append(paired)
                self._lowest(paired.floaters, bottom, joined)
                return
            added, bottom, joined = bottom - start, start, True
            if self.completion.completes(moved, bottom):
                self._lowest(moved, bottom, joined, added)
                return
            if self.brackets:
                self.brackets.pop()

    def _penultimate(self, moved: list[int], start: int, bottom: int, joined: bool) -> Paired | None:
        """The best candidate that leaves a lowest bracket, from ``bottom`` on, that can be paired.

        None if there is no such candidate with a pair, although some pair is legal, or none that pairs one of
        those who moved down, although one of them has an opponent.
        """
        members = moved + list(range(start, bottom))
        half = joined and self.field.edition.half_moved_down_above_joined and 2 * len(moved) >= len(members)
        bracket = Bracket(self.field, members, len(moved), upfloats=not half)
        if not any(bracket.graph):  # [C.1] all of them move down
            able = self.completion.completes(members, bottom)
            none = [bracket.size] * bracket.size
            return self._paired(bracket, (none, "tight")) if able else None
        settled = self._quick_penultimate(bracket, bottom, joined) or self._whole_penultimate(bracket, joined)
        if settled is None:
            return None
        paired = self._paired(bracket, settled)
        if not paired.pairs or not self._c14_pairs_moved_down(bracket, paired):
            return None
        return None if self._joins_before_the_bye(bracket, paired, bottom) else paired

    @staticmethod
    def _c14_pairs_moved_down(bracket: Bracket, paired: Paired) -> bool:
        """[C.14.b] M1 falls no further than 1 while one of those who moved down has an opponent."""
        return bool(_m1(bracket, paired)) or not any(bracket.graph[: bracket.moved_down])

    def _joins_before_the_bye(self, bracket: Bracket, paired: Paired, bottom: int) -> bool:
        """[C.13] JaVaFo: M1 has fallen to 1, with as many pairs, and the bye is for one who moved down."""
        if (
            not self.field.edition.joins_before_the_bye
            or not self.completion.odd
            or _m1(bracket, paired) != 1
        ):
            return False
        own = self._paired(bracket, self._for_itself(bracket))
        if _m1(bracket, own) == 1 or len(own.pairs) != len(paired.pairs):
            return False
        above = set(bracket.members[: bracket.came_down])
        adjacent, bye = list(self.completion.adjacent), self.field.n
        for i in above.intersection(paired.floaters):
            adjacent[i] &= ~(1 << bye)
            adjacent[bye] &= ~(1 << i)
        alive = self.completion.alive(bottom) | mask_of(paired.floaters)
        return bool(maximise(adjacent, [-1] * (bye + 1), alive))

    def _quick_penultimate(self, bracket: Bracket, bottom: int, joined: bool) -> Settled | None:
        """At most one resident floats, who can be paired below; None if that may not be the best."""
        odd = bracket.size % 2
        if len(self.completion.exposed[bottom]) != odd or bracket.graph.count(0) > odd:
            return None
        able = bracket.positions(self._able_below(bracket, bottom, joined)) if odd else 0
        residents = able >> bracket.moved_down << bracket.moved_down
        if odd and not residents:
            return None
        return self.single_downfloater(bracket, residents, counts_c9=False)

    def _able_below(self, bracket: Bracket, bottom: int, joined: bool) -> int:
        """Who of the bracket can go down alone: [C.1, C.12] to have an opponent in the lowest bracket, in a
        joined one to let all be paired."""
        everyone = mask_of(bracket.members)
        if joined:
            return self.completion.reach(bottom, everyone)
        return self.completion.costs_next_nothing(len(self.field.groups) - 1, everyone)

    def _whole_penultimate(self, bracket: Bracket, joined: bool) -> Settled | None:
        """The bracket and everyone below it as one problem.

        [C.1, C.12] Among as many floaters of the same scores, those are taken that give the lowest bracket
        the most pairs with its residents: the bye is no opponent. Not so if it is a joined bracket.
        """
        end = bracket.end if joined else self.field.n
        both = [] if joined else bracket.scores + self.field.score[bracket.end :]
        criteria = Criteria(bracket, bracket.size + self.field.n - bracket.end + 1, both)
        try:
            mate, route = with_all_below(criteria, bracket, end, self.completion.adjacent)
        except NotDecided:
            return None
        return mate, f"whole {route}"

    def _lowest(self, moved: list[int], bottom: int, joined: bool = False, added: int = 0) -> None:
        """The lowest bracket, from ``bottom`` on; ``added`` residents, the first ones, were joined last.

        [C.13] In a joined bracket those added last are S1, as if they had moved down, unless the bracket
        above was paired anew; then the score differences of all pairs come first (B.3).
        """
        members = moved + list(range(bottom, self.field.n))
        bracket = Bracket(self.field, members, len(moved), joined, added)
        odd = bracket.size % 2
        byes = mask_of([u for u, i in enumerate(members) if self.field.may_have_pab[i]]) if odd else 0
        if joined:
            criteria = Criteria(bracket, bracket.size + 1)
            mate, route = alone(criteria, bracket, byes, odd)
            self.brackets.append(self._paired(bracket, (mate, f"joined {route}")))
            return
        settled = self.single_downfloater(bracket, byes, counts_c9=False)
        assert settled is not None, "the brackets above were paired so that this one can be"
        self.brackets.append(self._paired(bracket, settled))


def _m1(bracket: Bracket, paired: Paired) -> int:
    """[C.14] How many of those who moved down are paired."""
    above = set(bracket.members[: bracket.moved_down])
    return sum(i in above for i, _ in paired.pairs)


def next_p0(field: Field, floaters: list[int], group: int) -> int:
    """[C.1, C.2] P0 of the next bracket, when its residents without any opponent have left it."""
    start, end = field.groups[group]
    everyone = mask_of(floaters) | mask_of(range(start, end))
    return (len(floaters) + sum(bool(field.adjacent[i] & everyone) for i in range(start, end))) // 2


def next_pairs(field: Field, floaters: list[int], group: int) -> int:
    """[C.12] The most pairs of the next bracket, the most of those who move down being paired."""
    start, end = field.groups[group]
    left = left_unpaired(field.adjacent, floaters, start, end)
    return (len(floaters) + end - start - len(left)) // 2


def next_lacks(field: Field, floaters: list[int], group: int) -> tuple[int, int]:
    """[C.12] How many of these the next bracket cannot pair, and how many pairs that bracket lacks.

    Its residents without any opponent leave it before its pairs are counted (C.1).
    """
    start, end = field.groups[group]
    left = left_unpaired(field.adjacent, floaters, start, end)
    pairs = (len(floaters) + end - start - len(left)) // 2
    return sum(i < start for i in left), next_p0(field, floaters, group) - pairs
