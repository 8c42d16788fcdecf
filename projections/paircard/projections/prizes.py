"""The prizes of a tournament at a moment: who gets what, why not, what is still possible, what changed."""

from bisect import bisect_left, bisect_right
from collections import Counter
from collections.abc import Sequence
from itertools import combinations_with_replacement, product
from typing import Final, NamedTuple

import msgspec
from msgspec.structs import replace

from paircard.domain.commands import PublishPrizes
from paircard.domain.events import Award
from paircard.domain.messages import Message, say
from paircard.domain.speaking import Remark, told
from paircard.domain.state import Tournament, names_of
from paircard.domain.values.prizes import MAIN, Prize, PrizeRules, money
from paircard.domain.values.results import Scoring
from paircard.projections.awarding import Entrant, Given, PrizeList, Ranked, computed_from, give, settled
from paircard.projections.categories import belonging, categories_of, members
from paircard.projections.round.crosstable import Crosstable, Row
from paircard.projections.standings.standings import Standing, open_games, ranking
from paircard.projections.views import last_published, table_after

MOST_OPEN: Final = 5
"""Open games of which every outcome is tried, to say what a player needs."""
MOST_RANKED: Final = 100_000
"""Lines of all the standings made for that: a second of work."""
ENDS: Final = ("10", "==", "01")
"""Letters of White and Black for each outcome of a game."""
MISSED: Final = frozenset("-HFZ")
"""Letters of a round that a player did not come to."""


def rules_of(state: Tournament) -> PrizeRules:
    """The prizes that are announced; none before that."""
    return state.regulations.prizes or PrizeRules()


def entrants(
    state: Tournament, table: Crosstable, standings: Sequence[Standing] | None = None
) -> list[Entrant]:
    """Everybody with a place, in the order of the standings of a crosstable, which is ranked if it is not."""
    standings = ranking(state, table).lines() if standings is None else standings
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
        for line in standings
        if line.rank
    ]


def prize_list(state: Tournament, ranked: Ranked, after: int) -> PrizeList:
    """The prizes by the order after a round; before round 1 nobody has any."""
    return give(rules_of(state), categories_of(state), ranked) if after else PrizeList(given=())


def prizes_after(state: Tournament, after: int) -> tuple[list[Entrant], PrizeList]:
    """The order after a round, and the prizes by it."""
    ranked = entrants(state, table_after(state, after))
    return ranked, prize_list(state, ranked, after)


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


class Outcome(NamedTuple):
    """One way in which all open games may end."""

    points: dict[int, int]
    """What it brings those who play one, in tenths."""
    given: dict[int, list[Given]]
    """Prizes by player."""


class Basis(msgspec.Struct, frozen=True, kw_only=True):
    """What the prizes of a moment follow from, and what the games to come leave open: the same for all who
    ask."""

    after: int
    ranked: Ranked
    found: PrizeList
    safe: frozenset[int]
    """Whose place no result to come can change."""
    waiting: Sequence[tuple[int, Row, Row]]
    """Games that are not over."""
    rounds: int
    """To be paired."""
    bounds: dict[int, tuple[int, int]]
    """The least and the most points of everybody."""
    of_list: dict[str, tuple[list[int], list[int]]]
    """Both by list, in order."""
    outcomes: Sequence[Outcome]
    """Empty where there are too many to try."""

    @property
    def final(self) -> bool:
        """The last result is there."""
        return not (self.rounds or self.waiting)


def basis_of(state: Tournament, table: Crosstable, standings: Sequence[Standing]) -> Basis:
    """The prizes by a crosstable and its standings."""
    ranked = entrants(state, table, standings)
    waiting, scoring = open_games(table), state.regulations.scoring
    rounds = 0 if state.closed else state.regulations.rounds - table.paired
    open_of = Counter(row.id for _, *pair in waiting for row in pair)
    bounds, of_list = {}, dict[str, tuple[list[int], list[int]]]()
    for one in ranked:
        games = open_of[one.id] + rounds
        bounds[one.id] = least, most = (
            one.points + _nothing(scoring) * games,
            one.points + scoring.win * games,
        )
        for name in (MAIN, *one.lists):
            of_list.setdefault(name, ([], []))
            of_list[name][0].append(least)
            of_list[name][1].append(most)
    for both in of_list.values():
        for points in both:
            points.sort()
    few = len(waiting) <= MOST_OPEN and len(ENDS) ** len(waiting) * len(ranked) <= MOST_RANKED
    outcomes = tried(state, table, waiting) if few and not rounds else ()
    to_come = rounds + len(waiting)
    may_miss = to_come and rules_of(state).all_rounds  # who misses a round to come has no prize
    return Basis(
        after=table.paired,
        ranked=ranked,
        found=prize_list(state, ranked, table.paired),
        safe=frozenset() if may_miss else settled(ranked, to_come * scoring.win),
        waiting=waiting,
        rounds=rounds,
        bounds=bounds,
        of_list=of_list,
        outcomes=outcomes,
    )


