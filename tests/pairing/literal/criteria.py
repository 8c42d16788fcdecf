"""What a candidate of a bracket fails, criterion by criterion (2026 Article 2, 2017 and 2012 section C).

Written from the text alone; it shares no code with the engine.

Every value is written so that smaller is better, and so that adding pairs or downfloaters never makes
it smaller: counts grow, and a list sorted from the highest grows in lexicographic order when something
is put into it. The values of an unfinished candidate are therefore a bound for all its completions.

Where the text of 2012 is silent or contradicts itself, the readings are those that the procedure in
``tests/pairing/literal/istanbul.py`` names.
"""

from collections.abc import Callable, Iterable, Sequence
from functools import reduce
from itertools import chain, combinations, groupby, product
from operator import or_
from typing import Final

import msgspec

from paircard.pairing.outcome import NoLegalRound, PairingError
from paircard.projections.round.snapshot import Snapshot
from tests.pairing.literal.field import (
    ABSOLUTE,
    BARS_THE_PAB,
    STRONG,
    Card,
    Field,
    as_set,
    bars_the_pab,
    ranks,
)

POINT: Final = 10
"""[2017 A.8] One point, in tenths."""

Pairs = tuple[tuple[int, int], ...]
"""Ranks, the S1 player first."""

Values = tuple[int | tuple[int, ...], ...]


class Bracket(msgspec.Struct, frozen=True, kw_only=True):
    """Players to be paired together, by rank, and the scoregroups still below them."""

    mdps: tuple[int, ...]
    residents: tuple[int, ...]
    below: tuple[int, ...] = ()
    """Sets of players, one for each scoregroup that follows."""
    kind: str = ""
    """``PPB`` or ``CLB`` (2017 A.9); ``JOINED``, ``HOMOGENEOUS`` or ``PENULTIMATE`` (2012)."""

    def everyone(self) -> int:
        """All players of the bracket, as a set."""
        return as_set(self.mdps) | as_set(self.residents)

    def rest(self) -> int:
        """All players below the bracket, as a set."""
        return reduce(or_, self.below, 0)


# --- the field of a round, and its scoregroups


def prepared(snapshot: Snapshot) -> tuple[Field, int | None, tuple[int, ...]]:
    """The field, the [C5] score of the PAB player (2026, odd pool) and the scoregroups, best first."""
    if snapshot.edition not in BARS_THE_PAB:
        raise PairingError("pairing.edition-unknown", text=snapshot.edition, known=tuple(BARS_THE_PAB))
    field = Field(snapshot)
    pab_score = None
    field.pab = field.pab or second_bye(snapshot, field)
    if not field.completes(field.everyone):
        raise NoLegalRound("pairing.no-legal-round")
    if snapshot.edition == "dutch-2026" and len(field.cards) % 2:
        pab_score = field.lowest_pab_score()  # [C5] fixed once for the round
        field.pab &= as_set(card.rank for card in field.cards if card.score == pab_score)
    groups = groupby(field.cards, key=lambda card: card.score)
    return field, pab_score, tuple(as_set(card.rank for card in group) for _, group in groups)


def second_bye(snapshot: Snapshot, field: Field) -> int:
    """JaVaFo 1.4, where everybody is barred from the bye: those who scored least often without playing."""
    if snapshot.edition != "dutch-2012-javafo":
        return 0
    letters = {player.id: player.letters for player in snapshot.players}
    bars = bars_the_pab(snapshot)
    often = [sum(letter in bars for letter in letters[card.id]) for card in field.cards]
    return as_set(card.rank for card, count in zip(field.cards, often, strict=True) if count == min(often))


def illegal(snapshot: Snapshot, boards: Iterable[tuple[int, int]]) -> str:
    """What makes a round illegal; empty if nothing. The bye is a board with 0."""
    field = Field(snapshot)
    able = field.pab or second_bye(snapshot, field)
    rank = {card.id: card.rank for card in field.cards}
    if sorted(id for board in boards for id in board if id) != sorted(rank):
        return "not everyone has exactly one board"
    byes = as_set(rank[white] for white, black in boards if not black)
    if byes.bit_count() > 1 or byes & ~able:
        return "a bye that may not be"
    pairs = [(rank[white], rank[black]) for white, black in boards if black]
    return "" if all(field.meets[one] >> other & 1 for one, other in pairs) else "two who may not meet"


# --- pairs: C10–C21 (2026), C.6 and C.8–C.19 (2017)


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
    """[C.8–C.19] in order. Who leaves the bracket unpaired is bound to get a downfloat."""
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
    return tuple(sorted(numbers, reverse=True))


# --- who floats: C8 and C9 (2026), C.7 (2017)


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


def following(bracket: Bracket, floaters: int) -> Bracket:
    """The next bracket, if these players come down."""
    return Bracket(
        mdps=tuple(ranks(floaters)), residents=tuple(ranks(bracket.below[0])), below=bracket.below[1:]
    )


