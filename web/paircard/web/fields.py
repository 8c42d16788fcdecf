"""What the description says of the fields of a request beyond their types.

Deciding refuses what is beyond, in better words; ``tests/web/test_description.py`` holds the two together.
A choice is a pattern and no ``enum``: a word that joins later breaks no client that was generated before.
"""

from collections.abc import Mapping
from types import MappingProxyType
from typing import Any, Final, get_args

from paircard.domain.values.players import HIGHEST_RATING, SEXES, TITLES
from paircard.domain.values.prizes import CHOICES, FIELDS, HIGHEST_AMOUNT, MOST_PRIZES
from paircard.domain.values.regulations import (
    ACCELERATIONS,
    MOST_CYCLES,
    MOST_ROUNDS,
    ORDER_CRITERIA,
    RATING_LISTS,
    TABLES,
    TEMPOS,
    TIEBREAK_RATINGS,
    VARIANTS,
)
from paircard.domain.values.results import ResultText
from paircard.domain.values.rules import RULES
from paircard.domain.values.text import LONGEST

Schema = dict[str, Any]


def text(most: int, least: int = 0) -> Schema:
    """A text of so many characters."""
    return {"type": "string", "maxLength": most} | ({"minLength": least} if least else {})


def word(pattern: str, about: str) -> Schema:
    """A text of one form."""
    return {"type": "string", "pattern": f"^{pattern}$", "description": about}


def choice(*words: str) -> Schema:
    """One of some words; the empty one leaves it open."""
    named = [one for one in words if one]
    return word(f"({'|'.join(named)}){'?' if '' in words else ''}", f"One of {', '.join(named)}.")


def number(least: int, most: int) -> Schema:
    """A number from one to another."""
    return {"type": "integer", "minimum": least, "maximum": most}


def several(one: Schema, **more: Any) -> Schema:
    """A list of such."""
    return {"type": "array", "items": one, **more}


IN_YEAR: Final = "-(0[1-9]|1[0-2])-(0[1-9]|[12][0-9]|3[01])"
DAY: Final = word(f"([0-9]{{4}}{IN_YEAR})?", "A day such as 2026-11-16.")
RATING, MONEY = number(0, HIGHEST_RATING), number(0, HIGHEST_AMOUNT)
ROUND = number(1, 999)
PLAYER = number(1, 999_999) | {"description": "An id: the number of the entry, not the pairing number."}
FIELDS_OF_REQUESTS: Final[Mapping[str, Schema]] = MappingProxyType(
    {
        **dict.fromkeys(("rating", "fide_rating", "national_rating", "rapid_rating", "blitz_rating"), RATING),
        **dict.fromkeys(("place", "organiser", "chief_arbiter", "time_control", "club"), text(LONGEST)),
        **dict.fromkeys(("starts", "ends", "key_date"), DAY),
        **dict.fromkeys(("round", "first", "last"), ROUND),
        **dict.fromkeys(("player", "into", "one", "other", "white", "black"), PLAYER),
        **dict.fromkeys(("players", "order"), several(PLAYER)),
        **dict.fromkeys(("win", "draw", "loss", "absence"), number(0, 990)),
        **dict.fromkeys(("amount", "value", "least_part"), MONEY),
        **{name: choice(*words) for name, words in CHOICES.items()},
        "name": text(LONGEST, 1),
        "edition": choice(*RULES),
        "rounds": number(0, MOST_ROUNDS),
        "acceleration": choice(*ACCELERATIONS),
        "tiebreaks": several(text(40, 1)),
        "initial_order": several(choice(*ORDER_CRITERIA), minItems=1, uniqueItems=True),
        "last_half_bye": number(0, MOST_ROUNDS),
        "federation": word("([A-Z]{3})?", "A code such as ITA."),
        "arbiters": several(text(LONGEST, 1)),
        "tempo": choice(*TEMPOS),
        "dates": several(DAY),
        "rating_lists": several(choice(*RATING_LISTS), uniqueItems=True),
        "tiebreak_ratings": choice("", *TIEBREAK_RATINGS),
        "half_byes": number(0, MOST_ROUNDS),
        "variant": choice("", *VARIANTS),
        "cycles": number(1, MOST_CYCLES),
        "table": choice("", *TABLES),
        "pab": number(0, 999_999),
        "ScoringIn.pab": number(0, 990),
        "DetailsIn.name": text(100, 1),
        "ChangesIn.name": text(100, 1),
        "sex": choice(*SEXES),
        "title": choice(*TITLES),
        "rating_source": text(60),
        "k_factor": number(0, 40),
        "fide_id": number(0, 10**11 - 1),
        "national_id": text(40),
        "birth": word(f"((18|19|20)[0-9]{{2}}({IN_YEAR})?)?", "A year or a day: 1990, 1990-04-23."),
        "missed": word("[HZ]*", "For each round that is paired H or Z, as ZHZZ."),
        "letter": choice("", "H", "F", "Z"),
        "colour": choice("", "w", "b"),
        "board": number(1, 99_999),
        "outcome": text(40, 1)
        | {"description": f"One of {', '.join(get_args(ResultText))}; many other spellings are read."},
        "SetExternalTiebreak.name": text(40, 1),
        "SetExternalTiebreak.value": number(-(10**12), 10**12) | {"description": "In hundredths."},
        "CategoryIn.name": text(40, 1),
        "CategoryIn.least": number(0, 9999),
        "conditions": {"type": "array", "minItems": 1},
        "field": choice(*FIELDS),
        "youth": number(0, 120),
        "senior": number(0, 120),
        "below": number(0, 10**12),
        "ConditionIn.least": number(0, 10**12),
        "PrizeIn.name": text(80, 1),
        "thing": text(80),
        "group": text(40),
        "PrizeIn.place": number(1, 9999),
        "currency": word("[A-Z]{3}", "A code such as EUR."),
        "unit": number(1, HIGHEST_AMOUNT),
        "prizes": {"type": "array", "maxItems": MOST_PRIZES},
        "values": several(text(LONGEST, 1)),
        "next": text(40),
        "PrizeIn.category": text(40),
        "ReportFile.name": text(LONGEST),
        "ReportFile.edition": choice("", *RULES),
    }
)
"""By the name of a field; with the name of its schema in front where that means something else there."""


LARGE: Final = frozenset(
    [n.rpartition(".")[2] for n, one in FIELDS_OF_REQUESTS.items() if one.get("maximum", 0) >= 2**31]
    + ["position", "since", "until", "at"]
)
"""Fields that may hold more than 32 bits: many languages have two kinds of integers."""


def limit(schema: str, field: str, value: dict[str, Any]) -> None:
    """Add its limits to the description of a field, if it is of the type that they are for."""
    limits = FIELDS_OF_REQUESTS.get(f"{schema}.{field}", FIELDS_OF_REQUESTS.get(field, {}))
    for one in value.get("anyOf", [value]):
        if limits and one.get("type") == limits["type"]:
            items = one.get("items", {}) | limits.get("items", {})
            about = " ".join(filter(None, (one.get("description"), limits.get("description"))))
            one |= limits | ({"items": items} if items else {}) | ({"description": about} if about else {})
