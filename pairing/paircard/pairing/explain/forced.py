"""The best round under one more condition, found by the engine itself.

What is asked for is the round that departs from the real one as late, and there by as little, as the order
of the criteria allows. So the real brackets stand as long as the condition can still be met below them; in
the first that cannot stand the best candidate is sought among those that let the condition be met; the
engine pairs the rest under the condition.

In that bracket the look-ahead (C8, 2017 C.7) must be judged by the rules as they are, not as if the
condition were one of them. Where the two could differ, downfloaters are tried set by set.
"""

from collections import Counter
from collections.abc import Iterable, Iterator, Mapping
from itertools import chain, combinations, groupby, product
from math import comb, prod
from typing import Final, NamedTuple

from msgspec.structs import replace

from paircard.pairing.dutch.brackets import JOINED, Paired, Round, paired_by
from paircard.pairing.dutch.criteria import ONE_POINT, Key, Value
from paircard.pairing.dutch.field import Field, check_snapshot
from paircard.pairing.dutch.graphs import Bracket, Completion
from paircard.pairing.dutch.pairing import brackets_of, explain_obstacle, trace
from paircard.pairing.dutch.problem import NotDecided
from paircard.pairing.explain.measures import (
    bye_is_here,
    end_of,
    generation_key,
    look_ahead,
    measure,
)
from paircard.pairing.matching.cardinality import bits, mask_of
from paircard.pairing.outcome import BracketTrace
from paircard.projections.round.snapshot import Snapshot

# --- conditions on a round: opponents are taken away until only the rounds wanted are left


class Condition(NamedTuple):
    """Opponents that players have left, and players who may not have the bye, as places of the field."""

    opponents: Mapping[int, int] = {}
    """Player -> bitset of the opponents left."""
    no_bye: int = 0
    inside: frozenset[int] = frozenset()
    """Where all of these are members of a bracket, the condition is met there."""
    pair: tuple[int, int] | None = None
    """The two who must meet, if that is the condition."""

    def apply(self, field: Field) -> None:
        """Leave only rounds that meet it."""
        for a, left in self.opponents.items():
            for i in bits(field.adjacent[a] & ~left):
                field.adjacent[i] &= ~(1 << a)
            field.adjacent[a] &= left
        field.may_have_pab = [may and not self.no_bye >> i & 1 for i, may in enumerate(field.may_have_pab)]

    def met_in(self, members: list[int]) -> bool:
        return bool(self.inside) and self.inside <= set(members)


def together(a: int, b: int) -> Condition:
    """These two meet."""
    return Condition({a: 1 << b, b: 1 << a}, mask_of((a, b)), frozenset((a, b)), (min(a, b), max(a, b)))


def paired_among(a: int, members: list[int]) -> Condition:
    """This player is paired with one of these, instead of floating on."""
    return Condition({a: mask_of(members)}, 1 << a, frozenset((a, *members)))


def leaving(a: int, members: list[int]) -> Condition:
    """This player is paired with none of these, and floats on or has the bye."""
    return Condition({a: ~mask_of(members)})


def with_the_bye(a: int) -> Condition:
    """This player has the pairing-allocated bye."""
    return Condition({a: 0}, no_bye=~(1 << a))


def without_the_bye(a: int) -> Condition:
    """This player has an opponent."""
    return Condition(no_bye=1 << a)


def with_pairs(pairs: Iterable[tuple[int, int]], condition: Condition) -> Condition:
    """These meet, and the condition is met by others."""
    met = {i: 1 << j for pair in pairs for i, j in (pair, pair[::-1])}
    inside = condition.inside.union(met)
    return Condition({**condition.opponents, **met}, condition.no_bye | mask_of(met), inside)


SETS: Final = 600
"""Sets of downfloaters tried one by one; with more the engine's look-ahead decides and the answer says so."""
CHOICES: Final = 5000
"""Sets looked at for whether the rest of the round could be paired at all."""


