"""Categories and prizes at a moment: who belongs, who gets what, and whether the list given out is proven."""

import re
import tomllib
from collections.abc import Callable, Mapping, Sequence
from functools import partial
from typing import Any, Final, TypeVar

import msgspec
from msgspec.structs import replace

from paircard.domain.errors import Invalid, Unknown
from paircard.domain.events import Recorded, RoundPaired
from paircard.domain.messages import Message, say
from paircard.domain.speaking import Remark
from paircard.domain.speaking import told as told_to
from paircard.domain.state import Tournament, entered, names_of, state_after
from paircard.domain.values.names import fold_name
from paircard.domain.values.prizes import (
    BANDS,
    FIELDS,
    UNRATED,
    Category,
    Condition,
    Prize,
    PrizeRules,
    check_prizes,
    read_money,
)
from paircard.domain.values.regulations import RegulationChanges
from paircard.projections.awarding import computed_from
from paircard.projections.categories import belonging, categories_of, cautions, members_of, places_within
from paircard.projections.prizes import Basis, Need, awards_of, needs, otherwise, rules_of, why_not
from paircard.projections.standings.standings import Standing
from paircard.service.finding import with_words
from paircard.service.review.replay import replay_prizes

S = TypeVar("S", bound=msgspec.Struct)


class GroupLine(msgspec.Struct, frozen=True, kw_only=True):
    """A player in a category."""

    place: int
    """Within the category, shared where it is shared in the table."""
    standing: Standing
    reason: Remark


class Group(msgspec.Struct, frozen=True, kw_only=True):
    """A category: its own places in the order of the table, and who may belong to it."""

    category: str
    after: int
    players: tuple[GroupLine, ...]
    unknown: tuple[str, ...]
    """Players who lack the field that decides, by name; nothing is guessed."""


class PrizeLine(msgspec.Struct, frozen=True, kw_only=True):
    """What a player gets, and why."""

    prize: str
    category: str
    player: int
    name: str
    amount: int
    """In cents."""
    thing: str
    safe: bool
    """No result to come can change it; corrections can."""
    reasons: tuple[Remark, ...]


class KeptPrize(msgspec.Struct, frozen=True, kw_only=True):
    """A prize, or a part of one, that somebody does not get."""

    prize: str
    amount: int
    reason: Remark
    thing: str = ""


class Prizes(msgspec.Struct, frozen=True, kw_only=True):
    """The prizes by the standings after a round."""

    after: int
    final: bool
    """The last result is there."""
    currency: str
    given: tuple[PrizeLine, ...]
    kept: tuple[KeptPrize, ...]
    """Prizes, or parts of them, that nobody gets."""
    notes: tuple[Remark, ...]
    announced: int
    """Sum of all prizes in money, in cents: what is given and what is kept."""
    computed_from: str
    published: int | None = None
    """Version of the fact that gave the prizes out."""
    proven: bool | None = None
    """Whether the list given out follows from the record as it was then."""
    changed: tuple[Remark, ...] = ()
    """What the record of this moment would give otherwise."""


class Membership(msgspec.Struct, frozen=True, kw_only=True):
    """Whether a player is in a category, and why."""

    category: str
    inside: bool | None
    place: int
    """Within it; 0 for none."""
    reason: Remark


class PlayerPrizes(msgspec.Struct, frozen=True, kw_only=True):
    """All that prizes say about one player."""

    player: int
    name: str
    after: int
    final: bool
    currency: str
    given: tuple[PrizeLine, ...]
    why_not: tuple[KeptPrize, ...]
    """Every other prize, and why this player does not get it."""
    groups: tuple[Membership, ...]
    needs: tuple[Need, ...]
    """What each score in the games to come would bring, the highest first."""


def speaker_of(state: Tournament) -> Callable[[Message], Remark]:
    """Messages with their English words, players by name."""
    return partial(told_to, names=names_of(state, range(1, len(state.players) + 1)))


def group_of(state: Tournament, category: Category, after: int, lines: Sequence[Standing]) -> Group:
    """A category in the standings after a round."""
    told, inside = speaker_of(state), members_of(state, category)
    within = places_within(lines, inside)
    starts = state.regulations.starts
    return Group(
        category=category.name,
        after=after,
        players=tuple(
            GroupLine(
                place=within[line.id],
                standing=line,
                reason=told(belonging(category, state.players[line.id - 1], starts).reason),
            )
            for line in lines
            if line.id in within
        ),
        unknown=tuple(line.name for line in lines if inside.get(line.id, False) is None),
    )


