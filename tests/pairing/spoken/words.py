"""What the predicates have in common: the register of them, articles by edition, and small words."""

from collections.abc import Callable, Iterable, Mapping
from typing import Any

from paircard.domain.errors import PaircardError
from paircard.domain.events import RoundPaired
from paircard.pairing.explain import Bars, Candidate, Counted, Group
from paircard.projections.standings.standings import Ranking
from paircard.projections.standings.tiebreaks import parse_list
from paircard.service.explaining import Round
from tests.pairing.spoken.facts import Facts, Followed, followed, same_pairs
from tests.pairing.spoken.facts import Group as Bracket
from tests.pairing.spoken.harvest import About

Fields = Mapping[str, Any]
Predicate = Callable[[Facts, Fields, About], bool]
PREDICATES: dict[str, Predicate] = {}

ORDER = {
    "dutch-2026": {"mdp-set": "4.4", "mdp-opponents": "4.2", "exchange": "4.3", "transposition": "4.2"},
    "dutch-2017": {"mdp-set": "D.3", "mdp-opponents": "D.1", "exchange": "D.2", "transposition": "D.1"},
    "dutch-2012": {"mdp-set": "D.3", "mdp-opponents": "D.1.2", "exchange": "D.2", "transposition": "D.1.1"},
}
ORDER["dutch-2012-javafo"] = ORDER["dutch-2012"]
FIRST = {"dutch-2026": "3.8", "dutch-2017": "B.8", "dutch-2012": "C.6", "dutch-2012-javafo": "C.6"}
TOPSCORERS = {"dutch-2026": "1.8", "dutch-2017": "A.7", "dutch-2012": "A.10", "dutch-2012-javafo": "A.10"}
ABSOLUTE = {
    "dutch-2026": {"C1": "C1", "C2": "C2", "C3": "C3", "C4": "C4", "C5": "C5"},
    "dutch-2017": {"C1": "C.1", "C2": "C.2", "C3": "C.3", "C4": "C.4", "C5": "C5"},
    "dutch-2012": {"C1": "B.1.a", "C2": "B.1.b", "C3": "B.2", "C4": "C.13 (2012)", "C5": "C5"},
}
ABSOLUTE["dutch-2012-javafo"] = ABSOLUTE["dutch-2012"]
OTHER = {"w": "b", "b": "w"}
BRIEF = 8
"""Pairs up to which a candidate is written out."""


NONSENSE = (
    AssertionError,
    AttributeError,
    LookupError,
    PaircardError,
    RuntimeError,
    StopIteration,
    TypeError,
    ValueError,
)
"""What a predicate raises where a sentence makes no sense."""


def true_when(*codes: str) -> Callable[[Predicate], Predicate]:
    """The predicate of these templates."""

    def taken(predicate: Predicate) -> Predicate:
        for code in codes:
            assert code not in PREDICATES, code
            PREDICATES[code] = predicate
        return predicate

    return taken


def holds(f: Facts, code: str, fields: Fields, about: About) -> bool:
    """Whether a sentence is true; a field that makes no sense makes it false."""
    try:
        return bool(PREDICATES[code.removeprefix("explain.")](f, fields, about))
    except NONSENSE:
        return False


def meet(f: Facts, a: int, b: int) -> bool:
    return f.meets.get(a) == b


def has(f: Facts, id: int, points: int) -> bool:
    return f.score(id) == points


def candidate_is(shown: Candidate, group: Bracket) -> bool:
    """Whether a candidate is this one; of a large one some pairs are shown, and how many there are."""
    pairs = {frozenset(pair) for pair in group.pairs}
    shown_pairs = [frozenset(pair) for pair in shown.pairs]
    if not pairs.issuperset(shown_pairs) or tuple(shown.downfloaters) != group.floaters:
        return False
    return shown.of == len(pairs) if shown.of else len(shown_pairs) == len(pairs)


