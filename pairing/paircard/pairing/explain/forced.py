"""The best round under one more condition, found by the engine itself.

A condition takes opponents away (or the right to the bye) until nothing else is left: two players who have
only each other must meet. What is asked for is the round that departs from the real one as late, and there
by as little, as the order of the criteria allows. So the real brackets stand as long as the condition can
still be met below them; in the first that cannot stand the best candidate is sought among those that let
the condition be met; the engine pairs the rest under the condition.

In that bracket the look-ahead (C8, 2017 C.7) must be judged by the rules as they are, not as if the
condition were one of them. Where the two could differ, downfloaters are tried set by set.
"""

from collections.abc import Callable, Iterator
from itertools import combinations, groupby
from typing import Final

from paircard.pairing.dutch.brackets import Paired, Round
from paircard.pairing.dutch.completion import Completion
from paircard.pairing.dutch.field import Field, check
from paircard.pairing.dutch.obstacle import explain_obstacle
from paircard.pairing.explain.measures import Value, end_of, for_itself, look_ahead, measured
from paircard.pairing.explain.order import generation_key
from paircard.pairing.matching.bits import bits, mask_of
from paircard.projections.snapshot import Snapshot

SETS: Final = 600
"""Sets of downfloaters tried one by one; beyond that the engine's own look-ahead decides."""

Condition = Callable[[Field], None]


class Solved:
    """A snapshot and the round the rules prescribe for it, in places of the field."""

    def __init__(self, snapshot: Snapshot) -> None:
        check(snapshot)
        self.snapshot = snapshot
        self.field = Field(snapshot)
        self.completion = Completion(self.field)
        if not self.completion.possible:
            raise explain_obstacle(self.field, self.completion)
        self.brackets = Round(self.field, self.completion).brackets
        self._values: dict[int, dict[str, Value]] = {}

    def values(self, index: int) -> dict[str, Value]:
        """Every criterion's value in a bracket."""
        if index not in self._values:
            self._values[index] = measured(self.field, self.completion, self.brackets[index])
        return self._values[index]

    def attempt(self, index: int) -> Paired | None:
        """[2017 A.9] How a PPB was paired first, before it was found that the rest could not be completed."""
        bracket = self.brackets[index]
        if bracket.role != "PPB" or end_of(self.field, bracket) == self.field.n:
            return None
        return for_itself(self.field, self.completion, bracket, index)

    def kept(self, index: int, i: int, others: list[int]) -> Paired:
        """[2017] The best candidate of a bracket that pairs this player; completion is no concern of it."""
        bracket = self.brackets[index]
        found: list[tuple[object, Paired]] = []
        for j in others:
            if self.field.adjacent[i] >> j & 1:
                field = Field(self.snapshot)
                together(i, j)(field)
                made = for_itself(field, Completion(field), bracket, index)
                found.append((rank(self, made), made))
        return min(found, key=lambda item: item[0])[1]  # type: ignore[return-value, arg-type]

    def bracket_of(self, player: int) -> int:
        """Index of the bracket in which the player was paired, or last stood."""
        return max(k for k, bracket in enumerate(self.brackets) if player in bracket.members)


def rank(real: Solved, candidate: Paired) -> tuple[object, ...]:
    """Smaller is better: every value in the order of the criteria, then the order of generation."""
    values = measured(real.field, real.completion, candidate)
    listed = [value if isinstance(value, tuple) else (value,) for value in values.values()]
    return listed, generation_key(real.field, candidate)


# --- conditions


def together(a: int, b: int) -> Condition:
    """These two meet."""

    def condition(field: Field) -> None:
        only(field, a, field.adjacent[a] & 1 << b)
        only(field, b, field.adjacent[b] & 1 << a)
        field.may_have_pab[a] = field.may_have_pab[b] = False

    return condition


def paired_among(a: int, members: list[int]) -> Condition:
    """This player is paired with one of these, instead of floating on."""

    def condition(field: Field) -> None:
        only(field, a, field.adjacent[a] & mask_of(members))
        field.may_have_pab[a] = False

    return condition


def with_the_bye(a: int) -> Condition:
    """This player has the pairing-allocated bye."""

    def condition(field: Field) -> None:
        only(field, a, 0)
        field.may_have_pab = [may and i == a for i, may in enumerate(field.may_have_pab)]

    return condition


def without_the_bye(a: int) -> Condition:
    """This player has an opponent."""

    def condition(field: Field) -> None:
        field.may_have_pab[a] = False

    return condition


def all_of(*conditions: Condition) -> Condition:
    """Several conditions at once."""

    def condition(field: Field) -> None:
        for each in conditions:
            each(field)

    return condition


def only(field: Field, a: int, opponents: int) -> None:
    """Leave a player these opponents alone."""
    gone = field.adjacent[a] & ~opponents
    field.adjacent[a] = opponents
    for i in bits(gone):
        field.adjacent[i] &= ~(1 << a)


# --- the best round under a condition


