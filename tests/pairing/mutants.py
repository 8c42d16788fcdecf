"""The engine with one rule switched off at a time: each must be noticed by a golden case.

What an edition holds as data is switched off there. The rest is code, and is replaced for the test.
"""

from collections.abc import Callable
from typing import Any

import pytest
from msgspec.structs import replace

from paircard.domain.values.rules import RULES
from paircard.pairing.dutch import brackets, criteria, field, graphs, joining, listed, pairing, problem
from paircard.pairing.dutch.criteria import Criteria, Key
from paircard.pairing.dutch.editions import EDITIONS, Edition
from paircard.pairing.dutch.graphs import Bracket
from paircard.pairing.matching import cardinality
from paircard.projections.round import snapshot
from paircard.projections.round.snapshot import Player, Snapshot

Switch = Callable[[pytest.MonkeyPatch, Edition], Edition]
"""Switches a rule off, and answers the edition to pair by."""


def without(*names: str) -> Switch:
    """A quality criterion of Article 2 counts for nothing."""

    def switch(_: pytest.MonkeyPatch, edition: Edition) -> Edition:
        return replace(edition, criteria=tuple(name for name in edition.criteria if name not in names))

    return switch


def with_changed(**changes: object) -> Switch:
    """Another edition, as far as these go."""

    def switch(_: pytest.MonkeyPatch, edition: Edition) -> Edition:
        return replace(edition, **changes)

    return switch


def patched(patching: Callable[[pytest.MonkeyPatch], None]) -> Switch:
    """A rule that is code and not data."""

    def switch(patch: pytest.MonkeyPatch, edition: Edition) -> Edition:
        patching(patch)
        return edition

    return switch


def pairs_for_nothing(patch: pytest.MonkeyPatch, edition: Edition) -> Edition:
    """[C6] As many pairs as it happens."""
    made = listed.Listed._c6_counts

    def two_more_first(self: listed.Listed) -> list[int]:
        numbers = list(dict.fromkeys(made(self)))
        return numbers[1:2] + numbers[:1] + numbers[2:]

    patch.setattr(listed.Listed, "_c6_counts", two_more_first)
    return without("C6")(patch, edition)


@patched
def rematches_allowed(patch: pytest.MonkeyPatch) -> None:
    def nobody_met(player: Player, bit: dict[int, int]) -> int:
        return 0

    patch.setattr(field, "c1_met", nobody_met)


@patched
def no_absolute_preferences(patch: pytest.MonkeyPatch) -> None:
    patch.setattr(field.Field, "_c3_kept_apart", lambda self: [0] * self.n)


@patched
def no_topscorers(patch: pytest.MonkeyPatch) -> None:
    made = field.Field.__init__

    def init(self: field.Field, snapshot: Snapshot) -> None:
        made(self, replace(snapshot, rounds=999))

    patch.setattr(field.Field, "__init__", init)


@patched
def no_completion(patch: pytest.MonkeyPatch) -> None:
    """[C4, 2026] Each bracket for itself."""

    def anyone(self: brackets.Round, bracket: Bracket, following: int, complete: bool, bye_here: bool) -> Any:
        return self.single_downfloater(bracket, bracket.everyone, counts_c9=bye_here)

    patch.setattr(brackets.Round, "_single_floats", anyone)


@patched
def no_collapse(patch: pytest.MonkeyPatch) -> None:
    """[A.9, 2017] Go on whatever is left."""
    patch.setattr(graphs.Completion, "completes", lambda *args, **more: True)


def no_look_ahead(patch: pytest.MonkeyPatch, edition: Edition) -> Edition:
    patch.setattr(graphs.Completion, "costs_next_nothing", lambda self, group, who: who)
    return without("C8")(patch, edition)


def colour_rule_skipped(number: int) -> Switch:
    """A rule of Article 5 gives nothing; the next one that gives anything decides."""

    @patched
    def switch(patch: pytest.MonkeyPatch) -> None:
        made = pairing.white_of

        def white(f: field.Field, i: int, j: int, odd: list[bool], initial: int) -> tuple[bool, int]:
            answer, rule = made(f, i, j, odd, initial)
            return (not answer if rule == number else answer), rule

        patch.setattr(pairing, "white_of", white)

    return switch