def other_is_so(f: Facts, about: About) -> bool:
    """Whether the other round is one: legal, with everybody in it, and as it was asked for."""
    if about.other is None or about.index < 0:
        return False
    if not all(f.may_meet(a, b) for a, b in about.other.pairs):
        return False
    if set(about.other.members) != set(f.groups[about.index].members):
        return False
    if about.boards:
        there = [id for board in about.boards for id in (board.white, board.black)]
        there += [about.pab] if about.pab else []
        if sorted(there) != sorted(f.truth.rank):
            return False
        if not all(f.may_meet(board.white, board.black) for board in about.boards):
            return False
    met = {id: other for pair in about.other.pairs for id, other in (pair, pair[::-1])}
    if about.asked and about.boards:
        a, b = about.asked
        boards = {frozenset((board.white, board.black)) for board in about.boards}
        if (about.pab != (a or b)) if 0 in (a, b) else (frozenset((a, b)) not in boards):
            return False
    if about.leaves and about.leaves in met:
        return False
    if about.stays and about.boards:  # with an opponent of the group, or of anywhere instead of the bye
        seated = {id: b for one in about.boards for id, b in ((one.white, one.black), (one.black, one.white))}
        home = f.groups[about.home]
        last = about.home == len(f.groups) - 1
        return about.stays in seated and (last or seated[about.stays] in home.members)
    return not about.stays or about.stays in met


def values_of(f: Facts, about: About) -> tuple[Any, Any]:
    assert about.other is not None
    return f.values(f.groups[about.index], about.index), f.values(about.other, about.index)


def amount(value: Any) -> Any:
    """What a field says: a count, or a criterion's value."""
    return value.many if isinstance(value, Counted) else value.value


def group_is(f: Facts, said: Group, index: int) -> bool:
    real = f.groups[index]
    role = "" if real.role == "PPB" and not f.below(index) else real.role
    return said.score == real.score and said.role in (real.role, role)


def bye_scores(f: Facts, about: About) -> tuple[int, int]:
    """Points of whoever has the bye: in the round, and in the other one."""
    other = about.other.floaters[0] if about.outcome == "tried" and about.other else about.pab
    return f.score(f.pab), f.score(other)


def often(f: Facts, id: int, more: str, less: str) -> int:
    colours = f.seat(id).colours
    return colours.count(more) - colours.count(less)


def differed(f: Facts, a: int, b: int) -> tuple[int, str, str]:
    """How many games ago two had different colours last, and which; zero for never."""
    pairs = zip(reversed(f.seat(a).colours), reversed(f.seat(b).colours), strict=False)
    return next(((ago, x, y) for ago, (x, y) in enumerate(pairs, 1) if x != y), (0, "", ""))


def partner_in(pairs: Iterable[tuple[int, int]], id: int) -> int:
    return {a: b for pair in pairs for a, b in (pair, pair[::-1])}.get(id, 0)


def in_plain_order(f: Facts, id: int) -> int:
    """Whom a player would have met in plain order."""
    index = f.index_of(id)
    return partner_in(f.natural(f.groups[index], index), id)


def any_bye(f: Facts) -> set[int]:
    """Ranks of all who may have the bye, of whatever score."""
    return {seat.rank for seat in f.truth.seats if seat.bye} | f.truth.byes


def completes(f: Facts, about: About) -> bool:
    """Whether everybody can be paired on the condition that is asked for."""
    truth = f.truth
    if about.asked and 0 not in about.asked:
        i, j = (truth.rank[id] for id in about.asked)
        rest = truth.everyone - {i, j}
        return truth.all_paired(rest) or any(truth.all_paired(rest - {k}) for k in any_bye(f) & rest)
    if about.asked:
        rank = truth.rank[max(about.asked)]
        return rank in any_bye(f) and truth.all_paired(truth.everyone - {rank})
    if about.outcome == "tried" and about.other:
        left = {truth.rank[id] for id in about.other.floaters} | {
            rank for group in f.below(about.index) for rank in group
        }
        return truth.completes(frozenset(left))
    if about.stays and about.home == len(f.groups) - 1:
        one = truth.rank[about.stays]
        above = {truth.rank[id] for group in f.groups[:-1] for pair in group.pairs for id in pair}
        rest = truth.everyone - above
        return any(truth.all_paired(rest - {k}) for k in truth.byes & rest - {one})
    return False


