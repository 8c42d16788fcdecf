"""The fractional matching problem between kinds of vertices, and the bound it gives.

Vertices of one kind are alike: the cost of a pair depends on the two kinds only. Every perfect matching of
the vertices is a point of the transportation problem "kind to kind, so many of each on both sides", so duals
of that problem bound the cost of every perfect matching from below. Pairs that meet the bound are tight; a
perfect matching of tight pairs is optimal, and every optimal matching consists of tight pairs
(complementary slackness).

Method: successive shortest paths with bulk augmentation (H. W. Kuhn 1955, J. Munkres 1957).
"""


def bound(cost: list[list[int]], many: list[int]) -> list[int] | None:
    """Duals ``y`` with ``y[a] + y[b] <= 2 * cost[a][b]`` for every pair of kinds, best possible.

    A cost below zero stands for a pair that may not be made. None if not even fractions can match all.
    """
    k = len(many)
    kinds = range(k)
    alpha = [min((c for c in row if c >= 0), default=-1) for row in cost]
    if -1 in alpha:
        return None
    beta = [0] * k
    for b in kinds:
        column = [cost[a][b] - alpha[a] for a in kinds if cost[a][b] >= 0]
        beta[b] = min(column)
    flow = [[0] * k for _ in kinds]
    excess, room = many.copy(), many.copy()
    for a in kinds:
        row, bar = cost[a], alpha[a]
        for b in kinds:
            if room[b] and excess[a] and row[b] >= 0 and row[b] == bar + beta[b]:
                sent = min(excess[a], room[b])
                flow[a][b] += sent
                excess[a] -= sent
                room[b] -= sent
    while any(excess):
        if not _augment(cost, flow, excess, room, alpha, beta):
            return None
    return [x + y for x, y in zip(alpha, beta, strict=True)]


def _augment(
    cost: list[list[int]],
    flow: list[list[int]],
    excess: list[int],
    room: list[int],
    alpha: list[int],
    beta: list[int],
) -> bool:
    """Send as much as one cheapest path can carry from a kind with excess to one with room."""
    kinds = range(len(excess))
    row_at: dict[int, int] = {a: 0 for a in kinds if excess[a]}
    row_from: dict[int, int] = dict.fromkeys(row_at, -1)
    col_at: dict[int, int] = {}
    col_from: dict[int, int] = {}
    done: set[int] = set()
    fresh = list(row_at)
    while True:
        for a in fresh:
            base = row_at[a] - alpha[a]
            row = cost[a]
            for b in kinds:
                if b not in done and row[b] >= 0:
                    reach = base + row[b] - beta[b]
                    if b not in col_at or reach < col_at[b]:
                        col_at[b], col_from[b] = reach, a
        best, at = -1, 0
        for b, reach in col_at.items():
            if b not in done and (best < 0 or reach < at):
                best, at = b, reach
        if best < 0:
            return False
        done.add(best)
        if room[best]:
            break
        fresh = [a for a in kinds if a not in row_at and flow[a][best]]
        for a in fresh:
            row_at[a], row_from[a] = at, best
    for a, reach in row_at.items():
        if reach < at:
            alpha[a] += at - reach
    for b in done:
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
