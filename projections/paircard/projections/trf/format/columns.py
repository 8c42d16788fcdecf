"""Fields of fixed columns: numbers and points as TRF writes them (TRF26 §1).

Each field is looked up by its text in a table that learns: a crosstable repeats the same few thousand
fields, and a lookup is many times cheaper than taking a field apart.
"""

from paircard.projections.round.crosstable import Entry
from paircard.projections.trf.format.problems import Fault, quoted

LIMIT = 100_000
"""Fields a table remembers before it is emptied, so that hostile input cannot fill the memory."""

MOST_DIGITS = 9
"""Digits of a number in a file; no column holds more, and no list needs more."""

DIGITS = frozenset("0123456789")
RESULTS = "1 = 0 W D L + - H F U Z ?"
RESULT_LETTERS = frozenset("1=0WDL+-HFUZ? ")


def is_unknown(letter: str) -> bool:
    """Whether this stands for a result that nobody knows yet: ``?``, or a sign such as ``*`` (VCL 166)."""
    return letter not in "=+- " and "!" <= letter <= "~" and not letter.isalnum()


def number(text: str) -> int:
    """A whole number, right- or left-aligned, blank- or zero-padded; blank is 0."""
    digits = text.strip(" ")
    if not digits:
        return 0
    if not DIGITS.issuperset(digits) or len(digits) > MOST_DIGITS:
        raise ValueError(text)
    return int(digits)


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
    sign = "-" if value < 0 else ""
    return f"{sign}{abs(value) // 10}.{abs(value) % 10}"


class Numbers(dict[str, int]):
    """Field text to number."""

    def __missing__(self, text: str) -> int:
        value = number(text)
        if len(self) >= LIMIT:
            self.clear()
        self[text] = value
        return value


class Entries(dict[str, Entry]):
    """The ten columns of a round (two blanks, opponent, colour, result) to an entry."""

    def __missing__(self, text: str) -> Entry:
        game = GAMES.get(text[6:])
        opponent = NUMBERS.get(text[2:6])
        value = Entry(opponent, *game) if game and opponent and text[:2] == "  " else entry_of(text)
        if len(self) >= LIMIT:
            self.clear()
        self[text] = value
        return value


def entry_of(text: str) -> Entry:
    """One round of one player; a Fault's column counts from the start of these ten columns."""
    field = text.ljust(10)
    for gap in (0, 1, 6, 8):
        if field[gap] != " ":
            raise Fault(gap + 1, quoted(field[gap]), "a blank between the columns of a round")
    try:
        opponent = NUMBERS[field[2:6]]
    except ValueError:
        raise Fault(3, quoted(field[2:6]), "the opponent's starting rank, 0000 or four blanks") from None
    colour = field[7].lower()
    if colour not in "wb- ":
        raise Fault(8, quoted(field[7]), "w, b, - or a blank")
    if colour == " ":
        colour = "-"
    letter = field[9].upper()
    if letter not in RESULT_LETTERS and not (opponent and colour != "-" and is_unknown(letter)):
        raise Fault(10, quoted(field[9]), RESULTS)
    if opponent == 0:
        if colour != "-":
            raise Fault(8, quoted(field[7]), "no colour without an opponent")
        if letter not in "1=0+-HFUZ ":
            raise Fault(10, quoted(field[9]), "U F H Z (old files: + 1 = 0 -) without an opponent")
    else:
        if letter in "HFUZ":
            raise Fault(3, quoted(field[2:6]), f"0000 with the bye {letter}")
        if colour == "-" and letter not in "+-":
            raise Fault(8, quoted(field[7]), "w or b for a game that was played")
    if letter == " " and not opponent and field.strip(" "):
        letter = "Z"  # 0000 or a dash without a result is a zero-point bye (TRF26 §001)
    return Entry(opponent, colour, letter)


GAMES = {f" {colour} {letter}": (colour, letter) for colour in "wb" for letter in "1=0WDL+-? "}
"""Columns 96-99 of a game as nearly every file writes it; all else goes the careful way."""

NUMBERS = Numbers()
ENTRIES = Entries()
