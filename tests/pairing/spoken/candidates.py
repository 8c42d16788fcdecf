"""Predicates of other candidates, values and the sieve."""

from collections.abc import Iterable
from typing import Any

from paircard.pairing.explain import Values
from tests.pairing.spoken.facts import LARGEST, Facts, same_pairs
from tests.pairing.spoken.harvest import About
from tests.pairing.spoken.words import (
    ABSOLUTE,
    FIRST,
    Fields,
    Predicate,
    alike,
    any_bye,
    apart,
    article,
    bars_are_true,
    candidate_is,
    completes,
    generated_later,
    in_plain_order,
    met,
    must_have,
    other_is_so,
    true_when,
    values_of,
)

# --- other candidates


def later_step(step: str, place: int) -> Predicate:
    def differs(f: Facts, m: Fields, about: About) -> bool:
        assert about.other is not None
        bracket = f.bracket(f.groups[about.index], about.index)
        one, two = (
            f.truth.generated(bracket, f.ranked(g.pairs)) for g in (f.groups[about.index], about.other)
        )
        first = next(at for at, (x, y) in enumerate(zip(one, two, strict=True)) if x != y)
        return article(f, m, step) and (first == place or f.groups[about.index].role == "joined")

    return differs


for _place, _step in enumerate(("mdp-set", "mdp-opponents", "exchange", "transposition")):
    true_when(f"later.step.{_step}")(later_step(_step, _place))


@true_when("later.first")
def _(f: Facts, m: Fields, _: About) -> bool:
    return bool(m["article"] == FIRST[f.edition])


@true_when("contrast.later")
def _(f: Facts, _: Fields, about: About) -> bool:
    real, other = values_of(f, about)
    return real == other and generated_later(f, about)


@true_when("contrast.rule")
def _(f: Facts, m: Fields, about: About) -> bool:
    names, rule = ABSOLUTE[f.edition], m["criterion"]
    if rule != m["meaning"]:
        return False
    if about.asked is None or rule == names["C4"]:
        return rule == names["C4"] and (f.truth.old or not completes(f, about))
    a, b = about.asked
    if rule == names["C2"]:
        return 0 in (a, b) and f.truth.rank[a or b] not in any_bye(f)
    if rule == names["C1"]:
        return any(f.met_in(a, b, round) for round in range(1, f.snapshot.round))
    if rule == names["C3"]:
        return must_have(f, a, f.seat(b).due) and must_have(f, b, f.seat(a).due)
    return bool(rule == "prohibited") and frozenset((a, b)) in f.truth.banned


@true_when("contrast.chosen")
def _(f: Facts, m: Fields, about: About) -> bool:
    group = f.groups[about.index]
    return candidate_is(m["candidate"], group) and m["score"] == group.score


@true_when("contrast.chosen.CLB")
def _(f: Facts, m: Fields, about: About) -> bool:
    return candidate_is(m["candidate"], f.groups[about.index]) and f.groups[about.index].role == "CLB"


@true_when("contrast.best")
def _(f: Facts, m: Fields, about: About) -> bool:
    return (
        about.other is not None
        and not about.untried
        and candidate_is(m["candidate"], about.other)
        and other_is_so(f, about)
        and not_better(f, about)
    )


@true_when("contrast.found")
def _(f: Facts, m: Fields, about: About) -> bool:
    return about.other is not None and about.untried > 0 and candidate_is(m["candidate"], about.other)


def not_better(f: Facts, about: About) -> bool:
    """Whether the other candidate is no better than the real one."""
    real, other = values_of(f, about)
    if about.pab and f.pab and f.score(about.pab) != f.score(f.pab):
        return f.score(about.pab) > f.score(f.pab) or not f.truth.new
    listed = [tuple(map(as_list, each.values())) for each in (real, other) if set(real) == set(other)]
    return f.truth.old or len(listed) < 2 or listed[0] <= listed[1]


def as_list(value: Any) -> Any:
    return value if isinstance(value, tuple) else (value,)


@true_when("unproven")
def _(f: Facts, m: Fields, about: About) -> bool:
    return m["untried"] == about.untried > 0 and m["criterion"] in ("C8", "C.7", "C.12 (2012)")


@true_when("contrast.question")
def _(f: Facts, m: Fields, about: About) -> bool:
    return bool(in_plain_order(f, about.player) == m["natural"] != f.meets.get(about.player))


def other_boards(f: Facts, m: Fields, about: About) -> tuple[bool, int]:
    kept = {(board.white, board.black) for board in f.boards}
    all_ = [(board.white, board.black) for board in about.boards]
    new = [board for board in all_ if board not in kept]
    same = len(all_) - len(new)
    new += [(about.pab, 0)] if about.pab != f.pab else []
    return tuple(m["candidate"].pairs) == tuple(new[:24]), same


