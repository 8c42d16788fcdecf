"""Matchings by weight: the bound that kinds of vertices give, and a best perfect matching from there.

Vertices of one kind are alike: the cost of a pair depends on the two kinds only. Every perfect matching of
the vertices is a point of the transportation problem "kind to kind, so many of each on both sides", so duals
of that problem (``bound``) bound the cost of every perfect matching from below. Pairs that meet the bound are
tight; a perfect matching of tight pairs is optimal, and every optimal matching consists of tight pairs
(complementary slackness). Method: successive shortest paths with bulk augmentation (H. W. Kuhn 1955,
J. Munkres 1957).

Where tight pairs are not enough, ``Solver`` goes on from these duals by Edmonds' primal-dual method:
J. Edmonds, "Maximum matching and a polyhedron with 0,1-vertices" (1965), searched one tree at a time with a
priority queue of slacks, after Z. Galil, "Efficient algorithms for finding maximum matching in graphs"
(1986); one of the two is needed to follow the blossom steps.

The caller gives a start: feasible duals, and a matching of tight edges. The better the start, the fewer
stages are left; a perfect start costs nothing. Integer weights stay integers: weights must be even, and
then every vertex of a search tree has duals of one parity, so that half a slack is whole.

Proof obligations, which the tests check again:
  feasible     y[u] + y[v] + (sum of z over blossoms holding both) >= weight[u, v] for every edge
  tight        equality on every matched edge
  full         every blossom with z > 0 holds (size - 1) / 2 matched edges
  z >= 0
"""

from heapq import heappop, heappush
from typing import Protocol

# --- the bound between kinds


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
        if not _send(cost, flow, excess, room, alpha, beta, never):
            return None
    return [x + y for x, y in zip(alpha, beta, strict=True)]