@patched
def numbers_of_the_absent_count(patch: pytest.MonkeyPatch) -> None:
    def numbering(snapshot: Snapshot) -> dict[int, int]:
        return {player.id: place for place, player in enumerate(snapshot.players, 1)}

    patch.setattr(pairing, "numbering", numbering)


@patched
def opponents_in_any_order(patch: pytest.MonkeyPatch) -> None:
    """[4.2] The last transposition instead of the first."""
    made = cardinality.first_assignment

    def last(adjacent: list[int], left: list[int], right: list[int]) -> list[int] | None:
        top = max(len(adjacent), *right) + 1
        turned = [0] * len(adjacent)
        for u in left:
            for v in range(top):
                if adjacent[u] >> v & 1:
                    turned[u] |= 1 << top - 1 - v
        found = made(turned, left, [top - 1 - v for v in right])
        return None if found is None else [top - 1 - v for v in found]

    patch.setattr(problem, "first_assignment", last)
    generated_otherwise(patch, lambda key: (*key[:3], tuple(-place for place in key[3])))


@patched
def exchanges_by_number_only(patch: pytest.MonkeyPatch) -> None:
    """[4.3.2–4.3.4] Any exchange of as many players will do; the largest difference comes first."""

    def prices(players: int, pairs: int) -> tuple[list[int], list[int], int]:
        digit = (players * players).bit_length() + 1
        down = [((1 << digit) - pairs + k << 2 * players) for k in range(pairs)]
        up = [(players - k) << 2 * players for k in range(players)]
        return down, up, 2 * players + 2 * digit + 2

    patch.setattr(problem, "exchange_prices", prices)
    generated_otherwise(patch, lambda key: (*key[:2], (key[2][0], -key[2][1]), key[3]))  # type: ignore[operator]


@patched
def last_moved_down_set(patch: pytest.MonkeyPatch) -> None:
    """[4.4] Whoever happens to be paired."""
    patch.setattr(problem.Search, "_choose_set", lambda *args: None)
    generated_otherwise(patch, lambda key: (tuple(-player for player in key[0][2]), *key[1:]))  # type: ignore[attr-defined]


@patched
def moved_down_opponents_at_will(patch: pytest.MonkeyPatch) -> None:
    """[4.2] Whoever a moved-down player happens to get."""
    patch.setattr(problem.Search, "_straight", lambda *args: False)
    patch.setattr(problem.Search, "_lowest_partner", lambda *args: None)
    generated_otherwise(patch, lambda key: (key[0], tuple(-player for player in key[1]), *key[2:]))


def generated_otherwise(patch: pytest.MonkeyPatch, change: Callable[[Key], Any]) -> None:
    """Another order for the candidates of small brackets, whose ideal one is not looked for."""
    made = criteria.generation_key

    def changed(*args: Any) -> Any:
        return change(made(*args))

    patch.setattr(listed, "generation_key", changed)
    patch.setattr(listed.IdealSearch, "mates", lambda self: None)


def kinds_of_downfloat(patch: pytest.MonkeyPatch, **which: str) -> None:
    """Other rounds without a game are a downfloat under these rules."""
    changed = {name: replace(RULES[name], downfloats=kind) for name, kind in which.items()}
    patch.setattr(snapshot, "RULES", {**RULES, **changed})


def unplayed_rounds_float(*editions: str) -> Switch:
    """[1.4, row 7 of the edition changes] In which editions any unplayed round is a downfloat."""

    @patched
    def switch(patch: pytest.MonkeyPatch) -> None:
        names = ("dutch-2026", "dutch-2017")
        kinds_of_downfloat(patch, **{name: "unplayed" if name in editions else "gains" for name in names})

    return switch


