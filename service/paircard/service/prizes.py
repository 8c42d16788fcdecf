"""Categories and prizes at a moment: who belongs, who gets what, and whether the list given out is proven."""

import tomllib
from collections.abc import Mapping, Sequence
from functools import partial
from itertools import combinations
from typing import Any, Final, TypeVar

import msgspec

from paircard.domain.commands import PublishPrizes
from paircard.domain.errors import Invalid, Unknown
from paircard.domain.events import Award, Recorded
from paircard.domain.messages import Message, say
from paircard.domain.state import Tournament, entered, names_of, state_after
from paircard.domain.values.prizes import (
    FIELDS,
    UNRATED,
    Category,
    Condition,
    Prize,
    PrizeRules,
    money,
    read_money,
)
from paircard.domain.values.regulations import RegulationChanges
from paircard.projections.prizes import Entrant, PrizeList, belonging, computed_from, give, settled
from paircard.projections.ratings import Remark, told
from paircard.projections.standings.ranking import rank_crosstable
from paircard.projections.standings.standings import Standing, open_games
from paircard.projections.views import last_published, table_after

S = TypeVar("S", bound=msgspec.Struct)
MISSED: Final = frozenset("-HFZ")
"""Letters of a round that a player did not come to."""


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
    """Of whom a field is not recorded that decides: told, never guessed."""


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
    """A prize, or a part of one, that nobody gets."""

    prize: str
    amount: int
    reason: Remark


class Prizes(msgspec.Struct, frozen=True, kw_only=True):
    """The prizes by the standings after a round."""

    after: int
    final: bool
    """The last result is there."""
    currency: str
    given: tuple[PrizeLine, ...]
    kept: tuple[KeptPrize, ...]
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


def categories_of(state: Tournament) -> tuple[Category, ...]:
    return state.regulations.categories or ()


def rules_of(state: Tournament) -> PrizeRules:
    """The prizes that are announced; none before that."""
    return state.regulations.prizes or PrizeRules()


def entrants(state: Tournament, after: int) -> list[Entrant]:
    """Everybody with a place, in the order of the table."""
    table = table_after(state, after)
    rows = {row.id: row for row in table.rows}
    rules = rules_of(state)
    found = []
    for line in rank_crosstable(state, table):
        if not line.rank:
            continue
        player = state.players[line.id - 1]
        inside = [
            category.name
            for category in categories_of(state)
            if belonging(category, player, state.regulations.starts).inside
        ]
        missed = any(entry.letter in MISSED for entry in rows[line.id].entries)
        found.append(
            Entrant(
                id=line.id,
                points=line.points,
                rank=line.rank,
                lists=tuple(inside),
                rated=bool(player.details.rating),
                barred=rules.all_rounds and missed,
            )
        )
    return found


def group_of(state: Tournament, name: str, after: int) -> Group:
    """A category after a round."""
    known = {category.name: category for category in categories_of(state)}
    if name not in known:
        raise Unknown("category-unknown", text=name, known=list(known))
    lines: list[GroupLine] = []
    unknown = []
    for line in rank_crosstable(state, table_after(state, after)):
        found = belonging(known[name], state.players[line.id - 1], state.regulations.starts)
        if found.inside is None:
            unknown.append(line.name)
        elif found.inside and line.rank:
            shared = lines and lines[-1].standing.rank == line.rank
            place = lines[-1].place if shared else len(lines) + 1
            lines.append(GroupLine(place=place, standing=line, reason=told(found.reason)))
    return Group(category=name, after=after, players=tuple(lines), unknown=tuple(unknown))


def prizes_of(state: Tournament, facts: Sequence[Recorded]) -> Prizes:
    """Who gets what by the standings as they are, and what was given out."""
    rules, after = rules_of(state), last_published(state)
    ranked, found = _computed(state, after)
    table = table_after(state, after)
    waiting = len(open_games(table, after))
    rounds = 0 if state.closed else state.regulations.rounds - after
    safe = settled(ranked, (rounds + waiting) * state.regulations.scoring.win)
    names = names_of(state, range(1, len(state.players) + 1))
    tell = partial(told, names=names)
    lines = tuple(
        PrizeLine(
            prize=one.prize,
            category=one.category,
            player=one.player,
            name=state.players[one.player - 1].details.name,
            amount=one.amount,
            thing=one.thing,
            safe=one.player in safe,
            reasons=tuple(map(tell, one.reasons)),
        )
        for one in found.given
    )
    view = Prizes(
        after=after,
        final=not rounds and not waiting,
        currency=rules.currency,
        given=lines,
        kept=tuple(
            KeptPrize(prize=prize, amount=amount, reason=tell(why)) for prize, amount, why in found.kept
        ),
        notes=tuple(map(tell, (*_cautions(state, ranked), *found.notes))),
        announced=sum(prize.amount for prize in rules.prizes),
        computed_from=computed_from(rules, categories_of(state), ranked),
    )
    if state.prizes is None:
        return view
    version = next(one.version for one in reversed(facts) if one.fact == state.prizes)
    then = publication(state_after(facts[: state.prizes.based_on]))
    proven = (then.awards, then.computed_from) == (state.prizes.awards, state.prizes.computed_from)
    return msgspec.structs.replace(
        view,
        published=version,
        proven=proven,
        changed=tuple(map(tell, _changed(state.prizes.awards, _awards(found)))),
    )


