"""Articles 2 and 4 (2017: C and D): which of two candidates is better, and of equals which comes first.

The quality criteria, one function for each, and their packing. Every criterion asks the same question of a
player who leaves the bracket unpaired, of a pair of unequal scores, or (``field.py``) of the colours of a
pair: does this fail? The failures of one candidate are packed into one integer, a digit for each criterion
in the order of the article, so that comparing two integers compares two candidates criterion by criterion.
Criteria that compare lists in descending order (C7, C18–C21) have a digit for each value a list can hold,
the largest first.

Names are those of the 2026 edition. The 2017 text has the same criteria under other numbers
(``Edition.names``), and measures score differences where 2026 counts by the moved-down player's score.
"""

from collections.abc import Callable, Iterable, Sequence
from functools import lru_cache
from typing import Final

import msgspec

from paircard.pairing.dutch.field import ANY_FLOAT, DOWN, DOWN_BEFORE, UP, UP_BEFORE
from paircard.pairing.dutch.graphs import Bracket

ONE_POINT: Final = 10
"""[2017 A.8] A downfloater's score difference is taken to one point below the bracket's lowest score."""

Value = int | tuple[int, ...]
"""Failures of a criterion: a count, or a descending list in tenths."""


class Leaving(msgspec.Struct, frozen=True, gc=False):
    """A player who leaves the bracket unpaired."""

    value: int
    """Score, or score difference (2017 A.8): what C7, C18 and C20 put on their lists."""
    floated: int
    resident: bool
    """Not moved down into the bracket; so is everybody in a collapsed one (2017 A.9)."""
    moved_down: bool
    """So is everybody in a collapsed bracket."""


class Unequal(msgspec.Struct, frozen=True, gc=False):
    """A pair of unequal scores: a moved-down player and a resident, or any two in a collapsed bracket."""

    value: int
    """Score of the upper player, or score difference (2017 A.8)."""
    is_difference: bool
    """Which of the two it is."""
    upper_floated: int
    """Only in a collapsed bracket, where it is not sure beforehand that the player floats."""
    lower_floated: int


def c6_downfloater(_: Leaving) -> bool:
    """[C6, 2017 C.5] Minimise the number of downfloaters."""
    return True


def m1_moved_down_unpaired(who: Leaving) -> bool:
    """[2012 A.3, C.14.b] Moved-down players are paired first: as many of them as possible (M1)."""
    return who.moved_down


def c7_downfloater_score(_: Leaving) -> bool:
    """[C7, 2017 C.6] Minimise the scores, or score differences, of the downfloaters."""
    return True


def c7_score_difference(pair: Unequal) -> bool:
    """[2017 C.6] The score differences of the pairs count too."""
    return pair.is_difference


def c14_resident_downfloats_again(who: Leaving) -> bool:
    """[C14, 2017 C.12] Resident downfloaters who had a downfloat the previous round."""
    return who.resident and bool(who.floated & DOWN)


def c14_downfloats_again(pair: Unequal) -> bool:
    """[2017 C.12] In a collapsed bracket, also upper players of unequal pairs."""
    return bool(pair.upper_floated & DOWN)


def c15_upfloats_again(pair: Unequal) -> bool:
    """[C15, 2017 C.13] Opponents of moved-down players who had an upfloat the previous round."""
    return bool(pair.lower_floated & UP)


def c16_resident_downfloats_again(who: Leaving) -> bool:
    """[C16, 2017 C.14] Resident downfloaters who had a downfloat two rounds before."""
    return who.resident and bool(who.floated & DOWN_BEFORE)


def c16_downfloats_again(pair: Unequal) -> bool:
    """[2017 C.14] In a collapsed bracket, also upper players of unequal pairs."""
    return bool(pair.upper_floated & DOWN_BEFORE)


def c17_upfloats_again(pair: Unequal) -> bool:
    """[C17, 2017 C.15] Opponents of moved-down players who had an upfloat two rounds before."""
    return bool(pair.lower_floated & UP_BEFORE)


