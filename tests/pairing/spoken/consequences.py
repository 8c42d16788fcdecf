"""Predicates of what would have come of another round, and of what is forbidden."""

from collections.abc import Iterable, Iterator
from typing import Any

from tests.pairing.spoken.facts import Facts
from tests.pairing.spoken.harvest import About
from tests.pairing.spoken.words import (
    Fields,
    Predicate,
    amount,
    any_bye,
    bye_scores,
    divided_otherwise,
    generated_later,
    group_is,
    leaves_no_round,
    meet,
    must_have,
    other_is_so,
    true_when,
    values_of,
)

# --- then


@true_when("then.C.13 (2012)")
def _(f: Facts, _: Fields, about: About) -> bool:
    if about.outcome == "tried":
        return leaves_no_round(f, about) and about.index == len(f.groups) - 2
    return f.truth.old and divided_otherwise(f, about)


@true_when("then.C5")
def _(f: Facts, m: Fields, about: About) -> bool:
    real, other = bye_scores(f, about)
    return (amount(m["real"]), amount(m["otherwise"])) == (real, other) and other > real


NAMES = {
    "then.C6": ("C6", "C.5", "P1"),
    "then.M1": ("M1",),
    "then.C.12 (2012)": ("C.12 (2012)",),
    "then.B2": ("B.2 (topscorers)",),
    "then.A7d": ("A.7.d",),
    "then.Z": ("Z",),
    "then.C9": ("C9",),
    "then.C7": ("C7", "B.3"),
    "then.C.6": ("C.6",),
    "then.C10": ("C10", "C.8"),
    "then.C11": ("C11", "C.9"),
    "then.C12": ("C12", "C.10", "X"),
    "then.C13": ("C13", "C.11"),
    "then.C14": ("C14", "C.12", "B.5 down"),
    "then.C15": ("C15", "C.13", "B.5 up"),
    "then.C16": ("C16", "C.14", "B.6 down"),
    "then.C17": ("C17", "C.15", "B.6 up"),
    "then.C18": ("C18", "C.16"),
    "then.C19": ("C19", "C.17"),
    "then.C20": ("C20", "C.18"),
    "then.C21": ("C21", "C.19"),
}
"""What the editions call what a sentence counts."""


def then(code: str) -> Predicate:
    def worse(f: Facts, m: Fields, about: About) -> bool:
        real, other = values_of(f, about)
        name = next(name for name in NAMES[code] if name in real)
        said = amount(m["real"]), amount(m["otherwise"])
        if "count" in m and m["count"] != said[1]:
            return False
        if code == "then.C6" and about.other and set(m["people"]) != set(about.other.floaters):
            return False
        if code in ("then.C.6", "then.M1", "then.C7") and f.groups[about.index].role == "joined":
            return False
        return (
            said == (real[name], other[name])
            and other[name] > real[name]
            and group_is(f, m["group"], about.index)
            and (about.outcome == "tried" or other_is_so(f, about))
        )

    return worse


for _code in NAMES:
    true_when(_code)(then(_code))


def ahead(f: Facts, about: About) -> tuple[Any, Any]:
    real, other = values_of(f, about)
    name = "C8" if f.truth.new else "C.7"
    return real[name], other[name]


@true_when("then.M1 joined", "then.B.3 joined")
def _(f: Facts, m: Fields, about: About) -> bool:
    real, other = values_of(f, about)
    name = "B.3" if "group" in m else "M1"
    return (
        f.groups[about.index].role == "joined"
        and other[name] > real[name]
        and (name == "M1" or (other["M1"] == real["M1"] and group_is(f, m["group"], about.index)))
        and (about.outcome == "tried" or other_is_so(f, about))
    )


@true_when("then.C8")
def _(f: Facts, m: Fields, about: About) -> bool:
    real, other = ahead(f, about)
    said = amount(m["real"]), amount(m["otherwise"])
    return (
        said == (real[0], other[0])
        and other[0] > real[0]
        and m["count"] == other[0]
        and group_is(f, m["group"], about.index)
    )


@true_when("then.C8.scores", "then.C.7.scores")
def _(f: Facts, m: Fields, about: About) -> bool:
    real, other = ahead(f, about)
    said = amount(m["real"]), amount(m["otherwise"])
    return (
        real[0] == other[0]
        and said == (real[1:], other[1:])
        and other > real
        and group_is(f, m["group"], about.index)
    )


@true_when("then.C8.none")
def _(f: Facts, m: Fields, about: About) -> bool:
    real, other = ahead(f, about)
    size = len(about.other.floaters) + len(f.below(about.index)[0]) if about.other else 0
    return other[0] > size and real[0] <= size and group_is(f, m["group"], about.index)


@true_when("then.later")
def _(f: Facts, m: Fields, about: About) -> bool:
    real, other = values_of(f, about)
    return real == other and group_is(f, m["group"], about.index) and generated_later(f, about)


# --- far causes


