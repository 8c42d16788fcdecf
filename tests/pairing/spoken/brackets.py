"""Predicates of brackets, of what was tried in them, and of legends."""

from tests.pairing.spoken.facts import LARGEST, Facts, same_pairs
from tests.pairing.spoken.facts import Group as Bracket
from tests.pairing.spoken.harvest import About
from tests.pairing.spoken.words import (
    ABSOLUTE,
    BRIEF,
    ORDER,
    PREDICATES,
    Fields,
    Predicate,
    alike,
    amount,
    any_bye,
    article,
    bars_are_true,
    bye_scores,
    candidate_is,
    completes,
    has,
    other_is_so,
    true_when,
    values_of,
)

# --- boards and brackets


@true_when("board.white")
def _(f: Facts, m: Fields, _: About) -> bool:
    board = f.boards[m["board"] - 1]
    return (board.white, board.black, m["round"]) == (m["player"], m["opponent"], f.snapshot.round)


@true_when("board.black")
def _(f: Facts, m: Fields, _: About) -> bool:
    board = f.boards[m["board"] - 1]
    return (board.black, board.white, m["round"]) == (m["player"], m["opponent"], f.snapshot.round)


@true_when("board.bye")
def _(f: Facts, m: Fields, _: About) -> bool:
    return bool(f.pab == m["player"] and m["round"] == f.snapshot.round)


@true_when("board")
def _(f: Facts, m: Fields, _: About) -> bool:
    board = f.boards[m["board"] - 1]
    rule = f.white(m["white"], m["black"])[2]
    article = f"5.2.{rule}" if f.truth.new else f"E.{rule}"
    return (board.white, board.black, m["article"]) == (m["white"], m["black"], article)


def paired_in(role: str) -> Predicate:
    def there(f: Facts, m: Fields, _: About) -> bool:
        index = f.index_of(m["player"])
        group = f.groups[index]
        own = "" if group.role == "PPB" and not f.below(index) else group.role
        return (
            m["player"] in f.meets
            and own == role
            and group.score == m["score"]
            and has(f, m["player"], m["points"])
        )

    return there


true_when("bracket.of")(paired_in(""))


for _role in ("PPB", "CLB", "joined", "homogeneous"):
    true_when(f"bracket.of.{_role}")(paired_in(_role))


@true_when("bracket.of.virtual")
def _(f: Facts, m: Fields, _: About) -> bool:
    group, player = f.groups[f.index_of(m["player"])], f.player(m["player"])
    virtual = player.score - player.points
    return bool(group.score == m["score"] and player.score == m["points"] and virtual == m["virtual"] > 0)


def title(role: str) -> Predicate:
    def named(f: Facts, m: Fields, about: About) -> bool:
        group = f.groups[about.index]
        own = "" if group.role == "PPB" and not f.below(about.index) else group.role
        return own == role and (group.score == m["score"])

    return named


true_when("bracket.title")(title(""))


for _role in ("PPB", "CLB", "joined", "homogeneous"):
    true_when(f"bracket.title.{_role}")(title(_role))


def parts_of(f: Facts, m: Fields, about: About) -> bool:
    """S1, S2, Limbo, S1R and S2R, by numbers."""
    group = f.groups[about.index]
    number = {player.id: player.number for player in f.snapshot.players}
    rest = f.remainder(group)
    many = sum(a not in group.moved for a, _ in group.pairs)
    rows = [("S1", rest[:many]), ("S2", rest[many:])]
    if group.moved:
        limbo = [id for id in group.floaters if id in group.moved]
        rows = [("S1", [id for id in group.moved if id not in limbo]), ("S2", list(group.residents))]
        rows += [("Limbo", limbo)] + ([("S1R", rest[:many]), ("S2R", rest[many:])] if many else [])
    shown = ", ".join(f"{label} {' '.join(str(number[id]) for id in ids)}" for label, ids in rows if ids)
    return bool(m["subgroups"] == shown)


@true_when("bracket.parts")
def _(f: Facts, m: Fields, about: About) -> bool:
    return parts_of(f, m, about)


@true_when("bracket.parts.homogeneous")
def _(f: Facts, m: Fields, about: About) -> bool:
    return parts_of(f, m, about) and not f.groups[about.index].moved


@true_when("bracket.parts.heterogeneous")
def _(f: Facts, m: Fields, about: About) -> bool:
    return parts_of(f, m, about) and bool(f.groups[about.index].moved)


def clashing(f: Facts, group: Bracket, pairs: int, strength: int) -> int:
    """[Appendix P 2.4, 2.5] Pairs of two who want one colour, at the least."""
    strong = [f.seat(id).due for id in group.members if f.seat(id).strength >= strength]
    white, black = strong.count("w"), strong.count("b")
    return max(0, pairs - (len(group.members) - white - black) - min(white, black))