def c18_moved_down_floats_again(who: Leaving) -> bool:
    """[C18, 2017 C.16] Score differences of moved-down players who had a downfloat the previous round."""
    return who.moved_down and bool(who.floated & DOWN)


def c19_upfloat_difference(pair: Unequal) -> bool:
    """[C19, 2017 C.17] Score differences of their opponents who had an upfloat the previous round."""
    return bool(pair.lower_floated & UP)


def c20_moved_down_floats_again(who: Leaving) -> bool:
    """[C20, 2017 C.18] Score differences of moved-down players who had a downfloat two rounds before."""
    return who.moved_down and bool(who.floated & DOWN_BEFORE)


def c21_upfloat_difference(pair: Unequal) -> bool:
    """[C21, 2017 C.19] Score differences of their opponents who had an upfloat two rounds before."""
    return bool(pair.lower_floated & UP_BEFORE)


OF_DOWNFLOATERS: Final[dict[str, Callable[[Leaving], bool]]] = {
    "C6": c6_downfloater,
    "M1": m1_moved_down_unpaired,
    "C7": c7_downfloater_score,
    "C14": c14_resident_downfloats_again,
    "C16": c16_resident_downfloats_again,
    "C18": c18_moved_down_floats_again,
    "C20": c20_moved_down_floats_again,
}
OF_UNEQUAL_PAIRS: Final[dict[str, Callable[[Unequal], bool]]] = {
    "C7": c7_score_difference,
    "C14": c14_downfloats_again,
    "C15": c15_upfloats_again,
    "C16": c16_downfloats_again,
    "C17": c17_upfloats_again,
    "C18": c14_downfloats_again,
    "C19": c19_upfloat_difference,
    "C20": c16_downfloats_again,
    "C21": c21_upfloat_difference,
}
DIFFERENCES: Final = frozenset({"C18", "C19", "C20", "C21"})
"""Lists that a bracket without different scores does not need."""
LISTS: Final = DIFFERENCES | {"C7"}
"""Criteria that compare lists; the others are counts."""


@lru_cache(maxsize=4096)
def failed_by_leaving(who: Leaving) -> tuple[str, ...]:
    """The criteria that a player fails who leaves the bracket unpaired, whether or not they count in it."""
    return tuple(name for name, fails in OF_DOWNFLOATERS.items() if fails(who))


@lru_cache(maxsize=4096)
def failed_by_pair(pair: Unequal) -> tuple[str, ...]:
    """The criteria that a pair of unequal scores fails, whether or not they count in the bracket."""
    return tuple(name for name, fails in OF_UNEQUAL_PAIRS.items() if fails(pair))


Digit = str | tuple[str, int]
"""A digit: of a criterion that counts, or of one value on the list of another."""


def digits(widths: list[int]) -> list[int]:
    """The place values of a number whose digits have these widths in bits, the highest first."""
    places, bits = [], 0
    for width in reversed(widths):
        places.append(1 << bits)
        bits += width
    return places[::-1]


