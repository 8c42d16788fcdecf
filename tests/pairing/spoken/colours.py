"""Predicates of colours and topscorers."""

from collections.abc import Iterable

from tests.pairing.spoken.facts import Facts, sides
from tests.pairing.spoken.harvest import About
from tests.pairing.spoken.words import (
    ABSOLUTE,
    OTHER,
    TOPSCORERS,
    Fields,
    Predicate,
    differed,
    known_criterion,
    must_have,
    often,
    true_when,
)

# --- topscorers


def share(f: Facts, m: Fields) -> bool:
    points = f.player(m["player"]).points
    half, rest = divmod(points, 10)
    said = f"{half or ''}½" if rest == 5 else str(half) if not rest else f"{points / 10}"
    return bool(m["scored"] == said and m["possible"] == (f.snapshot.round - 1) * f.snapshot.win)


def last(f: Facts) -> bool:
    return f.snapshot.round == f.snapshot.rounds


@true_when("topscorer.may-meet")
def _(f: Facts, m: Fields, _: About) -> bool:
    a, b, top = m["a"], m["b"], m["player"]
    return (
        last(f)
        and share(f, m)
        and f.seat(top).top
        and top in (a, b)
        and must_have(f, a, m["colour"])
        and must_have(f, b, m["colour"])
        and f.may_meet(a, b)
    )


@true_when("topscorer.is")
def _(f: Facts, m: Fields, _: About) -> bool:
    return last(f) and share(f, m) and f.seat(m["player"]).top and m["article"] == TOPSCORERS[f.edition]


@true_when("topscorer.not")
def _(f: Facts, m: Fields, _: About) -> bool:
    return last(f) and share(f, m) and not f.seat(m["player"]).top and m["article"] == TOPSCORERS[f.edition]


@true_when("topscorer.apart", "topscorer.B.2")
def _(f: Facts, m: Fields, _: About) -> bool:
    a, b = m["a"], m["b"]
    return (
        m["rule"] == ABSOLUTE[f.edition]["C3"]
        and must_have(f, a, m["colour"])
        and must_have(f, b, m["colour"])
        and (f.seat(a).top or f.seat(b).top)
        and a != b
    )


@true_when("topscorer.counted")
def _(f: Facts, m: Fields, about: About) -> bool:
    names = {"C10", "C11", "C.8", "C.9", "B.2 (topscorers)"}
    return m["criterion"] == m["meaning"] and m["criterion"] in names and known_criterion(f, m["criterion"])


def topscorers_among(f: Facts, m: Fields, ids: Iterable[int]) -> bool:
    tops = tuple(id for id in ids if f.seat(id).top)
    return (
        last(f)
        and tuple(m.get("numbered", ())) == tops
        and m.get("count", 0) == len(tops)
        and m["possible"] == (f.snapshot.round - 1) * f.snapshot.win
        and m["article"] == TOPSCORERS[f.edition]
    )


@true_when("round.topscorers", "round.topscorers.none")
def _(f: Facts, m: Fields, _: About) -> bool:
    return topscorers_among(f, m, (seat.id for seat in f.truth.seats))


@true_when("bracket.topscorers", "bracket.topscorers.none")
def _(f: Facts, m: Fields, about: About) -> bool:
    return topscorers_among(f, m, f.groups[about.index].members)


# --- colours for a player


def board_with(f: Facts, a: int, b: int) -> bool:
    board = f.board_of(a)
    return board is not None and {board.white, board.black} == {a, b} and f.white(a, b)[0] == board.white


def colour_of(f: Facts, id: int) -> str:
    board = f.board_of(id)
    assert board is not None
    return dict(sides(board))[id]


@true_when("colour.both")
def _(f: Facts, m: Fields, _: About) -> bool:
    white, black = m["white"], m["black"]
    return (
        board_with(f, white, black)
        and (colour_of(f, white), colour_of(f, black)) == ("w", "b")
        and (f.seat(white).due, f.seat(black).due) == ("w", "b")
    )


@true_when("colour.one")
def _(f: Facts, m: Fields, _: About) -> bool:
    me, other = m["player"], m["other"]
    return (
        board_with(f, me, other)
        and f.seat(me).due == m["colour"] == colour_of(f, me)
        and not f.seat(other).colours
    )


def both_due(f: Facts, m: Fields, rule: int, strength: int = 1) -> bool:
    """Two who want one colour, who gets it, and the rule that decided."""
    winner, loser = m["winner"], m["loser"]
    return (
        board_with(f, winner, loser)
        and f.seat(winner).due == f.seat(loser).due == m["colour"] == colour_of(f, winner)
        and f.seat(winner).strength >= strength <= f.seat(loser).strength
        and OTHER[m["colour"]] == m["opposite"]
        and f.white(winner, loser)[2] == rule
    )


@true_when("colour.stronger.row")
def _(f: Facts, m: Fields, _: About) -> bool:
    return both_due(f, m, 2) and f.seat(m["winner"]).colours.endswith(2 * m["opposite"])


@true_when("colour.stronger.wide")
def _(f: Facts, m: Fields, _: About) -> bool:
    return both_due(f, m, 2) and often(f, m["winner"], m["opposite"], m["colour"]) == m["difference"] > 1


