"""A bracket after its pairing."""

from dataclasses import dataclass
from typing import Final

from paircard.pairing.dutch.search.settle import Settled

JOINED: Final = "joined"
"""Role of a bracket made of the last scoregroups (2012 C.13)."""
HOMOGENEOUS: Final = "homogeneous"
"""Role of a bracket at least half of which moved down, treated as homogeneous (2012 A.3)."""

Pairs = list[tuple[int, int]]


@dataclass
class Paired:
    """A bracket after its pairing; players as places in the field, upper player of a pair first."""

    members: list[int]
    moved_down: int
    """So many of the members, the first ones, came from above."""
    pairs: Pairs
    floaters: list[int]
    route: str
    """Which part of the search settled it."""
    role: str = ""
    """``PPB`` or ``CLB`` for the last two brackets of a collapsed round (2017 A.9), ``JOINED``,
    ``HOMOGENEOUS``, or empty."""
    added: int = 0
    """[2012 C.13] So many residents of a joined bracket, the first ones, were its S1."""
    upfloats: bool = True
    """[2012 C.10.a, b] Whether upfloaters were looked at."""
    came_down: int = 0
    """[2012 A.3] So many came from above, though the bracket is treated as if nobody had."""
    anew: bool = False
    """[2012 C.13] Whether it was paired so that everyone below it can be."""


def paired_by(members: list[int], moved_down: int, settled: Settled, role: str = "") -> Paired:
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
    return Paired(members, moved_down, pairs, floaters, route, role)