class Criteria:
    """The digits of one bracket, and the packed failures ("penalty") of its pairs and downfloaters."""

    def __init__(
        self,
        bracket: Bracket,
        size: int,
        next_scores: Sequence[int] = (),
        counts_c9: bool = False,
        collapsed: bool = False,
    ) -> None:
        """For a problem with ``size`` vertices; ``next_scores`` are those of bracket and next scoregroup.

        ``collapsed``: the bracket's residents have different scores (2017 A.9), so that any of its pairs may
        be a float. In other brackets moved-down players float whatever is done, and only residents who
        follow them, and who of them floats again, are looked at (2017 Appendix P 2.6–2.13). So it is in a
        joined bracket (2012 C.13), but for the score differences of all pairs.
        """
        field, scores = bracket.field, bracket.scores
        self.field = field
        self.lowest = min(scores)
        self.next_lowest = min(next_scores, default=0)
        self.counts_c9 = counts_c9
        self.collapsed = collapsed
        self.homogeneous, self.joined = bracket.homogeneous, bracket.joined
        first = bracket.members[bracket.moved_down]
        self.s1_end = first + bracket.added if bracket.joined else -1
        """[2012 C.13] In a joined bracket, the place behind those who moved down and S1."""
        self.s1_score = field.score[first] if bracket.added else -1
        self.mixed = collapsed or self.joined
        """Whether residents have different scores."""
        self.looks_ahead = bool(next_scores)
        self.measures = field.edition.measures_differences or self.mixed
        levels = self._levels(scores, self.lowest)
        keys: list[Digit] = []
        names = field.edition.homogeneous_criteria(field.round) if self.homogeneous else field.criteria
        ignored = set(DIFFERENCES) if len(levels) == 1 else set()
        if not bracket.upfloats:
            ignored |= {"C15", "C17"}
        if not next_scores:
            ignored.add("C8")
        names = tuple([name for name in names if name not in ignored])
        for name in names:
            if name == "C8":
                keys += self._look_ahead(next_scores)
            elif name in LISTS and not self.squares(name):
                keys += [(name, level) for level in levels]
            else:
                keys.append(name)
        self.keys = keys
        self.names = names
        """Criteria that count in this bracket, the most important first."""
        self.width = max(size + 1, field.round + 1).bit_length() + 1
        widths = [self.width] * len(keys)
        if self.joined and "C7" in keys:
            widths[keys.index("C7")] = (size * levels[0] ** 2).bit_length() + 1
        self.unit: dict[Digit, int] = dict(zip(keys, digits(widths), strict=True))
        self.never = 1 << sum(widths) + 2 * self.width
        """Dearer than any candidate: the price of what may not be."""
        self.colours = [0]
        """[C10–C13] The penalty of every set of ``colour_failures``; last, of a pair that may not be made."""
        for name in field.clashes.criteria:
            self.colours += [price + self.worth(name) for price in self.colours]
        self.colours.append(self.never)

    def _look_ahead(self, next_scores: Sequence[int]) -> list[Digit]:
        """[C8] Digits of the next bracket."""
        keys: list[Digit] = list(self.field.edition.look_ahead)
        if "C8 scores" in keys:
            keys.remove("C8 scores")
            keys += [("C8", level) for level in self._levels(next_scores, self.next_lowest)]
        return keys

    def _levels(self, scores: Sequence[int], lowest: int) -> list[int]:
        """Values a descending list can hold, largest first."""
        distinct = set(scores)
        if self.measures:
            floor = lowest - ONE_POINT
            gaps = {a - b for a in distinct for b in distinct if a > b} | {a - floor for a in distinct}
            return sorted(gaps, reverse=True)
        return sorted(distinct, reverse=True)

    def worth(self, name: str) -> int:
        """What one failure of a criterion that counts adds to a penalty; 0 if the edition has no such."""
        return self.unit.get(name, 0)

    # --- pairs

    def pair(self, i: int, j: int) -> int:
        """Penalty of the pair i-j, i ranked above j."""
        clashes = self.field.clashes
        colours = self.colours[clashes.table[clashes.of[i]][clashes.of[j]]]
        score = self.field.score
        if score[i] != score[j]:
            return colours + self.upfloat(i, j)
        # [2012 C.13] Two of the S1 of a joined bracket, who should both meet others.
        return colours + (2 * self.worth("M1") if score[i] == self.s1_score else 0)

    def upfloat(self, i: int, j: int) -> int:
        """[C7, C14–C21] The pair of i and j; i has more points."""
        f = self.field
        value = f.score[i] - f.score[j] if self.measures else f.score[i]
        upper_floated = f.floated[i] if self.collapsed else 0
        # [2012 C.13] In a joined bracket only opponents of S1 and of those who moved down are upfloaters.
        counts_upfloat = not self.joined or i < self.s1_end
        lower_floated = f.floated[j] if counts_upfloat else 0
        pair = Unequal(value, self.measures, upper_floated, lower_floated)
        return self._sum(failed_by_pair(pair), value)

    def is_resident(self, i: int) -> bool:
        """Whether the player did not move down into the bracket."""
        if self.joined:  # [2012 C.13] those above the lowest score came down, one way or the other
            return self.field.score[i] == self.lowest
        return self.homogeneous or self.field.score[i] == self.lowest

    def unavoidable(self, i: int) -> int:
        """[2017 C.6] What a moved-down player costs with whichever resident."""
        return (
            self.unit["C7", self.field.score[i] - self.lowest] if "C7" in self.names and self.measures else 0
        )

    # --- downfloaters

    def downfloat(self, i: int) -> int:
        """[C6, C7, C14, C16, C18, C20] Penalty of leaving i unpaired in this bracket."""
        f = self.field
        score = f.score[i]
        own = self.is_resident(i)
        value = score - self.lowest + ONE_POINT if self.measures else score
        came_down = i < self.s1_end if self.joined else not own
        who = Leaving(value, f.floated[i], self.collapsed or own, self.collapsed or came_down)
        return self._sum(failed_by_leaving(who), value)

    def c9_unplayed_games(self, i: int) -> int:
        """[C9] Unplayed games of the player with the bye, where one downfloater is sure to have it."""
        return self.worth("C9") * self.field.unplayed[i] if self.counts_c9 else 0

    def leaving(self, i: int) -> int:
        """Penalty of a downfloater without look-ahead; with that of the bye if there is one."""
        return self.downfloat(i) + self.c9_unplayed_games(i)

    def _sum(self, failed: tuple[str, ...], value: int) -> int:
        """One failure of each of these criteria, by this value for those that compare lists."""
        unit = self.unit
        return sum(
            [
                unit[name] * value * value
                if self.squares(name)
                else unit[(name, value) if name in LISTS else name]
                for name in failed
                if name in self.names
            ]
        )

    def squares(self, name: str) -> bool:
        """[2012 B.3, C.13] In a joined bracket the squares of the score differences are added up."""
        return self.joined and name == "C7"

    # --- the next bracket, seen from this one [C8]

    def c8_pair(self, score: int) -> int:
        """[2017 C.7] A moved-down player of this score pairs a resident of the next bracket."""
        return self.unit["C8", score - self.next_lowest] if self.measures and "C8" in self.names else 0

    def c8_downfloat(self, score: int) -> int:
        """[C8, 2017 C.7, 2012 C.12] Someone of this score floats on from the next bracket."""
        if "C8" not in self.names:
            return 0
        gap = score - self.next_lowest + ONE_POINT if self.measures else score
        moved_down = self.worth("C8 moved down") if score > self.next_lowest else 0
        return moved_down + self.unit["C8"] + self.unit.get(("C8", gap), 0)

    def c8_illegal(self) -> int:
        """[2017 C.2, C.7] The next bracket is the last, and someone left there may not have the bye."""
        return self.worth("C8 illegal")

    # --- the values, for people

    def values(self, pairs: Iterable[tuple[int, int]], floaters: Iterable[int]) -> dict[str, Value]:
        """What a candidate fails: a count for each criterion, a descending list for C7, C18–C21."""
        penalty = sum([self.pair(i, j) for i, j in pairs]) + sum(map(self.leaving, floaters))
        counts: dict[str, int] = {}
        lists: dict[str, list[int]] = {}
        for key, digit in self.unit.items():
            count, penalty = divmod(penalty, digit)
            if isinstance(key, str):
                counts[key] = count
            else:
                lists.setdefault(key[0], []).extend([key[1]] * count)
        names = dict.fromkeys(key if isinstance(key, str) else key[0] for key in self.keys)
        return {name: tuple(lists[name]) if name in lists else counts[name] for name in names}


