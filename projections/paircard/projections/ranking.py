"""The standings of a history: its crosstable ranked by what was announced, drawn and brought from outside."""

from paircard.projections.history import History
from paircard.projections.standings import Standing, TieOrder, standings
from paircard.projections.tiebreaks.codes import POINTS, TieBreak, parse_list
from paircard.projections.views import table_after


def announced(history: History) -> tuple[TieBreak, ...]:
    """The tie-breaks of the regulations, points left out."""
    if not history.regulations.tiebreaks:
        return ()
    return tuple(each for each in parse_list(",".join(history.regulations.tiebreaks)) if each != POINTS)


def standings_after(history: History, round: int | None = None) -> tuple[Standing, ...]:
    """The standings after a round as C.04.2:4.3 lets them be; the last paired round unless told."""
    after = history.paired if round is None else round
    outside: dict[str, dict[int, int]] = {}
    for (player, name), value in history.external.items():
        outside.setdefault(name, {})[player] = value
    orders = [TieOrder(fact.players, fact.method) for fact in history.orders]
    table = table_after(history, after)
    return standings(table, after, announced(history), outside=outside, orders=orders)
