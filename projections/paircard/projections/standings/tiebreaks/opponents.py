"""Type C, final results of the opponents (C.07:8–9): Buchholz, Sonneborn-Berger, Koya."""

from paircard.projections.standings.tiebreaks.ledger import DUMMY, Ledger, cut_rounds


def buchholz(ledger: Ledger, *, cut: int = 0, high: int = 0, forfeits: bool = False) -> list[int]:
    """[8.1] BH: the sum of the opponents' adjusted scores and of the dummies', in tenths."""
    totals = []
    for terms in ledger.terms(forfeits):
        gone = cut_rounds(terms, cut, high)
        totals.append(sum([term.score for term in terms if term.round not in gone]))
    return totals


def fore_buchholz(ledger: Ledger, *, cut: int = 0, high: int = 0, forfeits: bool = False) -> list[int]:
    """[8.3] FB: Buchholz as if the paired games of the final round had all been drawn."""
    return buchholz(ledger.fore, cut=cut, high=high, forfeits=forfeits)


def average_buchholz(ledger: Ledger, *, fore: bool = False) -> list[int | None]:
    """[8.2] AOB: the mean Buchholz of the opponents met over the board, in hundredths, a half upwards.

    Hundredths decide the order as well, so that two players shown with one value are tied.
    """
    each = fore_buchholz(ledger) if fore else buchholz(ledger)
    means: list[int | None] = []
    for who in range(len(each)):
        met = [each[opponent] for _, opponent, _ in ledger.games(who)]
        means.append((20 * sum(met) + len(met)) // (2 * len(met)) if met else None)
    return means


def sonneborn_berger(ledger: Ledger, *, cut: int = 0, forfeits: bool = False) -> list[int]:
    """[9.1] SB: opponents' scores, each times the points scored against them, in hundredths."""
    totals = []
    for terms in ledger.terms(forfeits):
        gone = cut_rounds(terms, cut, 0, products=True)
        totals.append(sum([term.score * term.points for term in terms if term.round not in gone]))
    return totals


def koya_limit(ledger: Ledger, limit: int) -> int:
    """Twice the score that qualifies, in tenths: half of the maximum, moved by half points (C.07:14).

    A free round of a round robin with an odd number of players could bring nothing.
    """
    games = ledger.round
    if ledger.predetermined:
        games = max((sum(one != DUMMY for one in opponents) for opponents in ledger.opponents), default=0)
    return ledger.scoring.win * games + 10 * limit


def koya(ledger: Ledger, who: int, *, limit: int = 0) -> list[tuple[int, int, int]]:
    """[9.2] KS: round, opponent and points for every pairing with one who has at least half of the maximum.

    Points of a forfeited game against such an opponent count.
    """
    bar = koya_limit(ledger, limit)
    rounds = zip(ledger.opponents[who], ledger.points[who], strict=True)
    return [
        (round, opponent, points)
        for round, (opponent, points) in enumerate(rounds, 1)
        if opponent != DUMMY and 2 * ledger.scores[opponent] >= bar
    ]
