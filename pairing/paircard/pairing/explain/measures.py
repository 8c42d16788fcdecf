"""Candidates of a bracket in their order (2026 Article 4, 2017 section D), and their values by the text.

The order is for people who follow the search: the engine finds the first best without listing them.

The engine compares candidates by numbers that give the same order (a moved-down player's score instead of
the score difference; players who float whatever is done are left out). People are shown what the articles
say: differences, and everyone the article counts. C8 (2017 C.7) is no value of one bracket: the engine pairs
the next bracket to find it.
"""

from collections import Counter
from collections.abc import Callable, Iterable, Iterator, Sequence
from itertools import chain, combinations, groupby, product
from math import comb
from typing import Final

import msgspec
from msgspec.structs import replace

from paircard.pairing.dutch import criteria
from paircard.pairing.dutch.brackets import JOINED, Paired, Round
from paircard.pairing.dutch.criteria import ONE_POINT, Value, exchange
from paircard.pairing.dutch.field import (
    ABSOLUTE,
    BLACK,
    DOWN,
    DOWN_BEFORE,
    STRONG,
    UP,
    UP_BEFORE,
    WHITE,
    Field,
)
from paircard.pairing.dutch.graphs import Completion
from paircard.pairing.dutch.joining import next_lacks
from paircard.pairing.dutch.listed import TooMany
from paircard.pairing.dutch.pairing import criteria_values
from paircard.pairing.matching.cardinality import mask_of, maximise

STEPS: Final = 20_000
"""Pairs tried before a search gives up."""
EXCHANGES: Final = 50_000
"""Exchanges of one size that are put in order; more are not listed."""

Pairs = tuple[tuple[int, int], ...]


class Generation:
    """The candidates of one bracket that pair only players who may meet; with ``illegal``, all others too."""

    def __init__(self, field: Field, bracket: Paired, steps: int = STEPS, illegal: bool = False) -> None:
        self.field = field
        self.illegal = illegal
        self.bracket = bracket
        self.moved_down = bracket.members[: bracket.moved_down]
        self.residents = bracket.members[bracket.moved_down :]
        self.steps = steps

    def candidates(
        self, pairs: int, paired_mdps: int, limbo: Sequence[int] | None = None
    ) -> Iterator[Paired]:
        """Candidates with these numbers of pairs and of paired moved-down players (MaxPairs and M1).

        ``limbo`` are scores: only sets of moved-down players are taken that leave these (2026 C7). Raises
        ``TooMany`` where the search would take too long.
        """
        for chosen in self.sets(paired_mdps, limbo):
            rest = tuple(i for i in self.moved_down if i not in chosen)
            for mdp_pairs, remainder in self._transpositions(chosen, self.residents, (), pairs):
                many = pairs - paired_mdps
                for s1, s2 in divisions(remainder, many):
                    for made, left in self._transpositions(s1, s2, (), 0):
                        yield self._made((*mdp_pairs, *made), sorted((*rest, *left)))

    def earliest(self, pairs: int, paired_mdps: int, limbo: Sequence[int] | None = None) -> Paired:
        """The candidate that is generated first."""
        return next(self.candidates(pairs, paired_mdps, limbo))

    def sets(self, many: int, limbo: Sequence[int] | None) -> Iterator[tuple[int, ...]]:
        """[4.4, D.3] Sets of moved-down players to be paired: highest scores first, then smallest BSNs."""
        score, left = self.field.score, Counter(limbo)
        levels = [list(alike) for _, alike in groupby(self.moved_down, key=score.__getitem__)]
        wanted: Iterable[tuple[int, ...]] = shares(list(map(len, levels)), many)
        if limbo is not None:
            wanted = [tuple(len(alike) - left[score[alike[0]]] for alike in levels)]
        for counts in wanted:
            for some in product(*map(combinations, levels, counts)):
                yield tuple(chain(*some))

    def _transpositions(
        self, s1: Sequence[int], s2: Sequence[int], before: Pairs, pairs: int
    ) -> Iterator[tuple[Pairs, tuple[int, ...]]]:
        """[4.2, D.1] S1 in order against S2 in lexicographic order; the rest of S2.

        ``pairs`` is how many pairs the residents who are left must still make possible, 0 for none. The S1
        player of a pair ranks above the other: what is left out was generated before (Appendix P, COGUP).
        """
        if not s1:
            yield before, tuple(s2)
            return
        one = s1[0]
        for place, other in enumerate(s2):
            if other < one or not (self.illegal or self.field.adjacent[one] >> other & 1):
                continue
            self.steps -= 1
            if self.steps < 0:
                raise TooMany
            rest = (*s2[:place], *s2[place + 1 :])
            if self._hopeless(s1[1:], rest, pairs and pairs - len(before) - 1):
                continue
            yield from self._transpositions(s1[1:], rest, (*before, (one, other)), pairs)

    def _hopeless(self, s1: Sequence[int], s2: Sequence[int], pairs: int) -> bool:
        """Whether these S1 players cannot all meet S2 players, or too few pairs are left in all."""
        if self.illegal or (not s1 and not pairs):
            return False
        above, below = mask_of(s1), mask_of(s2)
        adjacent, mate = self.field.adjacent, [-1] * self.field.n
        across = [0] * self.field.n
        for i in s1:
            across[i] = adjacent[i] & below
        for j in s2:
            across[j] = adjacent[j] & above
        maximise(across, mate, above | below)
        if any(mate[i] < 0 for i in s1):
            return True
        if not pairs:
            return False
        for j in s2:
            across[j] = adjacent[j] & (above | below)
        left = maximise(across, mate, above | below)  # turning along a path leaves nobody exposed who was not
        return (len(s1) + len(s2) - len(left)) // 2 < pairs

    def _made(self, pairs: Pairs, floaters: list[int]) -> Paired:
        return replace(self.bracket, pairs=list(pairs), floaters=floaters, route="listed")


