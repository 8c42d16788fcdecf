"""The best round under a condition, sought by the literal generator's reading of the rules alone.

Nothing of the engine or of its explanations is used: every candidate of a bracket is listed, those that
do not allow the condition are struck out, the rest are judged criterion by criterion.
"""

from collections.abc import Callable, Iterator, Sequence

from paircard.pairing.outcome import BracketTrace
from paircard.projections.round.snapshot import Snapshot
from tests.pairing.literal.candidates import exchange_key
from tests.pairing.literal.criteria import (
    NAMES,
    Bracket,
    c6_psd,
    c7_next_bracket,
    c8_next_bracket,
    c9_unplayed,
    prepared,
    values_2017,
    values_2026,
)
from tests.pairing.literal.field import Field, as_set, ranks

Pairs = tuple[tuple[int, int], ...]
Measure = Callable[[Pairs], object]
"""A criterion: pairs in, a value out that is smaller for the better."""


class Alternatives:
    """All candidates of one bracket: of a round that has two players together, or with one player kept in."""

    def __init__(self, snapshot: Snapshot, bracket: BracketTrace, a: int, b: int = 0) -> None:
        """With ``b`` the two meet, in this bracket or below it; without, ``a`` is paired in this bracket."""
        self.snapshot = snapshot
        self.field, self.pab_score, groups = prepared(snapshot)
        self.rank = {card.id: card.rank for card in self.field.cards}
        residents = tuple(sorted(self.rank[id] for id in bracket.residents))
        self.bracket = Bracket(
            mdps=tuple(sorted(self.rank[id] for id in bracket.moved_down)),
            residents=residents,
            below=tuple(group for group in groups if min(ranks(group)) > residents[-1]),
            kind=bracket.role,
        )
        self.kept = 0 if b else 1 << self.rank[a]
        self.forced = together(self.field, self.rank[a], self.rank[b]) if b else self.field
        self.completes = bool(b) or snapshot.edition == "dutch-2026" or bracket.role == "PPB"
        self.completes = self.completes or not self.bracket.below

    def best(self) -> Pairs | None:
        """Pairs of the best candidate, in ids, higher ranked player first; None if there is none."""
        left = [pairs for pairs in self._listed() if self.allows(pairs)]
        if not left:
            return None
        scores = [card.score for card in self.field.cards]
        for measure in self._measures():
            values = [(measure(pairs), pairs) for pairs in left]
            least = min(value for value, _ in values)  # type: ignore[type-var]
            left = [pairs for value, pairs in values if value == least]
        return self.in_ids(
            min(left, key=lambda p: generation_key(self.bracket.mdps, self.bracket.residents, p, scores))
        )

    def in_ids(self, pairs: Pairs) -> Pairs:
        """Pairs as ids, in a fixed order."""
        cards = self.field.cards
        return tuple(sorted((cards[one].id, cards[other].id) for one, other in pairs))

    def allows(self, pairs: Pairs) -> bool:
        """Whether the condition holds, and a complete round follows where the rules ask for it."""
        floaters = self.floaters(pairs)
        if floaters & self.kept or not all(self.forced.meets[one] >> other & 1 for one, other in pairs):
            return False
        return not self.completes or self.forced.completes(floaters | self.bracket.rest())

    def floaters(self, pairs: Pairs) -> int:
        return self.bracket.everyone() & ~as_set(rank for pair in pairs for rank in pair)

    def value(self, name: str, pairs: Pairs) -> object:
        """One criterion's value."""
        return dict(zip(self.names(), (measure(pairs) for measure in self._measures()), strict=True))[name]

    def names(self) -> list[str]:
        """Criteria in order."""
        first = ["C6", "C7", "C8", "C9"] if self.snapshot.edition == "dutch-2026" else ["C.5", "C.6", "C.7"]
        return first + list(NAMES[self.snapshot.edition])

    def first_worse(self, real: Pairs, other: Pairs) -> str:
        """The first criterion in which the other candidate is worse; empty where the two are equal."""
        for name, measure in zip(self.names(), self._measures(), strict=True):
            one, two = measure(real), measure(other)
            assert not one > two, (name, "the real candidate is not the best")  # type: ignore[operator]
            if one != two:
                return name
        return ""

    def _measures(self) -> Iterator[Measure]:
        field, bracket = self.field, self.bracket
        looks = bool(bracket.below) and not bracket.kind
        yield lambda pairs: self.floaters(pairs).bit_count()
        if self.snapshot.edition == "dutch-2026":
            yield lambda pairs: field.scores(self.floaters(pairs))
            yield lambda pairs: c8_next_bracket(field, bracket, self.floaters(pairs)) if looks else ()
            yield lambda pairs: c9_unplayed(field, bracket, self.floaters(pairs), self.pab_score)
            judge = values_2026
        else:
            yield lambda pairs: c6_psd(field, bracket, pairs, ranks(self.floaters(pairs)))
            yield lambda pairs: c7_next_bracket(field, bracket, self.floaters(pairs)) if looks else ()
            judge = values_2017
        for place in range(len(NAMES[self.snapshot.edition])):
            yield lambda pairs, place=place: judge(  # type: ignore[misc]
                field, bracket, pairs, tuple(ranks(self.floaters(pairs)))
            )[place]

    def _listed(self) -> Iterator[Pairs]:
        """Every legal candidate: any pairs of members, no two of the MDPs."""
        return self._pairings(tuple(ranks(self.bracket.everyone())), as_set(self.bracket.mdps))

    def _pairings(self, players: Sequence[int], mdps: int) -> Iterator[Pairs]:
        if not players:
            yield ()
            return
        one, rest = players[0], players[1:]
        yield from self._pairings(rest, mdps)
        for other in rest:
            both_moved = mdps >> one & mdps >> other & 1
            if not both_moved and self.field.meets[one] >> other & 1:
                for pairs in self._pairings([p for p in rest if p != other], mdps):
                    yield ((one, other), *pairs)


def together(field: Field, a: int, b: int) -> Field:
    """The same field, but these two have only each other."""
    forced = object.__new__(Field)
    forced.__dict__.update(field.__dict__)
    both = 1 << a | 1 << b
    forced.meets = tuple(
        (1 << b if rank == a else 1 << a) if rank in (a, b) else row & ~both
        for rank, row in enumerate(field.meets)
    )
    forced.pab = field.pab & ~both
    forced._known = {}
    return forced


def generation_key(
    mdps: Sequence[int], residents: Sequence[int], pairs: Sequence[tuple[int, int]], scores: Sequence[int]
) -> tuple[object, ...]:
    """When a candidate is generated (2026 Article 4, 2017 section D); smaller is earlier. Players by rank.

    Whoever is ranked higher in a pair is the S1 player: the other way round the same pairs come later.
    """
    partner = {a: b for pair in pairs for a, b in (pair, pair[::-1])}
    s1 = [rank for rank in sorted(mdps) if rank in partner]
    opponents = [partner[rank] for rank in s1]
    remainder = [rank for rank in sorted(residents) if rank not in opponents]
    upper = [rank for rank in remainder if rank in partner and rank < partner[rank]]
    bsn = {rank: place for place, rank in enumerate(remainder, 1)}
    down = tuple(bsn[rank] for rank in remainder[: len(upper)] if rank not in upper)
    up = tuple(bsn[rank] for rank in upper if bsn[rank] > len(upper))
    return (
        -len(s1),
        [(-scores[rank], rank) for rank in s1],
        opponents,
        exchange_key((down, up)),
        [bsn[partner[rank]] for rank in upper],
    )
