"""The prizes of a tournament at a moment: who gets what, why not, what is still possible, what changed."""

from collections import Counter
from collections.abc import Sequence
from itertools import combinations_with_replacement, product
from typing import Final

import msgspec
from msgspec.structs import replace

from paircard.domain.commands import PublishPrizes
from paircard.domain.events import Award
from paircard.domain.messages import Message, say
from paircard.domain.state import Tournament, names_of
from paircard.domain.values.prizes import MAIN, Prize, PrizeRules, money
from paircard.projections.awarding import Entrant, PrizeList, Ranked, computed_from, give
from paircard.projections.categories import belonging, categories_of, members
from paircard.projections.ratings import Remark, told
from paircard.projections.round.crosstable import Crosstable, Row
from paircard.projections.standings.ranking import ranking
from paircard.projections.standings.standings import open_games
from paircard.projections.views import last_published, table_after

MOST_OPEN: Final = 5
"""Open games of which every outcome is tried, to say what a player needs."""
MISSED: Final = frozenset("-HFZ")
"""Letters of a round that a player did not come to."""


def rules_of(state: Tournament) -> PrizeRules:
    """The prizes that are announced; none before that."""
    return state.regulations.prizes or PrizeRules()


def entrants(state: Tournament, table: Crosstable) -> list[Entrant]:
    """Everybody with a place, in the order of the table."""
    groups, all_rounds = members(state), rules_of(state).all_rounds
    missed = {row.id for row in table.rows if any(entry.letter in MISSED for entry in row.entries)}
    return [
        Entrant(
            id=line.id,
            points=line.points,
            rank=line.rank,
            lists=tuple(name for name, inside in groups.items() if inside.get(line.id)),
            rated=bool(line.rating),
            barred=all_rounds and line.id in missed,
        )
        for line in ranking(state, table).lines()
        if line.rank
    ]


def prizes_after(state: Tournament, after: int) -> tuple[list[Entrant], PrizeList]:
    """The order after a round, and the prizes by it; before round 1 nobody has any."""
    ranked = entrants(state, table_after(state, after))
    if not after:
        return ranked, PrizeList(given=())
    return ranked, give(rules_of(state), categories_of(state), ranked)


def why_not(state: Tournament, ranked: Ranked, found: PrizeList, player: int) -> list[tuple[str, Message]]:
    """Each prize that a player does not get, with the first reason there is."""
    me = next((one for one in ranked if one.id == player), None)
    rules, categories = rules_of(state), {category.name: category for category in categories_of(state)}
    mine = {one.prize for one in found.given if one.player == player}
    kept = {one.prize: one.reason for one in found.kept}
    told = []
    for prize in rules.prizes:
        holders = [one.player for one in found.given if one.prize == prize.name]
        has = [one.name for one in rules.prizes if one.name in mine and _compete(one, prize, rules)]
        if player in holders:
            continue
        if me is None:
            why = say("prizes.no-place")
        elif prize.category and prize.category not in me.lists:
            category = categories[prize.category]
            why = belonging(category, state.players[player - 1], state.regulations.starts).reason
        elif me.barred:
            why = say("prizes.missed-a-round")
        elif has:
            why = say("prizes.has", names=has)
        elif holders:
            why = say("prizes.before", players=holders)
        else:
            why = kept.get(prize.name, say("prizes.shared-out"))
        told.append((prize.name, why))
    return told


def _compete(one: Prize, other: Prize, rules: PrizeRules) -> bool:
    """Whether nobody can have both."""
    return rules.per_person == "one" or (rules.per_person == "group" and one.group == other.group)


class Reach(msgspec.Struct, frozen=True, kw_only=True):
    """Places within a list that can still be reached, whatever the others do."""

    category: str
    best: int
    worst: int


class Need(msgspec.Struct, frozen=True, kw_only=True):
    """What a score in the games to come would bring."""

    score: int
    """Tenths."""
    places: tuple[Reach, ...]
    prizes: tuple[str, ...] = ()
    """That some outcome of the other games brings, where every outcome was tried."""
    least: int | None = None
    """Money for certain, in cents; None where there were too many outcomes to try."""
    most: int | None = None


