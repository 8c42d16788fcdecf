"""Who belongs to a category at a moment, with the reason, and places within it.

No rule of FIDE says what categories there are; what is applied here is what the organiser announced.
"""

from collections.abc import Iterable, Mapping, Sequence
from itertools import combinations, groupby
from typing import Final

import msgspec

from paircard.domain.messages import Message, say
from paircard.domain.state import Player, Tournament, entered
from paircard.domain.values.players import shown_id
from paircard.domain.values.prizes import RATINGS, UNRATED, Category, Condition, Filled, key_day
from paircard.projections.standings.standings import Standing

NEEDED: Final = ("sex", "birth", "federation")
"""Fields that everybody has: where one is not recorded, nobody knows the answer."""


class Belonging(msgspec.Struct, frozen=True):
    """Whether a player is in a category, and why; ``None`` where a field is missing."""

    inside: bool | None
    reason: Message


def categories_of(state: Tournament) -> tuple[Category, ...]:
    """The categories that are announced, in their order."""
    return state.regulations.categories or ()


def belonging(category: Category, player: Player, starts: str) -> Belonging:
    """Whether a player is in a category: *or* within a field, *and* across fields."""
    asked = sorted(category.conditions, key=lambda one: one.field)
    if isinstance(category, Filled):
        inside = player.id in category.members
        code = "prizes.inside" if inside else "prizes.outside"
        return Belonging(inside, say(code, name=category.name, causes=[told(one, starts) for one in asked]))
    missing, met = [], []
    for field, conditions in groupby(asked, key=lambda one: one.field):
        wanted = list(conditions)
        answers = [_meets(one, player, starts) for one in wanted]
        if True in answers:
            met.append(told(wanted[answers.index(True)], starts))
        elif None in answers:
            missing.append(say("prizes.field", label=field))
        else:
            causes = [told(one, starts) for one in wanted]
            return Belonging(False, say("prizes.outside", name=category.name, causes=causes))
    if missing:
        return Belonging(None, say("prizes.unknown", name=category.name, causes=missing))
    return Belonging(True, say("prizes.inside", name=category.name, causes=met))


def _meets(one: Condition, player: Player, starts: str) -> bool | None:
    if one.field == "player":
        return shown_id(player.id) in one.values
    value = getattr(player.details, one.field)
    if one.field in NEEDED and not value:
        return None
    if one.youth or one.senior:
        return _of_age(one, value, key_day(one, starts))
    if one.field in RATINGS and one.values:
        return (UNRATED if not value else str(value)) in one.values
    if one.least or one.below:
        number = int(str(value)[:4] or 0)
        return bool(number) and one.least <= number and (not one.below or number < one.below)
    return str(value).casefold() in {text.casefold() for text in one.values}


def _of_age(one: Condition, birth: str, day: str) -> bool | None:
    """Ages at a key date; a year of birth alone may leave it open, if that date is inside the year."""
    limit = f"{int(day[:4]) - (one.youth or one.senior):04}{day[4:]}"
    first, last = (birth, birth) if len(birth) > 4 else (f"{birth}-01-01", f"{birth}-12-31")
    if one.youth:  # not so old before the day: born on it or later (D.04.07)
        return True if first >= limit else False if last < limit else None
    return True if last <= limit else False if first > limit else None  # so old by the day (D.04.03)


def told(one: Condition, starts: str) -> Message:
    """What a condition asks for: women, born 2010 or later; never what is recorded about a person."""
    if age := one.youth or one.senior:
        day = key_day(one, starts)
        if one.youth and day.endswith("-01-01"):
            return say("prizes.born-from", number=int(day[:4]) - age)
        if one.senior and day.endswith("-12-31"):
            return say("prizes.born-until", number=int(day[:4]) - age)
        return say("prizes.younger" if one.youth else "prizes.older", count=age, day=day)
    match one.field, one.values:
        case "sex", [sex]:
            return say("prizes.women" if sex == "w" else "prizes.men")
        case "player", _:
            return say("prizes.by-hand")
        case "estimated", [value]:
            return say("prizes.estimated", yes=value.casefold() == "true")
        case field, [value] if field in RATINGS and value == UNRATED:
            return say("prizes.no-rating", label=field)
        case field, [_, *_] as values:
            return say("prizes.values", label=field, known=values)
    if not one.below:
        return say("prizes.band-from", label=one.field, first=one.least)
    if not one.least:
        return say("prizes.band-below", label=one.field, last=one.below)
    return say("prizes.band", label=one.field, first=one.least, last=one.below - 1)


def members(state: Tournament) -> dict[str, dict[int, bool | None]]:
    """Everybody entered, by category: inside, outside, or not known."""
    return {one.name: members_of(state, one) for one in categories_of(state)}


def members_of(state: Tournament, category: Category) -> dict[int, bool | None]:
    """Everybody entered: inside, outside, or not known."""
    starts = state.regulations.starts
    return {player.id: belonging(category, player, starts).inside for player in entered(state)}


def inside(state: Tournament, category: Category) -> tuple[int, ...]:
    """Ids of those who are in a category, in order of registration."""
    return tuple(id for id, answer in members_of(state, category).items() if answer)


def places(state: Tournament, lines: Sequence[Standing]) -> dict[int, dict[str, int]]:
    """Places within each category, by player."""
    found: dict[int, dict[str, int]] = {}
    for name, inside in members(state).items():
        for id, place in places_within(lines, inside).items():
            found.setdefault(id, {})[name] = place
    return found


def places_within(lines: Iterable[Standing], inside: Mapping[int, bool | None]) -> dict[int, int]:
    """Places 1, 2 … in the order of the table, equal where the table is equal; no tie-break is made anew."""
    found: dict[int, int] = {}
    place, rank = 0, 0
    for line in lines:
        if line.rank and inside.get(line.id):
            place = place if line.rank == rank else len(found) + 1
            found[line.id], rank = place, line.rank
    return found


def cautions(state: Tournament, then: Tournament) -> list[Message]:
    """What an organiser should know: empty and overlapping categories, missing data, who moved since then."""
    told = []
    if any(isinstance(one, Filled) for one in categories_of(state)):
        then = state  # the public log does not tell who belonged before
    now, before = members(state), members(then)
    for name, inside in now.items():
        if True not in inside.values():
            told.append(say("prizes.empty", name=name))
        if unknown := [id for id, answer in inside.items() if answer is None]:
            told.append(say("prizes.not-known", name=name, players=unknown))
        if moved := [id for id, answer in inside.items() if before.get(name, {}).get(id, answer) != answer]:
            told.append(say("prizes.moved", name=name, players=moved))
    for one, other in combinations(now, 2):
        if both := sum(bool(now[one][id] and now[other][id]) for id in now[one]):
            told.append(say("prizes.overlap", names=(one, other), count=both))
    return told
