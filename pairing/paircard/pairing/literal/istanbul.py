"""Edition 2012 (Istanbul): sections A.3, A.7, B, C and D, written from the text for small rounds.

Sets of floaters are listed and graded as C.14 lowers M1 and P1; of the sets of the first grade that will do,
the candidates are generated in the order of section D, and the first that needs the least of C.10 is taken.

Where the scan of the text is cut off or silent, these readings are followed:

- C.14.b: M1 falls one by one, of equal M1 the lowest scores are left over, then P1 falls; if a player who
  moved down has an opponent, M1 does not fall to 0, and P1 does not while a pair is legal.
- C.12: most of the players moved down are to be paired, then most pairs made; players without any opponent
  have left the bracket before its pairs are counted (C.1). In a bracket treated as homogeneous (A.3) all
  scores count as the same.
- C.13: who moved down into the penultimate bracket stays there while it is joined. In a joined bracket score
  differences come before all else (B.3); the bracket added last is S1 while it is less than half (A.3) and
  nobody above it was paired anew.
"""

from collections.abc import Callable, Iterator, Sequence
from itertools import chain, combinations, product

import msgspec

from paircard.pairing.literal.candidates import first_best
from paircard.pairing.literal.cards import ABSOLUTE, STRONG, Card
from paircard.pairing.literal.criteria import POINT, Bracket, Pairs, Values, descending, exchange_key
from paircard.pairing.literal.field import Field, as_set, ranks

Paired = tuple[Bracket, Pairs, tuple[int, ...], Values]

JOINED = "joined"
HOMOGENEOUS = "homogeneous"
PENULTIMATE = "penultimate"
"""[C.13] The bracket above the lowest one, which looks at that one's completion and not at C.12."""

Report = int | tuple[int, ...] | tuple[int | tuple[int, ...], ...]


class Rules(msgspec.Struct, frozen=True, kw_only=True):
    """What the pairing of a round depends on besides the field."""

    odd_round: bool
    half_rule: bool
    """[A.3] A bracket at least half of which moved down is treated as homogeneous."""
    bye_spares_moved_down: bool = False
    """JaVaFo 1.4: until brackets are joined, the bye is not for one who moved down into the penultimate
    bracket and has an opponent in the lowest."""


def brackets_2012(
    field: Field, groups: tuple[int, ...], rules: Rules, large: Callable[[Bracket], None]
) -> list[Paired]:
    """[C] Bracket by bracket; ``large`` refuses one that is too large to list."""
    done: list[Paired] = []
    into: list[tuple[int, ...]] = [()]
    for place, group in enumerate(groups[:-2]):
        bracket = made(rules, into[place], group)
        large(bracket)
        chosen = c12_backtracked(field, rules, bracket, best(field, rules, bracket), groups[place + 1])
        done.append(chosen)
        into.append(tuple(sorted(chosen[2])))
    if len(groups) < 2:
        return [lowest(field, rules, (), group) for group in groups]
    bottom, joined = groups[-1], False
    for place in reversed(range(len(groups) - 1)):
        bracket = made(rules, into[place], groups[place])
        large(bracket)
        found = penultimate(field, rules, bracket, bottom, joined)
        if found is not None:
            large(made(rules, tuple(sorted(found[2])), bottom))
            last = merged if joined else lowest
            return [*done[:place], found, last(field, rules, tuple(sorted(found[2])), bottom)]
        added, bottom, joined = groups[place], bottom | groups[place], True
        if pairable(field, rules, as_set(into[place]), bottom, half=False):
            large(made(rules, into[place], bottom))
            return [*done[:place], merged(field, rules, into[place], bottom, added)]
    raise AssertionError("the whole field can be paired")


def made(rules: Rules, mdps: tuple[int, ...], group: int) -> Bracket:
    """A bracket; if at least half of it moved down, and A.3 is followed, without any who moved down."""
    residents = tuple(ranks(group))
    if rules.half_rule and mdps and 2 * len(mdps) >= len(mdps) + len(residents):
        return Bracket(mdps=(), residents=tuple(sorted((*mdps, *residents))), kind=HOMOGENEOUS)
    return Bracket(mdps=mdps, residents=residents)


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
    field: Field, rules: Rules, bracket: Bracket, allowed: Callable[[int], bool] = lambda _: True
) -> Paired | None:
    """The first best candidate whose floaters are allowed."""
    for sets in sets_by_grade(field, bracket):
        fitting = [floaters for floaters in sets if allowed(floaters)]
        if fitting:
            return of_sets(field, rules, bracket, fitting)
    return None


