"""Edition 2012 (Istanbul): sections A.3 and C, bracket by bracket, the last ones joined if need be.

A bracket is paired for itself: most moved-down players (M1), the lowest scores left over, most pairs (P1),
then the requirements of C.10. Its downfloaters are exchanged for others if the next bracket can then be
paired better (C.12). Nobody asks whether the round can be completed until the penultimate bracket: that one
must leave a lowest bracket that can be paired, or the two are joined (C.13).
"""

from collections import Counter
from collections.abc import Iterator
from itertools import chain, combinations, product
from math import comb, prod
from typing import Final

from paircard.pairing.dutch.completion import Completion
from paircard.pairing.dutch.criteria import Criteria
from paircard.pairing.dutch.field import Field
from paircard.pairing.dutch.order import generation_key
from paircard.pairing.dutch.paired import HOMOGENEOUS, JOINED, Paired, paired_by
from paircard.pairing.dutch.search.bracket import Bracket, graph_of_any, moved_down_apart
from paircard.pairing.dutch.search.listed import left_unpaired
from paircard.pairing.dutch.search.model import NotDecided, bracket_model, penultimate_model
from paircard.pairing.dutch.search.settle import Settled, Settler
from paircard.pairing.dutch.search.tight import first_candidate
from paircard.pairing.matching.bits import bits, mask_of
from paircard.pairing.matching.cardinality import maximise

MOST_SETS: Final = 3000
"""Sets of several downfloaters that are tried for C.12; with more, the first ones stay."""

NextValue = tuple[int, int]
"""[C.12] Moved-down players that the next bracket can pair, and minus the pairs it lacks."""


