"""Predicates of other candidates, values and the sieve."""

from collections import Counter
from collections.abc import Iterable
from typing import Any

from paircard.pairing.explain import Values
from tests.pairing.spoken.facts import LARGEST, Facts, same_pairs
from tests.pairing.spoken.facts import Group as Bracket
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
    group, rows = f.groups[about.index], about.sieve.rows
    if len(group.members) > LARGEST or any(row.bars for row in rows):  # of illegal ones there are always more
        return True
    return len(f.candidates(group, about.index)) > len(rows) - 1


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


@true_when("sieve.illegal")
def _(f: Facts, _: Fields, about: About) -> bool:
    assert about.other is not None
    return any(not f.may_meet(a, b) for a, b in about.other.pairs)


@true_when("sieve.barred")
def _(f: Facts, m: Fields, about: About) -> bool:
    assert about.other is not None
    illegal = {frozenset(pair) for pair in about.other.pairs if not f.may_meet(*pair)}
    return bars_are_true(f, m["bars"]) and {frozenset(bar[:2]) for bar in m["bars"].bars} == illegal


@true_when("sieve.above")
def _(f: Facts, m: Fields, about: About) -> bool:
    said, values = shown_values(m["values"]), row_values(f, about)[1]
    return bool(said) and all(
        not met(value) and (value == 1 if name == ABSOLUTE[f.edition]["C4"] else value == values[name])
        for name, value in said.items()
    )


def fails(f: Facts, m: Fields, about: About) -> bool:
    """Whether each pair and player named fails the criterion, and as many as its value counts."""
    assert about.other is not None
    values, colours, floats = row_values(f, about)[1], Counter[str](), Counter[str]()
    for a, b, name, _ in m["bars"].bars:
        if b and frozenset((a, b)) not in {frozenset(pair) for pair in about.other.pairs}:
            return False
        (colours if b else floats)[name] += 1
        if not b and f.seat(a).last not in "du" and f.seat(a).before not in "du":
            return False
    return all(values[name] == many for name, many in colours.items()) and all(
        values[name] and (values[name] >= many or not f.truth.new) for name, many in floats.items()
    )


@true_when("sieve.failures")
def _(f: Facts, m: Fields, about: About) -> bool:
    return bool(m["bars"].bars) and fails(f, m, about)


def expecting(f: Facts, group: Bracket, colour: str, strength: int) -> int:
    return sum(f.seat(id).due == colour and f.seat(id).strength >= strength for id in group.members)


def counted_first(f: Facts, index: int) -> dict[str, int]:
    """[Appendix P.1, P.2.4, P.2.5] What is counted before a candidate is made."""
    group = f.groups[index]
    size, moved, res = len(group.members), len(group.moved), len(group.residents)
    pairs = min(size // 2, res)
    found = {"NP": size, "M0": moved, "Res": res, "CMP": pairs, "Fls": size - 2 * pairs}
    found["CM1"] = min(moved, pairs)
    for names, strength in ((("wS", "bS"), 1), (("WS", "BS"), 2)):
        found |= {name: expecting(f, group, c, strength) for name, c in zip(names, "wb", strict=True)}
    return found


@true_when("sieve.appendix")
def _(f: Facts, m: Fields, about: About) -> bool:
    numbers = counted_first(f, about.index)
    return bool(m["symbols"] == ", ".join(f"{name} {n}" for name, n in numbers.items()))


def active(f: Facts, index: int) -> dict[str, Any]:
    """[Appendix P.2.4–P.2.9] Active criteria on colours and floats of residents, with their minima."""
    n, group = counted_first(f, index), f.groups[index]
    clb, found = group.role == "CLB", dict[str, Any]()
    names = ("C12", "C13", "C14", "C15", "C16", "C17") if f.truth.new else (
        "C.10", "C.11", "C.12", "C.13", "C.14", "C.15"
    )  # fmt: skip
    for name, white, black in ((names[0], n["wS"], n["bS"]), (names[1], n["WS"], n["BS"])):
        alike = n["NP"] == max(white, black) or max(white, black) <= 1
        if not alike and not (n["Fls"] == 0 and min(n["NP"] - white, n["NP"] - black) <= 1):
            found[name] = max(0, n["CMP"] - (n["NP"] - white - black) - min(white, black))
    seats = [f.seat(id) for id in group.residents]
    again = [sum(seat.last == "d" for seat in seats), sum(seat.last == "u" for seat in seats)]
    again += [sum(seat.before == "d" for seat in seats), sum(seat.before == "u" for seat in seats)]
    for name, many, down in zip(names[2:], again, (True, False, True, False), strict=True):
        if 0 < many < n["Res"] and (clb or (n["Fls"] if down else n["CM1"])):
            found[name] = max(0, many - (2 * n["CMP"] - n["CM1"] if down else n["Res"] - n["CM1"]))
    return dict.fromkeys(found, ()) if clb else found


@true_when("sieve.active", "sieve.active.none")
def _(f: Facts, m: Fields, about: About) -> bool:
    said = shown_values(m["values"]) if "values" in m else {}
    mine = active(f, about.index)
    known = {"C12", "C13", "C14", "C15", "C16", "C17"} if f.truth.new else {
        "C.10", "C.11", "C.12", "C.13", "C.14", "C.15"
    }  # fmt: skip
    heterogeneous = bool(f.groups[about.index].moved)
    psd = "C7" if f.truth.new else "C.6"
    return {name: value for name, value in said.items() if name in known} == mine and (
        psd in said
    ) == heterogeneous