def of_sets(field: Field, rules: Rules, bracket: Bracket, sets: Sequence[int]) -> Paired:
    """The first candidate, in the order of section D, that needs the least of C.10."""

    def judge(field: Field, bracket: Bracket, pairs: Pairs, floaters: tuple[int, ...]) -> Values:
        return requirements(field, rules, bracket, pairs, floaters)

    (pairs, floaters), values = first_best(field, bracket, frozenset(sets), judge)
    return bracket, pairs, floaters, values


def requirements(
    field: Field, rules: Rules, bracket: Bracket, pairs: Pairs, floaters: tuple[int, ...]
) -> Values:
    """[C.10] What a candidate does not fulfil, the last to be dropped first: B2, A7.d, X, Z, B5 and B6."""
    cards = field.cards
    clashes = [(cards[a], cards[b]) for a, b in pairs if same_preference(cards[a], cards[b])]
    b2 = sum(a.strength == ABSOLUTE == b.strength for a, b in clashes)
    strong = sum(a.strength >= STRONG <= b.strength for a, b in clashes)
    colours = (b2, strong, len(clashes)) if rules.odd_round else (b2, len(clashes), strong)
    down = [cards[rank] for rank in floaters if rank in bracket.residents]
    up = [cards[low] for high, low in pairs if high in bracket.mdps]
    return (
        *colours,
        sum(card.floated[0] == "d" for card in down),
        sum(card.floated[1] == "d" for card in down),
        sum(card.floated[0] == "u" for card in up),
        sum(card.floated[1] == "u" for card in up),
    )


def report_2012(
    field: Field, rules: Rules, bracket: Bracket, pairs: Pairs, floaters: tuple[int, ...]
) -> dict[str, Report]:
    """What a candidate leaves and does not fulfil, by the names of the text; smaller is better."""
    left = as_set(floaters)
    treated = bracket if bracket.kind == JOINED else made(rules, bracket.mdps, as_set(bracket.residents))
    report: dict[str, Report] = {}
    if bracket.kind == JOINED:
        report["B.3"] = differences(field, bracket.residents, pairs, floaters)
    else:
        if bracket.kind == PENULTIMATE:
            bottom, joined = bracket.rest(), len(bracket.below) > 1
            spared = spared_from_bye(field, rules, bracket, bottom, joined)
            report["C.13 (2012)"] = int(not pairable(field, rules, left, bottom, spared=spared))
        again = left & as_set(treated.mdps)
        report |= {"M1": again.bit_count(), "B.3": field.scores(again), "P1": len(floaters)}
        if left and bracket.below and bracket.kind != PENULTIMATE:
            moved_down, unpaired = next_left(field, left, bracket.below[0])
            lacking = (unpaired - alone_in(field, left, bracket.below[0])) // 2
            report["C.12 (2012)"] = (moved_down, lacking)
    colours = ("A.7.d", "X") if rules.odd_round else ("X", "Z")
    names = ("B.2 (topscorers)", *colours, "B.5 down", "B.6 down", "B.5 up", "B.6 up")
    values = requirements(field, rules, treated, pairs, floaters)
    return report | dict(zip(names, values, strict=True))


def same_preference(a: Card, b: Card) -> bool:
    """[A.7] Both want the same colour."""
    return a.preference != "" and a.preference == b.preference


# --- C.12


def c12_backtracked(
    field: Field, rules: Rules, bracket: Bracket, first: Paired | None, following: int
) -> Paired:
    """[C.12] Other floaters, of the same size and scores, with which the next bracket is better off.

    It should pair all who come down and all others but for parity, its players without any opponent having
    left it before (C.1).
    """
    assert first is not None, "everybody may float"
    floaters = as_set(first[2])
    moved_down, left = next_left(field, floaters, following)
    if not floaters or (moved_down == 0 and left - alone_in(field, floaters, following) <= 1):
        return first
    everyone, mdps = bracket.everyone(), as_set(bracket.mdps)
    able: dict[tuple[int, int], list[int]] = {}
    for other in map(as_set, combinations(ranks(everyone), floaters.bit_count())):
        alike = bracket.kind == HOMOGENEOUS or field.scores(other) == field.scores(floaters)
        if alike and field.pairs_up(everyone & ~other, mdps):
            able.setdefault(next_left(field, other, following), []).append(other)
    return of_sets(field, rules, bracket, able[min(able)])


def alone_in(field: Field, floaters: int, following: int) -> int:
    """[C.1] Players of the next bracket without any opponent in it, if these come down."""
    return sum(not field.meets[rank] & (floaters | following) for rank in ranks(following))


def next_left(field: Field, floaters: int, following: int) -> tuple[int, int]:
    """Whom the next bracket leaves at the best: fewest players moved down, then fewest in all."""
    both = floaters | following
    for moved_down in range(floaters.bit_count() + 1):
        for others in range(following.bit_count() + 1):
            for left in product(
                combinations(ranks(floaters), moved_down), combinations(ranks(following), others)
            ):
                if field.pairs_up(both & ~as_set(chain(*left)), floaters):
                    return moved_down, moved_down + others
    raise AssertionError("everybody may be left")