class Left:
    """Who is left, and whom each of them may still meet; 0 stands for the bye."""

    def __init__(self, f: Facts, about: About, stands: int | None, fixed: bool) -> None:
        self.f = f
        players = set(f.truth.rank)
        index = about.index
        if about.outcome == "tried" and about.other:
            players = set(about.other.floaters) | self._below(index)
        elif stands is not None:
            index = next(k for k, g in enumerate(f.groups) if k == about.index and g.score == stands)
            players = set(f.groups[index].floaters) | self._below(index)
        elif fixed:
            players -= {id for group in f.groups[: about.home] for pair in group.pairs for id in pair}
        self.bye = len(players) % 2 == 1
        if about.asked and about.outcome != "tried":
            if 0 in about.asked:
                self.bye = False
            players -= set(about.asked)
        self.players = players
        self.stays, self.leaves = about.stays, about.leaves
        home = f.groups[about.home]
        self.inside = set(home.residents if self.stays in home.moved else home.members)
        self.last = about.home == len(f.groups) - 1

    def _below(self, index: int) -> set[int]:
        return {self.f.truth.seats[rank].id for group in self.f.below(index) for rank in group}

    def options(self, id: int) -> set[int]:
        """Opponents still there."""
        found = {other for other in self.players if other != id and self.f.may_meet(id, other)}
        for one, keeps in ((self.stays, True), (self.leaves, False)):
            if one and not (keeps and self.last):
                if id == one:
                    found = {other for other in found if (other in self.inside) == keeps}
                elif one in found and (id in self.inside) != keeps:
                    found.discard(one)
        return found

    def takers(self, fixed: bool) -> set[int]:
        """Those left who may have the bye."""
        ranks = self.f.truth.byes if fixed else any_bye(self.f)
        return {id for id in self.players if self.f.truth.rank[id] in ranks and id != self.stays}

    def go_on(self, pairs: Iterable[tuple[int, int]]) -> bool:
        """Make pairs one after the other, each the only one that is left for its player."""
        for one, other in pairs:
            if 0 in (one, other):
                holder = one or other
                alone = not self.options(holder) or any(
                    self.takers(fixed) <= {holder} for fixed in (True, False)
                )
                if not self.bye or holder not in self.players or not alone:
                    return False
                self.bye = False
                self.players.discard(holder)
                continue
            if one not in self.players or self.options(one) != {other}:
                return False
            self.players -= {one, other}
        return True


def worlds(f: Facts, m: Fields, about: About) -> Iterator[Left]:
    """The rest of the round, where the pairs above a float's group may stand or not."""
    stands = m.get("points")
    for fixed in (False, True):
        yield Left(f, about, stands, fixed)


@true_when("cause.nobody", "cause.stands.nobody", "cause.chain", "cause.stands.chain")
def _(f: Facts, m: Fields, about: About) -> bool:
    return any(
        left.go_on(m.get("pairs", ())) and m["player"] in left.players and not left.options(m["player"])
        for left in worlds(f, m, about)
    )


@true_when("cause.no-bye", "cause.stands.no-bye", "cause.no-bye-chain", "cause.stands.no-bye-chain")
def _(f: Facts, m: Fields, about: About) -> bool:
    return any(
        left.go_on(m.get("pairs", ())) and left.bye and not left.takers(fixed=True)
        for left in worlds(f, m, about)
    )


@true_when("cause.group", "cause.stands.group")
def _(f: Facts, m: Fields, about: About) -> bool:
    people = set(m["people"])
    return len(people) % 2 == 1 and any(
        people <= left.players and all(left.options(id) <= people for id in people) and len(people) > 1
        for left in worlds(f, m, about)
    )


def too_few(f: Facts, m: Fields, about: About, alone: bool) -> bool:
    people, helpers = set(m["people"]), set(m["helpers"])
    for left in worlds(f, m, about):
        if not people <= left.players or not helpers - {0} <= left.players:
            continue
        able = {id: left.options(id) for id in people}
        for fixed in (True, False):
            takers = left.takers(fixed) if left.bye else set()
            full = {id: able[id] | ({0} if id in takers else set()) for id in people}
            seen = set().union(*full.values())
            apart = not any(full[id] & people for id in people)
            if (
                seen - people == helpers
                and apart == alone
                and f.short_of(sorted(people), lambda id, full=full: full[id])  # type: ignore[misc]
            ):
                return True
    return False


@true_when("cause.helpers", "cause.stands.helpers")
def _(f: Facts, m: Fields, about: About) -> bool:
    return too_few(f, m, about, alone=False)


@true_when("cause.few", "cause.stands.few")
def _(f: Facts, m: Fields, about: About) -> bool:
    return too_few(f, m, about, alone=True)


# --- what is forbidden


@true_when("forbidden.C1")
def _(f: Facts, m: Fields, _: About) -> bool:
    return f.met_in(m["a"], m["b"], m["round"])


@true_when("forbidden.C3")
def _(f: Facts, m: Fields, _: About) -> bool:
    a, b = m["a"], m["b"]
    free = f.seat(a).top or f.seat(b).top
    return a != b and must_have(f, a, m["colour"]) and must_have(f, b, m["colour"]) and not free


@true_when("forbidden.prohibited")
def _(f: Facts, m: Fields, _: About) -> bool:
    return frozenset((m["a"], m["b"])) in f.truth.banned


def barred_by(f: Facts, m: Fields, letters: str) -> bool:
    player = f.player(m["player"])
    return (
        player.letters[m["round"] - 1] in letters
        and m["round"] > 0
        and f.truth.rank[player.id] not in any_bye(f)
    )


@true_when("forbidden.C2")
def _(f: Facts, m: Fields, _: About) -> bool:
    return f.truth.new and barred_by(f, m, "U+FHZ" if isinstance(f.snapshot.bars_the_bye, str) else "U+F")


@true_when("forbidden.C.2")
def _(f: Facts, m: Fields, _: About) -> bool:
    return f.edition == "dutch-2017" and barred_by(f, m, "U+")


@true_when("forbidden.B.1.b")
def _(f: Facts, m: Fields, _: About) -> bool:
    return f.truth.old and barred_by(f, m, "U+FH")


@true_when("forbidden.even")
def _(f: Facts, _: Fields, __: About) -> bool:
    return not f.truth.odd and f.pab == 0


@true_when("real.pair")
def _(f: Facts, m: Fields, _: About) -> bool:
    return meet(f, m["a"], m["b"])