# --- players alike for every criterion form a kind: the penalty of an edge depends on the two kinds only


NEXT, REST, BYE, FLOAT, STUCK = range(5)
"""What a vertex outside the bracket is: a player of the next scoregroup or below it, the bye, or, where
nobody asks what becomes of a downfloater, just a place to go to (STUCK where rules forbid it)."""

RESIDENT: Final = -1
"""In the place of the score of a moved-down player."""

KindKey = tuple[int, int, int, int]
"""Colours and floats as far as they matter; score of a moved-down player, ``RESIDENT`` for the others, their
negated score in a collapsed bracket; unplayed games where C9 counts; whether the player may float."""


def kind_keys(criteria: Criteria, bracket: Bracket, floaters: int | None) -> list[KindKey]:
    """What tells the members apart. What cannot matter is left out: downfloats of a bracket nobody leaves,
    upfloats where nobody moved down. ``floaters`` may leave; None: nobody asks who."""
    field, members, moved_down = bracket.field, bracket.members, bracket.moved_down
    downfloats = DOWN | DOWN_BEFORE if floaters or floaters is None else 0
    upfloats = UP | UP_BEFORE if moved_down or bracket.added else 0
    above_matters = ~ANY_FLOAT | downfloats
    matters = above_matters | upfloats
    looks = [field.colours_and_floats[i] & above_matters for i in members[:moved_down]]
    looks += [field.colours_and_floats[i] & matters for i in members[moved_down:]]
    score = [field.score[i] for i in members[:moved_down]]
    if criteria.mixed:
        score += [~field.score[i] for i in members[moved_down:]]
    else:
        score += [RESIDENT] * (bracket.size - moved_down)
    nothing = [0] * bracket.size
    unplayed = [field.unplayed[i] for i in members] if criteria.counts_c9 else nothing
    some_float = bool(floaters) and floaters != bracket.everyone
    may_float = [(floaters or 0) >> u & 1 for u in range(bracket.size)] if some_float else nothing
    return list(zip(looks, score, unplayed, may_float, strict=True))


