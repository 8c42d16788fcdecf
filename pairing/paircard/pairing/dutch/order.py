"""Article 4 (2017: section D): the first of the best candidates, in the order they are generated.

The order is nested: set of moved-down players (4.4), their opponents (4.2), exchange in the remainder (4.3),
opponents in the remainder (4.2). Each level is one more term below the criteria, so that one matching
settles it; at most three matchings are needed for a bracket.
"""

from paircard.pairing.dutch.model import Model


def first_candidate(model: Model) -> list[int]:
    """Mates of the first best candidate."""
    adjacent = list(model.adjacent)
    mate = _moved_down_first(model, adjacent) if model.moved_down else model.best()
    return _remainder(model, adjacent, mate)


def _moved_down_first(model: Model, adjacent: list[int]) -> list[int]:
    """[4.4, 4.2] The first set of moved-down players, and their first opponents; fixed in ``adjacent``."""
    moved, size = model.moved_down, model.size
    digit = size.bit_length()
    room_for_opponents = digit * moved

    def extra(u: int, v: int) -> int:
        if u > v >= 0:
            u, v = v, u
        if u >= moved:
            return 0
        if v < 0 or v < moved:  # not paired here: the set with the smallest differing number is better
            lost = 1 << room_for_opponents + (moved - 1 - u)
            return lost if v < 0 else lost + (1 << room_for_opponents + (moved - 1 - v))
        return (v - moved) << digit * (moved - 1 - u)

    mate = model.best(adjacent, extra, room_for_opponents + moved + 1)
    for u in range(moved):
        v = mate[u]
        if moved <= v < size:
            _fix(adjacent, u, v)
        else:
            _bar_inside(adjacent, u, model.inside & ~((1 << moved) - 1))
    return mate


def _fix(adjacent: list[int], u: int, v: int) -> None:
    """Leave u and v no one but each other."""
    for w in range(len(adjacent)):
        adjacent[w] &= ~(1 << u | 1 << v)
    adjacent[u], adjacent[v] = 1 << v, 1 << u


def _bar_inside(adjacent: list[int], u: int, inside: int) -> None:
    """Keep u from being paired in the bracket."""
    adjacent[u] &= ~inside
    for w in range(len(adjacent)):
        if inside >> w & 1:
            adjacent[w] &= ~(1 << u)


def _remainder(model: Model, adjacent: list[int], mate: list[int]) -> list[int]:
    """[4.3, 4.2] The first exchange between S1 and S2 of the remainder, then the first transposition."""
    moved, size = model.moved_down, model.size
    players = [v for v in range(moved, size) if not 0 <= mate[v] < moved]
    pairs = sum(1 for v in players if mate[v] < size) // 2
    if not pairs:
        return mate
    number = {v: k + 1 for k, v in enumerate(players)}
    many = len(players)
    digit = (many * many).bit_length() + 1

    def extra(u: int, v: int) -> int:
        a, b = number.get(u, 0), number.get(v, 0)
        if a > b:
            a, b = b, a
        if not b:
            return 0
        if not a:  # b floats
            return down(b) if b <= pairs else 0
        if b <= pairs:
            return down(b)
        return up(a) if a > pairs else 0

    def down(b: int) -> int:
        """[4.3] b moves from S1 to S2: fewest, then least difference, then the highest."""
        return ((1 << digit) - b << 2 * many) - (1 << many + b)

    def up(a: int) -> int:
        """[4.3] a moves from S2 to S1: least difference, then the lowest."""
        return (a << 2 * many) - (1 << many - a)

    room = 2 * many + 2 * digit + 2
    mate = model.best(adjacent, extra, room)
    upper = [v for v in players if v < mate[v] < size]
    order = {v: k for k, v in enumerate(upper)}
    rank = {v: k for k, v in enumerate(v for v in players if v not in order)}
    digit = many.bit_length()
    first = sum(1 << v for v in upper)
    second = sum(1 << v for v in rank)
    for v in upper:
        adjacent[v] &= second
    for v in rank:
        adjacent[v] &= ~second

    def transposition(u: int, v: int) -> int:
        if u in order and v in rank:
            return rank[v] << digit * (pairs - 1 - order[u])
        if v in order and u in rank:
            return rank[u] << digit * (pairs - 1 - order[v])
        return 0

    for w in range(size, len(adjacent)):
        adjacent[w] &= ~first
    return model.best(adjacent, transposition, digit * pairs + 1)
