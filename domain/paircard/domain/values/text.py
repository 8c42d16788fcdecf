"""Text that comes from outside: how it is read, and what may be stored and printed on one line."""

import codecs
import unicodedata
from collections.abc import Iterable
from datetime import date
from typing import Final

from paircard.domain.errors import Invalid

LONGEST: Final = 200
LONGEST_LINE: Final = 2000
"""Characters of a line that is kept of an imported file."""
OUTSIDE_FIDE: Final = "OUT OF FIDE MODE"
"""The sign that no sheet may lack once FIDE mode is left (VCL 46)."""
_MARKS: Final = (
    (codecs.BOM_UTF8, "utf-8"),
    (codecs.BOM_UTF32_LE, "utf-32"),
    (codecs.BOM_UTF32_BE, "utf-32"),
    (codecs.BOM_UTF16_LE, "utf-16"),
    (codecs.BOM_UTF16_BE, "utf-16"),
)
"""Marks at the beginning of a file, the longer ones first where one begins like another."""
_CONTROLS: Final = frozenset({"Cc", "Cs", "Zl", "Zp"})
"""Control characters, halves of characters (a sign of text that was not UTF-8), line separators."""
_BREAKING: Final = _CONTROLS | {"Cf"}
"""And format characters, which nobody sees: they turn the reading direction, or make two names of one."""
_INVISIBLE: Final = frozenset("\u034f\u115f\u1160\u2800\u3164\uffa0")
"""Others of other categories that nobody sees: fillers, the blank Braille pattern."""
_JOINERS: Final = frozenset("\u200c\u200d")
"""Spelling needs them between letters of Arabic and Indic scripts."""


def plain(value: str) -> bool:
    """Whether no character needs a second look, as in nearly every name: up to Latin Extended-B, all seen."""
    return value.isprintable() and max(value, default="") < "\u0250"


def without_unseen(value: str) -> str:
    """The text without the characters that are refused in it."""
    if plain(value):
        return value
    return "".join(c for place, c in enumerate(value) if not _unseen(value, place)).strip()


def _unseen(value: str, place: int) -> bool:
    character = value[place]
    if character in _JOINERS:
        around = value[place - 1 : place] + value[place + 1 : place + 2]
        return not (
            len(around) == 2 and all(c >= "\u0600" and unicodedata.category(c)[0] in "LM" for c in around)
        )
    if "\ufe00" <= character <= "\ufe0f":  # chooses between two looks of a sign, as with ☕️
        return unicodedata.category(value[place - 1 : place] or " ") != "So"
    return unicodedata.category(character) in _BREAKING or character in _INVISIBLE


def columns_of(text: str) -> int:
    """How many columns of a terminal the text takes: wide characters two, marks and controls none."""
    if plain(text):
        return len(text)
    return sum(
        0 if unicodedata.category(c) in ("Mn", "Me", "Cf") else 1 + (unicodedata.east_asian_width(c) in "WF")
        for c in text
    )


def widths_of(texts: Iterable[str]) -> list[int]:
    """How many columns of a terminal each of these takes."""
    return [columns_of(text) for text in texts]


def is_number(text: str) -> bool:
    """Whether a text is a whole number of at most twelve digits, which no conversion refuses."""
    return text.isascii() and text.isdecimal() and len(text) <= 12


def counted(number: int, noun: str) -> str:
    """1 board, 1,200 facts."""
    return f"{number:,} {noun}{'' if number == 1 else 's'}"


def label(field: str) -> str:
    """The name of a field for people: FIDE id, rating source."""
    return field.replace("_", " ").replace("fide ", "FIDE ")


def enumerated(names: Iterable[str]) -> str:
    """Ada, Ben; or, where a comma belongs to the names, Rossi, Anna; Verdi, Paolo."""
    listed = list(names)
    return ("; " if any("," in name for name in listed) else ", ").join(listed)


def visible(label: str, value: str, limit: int) -> None:
    """Refuse a text that is too long, or has characters that nobody sees; without repeating them."""
    if len(value) > limit:
        raise Invalid("text-too-long", label=label, count=len(value), most=limit)
    if not plain(value):
        for place, character in enumerate(value):
            if _unseen(value, place):
                seen = unicodedata.category(character) in _CONTROLS
                code = "text-unprintable" if seen else "text-invisible"
                raise Invalid(code, label=label, code=f"U+{ord(character):04X}", place=place + 1)


def checked_text(label: str, value: str, *, required: bool = False, limit: int = LONGEST) -> str:
    """The text itself, or a refusal that does not repeat what is unprintable in it."""
    visible(label, value, limit)
    if required and not value.strip():
        raise Invalid("text-empty", label=label)
    if value != value.strip():
        raise Invalid("text-padded", label=label, text=value)
    return value


def check_choice(label: str, value: str, choices: tuple[str, ...]) -> None:
    """Refuse a word outside a closed list."""
    if value not in choices:
        raise Invalid("choice-unknown", label=label, text=value, known=choices)


def is_day(day: str, since: str = "", before: str = "9") -> bool:
    """Whether this is a day of the calendar, written 2026-11-16, in a span of years."""
    try:
        return date.fromisoformat(day).isoformat() == day and since <= day < before
    except ValueError:
        return False


def encoding_of(data: bytes) -> str:
    """UTF-8, UTF-16 or UTF-32 where a file is that, else the text of Windows in Western Europe (cp1252)."""
    for mark, name in _MARKS:
        if data.startswith(mark):
            return name
    head = data[:400]
    for first, name in ((1, "utf-16-le"), (0, "utf-16-be")):
        every_other = head[first::2]
        if len(head) > 8 and every_other.count(0) > len(every_other) * 3 // 4:
            return name
    try:
        data.decode()
    except UnicodeDecodeError:
        return "cp1252"
    return "utf-8"


def decoded(data: bytes, encoding: str) -> tuple[str, str]:
    """The text of a file, and the encoding it was read in."""
    used = encoding or encoding_of(data)
    try:
        text = data.decode(used).removeprefix("\ufeff")
    except (ValueError, LookupError):
        if used == "cp1252" and b"\0" in data:
            raise Invalid("import.not-a-text") from None
        raise Invalid("import.not-in-encoding", value=encoding[:40]) from None
    if "\0" in text:
        raise Invalid("import.not-a-text")
    return text, used