@true_when("contrast.round")
def _(f: Facts, m: Fields, about: About) -> bool:
    return other_boards(f, m, about) == (True, 0)


@true_when("contrast.round.same")
def _(f: Facts, m: Fields, about: About) -> bool:
    return other_boards(f, m, about) == (True, m["same"]) and m["count"] == m["same"] > 0


# --- values


def shown_values(said: Values) -> dict[str, Any]:
    return {name: value for name, value, _ in said.values}


def no_better(f: Facts, about: About, names: Iterable[str]) -> bool:
    """Whether these criteria are as low as any candidate with such pairs has them."""
    group, index = f.groups[about.index], about.index
    if len(group.members) > LARGEST or group.role in ("joined", "CLB", "homogeneous"):
        return True
    own = f.values(group, index)
    others = [
        f.values(f.made(group, pairs), index)
        for pairs in f.candidates(group, index)
        if alike(f, group, pairs)
    ]
    first = {"C6", "C7", "C8", "C9", "C.5", "C.6", "C.7", "P1", "M1", "B.3", "C.12 (2012)"}
    return all(
        as_list(other[name]) >= as_list(own[name])
        for name in names
        if name not in first
        for other in others
        if name in other
    )


@true_when("values.perfect")
def _(f: Facts, _: Fields, about: About) -> bool:
    own = f.values(f.groups[about.index], about.index)
    return all(met(value) for value in own.values()) and f.agreed


@true_when("values.least")
def _(f: Facts, m: Fields, about: About) -> bool:
    own = f.values(f.groups[about.index], about.index)
    unmet = {name: value for name, value in own.items() if not met(value)}
    return shown_values(m["values"]) == unmet and bool(unmet) and no_better(f, about, own)


@true_when("values.best", "values.best.least")
def _(f: Facts, m: Fields, about: About) -> bool:
    own = f.values(f.groups[about.index], about.index)
    unmet = {name: value for name, value in own.items() if not met(value)}
    above = shown_values(m["values"])
    least = shown_values(m["unavoidable"]) if "unavoidable" in m else {}
    lower = all(bound is None or bound < value for _, value, bound in m["values"].values)
    return (
        {**above, **least} == unmet
        and not set(above) & set(least)
        and bool(above)
        and lower
        and f.agreed
        and no_better(f, about, least)
    )


# --- candidates listed


@true_when("sieve.members")
def _(f: Facts, m: Fields, about: About) -> bool:
    return tuple(m["numbered"]) == f.groups[about.index].members


@true_when("sieve.apart")
def _(f: Facts, m: Fields, about: About) -> bool:
    said = {frozenset(bar[:2]) for bar in m["bars"].bars}
    return said == apart(f, about) and bars_are_true(f, m["bars"])


@true_when("sieve.apart.none")
def _(f: Facts, _: Fields, about: About) -> bool:
    return not apart(f, about)


@true_when("sieve.more")
def _(f: Facts, _: Fields, about: About) -> bool:
    assert about.sieve is not None
    group = f.groups[about.index]
    return len(group.members) > LARGEST or len(f.candidates(group, about.index)) > len(about.sieve.rows) - 1


def row_values(f: Facts, about: About) -> tuple[Any, Any]:
    real, other = values_of(f, about)
    return real, other


def leaves_no_round(f: Facts, about: About) -> bool:
    assert about.other is not None
    left = {f.truth.rank[id] for id in about.other.floaters}
    left |= {rank for group in f.below(about.index) for rank in group}
    return not f.truth.completes(frozenset(left))


@true_when("sieve.excluded")
def _(f: Facts, m: Fields, about: About) -> bool:
    assert about.other is not None
    real, other = row_values(f, about)
    name = m["criterion"]
    legal = all(f.may_meet(a, b) for a, b in about.other.pairs)
    if f.truth.old:
        return legal and name in other and other[name] != real.get(name, other[name])
    first = next((each for each in real if each in other and real[each] != other[each]), "")
    return legal and first == name and other[name] > real[name]


@true_when("sieve.C4")
def _(f: Facts, m: Fields, about: About) -> bool:
    return m["criterion"] == ABSOLUTE[f.edition]["C4"] and (f.truth.old or leaves_no_round(f, about))


@true_when("sieve.later")
def _(f: Facts, _: Fields, about: About) -> bool:
    real, other = row_values(f, about)
    return all(real[name] == other[name] for name in real if name in other) and generated_later(f, about)


@true_when("sieve.chosen")
def _(f: Facts, _: Fields, about: About) -> bool:
    return about.other is not None and same_pairs(about.other.pairs, f.groups[about.index].pairs)


@true_when("sieve.none")
def _(f: Facts, _: Fields, about: About) -> bool:
    assert about.sieve is not None
    assert about.row is not None
    least, values = about.sieve.numbers.least, row_values(f, about)[1]
    return all(met(value) or value == least.get(name) for name, value in values.items())
