"""C4 and C5 (2017: C.4): can those not yet paired all be paired, and who may have the bye.

The bye is one more vertex, ``field.n``, behind the last player.
"""

from paircard.pairing.dutch.field import Field
from paircard.pairing.matching.bits import bits, mask_of
from paircard.pairing.matching.cardinality import augment, exposed_of, maximise


class Completion:
    """Maximum matchings of the field from any scoregroup down, made from the bottom up and kept."""

    def __init__(self, field: Field) -> None:
        self.field = field
        self.n = field.n
        self.odd = field.n % 2 == 1
        self.adjacent = list(field.adjacent)
        self.pab_score: int | None = None
        """[C5] The lowest score at which the bye can be given; None without a bye or without the rule."""
        self._whole = (1 << self.n) - 1
        if self.odd:
            self._allow_bye((1 << self.n) - 1)
        self.mates: dict[int, list[int]] = {}
        self.exposed: dict[int, list[int]] = {}
        self._reach: dict[int, tuple[int, bool]] = {}
        self._welcome: dict[int, tuple[int, bool]] = {}
        self._sweep()
        self.possible = not self.exposed[0]
        if self.odd and self.possible and field.edition != "dutch-2017":
            self._fix_pab_score()

    def _allow_bye(self, whom: int) -> None:
        """Let these players have the bye, as far as C2 allows."""
        bye = 1 << self.n
        eligible = 0
        for i in bits(whom):
            if self.field.may_have_pab[i]:
                eligible |= 1 << i
        self.adjacent = [
            a | bye if eligible >> i & 1 else a & ~bye for i, a in enumerate(self.adjacent[: self.n])
        ]
        self.adjacent.append(eligible)
        self._whole = (1 << self.n + 1) - 1

    def alive(self, start: int) -> int:
        """Everyone from this place down, and the bye if there is one."""
        return self._whole >> start << start

    def _sweep(self) -> None:
        mate = [-1] * (self.n + 1)
        starts = [self.n] + [start for start, _ in reversed(self.field.groups)]
        for start in starts:
            alive = self.alive(start)
            maximise(self.adjacent, mate, alive, alive)
            self.mates[start] = mate.copy()
            self.exposed[start] = exposed_of(mate, alive)

    def _fix_pab_score(self) -> None:
        """[C5] Fixed once for the round: the lowest score of a player whose bye lets all others be paired."""
        mate = self.mates[0].copy()
        holder = mate[self.n]
        mate[self.n] = mate[holder] = -1
        others = (1 << self.n) - 1
        could = augment(self.adjacent, mate, holder, others)
        scores = [self.field.score[i] for i in bits(could & self.adjacent[self.n])]
        self.pab_score = min(scores)
        lowest = sum(1 << i for i in range(self.n) if self.field.score[i] <= self.pab_score)
        self._allow_bye(lowest)
        self._sweep()

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

    def welcome(self, group: int, who: int) -> int:
        """[C8] Which of these cost the scoregroup nothing by floating into it alone: everyone is paired there
        but for parity, nobody floats on with more than its score, and (2026) the rest can be paired."""
        known, whole = self._welcome.get(group, (0, False))
        if who & ~known and not whole:
            known = self._find_welcome(group, who)
            self._welcome[group] = known, bool(who & ~known)
        return known & who

    def _find_welcome(self, group: int, who: int) -> int:
        start, end = self.field.groups[group]
        size = end - start
        inside = (1 << size) - 1
        graph = [row >> start & inside for row in self.adjacent[start:end]]
        sight = self.adjacent[start:end]
        old = self.field.old
        if size % 2 == 0:  # one of them floats on
            leavers = inside if old and end < self.n else self.reach(end, inside << start) >> start
            graph = [row | (leavers >> k & 1) << size for k, row in enumerate(graph)]
            graph.append(leavers)
            sight.append(0)
            inside = (1 << size + 1) - 1
        elif not old and self.exposed[end]:
            return 0
        mate = [-1] * len(graph)
        maximise(graph, mate, inside, inside)
        left = exposed_of(mate, inside)
        return self._seen(graph, mate, left[0], inside, sight, who) if len(left) == 1 else 0

    @staticmethod
    def _seen(graph: list[int], mate: list[int], left: int, alive: int, sight: list[int], who: int) -> int:
        """Everything seen from vertices that could be left instead of ``left``; all of ``who`` is enough."""
        seen = 0
        for v in bits(augment(graph, mate, left, alive, sight, who)):
            seen |= sight[v]
        return seen

    def completes(self, floaters: list[int], start: int, bye: bool = True) -> bool:
        """[C4] Can these and everyone from ``start`` down be paired? Not ``bye``: it is given elsewhere."""
        alive = self.alive(start) | mask_of(floaters)
        mate = self.mates[start]
        if self.odd and not bye:
            alive &= ~(1 << self.n)
            mate = mate.copy()
            if mate[self.n] >= 0:
                mate[mate[self.n]] = mate[self.n] = -1
        elif not floaters:
            return not self.exposed[start]
        else:
            mate = mate.copy()
        maximise(self.adjacent, mate, alive, alive)
        return not exposed_of(mate, alive)
