"""The records of a report, from a line to a typed value and back, by one table of columns (TRF26 §1-4)."""

import re
from collections.abc import Callable
from functools import lru_cache, partial
from operator import call, itemgetter, methodcaller
from typing import Any, Final

import msgspec

from paircard.domain.messages import Message, say
from paircard.domain.values.results import decimal
from paircard.projections.round.crosstable import Entry
from paircard.projections.trf import records as trf
from paircard.projections.trf.notes import Fault
from paircard.projections.trf.records import Line, PlayerLine, Record

REMEMBERED = 100_000
"""Fields of a kind that are remembered: a crosstable repeats the same few thousand, and taking them apart is
many times dearer. There is a bound, so that hostile input cannot fill the memory."""

MOST_DIGITS = 9
"""Digits of a number in a file; no column holds more, and no list needs more."""

DIGITS = frozenset("0123456789")
RESULT_LETTERS = frozenset("1=0WDL+-HFUZ? ")

GAMES = {f" {colour} {letter}": (colour, letter) for colour in "wb" for letter in "1=0WDL+-? "}
"""Columns 96-99 of a game as nearly every file writes it; all else goes the careful way."""

BLANK = Entry(0, "-", " ")


def is_unknown(letter: str) -> bool:
    """Whether this stands for a result that nobody knows yet: ``?``, or a sign such as ``*`` (VCL 166)."""
    return letter not in "=+- " and "!" <= letter <= "~" and not letter.isalnum()


@lru_cache(REMEMBERED)
def number(text: str) -> int:
    """A whole number, right- or left-aligned, blank- or zero-padded; blank is 0."""
    digits = text.strip(" ")
    if not digits:
        return 0
    if not DIGITS.issuperset(digits) or len(digits) > MOST_DIGITS:
        raise ValueError(text)
    return int(digits)


def number_in(text: str) -> int:
    """A number of a few columns; 0 for anything else."""
    try:
        return number(text)
    except ValueError:
        return 0


@lru_cache(REMEMBERED)
def positive(text: str) -> int:
    """A whole number from 1 on."""
    if value := number(text):
        return value
    raise ValueError(text)


@lru_cache(REMEMBERED)
def tenths(text: str) -> int:
    """Points such as `` 4.5``, ``04.5`` or ``17`` in tenths, with at most one decimal; a sign only before."""
    field = text.strip(" ")
    unsigned = field.removeprefix("-")
    whole, dot, decimal = unsigned.partition(".")
    if not DIGITS.issuperset(whole) or not DIGITS.issuperset(decimal) or len(decimal) > 1:
        raise ValueError(text)
    if not whole or len(whole) > MOST_DIGITS or (dot and not decimal):
        raise ValueError(text)
    value = int(whole) * 10 + int(decimal or "0")
    if value > (99 if field[0] == "-" else 999):
        raise ValueError(text)  # 99.9 and -9.9 are what four columns can hold
    return -value if field[0] == "-" else value


def points_text(value: int) -> str:
    """Tenths as ``4.5``."""
    return decimal(value, 1)


@lru_cache(REMEMBERED)
def entry_of(text: str) -> Entry:
    """The ten columns of a round: two blanks, opponent, colour, result."""
    try:
        opponent = number(text[2:6])
    except ValueError:
        opponent = -1
    if opponent > 0 and (game := GAMES.get(text[6:])) and text[:2] == "  ":
        return Entry(opponent, *game)
    field = text.ljust(10)
    for gap in (0, 1, 6, 8):
        if field[gap] != " ":
            raise Fault(gap + 1, field[gap], say("trf.allowed.blank-in-round"))
    if opponent < 0:
        raise Fault(3, field[2:6], say("trf.allowed.opponent"))
    colour = field[7].lower()
    if colour not in "wb- ":
        raise Fault(8, field[7], say("trf.allowed.colour"))
    if colour == " ":
        colour = "-"
    letter = field[9].upper()
    if letter not in RESULT_LETTERS and not (opponent and colour != "-" and is_unknown(letter)):
        raise Fault(10, field[9], say("trf.allowed.result"))
    if opponent == 0:
        if colour != "-":
            raise Fault(8, field[7], say("trf.allowed.no-colour"))
        if letter not in "1=0+-HFUZ ":
            raise Fault(10, field[9], say("trf.allowed.bye"))
    else:
        if letter in "HFUZ":
            raise Fault(3, field[2:6], say("trf.allowed.no-opponent", code=letter))
        if colour == "-" and letter not in "+-":
            raise Fault(8, field[7], say("trf.allowed.colour-of-a-game"))
    if letter == " " and not opponent and field.strip(" "):
        letter = "Z"  # 0000 or a dash without a result is a zero-point bye (TRF26 §001)
    return Entry(opponent, colour, letter)