def shares(sizes: Sequence[int], many: int) -> Iterator[tuple[int, ...]]:
    """Ways to take so many from groups of these sizes, the most from the first groups first."""
    if not sizes:
        yield ()
        return
    for here in range(min(sizes[0], many), max(0, many - sum(sizes[1:])) - 1, -1):
        for more in shares(sizes[1:], many - here):
            yield (here, *more)


def divisions(players: Sequence[int], pairs: int) -> Iterator[tuple[tuple[int, ...], tuple[int, ...]]]:
    """[4.3, D.2] S1 and S2 as they are, then after each exchange in order."""
    for upper in exchanges(pairs, len(players) - pairs):
        s1 = tuple(players[place] for place in upper)
        s2 = tuple(player for place, player in enumerate(players) if place not in upper)
        yield s1, s2


def exchanges(n1: int, n2: int) -> Iterator[tuple[int, ...]]:
    """[4.3, D.2] Places of those in S1, after each exchange in order; the first moves nobody."""
    for size in range(min(n1, n2) + 1):
        if comb(n1, size) * comb(n2, size) > EXCHANGES:
            raise TooMany
        found = [
            (*(place for place in range(n1) if place not in down), *up)
            for down in combinations(range(n1), size)
            for up in combinations(range(n1, n1 + n2), size)
        ]
        yield from sorted(found, key=exchange)


def first(candidates: Iterable[Paired], fits: Callable[[Paired], bool]) -> Paired | None:
    """The first candidate that fits; None where there is none or the search is too long."""
    try:
        return next((candidate for candidate in candidates if fits(candidate)), None)
    except TooMany:
        return None


def generation_key(field: Field, candidate: Paired) -> criteria.Key:
    """Smaller is earlier; one part for each step."""
    members, moved_down = candidate.members, candidate.moved_down
    return criteria.generation_key(candidate.pairs, members[:moved_down], members[moved_down:], field.score)


FLOATS: Final = (
    ("C14", "C18", DOWN),
    ("C15", "C19", UP),
    ("C16", "C20", DOWN_BEFORE),
    ("C17", "C21", UP_BEFORE),
)
"""Criteria on repeated floats: the one that counts players, the one that lists their score differences."""


def end_of(field: Field, bracket: Paired) -> int:
    """The place behind the bracket's last resident."""
    return field.n if bracket.role in ("CLB", JOINED) else bracket.members[-1] + 1


