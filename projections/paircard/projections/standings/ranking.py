"""Standings of a tournament: its crosstable ranked by what was announced, drawn and brought from outside."""

from msgspec import UNSET
from msgspec.structs import replace

from paircard.domain.messages import Message
from paircard.domain.state import Tournament, entered
from paircard.domain.values.rules import RULES
from paircard.projections.round.crosstable import Crosstable
from paircard.projections.standings.codes import TieBreak
from paircard.projections.standings.standings import (
    Ranking,
    Standing,
    need_all_played,
)
from paircard.projections.standings.tiebreaks import POINTS, advice, parse_list
from paircard.projections.views import table_after


def announced_tiebreaks(state: Tournament) -> tuple[TieBreak, ...]:
    codes = state.regulations.tiebreaks
    predetermined = RULES[state.regulations.edition].predetermined
    return parse_list(",".join(codes), predetermined=predetermined) if codes else (POINTS,)


def standings_after(state: Tournament, round: int | None = None) -> tuple[Standing, ...]:
    """The standings after a round as C.04.2:4.3 lets them be; by default the last paired round."""
    return ranking(state, table_after(state, round)).lines()


def ranking(state: Tournament, table: Crosstable) -> Ranking:
    """A crosstable of the tournament ranked by what was announced, drawn and brought from outside."""
    filed = state.filed
    places = filed.places if filed is not None and filed.paired == table.paired else UNSET
    return Ranking(
        table,
        table.paired,
        announced_tiebreaks(state),
        outside=outside_values(state),
        orders=state.lots,
        places={} if places is UNSET else dict(places),
    )


def final_table(state: Tournament) -> Crosstable:
    """The crosstable of the final standings; refused while a round or a result is missing."""
    table = table_after(state)
    if state.closed:  # the rounds that were not played will not be
        table = replace(table, rounds=table.paired)
    need_all_played(table)
    return table


def ties_left(state: Tournament) -> list[tuple[Standing, ...]]:
    """Players who share a place after the last paired round, one group for each place."""
    by_rank: dict[int, list[Standing]] = {}
    for line in standings_after(state):
        if line.rank:
            by_rank.setdefault(line.rank, []).append(line)
    return [tuple(group) for group in by_rank.values() if len(group) > 1]


def outside_values(state: Tournament) -> dict[str, dict[int, int]]:
    """Tie-break values from outside: name -> player -> hundredths. OTHER_PLAYOFF and playoff are one name."""
    values: dict[str, dict[int, int]] = {}
    for fact in state.external:
        values.setdefault(fact.name.upper().removeprefix("OTHER_"), {})[fact.player] = fact.value
    return values


def remarks(state: Tournament) -> tuple[Message, ...]:
    """What an arbiter should know about the announced list before it is used."""
    rules = state.regulations
    return advice(
        announced_tiebreaks(state),
        days=rules.days,
        unrated=any(not player.details.rating for player in entered(state)),
        by_round=rules.tiebreak_ratings == "round",
        predetermined=RULES[rules.edition].predetermined,
    )