class Kinds:
    """The vertices of a bracket sorted into kinds, with the penalties between them."""

    def __init__(
        self,
        criteria: Criteria,
        bracket: Bracket,
        outside: list[int],
        floaters: int | None = None,
        next_score: int = 0,
    ) -> None:
        """``outside`` says what the vertices outside the bracket are; ``floaters`` (positions) may leave.

        ``next_score`` is that of the next scoregroup, where it is among them.
        """
        self.field = bracket.field
        self.criteria = criteria
        known: dict[KindKey, int] = {}
        keys = kind_keys(criteria, bracket, floaters)
        self.kind = [known.setdefault(key, len(known)) for key in keys]
        """Kind of each vertex."""
        self.moved = max(self.kind[: bracket.moved_down], default=-1) + 1
        """Kinds of moved-down players: these are the first."""
        self.inside = len(known)
        """Kinds of members."""
        self.outside = list(dict.fromkeys(outside))
        """What the kinds of vertices outside the bracket are."""
        self.examples = [-1] * self.inside
        """The first player of each kind."""
        for i, k in zip(reversed(bracket.members), reversed(self.kind), strict=True):
            self.examples[k] = i
        kind_of = {what: k for k, what in enumerate(self.outside, self.inside)}
        self.kind += [kind_of[what] for what in outside]
        self.masks = [0] * (self.inside + len(self.outside))
        """Vertices of each kind."""
        for v, k in enumerate(self.kind):
            self.masks[k] |= 1 << v
        self.count = [mask.bit_count() for mask in self.masks]
        self.cost = [[criteria.never] * len(self.count) for _ in self.count]
        """Packed penalties between kinds, ``Criteria.never`` where no two may meet."""
        self._price_pairs()
        if self.outside:
            self._price_leaving(floaters, next_score)

    def _price_pairs(self) -> None:
        """The penalties of the pairs inside the bracket; no two moved-down players meet (2026 3.2)."""
        examples, rows, price = self.examples, self.cost, self.criteria.pair
        for a, i in enumerate(examples):
            for b in range(max(a + (self.count[a] == 1), self.moved), self.inside):
                j = examples[b]
                rows[a][b] = rows[b][a] = price(i, j) if i < j else price(j, i)

    def _price_leaving(self, floaters: int | None, next_score: int) -> None:
        """The penalties of leaving the bracket, and of what is outside it."""
        f, c, rows, count, inside = self.field, self.criteria, self.cost, self.count, self.inside
        leave = [c.downfloat(i) for i in self.examples]
        onward = leave
        if c.looks_ahead:
            onward = [
                price + c.c8_downfloat(f.score[i]) for price, i in zip(leave, self.examples, strict=True)
            ]
        if floaters is None:
            for a in range(self.moved):  # two moved-down players as a pair: both float on
                for b in range(a + (count[a] == 1), self.moved):
                    rows[a][b] = rows[b][a] = onward[a] + onward[b]
        for b, what in enumerate(self.outside, inside):
            stuck = c.c8_illegal() if what == STUCK else 0
            for a, i in enumerate(self.examples):
                if floaters is not None and not floaters & self.masks[a]:
                    continue
                if what == NEXT:
                    price = leave[a] + c.c8_pair(f.score[i])
                else:
                    price = onward[a] + stuck + (c.c9_unplayed_games(i) if what in (BYE, FLOAT) else 0)
                rows[a][b] = rows[b][a] = price
            for a, other in enumerate(self.outside[: b - inside + 1], inside):
                if what == FLOAT or (a == b and count[a] == 1):
                    continue
                price = c.c8_downfloat(next_score) + stuck if (other == NEXT) != (what == NEXT) else 0
                rows[a][b] = rows[b][a] = price


