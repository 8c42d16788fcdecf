"""Days as people and programs write them."""

import re
from datetime import date

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
