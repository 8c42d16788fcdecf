"""The engine with one rule switched off at a time: each must be noticed by a golden case."""

from collections.abc import Callable
from typing import Any

import pytest
from msgspec.structs import replace

from paircard.pairing.dutch import (
    brackets,
    colours,
    completion,
    exchange,
    field,
    listing,
    order,
    pairing,
    preferences,
)
from paircard.pairing.dutch.candidates import Candidates
from paircard.pairing.dutch.criteria import Criteria, Key
from paircard.pairing.dutch.ideal import Ideal
from paircard.pairing.matching import bipartite
from paircard.projections.round import floats
from paircard.projections.round.snapshot import Snapshot

Switch = Callable[[pytest.MonkeyPatch], None]


def without(*names: str) -> Switch:
    """A quality criterion of Article 2 counts for nothing."""

    def switch(patch: pytest.MonkeyPatch) -> None:
        made = Criteria.__init__

        def init(self: Criteria, *args: Any, **more: Any) -> None:
            made(self, *args, **more)
            for key in self.keys:
                if name_of(key) in names:
                    self.unit[key] = 0

        patch.setattr(Criteria, "__init__", init)

    return switch


def pairs_for_nothing(patch: pytest.MonkeyPatch) -> None:
    """[C6] As many pairs as it happens."""
    without("C6")(patch)
    made = Candidates.numbers

    def two_more_first(self: Candidates) -> list[int]:
        numbers = list(dict.fromkeys(made(self)))
        return numbers[1:2] + numbers[:1] + numbers[2:]

    patch.setattr(Candidates, "numbers", two_more_first)
    patch.setattr(Candidates, "alone", lambda self: [])


def name_of(key: Key) -> str:
    return (key if isinstance(key, str) else key[0]).split()[0]


def rematches_allowed(patch: pytest.MonkeyPatch) -> None:
    made = field.Field._opponents

    def opponents(self: field.Field, snapshot: Snapshot) -> list[int]:
        kept = self.players
        self.players = [replace(p, opponents=(0,) * len(p.opponents)) for p in kept]
        rows = made(self, snapshot)
        self.players = kept
        return rows

    patch.setattr(field.Field, "_opponents", opponents)


def bye_for_everyone(patch: pytest.MonkeyPatch) -> None:
    patch.setattr(field, "BARS_THE_PAB", dict.fromkeys(field.EDITIONS, frozenset()))


def no_absolute_preferences(patch: pytest.MonkeyPatch) -> None:
    made = field.Field._opponents

    def opponents(self: field.Field, snapshot: Snapshot) -> list[int]:
        kept, self.strength = self.strength, [min(s, preferences.STRONG) for s in self.strength]
        rows = made(self, snapshot)
        self.strength = kept
        return rows

    patch.setattr(field.Field, "_opponents", opponents)


def no_topscorers(patch: pytest.MonkeyPatch) -> None:
    made = field.Field.__init__

    def init(self: field.Field, snapshot: Snapshot) -> None:
        made(
            self, Snapshot(**{f: getattr(snapshot, f) for f in snapshot.__struct_fields__} | {"rounds": 999})
        )

    patch.setattr(field.Field, "__init__", init)


def no_completion(patch: pytest.MonkeyPatch) -> None:
    """[C4, 2026] Each bracket for itself."""

    def common(self: brackets.Round, every: Candidates, k: int, pab: bool) -> Any:
        return self.settle.bracket(every, (1 << every.size) - 1, nines=pab)

    patch.setattr(brackets.Round, "_common_2026", common)


def no_collapse(patch: pytest.MonkeyPatch) -> None:
    """[A.9, 2017] Go on whatever is left."""
    patch.setattr(completion.Completion, "completes", lambda *args, **more: True)


def bye_at_any_score(patch: pytest.MonkeyPatch) -> None:
    patch.setattr(completion.Completion, "_fix_pab_score", lambda self: self._sweep(self.field.may_have_pab))


def no_look_ahead(patch: pytest.MonkeyPatch) -> None:
    patch.setattr(completion.Completion, "welcome", lambda self, group, who: who)
    without("C8")(patch)


def colour_rule_skipped(number: int) -> Switch:
    """A rule of Article 5 gives nothing; the next one that gives anything decides."""

    def switch(patch: pytest.MonkeyPatch) -> None:
        made = colours.white_of

        def white(f: field.Field, i: int, j: int, odd: list[bool], initial: int) -> tuple[bool, int]:
            answer, rule = made(f, i, j, odd, initial)
            return (not answer if rule == number else answer), rule

        patch.setattr(pairing, "white_of", white)

    return switch


def numbers_of_the_absent_count(patch: pytest.MonkeyPatch) -> None:
    def numbering(snapshot: Snapshot) -> dict[int, int]:
        return {player.id: place for place, player in enumerate(snapshot.players, 1)}

    patch.setattr(pairing, "numbering", numbering)