def needs(state: Tournament, after: int, player: int) -> list[Need]:
    """What each score in the games to come would bring a player, the highest first."""
    table = table_after(state, after)
    ranked = entrants(state, table)
    me = next((one for one in ranked if one.id == player), None)
    waiting = open_games(table, after)
    rounds = 0 if state.closed else state.regulations.rounds - after
    mine = [game for game in waiting if player in (game[1].id, game[2].id)]
    if me is None or not (waiting or rounds):
        return []
    scoring = state.regulations.scoring
    each, nothing = (scoring.win, scoring.draw, scoring.loss), min(scoring.loss, scoring.absence)
    scores = {sum(one) for one in combinations_with_replacement(each, len(mine) + rounds)}
    tried = _tried(state, table, waiting, player) if not rounds and len(waiting) <= MOST_OPEN else {}
    to_come = Counter(row.id for _, *pair in waiting for row in pair)
    found = []
    for score in sorted(scores, reverse=True):
        highest = {one.id: one.points + scoring.win * (to_come[one.id] + rounds) for one in ranked}
        lowest = {one.id: one.points + nothing * (to_come[one.id] + rounds) for one in ranked}
        if len(mine) == 1 and not rounds:  # the opponent gets what is left of the one game
            other = mine[0][1].id + mine[0][2].id - player
            left = each[2 - each.index(score)]
            rest = to_come[other] - 1
            highest[other] += left - scoring.win if not rest else 0
            lowest[other] += left - nothing
        reach = []
        for name in (MAIN, *me.lists):
            others = [one.id for one in ranked if one.id != player and (not name or name in one.lists)]
            above = sum(lowest[id] > me.points + score for id in others)
            level = sum(highest[id] >= me.points + score for id in others)
            reach.append(Reach(category=name, best=above + 1, worst=level + 1))
        need = Need(score=score, places=tuple(reach))
        if score in tried:
            names = {prize for _, prizes in tried[score] for prize in prizes}
            amounts = [amount for amount, _ in tried[score]]
            order = tuple(prize.name for prize in rules_of(state).prizes if prize.name in names)
            need = replace(need, prizes=order, least=min(amounts), most=max(amounts))
        found.append(need)
    return found


def _tried(
    state: Tournament, table: Crosstable, waiting: Sequence[tuple[int, Row, Row]], player: int
) -> dict[int, list[tuple[int, list[str]]]]:
    """Every outcome of the open games: by the player's own score, money and prizes in each."""
    found: dict[int, list[tuple[int, list[str]]]] = {}
    worth = state.regulations.scoring.standings()
    for outcome in product(("10", "==", "01"), repeat=len(waiting)):
        rows = {row.id: row for row in table.rows}
        score = 0
        for (round, *pair), letters in zip(waiting, outcome, strict=True):
            for side, letter in zip(pair, letters, strict=True):
                row = rows[side.id]
                entries = list(row.entries)
                entries[round - 1] = replace(entries[round - 1], letter=letter)
                rows[side.id] = replace(row, entries=tuple(entries))
                score += worth[letter] if side.id == player else 0
        ranked = entrants(state, replace(table, rows=tuple(rows.values())))
        given = give(rules_of(state), categories_of(state), ranked).given
        mine = [one for one in given if one.player == player]
        brings = sum(one.amount for one in mine), [one.prize for one in mine]
        found.setdefault(score, []).append(brings)
    return found


def awards_of(found: PrizeList) -> tuple[Award, ...]:
    """A list of prizes as it is put on record."""
    return tuple(
        Award(prize=one.prize, player=one.player, amount=one.amount, thing=one.thing) for one in found.given
    )


def otherwise(before: Sequence[Award], now: Sequence[Award]) -> list[Message]:
    """What players get otherwise by another list."""
    lists = []
    for awards in (before, now):
        got: dict[int, list[str]] = {}
        for one in awards:
            worth = [money(one.amount)] if one.amount else []
            got.setdefault(one.player, []).append(" ".join((one.prize, *worth, one.thing)).strip())
        lists.append({id: ", ".join(parts) for id, parts in got.items()})
    old, new = lists
    return [
        say("prizes.changed", player=id, value=old.get(id, "–"), code=new.get(id, "–"))
        for id in sorted(old.keys() | new.keys())
        if old.get(id) != new.get(id)
    ]


def changes(before: Tournament, after: Tournament) -> tuple[Remark, ...]:
    """What players would get otherwise after some facts; nothing where no prizes are announced."""
    if not (rules_of(before).prizes or rules_of(after).prizes):
        return ()
    old, new = (awards_of(prizes_after(state, last_published(state))[1]) for state in (before, after))
    names = names_of(after, range(1, len(after.players) + 1))
    return tuple(told(one, names) for one in otherwise(old, new))


def publication(state: Tournament) -> PublishPrizes:
    """The command that puts the list of prizes on record as it follows from the facts."""
    ranked, found = prizes_after(state, last_published(state))
    return PublishPrizes(
        awards=awards_of(found),
        based_on=state.version,
        computed_from=computed_from(rules_of(state), categories_of(state), ranked),
    )
