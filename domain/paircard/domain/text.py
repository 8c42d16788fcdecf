"""Words that come from outside: what may be stored and printed on one line."""

import re
import unicodedata
from typing import Final

from paircard.domain.errors import Invalid

LONGEST: Final = 200
_PLAIN: Final = re.compile(r"[\x20-\x7e\u00a1-\u00ac\u00ae-\u024f]*")
"""Characters that need no second look, which is nearly every name."""
_BREAKING: Final = frozenset({"Cc", "Cs", "Zl", "Zp"})
"""Control characters, halves of characters (a sign of text that was not UTF-8), line separators."""


def checked_text(label: str, value: str, *, required: bool = False, limit: int = LONGEST) -> str:
    """The text itself, or a refusal that does not repeat what is unprintable in it."""
    if len(value) > limit:
        raise Invalid(f"{label} has {len(value)} characters: at most {limit}")
    if _PLAIN.fullmatch(value) is None:
        for place, character in enumerate(value, start=1):
            if unicodedata.category(character) in _BREAKING:
                raise Invalid(f"{label} has an unprintable character U+{ord(character):04X} at place {place}")
    if required and not value.strip():
        raise Invalid(f"{label} is empty")
    if value != value.strip():
        raise Invalid(f"{label} begins or ends with a blank: {value!r}")
    return value
