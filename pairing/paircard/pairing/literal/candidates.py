"""One bracket: its candidates in order, and the first best of them (2026 Article 3, 2017 section B)."""

from collections.abc import Callable, Collection, Iterable, Iterator
from itertools import combinations

from paircard.pairing.literal.criteria import (
    Bracket,
    Pairs,
    Values,
    c6_psd,
    divisions,
    mdp_sets,
    transpositions,
)
from paircard.pairing.literal.field import Field, as_set, ranks

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


Value = tuple[int | tuple[int, ...], ...]


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


def fewest(field: Field, bracket: Bracket, allowed: Callable[[int], bool]) -> list[int]:
    """[C6, C.5] The smallest sets whose absence lets the bracket be paired and that are allowed."""
    everyone, mdps = bracket.everyone(), as_set(bracket.mdps)
    players = tuple(ranks(everyone))
    for size in range(len(players) % 2, len(players) + 1, 2):
        sets = [
            floaters
            for floaters in map(as_set, combinations(players, size))
            if field.pairs_up(everyone & ~floaters, mdps) and allowed(floaters)
        ]
        if sets:
            return sets
    return []


def smallest(sets: Iterable[int], value: Callable[[int], object]) -> list[int]:
    """Those with the smallest value."""
    judged = [(value(floaters), floaters) for floaters in sets]
    best = min((worth for worth, _ in judged), default=None)  # type: ignore[type-var]
    return [floaters for worth, floaters in judged if worth == best]


def following(bracket: Bracket, floaters: int) -> Bracket:
    """The next bracket, if these players come down."""
    return Bracket(
        mdps=tuple(ranks(floaters)), residents=tuple(ranks(bracket.below[0])), below=bracket.below[1:]
    )


def c8_next_bracket(field: Field, bracket: Bracket, floaters: int) -> Value:
    """[C8] The next bracket's downfloaters at best: how many, then their scores; C1–C5 hold there too."""
    then = following(bracket, floaters)
    rest = then.rest()
    sets = fewest(field, then, lambda again: field.completes(again | rest))
    return min((again.bit_count(), field.scores(again)) for again in sets)


def c9_unplayed(field: Field, bracket: Bracket, floaters: int, pab_score: int | None) -> int:
    """[C9] Unplayed games of a single downfloater who is bound to have the PAB.

    [C5] has fixed the PAB player's score: where nobody of that score is left below, it is this player.
    """
    resident_score = field.cards[bracket.residents[0]].score
    if pab_score is None or resident_score > pab_score or floaters.bit_count() != 1:
        return 0
    return field.cards[floaters.bit_length() - 1].unplayed


def c7_next_bracket(field: Field, bracket: Bracket, floaters: int) -> Value:
    """[2017 C.7] The next bracket at best: fewest downfloaters (most pairs), then the smallest PSD.

    In the last bracket of all, a pairing that leaves somebody who may not have the PAB violates [C.2]
    and is none. Downfloaters with whom no pairing is left are worse than all others.
    """
    then = following(bracket, floaters)
    sets = fewest(field, then, lambda again: bool(then.below) or field.completes(again))
    if not sets:
        return then.everyone().bit_count() + 1, ()
    return min((again.bit_count(), c6_psd_of_set(field, then, again)) for again in sets)


def c6_psd_of_set(field: Field, bracket: Bracket, floaters: int) -> tuple[int, ...]:
    """[2017 C.6] The PSD where all residents have one score, so that it matters only who floats."""
    resident = bracket.residents[0]
    mdp_pairs = tuple((mdp, resident) for mdp in bracket.mdps if not floaters >> mdp & 1)
    return c6_psd(field, bracket, mdp_pairs, ranks(floaters))  # residents' pairs add only zeroes
