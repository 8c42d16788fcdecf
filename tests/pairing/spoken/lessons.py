"""Predicates of a round told as a lesson."""

import re
from typing import Any

from tests.pairing.spoken.candidates import as_list, fails, row_values, shown_values
from tests.pairing.spoken.facts import Facts, group_of, same_pairs
from tests.pairing.spoken.harvest import About
from tests.pairing.spoken.words import ABSOLUTE, PREDICATES, Fields, any_bye, candidate_is, met, true_when


@true_when("slide.round", "slide.boards")
def _(f: Facts, m: Fields, _: About) -> bool:
    return bool(m["round"] == f.snapshot.round)


@true_when("slide.group")
def _(f: Facts, m: Fields, _: About) -> bool:
    numbers = [int(re.match(r"\d+", word)[0]) for word in m["subgroups"].split()]  # type: ignore[index]
    return numbers == [f.player(id).number for id in f.on(m["points"])] and bool(numbers)


@true_when("slide.zero")
def _(f: Facts, m: Fields, _: About) -> bool:
    pairs = m["candidate"].pairs
    there = sorted(id for pair in pairs for id in pair if id)
    return there == sorted(f.truth.rank) and all(
        f.may_meet(a, b) if b else f.truth.rank[a] in any_bye(f) for a, b in pairs
    )


@true_when("slide.pairs")
def _(f: Facts, m: Fields, _: About) -> bool:
    boards = [(board.white, board.black) for board in f.boards] + ([(f.pab, 0)] if f.pab else [])
    return list(m["candidate"].pairs) == boards


def shown_row(f: Facts, m: Fields, about: About) -> bool:
    return about.other is not None and candidate_is(m["candidate"], about.other)


@true_when("slide.illegal")
def _(f: Facts, m: Fields, about: About) -> bool:
    return shown_row(f, m, about) and PREDICATES["sieve.barred"](f, m, about)


def legal_row(f: Facts, about: About) -> bool:
    return about.other is not None and all(f.may_meet(a, b) for a, b in about.other.pairs)


def ranks_before(f: Facts, about: About) -> list[Any]:
    """Values of the legal candidates listed before this one that leave a round."""
    assert about.sieve is not None
    before = []
    for row in about.sieve.rows:
        if about.row is not None and row == about.row:
            break
        group = group_of(row.candidate)
        if not row.bars and not (row.excluded and row.excluded == ABSOLUTE[f.edition]["C4"]):
            before.append([as_list(value) for value in f.values(group, about.index).values()])
    return before


def best_so_far(f: Facts, m: Fields, about: About, champion: bool) -> bool:
    """Whether a candidate that is not chosen is better than all before it, if there is any or if none."""
    mine = [as_list(value) for value in row_values(f, about)[1].values()]
    before = ranks_before(f, about)
    assert about.other is not None
    chosen = same_pairs(about.other.pairs, f.groups[about.index].pairs)
    better = bool(before) == champion and all(mine < other for other in before)
    return shown_row(f, m, about) and legal_row(f, about) and fails(f, m, about) and better and not chosen


@true_when("slide.first")
def _(f: Facts, m: Fields, about: About) -> bool:
    return best_so_far(f, m, about, champion=False)


@true_when("slide.better")
def _(f: Facts, m: Fields, about: About) -> bool:
    return best_so_far(f, m, about, champion=True)


@true_when("slide.worse")
def _(f: Facts, m: Fields, about: About) -> bool:
    values = {name: value for name, value in row_values(f, about)[1].items() if not met(value)}
    mine = [as_list(value) for value in row_values(f, about)[1].values()]
    worse = any(other <= mine for other in ranks_before(f, about))
    return shown_row(f, m, about) and legal_row(f, about) and shown_values(m["values"]) == values and worse


@true_when("slide.rest")
def _(f: Facts, m: Fields, about: About) -> bool:
    return shown_row(f, m, about) and legal_row(f, about) and PREDICATES["sieve.C4"](f, m, about)


@true_when("slide.accepted", "slide.perfect")
def _(f: Facts, m: Fields, about: About) -> bool:
    real = f.groups[about.index]
    return shown_row(f, m, about) and fails(f, m, about) and f.agreed and candidate_is(m["candidate"], real)
