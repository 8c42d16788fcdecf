"""Categories and prizes as the organiser announces them; no FIDE rule fixes them, so all is a choice."""

from typing import Final

import msgspec

from paircard.domain.errors import Invalid
from paircard.domain.values.results import decimal
from paircard.domain.values.text import check_choice, checked_text, is_day

RATINGS: Final = ("rating", "fide_rating", "national_rating", "rapid_rating", "blitz_rating")
FIELDS: Final = (
    "sex", "birth", *RATINGS, "title", "federation", "club", "rating_source", "national_id", "fide_id",
    "k_factor", "estimated", "player",
)  # fmt: skip
"""What a condition may ask about: any recorded field, or ``player`` for a list by hand (``p16``)."""
BANDS: Final = (*RATINGS, "birth", "k_factor")
"""Fields with a number."""
UNRATED: Final = "unrated"
MAIN: Final = ""
"""The list of everybody, where a category is named."""
CHOICES: Final = {
    "per_person": ("one", "group", "all"),
    "sharing": ("place", "equal", "hort", "us32"),
    "special_sharing": ("place", "equal", "hort"),
    "choosing": ("procedure", "best"),
    "short": ("none", "half", "up"),
    "unclaimed": ("none", "next"),
}
"""The words of each parameter, the usual one first."""
HIGHEST_AMOUNT: Final = 10**12
MOST_PRIZES: Final = 500


class Condition(msgspec.Struct, frozen=True, kw_only=True, omit_defaults=True):
    """One question about a player; conditions about one field are joined by *or*, fields by *and*."""

    field: str
    values: tuple[str, ...] = ()
    """Any of these; ``unrated`` for a rating that is not there."""
    least: int = 0
    below: int = 0
    """A band, least ≤ number < below; 0 sets no bound. A player without a number is in no band."""
    youth: int = 0
    """Not so many years old before the key date: 1 January of the year of the event (Handbook D.04.07)."""
    senior: int = 0
    """So many years old by the key date: 31 December of the year of the event (Handbook D.04.03)."""
    key_date: str = ""
    """Another day, ``2026-09-01``."""


class Category(msgspec.Struct, frozen=True, kw_only=True, omit_defaults=True):
    """A group of players with places of its own."""

    name: str
    conditions: tuple[Condition, ...]
    least: int = 0
    """Players it needs for its prizes; 0 sets no limit."""
    next: str = MAIN
    """The category that prizes go on to where the rules say so; else the main list."""

    def __str__(self) -> str:
        return self.name


class Filled(Category, frozen=True, kw_only=True, omit_defaults=True):
    """A category of the public log, which says who belongs: it has neither births nor sexes."""

    members: tuple[int, ...]


class Prize(msgspec.Struct, frozen=True, kw_only=True, omit_defaults=True):
    """One prize; its place among the prizes is its order number."""

    name: str
    category: str = MAIN
    place: int = 1
    amount: int = 0
    """In the smallest unit of the currency: cents."""
    thing: str = ""
    """A cup, a book: never shared."""
    value: int = 0
    """What the thing counts for in the order of award, in addition to the amount; in cents."""
    group: str = ""
    """Prizes of which a person has one, if the rules are one per group."""


class PrizeRules(msgspec.Struct, frozen=True, kw_only=True, omit_defaults=True):
    """The prizes in their order, and how they are given."""

    prizes: tuple[Prize, ...] = ()
    currency: str = "EUR"
    per_person: str = "one"
    """``one`` for each person, one of each ``group``, or ``all``."""
    sharing: str = "place"
    """Of money in the main list among equal points: ``place``, ``equal``, ``hort``; ``us32`` in all lists."""
    special_sharing: str = "place"
    """Of money in the lists of categories."""
    choosing: str = "procedure"
    """Which fair list, where main prizes are shared: ``procedure``, or ``best`` for the higher placed."""
    unit: int = 1
    """Payments are multiples of it, in cents."""
    least_part: int = 0
    """No equal part below it: the last of the tied drop out."""
    short: str = "none"
    """A category with too few players: prizes are not given, ``half``, or go ``up`` to its next list."""
    unclaimed: str = "none"
    """A prize nobody can have is not given, or goes to the ``next`` list."""
    all_rounds: bool = False
    """Only who played every round has a prize."""
    unrated_half: bool = False
    """Unrated players have half of a prize in money."""

    def __str__(self) -> str:
        return ", ".join(prize.name for prize in self.prizes)


def key_day(condition: Condition, starts: str) -> str:
    """The day an age is counted at; the first of the year for youth, the last for seniors."""
    return condition.key_date or f"{starts[:4]}-{'01-01' if condition.youth else '12-31'}"