def entry_text(entry: Entry) -> str:
    """An entry in its ten columns."""
    text = " " * 10 if entry == BLANK else f"  {entry.opponent or '0000':>4} {entry.colour} {entry.letter}"
    if len(text) != 10:
        raise ValueError(f"opponent {entry.opponent} does not fit the columns of a round")
    return text


A_RANK: Final = say("trf.allowed.rank")
A_ROUND: Final = say("trf.allowed.round")
POINTS: Final = say("trf.allowed.points")


class Field(msgspec.Struct, frozen=True):
    """Columns of a record: which value stands in them, how it is read and how it is written."""

    name: str
    start: int
    """First column is 1."""
    stop: int
    """Last column; 0 for the end of the line."""
    read: Callable[[str], Any]
    """ValueError where the columns hold something else; a Fault says more, its column counted from these."""
    write: Callable[[Any], str]
    allowed: Message = POINTS
    """What may stand here, where ``read`` does not say it."""
    after: str = ""
    """The name of a value that this one may not be less than."""


# --- kinds of fields


def whole(
    name: str, start: int, stop: int, allowed: Message, *, zeros: bool = True, after: str = ""
) -> Field:
    """A number from 1 on."""
    width = stop - start + 1
    return Field(name, start, stop, positive, f"{{:{'0' if zeros else ''}{width}}}".format, allowed, after)


def some(name: str, start: int, stop: int, allowed: Message) -> Field:
    """A number, or blanks for 0."""
    return Field(name, start, stop, number, lambda value: f"{value or '':>{stop - start + 1}}", allowed)


def tenths_at(column: int, text: str) -> int:
    """Points of one of several values in a field; the Fault says which is wrong."""
    try:
        return tenths(text)
    except ValueError:
        raise Fault(column, text, POINTS) from None


def points(name: str, start: int, stop: int = 0, fill: str = " ") -> Field:
    """Points with one decimal."""
    return Field(name, start, stop, tenths, lambda value: points_text(value).rjust(4, fill))


def text(name: str, start: int, stop: int, write: Callable[[str, int], str] = str.ljust) -> Field:
    """A text, on the left of its columns or on the right."""
    width = stop - start + 1
    return Field(name, start, stop, methodcaller("strip", " "), lambda value: write(value, width))


def letter(name: str, start: int, letters: str, allowed: Message) -> Field:
    """One of some letters."""

    def read(cell: str) -> str:
        if cell.upper() not in tuple(letters):
            raise ValueError(cell)
        return cell.upper().strip(" ")

    return Field(name, start, start, read, lambda value: value or " ", allowed)


def no_match_points(start: int, stop: int) -> Field:
    """Points of teams, which no individual tournament has."""

    def read(cell: str) -> None:
        if cell.strip(" ") and tenths_at(1, cell):
            raise ValueError(cell)

    return Field("", start, stop, read, lambda _: "", say("trf.allowed.no-match-points"))


