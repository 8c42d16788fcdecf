"""A bracket as a graph: members are positions 0, 1, 2 … in the order of their sequence numbers (4.1)."""

from paircard.pairing.dutch.field import Field
from paircard.pairing.matching.cardinality import augment, mask_of, maximise


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
        self.homogeneous = not joined and field.edition.is_homogeneous(moved_down, len(members))
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
