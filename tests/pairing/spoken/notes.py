"""Predicates of what stands or was recorded, and of places."""

from paircard.domain.events import BoardsCorrected, PairingsAltered, Recorded
from paircard.domain.messages import Message
from tests.pairing.spoken.facts import Facts
from tests.pairing.spoken.harvest import About
from tests.pairing.spoken.words import (
    Fields,
    Predicate,
    above,
    came,
    lines_of,
    meet,
    stands,
    true_when,
)
from tests.pairing.truth import Impossible, Truth

# --- notes: what stands, and what was recorded


def sits(about: About, white: int, black: int) -> bool:
    """Whether a board stands, where colours are known with its colours."""
    round = stands(about)
    boards = round.boards or ()
    loose = round.uncoloured.issuperset((white, black)) and (black, white) in boards
    return (white, black) in boards or loose


@true_when("note.stands.white")
def _(f: Facts, m: Fields, about: About) -> bool:
    return sits(about, m["player"], m["opponent"]) and not sits_by_rule(f, about, m["player"], m["opponent"])


@true_when("note.stands.black")
def _(f: Facts, m: Fields, about: About) -> bool:
    return sits(about, m["opponent"], m["player"]) and not sits_by_rule(f, about, m["opponent"], m["player"])


def sits_by_rule(f: Facts, about: About, white: int, black: int) -> bool:
    boards = {(board.white, board.black) for board in f.boards}
    loose = stands(about).uncoloured.issuperset((white, black)) and (black, white) in boards
    return (white, black) in boards or loose


@true_when("note.stands.bye")
def _(f: Facts, m: Fields, about: About) -> bool:
    return bool(stands(about).pab == m["player"] != f.pab)


@true_when("note.stands.none")
def _(f: Facts, m: Fields, about: About) -> bool:
    boards = stands(about).boards or ()
    there = any(m["player"] in board for board in boards) or stands(about).pab == m["player"]
    return not there and f.known(m["player"])


@true_when("note.meet")
def _(f: Facts, m: Fields, about: About) -> bool:
    together = {frozenset(board) for board in stands(about).boards or ()}
    return frozenset((m["a"], m["b"])) in together and not meet(f, m["a"], m["b"])


@true_when("note.do-not-meet")
def _(f: Facts, m: Fields, about: About) -> bool:
    together = {frozenset(board) for board in stands(about).boards or ()}
    return frozenset((m["a"], m["b"])) not in together and meet(f, m["a"], m["b"])


@true_when("note.other-boards")
def _(f: Facts, m: Fields, about: About) -> bool:
    other = sum(not sits_by_rule(f, about, *board) for board in stands(about).boards or ())
    return bool(m["count"] == other + (stands(about).pab not in (0, f.pab)) > 0)


@true_when("note.unpaired")
def _(f: Facts, m: Fields, about: About) -> bool:
    return stands(about).boards is None and m["round"] == f.snapshot.round


@true_when("note.no-round")
def _(f: Facts, m: Fields, _: About) -> bool:
    try:
        Truth(f.snapshot)
    except Impossible:
        return isinstance(m["what"], Message)
    return False


@true_when("note.accelerated")
def _(f: Facts, m: Fields, _: About) -> bool:
    having = [p.number for p in f.snapshot.players if p.score - p.points == m["virtual"] and not p.absent]
    said: list[int] = []
    for part in m["ranges"].split(", "):
        low, _, high = part.partition("–")
        said += range(int(low), int(high or low) + 1)
    return sorted(having) == said and m["count"] == len(said) > 0 and m["virtual"] > 0


def altered(about: About, round: int) -> Recorded:
    """Who altered a round last."""
    return next(
        one
        for one in reversed(about.log)
        if isinstance(one.fact, PairingsAltered) and one.fact.round == round
    )


@true_when("note.altered")
def _(_: Facts, m: Fields, about: About) -> bool:
    return altered(about, m["round"]).who == m["who"] and not altered(about, m["round"]).why


@true_when("note.altered.why")
def _(_: Facts, m: Fields, about: About) -> bool:
    found = altered(about, m["round"])
    return (found.who, found.why) == (m["who"], m["reason"]) and bool(m["reason"])


true_when("note.manual")(came("manual"))