@true_when("colour.stronger.one")
def _(f: Facts, m: Fields, _: About) -> bool:
    return (
        both_due(f, m, 2)
        and often(f, m["winner"], m["opposite"], m["colour"]) == 1
        and often(f, m["loser"], m["opposite"], m["colour"]) == 0
    )


@true_when("colour.wider")
def _(f: Facts, m: Fields, _: About) -> bool:
    return (
        both_due(f, m, 2, strength=3)
        and often(f, m["winner"], m["opposite"], m["colour"]) == m["times"]
        and often(f, m["loser"], m["opposite"], m["colour"]) == m["other_times"] < m["times"]
    )


def signed(f: Facts, id: int) -> str:
    colours = f.seat(id).colours
    difference = colours.count("w") - colours.count("b")
    return f"{difference:+d}" if difference else "+0" if colours.endswith("w") else "-0"


@true_when("colour.wider.row")
def _(f: Facts, m: Fields, _: About) -> bool:
    wide = [signed(f, m["winner"]), signed(f, m["loser"])]
    return (
        both_due(f, m, 2, strength=3)
        and [m["difference"], m["other_difference"]] == wide
        and abs(int(wide[0])) > abs(int(wide[1]))
    )


@true_when("colour.alternate")
def _(f: Facts, m: Fields, _: About) -> bool:
    one, other = differed(f, m["winner"], m["loser"])[1:]
    return both_due(f, m, 3) and (one, other) == (m["opposite"], m["colour"])


@true_when("colour.rank")
def _(f: Facts, m: Fields, _: About) -> bool:
    winner, loser = m["winner"], m["loser"]
    alike = f.seat(winner).colours == f.seat(loser).colours
    return both_due(f, m, 4) and alike and f.higher(winner, loser) == winner


@true_when("colour.rank.shorter")
def _(f: Facts, m: Fields, _: About) -> bool:
    winner, loser = m["winner"], m["loser"]
    return both_due(f, m, 4) and not differed(f, winner, loser)[0] and f.higher(winner, loser) == winner


def first_colour(odd: bool) -> Predicate:
    def begins(f: Facts, m: Fields, _: About) -> bool:
        me = m["player"]
        other = f.meets[me]
        return (
            board_with(f, me, other)
            and not f.seat(me).colours + f.seat(other).colours
            and f.higher(me, other) == me
            and m["number"] % 2 == int(odd)
            and m["number"] in numbers_for_colours(f, me)
            and colour_of(f, me) == m["colour"]
        )

    return begins


def numbers_for_colours(f: Facts, id: int) -> set[int]:
    """[5.2.5] The number among all who took part; of 2012 also among those of the round."""
    there = [player.id for player in f.snapshot.players if not player.absent]
    return {f.truth.numbers[id]} | ({there.index(id) + 1} if f.truth.old else set())


true_when("colour.first.odd")(first_colour(odd=True))


true_when("colour.first.even")(first_colour(odd=False))


# --- colours for an arbiter


@true_when("colours.rule")
def _(f: Facts, m: Fields, _: About) -> bool:
    white = m["player"]
    other = f.meets[white]
    number = f.white(white, other)[2]
    both = f.seat(white).strength == 3 == f.seat(other).strength and number == 2
    article = f"5.2.{number}" if f.truth.new else f"E.{number}"
    return (
        board_with(f, white, other)
        and colour_of(f, white) == "w"
        and m["article"] == article
        and m["meaning"] == ("wider" if both else article)
    )


def due(strength: int) -> Predicate:
    def is_due(f: Facts, m: Fields, _: About) -> bool:
        seat = f.seat(m["player"])
        if (seat.strength, seat.due, OTHER[m["colour"]]) != (strength, m["colour"], m["opposite"]):
            return False
        return bool(m["difference"] == f"{seat.difference:+d}")

    return is_due


@true_when("colours.due.absolute.row")
def _(f: Facts, m: Fields, about: About) -> bool:
    return due(3)(f, m, about) and f.seat(m["player"]).colours.endswith(2 * m["opposite"])


@true_when("colours.due.absolute.wide")
def _(f: Facts, m: Fields, about: About) -> bool:
    return due(3)(f, m, about) and abs(f.seat(m["player"]).difference) > 1


true_when("colours.due.strong.one")(due(2))


@true_when("colours.due.mild.last")
def _(f: Facts, m: Fields, about: About) -> bool:
    return due(1)(f, m, about) and f.seat(m["player"]).colours.endswith(m["opposite"])


@true_when("colours.due.none")
def _(f: Facts, m: Fields, _: About) -> bool:
    return not f.seat(m["player"]).colours


@true_when("colours.history")
def _(f: Facts, m: Fields, _: About) -> bool:
    return m["history"].strip("-") == f.seat(m["player"]).colours and "-" not in m["history"].strip("-")


@true_when("colours.differed")
def _(f: Facts, m: Fields, about: About) -> bool:
    return bool(differed(f, about.player, about.opponent)[0] == m["ago"] == m["count"] > 0)


@true_when("colours.number")
def _(f: Facts, m: Fields, _: About) -> bool:
    me = m["player"]
    return f.higher(me, f.meets[me]) == me and m["number"] in numbers_for_colours(f, me)