def announced_category(state: Tournament, name: str) -> Category:
    """A category by its name, however it is typed, or by a beginning that no other has."""
    known = {category.name: category for category in categories_of(state)}
    names, wanted = {one: one for one in known}, fold_name(name)
    found = with_words(names, name) or [one for one in known if wanted and fold_name(one).startswith(wanted)]
    if name not in known and len(found) != 1:
        raise Unknown("category-unknown", text=name, known=list(known))
    return known[name if name in known else found[0]]


def prizes_of(state: Tournament, facts: Sequence[Recorded], basis: Basis) -> Prizes:
    """Who gets what by the standings as they are, and what was given out."""
    rules, told, found = rules_of(state), speaker_of(state), basis.found
    first = next((at for at, one in enumerate(facts) if isinstance(one.fact, RoundPaired)), len(facts))
    notes = cautions(state, state_after(facts[:first])) if first else []
    if (count := len(rules.prizes)) > (there := len(entered(state))):
        notes.append(say("prizes.more-than-players", count=count, there=there))
    if gone := [one.player for one in found.given if state.players[one.player - 1].status]:
        notes.append(say("prizes.left", players=list(dict.fromkeys(gone))))
    view = Prizes(
        after=basis.after,
        final=basis.final,
        currency=rules.currency,
        given=_lines(state, basis),
        kept=tuple(
            KeptPrize(prize=one.prize, amount=one.amount, thing=one.thing, reason=told(one.reason))
            for one in found.kept
        ),
        notes=tuple(map(told, (*notes, *found.notes))),
        announced=sum(prize.amount for prize in rules.prizes),
        computed_from=computed_from(rules, categories_of(state), basis.ranked),
    )
    if state.prizes is None:
        return view
    return replace(
        view,
        published=next(one.version for one in reversed(facts) if one.fact == state.prizes),
        proven=all(one.verdict != "differs" for one in replay_prizes(facts)[-1:]),
        changed=tuple(map(told, otherwise(state.prizes.awards, awards_of(found)))),
    )


def player_prizes(state: Tournament, basis: Basis, player: int, groups: Mapping[str, int]) -> PlayerPrizes:
    """One player's prizes, the others with what stands in the way, and what the games to come may bring;
    given the places within the categories."""
    told, me = speaker_of(state), state.players[player - 1]
    places = []
    for category in categories_of(state):
        name, belongs = category.name, belonging(category, me, state.regulations.starts)
        reason = told(belongs.reason)
        places.append(
            Membership(category=name, inside=belongs.inside, place=groups.get(name, 0), reason=reason)
        )
    return PlayerPrizes(
        player=player,
        name=me.details.name,
        after=basis.after,
        final=basis.final,
        currency=rules_of(state).currency,
        given=_lines(state, basis, player),
        why_not=tuple(
            KeptPrize(prize=one.name, amount=one.amount, thing=one.thing, reason=told(why))
            for one, why in why_not(state, basis, player)
        ),
        groups=tuple(places),
        needs=tuple(needs(state, basis, player)),
    )


def _lines(state: Tournament, basis: Basis, player: int = 0) -> tuple[PrizeLine, ...]:
    """What is given, to all or to one player."""
    told = speaker_of(state)
    return tuple(
        PrizeLine(
            **{name: getattr(one, name) for name in ("prize", "category", "player", "amount", "thing")},
            name=state.players[one.player - 1].details.name,
            safe=one.player in basis.safe,
            reasons=tuple(map(told, one.reasons)),
        )
        for one in basis.found.given
        if player in (0, one.player)
    )


# --- the announcement as people write it


def announcement(text: str) -> RegulationChanges:
    """Categories and prizes of a TOML file; refuses words it does not know, and a file with nothing in it."""
    if not text.strip():
        raise Invalid("prizes.file-empty")
    try:
        given = tomllib.loads(text)
    except tomllib.TOMLDecodeError as reason:
        raise Invalid("prizes.not-toml", reason=str(reason)) from None
    return announced(given)


def announced(given: dict[str, Any]) -> RegulationChanges:
    """Categories and prizes as the tables of such a file."""
    categories = tuple(map(_category, _tables(given, "category")))
    prizes = tuple(prize for table in _tables(given, "prize") for prize in _prizes(table))
    for name in ("unit", "least_part"):
        if name in given:
            given[name] = read_money(str(given[name]))
    return RegulationChanges(
        categories=categories, prizes=_made(PrizeRules, {**given, "prizes": prizes}, "prizes")
    )


