"""The standings of a history: its crosstable ranked by what was announced, drawn and brought from outside."""

from datetime import date

from msgspec import UNSET
from msgspec.structs import replace

from paircard.domain.messages import Message
from paircard.domain.state import entered
from paircard.projections.history import History
from paircard.projections.round.crosstable import Crosstable
from paircard.projections.standings.arithmetic import Explanation
from paircard.projections.standings.codes import TieBreak
from paircard.projections.standings.standings import (
    Comparison,
    Standing,
    TieOrder,
    compare,
    explanations,
    need_all_played,
    standings,
)
from paircard.projections.standings.tiebreaks import POINTS, advice, parse_list
from paircard.projections.views import table_after


def announced_tiebreaks(history: History) -> tuple[TieBreak, ...]:
    """The tie-breaks of the regulations, with points among them."""
    codes = history.regulations.tiebreaks
    return parse_list(",".join(codes)) if codes else (POINTS,)


def standings_after(history: History, round: int | None = None) -> tuple[Standing, ...]:
    """The standings after a round as C.04.2:4.3 lets them be; by default the last paired round."""
    return rank_crosstable(history, table_after(history, round))


def rank_crosstable(history: History, table: Crosstable) -> tuple[Standing, ...]:
    """A crosstable of the history, ranked as its standings are."""
    return standings(
        table,
        table.paired,
        announced_tiebreaks(history),
        outside=outside_values(history),
        orders=tie_orders(history),
        places=filed_places(history, table.paired),
    )


def final_table(history: History) -> Crosstable:
    """The crosstable of the final standings; refused while a round or a result is missing."""
    table = table_after(history)
    if history.state.closed:  # the rounds that were not played will not be
        table = replace(table, rounds=table.paired)
    need_all_played(table)
    return table


def explain_values(history: History, after: int, player: int) -> tuple[Explanation, ...]:
    """The arithmetic of a player's values after a round."""
    return explanations(
        table_after(history, after),
        after,
        announced_tiebreaks(history),
        player,
        outside=outside_values(history),
        orders=tie_orders(history),
    )


def compare_players(history: History, after: int, one: int, other: int) -> Comparison:
    """Why one of two players is placed above the other after a round."""
    return compare(
        table_after(history, after),
        after,
        announced_tiebreaks(history),
        one,
        other,
        outside=outside_values(history),
        orders=tie_orders(history),
    )


def ties_left(history: History) -> list[tuple[Standing, ...]]:
    """Players who share a place after the last paired round, one group for each place."""
    by_rank: dict[int, list[Standing]] = {}
    for line in standings_after(history):
        if line.rank:
            by_rank.setdefault(line.rank, []).append(line)
    return [tuple(group) for group in by_rank.values() if len(group) > 1]


def outside_values(history: History) -> dict[str, dict[int, int]]:
    """Tie-break values from outside: name -> player -> hundredths. OTHER_PLAYOFF and playoff are one name."""
    values: dict[str, dict[int, int]] = {}
    for fact in history.state.external:
        values.setdefault(fact.name.upper().removeprefix("OTHER_"), {})[fact.player] = fact.value
    return values


def filed_places(history: History, after: int) -> dict[int, int]:
    """Places by id of the file the tournament was imported from, in the standings after its last round."""
    filed = history.state.filed
    if filed is None or filed.places is UNSET or filed.paired != after:
        return {}
    return dict(filed.places)


def tie_orders(history: History) -> tuple[TieOrder, ...]:
    """Orders that lots or the arbiter's hand gave, in order of the log."""
    return tuple(TieOrder(fact.players, fact.method) for fact in history.state.lots)


def remarks(history: History) -> tuple[Message, ...]:
    """What an arbiter should know about the announced list before it is used."""
    rules = history.regulations
    days = (
        (date.fromisoformat(rules.ends) - date.fromisoformat(rules.starts)).days + 1
        if rules.starts and rules.ends
        else 0
    )
    unrated = any(not player.details.rating for player in entered(history.state))
    by_round = rules.tiebreak_ratings == "round"
    return advice(announced_tiebreaks(history), days=days, unrated=unrated, by_round=by_round)
