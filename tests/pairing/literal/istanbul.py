"""Edition 2012 (Istanbul): the procedure of section C with its jumps, written from the text.

A bracket begins at C.1. C.3 to C.10 look for a pairing with M1 players moved down and P1 pairs in all; if
there is none, C.12 goes back to the bracket above for other floaters, and only if that does not help does
C.14 lower M1, then P1. The lowest bracket goes the same way, but C.13 lowers M1 alone and then goes back to
the penultimate bracket, which is paired anew or joined. Requirements (C.10) are lowered step by step; a step
that no candidate meets is passed over.

Where the text is silent or contradicts itself, these readings are followed:

- C.14.b: M1 falls one by one, of equal M1 the lowest scores are left over (B.3), then P1 falls; M1 does not
  fall to 0 once the remainder was reached, so not if a player who moved down has an opponent.
- C.1: a player of the lowest bracket without an opponent may have the bye; one who moved down goes to C.12
  first.
- C.12: the players moved down count before the pairs (A.3); P0 is counted when those without any opponent
  have left the bracket (C.1). In a bracket treated as homogeneous (A.3) all scores count as the same.
- C.13: who moved down into the penultimate bracket stays there while it is joined; only if that fails is the
  one above paired anew, and then nobody is S1 but those who move down from it. The bracket added last is S1
  as if it had moved down; if S1 and those who moved down are half of the bracket, it is homogeneous (A.3).
  Score differences count before colours (B.3), their squares added up.
"""

from collections.abc import Callable, Iterator, Sequence
from functools import partial
from itertools import chain, combinations, product

from tests.pairing.literal.candidates import exchange_key, first_best
from tests.pairing.literal.criteria import (
    HOMOGENEOUS,
    JOINED,
    Bracket,
    Pairs,
    Rules,
    Values,
    joined_values,
    made,
    pairable,
    requirements,
)
from tests.pairing.literal.field import Field, as_set, ranks

Paired = tuple[Bracket, Pairs, tuple[int, ...], Values]
"""What a bracket came to: pairs with the S1 player first, in the order of S1; downfloaters; its values."""


