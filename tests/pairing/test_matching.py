"""The matching machinery against exhaustive search on small graphs."""

import random
from collections import Counter
from functools import cache
from itertools import product

import pytest

from paircard.pairing.matching.cardinality import augment, bits, exposed_of, first_assignment, maximise
from paircard.pairing.matching.weighted import Solver, Unmatchable, bound

SEEDS = range(12)


def random_graph(rng: random.Random, n: int, density: float) -> list[int]:
    adjacent = [0] * n
    for a in range(n):
        for b in range(a):
            if rng.random() < density:
                adjacent[a] |= 1 << b
                adjacent[b] |= 1 << a
    return adjacent


def most_pairs(adjacent: list[int], alive: int) -> int:
    @cache
    def best(mask: int) -> int:
        if not mask:
            return 0
        v = mask.bit_length() - 1
        rest = mask & ~(1 << v)
        return max([best(rest)] + [1 + best(rest & ~(1 << u)) for u in bits(adjacent[v] & rest)])

    return best(alive)


def heaviest(adjacent: list[int], weight: list[list[int]]) -> int | None:
    @cache
    def best(mask: int) -> int | None:
        if not mask:
            return 0
        v = mask.bit_length() - 1
        rest = mask & ~(1 << v)
        found = [
            below + weight[v][u]
            for u in bits(adjacent[v] & rest)
            if (below := best(rest & ~(1 << u))) is not None
        ]
        return max(found, default=None)

    return best((1 << len(adjacent)) - 1)


def prove(solver: Solver) -> None:
    """Prove the answer once more from the duals."""
    inside: Counter[tuple[int, int]] = Counter()
    assert min(solver.z) >= 0
    for mask, dual in solver.binding():
        members = bits(mask)
        assert sum(solver.mate[v] in members for v in members) == len(members) - 1
        for both in product(members, members):
            inside[both] += dual
    for u in range(solver.n):
        assert solver.mate[solver.mate[u]] == u
        for v in bits(solver.adjacent[u]):
            slack = solver.y[u] + solver.y[v] + inside[u, v]
            slack -= solver.weights[solver.kind[u]][solver.kind[v]]
            assert slack >= 0
            assert slack == 0 or solver.mate[u] != v


@pytest.mark.parametrize("seed", SEEDS)
def test_a_weighted_matching_is_the_heaviest_and_proves_it(seed: int) -> None:
    rng = random.Random(seed)
    for _ in range(150):
        n = rng.choice([2, 4, 6, 8, 10])
        adjacent = random_graph(rng, n, 0.2 + 0.8 * rng.random())
        high = rng.choice([2, 5, 50, 1 << 80])
        weight = [[0] * n for _ in range(n)]
        for a in range(n):
            for b in range(a):
                weight[a][b] = weight[b][a] = 2 * rng.randrange(-high, high)
        duals = [max([0] + [weight[v][u] for u in bits(adjacent[v])]) + rng.choice([0, 1]) for v in range(n)]
        solver = Solver(adjacent, list(range(n)), weight, duals, [-1] * n)
        expected = heaviest(adjacent, weight)
        if expected is None:
            with pytest.raises(Unmatchable):
                solver.solve()
            continue

        solver.solve()

        prove(solver)
        assert sum(weight[v][solver.mate[v]] for v in range(n)) == 2 * expected


@pytest.mark.parametrize("seed", SEEDS)
def test_a_maximum_matching_has_the_most_pairs_and_names_who_could_be_left(seed: int) -> None:
    rng = random.Random(seed)
    for _ in range(150):
        n = rng.randint(2, 9)
        everyone = (1 << n) - 1
        adjacent = random_graph(rng, n, rng.random())
        mate = [-1] * n

        maximise(adjacent, mate, everyone)

        pairs = most_pairs(adjacent, everyone)
        assert sum(v >= 0 for v in mate) == 2 * pairs
        left = exposed_of(mate, everyone)
        if len(left) == 1:
            even = augment(adjacent, mate, left[0], everyone)
            for v in range(n):
                assert (most_pairs(adjacent, everyone & ~(1 << v)) == pairs) == bool(even >> v & 1)


