"""One person of a rating list, and how names are compared."""

import unicodedata
from functools import lru_cache

import msgspec

from paircard.domain.values.players import Details

UNDECOMPOSED = str.maketrans(
    {"ø": "o", "ł": "l", "đ": "d", "ð": "d", "þ": "th", "æ": "ae", "œ": "oe", "ı": "i", "ŋ": "n", "ħ": "h"}
)
"""Letters that Unicode does not take apart into a letter and an accent."""

FIDE = "fide"
"""The name of FIDE's lists; every other list is a national one or one of the organiser's own."""


class ListEntry(msgspec.Struct, frozen=True, kw_only=True):
    """A person as a list has them."""

    id: str
    """In the list: the FIDE id, or the number of the list's own."""
    name: str
    federation: str = ""
    sex: str = ""
    title: str = ""
    birth: str = ""
    """A year, or a day."""
    fide_id: int = 0
    standard: int = 0
    """Of FIDE's standard list, or the one rating of another list."""
    rapid: int = 0
    blitz: int = 0
    k_factor: int = 0
    inactive: bool = False


def details_of(listed: ListEntry, name: str) -> Details:
    """The person as registered from the list of this name; the tournament's rating follows from the lists
    that the regulations name."""
    fide = name == FIDE
    return Details(
        name=listed.name,
        sex=listed.sex,
        title=listed.title,
        federation=listed.federation,
        birth=listed.birth,
        fide_id=listed.fide_id,
        fide_rating=listed.standard if fide else 0,
        rapid_rating=listed.rapid if fide else 0,
        blitz_rating=listed.blitz if fide else 0,
        k_factor=listed.k_factor if fide else 0,
        national_rating=0 if fide else listed.standard,
        national_id="" if fide else listed.id,
    )


@lru_cache(maxsize=4096)
def folded(text: str) -> str:
    """A name for comparing: small letters without accents, words parted by single blanks."""
    small = text.casefold().translate(UNDECOMPOSED)
    if not small.isascii():
        decomposed = unicodedata.normalize("NFKD", small)
        small = "".join(c for c in decomposed if not unicodedata.combining(c))
    return " ".join("".join(c if c.isalnum() else " " for c in small).split())