class Procedure:
    """[C] From the highest bracket down; ``large`` refuses a bracket that is too large to list."""

    def __init__(
        self, field: Field, groups: tuple[int, ...], rules: Rules, large: Callable[[Bracket], None]
    ) -> None:
        self.field = field
        self.groups = groups
        self.rules = rules
        self.large = large
        self.done: list[Paired] = []

    def run(self) -> list[Paired]:
        """Each bracket in turn; the last one may undo those above it."""
        while len(self.done) < len(self.groups) - 1:
            self.done.append(self.c1_bracket())
        if self.groups:
            self.lowest()
        return self.done

    def into(self, place: int) -> tuple[int, ...]:
        """Who moved down into the bracket of this place."""
        return tuple(sorted(self.done[place - 1][2])) if place else ()

    # --- C.1 to C.12 and C.14, any bracket but the lowest

    def c1_bracket(self) -> Paired:
        """[C.1–C.10, C.14] The next bracket, for itself; C.12 may pair the one above it anew."""
        place = len(self.done)
        if place:
            self.c12_at_each_level(place)
        bracket = self.bracket(self.into(place), self.groups[place])
        found = best(self.field, self.rules, bracket)
        assert found is not None, "everybody may float"
        return found

    def bracket(self, mdps: tuple[int, ...], group: int) -> Bracket:
        """A bracket that is not too large."""
        bracket = made(self.rules, mdps, group)
        self.large(bracket)
        return bracket

    def c12_at_each_level(self, place: int) -> None:
        """[C.14] Lower M1, then P1; at each level, if it cannot be reached, ask C.12 for other floaters."""
        field, group = self.field, self.groups[place]
        mdps = as_set(self.into(place))
        self.large(made(self.rules, self.into(place), group))
        present = group & ~as_set(r for r in ranks(group) if not field.meets[r] & (mdps | group))  # [C.1]
        most = (mdps | present).bit_count() // 2
        for m1 in range(mdps.bit_count(), -1, -1):
            for pairs in range(max(most, m1), m1 - 1, -1):
                if self.reaches(mdps, group, m1, pairs):
                    return
                if self.c12_backtrack(place, partial(self.reaches, group=group, m1=m1, pairs=pairs)):
                    return

    def reaches(self, mdps: int, group: int, m1: int, pairs: int) -> bool:
        """Whether M1 players moved down, and so many pairs in all, can be paired in a bracket."""
        alone = group.bit_count() + m1 - 2 * pairs
        if alone < 0:
            return False
        left = product(combinations(ranks(mdps), mdps.bit_count() - m1), combinations(ranks(group), alone))
        both = mdps | group
        return any(self.field.pairs_up(both & ~as_set(chain(*one)), mdps) for one in left)

    def c12_backtrack(self, place: int, allows: Callable[[int], bool]) -> bool:
        """[C.12] Pair the bracket above anew if other floaters, as many of the same scores, allow it."""
        above = self.done[place - 1]
        sets = self.like(above, allows)
        if sets:
            self.done[place - 1] = of_sets(self.field, self.rules, above[0], sets)
        return bool(sets)

    def like(self, paired: Paired, allows: Callable[[int], bool]) -> list[int]:
        """Sets of floaters, as many and with the same scores, who may leave the bracket and allow it."""
        field, (bracket, _, floaters, _) = self.field, paired
        everyone, mdps = bracket.everyone(), as_set(bracket.mdps)
        scores = field.scores(as_set(floaters))
        return [
            other
            for other in map(as_set, combinations(ranks(everyone), len(floaters)))
            if (bracket.kind == HOMOGENEOUS or field.scores(other) == scores)
            and field.pairs_up(everyone & ~other, mdps)
            and allows(other)
        ]

    # --- C.13, the lowest bracket

    def lowest(self) -> None:
        """[C.13] M1 falls, C.12 being asked each time; then the bracket above is paired anew, or joined."""
        bottom = self.groups[-1]
        place = len(self.groups) - 1
        if self.c13_m1_falls(place, bottom):
            self.pair_lowest(place, bottom)
            return
        joined = False
        for place in reversed(range(len(self.groups) - 1)):
            bracket = self.bracket(self.into(place), self.groups[place])
            found = self.penultimate(bracket, bottom, joined)
            if found is not None:
                self.done[place:] = [found]
                self.pair_lowest(place + 1, bottom, joined)
                return
            added, bottom, joined = self.groups[place], bottom | self.groups[place], True
            del self.done[place:]
            if pairable(self.field, as_set(self.into(place)), bottom):
                self.pair_lowest(place, bottom, joined, added)
                return
        raise AssertionError("the whole field can be paired")

    def c13_m1_falls(self, place: int, bottom: int) -> bool:
        """[C.1, C.12, C.13] Whether the lowest bracket can be paired with these floaters or others like them.

        At each M1 other floaters are asked for (C.12) before it falls. The penultimate bracket must have kept
        what C.14 demands of it.
        """
        if not place:
            return True
        mdps = as_set(self.into(place))
        for m1 in range(mdps.bit_count(), -1, -1):
            if pairable(self.field, mdps, bottom, m1):
                return True
            if self.c12_backtrack(place, partial(pairable, self.field, bottom=bottom, m1=m1)):
                return True
        return False

    def penultimate(self, bracket: Bracket, bottom: int, joined: bool) -> Paired | None:
        """[C.13] The bracket again, so that the lowest can be paired; None if it has to be joined to it."""
        field, rules = self.field, self.rules
        half = joined and rules.half_above_joined and 2 * len(bracket.mdps) >= bracket.everyone().bit_count()
        found = best(field, rules, bracket, lambda floaters: pairable(field, floaters, bottom), not half)
        if found is None or not some_pair_is_legal(field, bracket):
            return found  # [C.1] without a legal pair all of them have moved down
        if not joined:  # [C.12] of floaters as many and with the same scores, those who have opponents
            for down in range(len(found[2]), -1, -1):
                sets = self.like(found, partial(pairable, field, bottom=bottom, m1=down))
                if sets:
                    found = of_sets(field, rules, bracket, sets)
                    break
        everyone, mdps = bracket.everyone(), as_set(bracket.mdps)
        m1 = sum(high in bracket.mdps for high, _ in found[1])
        could_play = any(field.meets[rank] & everyone & ~mdps for rank in bracket.mdps)
        if not found[1] or (could_play and not m1) or self.joins_before_the_bye(bracket, found, m1, bottom):
            return None
        return found

    def joins_before_the_bye(self, bracket: Bracket, found: Paired, m1: int, bottom: int) -> bool:
        """JaVaFo 1.4: M1 has fallen to 1, with as many pairs, and one who moved down would have the bye."""
        if not self.rules.joins_before_the_bye or m1 != 1 or self.field.everyone.bit_count() % 2 == 0:
            return False
        own = best(self.field, self.rules, bracket)
        assert own is not None, "everybody may float"
        if sum(high in bracket.mdps for high, _ in own[1]) == 1 or len(own[1]) != len(found[1]):
            return False
        spared = as_set(rank for rank in found[2] if rank in bracket.mdps)
        return not pairable(self.field, as_set(found[2]), bottom, spared=spared)

    def pair_lowest(self, place: int, bottom: int, joined: bool = False, added: int = 0) -> None:
        """The lowest bracket, now that it can be paired."""
        mdps = self.into(place)
        self.large(Bracket(mdps=mdps, residents=tuple(ranks(bottom))))
        if joined:
            self.done.append(merged(self.field, self.rules, mdps, bottom, added))
            return
        bracket = made(self.rules, mdps, bottom)
        odd = bracket.everyone().bit_count() % 2

        def allowed(floaters: int) -> bool:
            return floaters.bit_count() == odd and not floaters & ~self.field.pab

        found = best(self.field, self.rules, bracket, allowed)
        assert found is not None, "the brackets above were paired so that this one can be"
        self.done.append(found)