def c8_next_bracket(field: Field, bracket: Bracket, floaters: int) -> Values:
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


def c7_next_bracket(field: Field, bracket: Bracket, floaters: int) -> Values:
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


# --- edition 2012 (Istanbul), by the names of the text


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
    half_above_joined: bool = False
    """JaVaFo 1.4: a bracket above joined ones, at least half of which moved down, has no upfloaters (A.3)."""
    joins_before_the_bye: bool = False
    """JaVaFo 1.4: brackets are joined rather than that M1 falls to 1 and one who moved down has the bye."""


def rules_2012(snapshot: Snapshot) -> Rules:
    """What the text and JaVaFo read differently, and what odd and even rounds do."""
    as_javafo = snapshot.edition == "dutch-2012-javafo"
    return Rules(
        odd_round=snapshot.round % 2 == 1,
        half_rule=not as_javafo,
        half_above_joined=as_javafo,
        joins_before_the_bye=as_javafo,
    )


def made(rules: Rules, mdps: tuple[int, ...], group: int) -> Bracket:
    """A bracket; if at least half of it moved down, and A.3 is followed, without any who moved down."""
    residents = tuple(ranks(group))
    if rules.half_rule and mdps and 2 * len(mdps) >= len(mdps) + len(residents):
        return Bracket(mdps=(), residents=tuple(sorted((*mdps, *residents))), kind=HOMOGENEOUS)
    return Bracket(mdps=mdps, residents=residents)


def report_2012(
    field: Field, rules: Rules, bracket: Bracket, pairs: Pairs, floaters: tuple[int, ...], added: int = 0
) -> dict[str, Report]:
    """What a candidate leaves and does not fulfil, by the names of the text; smaller is better.

    ``added``: so many residents of a joined bracket, the first ones, are its S1.
    """
    left = as_set(floaters)
    colours = ("A.7.d", "X") if rules.odd_round else ("X", "Z")
    names = ("B.2 (topscorers)", *colours, "B.5 down", "B.6 down", "B.5 up", "B.6 up")
    if bracket.kind == JOINED:
        joined = joined_values(field, rules, bracket, bracket.residents[:added], pairs, floaters)
        return dict(zip(("M1", "B.3", *names), joined, strict=True))
    treated = made(rules, bracket.mdps, as_set(bracket.residents))
    report: dict[str, Report] = {}
    if bracket.kind == PENULTIMATE:
        report["C.13 (2012)"] = int(not pairable(field, left, bracket.rest()))
    again = left & as_set(treated.mdps)
    report |= {"M1": again.bit_count(), "B.3": field.scores(again), "P1": len(floaters)}
    if left and bracket.below:
        moved_down, unpaired = next_left(field, left, bracket.below[0])
        if bracket.kind != PENULTIMATE:
            lacking = (unpaired - alone_in(field, left, bracket.below[0])) // 2
            report["C.12 (2012)"] = (moved_down, lacking)
        elif len(bracket.below) == 1 and not report["C.13 (2012)"]:
            levels = range(len(floaters), -1, -1)
            m1 = next(one for one in levels if pairable(field, left, bracket.rest(), one))
            report["C.12 (2012)"] = (len(floaters) - m1, 0)
    values = requirements(field, rules, treated, pairs, floaters)
    return report | dict(zip(names, values, strict=True))


def requirements(
    field: Field,
    rules: Rules,
    bracket: Bracket,
    pairs: Pairs,
    floaters: tuple[int, ...],
    upfloats: bool = True,
    residents: Sequence[int] | None = None,
) -> Values:
    """[C.10] What a candidate does not fulfil, the last to be dropped first: B2, A7.d, X, Z, B5 and B6.

    ``residents``: whose downfloats count, if not those of all residents.
    """
    cards = field.cards
    clashes = [(cards[a], cards[b]) for a, b in pairs if same_preference(cards[a], cards[b])]
    b2 = sum(a.strength == ABSOLUTE == b.strength for a, b in clashes)
    strong = sum(a.strength >= STRONG <= b.strength for a, b in clashes)
    colours = (b2, strong, len(clashes)) if rules.odd_round else (b2, len(clashes), strong)
    own = bracket.residents if residents is None else residents
    down = [cards[rank] for rank in floaters if rank in own]
    up = [cards[low] for high, low in pairs if upfloats and high in bracket.mdps]
    return (
        *colours,
        sum(card.floated[0] == "d" for card in down),
        sum(card.floated[1] == "d" for card in down),
        sum(card.floated[0] == "u" for card in up),
        sum(card.floated[1] == "u" for card in up),
    )


def same_preference(a: Card, b: Card) -> bool:
    """[A.7] Both want the same colour."""
    return a.preference != "" and a.preference == b.preference


# --- C.12


