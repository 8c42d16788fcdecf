"""Predicates of what a player is told: points, opponent, floats, the bye, absence."""

from paircard.pairing.explain import Meeting
from tests.pairing.spoken.facts import Facts, sides
from tests.pairing.spoken.facts import Group as Bracket
from tests.pairing.spoken.harvest import About
from tests.pairing.spoken.words import (
    OTHER,
    Fields,
    Predicate,
    any_bye,
    differed,
    has,
    in_plain_order,
    meet,
    often,
    other_is_so,
    true_when,
    values_of,
)

# --- one player, plainly


@true_when("plain.have")
def _(f: Facts, m: Fields, _: About) -> bool:
    return has(f, m["player"], m["points"])


@true_when("plain.same")
def _(f: Facts, m: Fields, about: About) -> bool:
    return (
        has(f, m["opponent"], m["points"])
        and meet(f, about.player, m["opponent"])
        and has(f, about.player, m["points"])
    )


def went_down(f: Facts, id: int, left: int) -> bool:
    """Whether a player was not paired in the group of these points, and met somebody below."""
    stood = [k for k, group in enumerate(f.groups) if id in group.floaters]
    return any(f.groups[k].score == left for k in stood) and f.index_of(id) > min(stood)


@true_when("plain.down")
def _(f: Facts, m: Fields, _: About) -> bool:
    me, other = m["player"], m["opponent"]
    return (
        meet(f, me, other)
        and has(f, other, m["theirs"])
        and f.score(me) > m["theirs"]
        and went_down(f, me, m["left"])
    )


@true_when("plain.up")
def _(f: Facts, m: Fields, about: About) -> bool:
    other = m["opponent"]
    return (
        meet(f, about.player, other)
        and has(f, other, m["theirs"])
        and f.score(about.player) < m["theirs"]
        and any(other in g.floaters and set(f.on(m["theirs"])) <= set(g.residents) for g in f.groups)
    )


def lowest_together(f: Facts, *ids: int) -> bool:
    """Whether these were paired in one bracket made of the lowest score groups."""
    return all(f.groups[f.index_of(id)].role in ("CLB", "joined") for id in ids)


@true_when("plain.together")
def _(f: Facts, m: Fields, about: About) -> bool:
    other = m["opponent"]
    return meet(f, about.player, other) and has(f, other, m["theirs"]) and lowest_together(f, other)


@true_when("plain.bye")
def _(f: Facts, m: Fields, _: About) -> bool:
    return f.truth.odd and f.pab == m["player"]


def could_be_spared(f: Facts, id: int) -> bool:
    rank = f.truth.rank[id]
    may = f.seat(id).bye or rank in f.truth.byes
    return may and f.truth.all_paired(f.truth.everyone - {rank})


def fewer(f: Facts, id: int) -> list[int]:
    return [seat.id for seat in f.truth.seats if seat.score < f.score(id)]


@true_when("plain.bye.lowest")
def _(f: Facts, m: Fields, _: About) -> bool:
    return not fewer(f, m["player"])


@true_when("plain.bye.spared")
def _(f: Facts, m: Fields, _: About) -> bool:
    lower = fewer(f, m["player"])
    return f.pab == m["player"] and bool(lower) and not any(could_be_spared(f, id) for id in lower)


def plain_colour(f: Facts, m: Fields) -> bool:
    """The board as it is said, and the other colour."""
    board = f.board_of(m["player"])
    return (
        board is not None
        and dict(sides(board)) == {m["player"]: m["colour"], m["opponent"]: m["opposite"]}
        and m["opposite"] == OTHER[m["colour"]]
        and f.white(board.white, board.black)[0] == board.white
    )


@true_when("plain.colour.row")
def _(f: Facts, m: Fields, _: About) -> bool:
    return plain_colour(f, m) and f.seat(m["player"]).colours.endswith(2 * m["opposite"])


@true_when("plain.colour.wide")
def _(f: Facts, m: Fields, _: About) -> bool:
    many = often(f, m["player"], m["opposite"], m["colour"])
    return plain_colour(f, m) and many == m["times"] > 1


@true_when("plain.colour.one")
def _(f: Facts, m: Fields, _: About) -> bool:
    return plain_colour(f, m) and often(f, m["player"], m["opposite"], m["colour"]) == 1