def why_not(state: Tournament, basis: Basis, player: int) -> list[tuple[Prize, Message]]:
    """Each prize that a player does not get, with the first reason there is."""
    found = basis.found
    me = next((one for one in basis.ranked if one.id == player), None)
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
        told.append((prize, why))
    return told


def _compete(one: Prize, other: Prize, rules: PrizeRules) -> bool:
    """Whether nobody can have both."""
    return rules.per_person == "one" or (rules.per_person == "group" and one.group == other.group)


def _nothing(scoring: Scoring) -> int:
    """The least that a game brings."""
    return min(scoring.loss, scoring.absence)


def needs(state: Tournament, basis: Basis, player: int) -> list[Need]:
    """What each score in the games to come would bring a player, the highest first."""
    people = {one.id: one for one in basis.ranked}
    me = people.get(player)
    mine = [(white.id, black.id) for _, white, black in basis.waiting if player in (white.id, black.id)]
    if me is None or basis.final:
        return []
    scoring = state.regulations.scoring
    each = (scoring.win, scoring.draw, scoring.loss)
    scores = {sum(one) for one in combinations_with_replacement(each, len(mine) + basis.rounds)}
    brings: dict[int, list[list[Given]]] = {}
    for outcome in basis.outcomes:
        brings.setdefault(outcome.points.get(player, 0), []).append(outcome.given.get(player, []))
    found = []
    for score in sorted(scores, reverse=True):
        reached = me.points + score
        others: list[tuple[Entrant, tuple[int, int] | None]] = [(me, None)]  # oneself is not in the way
        if len(mine) == 1 and not basis.rounds:  # the opponent gets what is left of the one game
            other = sum(mine[0]) - player
            least, most = basis.bounds[other]
            left = each[2 - each.index(score)]
            last = sum(other in (white.id, black.id) for _, white, black in basis.waiting) == 1
            most += left - scoring.win if last else 0
            others.append((people[other], (least + left - _nothing(scoring), most)))
        reach = []
        for name in (MAIN, *me.lists):
            lowest, highest = basis.of_list[name]
            above, level = (
                len(lowest) - bisect_right(lowest, reached),
                len(highest) - bisect_left(highest, reached),
            )
            for one, now in others:
                if name in (MAIN, *one.lists):
                    for (least, most), sign in ((basis.bounds[one.id], -1), *([(now, 1)] if now else [])):
                        above += sign * (least > reached)
                        level += sign * (most >= reached)
            reach.append(Reach(category=name, best=above + 1, worst=level + 1))
        need = Need(score=score, places=tuple(reach))
        if score in brings:
            names = {one.prize for given in brings[score] for one in given}
            amounts = [sum(one.amount for one in given) for given in brings[score]]
            order = tuple(prize.name for prize in rules_of(state).prizes if prize.name in names)
            need = replace(need, prizes=order, least=min(amounts), most=max(amounts))
        found.append(need)
    return found


def tried(state: Tournament, table: Crosstable, waiting: Sequence[tuple[int, Row, Row]]) -> list[Outcome]:
    """Every outcome of the open games, and the prizes by each."""
    found, rules = [], rules_of(state)
    worth = state.regulations.scoring.standings()
    for ends in product(ENDS, repeat=len(waiting)):
        rows, points = {row.id: row for row in table.rows}, Counter[int]()
        for (round, *pair), letters in zip(waiting, ends, strict=True):
            for side, letter in zip(pair, letters, strict=True):
                row = rows[side.id]
                entries = list(row.entries)
                entries[round - 1] = replace(entries[round - 1], letter=letter)
                rows[side.id] = replace(row, entries=tuple(entries))
                points[side.id] += worth[letter]
        given: dict[int, list[Given]] = {}
        if rules.prizes:
            ranked = entrants(state, replace(table, rows=tuple(rows.values())))
            for one in give(rules, categories_of(state), ranked).given:
                given.setdefault(one.player, []).append(one)
        found.append(Outcome(points, given))
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