def no_points_without_play(patch: pytest.MonkeyPatch, edition: Edition) -> Edition:
    """[2012 B.1.b] A point or half point without playing is no downfloat."""
    kinds_of_downfloat(patch, **{edition.name: "gains"})
    patch.setattr(snapshot, "gains", lambda *args: False)
    return edition


@patched
def no_backtracking(patch: pytest.MonkeyPatch) -> None:
    """[2012 C.12] The first floaters stay."""
    patch.setattr(joining.Joining, "_c12_other_floaters", lambda self, bracket, paired, group: paired)


@patched
def residents_without_opponents_stay(patch: pytest.MonkeyPatch) -> None:
    """[2012 C.1, C.12] Whoever has no opponent in the next bracket lacks one."""

    def lacks(f: field.Field, floaters: list[int], group: int) -> tuple[int, int]:
        start, end = f.groups[group]
        left = listed.left_unpaired(f.adjacent, floaters, start, end)
        return sum(i < start for i in left), len(left) // 2

    def p0(f: field.Field, floaters: list[int], group: int) -> int:
        start, end = f.groups[group]
        return (len(floaters) + end - start) // 2

    patch.setattr(joining, "next_lacks", lacks)
    patch.setattr(joining, "next_p0", p0)


@patched
def nobody_who_moved_down_need_be_paired(patch: pytest.MonkeyPatch) -> None:
    """[2012 C.14.b] M1 falls to 0 before brackets are joined."""
    patch.setattr(joining.Joining, "_c14_pairs_moved_down", lambda *args: True)


@patched
def nobody_is_s1(patch: pytest.MonkeyPatch) -> None:
    """[2012 C.13] The bracket added last is not S1."""
    made = joining.Joining._lowest

    def lowest(
        self: joining.Joining, moved: list[int], bottom: int, joined: bool = False, added: int = 0
    ) -> None:
        made(self, moved, bottom, joined, 0)

    patch.setattr(joining.Joining, "_lowest", lowest)


def joined_without(*names: str) -> Switch:
    """[2012 C.13] Criteria count for nothing in joined brackets."""
    return patched(lambda patch: _joined_without(patch, names))


def _joined_without(patch: pytest.MonkeyPatch, names: tuple[str, ...]) -> None:
    made = Criteria.__init__

    def init(self: Criteria, *args: Any, **more: Any) -> None:
        made(self, *args, **more)
        if self.joined:
            self.unit |= dict.fromkeys(names, 0)

    patch.setattr(Criteria, "__init__", init)


@patched
def plain_differences(patch: pytest.MonkeyPatch) -> None:
    """[2012 C.13, B.3] Score differences of joined brackets are added up, not their squares."""
    made = Criteria._sum

    def plain(self: Criteria, failed: tuple[str, ...], value: int) -> int:
        found = made(self, failed, value)
        if self.joined and value and "C7" in failed:
            found -= self.unit["C7"] * (value * value - value)
        return found

    patch.setattr(Criteria, "_sum", plain)


@patched
def all_residents_float(patch: pytest.MonkeyPatch) -> None:
    """[2012 C.13] The bye of a joined bracket is a repeated float for whoever has it."""
    made = Criteria.is_resident
    patch.setattr(Criteria, "is_resident", lambda self, i: self.joined or made(self, i))


@patched
def half_of_a_joined_bracket_is_nothing(patch: pytest.MonkeyPatch) -> None:
    """[2012 A.3, C.13] A joined bracket is never homogeneous."""
    patch.setattr(graphs, "half_came_down", lambda came_down, size: False)


@patched
def the_bye_is_an_opponent(patch: pytest.MonkeyPatch) -> None:
    """[2012 C.1, C.12] Nobody asks whether the lowest bracket has an opponent for those who move down."""
    whole, able = joining.Joining._whole_penultimate, joining.Joining._able_below
    patch.setattr(joining.Joining, "_whole_penultimate", lambda self, one, joined: whole(self, one, True))
    patch.setattr(
        joining.Joining, "_able_below", lambda self, one, start, joined: able(self, one, start, True)
    )