# --- Article 4 (2017: section D): the order in which the candidates of a bracket are generated
#
# The order is nested: which moved-down players are paired (4.4), with whom (4.2), how S1 and S2 of the
# remainder are exchanged (4.3), and whom S1 meets then (4.2). Of equally good candidates the one generated
# first is chosen (3.8). Players are numbers here, the higher-ranked the smaller.

Pair = tuple[int, int]

STEPS: Final = ("mdp-set", "mdp-opponents", "exchange", "transposition")
"""The steps of the order, the outermost first."""

Key = tuple[tuple[object, ...], tuple[int, ...], tuple[object, ...], tuple[int, ...]]
"""One part for each of ``STEPS``; smaller is earlier."""


def generation_key(
    pairs: Iterable[Pair], moved_down: Sequence[int], residents: Sequence[int], score: Sequence[int]
) -> Key:
    """When a candidate is generated; smaller is earlier.

    The upper player of a pair in the remainder is the S1 player: with the two the other way round the same
    pairs come later.
    """
    opponent = dict(pairs)
    opponent.update([(lower, upper) for upper, lower in opponent.items()])
    paired_above = [player for player in moved_down if player in opponent]
    opponents = tuple([opponent[player] for player in paired_above])
    taken = set(opponents)
    remainder = [player for player in residents if player not in taken] if taken else residents
    number = {player: place for place, player in enumerate(remainder)}
    s1 = [place for player, place in number.items() if opponent.get(player, -1) > player]
    return (
        moved_down_set(paired_above, score),
        opponents,
        exchange(s1),
        tuple([number[opponent[remainder[place]]] for place in s1]),
    )


def moved_down_set(chosen: Sequence[int], score: Sequence[int]) -> tuple[object, ...]:
    """[4.4, 2017 D.3] Most moved-down players, of the highest scores, of the smallest numbers."""
    return (-len(chosen), tuple([-score[player] for player in chosen]), tuple(chosen))


def exchange(s1: Sequence[int]) -> tuple[object, ...]:
    """[4.3, 2017 D.2] Fewest players exchanged, the least difference of sums, lowest of S1, highest of S2.

    ``s1`` are the places in the remainder of those in S1 after the exchange, in order. Before it they are the
    first ``len(s1)`` places.
    """
    size = len(s1)
    if not s1 or s1[-1] < size:
        return 0, 0, (), ()
    to_s1 = [place for place in s1 if place >= size]
    kept = set(s1)
    to_s2 = [place for place in reversed(range(size)) if place not in kept]
    return (len(to_s1), sum(to_s1) - sum(to_s2), tuple([-place for place in to_s2]), tuple(to_s1))


def first_different_step(one: Key, other: Key) -> str:
    """The first step by which two candidates differ; empty if in none."""
    return next((step for step, mine, theirs in zip(STEPS, one, other, strict=True) if mine != theirs), "")