def measure(field: Field, completion: Completion, bracket: Paired) -> dict[str, Value]:
    """All values in the order of the criteria; the look-ahead only where somebody floats on."""
    if field.edition.joins_last_brackets:
        return measure_2012(field, completion, bracket)
    found: dict[str, Value] = {"C6": len(bracket.floaters), "C7": c7_scores(field, bracket)}
    end = end_of(field, bracket)
    if bracket.floaters and end < field.n and not bracket.role:
        found["C8"] = look_ahead(field, completion, bracket.floaters, end)
    if bye_is_here(field, completion, bracket):
        found["C9"] = field.unplayed[bracket.floaters[0]]
    found |= field.clashes.counted(bracket.pairs)
    found |= repeated_floats(field, bracket)
    return field.edition.named(found)


def measure_2012(field: Field, completion: Completion, bracket: Paired) -> dict[str, Value]:
    """[2012] M1 and P1, the look-ahead of C.12, and what C.10 had to drop."""
    found = criteria_values(field, bracket, completion)
    following = [k for k, (start, _) in enumerate(field.groups) if start == bracket.members[-1] + 1]
    if not following or not bracket.floaters:
        return found
    if following[0] == len(field.groups) - 1:
        lacking = without_opponent(completion, bracket.floaters, end_of(field, bracket))
    else:
        lacking = sum(next_lacks(field, bracket.floaters, following[0]))
    first = {field.edition.name_of(name) for name in ("C6", "M1", "C7")}
    before = {name: value for name, value in found.items() if name in first}
    ahead: dict[str, Value] = {field.edition.name_of("C8"): lacking}
    return before | ahead | {name: value for name, value in found.items() if name not in first}


def without_opponent(completion: Completion, floaters: list[int], end: int) -> int:
    """[2012 C.1, C.12, C.13] How many who come down into the lowest bracket must have the bye: 1 or none."""
    adjacent, bye = list(completion.adjacent), completion.n
    for i in floaters:
        adjacent[i] &= ~(1 << bye)
    if completion.odd:
        adjacent[bye] &= ~mask_of(floaters)
    return int(bool(maximise(adjacent, [-1] * (bye + 1), completion.alive(end) | mask_of(floaters))))


def bye_is_here(field: Field, completion: Completion, bracket: Paired) -> bool:
    """[2026 C9] Whether the single downfloater is sure to have the bye."""
    lowest = field.score[bracket.members[-1]]
    return completion.pab_score is not None and completion.pab_score >= lowest and len(bracket.floaters) == 1


def descending(numbers: Iterable[int]) -> tuple[int, ...]:
    """A list as the criteria compare it."""
    return tuple(sorted(numbers, reverse=True))


def below(field: Field, bracket: Paired) -> int:
    """[2017 A.8] The score that stands for the opponent of a downfloater: one point below the lowest."""
    return field.score[bracket.members[-1]] - ONE_POINT


def c7_scores(field: Field, bracket: Paired) -> tuple[int, ...]:
    """[C7] The downfloaters' scores; [2017 C.6] the score differences of pairs and downfloaters (PSD)."""
    score = field.score
    if not field.edition.measures_differences:
        return descending(score[i] for i in bracket.floaters)
    nobody = below(field, bracket)
    gaps = [score[i] - score[j] for i, j in bracket.pairs if score[i] != score[j]]
    return descending([*gaps, *(score[i] - nobody for i in bracket.floaters)])


