"""Article 4 to the letter, for brackets of a few players: all candidates in the order they are generated.

The order depends on sequence numbers only, so that one list serves all brackets with as many members,
moved-down players and downfloaters. The pairing is the first candidate of the list with the least penalty.
"""

from collections.abc import Collection, Iterator

from paircard.pairing.dutch.criteria import Criteria
from paircard.pairing.dutch.field import Field
from paircard.pairing.matching.bits import mask_of

MOST = 6
"""Members of a bracket that is listed: 15 candidates, or 45 if two float."""

Listed = tuple[list[list[int]], list[list[int]], list[int]]
"""Candidates as mates; their pairs, column by column; the sets of their downfloaters."""
LISTS: dict[tuple[int, int, int], Listed] = {}
"""The lists made so far, by members, moved-down players and downfloaters; they never change."""

Order = tuple[tuple[int, ...], ...]


def first_of_list(
    field: Field, criteria: Criteria, members: list[int], moved_down: int, floaters: Collection[int]
) -> list[int] | None:
    """Mates of the first best candidate, a downfloater's being ``len(members)``; None if there is none.

    ``floaters`` are sets of downfloaters by place, all of one size: nobody else may float.
    """
    size = len(members)
    width = size + 1
    never, score, adjacent = criteria.never, field.score, field.adjacent
    colour, colours = field.clashes.of, criteria.prices()
    prices = [never] * (width * width)
    may_float = union_of(floaters)
    for u, i in enumerate(members):
        mine, clash, may = score[i], field.clashes.row(colour[i]), adjacent[i]
        for v in range(max(u + 1, moved_down), size):
            j = members[v]
            if may >> j & 1:
                price = colours[clash[colour[j]]]
                prices[u * width + v] = price if mine == score[j] else price + criteria.upfloat(i, j)
        if may_float >> u & 1:
            prices[u * width + size] = criteria.downfloat(i) + criteria.bye(i)
    mates, columns, sets = candidates(size, moved_down, next(iter(floaters), 0).bit_count())
    penalties = [0 if one in floaters else never for one in sets]
    for column in columns:
        penalties = [so_far + prices[pair] for so_far, pair in zip(penalties, column, strict=True)]
    least = min(penalties)
    return mates[penalties.index(least)].copy() if least < never else None


def union_of(sets: Collection[int]) -> int:
    """Everybody who is in one of them."""
    union = 0
    for one in sets:
        union |= one
    return union


def candidates(size: int, moved_down: int, many: int) -> Listed:
    """All candidates with so many downfloaters in order. Pairs are numbered row by row, as in a square table;
    a downfloater is paired with the vertex behind all members.
    """
    known = LISTS.get((size, moved_down, many))
    if known:
        return known
    ordered = sorted(
        _matchings(list(range(size)), many, size), key=lambda pairs: order_of(pairs, size, moved_down)
    )
    mates, sets = [], []
    for pairs in ordered:
        mate = [size] * size
        for u, v in pairs:
            mate[u] = v
            if v < size:
                mate[v] = u
        mates.append(mate)
        sets.append(mask_of(u for u, v in pairs if v == size))
    columns = [[u * (size + 1) + v for u, v in column] for column in zip(*ordered, strict=True)]
    LISTS[size, moved_down, many] = mates, columns, sets
    return mates, columns, sets


def _matchings(vertices: list[int], many: int, out: int) -> Iterator[list[tuple[int, int]]]:
    """Every way to pair these but for so many, who go out."""
    if not vertices:
        yield []
        return
    first, *others = vertices
    if many:
        for rest in _matchings(others, many - 1, out):
            yield [(first, out), *rest]
    if len(vertices) > many:
        for at, mate in enumerate(others):
            for rest in _matchings(others[:at] + others[at + 1 :], many, out):
                yield [(first, mate), *rest]


def order_of(pairs: list[tuple[int, int]], size: int, moved_down: int) -> Order:
    """A candidate's place in the order, as numbers to compare."""
    above = [(u, v) for u, v in pairs if u < moved_down]
    met = {v for _, v in above}
    players = [v for v in range(moved_down, size) if v not in met]
    below = [(players.index(u), players.index(v)) for u, v in pairs if u >= moved_down and v < size]
    return (
        moved_down_set(above, size),
        moved_down_opponents(above, size),
        exchange(len(below), [u for u, _ in below]),
        transposition(below),
    )


def moved_down_set(above: list[tuple[int, int]], size: int) -> tuple[int, ...]:
    """[4.4] The first moved-down players are paired; one with the vertex behind all members floats."""
    return tuple(int(v >= size) for _, v in above)


def moved_down_opponents(above: list[tuple[int, int]], size: int) -> tuple[int, ...]:
    """[4.2] The lowest opponents of the moved-down players, one after the other."""
    return tuple(v for _, v in above if v < size)


def exchange(pairs: int, upper: list[int]) -> tuple[int, ...]:
    """[4.3] Fewest players exchanged, the least difference of sums, the lowest of S1 and the highest of S2.

    ``upper`` are the upper players of the pairs, by place in the remainder: S1 after the exchange.
    """
    up = sorted(place for place in upper if place >= pairs)
    down = sorted(set(range(pairs)) - set(upper), reverse=True)
    return (len(up), sum(up) - sum(down), *(-place for place in down), *up)


def transposition(below: list[tuple[int, int]]) -> tuple[int, ...]:
    """[4.2] The lowest opponents of S1, one after the other."""
    return tuple(v for _, v in sorted(below))
