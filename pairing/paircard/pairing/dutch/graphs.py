"""Who can be paired with whom: all who are left (C4, C5; 2017 C.4), and the members of one bracket (C6).

The bye is one more vertex of the field, ``field.n``, behind the last player. In a bracket players are
positions 0, 1, 2 … in the order of their sequence numbers (4.1).
"""

from typing import Final

from paircard.pairing.dutch.field import Field
from paircard.pairing.matching.cardinality import augment, bits, mask_of, maximise, maximise_from


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
        """A maximum matching of everyone from the start of a scoregroup down."""
        self.exposed: dict[int, list[int]] = {}
        """Those it leaves."""
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
        found = maximise_from(self.adjacent, [*(start for start, _ in self.field.groups), self.n])
        self.mates = {start: mate for start, (mate, _) in found.items()}
        self.exposed = {start: left for start, (_, left) in found.items()}

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


LARGEST: Final = 24
"""Members of the largest bracket whose candidates are looked at one by one."""
SPARE_PAIRS: Final = 30
"""Legal pairs, each counted for both players, that a bracket may have beyond five for every two members."""


class Bracket:
    """Moved-down players, then residents, and the pairs they may make."""

    def __init__(
        self,
        field: Field,
        members: list[int],
        moved_down: int,
        joined: bool = False,
        added: int = 0,
        upfloats: bool = True,
    ) -> None:
        """``joined``: of several scoregroups (2012 C.13), the first residents being ``added`` last.

        [2012 A.3] A bracket at least half of which moved down may be treated as homogeneous: then nobody
        counts as moved down in it. So is a joined one at least half of which moved down or was added last.
        ``upfloats``: whether opponents of those who moved down count as upfloaters.
        """
        some = field.edition.half_moved_down_is_homogeneous
        self.homogeneous = some and not joined and 0 < len(members) <= 2 * moved_down
        self.came_down = moved_down
        """So many of the members, the first ones, came from above."""
        if joined and half_came_down(moved_down + added, len(members)):
            moved_down = added = 0
        elif self.homogeneous:
            moved_down = 0
        self.added = added
        """[2012 C.13] So many residents, the first ones, are S1 of a joined bracket."""
        self.upfloats = upfloats
        self.field = field
        self.members = members
        self.joined = joined
        """Places in the field."""
        self.moved_down = moved_down
        """So many of them count as moved down."""
        self.choosers = [(0, moved_down), *([(moved_down, moved_down + added)] if added else [])]
        """First and end position of those who choose opponents among all who follow, before the remainder."""
        self.size = len(members)
        self.end = members[-1] + 1
        """Place behind the bracket."""
        self.graph = moved_down_apart(
            graph_of(field.adjacent, members, self.came_down, [], 0), self.came_down
        )
        self.everyone = (1 << self.size) - 1
        """All positions."""
        self.scores = [field.score[i] for i in members]
        self._fewest: tuple[int, int] | None = None

    def has_few_pairs(self) -> bool:
        """Whether it is worth while to look at its candidates one by one."""
        if self.size > LARGEST:
            return False
        legal = sum([row.bit_count() for row in self.graph])
        return legal <= 5 * self.size // 2 + SPARE_PAIRS

    def positions(self, players: int) -> int:
        """A set of players of the field as a set of positions in the bracket."""
        return mask_of([u for u, i in enumerate(self.members) if players >> i & 1])

    def players(self, positions: int) -> list[int]:
        """A set of positions as players of the field."""
        return [i for u, i in enumerate(self.members) if positions >> u & 1]

    def fewest_downfloaters(self) -> tuple[int, int]:
        """[C6] How many must float at least, whatever is below; if it is one, who it can be."""
        if self._fewest is None:
            mate = [-1] * self.size
            left = maximise(self.graph, mate, self.everyone)
            one = augment(self.graph, mate, left[0], self.everyone) if len(left) == 1 else 0
            self._fewest = len(left), one
        return self._fewest


def half_came_down(came_down: int, size: int) -> bool:
    """[2012 A.3, C.13] Whether at least half of a joined bracket moved down or was added last."""
    return 2 * came_down >= size


def moved_down_apart(graph: list[int], moved_down: int) -> list[int]:
    """[2026 3.2] Moved-down players never meet in the bracket they came into."""
    others = ~((1 << moved_down) - 1)
    return [row & others for row in graph[:moved_down]] + graph[moved_down:]


def graph_of(
    adjacent: list[int], members: list[int], moved_down: int, outside: list[int], start: int
) -> list[int]:
    """The field's graph on the members and, behind them, the vertices outside.

    Residents stand together in the field; so do the vertices outside, from ``start`` on, but for the bye.
    """
    size = len(members)
    first = members[moved_down]
    residents = (1 << size - moved_down) - 1
    count = len(outside)
    gap = count and outside[-1] != start + count - 1  # the bye is not next to the others
    beside = (1 << count - bool(gap)) - 1
    rows = []
    for i in members + outside:
        whole = adjacent[i]
        row = (whole >> first & residents) << moved_down
        for k in range(moved_down):
            if whole >> members[k] & 1:
                row |= 1 << k
        if count:
            row |= (whole >> start & beside) << size
            if gap and whole >> outside[-1] & 1:
                row |= 1 << size + count - 1
        rows.append(row)
    return rows
