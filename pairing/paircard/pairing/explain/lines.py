"""Sentences as data: a key of the catalogue and named fields. Words come later, in any language."""

import msgspec

from paircard.pairing.dutch.criteria import Value


class Person(msgspec.Struct, frozen=True, tag="player", tag_field="kind"):
    """A player, or the bye."""

    id: int


class People(msgspec.Struct, frozen=True, tag="players", tag_field="kind"):
    """Several players."""

    ids: tuple[int, ...]


class Numbered(msgspec.Struct, frozen=True, tag="numbers", tag_field="kind"):
    """Several players by pairing number, in this order."""

    ids: tuple[int, ...]


class Pairs(msgspec.Struct, frozen=True, tag="pairs", tag_field="kind"):
    """Pairs of players by name; 0 is the bye."""

    pairs: tuple[tuple[int, int], ...]


class Candidate(msgspec.Struct, frozen=True, tag="candidate", tag_field="kind"):
    """Pairs and downfloaters by pairing number, as arbiters write them."""

    pairs: tuple[tuple[int, int], ...] = ()
    downfloaters: tuple[int, ...] = ()
    of: int = 0
    """How many pairs there are, where only some are shown."""


class Points(msgspec.Struct, frozen=True, tag="points", tag_field="kind"):
    """An amount of points, in tenths."""

    tenths: int


class Group(msgspec.Struct, frozen=True, tag="group", tag_field="kind"):
    """A score group as a bracket of the round."""

    score: int
    role: str = ""


class Measured(msgspec.Struct, frozen=True, tag="value", tag_field="kind"):
    """A criterion's value: a count, or a list of points in tenths."""

    criterion: str
    value: Value


class Count(msgspec.Struct, frozen=True, tag="count", tag_field="kind"):
    """How many; none is said in words."""

    many: int


class Times(msgspec.Struct, frozen=True, tag="times", tag_field="kind"):
    """How often: once, 2 times."""

    many: int


class Values(msgspec.Struct, frozen=True, tag="values", tag_field="kind"):
    """Several criteria with their values, and the least that each could be (None: not known)."""

    values: tuple[tuple[str, Value, Value | None], ...]


class Levels(msgspec.Struct, frozen=True, tag="levels", tag_field="kind"):
    """Points and tie-breaks with their values, as the standings show them."""

    levels: tuple[tuple[str, str], ...]
    """Code and value."""


class Rule(msgspec.Struct, frozen=True, tag="rule", tag_field="kind"):
    """A rule by its name in the edition; the catalogue has its text."""

    name: str


class Meeting(msgspec.Struct, frozen=True, tag="meeting", tag_field="kind"):
    """Opponents of one player, and the rounds in which they met."""

    games: tuple[tuple[int, int], ...]
    """Player and round."""


class Bars(msgspec.Struct, frozen=True, tag="bars", tag_field="kind"):
    """Pairs that may not be made: both players, the rule, and the round it goes back to (0 for none)."""

    bars: tuple[tuple[int, int, str, int], ...]


class Colour(msgspec.Struct, frozen=True, tag="colour", tag_field="kind"):
    """``w`` or ``b``."""

    side: str


class History(msgspec.Struct, frozen=True, tag="history", tag_field="kind"):
    """Colours of games, the latest last, unplayed rounds in front (C.04.2:3.4)."""

    colours: str


Field = (
    int
    | str
    | Person
    | People
    | Numbered
    | Pairs
    | Candidate
    | Points
    | Group
    | Measured
    | Count
    | Times
    | Values
    | Levels
    | Rule
    | Meeting
    | Bars
    | Colour
    | History
)


Fields = dict[str, Field]


class Line(msgspec.Struct, frozen=True):
    """One whole sentence."""

    key: str
    """Which sentence of the catalogue."""
    fields: Fields = {}


class Answer(msgspec.Struct, frozen=True, kw_only=True):
    """An answer on two levels: for a player in everyday words, for an arbiter with articles and values."""

    short: tuple[Line, ...] = ()
    detail: tuple[Line, ...] = ()


def line(key: str, **fields: Field) -> Line:
    """A sentence of the catalogue with its fields."""
    return Line(key, fields)