class Solved:
    """A snapshot and the round the rules prescribe for it, in places of the field.

    With ``bye_score``: if the bye had to be given at that score.
    """

    def __init__(self, snapshot: Snapshot, bye_score: int | None = None) -> None:
        check_snapshot(snapshot)
        self.snapshot = snapshot
        self.field = field = Field(snapshot)
        if bye_score is not None:
            able = zip(field.may_have_pab, field.score, strict=True)
            field.may_have_pab = [may and score == bye_score for may, score in able]
        self.completion = Completion(self.field)
        if not self.completion.possible:
            raise explain_obstacle(self.field, self.completion)
        self.brackets = brackets_of(self.field, self.completion)
        self._values: dict[int, dict[str, Value]] = {}

    def values(self, index: int) -> dict[str, Value]:
        """Every criterion's value in a bracket."""
        if index not in self._values:
            self._values[index] = self.values_of(index, self.brackets[index])
        return self._values[index]

    def values_of(self, index: int, candidate: Paired) -> dict[str, Value]:
        """Every criterion's value of a candidate of a bracket."""
        values = measure(self.field, self.completion, candidate)
        dropped = []
        if self.brackets[index].anew and self.brackets[-1].role == JOINED:
            dropped.append("C8")  # [2012] C.13 takes the place of C.12
        made_of = self.brackets[index].made_of
        if made_of and not made_of.upfloats:
            dropped += ["C15", "C17"]
        for name in dropped:
            values.pop(self.field.edition.name_of(name), None)
        return values

    def trace(self, candidate: Paired, values: dict[str, Value] | None = None) -> BracketTrace:
        """A candidate in ids, with these values; else with every value, the look-ahead among them."""
        found = measure(self.field, self.completion, candidate) if values is None else values
        made = trace(self.field, candidate, found)
        if made.role == "PPB" and candidate.members[-1] == self.field.n - 1:
            return replace(made, role="")  # nothing below it collapsed: the last bracket under C.2
        return made

    def chosen(self, index: int) -> BracketTrace:
        """The candidate chosen in a bracket, in ids."""
        return self.trace(self.brackets[index], self.values(index))

    def attempt(self, index: int) -> Paired | None:
        """[2017 A.9] How a PPB was paired first, before it was found that the rest could not be completed."""
        bracket = self.brackets[index]
        if bracket.role != "PPB" or end_of(self.field, bracket) == self.field.n:
            return None
        return Round(self.field, self.completion).for_itself(index, bracket.members, bracket.moved_down)

    def kept(self, index: int, i: int, others: list[int]) -> Paired:
        """[2017] The best candidate of a bracket that pairs this player; the rest need not be completed."""
        bracket, field = self.brackets[index], self.field
        if len(bracket.members) % 2:
            engine = Round(field, self.completion)
            able = [j for j in bracket.members if j != i]
            candidates = Bracket(engine.field, bracket.members, bracket.moved_down)
            any_score = engine.single_downfloater(
                candidates, candidates.positions(mask_of(able)), counts_c9=False
            )
            if any_score is not None:
                [gone] = paired_by(bracket.members, bracket.moved_down, any_score).floaters
                able = [j for j in able if field.score[j] == field.score[gone]]
                end = end_of(field, bracket)
                made = best_single(engine, self.completion, bracket, able, end, nines=False)
                assert made is not None
                return made
        found = []
        for j in others:
            if field.adjacent[i] >> j & 1:
                forced = Field(self.snapshot)
                together(i, j).apply(forced)
                found.append(
                    Round(forced, Completion(forced)).for_itself(index, bracket.members, bracket.moved_down)
                )
        return min(found, key=lambda one: rank(self, one))

    def bracket_of(self, player: int) -> int:
        """Index of the bracket in which the player was paired, or last stood."""
        return max(k for k, bracket in enumerate(self.brackets) if player in bracket.members)