def opponents_in_any_order(patch: pytest.MonkeyPatch) -> None:
    """[4.2] The last transposition instead of the first."""
    made = bipartite.first_assignment

    def last(adjacent: list[int], left: list[int], right: int) -> list[int] | None:
        top = max(len(adjacent), right.bit_length())
        turned = [0] * len(adjacent)
        for u in left:
            for v in range(top):
                if adjacent[u] >> v & 1:
                    turned[u] |= 1 << top - 1 - v
        flipped = sum(1 << top - 1 - v for v in range(top) if right >> v & 1)
        found = made(turned, left, flipped)
        return None if found is None else [top - 1 - v for v in found]

    patch.setattr(order, "first_assignment", last)
    listed_otherwise(patch, "transposition", lambda below: tuple(-v for _, v in below))


def exchanges_by_number_only(patch: pytest.MonkeyPatch) -> None:
    """[4.3.2–4.3.4] Any exchange of as many players will do; the largest difference comes first."""

    def prices(many: int, pairs: int) -> tuple[list[int], list[int], int]:
        digit = (many * many).bit_length() + 1
        down = [((1 << digit) - pairs + k << 2 * many) for k in range(pairs)]
        up = [(many - k) << 2 * many for k in range(many)]
        return down, up, 2 * many + 2 * digit + 2

    patch.setattr(exchange, "prices", prices)

    def moved(upper: list[int]) -> tuple[int, ...]:
        up = [place for place in upper if place >= len(upper)]
        return len(up), -sum(upper)

    listed_otherwise(patch, "exchange", moved)


def last_moved_down_set(patch: pytest.MonkeyPatch) -> None:
    """[4.4] Whoever happens to be paired."""
    patch.setattr(order.Search, "_moved_down_set", lambda self, mate: None)
    listed_otherwise(patch, "moved_down_set", lambda above, size: tuple(-int(v >= size) for _, v in above))


def moved_down_opponents_at_will(patch: pytest.MonkeyPatch) -> None:
    """[4.2] Whoever a moved-down player happens to get."""
    patch.setattr(order.Search, "_straight", lambda *args: False)
    patch.setattr(order.Search, "_lowest_partner", lambda *args: None)
    listed_otherwise(patch, "moved_down_opponents", lambda above, size: tuple(-v for _, v in above))


def listed_otherwise(patch: pytest.MonkeyPatch, key: str, other: Callable[..., tuple[int, ...]]) -> None:
    """Another order for the candidates of small brackets, whose ideal one is not looked for."""
    patch.setattr(listing, key, other)
    patch.setattr(Ideal, "mates", lambda self: None)


def full_point_byes(bar: bool) -> Switch:
    """[C2, row 6 of the edition changes] Whether a full-point bye bars the pairing-allocated one."""
    letters = frozenset("UF+" if bar else "U+")

    def switch(patch: pytest.MonkeyPatch) -> None:
        patch.setattr(field, "BARS_THE_PAB", dict.fromkeys(field.EDITIONS, letters))

    return switch


def unplayed_rounds_float(*editions: str) -> Switch:
    """[1.4, row 7 of the edition changes] In which editions any unplayed round is a downfloat."""

    def switch(patch: pytest.MonkeyPatch) -> None:
        patch.setattr(floats, "UNPLAYED_IS_A_DOWNFLOAT", frozenset(editions))

    return switch


BOTH: dict[str, Switch] = {
    "C1": rematches_allowed,
    "C2": bye_for_everyone,
    "C3": no_absolute_preferences,
    "C6": pairs_for_nothing,
    "C7": without("C7"),
    "C8": no_look_ahead,
    **{f"C{k}": without(f"C{k}") for k in range(10, 22)},
    "1.8": no_topscorers,
    "4.2": opponents_in_any_order,
    "4.2 mdp": moved_down_opponents_at_will,
    "4.3": exchanges_by_number_only,
    "4.4": last_moved_down_set,
    "5.2.1": colour_rule_skipped(0),
    "5.2.2": colour_rule_skipped(1),
    "5.2.3": colour_rule_skipped(2),
    "5.2.4": colour_rule_skipped(3),
    "5.2.5": colour_rule_skipped(4),
    "5.2.5 numbers": numbers_of_the_absent_count,
}

SWITCHES: dict[str, dict[str, Switch]] = {
    "dutch-2026": {
        **BOTH,
        "C4": no_completion,
        "C5": bye_at_any_score,
        "C9": without("C9"),
        "C2 full-point bye": full_point_byes(bar=False),
        "1.4.4": unplayed_rounds_float(*field.EDITIONS),
    },
    "dutch-2017": {
        **BOTH,
        "A.9": no_collapse,
        "C2 full-point bye": full_point_byes(bar=True),
        "1.4.4": unplayed_rounds_float(),
    },
}