def symbols_of(f: Facts, index: int) -> dict[str, int]:
    group = f.groups[index]
    made, most = len(group.pairs), len(group.members) // 2
    moved = (
        {"M0": len(group.moved), "M1": sum(a in group.moved for a, _ in group.pairs)} if group.moved else {}
    )
    if not f.truth.old:
        x, z = clashing(f, group, made, 1), clashing(f, group, made, 2)
        return {**moved, "MaxPairs": made, "x": x, "z": z}
    found = {"P0": most, "P1": made, **moved, "X1": clashing(f, group, most, 1)}
    values = f.values(group, index)
    found["X"] = values["X"]  # type: ignore[assignment]
    if f.snapshot.round % 2 == 0:
        found |= {"Z1": clashing(f, group, most, 2), "Z": values["Z"]}  # type: ignore[dict-item]
    return found


@true_when("bracket.numbers")
def _(f: Facts, m: Fields, about: About) -> bool:
    shown = ", ".join(f"{name} {n}" for name, n in symbols_of(f, about.index).items())
    return bool(m["symbols"] == shown)


@true_when("bracket.lowered")
def _(f: Facts, m: Fields, about: About) -> bool:
    group = f.groups[about.index]
    made = len(group.pairs)
    return made < len(group.members) // 2 and made == m["made"] and m["x"] == clashing(f, group, made, 1)


@true_when("bracket.lowered.Z1")
def _(f: Facts, m: Fields, about: About) -> bool:
    made = len(f.groups[about.index].pairs)
    z = clashing(f, f.groups[about.index], made, 2)
    return PREDICATES["bracket.lowered"](f, m, about) and m["z"] == z and f.snapshot.round % 2 == 0


@true_when("bracket.collapsed")
def _(f: Facts, m: Fields, about: About) -> bool:
    assert about.other is not None
    left = {f.truth.rank[id] for id in about.other.floaters}
    left |= {rank for group in f.below(about.index) for rank in group}
    return (
        f.groups[about.index].role == "PPB"
        and f.groups[about.index + 1].role == "CLB"
        and candidate_is(m["candidate"], about.other)
        and not f.truth.completes(frozenset(left))
    )


@true_when("bracket.rest")
def _(f: Facts, m: Fields, about: About) -> bool:
    left = set(f.groups[about.index].floaters)
    left |= {f.truth.seats[rank].id for group in f.below(about.index) for rank in group}
    said = m["candidate"]
    for a, b in said.pairs:
        left.remove(a)
        if b:
            left.remove(b)
            if not f.may_meet(a, b):
                return False
        elif f.truth.rank[a] not in f.truth.byes:
            return False
    return not left or bool(said.of)


# --- what was tried


@true_when("natural.chosen", "natural.best")
def _(f: Facts, m: Fields, about: About) -> bool:
    group = f.groups[about.index]
    return f.in_plain_order(about.index) and candidate_is(m["candidate"], group) and f.agreed


@true_when("natural.first")
def _(f: Facts, m: Fields, about: About) -> bool:
    group = f.groups[about.index]
    first = f.made(group, f.natural(group, about.index))
    return candidate_is(m["candidate"], first) and not f.in_plain_order(about.index)


@true_when("natural.bars")
def _(f: Facts, m: Fields, about: About) -> bool:
    if about.other is None or about.outcome != "tried":
        return bars_are_true(f, m["bars"])
    illegal = {frozenset(pair) for pair in about.other.pairs if not f.may_meet(*pair)}
    return bars_are_true(f, m["bars"]) and {frozenset(bar[:2]) for bar in m["bars"].bars} == illegal


def excluded_by(f: Facts, m: Fields, about: About) -> bool:
    """Whether a criterion is the first in which another candidate is worse, with both values."""
    name = m["criterion"]
    said = amount(m["real"]), amount(m["otherwise"])
    if m.get("meaning", name) != name:
        return False
    if name == "C5":
        return said == bye_scores(f, about) and said[1] > said[0]
    real, other = values_of(f, about)
    differing = next((each for each in real if each in other and real[each] != other[each]), "")
    return differing == name and said == (real[name], other[name]) and said[1] > said[0]


@true_when("natural.worse", "natural.worse.brief")
def _(f: Facts, m: Fields, about: About) -> bool:
    return excluded_by(f, m, about)


@true_when("contrast.worse", "contrast.worse.brief")
def _(f: Facts, m: Fields, about: About) -> bool:
    return excluded_by(f, m, about) and other_is_so(f, about)


@true_when("natural.rule")
def _(f: Facts, m: Fields, about: About) -> bool:
    names, other = ABSOLUTE[f.edition], about.other
    if m["criterion"] != m["meaning"] or other is None:
        return False
    if m["criterion"] == names["C2"]:
        return len(other.floaters) == 1 and f.truth.rank[other.floaters[0]] not in any_bye(f)
    return m["criterion"] == names["C4"] and not completes(f, about)


