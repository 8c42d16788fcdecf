"""[2026 4.3, 2017 D.2] Exchanges between S1 and S2, ranked by one number.

A pair across S1 and S2 costs nothing, and neither does an S2 player who floats. A pair inside S1 moves its
lower player down, and so does floating; a pair inside S2 moves its upper player up. Then, in this order:
fewest moved, the least difference of the sums, the lowest of S1, the highest of S2.
"""

from typing import NamedTuple


class ExchangePrices(NamedTuple):
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
        down, up, _ = self.prices
        if u >= players:
            return [-2 * price for price in down] + [0] * (total - pairs)
        if u < pairs:
            inner = [-2 * down[max(u, v)] for v in range(pairs)]
            return inner + [0] * (players - pairs) + [-2 * down[u]] * (total - players)
        return [0] * pairs + [-2 * up[min(u, v)] for v in range(pairs, players)] + [0] * (total - players)