def leaves_no_round(f: Facts, about: About) -> bool:
    """Whether those who are left by another candidate, and all below, cannot be paired."""
    assert about.other is not None
    left = {f.truth.rank[id] for id in about.other.floaters}
    left |= {rank for group in f.below(about.index) for rank in group}
    return not f.truth.completes(frozenset(left))


def if_asked(f: Facts, about: About) -> tuple[Followed, ...]:
    """[2012 C] The brackets that the steps of the text lead to on the condition that is asked for."""
    asked, home = about.asked or (0, 0), f.groups[about.home].members
    found = followed(f.snapshot, asked, about.stays, about.leaves, home, ())
    above = f.groups[: about.home] if about.index == about.home else ()
    if any(not same_pairs(one.pairs, two.pairs) for one, two in zip(found, above, strict=False)):
        kept = tuple(pair for group in above for pair in group.pairs)  # as it is above the player's bracket
        return followed(f.snapshot, asked, about.stays, about.leaves, home, kept)
    return found


def divided_otherwise(f: Facts, about: About) -> bool:
    """[2012 C.13] Whether the steps of the text then join other score groups at the end."""
    found = if_asked(f, about)
    return not found or sorted(found[-1].residents) != sorted(f.groups[-1].residents)


def generated_later(f: Facts, about: About) -> bool:
    """Whether the other candidate comes later in the fixed order (Article 4, section D)."""
    real = f.groups[about.index]
    assert about.other is not None
    if same_pairs(real.pairs, about.other.pairs):
        return False
    return f.generated(real, about.index) < f.generated(about.other, about.index)


def must_have(f: Facts, id: int, colour: str) -> bool:
    seat = f.seat(id)
    return seat.strength == 3 and seat.due == colour


def bars_are_true(f: Facts, said: Bars) -> bool:
    names = ABSOLUTE[f.edition]
    for a, b, rule, round in said.bars:
        if rule == names["C1"]:
            so = f.met_in(a, b, round)
        elif rule == names["C3"]:
            so = (
                f.seat(a).strength == 3 == f.seat(b).strength
                and f.seat(a).due == f.seat(b).due
                and not (f.seat(a).top or f.seat(b).top)
            )
        else:
            so = rule == "prohibited" and frozenset((a, b)) in f.truth.banned
        if not so:
            return False
    return bool(said.bars)


def alike(f: Facts, group: Bracket, pairs: Iterable[tuple[int, int]], scores: bool = True) -> bool:
    """Whether a candidate has as many pairs, and as many and as good players who moved down in them."""
    made = f.made(group, list(pairs))
    limbo, real = ([f.score(id) for id in g.floaters if id in g.moved] for g in (made, group))
    same = sorted(limbo) == sorted(real) if scores else len(limbo) == len(real)
    return len(made.pairs) == len(group.pairs) and same


def article(f: Facts, m: Fields, step: str) -> bool:
    return bool(m["article"] == ORDER[f.edition][step])


def known_criterion(f: Facts, name: str) -> bool:
    return any(name in f.values(group, index) for index, group in enumerate(f.groups))


def met(value: Any) -> bool:
    return value in (0, (), (0,))


def apart(f: Facts, about: About) -> set[frozenset[int]]:
    group = f.groups[about.index]
    pairs = {
        frozenset((a, b)) for a in group.members for b in group.members if a != b and not f.may_meet(a, b)
    }
    return {pair for pair in pairs if not pair <= set(group.moved)}


def stands(about: About) -> Round:
    assert about.round is not None
    return about.round


def came(origin: str) -> Predicate:
    def so(_: Facts, m: Fields, about: About) -> bool:
        paired = [one.fact for one in about.log if isinstance(one.fact, RoundPaired)]
        return [one.origin for one in paired if one.round == m["round"]][-1:] == [origin]

    return so


def lines_of(about: About, codes: str) -> dict[int, Any]:
    assert about.table is not None
    listed = parse_list(codes)
    found = Ranking(about.table, about.table.paired, listed, orders=about.orders, places=about.filed).lines()
    return {line.id: line for line in found}


def above(about: About, m: Fields, codes: str = "PTS") -> bool:
    rank = lines_of(about, codes)
    return bool(rank[m["player"]].rank <= rank[m["other"]].rank and m["player"] != m["other"])
