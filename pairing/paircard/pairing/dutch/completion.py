"""C4 and C5 (2017: C.4): can those not yet paired all be paired, and who may have the bye.

The bye is one more vertex, ``field.n``, behind the last player.
"""

from paircard.pairing.dutch.field import Field
from paircard.pairing.matching.cardinality import augment, bits, mask_of, maximise


class Completion:
    """Maximum matchings of the field from any scoregroup down, made from the bottom up and kept."""

    def __init__(self, field: Field) -> None:
        self.field = field
        self.n = field.n
        self.odd = field.n % 2 == 1
        self.adjacent = list(field.adjacent)
        self.pab_score: int | None = None
        """[C5] The lowest score at which the bye can be given; None without a bye or without the rule."""
        self._whole = (1 << self.n + self.odd) - 1
        self.mates: dict[int, list[int]] = {}
        self.exposed: dict[int, list[int]] = {}
        self._reach: dict[int, tuple[int, bool]] = {}
        self._costs_nothing: dict[int, tuple[int, bool]] = {}
        if self.odd and field.edition.fixes_bye_score:
            self._c5_fix_bye_score()
        else:
            self._sweep(field.may_have_pab)
        self.possible = not self.exposed[0]

    def _allow_bye(self, eligible: list[bool]) -> None:
        bye = 1 << self.n
        self.adjacent = [
            row | bye if may else row for row, may in zip(self.field.adjacent, eligible, strict=True)
        ]
        self.adjacent.append(mask_of([i for i, may in enumerate(eligible) if may]))

    def alive(self, start: int) -> int:
        """Everyone from this place down, and the bye if there is one."""
        return self._whole >> start << start

    def _sweep(self, eligible: list[bool]) -> None:
        """Match from the bottom up, the bye being open to these."""
        if self.odd:
            self._allow_bye(eligible)
        mate = [-1] * (self.n + 1)
        left = [self.n] if self.odd else []
        self.mates[self.n], self.exposed[self.n] = mate.copy(), left
        for start, end in reversed(self.field.groups):
            left = maximise(self.adjacent, mate, self.alive(start), [*range(start, end), *left])
            self.mates[start], self.exposed[start] = mate.copy(), left
        if not self.field.groups:
            self.mates[0], self.exposed[0] = mate, left

    def _c5_fix_bye_score(self) -> None:
        """[C5] Fixed once for the round: the lowest score of a player whose bye lets all others be paired.

        Mostly the lowest score of anyone who may have it. Where that does not complete the round, it is the
        lowest of those that a maximum matching of all players could leave alone.
        """
        may, score = self.field.may_have_pab, self.field.score
        lowest = min((s for s, eligible in zip(score, may, strict=True) if eligible), default=None)
        if lowest is not None:
            self._sweep([eligible and s == lowest for s, eligible in zip(score, may, strict=True)])
            if not self.exposed[0]:
                self.pab_score = lowest
                return
        self._sweep(may)
        if self.exposed[0]:
            return
        mate = self.mates[0].copy()
        holder = mate[self.n]
        mate[self.n] = mate[holder] = -1
        could = augment(self.adjacent, mate, holder, (1 << self.n) - 1)
        self.pab_score = min(score[i] for i in bits(could & self.adjacent[self.n]))
        self._sweep([eligible and s <= self.pab_score for s, eligible in zip(score, may, strict=True)])

    def reach(self, start: int, who: int) -> int:
        """[C4] Which of these can, alone, be paired with everyone from ``start`` down, nobody being left."""
        if len(self.exposed[start]) != 1:
            return 0
        known, whole = self._reach.get(start, (0, False))
        if who & ~known and not whole:
            left = self.exposed[start][0]
            known = self._seen(self.adjacent, self.mates[start], left, self.alive(start), self.adjacent, who)
            self._reach[start] = known, bool(who & ~known)
        return known & who

    def costs_next_nothing(self, group: int, who: int) -> int:
        """[C8] Which of these cost the scoregroup nothing by floating into it alone: everyone is paired there
        but for parity, nobody floats on with more than its score, and (2026) the rest can be paired."""
        known, whole = self._costs_nothing.get(group, (0, False))
        if who & ~known and not whole:
            known = self._find_who_costs_nothing(group, who)
            self._costs_nothing[group] = known, bool(who & ~known)
        return known & who

    def _find_who_costs_nothing(self, group: int, who: int) -> int:
        start, end = self.field.groups[group]
        size = end - start
        inside = (1 << size) - 1
        graph = [row >> start & inside for row in self.adjacent[start:end]]
        sight = self.adjacent[start:end]
        completes = self.field.edition.completes_every_bracket
        if size % 2 == 0:  # one of them floats on
            anyone = not completes and end < self.n
            leavers = inside if anyone else self.reach(end, inside << start) >> start
            graph = [row | (leavers >> k & 1) << size for k, row in enumerate(graph)]
            graph.append(leavers)
            sight.append(0)
            inside = (1 << size + 1) - 1
        elif completes and self.exposed[end]:
            return 0
        mate = [v - start if start <= v < end else -1 for v in self.mates[start][start:end]]
        mate += [-1] * (len(graph) - size)
        left = maximise(graph, mate, inside)
        return self._seen(graph, mate, left[0], inside, sight, who) if len(left) == 1 else 0

    @staticmethod
    def _seen(graph: list[int], mate: list[int], left: int, alive: int, sight: list[int], who: int) -> int:
        """Everything seen from vertices that could be left instead of ``left``; all of ``who`` is enough."""
        seen = 0
        for v in bits(augment(graph, mate, left, alive, sight, who)):
            seen |= sight[v]
        return seen

    def completes(self, floaters: list[int], start: int) -> bool:
        """[C4] Can these and everyone from ``start`` down be paired?"""
        if not floaters:
            return not self.exposed[start]
        alive = self.alive(start) | mask_of(floaters)
        return not maximise(self.adjacent, self.mates[start].copy(), alive)