@pytest.mark.parametrize("seed", SEEDS)
def test_augmenting_alone_finds_a_maximum_through_nested_blossoms(seed: int) -> None:
    rng = random.Random(seed)
    for _ in range(100):
        n = rng.randint(9, 13)
        everyone = (1 << n) - 1
        adjacent = random_graph(rng, n, rng.choice([0.12, 0.18, 0.24, 0.3]))
        mate = [-1] * n

        for v in range(n):
            if mate[v] < 0:
                augment(adjacent, mate, v, everyone)

        assert all(mate[mate[v]] == v and adjacent[v] >> mate[v] & 1 for v in range(n) if mate[v] >= 0)
        assert sum(v >= 0 for v in mate) == 2 * most_pairs(adjacent, everyone)


@pytest.mark.parametrize("seed", SEEDS)
def test_the_bound_between_kinds_never_exceeds_what_a_matching_costs(seed: int) -> None:
    rng = random.Random(seed)
    never = 1 << 80
    for _ in range(100):
        k = rng.randint(1, 5)
        many = [rng.randint(1, 4) for _ in range(k)]
        cost = [[0] * k for _ in range(k)]
        for a in range(k):
            for b in range(a + 1):
                cost[a][b] = cost[b][a] = rng.choice([never, 0, rng.randrange(9), rng.randrange(1 << 70)])
            if many[a] == 1:
                cost[a][a] = never
        kind = [a for a in range(k) for _ in range(many[a])]
        n = len(kind)
        adjacent = [
            sum(1 << v for v in range(n) if v != u and cost[kind[u]][kind[v]] < never) for u in range(n)
        ]

        duals = bound(cost, many, never)

        cheapest = heaviest(adjacent, [[-cost[kind[u]][kind[v]] for v in range(n)] for u in range(n)])
        if cheapest is not None:
            assert duals is not None
            assert sum(duals[c] for c in kind) <= -2 * cheapest
        if duals is not None:
            for a in range(k):
                for b in range(k):
                    assert duals[a] + duals[b] <= 2 * cost[a][b]


@pytest.mark.parametrize("seed", SEEDS)
def test_an_assignment_is_the_first_in_lexicographic_order(seed: int) -> None:
    rng = random.Random(seed)
    for _ in range(150):
        m = rng.randint(1, 6)
        left, rights = list(range(m)), range(m, 2 * m)
        adjacent = [sum(1 << v for v in rights if rng.random() < 0.5) for _ in left]

        def search(u: int, used: int, rows: list[int] = adjacent, end: int = m) -> list[int] | None:
            if u == end:
                return []
            for v in bits(rows[u] & ~used):
                below = search(u + 1, used | 1 << v)
                if below is not None:
                    return [v, *below]
            return None

        assert first_assignment(adjacent, left, list(rights)) == search(0, 0)


@pytest.mark.parametrize("seed", SEEDS)
def test_a_long_assignment_is_that_of_asking_each_edge_whether_the_rest_can_follow(seed: int) -> None:
    rng = random.Random(seed)
    for _ in range(12):
        m = rng.randint(20, 45)
        few = rng.uniform(1.2, 4) / m
        left, rights = list(range(m)), range(m, 2 * m)
        adjacent = [sum(1 << v for v in rights if rng.random() < few) for _ in left]
        for u, v in zip(left, rng.sample(rights, m), strict=True):
            adjacent[u] |= 1 << v  # at least one complete assignment

        both = adjacent + [sum(1 << u for u in left if adjacent[u] >> v & 1) for v in rights]
        alive, wanted = (1 << 2 * m) - 1, []
        for u in left:
            for v in bits(adjacent[u] & alive):
                without = alive & ~(1 << u | 1 << v)
                if not maximise(both, [-1] * 2 * m, without):
                    break
            wanted.append(v)
            alive = without

        assert first_assignment(adjacent, left, list(rights)) == wanted
