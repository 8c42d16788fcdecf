"""[2026 4.3, 2017 D.2] Exchanges between S1 and S2, ranked by one number.

A pair across S1 and S2 costs nothing, and neither does an S2 player who floats. A pair inside S1 moves its
lower player down, and so does floating; a pair inside S2 moves its upper player up. Then, in this order:
fewest moved, the least difference of the sums, the highest moved down, the lowest moved up.
"""


def prices(many: int, pairs: int) -> tuple[list[int], list[int], int]:
    """Costs of moving down each of the first ``pairs`` players, of moving up each of all, and their room.

    Sequence numbers are places plus one. Ties of difference and number are broken by one bit for each
    player: rewards, so that they lower a cost that the difference has already made positive.
    """
    digit = (many * many).bit_length() + 1
    down = [((1 << digit) - (k + 1) << 2 * many) - (1 << many + k + 1) for k in range(pairs)]
    up = [((k + 1) << 2 * many) - (1 << many - k - 1) for k in range(many)]
    return down, up, 2 * many + 2 * digit + 2


class ExchangeOrder(list[list[int]]):
    """The ranking as weights of a matching problem, row by row as they are asked for.

    Vertices are S1, S2, and whatever else up to ``total``.
    """

    def __init__(self, many: int, pairs: int, total: int) -> None:
        super().__init__()
        self.many, self.pairs, self.total = many, pairs, total
        self.down, self.up, _ = prices(many, pairs)
        self.rows: dict[int, list[int]] = {}

    def __getitem__(self, u: int) -> list[int]:  # type: ignore[override]
        row = self.rows.get(u)
        if row is None:
            row = self.rows[u] = self._row(u)
        return row

    def _row(self, u: int) -> list[int]:
        many, pairs, total = self.many, self.pairs, self.total
        if u >= many:
            return [-2 * c for c in self.down] + [0] * (total - pairs)
        if u < pairs:
            inner = [-2 * self.down[max(u, v)] for v in range(pairs)]
            return inner + [0] * (many - pairs) + [-2 * self.down[u]] * (total - many)
        return [0] * pairs + [-2 * self.up[min(u, v)] for v in range(pairs, many)] + [0] * (total - many)
