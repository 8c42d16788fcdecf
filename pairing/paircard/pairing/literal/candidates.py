"""One bracket: its candidates in order, and the first best of them (2026 Article 3, 2017 section B)."""

from collections.abc import Callable, Collection, Iterator

from paircard.pairing.literal.criteria import Bracket, Values
from paircard.pairing.literal.field import Field, as_set
from paircard.pairing.literal.order import Pairs, divisions, mdp_sets, transpositions

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