def ranks(start: int, least: int = 0) -> Field:
    """Starting ranks of four columns, five apart, to the end of the line."""

    def read(cell: str) -> tuple[int, ...]:
        ids = []
        cell = cell.rstrip(" ")
        for at in range(0, len(cell), 5):
            if at and cell[at - 1] != " ":
                raise Fault(at, cell[at - 1], say("trf.allowed.blank-between-ranks"))
            try:
                ids.append(positive(cell[at : at + 4]))
            except ValueError:
                raise Fault(at + 1, cell[at : at + 4], say("trf.allowed.ranks")) from None
        if len(ids) < least:
            raise Fault(1, say("trf.found.ranks", count=len(ids)), say("trf.allowed.least", least=least))
        return tuple(ids)

    return Field("ids", start, 0, read, lambda ids: " ".join(f"{id:>4}" for id in ids), A_RANK)


def words(cell: str) -> list[tuple[int, str]]:
    """The words of some columns, each with its column; blanks and tabs part them."""
    return [(found.start() + 1, found[0]) for found in re.finditer(r"[^ \t]+", cell)]


def named(least: int) -> Field:
    """Starting ranks as words."""

    def read(cell: str) -> tuple[int, ...]:
        ids = tuple(positive(word) for _, word in words(cell))
        if any(id > 9999 for id in ids):
            raise ValueError(cell)
        if len(ids) < least:
            raise Fault(2, say("trf.found.ranks", count=len(ids)), say("trf.allowed.least", least=least))
        return ids

    return Field("ids", 4, 0, read, lambda ids: "".join(f" {id}" for id in ids), A_RANK)


def read_rounds(cell: str) -> int:
    """The number of rounds, one word."""
    [(_, word)] = words(cell)
    if (rounds := positive(word)) > 999:
        raise ValueError(cell)
    return rounds


def read_colour(cell: str) -> str:
    """W or B."""
    if (colour := cell.strip(" ").lower()) not in ("w", "b"):
        raise ValueError(cell)
    return colour


def read_scoring(cell: str) -> tuple[tuple[str, int], ...]:
    """A symbol and its points in four columns, then four blanks."""
    values = []
    cell = cell.rstrip(" ")
    for at in range(0, len(cell), 9):
        symbol = cell[at].upper()
        if symbol not in "WDLAPXZ":
            raise Fault(at + 1, cell[at], say("trf.allowed.symbol"))
        values.append((symbol, tenths_at(at + 2, cell[at + 1 : at + 5])))
        if cell[at + 5 : at + 9].strip(" "):
            raise Fault(at + 6, cell[at + 5 : at + 9], say("trf.allowed.blanks-between-values"))
    if not values:
        raise Fault(1, say("trf.found.no-value"), say("trf.allowed.value"))
    return tuple(values)


def write_scoring(values: tuple[tuple[str, int], ...]) -> str:
    return "    ".join(f"{symbol}{points_text(value):>4}" for symbol, value in values)


def read_configuration(cell: str) -> str:
    """The initial colour among the words of XXC."""
    colour = ""
    for at, word in words(cell):
        if word in ("white1", "black1"):
            colour = word[0]
        elif word != "rank":
            raise Fault(at, word, say("trf.allowed.configuration"))
    return colour


def read_worths(cell: str) -> tuple[tuple[str, int], ...]:
    """CODE=VALUE, as words."""
    values = []
    for at, word in words(cell):
        code, _, value = word.partition("=")
        if code.upper() not in trf.JAVAFO_WORTHS:
            raise Fault(at, word, say("trf.allowed.worth", codes=tuple(trf.JAVAFO_WORTHS)))
        values.append((code.upper(), tenths_at(at + len(code) + 1, value)))
    return tuple(values)


def read_virtual(cell: str) -> tuple[int, ...]:
    """The points of each round in four columns, five apart; blanks are none."""
    values = []
    cell = cell.rstrip(" ")
    for at in range(0, len(cell), 5):
        points = cell[at : at + 4]
        values.append(tenths_at(at + 1, points) if points.strip(" ") else 0)
    return tuple(values)


@lru_cache
def read_score(cell: str) -> int:
    """The points of a player, or blanks."""
    return tenths(cell) if cell != "    " else trf.UNKNOWN_POINTS


def write_score(value: int) -> str:
    return "" if value == trf.UNKNOWN_POINTS else points_text(value)


