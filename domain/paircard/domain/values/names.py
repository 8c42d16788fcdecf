"""Names as people sort and search them: accents and case matter last, not first.

This is the idea of the Unicode collation algorithm without its tables: letters are compared without
accents, whatever the locale; only names that are equal then are told apart by accents and case.
"""

import unicodedata
from typing import Final

LETTERS: Final = {
    "ß": "ss", "æ": "ae", "œ": "oe", "ø": "o", "ł": "l", "đ": "d", "ð": "d", "þ": "th",
    "ħ": "h", "ı": "i", "ŧ": "t", "ŋ": "n", "ĸ": "k", "ŀ": "l", "ŉ": "n", "ə": "e", "ё": "е",
}  # fmt: skip
"""Letters that no decomposition turns into a plain one."""
_DROPPED: Final = frozenset("'’‘ʼʻ`´.")
_PLAIN: Final = ("\u0000", "\u03ff")
"""Latin and Greek: a mark on one of these letters is an accent, elsewhere it may make another letter."""


def fold_name(name: str) -> str:
    """The name without case, accents, apostrophes and punctuation, words parted by single blanks."""
    folded: list[str] = []
    base = ""
    for character in unicodedata.normalize("NFKD", name.casefold()):
        if unicodedata.combining(character):
            if base > _PLAIN[1]:
                folded.append(character)
            continue
        base = character
        if character in _DROPPED:
            continue
        plain = LETTERS.get(character, character)
        folded.append(plain if plain.isalnum() else " ")
    text = unicodedata.normalize("NFC", "".join(folded))
    return " ".join("".join(LETTERS.get(c, c) for c in text).split())


def collation_key(name: str) -> str:
    """Sorts names as people do; equal keys only for equal names."""
    return f"{fold_name(name)}\u0000{name.casefold()}\u0000{name}"
