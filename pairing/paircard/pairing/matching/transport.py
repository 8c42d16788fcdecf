"""The fractional matching problem between kinds of vertices, and the bound it gives.

Vertices of one kind are alike: the cost of a pair depends on the two kinds only. Every perfect matching of
the vertices is a point of the transportation problem "kind to kind, so many of each on both sides", so duals
of that problem bound the cost of every perfect matching from below. Pairs that meet the bound are tight; a
perfect matching of tight pairs is optimal, and every optimal matching consists of tight pairs
(complementary slackness).

Method: successive shortest paths with bulk augmentation (H. W. Kuhn 1955, J. Munkres 1957).
"""


def bound(cost: list[list[int]], many: list[int], never: int) -> list[int] | None:
    """Duals ``y`` with ``y[a] + y[b] <= 2 * cost[a][b]`` for every pair of kinds, best possible.

    A cost of ``never`` or more stands for a pair that may not be made: that is more than twice what any
    matching or any dual comes to. None if not even fractions can match all.
    """
    alpha = [min(row) for row in cost]
    if max(alpha, default=0) >= never:
        return None
    beta = [min([price - bar for price, bar in zip(column, alpha, strict=True)]) for column in cost]
    flow = []
    excess, room = [], many.copy()
    for row, bar, left in zip(cost, alpha, many, strict=True):
        sent = [0] * len(row)
        for b, price in enumerate(row):
            if price - bar == beta[b] and room[b]:
                part = room[b]
                if part > left:
                    part = left
                sent[b] = part
                room[b] -= part
                left -= part
                if not left:
                    break
        excess.append(left)
        flow.append(sent)
    while any(excess):
        if not _augment(cost, flow, excess, room, alpha, beta, never):
            return None
    return [x + y for x, y in zip(alpha, beta, strict=True)]


def _augment(
    cost: list[list[int]],
    flow: list[list[int]],
    excess: list[int],
    room: list[int],
    alpha: list[int],
    beta: list[int],
    never: int,
) -> bool:
    """Send as much as one cheapest path can carry from a kind with excess to one with room."""
    many = len(excess)
    far = never >> 1
    row_at = [-1] * many  # distance from the nearest excess, -1 while unknown
    row_from = [-1] * many
    col_at = [far] * many
    col_from = [-1] * many
    unsettled = list(range(many))
    settled = []
    fresh = [a for a in unsettled if excess[a]]
    for a in fresh:
        row_at[a] = 0
    while True:
        for a in fresh:
            base, row = row_at[a] - alpha[a], cost[a]
            for b in unsettled:
                reach = base + row[b] - beta[b]
                if reach < col_at[b]:
                    col_at[b], col_from[b] = reach, a
        at, best = far, -1
        for b in unsettled:
            if col_at[b] < at:
                at, best = col_at[b], b
        if best < 0:
            return False
        if room[best]:
            break
        unsettled.remove(best)
        settled.append(best)
        fresh = [a for a in range(many) if row_at[a] < 0 and flow[a][best]]
        for a in fresh:
            row_at[a], row_from[a] = at, best
    for a, reach in enumerate(row_at):
        if 0 <= reach < at:
            alpha[a] += at - reach
    for b in settled:
        beta[b] -= at - col_at[b]
    path = []
    sent, b = room[best], best
    while b >= 0:
        a = col_from[b]
        path.append((a, b))
        b = row_from[a]
        if b >= 0:
            sent = min(sent, flow[a][b])
        else:
            sent = min(sent, excess[a])
            excess[a] -= sent
    room[best] -= sent
    for a, b in path:
        flow[a][b] += sent
        if row_from[a] >= 0:
            flow[a][row_from[a]] -= sent
    return True