def read_entries(cell: str) -> tuple[Entry, ...]:
    """The rounds of a player, ten columns each."""
    return tuple(map(entry_of, map(cell.__getitem__, rounds_of(len(cell)))))


@lru_cache
def rounds_of(columns: int) -> tuple[slice, ...]:
    return tuple(slice(at, at + 10) for at in range(0, columns, 10))


# --- the table

ROUNDS = Field("rounds", 4, 0, read_rounds, lambda rounds: f" {rounds}", say("trf.allowed.rounds"))
COLOUR = Field("colour", 4, 0, read_colour, lambda colour: f" {colour.upper()}", say("trf.allowed.w-or-b"))
PLAYER = (
    whole("number", 5, 8, A_RANK, zeros=False),
    text("sex", 10, 10),
    text("title", 11, 13, str.rjust),
    text("name", 15, 47),
    some("rating", 49, 52, say("trf.allowed.rating")),
    text("federation", 54, 56),
    text("fide_id", 58, 68, str.rjust),
    text("birth", 70, 79),
    Field("points", 81, 84, read_score, lambda value: write_score(value).rjust(4)),
    some("place", 86, 89, say("trf.allowed.place")),
    Field("entries", 90, 0, read_entries, lambda entries: "".join(map(entry_text, entries))),
)
LAYOUTS: Final[dict[str, tuple[Callable[..., Record], tuple[Field, ...]]]] = {
    "001": (PlayerLine, PLAYER),
    "142": (partial(trf.Rounds, "142"), (ROUNDS,)),
    "XXR": (partial(trf.Rounds, "XXR"), (ROUNDS,)),
    "152": (trf.InitialColour, (COLOUR,)),
    "162": (trf.ScoringLine, (Field("values", 6, 0, read_scoring, write_scoring),)),
    "240": (
        trf.Byes,
        (letter("letter", 5, "FHZ", say("trf.allowed.f-h-z")), whole("round", 7, 9, A_ROUND), ranks(11)),
    ),
    "250": (
        trf.Acceleration,
        (
            no_match_points(5, 8),
            points("points", 10, 13, "0"),
            whole("first", 15, 17, A_ROUND),
            whole("last", 19, 21, A_ROUND, after="first"),
            whole("from_number", 23, 26, A_RANK),
            whole("to_number", 28, 31, A_RANK, after="from_number"),
        ),
    ),
    "260": (
        partial(trf.Apart, "260"),
        (whole("first", 5, 7, A_ROUND), whole("last", 9, 11, A_ROUND, after="first"), ranks(13, least=2)),
    ),
    "299": (
        trf.Abnormal,
        (
            letter("letter", 5, " WDLFHZ+-", say("trf.allowed.abnormal")),
            no_match_points(8, 11),
            points("points", 14, 17),
            Field("round", 20, 22, number, "{:03}".format, say("trf.allowed.round-or-all")),
            ranks(24),
        ),
    ),
    "XXC": (
        trf.Configuration,
        (
            Field("by_rank", 4, 0, lambda cell: "rank" in cell.split(), lambda yes: " rank" * yes),
            Field("colour", 4, 0, read_configuration, {"": "", "w": " white1", "b": " black1"}.__getitem__),
        ),
    ),
    "XXZ": (trf.Absent, (named(least=1),)),
    "XXP": (partial(trf.Apart, "XXP"), (named(least=2),)),
    "XXS": (
        trf.Worths,
        (
            Field(
                "values",
                4,
                0,
                read_worths,
                lambda values: "".join(f" {code}={points_text(value)}" for code, value in values),
            ),
        ),
    ),
    "XXA": (
        trf.Virtual,
        (
            whole("id", 5, 8, A_RANK, zeros=False),
            Field("points", 10, 0, read_virtual, lambda row: " ".join(f"{points_text(p):>4}" for p in row)),
        ),
    ),
    **{code: (partial(trf.Worth, code), (points("points", 5),)) for code in trf.BBP_WORTHS},
}
"""Every record that is more than text, by its code: what is made of it, and its columns."""

