"""Players: what is known about a person, and what may be corrected."""

import re
from typing import Final, Literal, TypeAlias

import msgspec
from msgspec import UNSET, UnsetType

from paircard.domain.errors import Invalid
from paircard.domain.values.names import alike, same_words
from paircard.domain.values.regulations import check_federation, given
from paircard.domain.values.text import checked_text, is_day

TITLES: Final = ("GM", "IM", "WGM", "FM", "WIM", "CM", "WFM", "WCM", "")
"""In the order of C.04.2:2.2; the last is no title."""
SEXES: Final = ("", "m", "w")
REMOVED: Final = "removed"
"""Status of an entry that was made by mistake."""
HIGHEST_RATING: Final = 4000


class Details(msgspec.Struct, frozen=True, kw_only=True, omit_defaults=True):
    """A person as entered; the pairing number is not among it."""

    name: str
    """``Family, Given`` as FIDE writes it."""
    sex: str = ""
    """``m``, ``w`` or not given."""
    title: str = ""
    rating: int = 0
    """The strength used for this tournament (C.04.2:2.1); 0 is unrated."""
    fide_rating: int = 0
    """Of FIDE's list of standard ratings."""
    national_rating: int = 0
    rating_source: str = ""
    """The list the tournament rating was taken from; ``manual`` when typed in."""
    k_factor: int = 0
    federation: str = ""
    fide_id: int = 0
    national_id: str = ""
    birth: str = ""
    """``1990`` or ``1990-04-23``."""
    club: str = ""
    rapid_rating: int = 0
    """Of FIDE's list of rapid ratings."""
    blitz_rating: int = 0
    """Of FIDE's list of blitz ratings."""
    half_byes: bool = True
    """False for a player barred by the event's rules from half-point byes (VCL 175)."""
    estimated: bool = False
    """The rating was estimated by the arbiter (C.04.2:2.1)."""


class Changes(msgspec.Struct, frozen=True, kw_only=True):
    """New values of some details; a field left out stays as it is."""

    name: str | UnsetType = UNSET
    sex: str | UnsetType = UNSET
    title: str | UnsetType = UNSET
    rating: int | UnsetType = UNSET
    fide_rating: int | UnsetType = UNSET
    national_rating: int | UnsetType = UNSET
    rating_source: str | UnsetType = UNSET
    k_factor: int | UnsetType = UNSET
    federation: str | UnsetType = UNSET
    fide_id: int | UnsetType = UNSET
    national_id: str | UnsetType = UNSET
    birth: str | UnsetType = UNSET
    club: str | UnsetType = UNSET
    rapid_rating: int | UnsetType = UNSET
    blitz_rating: int | UnsetType = UNSET
    half_byes: bool | UnsetType = UNSET
    estimated: bool | UnsetType = UNSET


def corrected(details: Details, changes: Changes) -> Details:
    return msgspec.structs.replace(details, **given(changes))


def without_person(details: Details, id: int) -> Details:
    """The details when everything personal in them is gone."""
    left = {name: value for name, value in msgspec.structs.asdict(details).items() if name not in PERSONAL}
    return Details(name=erased_name(id), **left)


ERASED: Final = "(erased "
"""How the name begins of a player whose personal data is gone."""


def erased_name(id: int) -> str:
    return f"{ERASED}{shown_id(id)})"


def shown_id(id: int) -> str:
    """An id as people see it; a number alone is always a pairing number."""
    return f"p{id}"


Likeness: TypeAlias = Literal["", "probable", "same"]


def likeness(one: Details, other: Details) -> Likeness:
    """Whether two entries are one person: ids decide where both have one, then names and years of birth.

    Names that only may be one, by an initial say, need something else that both have in common.
    """
    if one.fide_id and other.fide_id:
        return "same" if one.fide_id == other.fide_id else ""
    if one.national_id and other.national_id and one.federation == other.federation:
        return "same" if one.national_id == other.national_id else ""
    born = one.birth[:4], other.birth[:4]
    if all(born) and born[0] != born[1]:
        return ""
    if same_words(one.name, other.name):
        return "same"
    known = [(one.rating, other.rating), (one.fide_rating, other.fide_rating)]
    known += [(one.national_rating, other.national_rating)]
    in_common = all(born) or any(mine and mine == theirs for mine, theirs in known)
    return "probable" if in_common and alike(one.name, other.name) else ""


PERSONAL: Final = ("name", "sex", "birth", "fide_id", "national_id", "club", "federation")
"""What identifies a person among the details."""

MANUAL: Final = "manual"
"""Source of a rating that was typed in where a list had given one."""

NATIONAL: Final = "national"
"""Source of a rating taken from a federation's own list."""

LISTS: Final = {
    "standard": ("fide_rating", "FIDE standard"),
    "rapid": ("rapid_rating", "FIDE rapid"),
    "blitz": ("blitz_rating", "FIDE blitz"),
    "national": ("national_rating", NATIONAL),
}
"""Rating lists: the detail that holds a player's rating in it, and what the source is called."""


def rated(details: Details, lists: tuple[str, ...]) -> Details:
    """The player with a rating for the tournament, from the first of the lists that has one (VCL 123, 127).

    One that was given, or said to come from somewhere, stays.
    """
    if details.rating or details.rating_source:
        return details
    compared = lists[:1] in (("higher",), ("lower",))  # TRF26 172: HBFN, LBFN
    asked = [LISTS[name] for name in (("standard", "national") if compared else lists)]
    known = [(rating, source) for field, source in asked if (rating := getattr(details, field))]
    if not known:
        return details
    rating, source = (max if lists[0] == "higher" else min)(known) if compared else known[0]
    return msgspec.structs.replace(details, rating=rating, rating_source=source)


def check_details(d: Details) -> None:
    checked_text("name", d.name, required=True, limit=100)
    checked_text("club", d.club)
    checked_text("rating_source", d.rating_source, limit=60)
    checked_text("national_id", d.national_id, limit=40)
    if d.title not in TITLES:
        raise Invalid("title-unknown", text=d.title, known=TITLES[:-1])
    if d.sex not in SEXES:
        raise Invalid("sex-unknown", text=d.sex)
    for label in ("rating", *(field for field, _ in LISTS.values())):
        if not 0 <= (rating := getattr(d, label)) <= HIGHEST_RATING:
            raise Invalid(
                "rating-out-of-range", label=label, rating=rating, name=d.name, highest=HIGHEST_RATING
            )
    if not 0 <= d.k_factor <= 40:
        raise Invalid("k-factor-out-of-range", value=str(d.k_factor), name=d.name)
    if not 0 <= d.fide_id < 10**11:
        raise Invalid("fide-id-out-of-range", id=str(d.fide_id), name=d.name)
    check_federation(d.federation)
    check_birth(d.birth)


def check_birth(birth: str) -> None:
    if birth and not (re.fullmatch(r"(1[89]|20)[0-9]{2}", birth) or is_day(birth, "1800", "2100")):
        raise Invalid("birth-unknown", text=birth)
