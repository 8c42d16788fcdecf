"""A bracket after its pairing."""

from typing import Final

from paircard.pairing.dutch.search.settle import Settled

JOINED: Final = "joined"
"""Role of a bracket made of the last scoregroups (2012 C.13)."""
HOMOGENEOUS: Final = "homogeneous"
"""Role of a bracket at least half of which moved down, treated as homogeneous (2012 A.3)."""

Pairs = list[tuple[int, int]]


class Paired:
    """A bracket after its pairing; players as places in the field, upper player of a pair first."""

    def __init__(
        self,
        members: list[int],
        moved_down: int,
        pairs: Pairs,
        floaters: list[int],
        route: str,
        role: str = "",
        added: int = 0,
        upfloats: bool = True,
    ) -> None:
        self.members = members
        self.moved_down = moved_down
        """So many of the members, the first ones, came from above."""
        self.pairs = pairs
        self.floaters = floaters
        self.route = route
        """Which part of the search settled it."""
        self.role = role
        """``PPB`` or ``CLB`` for the last two brackets of a collapsed round (2017 A.9), ``JOINED``,
        ``HOMOGENEOUS``, or empty."""
        self.added = added
        """[2012 C.13] So many residents of a joined bracket, the first ones, were its S1."""
        self.upfloats = upfloats
        """[2012 C.10.a, b] Whether upfloaters were looked at."""


def paired_by(
    members: list[int],
    moved_down: int,
    settled: Settled,
    role: str = "",
    added: int = 0,
    upfloats: bool = True,
) -> Paired:
    """A bracket from the mates of its members; two moved-down players who have each other both float."""
    mate, route = settled
    size = len(members)
    pairs, floaters = [], []
    for u in range(size):
        v = mate[u]
        if v >= size or (u < moved_down and v < moved_down):
            floaters.append(members[u])
        elif u < v:
            pairs.append((members[u], members[v]))
    return Paired(members, moved_down, pairs, floaters, route, role, added, upfloats)