true_when("note.import")(came("import"))


@true_when("note.played")
def _(_: Facts, m: Fields, about: About) -> bool:
    return any(isinstance(one.fact, BoardsCorrected) and one.fact.round == m["round"] for one in about.log)


@true_when("round.title", "round.title.bye")
def _(f: Facts, m: Fields, _: About) -> bool:
    said = m["round"], m["rounds"], m["count"], m["player"]
    return said == (f.snapshot.round, f.snapshot.rounds, len(f.boards), f.pab)


# --- places


def own_points(about: About, id: int) -> str:
    """Points by hand: what each letter is worth."""
    assert about.table is not None
    worth = about.table.scoring.table()
    row = next(row for row in about.table.rows if row.id == id)
    total = sum(worth[one.letter] for one in row.entries[: about.table.paired])
    whole, rest = divmod(total, 10)
    return f"{whole or ''}½" if rest == 5 else str(whole) if not rest else str(total / 10)


def tied_on(about: About, m: Fields) -> bool:
    """Whether both are level on what is said, with these values."""
    for code, value in m["tied"].levels:
        if code == "PTS" and {own_points(about, m["player"]), own_points(about, m["other"])} != {value}:
            return False
        if code not in ("PTS", "DE"):
            lines = lines_of(about, code)
            if {lines[m["player"]].values[-1], lines[m["other"]].values[-1]} != {value}:
                return False
    return bool(m["tied"].levels)


@true_when("place.points")
def _(_: Facts, m: Fields, about: About) -> bool:
    [(code, amount)] = m["amount"].levels
    said = own_points(about, m["player"]), own_points(about, m["other"])
    return code == "PTS" and (amount, m["against"]) == said and above(about, m) and said[0] != said[1]


def amount_of(text: str) -> float:
    """A value as a number."""
    return float(text.replace("½", ".5"))


def decided(about: About, m: Fields) -> bool:
    if m["code"] == "PTS":
        return (m["value"], m["against"]) == (own_points(about, m["player"]), own_points(about, m["other"]))
    lines = lines_of(about, m["code"])
    return (m["value"], m["against"]) == (lines[m["player"]].values[-1], lines[m["other"]].values[-1])


@true_when("place.first")
def _(_: Facts, m: Fields, about: About) -> bool:
    return decided(about, m) and amount_of(m["value"]) > amount_of(m["against"])


@true_when("place.tiebreak")
def _(_: Facts, m: Fields, about: About) -> bool:
    return tied_on(about, m) and decided(about, m) and amount_of(m["value"]) > amount_of(m["against"])


@true_when("place.DE")
def _(_: Facts, m: Fields, about: About) -> bool:
    return tied_on(about, m) and m["code"] == "DE" and above(about, m, "PTS,DE")


def by_order(method: str) -> Predicate:
    def so(_: Facts, m: Fields, about: About) -> bool:
        ids = next(order.players for order in about.orders if order.method == method)
        return tied_on(about, m) and ids.index(m["player"]) < ids.index(m["other"])

    return so


true_when("place.lots")(by_order("lots"))


true_when("place.hand")(by_order("hand"))


@true_when("place.file")
def _(_: Facts, m: Fields, about: About) -> bool:
    return tied_on(about, m) and about.filed[m["player"]] < about.filed[m["other"]]


@true_when("place.shared")
def _(_: Facts, m: Fields, about: About) -> bool:
    codes = ",".join(code for code, _ in m["tied"].levels)
    lines = lines_of(about, codes)
    return tied_on(about, m) and lines[m["player"]].rank == lines[m["other"]].rank == m["place"]


def has_place(about: About, id: int) -> bool:
    assert about.table is not None
    return all(row.status != "expelled" for row in about.table.rows if row.id == id)


@true_when("place.status")
def _(_: Facts, m: Fields, about: About) -> bool:
    place = lines_of(about, about.codes)[m["player"]].rank
    return has_place(about, m["player"]) and not has_place(about, m["other"]) and m["place"] == place


@true_when("place.none")
def _(_: Facts, m: Fields, about: About) -> bool:
    return (
        not has_place(about, m["player"]) and not has_place(about, m["other"]) and m["player"] != m["other"]
    )
