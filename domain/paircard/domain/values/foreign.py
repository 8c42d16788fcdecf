"""Days, births, sexes, titles and federations as other programs write them."""

import re
from datetime import date
from typing import Final

DAYS: Final = (
    r"(?P<year>\d{4})(?P<month>\d{2})(?P<day>\d{2})",
    r"(?P<year>\d{4}) (?P<month>\d{1,9}) (?P<day>\d{1,9})",
    r"(?P<day>\d{1,3}) (?P<month>\d{1,9}) (?P<year>\d{4})",
    r"(?P<month>\d{1,3}) (?P<day>\d{1,9}) (?P<year>\d{4})",
    r"(?P<year>\d{2}) (?P<month>\d{2}) (?P<day>\d{2})",  # record 132
    r"(?P<month>[^\W\d_]+) (?P<day>\d{1,2}) (?P<year>\d{4})",
    r"(?P<day>\d{1,2}) (?P<month>[^\W\d_]+) (?P<year>\d{4})",
)
"""How days are written, their words parted by single blanks; the first that names a day counts."""
MONTHS: Final = ("jan", "feb", "mar", "apr", "may", "jun", "jul", "aug", "sep", "oct", "nov", "dec")


def day_of(text: str) -> str:
    """The day of a text as ``2026-03-01``; empty if it names none.

    Understood are ``2026/03/01`` (TRF26) with any of the separators ``/ - .`` and blanks, ``20260301``,
    the day first (``24/09/2010``, ``28. 07. 2005``; ``09/24/2010`` where the month must be second), two
    digits for the year in front (``26/03/01``), and months by their English names (``May 10, 2020``,
    ``10 May 2020``).
    """
    words = " ".join(re.findall(r"[0-9]+|[^\W\d_]+|[^\s/.,\-]", text.lower()))
    for found in filter(None, (re.fullmatch(form, words) for form in DAYS)):
        year, month, day = found["year"], found["month"], found["day"]
        try:
            number = MONTHS.index(month[:3]) + 1 if month[:3] in MONTHS else int(month)
            return date(int(year) + (2000 if len(year) == 2 else 0), number, int(day)).isoformat()
        except ValueError:
            continue
    return ""


def birth_of(text: str) -> str:
    """``1990`` or ``1990-04-23``, of a year or a day in the usual spellings, ``1990/00/00`` too; empty for
    what no living player was born on."""
    year = re.fullmatch(r"([0-9]{4})([-/.]00[-/.]00)?", text)
    found = year[1] if year else day_of(text)
    return found if "1800" <= found[:4] <= "2099" else ""


SEXES: Final = {"m": "m", "male": "m", "h": "m", "w": "w", "f": "w", "female": "w", "": ""}
"""Male and female, hombre, homme, weiblich, femme."""

OLD_TITLES: Final = {
    "g": "GM", "m": "IM", "f": "FM", "c": "CM", "wg": "WGM", "wm": "WIM", "wf": "WFM", "wc": "WCM",
}  # fmt: skip
"""As lists and reports had them before 2012."""


def title_of(text: str) -> str:
    """The code of a title; of anything else its letters in capitals."""
    return OLD_TITLES.get(text, text.upper().replace("-", ""))


def federation_of(text: str) -> str:
    """A federation code in capitals; empty for anything but three letters."""
    code = text.upper()
    return code if len(code) == 3 and code.isascii() and code.isalpha() else ""