@true_when("plain.colour.last")
def _(f: Facts, m: Fields, _: About) -> bool:
    return plain_colour(f, m) and f.seat(m["player"]).colours.endswith(m["opposite"])


@true_when("plain.colour.theirs")
def _(f: Facts, m: Fields, _: About) -> bool:
    return plain_colour(f, m) and f.seat(m["opponent"]).due == m["opposite"] and not f.seat(m["player"]).due


@true_when("plain.colour.more")
def _(f: Facts, m: Fields, _: About) -> bool:
    me, other = f.seat(m["player"]), f.seat(m["opponent"])
    stronger = (other.strength, abs(other.difference)) > (me.strength, abs(me.difference))
    return plain_colour(f, m) and me.due == other.due == m["opposite"] and stronger


@true_when("plain.colour.turn")
def _(f: Facts, m: Fields, _: About) -> bool:
    mine, theirs = differed(f, m["player"], m["opponent"])[1:]
    return plain_colour(f, m) and (mine, theirs) == (m["opposite"], m["colour"])


@true_when("plain.colour.rank")
def _(f: Facts, m: Fields, _: About) -> bool:
    me, other = m["player"], m["opponent"]
    return plain_colour(f, m) and f.white(me, other)[2] == 4 and f.higher(me, other) == m["winner"]


@true_when("plain.colour.first")
def _(f: Facts, m: Fields, _: About) -> bool:
    return plain_colour(f, m) and not f.seat(m["player"]).colours + f.seat(m["opponent"]).colours


# --- one player and the opponent


def both_have(f: Facts, m: Fields) -> bool:
    me, other = m["player"], m["opponent"]
    return meet(f, me, other) and has(f, me, m["points"]) and has(f, other, m["points"])


def halves(f: Facts, players: list[int]) -> bool:
    """Whether the top half of these meets the bottom half in order; of an odd number the last is left."""
    half = len(players) // 2
    return all(meet(f, players[k], players[half + k]) for k in range(half))


@true_when("pair.same")
def _(f: Facts, m: Fields, _: About) -> bool:
    return both_have(f, m)


@true_when("pair.in-order")
def _(f: Facts, m: Fields, _: About) -> bool:
    return both_have(f, m) and halves(f, f.on(m["points"]))


@true_when("pair.rest-in-order")
def _(f: Facts, m: Fields, _: About) -> bool:
    left = [id for id in f.on(m["points"]) if f.score(f.meets.get(id, id)) <= m["points"]]
    return both_have(f, m) and len(left) < len(f.on(m["points"])) and halves(f, left)


def only_some(f: Facts, m: Fields, players: list[int]) -> bool:
    """Whether so few pairs were made among these, and those who come first meet the next ones."""
    made = m["made"]
    pairs = {frozenset((a, f.meets.get(a, 0))) for a in players if f.meets.get(a) in players}
    in_order = all(meet(f, players[k], players[made + k]) for k in range(made))
    return len(pairs) == made == m["count"] < len(players) // 2 and in_order and m["player"] in players


@true_when("pair.few")
def _(f: Facts, m: Fields, _: About) -> bool:
    return both_have(f, m) and only_some(f, m, f.on(m["points"]))


@true_when("pair.few.rest")
def _(f: Facts, m: Fields, _: About) -> bool:
    left = [id for id in f.on(m["points"]) if f.score(f.meets.get(id, id)) <= m["points"]]
    return both_have(f, m) and only_some(f, m, left)


@true_when("pair.together")
def _(f: Facts, m: Fields, _: About) -> bool:
    return both_have(f, m) and lowest_together(f, m["player"])


@true_when("pair.collapsed-in-order")
def _(f: Facts, m: Fields, _: About) -> bool:
    return both_have(f, m) and lowest_together(f, m["player"]) and f.in_plain_order(f.index_of(m["player"]))


def unlike(f: Facts, m: Fields) -> bool:
    me, other = m["player"], m["opponent"]
    return meet(f, me, other) and has(f, me, m["points"]) and has(f, other, m["theirs"]) and me != other


@true_when("pair.collapsed")
def _(f: Facts, m: Fields, _: About) -> bool:
    return unlike(f, m) and lowest_together(f, m["player"])