def sets_by_grade(field: Field, bracket: Bracket) -> Iterator[list[int]]:
    """[C.14] Sets of players whose absence lets all others be paired, graded by M1, scores left over, P1."""
    everyone, mdps = bracket.everyone(), as_set(bracket.mdps)
    players = tuple(ranks(everyone))
    grades: dict[tuple[object, ...], list[int]] = {}
    for size in range(len(players) % 2, len(players) + 1, 2):
        for floaters in map(as_set, combinations(players, size)):
            if field.pairs_up(everyone & ~floaters, mdps):
                left = floaters & mdps
                grades.setdefault((left.bit_count(), field.scores(left), size), []).append(floaters)
    for grade in sorted(grades):
        yield grades[grade]


def best(
    field: Field,
    rules: Rules,
    bracket: Bracket,
    allowed: Callable[[int], bool] = lambda _: True,
    upfloats: bool = True,
) -> Paired | None:
    """[C.3–C.10, C.14] The pairing of the first level that can be reached with floaters who are allowed."""
    for sets in sets_by_grade(field, bracket):
        fitting = [floaters for floaters in sets if allowed(floaters)]
        if fitting:
            return of_sets(field, rules, bracket, fitting, upfloats)
    return None


def of_sets(
    field: Field, rules: Rules, bracket: Bracket, sets: Sequence[int], upfloats: bool = True
) -> Paired:
    """The first candidate, in the order of section D, that needs the least of C.10."""

    def judge(field: Field, bracket: Bracket, pairs: Pairs, floaters: tuple[int, ...]) -> Values:
        return requirements(field, rules, bracket, pairs, floaters, upfloats)

    (pairs, floaters), values = first_best(field, bracket, frozenset(sets), judge)
    return bracket, pairs, floaters, values