def check_prizes(categories: tuple[Category, ...], rules: PrizeRules, starts: str) -> None:
    """Refuse categories and prizes that cannot be given."""
    names = [category.name for category in categories]
    for category in categories:
        _check_category(category, starts)
        if names.count(category.name) > 1:
            raise Invalid("category-twice", text=category.name)
        if category.next and (category.next == category.name or category.next not in names):
            raise Invalid("category-unknown", text=category.next, known=names)
    for label, known in CHOICES.items():
        check_choice(label, getattr(rules, label), known)
    if not (len(rules.currency) == 3 and rules.currency.isascii() and rules.currency.isupper()):
        raise Invalid("currency-unknown", text=rules.currency)
    if not 1 <= rules.unit <= HIGHEST_AMOUNT or not 0 <= rules.least_part <= HIGHEST_AMOUNT:
        raise Invalid("amount-out-of-range", value=money(min(rules.unit, rules.least_part)))
    if rules.least_part and rules.sharing not in ("equal", "hort"):
        raise Invalid("least-part-unshared")
    if rules.special_sharing != "place" and rules.per_person != "all":
        raise Invalid("special-sharing-one")
    if rules.sharing == "us32" and rules.per_person != "one":
        raise Invalid("us32-one")
    if rules.unclaimed == "next" and (rules.sharing == "us32" or rules.per_person == "all"):
        raise Invalid("next-list-one")
    if len(rules.prizes) > MOST_PRIZES:
        raise Invalid("prizes-too-many", count=len(rules.prizes), most=MOST_PRIZES)
    above: dict[tuple[str, str], Prize] = {}
    for prize in rules.prizes:
        _check_prize(prize, rules.unit)
        if prize.category and prize.category not in names:
            raise Invalid("category-unknown", text=prize.category, known=names)
        listed = prize.group if rules.per_person == "group" else "", prize.category
        better = above.get(listed, prize)
        if better is not prize and better.place == prize.place:
            raise Invalid("prize-place-twice", names=(better.name, prize.name), place=prize.place)
        if better.place > prize.place or better.amount + better.value < prize.amount + prize.value:
            raise Invalid("prize-places-turned", names=(better.name, prize.name))
        above[listed] = prize
    if len({prize.name for prize in rules.prizes}) < len(rules.prizes):
        twice = next(one.name for one in rules.prizes if [p.name for p in rules.prizes].count(one.name) > 1)
        raise Invalid("prize-twice", text=twice)


def _check_category(category: Category, starts: str) -> None:
    checked_text("category", category.name, required=True, limit=40)
    if not category.conditions:
        raise Invalid("category-of-all", text=category.name)
    if not 0 <= category.least <= 9999:
        raise Invalid("category-least", text=category.name, count=category.least)
    for one in category.conditions:
        check_choice("field", one.field, FIELDS)
        ages, band = (one.youth, one.senior), one.least or one.below
        asked = sum(map(bool, (*ages, band, one.values)))
        if asked != 1:
            raise Invalid("condition-unclear", text=category.name, label=one.field)
        if (any(ages) and one.field != "birth") or (band and one.field not in BANDS):
            raise Invalid("condition-not-of-field", text=category.name, label=one.field)
        if min(one.least, one.below) < 0 or (one.below and one.least >= one.below):
            raise Invalid("band-empty", text=category.name, first=one.least, last=one.below)
        if any(ages) and not 1 <= max(ages) <= 120:
            raise Invalid("age-not-possible", text=category.name, count=max(ages))
        if one.field == "sex" and not set(one.values) <= {"w", "m"}:
            raise Invalid("sex-unknown", text=one.values[0])
        for value in one.values:
            checked_text("value", value, required=True)
        if (any(ages) or one.key_date) and not is_day(key_day(one, starts)):
            code = "day-unknown" if one.key_date else "age-without-day"
            raise Invalid(code, label="key_date", text=one.key_date or category.name)


def _check_prize(prize: Prize, unit: int) -> None:
    checked_text("prize", prize.name, required=True, limit=80)
    checked_text("thing", prize.thing, limit=80)
    checked_text("group", prize.group, limit=40)
    if not 1 <= prize.place <= 9999:
        raise Invalid("prize-place", text=prize.name, place=prize.place)
    for amount in (prize.amount, prize.value):
        if not 0 <= amount <= HIGHEST_AMOUNT:
            raise Invalid("amount-out-of-range", value=money(amount))
    if not (prize.amount or prize.thing):
        raise Invalid("prize-of-nothing", text=prize.name)
    if prize.value and not prize.thing:
        raise Invalid("value-without-thing", text=prize.name)
    if prize.amount % unit:
        raise Invalid("prize-not-in-units", text=prize.name, value=money(prize.amount), kind=money(unit))


def money(cents: int) -> str:
    """1250 cents are ``12.50``, 1200 are ``12``."""
    return decimal(cents, 2).removesuffix(".00")


def read_money(text: str) -> int:
    """Cents of ``12.50``; refuses what is no amount, and more than two decimals."""
    whole, point, rest = text.strip().replace(",", ".").partition(".")
    if not (whole.isascii() and whole.isdigit() and len(whole) <= 10 and len(rest) <= 2):
        raise Invalid("not-an-amount", text=text)
    if point and not (rest.isascii() and rest.isdigit()):
        raise Invalid("not-an-amount", text=text)
    return int(whole) * 100 + int(rest.ljust(2, "0") or 0)