def _send(
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


# --- the perfect matching of greatest weight

NONE, INNER, OUTER = 0, 1, 2
"""Labels of a search tree: outer vertices are at even distance from the root, inner ones at odd."""

CLOSE, GROW, EXPAND = range(3)
"""What happens to a tree when duals have moved far enough: an edge between outer vertices closes a blossom,
the tree grows by a vertex, an inner blossom is undone."""


class Unmatchable(Exception):
    """The graph has no perfect matching."""


class Rows(Protocol):
    """Weights by kind: a list, or rows made when they are asked for."""

    def __getitem__(self, kind: int, /) -> list[int] | dict[int, int]: ...


class Solver:
    """One problem: ``adjacent[v]`` is a bitset, the weight of u-v is ``weights[kind[u]][kind[v]]``."""

    def __init__(
        self, adjacent: list[int], kind: list[int], weights: Rows, duals: list[int], mate: list[int]
    ) -> None:
        n = len(adjacent)
        self.n = n
        self.adjacent = adjacent
        self.kind = kind
        self.weights = weights
        self.y = duals
        self.mate = mate
        self.stages = 0
        # Nodes 0..n-1 are vertices, later ones blossoms.
        self.top = list(range(n))
        self.base = list(range(n))
        self.parent = [-1] * n
        self.leaves: list[list[int]] = [[v] for v in range(n)]
        self.mask = [1 << v for v in range(n)]
        self.children: list[list[int]] = [[] for _ in range(n)]
        self.links: list[list[tuple[int, int]]] = [[] for _ in range(n)]
        self.z = [0] * n
        self.label = [NONE] * n
        self.entry: list[tuple[int, int]] = [(-1, -1)] * n
        self.heap: list[tuple[int, int, int, int]] = []
        self.shift = 0

    def solve(self) -> None:
        """Match every vertex, or raise ``Unmatchable``."""
        for root in range(self.n):
            if self.mate[root] < 0:
                self._stage(root)

    def binding(self) -> list[tuple[int, int]]:
        """The blossoms that bind, as sets of vertices, each with its z > 0."""
        blossoms = range(self.n, len(self.z))
        return [(self.mask[b], self.z[b]) for b in blossoms if self.z[b] > 0 and self.children[b]]

    # --- one stage: grow a tree from an exposed root until another exposed vertex is reached

    def _stage(self, root: int) -> None:
        self.stages += 1
        self.heap = []
        self.shift = 0
        self.tree: list[int] = []
        # Sets of vertices: not in this stage's tree, and outer.
        self.outside, self.outer = (1 << self.n) - 1, 0
        self.nearest: dict[int, int] = {}
        self._become_outer(root, (-1, -1))
        while self.heap:
            key, what, u, v = heappop(self.heap)
            if what == GROW:
                if self.outside >> v & 1 and self._slack(u, v) == key - self.shift:
                    self._move_duals(key)
                    if self._reach(u, v):
                        return
            elif what == CLOSE:
                if self.top[u] != self.top[v]:
                    self._move_duals(key)
                    self._shrink(u, v)
            elif self.parent[u] < 0 and self.label[u] == INNER and self.children[u]:
                self._move_duals(key)
                self._expand_inner(u)
        self._end_stage()
        raise Unmatchable(f"vertex {root} cannot be matched")

    def _reach(self, u: int, v: int) -> bool:
        """The tight edge u-v leaves the tree: an augmenting path, or a node and its mate to take in."""
        if self.mate[v] < 0:
            self._augment(u, v)
            self._end_stage()
            return True
        self._become_inner(self.top[v], (u, v))
        return False

    def _move_duals(self, key: int) -> None:
        delta = key - self.shift
        if not delta:
            return
        self.shift = key
        y, z, n = self.y, self.z, self.n
        for node in self.tree:
            if self.parent[node] >= 0 or self.label[node] == NONE:
                continue
            change = -delta if self.label[node] == OUTER else delta
            for v in self.leaves[node]:
                y[v] += change
            if node >= n:
                z[node] -= 2 * change

    def _become_inner(self, node: int, edge: tuple[int, int]) -> None:
        """Take a node into the tree over a tight edge, and its mate as an outer node behind it."""
        self._label_inner(node, edge)
        base = self.base[node]
        self._become_outer(self.top[self.mate[base]], (base, self.mate[base]))

    def _label_inner(self, node: int, edge: tuple[int, int]) -> None:
        self._enter(node, INNER, edge)
        if node >= self.n:
            heappush(self.heap, (self.z[node] // 2 + self.shift, EXPAND, node, 0))

    def _enter(self, node: int, label: int, edge: tuple[int, int]) -> None:
        self.label[node] = label
        self.entry[node] = edge
        self.tree.append(node)
        self.outside &= ~self.mask[node]

    def _become_outer(self, node: int, edge: tuple[int, int]) -> None:
        self._enter(node, OUTER, edge)
        self.outer |= self.mask[node]
        for v in self.leaves[node]:
            self._scan(v)

    def _scan(self, u: int) -> None:
        """Queue the edges by which an outer vertex can grow the tree or close a blossom."""
        y, kind, shift, heap = self.y, self.kind, self.shift, self.heap
        row, seen = self.weights[kind[u]], self.adjacent[u]
        base = y[u] + shift
        near, nearest = seen & self.outside, self.nearest
        while near:
            low = near & -near
            near ^= low
            v = low.bit_length() - 1
            key = base + y[v] - row[kind[v]]
            if key < nearest.get(v, key + 1):  # only the nearest edge to v can be the first to be tight
                nearest[v] = key
                heappush(heap, (key, GROW, u, v))
        closing = seen & self.outer & ~self.mask[self.top[u]]
        while closing:
            low = closing & -closing
            closing ^= low
            v = low.bit_length() - 1
            heappush(heap, ((y[u] + y[v] - row[kind[v]] >> 1) + shift, CLOSE, u, v))

    # --- blossoms

    def _path(self, node: int) -> list[int]:
        """Outer nodes from this one to the root."""
        nodes = [node]
        while self.entry[node][0] >= 0:
            inner = self.top[self.entry[node][0]]
            node = self.top[self.entry[inner][0]]
            nodes.append(node)
        return nodes

    def _shrink(self, u: int, v: int) -> None:
        """Close the odd cycle that the tight edge u-v makes in the tree."""
        left, right = self._path(self.top[u]), self._path(self.top[v])
        while len(left) > 1 and len(right) > 1 and left[-2] == right[-2]:
            left.pop()
            right.pop()
        meet = left[-1]
        children, links = [meet], []
        side: list[tuple[int, tuple[int, int]]] = []
        for outer in left[:-1]:  # walked upwards, wanted downwards
            inner = self.top[self.entry[outer][0]]
            side.append((outer, self.entry[outer]))
            side.append((inner, self.entry[inner]))
        for node, edge in reversed(side):
            children.append(node)
            links.append(edge)
        links.append((u, v))
        for outer in right[:-1]:
            inner = self.top[self.entry[outer][0]]
            children += [outer, inner]
            links.append((self.entry[outer][1], self.entry[outer][0]))
            links.append((self.entry[inner][1], self.entry[inner][0]))
        new = len(self.base)
        self.base.append(self.base[meet])
        self.parent.append(-1)
        self.leaves.append([leaf for child in children for leaf in self.leaves[child]])
        self.mask.append(sum([self.mask[child] for child in children]))
        self.children.append(children)
        self.links.append(links)
        self.z.append(0)
        self.label.append(OUTER)
        self.entry.append(self.entry[meet])
        self.tree.append(new)
        for child in children:
            self.parent[child] = new
        for leaf in self.leaves[new]:
            self.top[leaf] = new
        self.outer |= self.mask[new]
        for child in children:
            if self.label[child] == INNER:
                self.label[child] = OUTER
                for leaf in self.leaves[child]:
                    self._scan(leaf)

    def _dissolve(self, b: int) -> list[int]:
        """Take a blossom apart; its children become top nodes."""
        children = self.children[b]
        for child in children:
            self.parent[child] = -1
            for leaf in self.leaves[child]:
                self.top[leaf] = child
        self.children[b] = []
        self.label[b] = NONE
        self.leaves[b] = []
        return children

    def _expand_inner(self, b: int) -> None:
        """An inner blossom's dual is zero: keep its even path in the tree, release the rest."""
        links, enter = self.links[b], self.entry[b]
        children = self._dissolve(b)
        for child in children:
            self.label[child] = NONE
        size = len(children)
        at = children.index(self.top[enter[1]])
        step = 1 if at % 2 else -1  # the even way round to the base, children[0]
        edge = enter
        while at % size:
            self._label_inner(children[at % size], edge)
            edge = self._link(links, at, step)
            at += step
            self._become_outer(children[at % size], edge)
            edge = self._link(links, at, step)
            at += step
        self._label_inner(children[0], edge)
        for child in children:
            if self.label[child] == NONE:
                self.outside |= self.mask[child]
                for v in self.leaves[child]:
                    self._offer(v)

    @staticmethod
    def _link(links: list[tuple[int, int]], at: int, step: int) -> tuple[int, int]:
        """Edge from the child at this place of a cycle to the next one in this direction."""
        size = len(links)
        if step > 0:
            return links[at % size]
        v, w = links[(at - 1) % size]
        return w, v

    def _offer(self, v: int) -> None:
        """Queue the edges from the tree to a vertex that has just left it."""
        self.nearest.pop(v, None)
        around = self.adjacent[v] & self.outer
        while around:
            low = around & -around
            around ^= low
            u = low.bit_length() - 1
            heappush(self.heap, (self._slack(u, v) + self.shift, GROW, u, v))

    def _slack(self, u: int, v: int) -> int:
        return self.y[u] + self.y[v] - self.weights[self.kind[u]][self.kind[v]]

    # --- augmentation

    def _augment(self, u: int, v: int) -> None:
        """Match the exposed vertex v to the outer vertex u, and turn the path from u to the root."""
        mate, top = self.mate, self.top
        mate[v] = u
        partner = v
        while True:
            node = top[u]
            self._rebase(node, u)
            mate[u] = partner
            before = self.entry[node][0]
            if before < 0:
                return
            inner = top[before]
            u, enter = self.entry[inner]
            self._rebase(inner, enter)
            mate[enter] = u
            partner = enter

    def _rebase(self, b: int, v: int) -> None:
        """Turn the matching inside a blossom so that v becomes its base."""
        if b < self.n or self.base[b] == v:
            return
        child = v
        while self.parent[child] != b:
            child = self.parent[child]
        self._rebase(child, v)
        children, links = self.children[b], self.links[b]
        size = len(children)
        start = children.index(child)
        at = start
        step = 1 if start % 2 else -1
        while at % size:
            at += step
            x, w = self._link(links, at, step)
            self._rebase(children[at % size], x)
            at += step
            self._rebase(children[at % size], w)
            self.mate[x], self.mate[w] = w, x
        self.children[b] = children[start:] + children[:start]
        self.links[b] = links[start:] + links[:start]
        self.base[b] = v

    def _end_stage(self) -> None:
        for node in self.tree:
            self.label[node] = NONE
        loose = [b for b in self.tree if b >= self.n and self.parent[b] < 0 and self.z[b] == 0]
        while loose:
            b = loose.pop()
            if self.children[b]:
                loose += [c for c in self._dissolve(b) if c >= self.n and self.z[c] == 0]