@true_when("pair.down")
def _(f: Facts, m: Fields, _: About) -> bool:
    return unlike(f, m) and m["points"] > m["theirs"] and went_down(f, m["player"], m["left"])


@true_when("pair.up")
def _(f: Facts, m: Fields, _: About) -> bool:
    return unlike(f, m) and m["points"] < m["theirs"] and went_down(f, m["opponent"], m["left"])


@true_when("pair.further")
def _(f: Facts, m: Fields, _: About) -> bool:
    return went_down(f, m["player"], m["left"]) and m["left"] < f.score(m["player"])


@true_when("pair.further.groups")
def _(f: Facts, m: Fields, _: About) -> bool:
    stood = [group.score for group in f.groups if m["player"] in group.floaters]
    return tuple(stood[1:]) == tuple(m["groups"]) and len(stood) > 2


@true_when("pair.bye")
def _(f: Facts, m: Fields, _: About) -> bool:
    return f.truth.odd and f.pab == m["player"] and m["round"] == f.snapshot.round


@true_when("bye.lowest")
def _(f: Facts, m: Fields, _: About) -> bool:
    return not fewer(f, m["player"]) and has(f, m["player"], m["points"])


@true_when("bye.spared")
def _(f: Facts, m: Fields, _: About) -> bool:
    lower = fewer(f, m["player"])
    return (
        f.pab == m["player"]
        and has(f, m["player"], m["points"])
        and bool(lower)
        and not any(could_be_spared(f, id) for id in lower)
    )


# --- what else might have been


@true_when("alternative.natural")
def _(f: Facts, m: Fields, _: About) -> bool:
    return bool(in_plain_order(f, m["player"]) == m["natural"] != f.meets.get(m["player"]))


@true_when("alternative.left")
def _(f: Facts, m: Fields, _: About) -> bool:
    return m["player"] in f.meets and in_plain_order(f, m["player"]) == 0


@true_when("alternative.order")
def _(f: Facts, _: Fields, about: About) -> bool:
    me = about.player
    return in_plain_order(f, me) == f.meets[me] and not f.in_plain_order(f.index_of(me))


@true_when("alternative.down")
def _(f: Facts, m: Fields, about: About) -> bool:
    real = set(f.groups[about.index].floaters)
    assert about.other is not None
    return (
        m["player"] in real
        and about.index == about.home
        and set(about.other.floaters) == real - {m["player"]} | {m["replacement"]}
        and other_is_so(f, about)
    )


@true_when("alternative.stay")
def _(f: Facts, m: Fields, about: About) -> bool:
    group = f.groups[about.home]
    return m["player"] in group.floaters and group.score == m["points"] and about.stays == m["player"]


@true_when("alternative.bye")
def _(f: Facts, m: Fields, about: About) -> bool:
    other = m["replacement"]
    return f.pab == m["player"] != other and about.pab == other and f.truth.rank[other] in any_bye(f)


@true_when("alternative.no-bye")
def _(f: Facts, m: Fields, _: About) -> bool:
    return f.truth.odd and f.pab == m["player"]


@true_when("asked.same")
def _(f: Facts, m: Fields, about: About) -> bool:
    a, b = m["a"], m["b"]
    return has(f, a, m["points"]) and has(f, b, m["points"]) and f.may_meet(a, b) and not meet(f, a, b)


def asked_of_two(f: Facts, m: Fields) -> bool:
    a, b = m["a"], m["b"]
    return (
        has(f, a, m["points"]) and has(f, b, m["theirs"]) and f.may_meet(a, b) and m["points"] != m["theirs"]
    )


@true_when("asked.differ")
def _(f: Facts, m: Fields, _: About) -> bool:
    return asked_of_two(f, m) and not meet(f, m["a"], m["b"])


@true_when("asked.differ.stay")
def _(f: Facts, m: Fields, about: About) -> bool:
    higher = max(m["a"], m["b"], key=f.score)
    lower = m["a"] + m["b"] - higher
    real, other = values_of(f, about)
    worse = [name for name in real if name in other and other[name] != real[name]]
    return (
        asked_of_two(f, m)
        and f.score(f.meets[higher]) == f.score(higher) > f.score(lower)
        and higher in f.groups[about.index].residents
        and worse[0] in ("C6", "C7", "C.5", "C.6", "P1", "B.3")
    )


