"""Names as people sort and search them: accents and case matter last, not first.

This is the idea of the Unicode collation algorithm without its tables: letters are compared without
accents, whatever the locale; only names that are equal then are told apart by accents and case.
"""

import unicodedata
from functools import lru_cache
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


LONG: Final = str.maketrans({"ä": "ae", "ö": "oe", "ü": "ue", "å": "aa", "ø": "oe"})
"""Letters that keyboards and lists without them write as two."""
_SHORT: Final = (("ue", "u"), ("oe", "o"), ("ae", "a"), ("aa", "a"))


@lru_cache(maxsize=1 << 16)
def spellings(name: str) -> tuple[str, ...]:
    """The name folded, as it may be typed: Müller is muller and mueller."""
    plain = fold_name(name)
    long = fold_name(unicodedata.normalize("NFC", name).casefold().translate(LONG))
    return (plain,) if plain == long else (plain, long)


def same_words(one: str, other: str) -> bool:
    """Whether two names are the same words, whatever their order, accents, commas, and ü or ue."""
    if spelling_key(one) != spelling_key(other):
        return False
    if _figures(_words(one)) != _figures(_words(other)):
        return False
    rest = list(_words(other))
    for word in _words(one):
        alike = next((theirs for theirs in rest if word & theirs), None)
        if alike is None:
            return False
        rest.remove(alike)
    return not rest


def alike(one: str, other: str) -> bool:
    """Whether two names may be one: initials, a name left out, or ue for a u that has lost its dots."""
    short, long = sorted((_words(one), _words(other)), key=len)
    if _figures(short) != _figures(long):
        return False  # a figure is no initial, and nobody leaves one out
    rest, whole = list(long), 0
    for word in sorted(short, key=lambda each: -len(min(each))):
        fitting = [theirs for theirs in rest if _shortest(word) == _shortest(theirs)]
        initials = [theirs for theirs in rest if _is_initial(word, theirs) or _is_initial(theirs, word)]
        if not (fitting or initials):
            return False
        whole += bool(fitting) and len(min(word)) > 1
        rest.remove((fitting or initials)[0])
    return len(short) > 1 and whole > 0


@lru_cache(maxsize=1 << 16)
def word_keys(name: str) -> frozenset[str]:
    """The words of a name; two names that may be one have a word in common."""
    return frozenset(_shortest(word) for word in _words(name))


@lru_cache(maxsize=1 << 16)
def spelling_key(name: str) -> str:
    """Equal for names that may be the same words; unequal for those that are not."""
    return " ".join(sorted(_shortest(word) for word in _words(name)))


@lru_cache(maxsize=1 << 16)
def _words(name: str) -> tuple[frozenset[str], ...]:
    """Each word of a name in its spellings."""
    each = [spelling.split() for spelling in spellings(name)]
    return tuple(frozenset(word) for word in zip(*each, strict=True))


def _shortest(word: frozenset[str]) -> str:
    text = min(word, key=len)
    for long, short in _SHORT:
        text = text.replace(long, short)
    return text


def _figures(words: tuple[frozenset[str], ...]) -> list[str]:
    """Words with figures, in their order: Board 1 10 is neither Board 1 1 nor Board 10 1."""
    return [min(word) for word in words if any(letter.isdigit() for letter in min(word))]


def _is_initial(word: frozenset[str], of: frozenset[str]) -> bool:
    return any(len(each) == 1 and theirs.startswith(each) for each in word for theirs in of)


@lru_cache(maxsize=1 << 16)
def collation_key(name: str) -> str:
    """Sorts names as people do; equal keys only for equal names."""
    return f"{fold_name(name)}\u0000{name.casefold()}\u0000{name}"