@patched
def most_pairs_below(patch: pytest.MonkeyPatch) -> None:
    """[2012 C.12] Other floaters must allow as many pairs as any, not only P1."""
    patch.setattr(joining, "next_p0", lambda f, floaters, group: f.n)


def barring(letters: str) -> Switch:
    """[C2] Other rounds bar from the bye."""
    return patched(lambda patch: patch.setattr(Snapshot, "bars", property(lambda self: frozenset(letters))))


@patched
def no_second_bye(patch: pytest.MonkeyPatch) -> None:
    """JaVaFo 1.4: where everybody is barred there is no legal round."""
    name = "dutch-2012-javafo"
    patch.setitem(RULES, name, replace(RULES[name], second_bye=False))


BOTH: dict[str, Switch] = {
    "C1": rematches_allowed,
    "C2": barring(""),
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

ISTANBUL: dict[str, Switch] = {
    "B.1.a": rematches_allowed,
    "B.1.b": barring(""),
    "B.1.b half": barring("UF+"),
    "B.1.b float": no_points_without_play,
    "B.2": no_absolute_preferences,
    "B.2 topscorers": without("B2"),
    "A.10": no_topscorers,
    "M1": without("M1"),
    "P1": without("C7"),
    "A.7.d": without("A7d"),
    "X": without("C12"),
    "Z": without("Z"),
    "B.5 down": without("C14"),
    "B.6 down": without("C16"),
    "B.5 up": without("C15"),
    "B.6 up": without("C17"),
    "C.1": residents_without_opponents_stay,
    "C.1 lowest": the_bye_is_an_opponent,
    "C.10": with_changed(
        criteria=("M1", "C7", "C8", "B2", "A7d", "C12", "Z", "C14", "C15", "C16", "C17")
    ),  # the order of 2017
    "C.12": no_backtracking,
    "C.12 P1": most_pairs_below,
    "C.13": with_changed(joins_last_brackets=False),
    "C.13 differences": joined_without("C7"),
    "C.13 squares": plain_differences,
    "C.13 S1": nobody_is_s1,
    "C.13 half": half_of_a_joined_bracket_is_nothing,
    "C.13 upfloats": joined_without("C15", "C17"),
    "C.13 downfloats": all_residents_float,
    "C.14": nobody_who_moved_down_need_be_paired,
    "D.1": opponents_in_any_order,
    "D.1 mdp": moved_down_opponents_at_will,
    "D.2": exchanges_by_number_only,
    "D.3": last_moved_down_set,
    "E.1": colour_rule_skipped(0),
    "E.2": colour_rule_skipped(1),
    "E.2 widest": with_changed(wider_difference_decides=True),
    "E.3": colour_rule_skipped(2),
    "E.4": colour_rule_skipped(3),
    "E.5": colour_rule_skipped(4),
    "E.5 numbers": numbers_of_the_absent_count,
}
"""[2012] The rules of the text."""

SWITCHES: dict[str, dict[str, Switch]] = {
    "dutch-2026": {
        **BOTH,
        "C4": no_completion,
        "C5": with_changed(fixes_bye_score=False),
        "C9": without("C9"),
        "C2 full-point bye": barring("U+"),
        "1.4.4": unplayed_rounds_float(*EDITIONS),
    },
    "dutch-2017": {
        **BOTH,
        "A.9": no_collapse,
        "C2 full-point bye": barring("UF+"),
        "1.4.4": unplayed_rounds_float(),
    },
    "dutch-2012": {
        **ISTANBUL,
        "A.3": with_changed(half_moved_down_is_homogeneous=False),
    },
    "dutch-2012-javafo": {
        "A.3": with_changed(half_moved_down_is_homogeneous=True),
        "second bye": no_second_bye,
        "E.5 later": with_changed(initial_colour_alternates=False),
        "A.3 above joined": with_changed(half_moved_down_above_joined=False),
        "C.13 bye": with_changed(joins_before_the_bye=False),
    },
}
