"""Article 4 by weights: each level of the order is one more term below the criteria.

Slower than asking a graph of tight edges, and always exact: at most three weighted matchings for a bracket.
"""

from collections.abc import Callable

import msgspec

from paircard.pairing.dutch.search.model import Model
from paircard.pairing.matching.cardinality import bits, mask_of, maximise
from paircard.pairing.matching.weighted import Solver

# --- [2026 4.3, 2017 D.2] Exchanges between S1 and S2, ranked by one number


class ExchangePrices(msgspec.Struct, frozen=True):
    """What it costs to move each player of the remainder, by place."""

    down: list[int]
    """From S1 to S2."""
    up: list[int]
    """From S2 to S1."""
    bits: int
    """Room that the prices of one exchange take."""


def exchange_prices(players: int, pairs: int) -> ExchangePrices:
    """The prices in a remainder of this many players, of whom the first ``pairs`` are S1.

    From the top a price holds: one for a player moved down, counting the exchange; the difference of
    sequence numbers; one bit for each player of S1, then of S2. These bits are rewards: they lower a cost
    that the difference has already made positive.
    """
    difference_bits = (players * players).bit_length() + 1
    tie_bits = 2 * players
    one_exchange = 1 << difference_bits
    s1, everyone = range(1, pairs + 1), range(1, players + 1)
    return ExchangePrices(
        down=[((one_exchange - number) << tie_bits) - (1 << (players + number)) for number in s1],
        up=[(number << tie_bits) - (1 << (players - number)) for number in everyone],
        bits=tie_bits + 2 * difference_bits + 2,
    )


class ExchangeWeights:
    """The ranking as weights of a matching problem, row by row as they are asked for.

    Vertices are S1, S2, and whatever else up to ``total``.
    """

    def __init__(self, players: int, pairs: int, total: int) -> None:
        self.players, self.pairs, self.total = players, pairs, total
        self.prices = exchange_prices(players, pairs)
        self._rows: dict[int, list[int]] = {}

    def __getitem__(self, u: int) -> list[int]:
        row = self._rows.get(u)
        if row is None:
            row = self._rows[u] = self._row(u)
        return row

    def _row(self, u: int) -> list[int]:
        players, pairs, total = self.players, self.pairs, self.total
        down, up = self.prices.down, self.prices.up
        if u >= players:
            return [-2 * price for price in down] + [0] * (total - pairs)
        if u < pairs:
            inner = [-2 * down[max(u, v)] for v in range(pairs)]
            return inner + [0] * (players - pairs) + [-2 * down[u]] * (total - players)
        return [0] * pairs + [-2 * up[min(u, v)] for v in range(pairs, players)] + [0] * (total - players)


Extra = Callable[[int, int], int]
"""Penalty below all criteria for an edge of two members; -1 stands for any vertex outside the bracket."""


def first_by_weights(model: Model, graph: list[int], duals: list[int], mate: list[int]) -> list[int]:
    """Mates of the first best candidate; ``graph`` holds all the best, ``mate`` is one of them.

    ``duals`` are twice what is feasible for twice the penalties.
    """
    adjacent = graph.copy()
    fixed: set[int] = set()
    for first, end in model.choosers:
        if first < end:
            mate = _choosers(model, adjacent, duals, first, end, fixed)
    return _remainder(model, adjacent, duals, mate, fixed)


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


def _choosers(
    model: Model, adjacent: list[int], duals: list[int], first: int, end: int, fixed: set[int]
) -> list[int]:
    """[4.4, 4.2] The first set of moved-down players, and their first opponents; fixed in ``adjacent``."""
    size = model.size
    mate = _best(model, adjacent, duals, *_chooser_digits(first, end, size))
    residents = ((1 << size) - 1) >> end << end
    for u in range(first, end):
        v = mate[u]
        if u in fixed:
            continue
        if residents >> v & 1:
            for w in range(len(adjacent)):
                adjacent[w] &= ~(1 << u | 1 << v)
            adjacent[u], adjacent[v] = 1 << v, 1 << u
            fixed |= {u, v}
        else:
            adjacent[u] &= ~residents
            for w in range(end, size):
                adjacent[w] &= ~(1 << u)
    return mate


def _chooser_digits(first: int, end: int, size: int) -> tuple[Extra, int]:
    """One bit for each moved-down player who is not paired here, the first the highest (4.4); below them one
    digit for the opponent of each (4.2)."""
    digit = size.bit_length()
    count = end - first
    opponents = digit * count

    def unpaired(u: int) -> int:
        return 1 << opponents + (end - 1 - u)

    def extra(u: int, v: int) -> int:
        if u > v >= 0:
            u, v = v, u
        if not first <= u < end:
            return 0
        if v >= end:
            return (v - end) << digit * (end - 1 - u)
        return unpaired(u) + (unpaired(v) if v >= 0 else 0)

    return extra, opponents + count + 1


def _remainder(
    model: Model, adjacent: list[int], duals: list[int], mate: list[int], fixed: set[int]
) -> list[int]:
    """[4.3, 4.2] The first exchange between S1 and S2 of the remainder, then the first transposition."""
    size = model.size
    players = [v for v in range(model.moved_down, size) if v not in fixed]
    pairs = sum(1 for v in players if mate[v] < size) // 2
    if not pairs:
        return mate
    mate = _best(model, adjacent, duals, *_exchange_digits(players, pairs))
    s1 = [v for v in players if v < mate[v] < size]
    s2 = [v for v in players if v not in set(s1)]
    first, second = mask_of(s1), mask_of(s2)
    for v in s1:
        adjacent[v] &= second
    for v in s2:
        adjacent[v] &= ~second
    for w in range(size, len(adjacent)):
        adjacent[w] &= ~first
    return _best(model, adjacent, duals, *_transposition_digits(s1, s2))


def _exchange_digits(players: list[int], pairs: int) -> tuple[Extra, int]:
    """[4.3] What a pair inside S1 or S2, or an S1 player who floats, adds to the exchange."""
    place, outside = {v: k for k, v in enumerate(players)}, len(players)
    weights = ExchangeWeights(outside, pairs, outside + 1)

    def extra(u: int, v: int) -> int:
        return -weights[place.get(u, outside)][place.get(v, outside)] // 2

    return extra, weights.prices.bits


def _transposition_digits(s1: list[int], s2: list[int]) -> tuple[Extra, int]:
    """[4.2] One digit for the opponent of each S1 player, the first the highest."""
    upper, lower = ({v: k for k, v in enumerate(side)} for side in (s1, s2))
    digit = (len(s1) + len(s2)).bit_length()

    def extra(u: int, v: int) -> int:
        if u not in upper:
            u, v = v, u
        if u in upper and v in lower:
            return lower[v] << digit * (len(s1) - 1 - upper[u])
        return 0

    return extra, digit * len(s1) + 1