def publication(state: Tournament) -> PublishPrizes:
    """The command that puts the list of prizes on record."""
    rules = rules_of(state)
    ranked, found = _computed(state, last_published(state))
    return PublishPrizes(
        awards=_awards(found),
        based_on=state.version,
        computed_from=computed_from(rules, categories_of(state), ranked),
    )


def _computed(state: Tournament, after: int) -> tuple[list[Entrant], PrizeList]:
    ranked = entrants(state, after)
    return ranked, give(rules_of(state), categories_of(state), ranked)


def _awards(found: PrizeList) -> tuple[Award, ...]:
    return tuple(
        Award(prize=one.prize, player=one.player, amount=one.amount, thing=one.thing) for one in found.given
    )


def _changed(before: Sequence[Award], now: Sequence[Award]) -> list[Message]:
    """What players would get otherwise than they got."""
    lists = []
    for awards in (before, now):
        got: dict[int, list[str]] = {}
        for one in awards:
            worth = [money(one.amount)] if one.amount else []
            got.setdefault(one.player, []).append(" ".join((one.prize, *worth, one.thing)).strip())
        lists.append(got)
    old, new = ({id: ", ".join(parts) for id, parts in got.items()} for got in lists)
    return [
        say("prizes.changed", player=id, before=old.get(id, "–"), after=new.get(id, "–"))
        for id in sorted(old.keys() | new.keys())
        if old.get(id) != new.get(id)
    ]


def _cautions(state: Tournament, ranked: Sequence[Entrant]) -> list[Message]:
    """What an organiser should know of the announcement: empty and overlapping lists, missing data."""
    told = []
    categories, everybody = categories_of(state), entered(state)
    for category in categories:
        found = [belonging(category, one, state.regulations.starts).inside for one in everybody]
        if True not in found:
            told.append(say("prizes.empty", name=category.name))
        if unknown := [one.id for one, inside in zip(everybody, found, strict=True) if inside is None]:
            told.append(say("prizes.not-known", name=category.name, players=unknown))
    for one, other in combinations(categories, 2):
        if both := [entrant.id for entrant in ranked if {one.name, other.name} <= set(entrant.lists)]:
            told.append(say("prizes.overlap", names=(one.name, other.name), count=len(both)))
    if (count := len(rules_of(state).prizes)) > len(everybody):
        told.append(say("prizes.more-than-players", count=count, there=len(everybody)))
    return told


# --- the announcement as people write it


def announcement(text: str) -> RegulationChanges:
    """Categories and prizes of a TOML file; refuses words it does not know."""
    try:
        given = tomllib.loads(text)
    except tomllib.TOMLDecodeError as reason:
        raise Invalid("prizes.not-toml", reason=str(reason)) from None
    categories = tuple(map(_category, _tables(given, "category")))
    prizes = tuple(prize for table in _tables(given, "prize") for prize in _prizes(table))
    for name in ("unit", "least_part"):
        if name in given:
            given[name] = read_money(str(given[name]))
    return RegulationChanges(
        categories=categories, prizes=_made(PrizeRules, {**given, "prizes": prizes}, "prizes")
    )


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
    rest.pop("key_date", None)
    return _made(Category, {**rest, "conditions": tuple(conditions)}, str(table.get("name", "")))


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


def _made(kind: type[S], values: Mapping[str, Any], name: str) -> S:
    for key in values:
        if key not in kind.__struct_fields__:
            raise Invalid("prizes.key-unknown", text=key, name=name, known=kind.__struct_fields__)
    try:
        return msgspec.convert(msgspec.to_builtins(dict(values)), kind)
    except msgspec.ValidationError as reason:
        raise Invalid("prizes.not-understood", name=name, reason=str(reason)) from None