WORDS: Final[Mapping[str, dict[str, Any]]] = {
    "women": {"sex": "w"}, "men": {"sex": "m"}, "unrated": {"unrated": True},
}  # fmt: skip


WRITTEN: Final[Mapping[type, tuple[str, ...]]] = {
    Category: (
        "name", "least", "next", "youth", "senior", "key_date", "unrated", *FIELDS,
        *(f"{field}_{bound}" for field in BANDS for bound in ("from", "below")),
    ),
    Prize: (*Prize.__struct_fields__, "amounts"),
}  # fmt: skip
"""The words of a table in the file, where they are not the fields on record."""


def category_asked(conditions: Sequence[str], starts: str) -> Category:
    """A category nobody announced: ``women``, ``U16``, ``S65``, ``rating<1800``, ``club=Trento``."""
    table: dict[str, Any] = {"name": " ".join(conditions)[:40].strip()}
    for text in conditions:
        plain, asked = text.strip().casefold(), re.fullmatch(r"(\w+)\s*(=|<|>=)\s*(.+)", text.strip())
        if age := re.fullmatch(r"([us])(\d+)", plain):
            table["youth" if age[1] == "u" else "senior"] = int(age[2])
        elif asked and asked[2] == "=":
            table.setdefault(asked[1].casefold(), []).append(asked[3])
        elif asked:
            bound = "below" if asked[2] == "<" else "from"
            table[f"{asked[1].casefold()}_{bound}"] = int(asked[3]) if asked[3].isdecimal() else asked[3]
        elif plain in WORDS:
            table |= WORDS[plain]
        else:
            raise Invalid("prizes.not-a-condition", text=text)
    category = _category(table)
    check_prizes((category,), PrizeRules(), starts)
    return category


def _tables(given: dict[str, Any], name: str) -> list[dict[str, Any]]:
    found = given.pop(name, [])
    if not isinstance(found, list) or not all(isinstance(one, dict) for one in found):
        raise Invalid("prizes.not-a-table", text=name)
    return found


def _category(table: dict[str, Any]) -> Category:
    """``youth = 16``, ``rating_below = 1800``, ``unrated = true``, ``club = ["Trento"]``."""
    conditions = []
    rest = dict(table)
    for key in table:
        field, _, bound = key.rpartition("_")
        value, more = table[key], {}
        if key in ("youth", "senior"):
            more = {"field": "birth", key: value, "key_date": table.get("key_date", "")}
        elif key == "unrated" and value is True:
            more = {"field": "rating", "values": (UNRATED,)}
        elif key in FIELDS:
            more = {"field": key, "values": tuple(map(str, value if isinstance(value, list) else [value]))}
        elif field in FIELDS and bound in ("from", "below"):
            rest.pop(key, None)
            if bound == "below" and f"{field}_from" in table:
                continue
            more = {
                "field": field,
                "least": table.get(f"{field}_from", 0),
                "below": table.get(f"{field}_below", 0),
            }
        if more:
            rest.pop(key, None)
            conditions.append(_made(Condition, more, str(table.get("name", ""))))
    if {"youth", "senior"} & table.keys():
        rest.pop("key_date", None)
    return _made(Category, rest, str(table.get("name", "")), conditions=tuple(conditions))


def _prizes(table: dict[str, Any]) -> list[Prize]:
    """One prize, or with ``amounts = [200, 100]`` one for each place."""
    name, many = str(table.get("name", "")), table.get("amounts")
    if many is None:
        made = {
            key: read_money(str(value)) if key in ("amount", "value") else value
            for key, value in table.items()
        }
        return [_made(Prize, made, name)]
    if not isinstance(many, list):
        raise Invalid("prizes.not-a-table", text="amounts")
    rest = {key: value for key, value in table.items() if key not in ("amounts", "name")}
    return [
        _made(Prize, {**rest, "name": f"{name} {at}", "place": at, "amount": read_money(str(one))}, name)
        for at, one in enumerate(many, start=1)
    ]


def _made(kind: type[S], values: Mapping[str, Any], name: str, **more: object) -> S:
    for key in values:
        if key in more or key not in kind.__struct_fields__:
            known = [one for one in WRITTEN.get(kind, kind.__struct_fields__) if one != key]
            raise Invalid("prizes.key-unknown", text=key, name=name, known=known)
    try:
        return msgspec.convert(msgspec.to_builtins({**values, **more}), kind)
    except msgspec.ValidationError as reason:
        words = str(reason).replace("`", "").replace("$.", "")
        raise Invalid("prizes.not-understood", name=name, reason=words[:1].lower() + words[1:]) from None
