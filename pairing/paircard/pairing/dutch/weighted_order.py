"""Article 4 by weights: each level of the order is one more term below the criteria.

Slower than asking a graph of tight edges, and always exact: at most three weighted matchings for a bracket.
"""

from collections.abc import Callable

from paircard.pairing.dutch.exchange import prices
from paircard.pairing.dutch.model import Model
from paircard.pairing.matching.bits import bits, mask_of
from paircard.pairing.matching.cardinality import maximise
from paircard.pairing.matching.weighted import Solver

Extra = Callable[[int, int], int]
"""Penalty below all criteria for an edge of two members; -1 stands for any vertex outside the bracket."""


def first_by_weights(model: Model, graph: list[int], duals: list[int], mate: list[int]) -> list[int]:
    """Mates of the first best candidate; ``graph`` holds all the best, ``mate`` is one of them.

    ``duals`` are twice what is feasible for twice the penalties.
    """
    adjacent = graph.copy()
    if model.moved_down:
        mate = _moved_down(model, adjacent, duals)
    return _remainder(model, adjacent, duals, mate)


def _best(model: Model, adjacent: list[int], duals: list[int], extra: Extra, room: int) -> list[int]:
    """Mates of a perfect matching with the least penalty, ``extra`` (below 2**room) deciding ties."""
    n = len(adjacent)
    prices = [[-2 * (price << room) for price in row] for row in model.cost]
    weights = [_row(model, adjacent[u], u, extra, prices[model.kind[u]]) for u in range(n)]
    y = [dual << room - 1 for dual in duals]
    tight = []
    for mine, row in zip(y, weights, strict=True):
        tight.append(mask_of([v for v, weight in row.items() if mine + y[v] == weight]))
    mate = [-1] * n
    maximise(tight, mate, (1 << n) - 1)
    Solver(adjacent, list(range(n)), weights, y, mate).solve()
    return mate


def _row(model: Model, near: int, u: int, extra: Extra, prices: list[int]) -> dict[int, int]:
    """Weights of the edges of a vertex."""
    size, kind = model.size, model.kind
    row = {v: prices[kind[v]] for v in bits(near)}
    inside = bits(near & (1 << size) - 1)
    if u >= size:
        for v in inside:
            row[v] -= 2 * extra(v, -1)
        return row
    leaving = 2 * extra(u, -1)
    if leaving:
        for v in bits(near >> size):
            row[v + size] -= leaving
    for v in inside:
        row[v] -= 2 * extra(u, v)
    return row


def _moved_down(model: Model, adjacent: list[int], duals: list[int]) -> list[int]:
    """[4.4, 4.2] The first set of moved-down players, and their first opponents; fixed in ``adjacent``."""
    moved, size = model.moved_down, model.size
    digit = size.bit_length()
    room = digit * moved

    def extra(u: int, v: int) -> int:
        if u > v >= 0:
            u, v = v, u
        if u >= moved:
            return 0
        if v < moved:  # not paired here: the set with the smallest differing number is better
            lost = 1 << room + (moved - 1 - u)
            return lost if v < 0 else lost + (1 << room + (moved - 1 - v))
        return (v - moved) << digit * (moved - 1 - u)

    mate = _best(model, adjacent, duals, extra, room + moved + 1)
    residents = ((1 << size) - 1) >> moved << moved
    for u in range(moved):
        v = mate[u]
        if residents >> v & 1:
            for w in range(len(adjacent)):
                adjacent[w] &= ~(1 << u | 1 << v)
            adjacent[u], adjacent[v] = 1 << v, 1 << u
        else:
            adjacent[u] &= ~residents
            for w in range(moved, size):
                adjacent[w] &= ~(1 << u)
    return mate


def _remainder(model: Model, adjacent: list[int], duals: list[int], mate: list[int]) -> list[int]:
    """[4.3, 4.2] The first exchange between S1 and S2 of the remainder, then the first transposition."""
    moved, size = model.moved_down, model.size
    players = [v for v in range(moved, size) if not 0 <= mate[v] < moved]
    pairs = sum(1 for v in players if mate[v] < size) // 2
    if not pairs:
        return mate
    number = {v: k for k, v in enumerate(players)}
    down, up, room = prices(len(players), pairs)

    def exchange(u: int, v: int) -> int:
        a, b = number.get(u, -1), number.get(v, -1)
        if a > b:
            a, b = b, a
        if b < 0:
            return 0
        if b < pairs:  # floats, or is the lower of two in S1
            return down[b]
        return up[a] if a >= pairs else 0

    mate = _best(model, adjacent, duals, exchange, room)
    upper = {v: k for k, v in enumerate(v for v in players if v < mate[v] < size)}
    lower = {v: k for k, v in enumerate(v for v in players if v not in upper)}
    first, second = sum(1 << v for v in upper), sum(1 << v for v in lower)
    for v in upper:
        adjacent[v] &= second
    for v in lower:
        adjacent[v] &= ~second
    for w in range(size, len(adjacent)):
        adjacent[w] &= ~first
    digit = len(players).bit_length()

    def transposition(u: int, v: int) -> int:
        if u in upper and v in lower:
            return lower[v] << digit * (pairs - 1 - upper[u])
        if v in upper and u in lower:
            return lower[u] << digit * (pairs - 1 - upper[v])
        return 0

    return _best(model, adjacent, duals, transposition, digit * pairs + 1)
