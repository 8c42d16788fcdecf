"""One bracket: its candidates in order, and the first best (2026 Article 3, 2017 section B)."""

from collections.abc import Callable, Collection, Iterable, Iterator, Sequence
from functools import cache
from itertools import combinations

from tests.pairing.literal.criteria import (
    Bracket,
    Pairs,
    Values,
    c6_psd,
    c6_psd_of_set,
    c7_next_bracket,
    c8_next_bracket,
    c9_unplayed,
    fewest,
    values_2017,
)
from tests.pairing.literal.field import Field, as_set

# --- the order in which candidates are generated: Article 4 (2026), section D (2017)


def transpositions(
    s1: Sequence[int], s2: Sequence[int], refused: Callable[[Pairs], bool], before: Pairs = ()
) -> Iterator[tuple[Pairs, tuple[int, ...]]]:
    """[4.2, D.1] Pairs S1[i]–S2[i] and the rest of S2, in lexicographic order of the first |S1| of S2.

    When the pairs so far are refused, every transposition that begins with them is left out
    (Appendix P, pair of failure). ``before`` are pairs already made, also shown to ``refused``.
    """
    if not s1:
        yield before, tuple(s2)
        return
    for place, opponent in enumerate(s2):
        pairs = (*before, (s1[0], opponent))
        if not refused(pairs):
            rest = (*s2[:place], *s2[place + 1 :])
            yield from transpositions(s1[1:], rest, refused, pairs)


def divisions(players: Sequence[int], pairs: int) -> Iterator[tuple[tuple[int, ...], tuple[int, ...]]]:
    """[3.2, 3.6; B.2, B.6] S1 and S2 of a homogeneous bracket or remainder: original, then exchanged."""
    for moved_down, moved_up in exchanges(pairs, len(players) - pairs):
        upper = {*range(1, pairs + 1)} - {*moved_down} | {*moved_up}
        s1 = tuple(player for bsn, player in enumerate(players, 1) if bsn in upper)
        s2 = tuple(player for bsn, player in enumerate(players, 1) if bsn not in upper)
        yield s1, s2


@cache
def exchanges(n1: int, n2: int) -> tuple[tuple[tuple[int, ...], tuple[int, ...]], ...]:
    """[4.3, D.2] BSNs that go from S1 to S2 and from S2 to S1; the first exchange moves nobody."""
    s1, s2 = range(1, n1 + 1), range(n1 + 1, n1 + n2 + 1)
    found = [
        (down, up)
        for size in range(min(n1, n2) + 1)
        for down in combinations(s1, size)
        for up in combinations(s2, size)
    ]
    return tuple(sorted(found, key=exchange_key))


def exchange_key(exchange: tuple[tuple[int, ...], tuple[int, ...]]) -> tuple[object, ...]:
    """[4.3.1–4.3.4, D.2.a–d] Smaller is earlier."""
    down, up = exchange
    return (
        len(down),
        sum(up) - sum(down),
        tuple(-bsn for bsn in sorted(down, reverse=True)),
        tuple(sorted(up)),
    )


def mdp_sets(mdps: Sequence[int], size: int, score: Callable[[int], int]) -> list[tuple[int, ...]]:
    """[4.4, D.3] Sets of MDPs to be paired: highest different score, then smallest different BSN.

    Sets that [C7] calls valid leave equal scores in the Limbo, so that in 2026 only the second part
    decides.
    """
    return sorted(
        combinations(mdps, size), key=lambda chosen: (tuple(-score(rank) for rank in chosen), chosen)
    )


Candidate = tuple[Pairs, tuple[int, ...]]
"""Pairs, higher BSN first, and downfloaters."""