def best_single(
    engine: Round, true: Completion, bracket: Paired, able: list[int], end: int, nines: bool
) -> Paired | None:
    """The best candidate from which one of these floats, by the look-ahead of the rules as they are.

    None if no candidate leaves one of them alone. All have the same score. With ``nines`` the floater has the
    bye, and the next bracket does not depend on the choice.
    """
    candidates = Bracket(engine.field, bracket.members, bracket.moved_down)
    levels = [able]
    if not nines and end < true.n:
        judged = sorted((look_ahead(true.field, true, [i], end), i) for i in able)
        levels = [[i for _, i in same] for _, same in groupby(judged, key=lambda item: item[0])]
    for level in levels:
        settled = engine.single_downfloater(candidates, candidates.positions(mask_of(level)), nines)
        if settled is not None:
            return paired_by(bracket.members, bracket.moved_down, settled)
    return None


def rank(real: Solved, candidate: Paired) -> tuple[list[tuple[int, ...]], Key]:
    """Smaller is better: every value in the order of the criteria, then the order of generation."""
    values = measure(real.field, real.completion, candidate)
    listed = [value if isinstance(value, tuple) else (value,) for value in values.values()]
    return listed, generation_key(real.field, candidate)


class Forced:
    """The best round under a condition.

    ``possible`` is False where no complete round meets it [C4]; ``pab`` tells that the bye would have to go
    to a higher score [C5]. Else ``index`` is the first bracket that differs from the real round (-1: none
    does), and ``brackets`` are all brackets of the round under the condition. ``untried`` is 0 where that
    round is proven to be the best; else the number of sets of downfloaters, too many to try one by one.
    """

    def __init__(self, real: Solved, condition: Condition) -> None:
        self.real = real
        self.condition = condition
        self.field = Field(real.snapshot)
        condition.apply(self.field)
        self.completion = Completion(self.field)
        self.possible = self.completion.possible
        self.pab = self.possible and self.completion.pab_score != real.completion.pab_score
        self.index = -1
        self.untried = 0
        self.brackets: list[Paired] = []
        if not self.possible:
            return
        if self.field.edition.joins_last_brackets:
            # [2012] The look-ahead ends after one bracket: the round is paired again from the top.
            self.brackets = brackets_of(self.field, self.completion)
            same = [self._same(k, b) for k, b in enumerate(self.brackets) if k < len(real.brackets)]
            self.index = same.index(False) if False in same else -1
            return
        if self.pab:  # [C5] first of all the bye would be given at another score
            forced = Forced(Solved(real.snapshot, self.completion.pab_score), condition)
            self.brackets, self.untried = forced.brackets, forced.untried
            self.index = next(k for k, b in enumerate(self.brackets) if not self._same(k, b))
            return
        self.brackets = list(real.brackets)
        self.index = next((k for k, b in enumerate(real.brackets) if not self._stands(b)), -1)
        if self.index >= 0:
            self.brackets = real.brackets[: self.index] + self._from_here()

    def _same(self, k: int, bracket: Paired) -> bool:
        real = self.real.brackets[k]
        return bracket.members == real.members and sorted(bracket.pairs) == sorted(real.pairs)

    def _stands(self, bracket: Paired) -> bool:
        """Can the condition still be met below this bracket of the real round?"""
        allowed = all(self.field.adjacent[i] >> j & 1 for i, j in bracket.pairs)
        return allowed and self.completion.completes(bracket.floaters, end_of(self.real.field, bracket))

    def _from_here(self) -> list[Paired]:
        real = self.real.brackets[self.index]
        field, completion, moved = self.field, self.completion, real.members[: real.moved_down]
        end = end_of(field, real)
        if real.role:
            engine = Round(field, completion)
            if real.role == "PPB":
                return engine.collapse(real.members, real.moved_down)
            return engine.collapsed_last(moved, real.members[real.moved_down])
        here = end == field.n or self.condition.met_in(real.members)
        made = None if here else self._nothing_lost(real, end)
        if made is None:
            made = Round(field, completion).pair(self.index, moved, count=1)[0]
            if not here or (made.role and end < field.n):
                made = self._best_by_true_look_ahead(made, end)
        return [made, *self._below(made)]

    def _below(self, bracket: Paired) -> list[Paired]:
        """Everything below a bracket, under the condition."""
        return Round(self.field, self.completion).pair(self.index + 1, bracket.floaters)

    def _nothing_lost(self, real: Paired, end: int) -> Paired | None:
        """The bracket by itself: exact, if its downfloaters cost the next bracket nothing."""
        field, pab = self.field, self.completion.pab_score
        if pab is not None and pab >= field.score[end - 1]:
            return None  # [C9] may have a say
        engine = Round(field, self.completion)
        try:
            settled = engine.ignoring_next(Bracket(field, real.members, real.moved_down))
        except NotDecided:
            return None
        made = paired_by(real.members, real.moved_down, settled)
        many, here = len(made.floaters), field.score[end]
        size = next(stop - start for start, stop in field.groups if start == end)
        if many > size or not self.completion.completes(made.floaters, end):
            return None
        left = (size + many) % 2
        least = [here] * left
        if field.edition.measures_differences:
            least = sorted([field.score[i] - here for i in made.floaters] + [ONE_POINT] * left, reverse=True)
        ahead = look_ahead(self.real.field, self.real.completion, made.floaters, end)
        return made if ahead == (left, *least) else None

    def _best_by_true_look_ahead(self, first: Paired, end: int) -> Paired:
        """Fewest downfloaters, and of the lowest scores, are known: choose them by the real look-ahead."""
        members = first.members
        if len(first.floaters) == 1:
            nines = bye_is_here(self.field, self.completion, first)
            score = self.field.score[first.floaters[0]]
            able = [
                i for i in members if self.field.score[i] == score and self.completion.completes([i], end)
            ]
            engine = Round(self.field, self.completion)
            return best_single(engine, self.real.completion, first, able, end, nines) or first
        for level in self._levels(first, end):
            made = [one for floaters in level if (one := self._floating(first, floaters))]
            if made:
                return min(made, key=lambda one: rank(self.real, one))
        return first

    def _floating(self, first: Paired, floaters: tuple[int, ...]) -> Paired | None:
        """The best candidate that leaves just these; None if the others cannot all be paired."""
        field = Field(self.real.snapshot)
        self.condition.apply(field)
        Condition(dict.fromkeys(floaters, ~mask_of(first.members))).apply(field)
        completion = Completion(field)
        if not completion.completes(first.members, end_of(field, first)):
            return None
        if not field.edition.completes_every_bracket:
            made = Round(field, completion).for_itself(self.index, first.members, first.moved_down)
        else:
            moved = first.members[: first.moved_down]
            made = Round(field, completion).pair(self.index, moved, count=1)[0]
        return made if sorted(made.floaters) == list(floaters) else None

    def _levels(self, first: Paired, end: int) -> Iterator[list[tuple[int, ...]]]:
        """Sets of downfloaters with the same scores that let the rest be paired, best look-ahead first."""
        field, true = self.field, self.real.completion
        inside = mask_of(first.members)
        scores = [field.score[i] for i in first.floaters]
        must = [i for i in first.members if not field.adjacent[i] & inside]
        wanted = Counter(scores) - Counter(field.score[i] for i in must)
        choices = [
            [i for i in first.members if field.score[i] == score and i not in must] for score in wanted
        ]
        many = prod(comb(len(able), wanted[score]) for able, score in zip(choices, wanted, strict=True))
        if many > CHOICES:
            self.untried = many
            return
        ways = product(
            *(combinations(able, wanted[score]) for able, score in zip(choices, wanted, strict=True))
        )
        sets = [tuple(sorted(chain(must, *way))) for way in ways]
        sets = [floaters for floaters in sets if self.completion.completes(list(floaters), end)]
        if len(sets) > SETS:
            self.untried = len(sets)
            return
        judged = sorted((look_ahead(true.field, true, list(floaters), end), floaters) for floaters in sets)
        for _, same in groupby(judged, key=lambda item: item[0]):
            yield [floaters for _, floaters in same]