def repeated_floats(field: Field, bracket: Paired) -> dict[str, Value]:
    """[C14–C21, 2017 C.12–C.19] Players with the same float again, and their score differences.

    2026 counts residents who float (C14, C16) apart from moved-down players (C18, C20); 2017 counts all
    who get a downfloat (C.12, C.14, C.16, C.18), a moved-down player who is paired too. How far a moved-down
    player floats who floats again is left open by the text of 2026: it is counted as in 2017 (A.8), to one
    point below the bracket.
    """
    score, floated, nobody = field.score, field.floated, below(field, bracket)
    unequal = [(i, j, score[i] - score[j]) for i, j in bracket.pairs if score[i] != score[j]]
    down = [(i, score[i] - nobody) for i in bracket.floaters] + [(i, gap) for i, _, gap in unequal]
    up = [(j, gap) for _, j, gap in unequal]
    counts: dict[str, Value] = {}
    lists: dict[str, Value] = {}
    above = set(bracket.members[: bracket.moved_down])
    for count, listed, sign in FLOATS:
        again = [(i, gap) for i, gap in (up if sign in (UP, UP_BEFORE) else down) if floated[i] & sign]
        if field.edition.measures_differences or sign in (UP, UP_BEFORE):
            counts[count] = len(again)
        else:
            counts[count] = sum(i not in above for i, _ in again)
            again = [(i, gap) for i, gap in again if i in above]
        lists[listed] = descending(gap for _, gap in again)
    return counts | lists


def look_ahead(field: Field, completion: Completion, floaters: list[int], end: int) -> tuple[int, ...]:
    """[C8, 2017 C.7] The next bracket at its best, if these come down: its downfloaters, then their scores.

    The engine pairs that bracket: the values are its C6 and C7, in 2026 with everything below completed.
    The 2017 list is the PSD (A.8), and a last bracket that leaves someone who may not have the bye (C.2)
    counts as leaving everyone.
    """
    group = next(k for k, (start, _) in enumerate(field.groups) if start == end)
    next_end = field.groups[group][1]
    here = field.score[end]
    if len(floaters) == 1 and completion.costs_next_nothing(group, 1 << floaters[0]):
        left = (next_end - end + 1) % 2
        if not field.edition.measures_differences:
            return (left, *[here] * left)
        gaps = [field.score[floaters[0]] - here] + [ONE_POINT] * left
        return (left, *descending(gaps))
    members = [*floaters, *range(end, next_end)]
    if field.edition.completes_every_bracket or next_end == field.n:
        if not completion.completes(floaters, end):
            return (len(members) + 1,)
        paired = Round(field, completion).pair(group, floaters, count=1)[0]
    else:
        paired = Round(field, completion).for_itself(group, members, len(floaters))
    return (len(paired.floaters), *c7_scores(field, paired))


def first_difference(one: dict[str, Value], other: dict[str, Value]) -> str:
    """The first criterion in which two candidates of a bracket differ; empty if in none."""
    return next((name for name, value in one.items() if other.get(name, value) != value), "")


# --- the numbers of a bracket (2026 3.1, 2017 B.1, 2012 C.2), and the least values (Appendix P.2)


class Numbers(msgspec.Struct, frozen=True, kw_only=True):
    """What is counted before a bracket is paired."""

    players: int
    moved_down: int
    """M0."""
    paired_moved_down: int
    """M1: how many of them are paired here."""
    max_pairs: int
    """MaxPairs."""
    x: int
    """Players who cannot get the colour they are due, whatever is done."""
    z: int
    """Players who cannot get the colour they are strongly or absolutely due."""
    symbols: dict[str, int]
    """The numbers by the symbols of the edition, as they are shown."""
    least: dict[str, Value]
    """The least value of each criterion; empty in a collapsed bracket, for which there is no count."""
    perfect: bool
    """Whether the chosen candidate reaches all of them."""


def numbers_of(field: Field, bracket: Paired, values: dict[str, Value]) -> Numbers:
    """The numbers of a bracket as it was paired; ``values`` are those of the chosen candidate."""
    above = set(bracket.members[: bracket.moved_down])
    pairs = len(bracket.pairs)
    m1 = sum(i in above for i, _ in bracket.pairs)
    x = clashes(field, bracket.members, pairs, 1)
    z = clashes(field, bracket.members, pairs, STRONG)
    least: dict[str, Value] = {}
    if bracket.role != "CLB":
        counted = least_floats(field, bracket, m1)
        counted |= {"C12": x, "C13": max(0, z - absolute_pairs(field, bracket.members)), "A7d": z, "Z": z}
        named = field.edition.named(counted)
        first = {field.edition.name_of(name) for name in ("C6", "M1", "C7", "C8", "C9")}
        # The first criteria are minima by themselves: nothing stands before them but what is absolute.
        least = {name: value if name in first else named.get(name, 0) for name, value in values.items()}
    return Numbers(
        players=len(bracket.members),
        moved_down=bracket.moved_down,
        paired_moved_down=m1,
        max_pairs=pairs,
        x=x,
        z=z,
        symbols=symbols_of(field, bracket, m1, x, z, values),
        least=least,
        perfect=bool(least) and least == values,
    )


