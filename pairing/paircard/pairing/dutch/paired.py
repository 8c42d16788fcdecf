"""A bracket after its pairing."""

from typing import Final

import msgspec

from paircard.pairing.dutch.completion import Completion
from paircard.pairing.dutch.criteria import Criteria, Value
from paircard.pairing.dutch.field import Field
from paircard.pairing.dutch.search.bracket import Bracket
from paircard.pairing.dutch.search.settle import Settled
from paircard.pairing.outcome import BracketTrace

JOINED: Final = "joined"
"""Role of a bracket made of the last scoregroups (2012 C.13)."""
HOMOGENEOUS: Final = "homogeneous"
"""Role of a bracket at least half of which moved down, treated as homogeneous (2012 A.3)."""

Pairs = list[tuple[int, int]]


class Paired(msgspec.Struct):
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
    made_of: Bracket | None = None
    """[2012] The bracket, where it may be joined, or treated as homogeneous."""
    anew: bool = False
    """[2012 C.13] Whether it was paired so that everyone below it can be."""

    @property
    def came_down(self) -> int:
        """So many came from above, even if the bracket is treated as if nobody had (2012 A.3)."""
        return self.made_of.came_down if self.made_of else self.moved_down


def paired_by(
    members: list[int], moved_down: int, settled: Settled, role: str = "", made_of: Bracket | None = None
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
    return Paired(members, moved_down, pairs, floaters, route, role, made_of)


def trace(field: Field, bracket: Paired, values: dict[str, Value]) -> BracketTrace:
    """A bracket in ids, with these values of its criteria."""
    ids = [player.id for player in field.players]
    members, moved = bracket.members, bracket.members[: bracket.moved_down]
    above = set(moved)
    mdp_pairs = [(i, j) for i, j in bracket.pairs if i in above]
    pairs = [(i, j) for i, j in bracket.pairs if i not in above]
    met = {j for _, j in mdp_pairs}
    rest = [i for i in members[bracket.moved_down :] if i not in met]
    added = bracket.made_of.added if bracket.made_of else 0
    s1, s2 = rest[: len(pairs)], rest[len(pairs) :]
    upper = {i for i, _ in pairs}
    return BracketTrace(
        score=residents_score(field, bracket),
        role=bracket.role,
        moved_down=tuple(ids[i] for i in moved),
        residents=tuple(ids[i] for i in members[bracket.moved_down :]),
        added=tuple(ids[i] for i in members[bracket.moved_down :][:added]),
        limbo=tuple(ids[i] for i in bracket.floaters if i in above),
        mdp_pairs=tuple((ids[i], ids[j]) for i, j in sorted(mdp_pairs)),
        s1=tuple(ids[i] for i in s1),
        s2=tuple(ids[i] for i in s2),
        moved_to_s2=tuple(ids[i] for i in s1 if i not in upper),
        moved_to_s1=tuple(ids[i] for i in s2 if i in upper),
        pairs=tuple((ids[i], ids[j]) for i, j in sorted(pairs)),
        downfloaters=tuple(ids[i] for i in bracket.floaters),
        values=values,
        route=bracket.route,
    )


def residents_score(field: Field, bracket: Paired) -> int:
    """Score of the residents; of the best of them in a collapsed or joined bracket."""
    residents = bracket.members[bracket.came_down :]
    return field.score[residents[0]] if residents else 0


def criteria_values(field: Field, bracket: Paired, completion: Completion) -> dict[str, Value]:
    """Each criterion's value, by the names of the edition; C8 is not a value of one bracket."""
    counts_c9 = (
        completion.pab_score is not None
        and completion.pab_score >= field.score[bracket.members[-1]]
        and len(bracket.floaters) == 1
    )
    made_of = bracket.made_of or Bracket(field, bracket.members, bracket.moved_down)
    collapsed = bracket.role == "CLB"
    criteria = Criteria(made_of, made_of.size + 1, counts_c9=counts_c9, collapsed=collapsed)
    found = criteria.values(bracket.pairs, bracket.floaters)
    if not counts_c9:
        found.pop("C9", None)
    return field.edition.named(found)