HEAD = 89
"""Columns of 001 before those of round 1."""

GAPS = tuple(
    column
    for column in range(4, HEAD + 1)
    if not any(field.start <= column <= field.stop for field in PLAYER)
)
"""Columns that are blank in every 001 record."""

_cells = itemgetter(*(slice(field.start - 1, field.stop or None) for field in PLAYER))
_reads = [field.read for field in PLAYER]
_gaps = itemgetter(*(column - 1 for column in GAPS))
_no_gaps = (" ",) * len(GAPS)


# --- reading and writing


def parse_record(line: str) -> Record:
    """The record of a line; ValueError, or the Fault that says where, if it is none."""
    code = line[:3]
    if code == "001":
        return parse_player(line)
    if code not in LAYOUTS:
        return Line(line)
    kind, fields = LAYOUTS[code]
    values: dict[str, Any] = {}
    for field in fields:
        values[field.name] = value = read_field(field, line)
        if field.after and value < values[field.after]:
            least = say("trf.allowed.no-less", number=values[field.after])
            raise Fault(field.start, line[field.start - 1 : field.stop], least)
    values.pop("", None)
    return kind(**values)


def read_field(field: Field, line: str) -> Any:
    """The value of a field; a Fault says what is wrong."""
    cell = line[field.start - 1 : field.stop or None]
    try:
        return field.read(cell)
    except Fault as fault:
        raise Fault(field.start - 1 + fault.column, fault.found, fault.allowed) from None
    except ValueError:
        blank = field.start == 4 and cell[:1] == " "  # words begin after the blank
        raise Fault(field.start + blank, cell[blank:], field.allowed) from None


def parse_player(line: str, strict: bool = True) -> PlayerLine:
    """A 001 record; any doubt raises, and ``player_faults`` then says everything that is wrong.

    Not strict, only the columns a pairing depends on are judged.
    """
    text = line.rstrip(" ")
    if len(text) < HEAD:
        if len(text) < 8:
            raise ValueError(line)
        text = text.ljust(HEAD)
    if _gaps(text) != _no_gaps and (strict or text[3] != " " or text[8] != " "):
        raise ValueError(line)
    if not strict and not DIGITS.issuperset(text[85:89].strip(" ")):
        text = f"{text[:85]}    {text[89:]}"
    return PlayerLine(*map(call, _reads, _cells(text)))


def player_faults(line: str, strict: bool) -> list[Fault]:
    """Everything that is wrong with a 001 record."""
    faults = []
    text = line.rstrip(" ")
    if len(text) < 84:
        faults.append(Fault(len(text) + 1, say("trf.found.end"), say("trf.allowed.player-record")))
    text = text.ljust(HEAD)
    for column in GAPS if strict else GAPS[:2]:
        if text[column - 1] != " ":
            allowed = A_RANK if column == 9 else say("trf.allowed.blank-between-fields")
            faults.append(Fault(column, text[column - 1], allowed))
    for field in PLAYER[:-1]:
        try:
            if strict or field.name != "place":
                read_field(field, text)
        except Fault as fault:
            faults.append(fault)
    for at in range(HEAD, len(text), 10):
        try:
            entry_of(text[at : at + 10])
        except Fault as fault:
            faults.append(Fault(at + fault.column, fault.found, fault.allowed))
    return faults


def render_record(record: Record) -> str:
    """A record in its canonical columns; a value that does not fit them raises ValueError."""
    if type(record) is Line:
        return record.text
    line = record.code
    if line not in LAYOUTS:
        raise ValueError(f"a record {line!r} cannot be written, there is none")
    for field in LAYOUTS[line][1]:
        cell = field.write(getattr(record, field.name)) if field.name else ""
        if field.stop and field.name and len(cell) != field.stop - field.start + 1:
            raise ValueError(
                f"record {record.code}: {cell!r} does not fit columns {field.start}-{field.stop}"
            )
        line = line.ljust(field.start - 1) + cell
    return line.rstrip(" ")