class Joining:
    """The round of a field, by the edition of 2012."""

    def __init__(self, field: Field, completion: Completion, settle: Settler) -> None:
        self.field = field
        self.completion = completion
        self.settle = settle
        self.brackets: list[Paired] = []

    def pair(self, groups: range, moved: list[int]) -> list[Paired]:
        """These scoregroups, into the first of which ``moved`` came down."""
        last = len(self.field.groups) - 1
        moved_into: dict[int, list[int]] = {}
        for group in groups:
            moved_into[group] = moved
            if group == last and len(moved_into) == 1:
                self._lowest(moved, self.field.groups[last][0])
            if group >= last - 1:
                break
            self.brackets.append(self._bracket(group, moved))
            moved = self.brackets[-1].floaters
        if last - 1 in moved_into:
            self._c13_lowest_brackets(moved_into)
        return self.brackets

    # --- one bracket

    def _bracket(self, group: int, moved: list[int]) -> Paired:
        """A bracket above the penultimate."""
        start, end = self.field.groups[group]
        bracket = self.settle.bracket(moved + list(range(start, end)), len(moved))
        return self._c12_other_floaters(bracket, self._paired(bracket, self._for_itself(bracket)), group + 1)

    def _for_itself(self, bracket: Bracket) -> Settled:
        """The best candidate, whatever follows."""
        few = self.settle.few(bracket.members, bracket.moved_down, may_pair=True)
        if few:
            return few
        if bracket.fewest_downfloaters()[0] <= bracket.size % 2:
            settled = self.settle.single_downfloater(bracket, bracket.everyone, counts_c9=False)
            assert settled is not None, "so few can float"
            return settled
        return self.settle.ignoring_next(bracket)

    @staticmethod
    def _paired(bracket: Bracket, settled: Settled) -> Paired:
        role = JOINED if bracket.joined else HOMOGENEOUS if bracket.homogeneous else ""
        return paired_by(bracket.members, bracket.moved_down, settled, role)

    # --- C.12

    def _c12_other_floaters(self, bracket: Bracket, paired: Paired, group: int) -> Paired:
        """[C.12] Other floaters, as many and with the same scores, if the next bracket gains by it."""
        floaters = paired.floaters
        if not floaters:
            return paired
        value = next_value(self.field, floaters, group)
        if value == (len(floaters), 0):
            return paired
        by_value: dict[NextValue, list[int]] = {}
        for other in self._other_floaters(bracket, floaters):
            gain = next_value(self.field, bracket.players(other), group)
            if gain > value:
                by_value.setdefault(gain, []).append(other)
        for gain in sorted(by_value, reverse=True):
            settled = self._best_with(bracket, by_value[gain])
            if settled is not None:
                return self._paired(bracket, settled)
        return paired

    def _other_floaters(self, bracket: Bracket, floaters: list[int]) -> Iterator[int]:
        """Sets of positions with the same scores that can float, all others being paired."""
        score, members = self.field.score, bracket.members
        if len(floaters) == 1:
            _, who = bracket.fewest_downfloaters()
            yield from (1 << u for u in bits(who) if score[members[u]] == score[floaters[0]])
            return
        wanted = Counter(score[i] for i in floaters)
        choices = [[u for u, i in enumerate(members) if score[i] == points] for points in wanted]
        count = prod(comb(len(able), wanted[s]) for able, s in zip(choices, wanted, strict=True))
        if count > MOST_SETS:
            return
        ways = (combinations(able, wanted[s]) for able, s in zip(choices, wanted, strict=True))
        for way in product(*ways):
            positions = mask_of(chain(*way))
            others = bracket.everyone & ~positions
            if not maximise([row & others for row in bracket.graph], [-1] * bracket.size, others):
                yield positions

    def _best_with(self, bracket: Bracket, sets: list[int]) -> Settled | None:
        """The best candidate that leaves one of these sets."""
        if sets[0].bit_count() == 1:
            return self.settle.single_downfloater(bracket, sum(sets), counts_c9=False)
        found: list[tuple[object, Settled]] = []
        criteria = bracket.criteria(bracket.size)
        for positions in sets:
            settled = first_candidate(bracket_model(criteria, bracket, positions, positions.bit_count()))
            found.append((self._rank(criteria, bracket, settled), settled))
        return min(found, key=lambda item: item[0])[1]  # type: ignore[return-value, arg-type]

    def _rank(self, criteria: Criteria, bracket: Bracket, settled: Settled) -> tuple[object, ...]:
        """Smaller is better: penalty, then the order of section D."""
        paired = self._paired(bracket, settled)
        penalty = sum(criteria.pair(i, j) for i, j in paired.pairs)
        penalty += sum(criteria.leaving(i) for i in paired.floaters)
        above, residents = bracket.members[: bracket.moved_down], bracket.members[bracket.moved_down :]
        return penalty, generation_key(paired.pairs, above, residents, self.field.score)

    # --- C.13

    def _c13_lowest_brackets(self, moved_into: dict[int, list[int]]) -> None:
        """[C.13] The penultimate bracket leaves a lowest one that can be paired, or the two are joined.

        Those who moved down into the penultimate bracket stay, if the joined one can be paired; only if not
        is the bracket above paired again, under the same demand, and joined in its turn.
        """
        groups = self.field.groups
        bottom = groups[-1][0]
        joined = False
        for group in reversed(moved_into):
            moved, start = moved_into[group], groups[group][0]
            paired = self._penultimate(moved, start, bottom, joined)
            if paired is not None:
                self.brackets.append(paired)
                self._lowest(paired.floaters, bottom, joined)
                return
            added, bottom, joined = bottom - start, start, True
            if self._can_all_be_paired(moved, bottom):
                self._lowest(moved, bottom, joined, added)
                return
            if self.brackets:
                self.brackets.pop()

    def _penultimate(self, moved: list[int], start: int, bottom: int, joined: bool) -> Paired | None:
        """The best candidate that leaves a lowest bracket, from ``bottom`` on, that can be paired.

        None if there is no such candidate with a pair, although some pair is legal, or none that pairs one of
        those who moved down, although one of them has an opponent (C.14.b: M1 falls no further than 1).
        """
        members = moved + list(range(start, bottom))
        bracket = self.settle.bracket(members, len(moved))
        if not any(bracket.graph):  # [C.1] all of them move down
            able = self._can_all_be_paired(members, bottom)
            none = [bracket.size] * bracket.size
            return self._paired(bracket, (none, "tight")) if able else None
        settled = self._quick_penultimate(bracket, bottom) or self._whole_penultimate(bracket, bottom, joined)
        if settled is None:
            return None
        paired = self._paired(bracket, settled)
        above = set(bracket.members[: bracket.moved_down])
        enough = any(i in above for i, _ in paired.pairs) or not any(bracket.graph[: bracket.moved_down])
        return paired if paired.pairs and enough else None

    def _quick_penultimate(self, bracket: Bracket, bottom: int) -> Settled | None:
        """At most one resident floats, who can be paired below; None if that may not be the best."""
        odd = bracket.size % 2
        if len(self.completion.exposed[bottom]) != odd or bracket.graph.count(0) > odd:
            return None
        able = bracket.positions(self.completion.reach(bottom, mask_of(bracket.members))) if odd else 0
        residents = able >> bracket.moved_down << bracket.moved_down
        if odd and not residents:
            return None
        return self.settle.single_downfloater(bracket, residents, counts_c9=False)

    def _whole_penultimate(self, bracket: Bracket, bottom: int, joined: bool) -> Settled | None:
        """The bracket and the lowest one as one problem."""
        edition = self.field.edition
        spared = edition.bye_spares_moved_down and not joined
        if edition.half_moved_down_is_homogeneous and bracket.moved_down > 1:
            # [A.3] Two who moved down before may meet in the lowest bracket, if half of it moves down.
            settled = self._solve_penultimate(bracket, bottom, spared, apart=False)
            if settled and self._can_all_be_paired(self._paired(bracket, settled).floaters, bottom):
                return settled
        return self._solve_penultimate(bracket, bottom, spared, apart=True)

    def _solve_penultimate(self, bracket: Bracket, bottom: int, spared: bool, apart: bool) -> Settled | None:
        criteria = bracket.criteria(bracket.size + self.field.n - bottom + 1)
        adjacent = self.completion.adjacent
        try:
            model = penultimate_model(criteria, bracket, bottom, adjacent, spared=spared, apart=apart)
            mate, route = first_candidate(model)
        except NotDecided:
            return None
        return mate, f"whole {route}"

    def _can_all_be_paired(self, moved: list[int], bottom: int) -> bool:
        """Whether these and everyone from ``bottom`` down can be paired, the bye included; those who moved
        down not against each other, unless the bracket is treated as homogeneous (A.3)."""
        n = self.field.n
        below = [*range(bottom, n), *([n] if self.completion.odd else [])]
        graph = graph_of_any(self.completion.adjacent, [*moved, *below])
        if not self.field.edition.is_homogeneous(len(moved), len(moved) + n - bottom):
            graph = moved_down_apart(graph, len(moved))
        return not maximise(graph, [-1] * len(graph), (1 << len(graph)) - 1)

    def _lowest(self, moved: list[int], bottom: int, joined: bool = False, added: int = 0) -> None:
        """The lowest bracket, from ``bottom`` on; ``added`` residents, the first ones, were joined last.

        [C.13] In a joined bracket score differences come first (B.3). The bracket added last is S1, if it is
        less than half of the residents and nobody above was paired anew for it.
        """
        members = moved + list(range(bottom, self.field.n))
        s1 = added if 2 * added < len(members) - len(moved) else 0
        bracket = Bracket(self.field, members, len(moved), joined, s1)
        odd = bracket.size % 2
        byes = mask_of([u for u, i in enumerate(members) if self.field.may_have_pab[i]]) if odd else 0
        if joined:
            criteria = bracket.criteria(bracket.size + 1)
            mate, route = first_candidate(bracket_model(criteria, bracket, byes, odd))
            self.brackets.append(self._paired(bracket, (mate, f"joined {route}")))
            return
        settled = self.settle.single_downfloater(bracket, byes, counts_c9=False)
        assert settled is not None, "the brackets above were paired so that this one can be"
        self.brackets.append(self._paired(bracket, settled))


def next_value(field: Field, floaters: list[int], group: int) -> NextValue:
    """[C.12] How well the next bracket, of that scoregroup, can be paired with these. Residents without any
    opponent there have left it before its pairs are counted (C.1). If it is treated as homogeneous (A.3) only
    pairs count."""
    start, end = field.groups[group]
    adjacent, count = field.adjacent, len(floaters)
    everyone = mask_of(floaters) | mask_of(range(start, end))
    alone = sum(not adjacent[i] & everyone for i in range(start, end))
    size = count + end - start
    most = (size - alone) // 2
    if field.edition.is_homogeneous(count, size):
        graph = graph_of_any(adjacent, [*floaters, *range(start, end)])
        left = maximise(graph, [-1] * size, (1 << size) - 1)
        return count, (size - len(left)) // 2 - most
    unpaired = left_unpaired(adjacent, floaters, start, end)
    return count - sum(i < start for i in unpaired), (size - len(unpaired)) // 2 - most