@true_when("asked.bye")
def _(f: Facts, m: Fields, _: About) -> bool:
    id = m["player"]
    return has(f, id, m["points"]) and f.truth.odd and f.pab != id and f.truth.rank[id] in any_bye(f)


# --- who went down


def others_there(f: Facts, id: int, group: Bracket) -> list[int]:
    """Whom a player might have met in a bracket: two who moved down into it do not meet."""
    came = {*group.moved, *(one for one in group.members if f.score(one) > group.score)}
    return [other for other in group.members if other != id and not (id in came and other in came)]


def left_first(f: Facts, id: int, about: About) -> Bracket:
    """The bracket a player left: of those on the same points, joined or not, the first (2012 C.13)."""
    score = f.groups[about.index].score
    there = [group for group in f.groups[: about.index + 1] if group.score == score and id in group.floaters]
    return there[0] if there else f.groups[about.index]


@true_when("float.alone")
def _(f: Facts, m: Fields, about: About) -> bool:
    group = left_first(f, m["player"], about)
    return (
        m["player"] in group.floaters
        and not others_there(f, m["player"], group)
        and has(f, m["player"], m["points"])
    )


def met_all(f: Facts, m: Fields, others: list[int]) -> bool:
    said = m["met"]
    assert isinstance(said, Meeting)
    return sorted(id for id, _ in said.games) == sorted(others) and all(
        f.met_in(m["player"], id, round) for id, round in said.games
    )


@true_when("float.met")
def _(f: Facts, m: Fields, about: About) -> bool:
    group = left_first(f, m["player"], about)
    others = others_there(f, m["player"], group)
    same = [id for id in group.residents if id != m["player"] and f.score(id) <= group.score]
    return (
        m["player"] in group.floaters and group.score == m["points"] and bool(same) and met_all(f, m, others)
    )


@true_when("float.alone.met")
def _(f: Facts, m: Fields, about: About) -> bool:
    others = [id for id in f.groups[about.index].members if id != m["player"]]
    return (m["player"],) == tuple(f.on(m["points"])) and met_all(f, m, others) and came_down(f, m, others)


def came_down(f: Facts, m: Fields, others: list[int]) -> bool:
    return bool(others) and all(f.score(id) > m["points"] for id in others)


@true_when("float.barred")
def _(f: Facts, m: Fields, about: About) -> bool:
    group = f.groups[about.index]
    same = [id for id in group.residents if id != m["player"] and f.score(id) <= group.score]
    others = others_there(f, m["player"], group)
    return (
        m["player"] in group.floaters
        and group.score == m["points"]
        and bool(same)
        and not any(f.may_meet(m["player"], id) for id in others)
    )


@true_when("float.alone.barred")
def _(f: Facts, m: Fields, about: About) -> bool:
    others = [id for id in f.groups[about.index].members if id != m["player"]]
    return (
        (m["player"],) == tuple(f.on(m["points"]))
        and came_down(f, m, others)
        and sorted(m["people"]) == sorted(others)
        and not any(f.may_meet(m["player"], id) for id in others)
    )


@true_when("float.down")
def _(f: Facts, m: Fields, about: About) -> bool:
    group = f.groups[about.home]
    return m["player"] in group.floaters and group.score == m["points"]


@true_when("float.bye", "real.bye")
def _(f: Facts, m: Fields, _: About) -> bool:
    return bool(f.pab == m["player"])


# --- who was not there


def absent(letter: str) -> Predicate:
    def away(f: Facts, m: Fields, _: About) -> bool:
        return f.player(m["player"]).absent == letter and m["round"] == f.snapshot.round

    return away


for _letter in "HFZ":
    true_when(f"absent.{_letter}")(absent(_letter))


def gone(status: str) -> Predicate:
    def left(f: Facts, m: Fields, about: About) -> bool:
        assert about.round is not None
        return about.round.gone.get(m["player"]) == status and m["round"] == f.snapshot.round

    return left


for _status in ("withdrawn", "expelled", "removed"):
    true_when(f"absent.{_status}")(gone(_status))


@true_when("absent.late")
def _(f: Facts, m: Fields, about: About) -> bool:
    return about.round is not None and (
        m["player"] in about.round.people and m["player"] not in f.players and m["round"] == f.snapshot.round
    )
