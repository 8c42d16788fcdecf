"""Far causes: why a pair here leaves somebody there without an opponent.

Whoever has one opponent left must meet that one. Followed from the pair asked about, this often ends at a
player with nobody left: the chain that leads there is the cause. Where it does not end, a set of players is
named who have too few opponents between them (Berge 1958).
"""

from collections.abc import Iterable, Sequence

import msgspec

from paircard.pairing.dutch.completion import Completion
from paircard.pairing.dutch.field import Field
from paircard.pairing.matching.bits import bits, mask_of
from paircard.pairing.matching.cardinality import augment, maximise


class Cause(msgspec.Struct, frozen=True, kw_only=True):
    """Why not all players can be paired. Ids; 0 stands for the bye."""

    nobody: int = 0
    """The player for whom nobody is left; 0 where a group is short of opponents, or the bye of players."""
    no_bye: bool = False
    """Whether nobody is left who may have the bye."""
    chain: tuple[tuple[int, int], ...] = ()
    """Pairs that then have to be made, in order: a player and the only opponent left."""
    group: tuple[int, ...] = ()
    """Players who can be paired only among themselves and with ``helpers``, which is not enough."""
    helpers: tuple[int, ...] = ()
    bracket: int = -1
    """Index of the bracket whose pairs stand while this happens; -1 where it does not depend on one."""


def below(field: Field, completion: Completion, floaters: Sequence[int], end: int) -> Cause | None:
    """Why these and everyone from ``end`` down cannot all be paired; None if they can."""
    adjacent, alive = completion.adjacent, completion.alive(end) | mask_of(floaters)
    return _propagated(field, adjacent, alive) or _short_of_opponents(field, adjacent, alive)


def _propagated(field: Field, adjacent: Sequence[int], alive: int) -> Cause | None:
    """The chain of only opponents, as far as it leads to somebody without one."""
    rows = {i: adjacent[i] & alive & ~(1 << i) for i in bits(alive)}
    steps: list[tuple[int, int]] = []
    by: dict[int, int] = {}  # player -> the step that took them
    while rows:
        fewest = min(rows, key=lambda i: (rows[i].bit_count(), i == field.n, i))
        options = rows[fewest]
        if options.bit_count() > 1:
            return None
        if not options:
            return _chain(field, adjacent, alive, steps, by, fewest)
        other = options.bit_length() - 1
        by[fewest] = by[other] = len(steps)
        steps.append((fewest, other))
        del rows[fewest], rows[other]
        taken = ~(1 << fewest | 1 << other)
        rows = {i: row & taken for i, row in rows.items()}
    return None


def _chain(
    field: Field,
    adjacent: Sequence[int],
    alive: int,
    steps: list[tuple[int, int]],
    by: dict[int, int],
    end: int,
) -> Cause:
    """Only those steps that took an opponent from somebody in the chain."""
    wanted: set[int] = set()
    open_ = [end]
    while open_:
        i = open_.pop()
        before = by.get(i, len(steps))
        for j in bits(adjacent[i] & alive & ~(1 << i)):
            step = by.get(j, before)
            if step < before and step not in wanted:
                wanted.add(step)
                open_.append(steps[step][0])
    chain = tuple((_id(field, steps[k][0]), _id(field, steps[k][1])) for k in sorted(wanted))
    return Cause(nobody=_id(field, end), no_bye=end == field.n, chain=chain)


def _short_of_opponents(field: Field, adjacent: Sequence[int], alive: int) -> Cause | None:
    """[Berge] Players who could each be left over, and all whom they may meet besides."""
    mate = [-1] * len(adjacent)
    rows = list(adjacent)
    left = maximise(rows, mate, alive)
    if not left:
        return None
    even = 0
    for root in left:
        even |= augment(rows, mate.copy(), root, alive)
    seen = 0
    for v in bits(even):
        seen |= rows[v] & alive
    return Cause(group=_ids(field, bits(even)), helpers=_ids(field, bits(seen & ~even)))


def _ids(field: Field, places: Iterable[int]) -> tuple[int, ...]:
    return tuple(_id(field, i) for i in places)


def _id(field: Field, place: int) -> int:
    return field.players[place].id if place < field.n else 0
