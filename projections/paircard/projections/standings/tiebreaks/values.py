"""Every tie-break of a ledger by its code: one list of values, by position of the player."""

from collections.abc import Callable, Mapping
from typing import Final

from paircard.projections.standings.tiebreaks import own, ratings
from paircard.projections.standings.tiebreaks.codes import TieBreak
from paircard.projections.standings.tiebreaks.errors import BadTieBreak
from paircard.projections.standings.tiebreaks.ledger import Ledger
from paircard.projections.standings.tiebreaks.opponents import (
    average_buchholz,
    buchholz,
    fore_buchholz,
    koya,
    sonneborn_berger,
)

Values = list[int] | list[int | None]

DECIMALS: Final = {"PTS": 1, "PS": 1, "STD": 1, "BH": 1, "FB": 1, "KS": 1, "SB": 2, "AOB": 2}
"""Decimals that a value carries: tenths, hundredths, else whole numbers."""

OUTSIDE_DECIMALS: Final = 2
"""Values brought from outside are hundredths."""

BY_ROUND: Final[Mapping[str, Callable[[Ledger, int], list[int]]]] = {
    "WIN": own.wins,
    "WON": own.games_won,
    "BPG": own.black_games,
    "BWG": own.black_wins,
    "REP": own.rounds_elected,
    "STD": own.standard_points,
}
"""Tie-breaks that are a sum over the player's own rounds."""


def decimals(each: TieBreak) -> int:
    """How many decimals the tie-break's integers stand for."""
    return OUTSIDE_DECIMALS if each.kind == "external" else DECIMALS.get(each.name, 0)


def shown(value: int | None, places: int) -> str:
    """A value as people read it: 65 with one decimal is 6.5; ``-`` for none."""
    if value is None:
        return "-"
    if not places:
        return str(value)
    sign, digits = "-" if value < 0 else "", str(abs(value)).rjust(places + 1, "0")
    return f"{sign}{digits[:-places]}.{digits[-places:]}"


def values(ledger: Ledger, each: TieBreak) -> Values:
    """The tie-break's value for every player; direct encounter depends on the tie and is not here."""
    everyone = range(len(ledger.letters))
    name = each.name
    if name in BY_ROUND:
        by_round = BY_ROUND[name]
        return [sum(by_round(ledger, who)) for who in everyone]
    if name == "PTS":
        return ledger.scores
    if name == "PS":
        return [sum(own.running_scores(ledger, who)[each.cut :]) for who in everyone]
    if name == "TPN":
        return [row.number for row in ledger.table.rows]
    if name == "BH":
        return buchholz(ledger, cut=each.cut, high=each.high, forfeits=each.forfeits)
    if name == "FB":
        return fore_buchholz(ledger, cut=each.cut, high=each.high, forfeits=each.forfeits)
    if name == "AOB":
        return average_buchholz(ledger, fore=each.fore)
    if name == "SB":
        return sonneborn_berger(ledger, cut=each.cut, forfeits=each.forfeits)
    if name == "KS":
        return [sum(points for _, _, points in koya(ledger, who, limit=each.limit)) for who in everyone]
    if each.kind == "D":
        return _rating_values(ledger, each)
    raise BadTieBreak(f"{each.code} has no value of its own: it depends on who is tied")


def _rating_values(ledger: Ledger, each: TieBreak) -> Values:
    everyone = range(len(ledger.letters))
    unrated = each.unrated
    if not ratings.usable(ledger, unrated):
        return list[int | None]([None] * len(everyone))
    match each.name:
        case "ARO":
            return [ratings.average_rating(ledger, who, unrated, each.cut, each.high) for who in everyone]
        case "TPR":
            return [ratings.performance(ledger, who, unrated) for who in everyone]
        case "PTP":
            return [ratings.perfect_performance(ledger, who, unrated) for who in everyone]
        case "APRO":
            of = [ratings.performance(ledger, who, unrated) for who in everyone]
            return [ratings.average_of_opponents(ledger, who, of) for who in everyone]
        case "APPO":
            of = [ratings.perfect_performance(ledger, who, unrated) for who in everyone]
            return [ratings.average_of_opponents(ledger, who, of) for who in everyone]
        case _:  # RTNG [10.6]; with /U alone the unrated come last
            return [row.rating or unrated or None for row in ledger.table.rows]