def candidates(
    field: Field, bracket: Bracket, sets: Collection[int], hopeless: Callable[[Pairs], bool]
) -> Iterator[Candidate]:
    """[3.2–3.7, B.2–B.7] Candidates whose downfloaters are one of the sets, in the order of generation.

    Left out is only what cannot be the first best: pairs that may not meet (C1, C3), beginnings that
    the caller finds hopeless, and pairs with the S1 player below the S2 player. For such a pair (a, b),
    a below b, change their places: the same pairs come out of fewer exchanges, or of an exchange with a
    smaller BSN difference, so that candidate was generated before (Appendix P, COGUP).
    """
    mdps = as_set(bracket.mdps)
    pairs_to_make = (bracket.everyone().bit_count() - next(iter(sets)).bit_count()) // 2
    limbos = {floaters & mdps for floaters in sets}

    def refused(pairs: Pairs) -> bool:
        high, low = pairs[-1]
        return high > low or not field.meets[high] >> low & 1 or hopeless(pairs)

    for m1 in range(len(bracket.mdps), -1, -1):
        for s1 in mdp_sets(bracket.mdps, m1, lambda rank: field.cards[rank].score):
            limbo = tuple(rank for rank in bracket.mdps if rank not in s1)
            if as_set(limbo) not in limbos:
                continue
            for mdp_pairing, remainder in transpositions(s1, bracket.residents, refused):
                for s1r, s2r in divisions(remainder, pairs_to_make - m1):
                    if hopeless(mdp_pairing):
                        break
                    for pairs, unpaired in transpositions(s1r, s2r, refused, mdp_pairing):
                        if as_set(limbo) | as_set(unpaired) in sets:
                            yield pairs, (*limbo, *unpaired)


def first_best(
    field: Field,
    bracket: Bracket,
    sets: Collection[int],
    judge: Callable[[Field, Bracket, Pairs, tuple[int, ...]], Values],
) -> tuple[Candidate, Values]:
    """[3.4, 3.8; B.4, B.8] The best candidate; of equally good ones, the first.

    A beginning whose values are already as bad as those of the best candidate so far is hopeless: its
    completions are no better and come later. A perfect candidate makes everything after it hopeless.
    """
    best: tuple[Candidate, Values] | None = None

    def hopeless(pairs: Pairs) -> bool:
        return best is not None and judge(field, bracket, pairs, ()) >= best[1]

    for candidate in candidates(field, bracket, sets, hopeless):
        values = judge(field, bracket, *candidate)
        if best is None or values < best[1]:
            best = candidate, values
    assert best is not None, "each set of downfloaters was found with a pairing of the others"
    return best


# --- which sets of downfloaters are best: C4–C9 (2026), C.4–C.7 (2017)


def best_sets_2026(field: Field, bracket: Bracket, pab_score: int | None) -> frozenset[int]:
    """Sets that are best by C6, C7, C8 and C9 among those that satisfy C1–C5."""
    rest = bracket.rest()
    sets = fewest(field, bracket, lambda floaters: field.completes(floaters | rest))  # C4, C5, C6
    sets = smallest(sets, field.scores)  # C7
    if bracket.below:
        sets = smallest(sets, lambda floaters: c8_next_bracket(field, bracket, floaters))
    return frozenset(smallest(sets, lambda floaters: c9_unplayed(field, bracket, floaters, pab_score)))


def best_sets_2017(field: Field, bracket: Bracket) -> frozenset[int]:
    """Sets that are best by C.5, C.6 (but in the CLB) and C.7, among those that satisfy C.1–C.4.

    [B.1.c] refers M1 to C.6: it is the number of MDPs paired where the PSD is smallest. In a PPB that can
    be fewer than the bracket could pair, if MDPs of higher scores are among them.
    """
    rest = bracket.rest()
    must_complete = bracket.kind == "PPB" or not bracket.below  # [C.4]; [C.2] where the PAB is given
    sets = fewest(field, bracket, lambda floaters: not must_complete or field.completes(floaters | rest))
    if bracket.kind != "CLB":
        sets = smallest(sets, lambda floaters: c6_psd_of_set(field, bracket, floaters))
    if bracket.kind == "" and bracket.below:
        sets = smallest(sets, lambda floaters: c7_next_bracket(field, bracket, floaters))
    return frozenset(sets)


def smallest(sets: Iterable[int], value: Callable[[int], object]) -> list[int]:
    judged = [(value(floaters), floaters) for floaters in sets]
    best = min((worth for worth, _ in judged), default=None)  # type: ignore[type-var]
    return [floaters for worth, floaters in judged if worth == best]


def values_clb(field: Field, bracket: Bracket, pairs: Pairs, downfloaters: Iterable[int]) -> Values:
    """[C.6, C.8–C.19] in order, for a bracket in which residents' pairs may have score differences."""
    return (c6_psd(field, bracket, pairs, downfloaters), *values_2017(field, bracket, pairs, downfloaters))