def symbols_of(
    field: Field, bracket: Paired, m1: int, x: int, z: int, values: dict[str, Value]
) -> dict[str, int]:
    """The numbers of a bracket by the symbols of the edition; without those that do not apply to it.

    [2012 A.6.b, A.8] X1 and Z1 are counted for P0 pairs, whether or not so many can be made.
    """
    members, moved, pairs = bracket.members, bracket.moved_down, len(bracket.pairs)
    most = len(members) // 2
    counted: dict[str, Value | None] = {
        "P0": most,
        "P1": pairs,
        "M0": moved or None,
        "M1": m1 if moved else None,
        "MaxPairs": pairs,
        "x": x,
        "z": z,
        "X1": clashes(field, members, most, 1),
        "X": values.get("X"),
        "Z1": clashes(field, members, most, STRONG) if "Z" in values else None,
        "Z": values.get("Z"),
    }
    return {name: n for name in field.edition.symbols if isinstance(n := counted[name], int)}


def clashes(field: Field, members: list[int], pairs: int, strength: int) -> int:
    """[Appendix P 2.4, 2.5] Pairs in which two players are due the same colour, at the least."""
    strong = [field.due[i] for i in members if field.strength[i] >= strength]
    white, black = strong.count(WHITE), strong.count(BLACK)
    return max(0, pairs - (len(members) - white - black) - min(white, black))


def absolute_pairs(field: Field, members: list[int]) -> int:
    """[C3, C13] Pairs of two who are absolutely due the same colour, at the most: C13 does not count them.

    Only a topscorer may be in such a pair.
    """
    if not any(field.topscorer[i] for i in members):
        return 0
    due = [field.due[i] for i in members if field.strength[i] == ABSOLUTE]
    return max(due.count(WHITE), due.count(BLACK)) // 2


def least_floats(field: Field, bracket: Paired, m1: int) -> dict[str, Value]:
    """[Appendix P 2.6–2.13] Repeated floats that cannot be avoided, counted as ``measures`` counts them."""
    score, floor = field.score, field.score[bracket.members[-1]]
    moved, residents = bracket.members[: bracket.moved_down], bracket.members[bracket.moved_down :]
    pairs, scores = len(bracket.pairs), [score[i] for i in moved]
    limbo = [score[i] for i in bracket.floaters if i in moved]
    gaps = sorted(score[i] - floor for i, _ in bracket.pairs if i in moved)
    all_count = field.edition.measures_differences
    counts: dict[str, Value] = {}
    lists: dict[str, Value] = {}
    for count, listed, sign in FLOATS:
        again = sum(bool(field.floated[i] & sign) for i in residents)
        if sign in (UP, UP_BEFORE):
            forced = max(0, again - len(residents) + m1)
            counts[count], lists[listed] = forced, descending(gaps[:forced])
            continue
        forced = max(0, again - 2 * pairs + m1)
        down = [
            gap
            for level in set(scores)
            for gap in _moved_down(
                field, [i for i in moved if score[i] == level], limbo.count(level), sign, floor
            )
        ]
        counts[count] = forced + (len(down) if all_count else 0)
        lists[listed] = descending([*down, *([ONE_POINT] * forced if all_count else [])])
    return counts | lists


def _moved_down(field: Field, alike: list[int], leaving: int, sign: int, floor: int) -> list[int]:
    """Differences of moved-down players of one score who floated before, as few of them leaving as can be."""
    before = sum(bool(field.floated[i] & sign) for i in alike)
    forced = max(0, leaving - (len(alike) - before))
    gap = field.score[alike[0]] - floor
    return [gap] * (before - forced) + [gap + ONE_POINT] * forced
