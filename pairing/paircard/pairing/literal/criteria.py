"""The criteria that need a whole candidate: C10–C21 (2026), C.6 and C.8–C.19 (2017).

Every value is written so that smaller is better, and so that adding pairs or downfloaters never makes
it smaller: counts grow, and a list sorted from the highest grows in lexicographic order when something
is put into it. The values of an unfinished candidate are therefore a bound for all its completions.
"""

from collections.abc import Callable, Iterable, Iterator, Sequence
from functools import cache, reduce
from itertools import combinations
from operator import or_
from typing import Final

import msgspec

from paircard.pairing.literal.cards import Card
from paircard.pairing.literal.field import Field, as_set

# --- the order in which candidates are generated: Article 4 (2026), section D (2017)


Pairs = tuple[tuple[int, int], ...]
"""Ranks, the S1 player first."""


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


POINT: Final = 10
"""[2017 A.8] One point, in tenths."""

Values = tuple[int | tuple[int, ...], ...]


class Bracket(msgspec.Struct, frozen=True, kw_only=True):
    """Players to be paired together, by rank, and the scoregroups still below them."""

    mdps: tuple[int, ...]
    residents: tuple[int, ...]
    below: tuple[int, ...] = ()
    """Sets of players, one for each scoregroup that follows."""
    kind: str = ""
    """2017 only: ``PPB`` or ``CLB`` (A.9)."""

    def everyone(self) -> int:
        """All players of the bracket, as a set."""
        return as_set(self.mdps) | as_set(self.residents)

    def rest(self) -> int:
        """All players below the bracket, as a set."""
        return reduce(or_, self.below, 0)


def values_2026(field: Field, bracket: Bracket, pairs: Pairs, downfloaters: Iterable[int]) -> Values:
    """[C10–C21] in order."""
    cards = field.cards
    first_resident = bracket.residents[0]
    floor = cards[first_resident].score
    top = cards[bracket.mdps[0]].score if bracket.mdps else floor
    c10, c11, c12, c13 = colours_of(field, pairs)
    # [C14, C16] residents only; MDPs have [C18, C20]
    residents = [cards[rank] for rank in downfloaters if rank >= first_resident]
    # a MDP that floats again counts as further away than any resident is (commentary to C18)
    distances = [
        (cards[rank], cards[rank].score - floor + top - floor + POINT)
        for rank in downfloaters
        if rank < first_resident
    ]
    opponents = []
    for high, low in pairs:
        if high < first_resident:
            distance = cards[high].score - cards[low].score
            distances.append((cards[high], distance))
            opponents.append((cards[low], distance))
    down, up = again(distances, "d"), again(opponents, "u")
    c14, c16 = (sum(card.floated[ago] == "d" for card in residents) for ago in (0, 1))
    return (c10, c11, c12, c13, c14, len(up[0]), c16, len(up[1]), down[0], up[0], down[1], up[1])


def values_2017(field: Field, bracket: Bracket, pairs: Pairs, downfloaters: Iterable[int]) -> Values:
    """[C.8–C.19] in order. Whoever leaves the bracket unpaired is bound to get a downfloat."""
    cards = field.cards
    nobody = artificial_value(field, bracket)
    distances = [(cards[rank], cards[rank].score - nobody) for rank in downfloaters]
    opponents = []
    for high, low in pairs:
        distance = cards[high].score - cards[low].score
        if distance:
            distances.append((cards[high], distance))
            opponents.append((cards[low], distance))
    down, up = again(distances, "d"), again(opponents, "u")
    c12, c14 = map(len, down)
    c13, c15 = map(len, up)
    return (*colours_of(field, pairs), c12, c13, c14, c15, down[0], up[0], down[1], up[1])


def again(floating: list[tuple[Card, int]], float_: str) -> list[tuple[int, ...]]:
    """Score differences of those who had this float one round ago, and two rounds ago."""
    return [descending(gap for card, gap in floating if card.floated[ago] == float_) for ago in (0, 1)]


def values_clb(field: Field, bracket: Bracket, pairs: Pairs, downfloaters: Iterable[int]) -> Values:
    """[C.6, C.8–C.19] in order, for a bracket in which residents' pairs may have score differences."""
    return (c6_psd(field, bracket, pairs, downfloaters), *values_2017(field, bracket, pairs, downfloaters))


def c6_psd(field: Field, bracket: Bracket, pairs: Pairs, downfloaters: Iterable[int]) -> tuple[int, ...]:
    """[2017 C.6, A.8] The score differences of pairs and downfloaters."""
    scores = [card.score for card in field.cards]
    nobody = artificial_value(field, bracket)
    gaps = [scores[high] - scores[low] for high, low in pairs]
    return descending((*gaps, *(scores[rank] - nobody for rank in downfloaters)))


def artificial_value(field: Field, bracket: Bracket) -> int:
    """[2017 A.8] One point less than the score of the lowest ranked player of the bracket."""
    return field.cards[bracket.residents[-1]].score - POINT


def colours_of(field: Field, pairs: Pairs) -> tuple[int, int, int, int]:
    """[C10–C13, C.8–C.11] added over the pairs."""
    failed = [field.colour_failures(a, b) for a, b in pairs]
    c10, c11, c12, c13 = (sum(each) for each in zip((0, 0, 0, 0), *failed, strict=True))
    return c10, c11, c12, c13


def descending(numbers: Iterable[int]) -> tuple[int, ...]:
    """A list of score differences as the criteria compare it."""
    return tuple(sorted(numbers, reverse=True))