def some_pair_is_legal(field: Field, bracket: Bracket) -> bool:
    """Whether the bracket can have a pair at all."""
    everyone, mdps = bracket.everyone(), as_set(bracket.mdps)
    return any(
        field.meets[rank] & (everyone & ~mdps if mdps >> rank & 1 else everyone) for rank in ranks(everyone)
    )


# --- joined brackets


def merged(field: Field, rules: Rules, mdps: tuple[int, ...], bottom: int, added: int = 0) -> Paired:
    """[C.13, B.3] A joined bracket; ``added`` is the one that was joined last."""
    bracket, s1 = joined_bracket(mdps, bottom, added)
    players = tuple(sorted((*mdps, *ranks(bottom))))
    complete = [
        (pairs, left)
        for pairs, left in pairings(field, players, as_set(mdps))
        if len(left) == len(players) % 2 and not as_set(left) & ~field.pab
    ]

    def values(candidate: tuple[Pairs, tuple[int, ...]]) -> Values:
        return joined_values(field, rules, bracket, s1, *candidate)

    best = min(complete, key=lambda one: (values(one), joined_key(bracket, s1, one[0])))
    return bracket, *best, values(best)


def joined_bracket(mdps: tuple[int, ...], bottom: int, added: int) -> tuple[Bracket, tuple[int, ...]]:
    """[C.13, A.3] A joined bracket and its S1; if half of it is S1 or moved down, it is homogeneous."""
    residents = tuple(ranks(bottom))
    if 2 * (len(mdps) + added.bit_count()) >= len(mdps) + len(residents):
        return Bracket(mdps=(), residents=tuple(sorted((*mdps, *residents))), kind=JOINED), ()
    return Bracket(mdps=mdps, residents=residents, kind=JOINED), tuple(ranks(added))


def pairings(field: Field, players: tuple[int, ...], mdps: int) -> Iterator[tuple[Pairs, tuple[int, ...]]]:
    """Every way to pair these players but for at most one, no two who moved down with each other."""
    if not players:
        yield (), ()
        return
    one, rest = players[0], players[1:]
    if len(players) % 2:
        for pairs, left in pairings(field, rest, mdps):
            if not left:
                yield pairs, (one,)
    for other in rest:
        if field.meets[one] >> other & 1 and not mdps >> one & mdps >> other & 1:
            for pairs, left in pairings(field, tuple(p for p in rest if p != other), mdps):
                yield ((one, other), *pairs), left


def joined_key(bracket: Bracket, s1: tuple[int, ...], pairs: Pairs) -> tuple[object, ...]:
    """[D] When a candidate of a joined bracket is generated: who moved down, then S1, then the remainder."""
    partner = {a: b for pair in pairs for a, b in (pair, pair[::-1])}
    rest = list(bracket.residents)
    key: list[object] = []

    def choose(choosing: Sequence[int], among: Sequence[int]) -> None:
        """[D.3, D.1.2] Which of these are paired with the others, and their opponents."""
        chosen = [rank for rank in choosing if partner.get(rank) in among]
        opponents = [partner[rank] for rank in chosen]
        key.append([rank not in chosen for rank in choosing])
        key.append(opponents)
        for rank in (*chosen, *opponents):
            if rank in rest:
                rest.remove(rank)

    choose(bracket.mdps, bracket.residents)
    left = [rank for rank in s1 if rank in rest]
    choose(left, [rank for rank in rest if rank not in s1])
    upper = [rank for rank in rest if rank in partner and rank < partner[rank]]
    number = {rank: place for place, rank in enumerate(rest, 1)}
    down = tuple(number[rank] for rank in rest[: len(upper)] if rank not in upper)
    up = tuple(number[rank] for rank in upper if number[rank] > len(upper))
    return (*key, exchange_key((down, up)), [number[partner[rank]] for rank in upper])
