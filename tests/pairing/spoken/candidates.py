"""Predicates of other candidates, values and the sieve."""

from collections import Counter
from collections.abc import Iterable
from typing import Any

from paircard.pairing.explain import Values
from tests.pairing.spoken.facts import LARGEST, Facts, Two, same_pairs
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
    divided_otherwise,
    generated_later,
    if_asked,
    in_plain_order,
    leaves_no_round,
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
        return article(f, m, step) and first == place

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
        apart = f.truth.old and about.index >= 0 and divided_otherwise(f, about)
        return rule == names["C4"] and (apart or not completes(f, about))
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
    """Whether the other candidate is no better than the real one, and no third one is better than it."""
    assert about.other is not None
    if f.truth.old and about.boards:  # the steps of the text, on the condition that is asked for
        return same_pairs(if_asked(f, about)[about.index].pairs, about.other.pairs)
    if about.pab and f.pab and f.truth.new and f.score(about.pab) != f.score(f.pab):
        lowest = f.score(about.pab) > f.score(f.pab) and f.score(about.pab) in lowest_byes(f, about)
        return lowest and best_of(f.with_bye_at(f.score(about.pab)), about)
    return rank_of(f, f.groups[about.index], about.index) < rank_of(f, about.other, about.index) and best_of(
        f, about
    )


def best_of(f: Facts, about: About) -> bool:
    """Whether the other candidate is the best of its bracket that lets the condition be met."""
    assert about.other is not None
    other = rank_of(f, about.other, about.index)
    return allowed(f, about, about.other.pairs) and not any(
        allowed(f, about, pairs) and rank_of(f, f.made(about.other, pairs), about.index) < other
        for pairs in all_candidates(f, about)
    )


def all_candidates(f: Facts, about: About) -> list[tuple[Two, ...]]:
    """All legal candidates of a bracket; none of one that is too large to list them."""
    group = f.groups[about.index]
    return f.candidates(group, about.index) if len(group.members) <= LARGEST else []


def rank_of(f: Facts, group: Bracket, index: int) -> tuple[Any, ...]:
    """Smaller is better: the values in order, then the order of generation."""
    return [as_list(value) for value in f.values(group, index).values()], f.generated(group, index)


def allowed(f: Facts, about: About, pairs: tuple[Two, ...]) -> bool:
    """Whether a candidate of the bracket lets the condition be met, and the round be completed if it must."""
    truth, group = f.truth, f.groups[about.index]
    ranked, bracket = f.ranked(pairs), f.bracket(group, about.index)
    met = {id for pair in pairs for id in pair}
    rest = frozenset(truth.floaters(bracket, ranked)) | bracket.rest
    asked = tuple(sorted(truth.rank[id] for id in about.asked or () if id))
    if about.asked and 0 in about.asked:
        return asked[0] in rest and truth.completes(rest, bye=asked[0])
    if about.asked:
        if asked in ranked:
            return truth.completes(rest)
        return not met & set(about.asked) and truth.completes(rest, pair=(asked[0], asked[1]))
    if about.index != about.home:  # then the bye is for somebody else
        return any(
            truth.all_paired(rest - {rank}) for rank in truth.byes & rest - {truth.rank.get(about.stays)}
        )
    if about.leaves in met or (about.stays and about.stays not in met):
        return False
    return truth.completes(rest) or not (truth.must_complete(bracket) or about.boards)


def lowest_byes(f: Facts, about: About) -> set[int | None]:
    """[C5] The lowest score at which the bye can be given, on the condition that is asked for.

    Of somebody who stays or leaves: whatever is above the bracket, and with all above it as it is.
    """
    truth, home = f.truth, f.groups[about.home]
    if about.asked and 0 in about.asked:
        return {f.score(max(about.asked))}
    inside = {truth.rank[id] for id in (home.residents if about.stays in home.moved else home.members)}
    couples: set[tuple[int, ...]] = {tuple(truth.rank[id] for id in about.asked or ())}
    if one := about.stays or about.leaves:
        opponents = truth.everyone - inside if about.leaves else inside
        if about.stays and about.home == len(f.groups) - 1:
            opponents = set(truth.everyone)
        rank = truth.rank[one]
        couples = {(rank, other) for other in opponents if truth.legal[rank][other]}
    above = {truth.rank[id] for group in f.groups[: about.home] for pair in group.pairs for id in pair}

    def lowest(gone: set[int]) -> int | None:
        def paired(rest: frozenset[int]) -> bool:
            if about.leaves and truth.rank[about.leaves] not in rest:  # has the bye
                return truth.all_paired(rest - gone)
            return any(rest - gone >= {*two} and truth.all_paired(rest - gone - {*two}) for two in couples)

        return truth.lowest_bye(paired)

    return {lowest(set())} if about.asked else {lowest(set()), lowest(above)}


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
    if len(group.members) > LARGEST or group.role == "CLB":  # of which no least values are said
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