class Forced:
    """The best round under a condition.

    ``possible`` is False where no complete round meets it [C4]; ``pab`` tells that the bye would have to go
    to a higher score [C5]. Else ``index`` is the first bracket that differs from the real round (-1: none
    does), and ``brackets`` are all brackets of the round under the condition.
    """

    def __init__(self, real: Solved, condition: Condition) -> None:
        self.real = real
        self.field = Field(real.snapshot)
        condition(self.field)
        self.completion = Completion(self.field)
        self.possible = self.completion.possible
        self.pab = self.possible and self.completion.pab_score != real.completion.pab_score
        self.index = -1
        self.brackets: list[Paired] = []
        if not self.possible:
            return
        if self.pab:
            self.brackets = Round(self.field, self.completion).brackets
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
            engine = Round(field, completion, first=len(field.groups))
            if real.role == "PPB":
                engine.collapse(real.members, real.moved_down, end)
            else:
                engine.collapsed_last(moved, real.members[real.moved_down])
            return engine.brackets
        engine = Round(field, completion, first=self.index, moved=moved)
        first = engine.brackets[0]
        if not self._must_look_again(first, end):
            return engine.brackets
        best = self._unforced_below(first, end) or self._best_by_true_look_ahead(engine, first, end)
        if best.floaters == first.floaters and best.pairs == first.pairs and first.role == best.role:
            return engine.brackets
        return [best, *Round(field, completion, first=self.index + 1, moved=best.floaters).brackets]

    def _must_look_again(self, first: Paired, end: int) -> bool:
        """Could the look-ahead differ because the condition was taken for one of the rules?"""
        if end == self.field.n:
            return False
        if first.role:
            return True
        if not first.floaters:
            return False
        rest = (1 << self.field.n) - (1 << end) | mask_of(first.floaters)
        was = self.real.field.adjacent
        same = not any((self.field.adjacent[i] ^ was[i]) & rest for i in bits(rest))
        return not same or self._bye_changed(end)  # else the condition is met in this very bracket

    def _bye_changed(self, end: int) -> bool:
        return self.field.may_have_pab[end:] != self.real.field.may_have_pab[end:]

    def _unforced_below(self, first: Paired, end: int) -> Paired | None:
        """The bracket under the condition, all else as it is: exact, if the condition can be met below."""
        field = Field(self.real.snapshot)
        inside = mask_of(first.members)
        for i in first.members:
            field.adjacent[i] &= ~inside | self.field.adjacent[i]
        completion = Completion(field)
        if not completion.possible or completion.pab_score != self.completion.pab_score:
            return None
        moved = first.members[: first.moved_down]
        best = Round(field, completion, first=self.index, moved=moved, many=1).brackets[0]
        fits = not best.role and self.completion.completes(best.floaters, end)
        return best if fits else None

    def _best_by_true_look_ahead(self, engine: Round, first: Paired, end: int) -> Paired:
        """Fewest downfloaters, and of the lowest scores, are known: choose them by the real look-ahead."""
        members = first.members
        nines = (
            self.completion.pab_score is not None
            and self.completion.pab_score >= self.field.score[members[-1]]
            and len(first.floaters) == 1
        )
        if len(first.floaters) == 1:
            found = self._single(engine, first, end, nines)
            return found or first
        best: tuple[tuple[object, ...], Paired] | None = None
        for level in self._levels(first, end):
            for floaters in level:
                candidate = self._floating(first, floaters)
                if candidate is None:
                    continue
                key = rank(self.real, candidate)
                if best is None or key < best[0]:
                    best = key, candidate
            if best is not None:
                return best[1]
        return first

    def _floating(self, first: Paired, floaters: tuple[int, ...]) -> Paired | None:
        """The best candidate that leaves just these; None if the others cannot all be paired."""
        field = Field(self.real.snapshot)
        inside = mask_of(first.members)
        for i in range(field.n):
            field.adjacent[i] &= self.field.adjacent[i]
        for i in floaters:
            only(field, i, field.adjacent[i] & ~inside)
        field.may_have_pab = self.field.may_have_pab
        completion = Completion(field)
        if not completion.completes(first.members, end_of(field, first)):
            return None
        if field.old:
            made = for_itself(field, completion, first, self.index)
        else:
            moved = first.members[: first.moved_down]
            made = Round(field, completion, first=self.index, moved=moved, many=1).brackets[0]
        return made if sorted(made.floaters) == list(floaters) else None

    def _single(self, engine: Round, first: Paired, end: int, nines: bool) -> Paired | None:
        members = first.members
        score = self.field.score[first.floaters[0]]
        able = mask_of(
            [i for i in members if self.field.score[i] == score and self.completion.completes([i], end)]
        )
        group = next(k for k, (start, _) in enumerate(self.field.groups) if start == end)
        true = self.real.completion
        levels = [true.welcome(group, able)]
        if nines:
            levels = [able]  # whoever floats has the bye: the next bracket is the same for all
        else:
            rest = [([i], look_ahead(self.field, true, [i], end)) for i in bits(able & ~levels[0])]
            rest.sort(key=lambda item: item[1])
            levels += [mask_of([i[0] for i, _ in same]) for _, same in groupby(rest, lambda item: item[1])]
        for mask in levels:
            if not mask:
                continue
            settled = engine.bracket(members, first.moved_down, engine.places(members, mask), nines=nines)
            if settled is not None:
                size, mate = len(members), settled[0]
                pairs = [(members[u], members[v]) for u, v in enumerate(mate) if u < v < size]
                floaters = [members[u] for u in range(size) if mate[u] >= size]
                return Paired(members, first.moved_down, pairs, floaters, "forced")
        return None

    def _levels(self, first: Paired, end: int) -> Iterator[list[tuple[int, ...]]]:
        """Sets of downfloaters with the same scores that let the rest be paired, best look-ahead first."""
        field, true = self.field, self.real.completion
        inside = mask_of(first.members)
        scores = sorted(field.score[i] for i in first.floaters)
        must = [i for i in first.members if not field.adjacent[i] & inside]
        others = [i for i in first.members if i not in must]
        judged = []
        for count, chosen in enumerate(combinations(others, len(first.floaters) - len(must))):
            if count > SETS:
                return
            floaters = tuple(sorted((*must, *chosen)))
            if sorted(field.score[i] for i in floaters) == scores and self.completion.completes(
                list(floaters), end
            ):
                judged.append((look_ahead(field, true, list(floaters), end), floaters))
        judged.sort()
        for _, same in groupby(judged, key=lambda item: item[0]):
            yield [floaters for _, floaters in same]