def alone_in(field: Field, floaters: int, following: int) -> int:
    """[C.1] Players of the next bracket without any opponent in it, if these come down."""
    return sum(not field.meets[rank] & (floaters | following) for rank in ranks(following))


def next_left(field: Field, floaters: int, following: int) -> tuple[int, int]:
    """The players that the next bracket leaves at the best: fewest players moved down, then fewest in all."""
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


def pairable(field: Field, floaters: int, bottom: int, m1: int | None = None, spared: int = 0) -> bool:
    """Whether the lowest bracket can be paired if these come down, one having the bye if it is odd.

    ``m1``: so many of those who come down have opponents; ``spared`` do not have the bye.
    """
    both, came = floaters | bottom, floaters.bit_count()
    if both.bit_count() % 2 == 0:
        return m1 in (None, came) and field.pairs_up(both, floaters)
    byes = both & field.pab & ~spared
    if m1 is not None:
        byes &= bottom if m1 == came else floaters if m1 == came - 1 else 0
    return any(field.pairs_up(both & ~(1 << rank), floaters) for rank in ranks(byes))


def joined_values(
    field: Field, rules: Rules, bracket: Bracket, s1: Sequence[int], pairs: Pairs, left: tuple[int, ...]
) -> Values:
    """[C.13] Who of S1 has no opponent outside it (M1), score differences (B.3), then C.10.

    S1 and those who moved down give upfloats to their opponents; the bye is a float for those of the lowest
    score only, all others came down already.
    """
    came_down = (*bracket.mdps, *s1)
    alone = sum(rank in came_down for rank in left)
    alone += 2 * sum(high in s1 and low in s1 for high, low in pairs)
    treated = msgspec.structs.replace(bracket, mdps=came_down)
    cards = field.cards
    lowest = [rank for rank in bracket.residents if cards[rank].score == cards[bracket.residents[-1]].score]
    rest = requirements(field, rules, treated, pairs, left, residents=lowest)
    return (alone, differences(field, bracket.residents, pairs, left), *rest)


def differences(field: Field, residents: tuple[int, ...], pairs: Pairs, left: tuple[int, ...]) -> int:
    """[B.3] Squares of the score differences; the bye counts as one point below the lowest score."""
    cards = field.cards
    floor = cards[residents[-1]].score - POINT
    gaps = [cards[a].score - cards[b].score for a, b in pairs]
    return sum(gap * gap for gap in (*gaps, *(cards[rank].score - floor for rank in left)))


# --- all together


NAMES: Final = {
    "dutch-2026": tuple(f"C{number}" for number in range(10, 22)),
    "dutch-2017": tuple(f"C.{number}" for number in range(8, 20)),
}


def evaluate(
    snapshot: Snapshot, mdps: tuple[int, ...], residents: tuple[int, ...], pairs: tuple[tuple[int, int], ...],
    kind: str = "", added: int = 0,
) -> dict[str, Report]:  # fmt: skip
    """Each criterion's value for a candidate of a bracket, given in ids; smaller is better.

    C4 is 0 where the round can be completed and 1 where not. Criteria that do not apply are left out.
    ``kind``: the role of the bracket in the round; ``added``: so many residents are S1 of a joined bracket.
    """
    field, pab_score, groups = prepared(snapshot)
    rank_of = {card.id: card.rank for card in field.cards}
    inside = tuple(sorted(rank_of[id] for id in residents))
    below = tuple(group for group in groups if min(ranks(group)) > inside[-1])
    bracket = Bracket(
        mdps=tuple(sorted(rank_of[id] for id in mdps)), residents=inside, below=below, kind=kind
    )
    ranked = tuple((min(rank_of[a], rank_of[b]), max(rank_of[a], rank_of[b])) for a, b in pairs)
    unpaired = bracket.everyone() & ~as_set(rank for pair in ranked for rank in pair)
    floaters = tuple(ranks(unpaired))
    if snapshot.edition not in NAMES:
        return report_2012(field, rules_2012(snapshot), bracket, ranked, floaters, added)
    completes = 0 if field.completes(unpaired | bracket.rest()) else 1
    report: dict[str, Report]
    if snapshot.edition == "dutch-2026":
        report = {"C4": completes, "C6": unpaired.bit_count(), "C7": field.scores(unpaired)}
        if below and not completes:
            report["C8"] = c8_next_bracket(field, bracket, unpaired)
        report["C9"] = c9_unplayed(field, bracket, unpaired, pab_score)
        values = values_2026(field, bracket, ranked, floaters)
    else:
        report = {"C.4": completes, "C.5": len(floaters), "C.6": c6_psd(field, bracket, ranked, floaters)}
        if below and kind == "":
            report["C.7"] = c7_next_bracket(field, bracket, unpaired)
        values = values_2017(field, bracket, ranked, floaters)
    return report | dict(zip(NAMES[snapshot.edition], values, strict=True))