# --- C.13


def pairable(
    field: Field, rules: Rules, floaters: int, bottom: int, half: bool = True, spared: int = 0
) -> bool:
    """Whether the lowest bracket can be paired if these come down, one having the bye if it is odd."""
    apart = floaters
    if half and rules.half_rule and floaters.bit_count() >= bottom.bit_count():
        apart = 0
    both = floaters | bottom
    if both.bit_count() % 2 == 0:
        return field.pairs_up(both, apart)
    return any(field.pairs_up(both & ~(1 << rank), apart) for rank in ranks(both & field.pab & ~spared))


def penultimate(field: Field, rules: Rules, bracket: Bracket, bottom: int, joined: bool) -> Paired | None:
    """[C.13] The best candidate that leaves a lowest bracket that can be paired; None if P1 became zero."""
    everyone, mdps = bracket.everyone(), as_set(bracket.mdps)
    spared = spared_from_bye(field, rules, bracket, bottom, joined)

    def allowed(floaters: int) -> bool:
        return pairable(field, rules, floaters, bottom, spared=spared)

    found = best(field, rules, bracket, allowed)
    if found is None or not some_pair_is_legal(field, bracket):
        return found  # [C.1] without a legal pair all of them have moved down
    moved_down_could_play = any(field.meets[rank] & everyone & ~mdps for rank in bracket.mdps)
    if not found[1] or (moved_down_could_play and not any(a in bracket.mdps for a, _ in found[1])):
        return None
    return found


def some_pair_is_legal(field: Field, bracket: Bracket) -> bool:
    """Whether the bracket can have a pair at all."""
    everyone, mdps = bracket.everyone(), as_set(bracket.mdps)
    return any(
        field.meets[rank] & (everyone & ~mdps if mdps >> rank & 1 else everyone) for rank in ranks(everyone)
    )


def spared_from_bye(field: Field, rules: Rules, bracket: Bracket, bottom: int, joined: bool) -> int:
    """JaVaFo 1.4: who moved down into the penultimate bracket and shall not have the bye of the lowest."""
    if joined or not rules.bye_spares_moved_down or not some_pair_is_legal(field, bracket):
        return 0
    return as_set(rank for rank in bracket.mdps if field.meets[rank] & bottom)


def lowest(field: Field, rules: Rules, mdps: tuple[int, ...], bottom: int) -> Paired:
    """The lowest bracket: whoever is left has the bye."""
    bracket = made(rules, mdps, bottom)
    odd = bracket.everyone().bit_count() % 2

    def allowed(floaters: int) -> bool:
        return floaters.bit_count() == odd and not floaters & ~field.pab

    found = best(field, rules, bracket, allowed)
    assert found is not None, "the brackets above were paired so that this one can be"
    return found


def merged(field: Field, rules: Rules, mdps: tuple[int, ...], bottom: int, added: int = 0) -> Paired:
    """[C.13, B.3] A joined bracket; ``added`` is the one that was joined last."""
    residents = tuple(ranks(bottom))
    bracket = Bracket(mdps=mdps, residents=residents, kind=JOINED)
    s1 = tuple(ranks(added)) if 2 * added.bit_count() < len(residents) else ()
    complete = [
        (pairs, left)
        for pairs, left in pairings(field, tuple(sorted((*mdps, *residents))), as_set(mdps))
        if len(left) == (len(mdps) + len(residents)) % 2 and not as_set(left) & ~field.pab
    ]

    def rank(candidate: tuple[Pairs, tuple[int, ...]]) -> tuple[object, ...]:
        pairs, left = candidate
        values = requirements(field, rules, bracket, pairs, left)
        return differences(field, residents, pairs, left), values, joined_key(bracket, s1, pairs)

    pairs, left = min(complete, key=rank)
    values = (differences(field, residents, pairs, left), *requirements(field, rules, bracket, pairs, left))
    return bracket, pairs, left, values


def differences(
    field: Field, residents: tuple[int, ...], pairs: Pairs, left: tuple[int, ...]
) -> tuple[int, ...]:
    """[B.3] Score differences, the widest first; the bye counts as one point below the lowest score."""
    cards = field.cards
    floor = cards[residents[-1]].score - POINT
    gaps = [cards[a].score - cards[b].score for a, b in pairs]
    return descending([gap for gap in gaps if gap] + [cards[rank].score - floor for rank in left])


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
        """[D.3, D.1.2] Which of these are paired with the others, and with whom."""
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
