"""Fields of fixed columns as TRF writes them (TRF26 §1): numbers, points, rounds of a player; and days.

A crosstable repeats the same few thousand fields, and remembering them is many times cheaper than taking
them apart again; what is remembered is bounded, so that hostile input cannot fill the memory.
"""

import re
from datetime import date
from functools import lru_cache

from paircard.domain.messages import say
from paircard.projections.round.crosstable import Entry
from paircard.projections.trf.notes import Fault

REMEMBERED = 100_000
"""Fields of a kind that are remembered."""

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
    sign = "-" if value < 0 else ""
    return f"{sign}{abs(value) // 10}.{abs(value) % 10}"


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


MONTHS = ("jan", "feb", "mar", "apr", "may", "jun", "jul", "aug", "sep", "oct", "nov", "dec")


def day_of(text: str) -> str:
    """The day of a text as ``2026-03-01``; empty if it names none.

    Understood are ``2026/03/01`` (TRF26) with any of the separators ``/ - .`` and blanks, ``20260301``,
    the day first (``24/09/2010``, ``28. 07. 2005``; ``09/24/2010`` where the month must be second), two
    digits for the year in front (``26/03/01``), and months by their English names (``May 10, 2020``,
    ``10 May 2020``).
    """
    words = re.findall(r"[0-9]+|[^\W\d_]+|[^\s/.,\-]", text)
    if len(words) == 1 and len(words[0]) == 8 and words[0].isascii() and words[0].isdecimal():
        words = [words[0][:4], words[0][4:6], words[0][6:]]
    if len(words) != 3 or any(len(word) > 9 for word in words):
        return ""
    named = [word for word in words if not word.isdecimal()]
    if named:
        return _with_month(words, named)
    numbers = [int(word) for word in words]
    if len(words[0]) == 4:
        return _day(numbers[0], numbers[1], numbers[2])
    if len(words[2]) == 4:
        return _day(numbers[2], numbers[1], numbers[0]) or _day(numbers[2], numbers[0], numbers[1])
    if all(len(word) == 2 for word in words):  # record 132: YY/MM/DD
        return _day(2000 + numbers[0], numbers[1], numbers[2])
    return ""


def _with_month(words: list[str], named: list[str]) -> str:
    month = named[0][:3].lower()
    if len(named) > 1 or month not in MONTHS or words[2] == named[0] or len(words[2]) != 4:
        return ""
    [day] = [word for word in words[:2] if word != named[0]] or [""]
    return _day(int(words[2]), MONTHS.index(month) + 1, int(day)) if len(day) < 3 else ""


def _day(year: int, month: int, day: int) -> str:
    try:
        return date(year, month, day).isoformat()
    except ValueError:
        return ""