@true_when("sieve.excluded")
def _(f: Facts, m: Fields, about: About) -> bool:
    assert about.other is not None
    real, other = row_values(f, about)
    name = m["criterion"]
    legal = all(f.may_meet(a, b) for a, b in about.other.pairs)
    first = next((each for each in real if each in other and real[each] != other[each]), "")
    return legal and first == name and other[name] > real[name]


@true_when("sieve.C4")
def _(f: Facts, m: Fields, about: About) -> bool:
    return m["criterion"] == ABSOLUTE[f.edition]["C4"] and leaves_no_round(f, about)


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
    """[Appendix P.2] The active criteria with their minima, by their names in 2017; () where none is set."""
    n, group = counted_first(f, index), f.groups[index]
    clb, found = group.role == "CLB", dict[str, Any]()
    members, residents = ([f.seat(id) for id in ids] for ids in (group.members, group.residents))
    if n["M0"]:
        found["C.6"] = ()
    # [P.2.2] a topscorer and another player, both with White (or both with Black) twice more, or oftener
    wide = [[s for s in members if s.difference > 1], [s for s in members if s.difference < -1]]
    if any(len(some) > 1 and any(s.top for s in some) for some in wide):
        found["C.8"] = wide
    # [P.2.3] a topscorer and another who absolutely expect a colour, somebody having had the other twice
    rows = [[s for s in members if s.colours[-2:] == twice] for twice in ("ww", "bb")]
    expect = [[s for s in members if s.strength == 3 and s.due == colour] for colour in "bw"]
    if any(
        row and len(some) > 1 and any(s.top for s in some) for row, some in zip(rows, expect, strict=True)
    ):
        found["C.9"] = rows
    for name in ("C.8", "C.9"):
        sizes = [len(some) for some in found.pop(name, [])]
        if sizes and n["NP"] not in sizes:
            found[name] = max(0, max(sizes) - (n["NP"] - n["CMP"]))
    for name, white, black in (("C.10", n["wS"], n["bS"]), ("C.11", n["WS"], n["BS"])):
        alike = n["NP"] == max(white, black) or max(white, black) <= 1
        if not alike and not (n["Fls"] == 0 and min(n["NP"] - white, n["NP"] - black) <= 1):
            found[name] = max(0, n["CMP"] - (n["NP"] - white - black) - min(white, black))
    floats = [sum(s.last == "d" for s in residents), sum(s.last == "u" for s in residents)]
    floats += [sum(s.before == "d" for s in residents), sum(s.before == "u" for s in residents)]
    for name, many, down in zip(("C.12", "C.13", "C.14", "C.15"), floats, (1, 0, 1, 0), strict=True):
        if 0 < many < n["Res"] and (clb or (n["Fls"] if down else n["CM1"])):
            found[name] = max(0, many - (2 * n["CMP"] - n["CM1"] if down else n["Res"] - n["CM1"]))
    higher = [s for s in members if s.score > min(other.score for other in members)]
    again = [any(s.last == "d" for s in higher), floats[1], any(s.before == "d" for s in higher), floats[3]]
    levels = len({s.score for s in members})
    for name, many, down in zip(("C.16", "C.17", "C.18", "C.19"), again, (1, 0, 1, 0), strict=True):
        if many and (clb or n["M0"] > n["CM1"] if down else levels > 2):
            found[name] = (0,) * (n["M0"] - n["CM1"] if down else n["CM1"])
    return dict.fromkeys(found, ()) if clb else found


def in_2026(name: str) -> str:
    """[Appendix P] What a criterion of 2017 is called in 2026."""
    number = int(name.removeprefix("C."))
    return f"C{number + (1 if number < 8 else 2)}"


@true_when("sieve.active", "sieve.active.none")
def _(f: Facts, m: Fields, about: About) -> bool:
    said = shown_values(m["values"]) if "values" in m else {}
    mine = active(f, about.index)
    return said == ({in_2026(name): least for name, least in mine.items()} if f.truth.new else mine)