def first_legal(f: Facts, index: int, shown: Bracket) -> bool:
    """Whether no candidate that is allowed comes before this one."""
    group = f.groups[index]
    if not all(f.may_meet(a, b) for a, b in shown.pairs):
        return False
    if len(group.members) > LARGEST:
        return True
    bracket, truth = f.bracket(group, index), f.truth
    must = truth.must_complete(bracket)
    if truth.old:  # [2012 C.13] the last two, and the one above joined ones if it was paired anew
        must = len(bracket.below) < 2 or index == f.anew
    allowed = [
        f.ranked(pairs)
        for pairs in f.candidates(group, index)
        if alike(f, group, pairs, scores=truth.new or truth.old)
        and (not must or truth.leaves_a_round(bracket, f.ranked(pairs)))
    ]
    first = min((truth.generated(bracket, pairs), pairs) for pairs in allowed)[1]
    return same_pairs(first, f.ranked(shown.pairs))


@true_when("legal.first")
def _(f: Facts, m: Fields, about: About) -> bool:
    other = about.other
    return other is not None and candidate_is(m["candidate"], other) and first_legal(f, about.index, other)


@true_when("legal.chosen")
def _(f: Facts, m: Fields, about: About) -> bool:
    group = f.groups[about.index]
    return candidate_is(m["candidate"], group) and first_legal(f, about.index, group)


@true_when("chosen")
def _(f: Facts, m: Fields, about: About) -> bool:
    return candidate_is(m["candidate"], f.groups[about.index]) and f.agreed


@true_when("step.mdp-set", "step.mdp-set.none")
def _(f: Facts, m: Fields, about: About) -> bool:
    group = f.groups[about.index]
    paired = tuple(id for id in group.moved if id in {a for a, _ in group.pairs})
    return article(f, m, "mdp-set") and tuple(m.get("numbered", ())) == paired


@true_when("step.mdp-opponents")
def _(f: Facts, m: Fields, about: About) -> bool:
    group = f.groups[about.index]
    pairs = [pair for pair in group.pairs if pair[0] in group.moved]
    in_order = tuple(b for _, b in sorted(pairs, key=lambda pair: f.truth.rank[pair[0]]))
    return (
        article(f, m, "mdp-opponents")
        and same_pairs(m["candidate"].pairs, pairs[:BRIEF])
        and in_order != group.residents[: len(pairs)]
    )


def halves_of(f: Facts, group: Bracket) -> tuple[list[int], list[int], list[int]]:
    """The remainder: who is in S1 after the exchange, the first half as it was, and all."""
    rest = f.remainder(group)
    upper = [id for id in rest if id in {a for a, _ in group.pairs}]
    return upper, rest[: len(upper)], rest


@true_when("step.exchange")
def _(f: Facts, m: Fields, about: About) -> bool:
    upper, first, _ = halves_of(f, f.groups[about.index])
    return (
        article(f, m, "exchange")
        and tuple(m["down"]) == tuple(id for id in first if id not in upper)
        and tuple(m["up"]) == tuple(id for id in upper if id not in first)
        and bool(m["down"])
    )


@true_when("step.transposition")
def _(f: Facts, m: Fields, about: About) -> bool:
    upper, _, rest = halves_of(f, f.groups[about.index])
    met = [f.meets[id] for id in upper]
    lower = [id for id in rest if id not in upper]
    return article(f, m, "transposition") and list(m["numbered"]) == met != lower[: len(met)]


# --- legends


@true_when("key.colours")
def _(f: Facts, _: Fields, about: About) -> bool:
    assert about.story is not None
    return all(
        (seat.preference.colour, STRENGTHS.index(seat.preference.strength), seat.floats)
        == (own.due, own.strength, (own.last or "-", own.before or "-"))
        for seat in about.story.players
        for own in [f.seat(seat.id)]
    ) and {d for b in about.story.brackets for d in b.candidate.downfloaters} == {
        id for group in f.groups for id in group.floaters
    }


STRENGTHS = ("none", "mild", "strong", "absolute")


@true_when("key.parts")
def _(f: Facts, _: Fields, __: About) -> bool:
    return any(group.moved for group in f.groups)


@true_when("key.topscorers")
def _(f: Facts, _: Fields, about: About) -> bool:
    assert about.story is not None
    marked = {seat.id for seat in about.story.players if seat.topscorer}
    return bool(marked) and marked == {seat.id for seat in f.truth.seats if seat.top}


@true_when("key.numbers")
def _(f: Facts, _: Fields, about: About) -> bool:
    assert about.story is not None
    return not f.truth.old and all(
        bracket.numbers.symbols == symbols_of(f, k) for k, bracket in enumerate(about.story.brackets)
    )


@true_when("key.numbers.P0")
def _(f: Facts, _: Fields, about: About) -> bool:
    assert about.story is not None
    return f.truth.old and all(
        bracket.numbers.symbols == symbols_of(f, k) for k, bracket in enumerate(about.story.brackets)
    )


def edition_is(edition: str) -> Predicate:
    return lambda f, _, __: f.edition == edition


for _edition in (*ORDER, "round-robin"):
    true_when(f"edition.{_edition}")(edition_is(_edition))
