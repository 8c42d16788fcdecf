"""What rating and title officers ask for: expected scores, rating changes, performances, opponents.

Only games over the board with a known result count. The tables are those of B.02:8.1; whether a norm was
made, or a game is rated at all, is for the regulations of ratings and titles and is not decided here.
"""

from typing import Final

import msgspec
from msgspec.structs import replace

from paircard.domain.values.players import TITLES
from paircard.projections.history import History
from paircard.projections.round.crosstable import ABSENT, Crosstable, who_came
from paircard.projections.standings.ledger import Ledger
from paircard.projections.standings.measures import (
    average_rating,
    expected_score,
    performance,
    rated_games,
)
from paircard.projections.standings.standings import OPEN
from paircard.projections.standings.tiebreaks import parse_code
from paircard.projections.views import table_for_rating

CAP = 400
"""A larger difference of ratings counts as this (B.02:8.3.1)."""


OF_RATED: Final = parse_code("TPR/U")
"""Performances against rated opponents alone."""


class Performance(msgspec.Struct, frozen=True, kw_only=True):
    """One player's games against rated opponents."""

    player: int
    name: str
    title: str
    federation: str
    rating: int
    games: int
    """Against rated opponents."""
    score: int
    """Tenths of a point in these games."""
    expected: int
    """Hundredths of a point (B.02:8.1, differences capped by 8.3.1); 0 for the unrated."""
    k_factor: int
    """0 where it is not known."""
    change: int | None
    """Rating change in hundredths, K times the surplus (B.02:8.3); None without a rating or a K factor."""
    average: int | None
    """Average rating of these opponents (C.07:10.1)."""
    performance: int | None
    """Tournament performance rating (C.07:10.2)."""
    titled: tuple[tuple[str, int], ...]
    """Opponents by title, over the board, rated or not."""
    federations: tuple[tuple[str, int], ...]
    """Opponents by federation."""


def performances(history: History) -> tuple[Performance, ...]:
    """Everyone who played, by pairing number, as the rating report has the results."""
    table = finished_games(who_came(table_for_rating(history)))
    ledger = Ledger(table, table.paired)
    people = {player.id: player.details for player in history.state.players}
    made = []
    for at, row in enumerate(table.rows):
        met = [table.rows[opponent] for _, opponent, _ in ledger.games(at)]
        games = rated_games(ledger, at, unrated=0)
        details = people[row.id]
        score = sum(game.score for game in games)
        expected = 0
        if row.rating:
            expected = sum(
                expected_score(row.rating, [max(row.rating - CAP, min(row.rating + CAP, game.rating))])
                for game in games
            )
        known = bool(row.rating and details.k_factor)
        made.append(
            Performance(
                player=row.id,
                name=row.name,
                title=row.title,
                federation=row.federation,
                rating=row.rating,
                games=len(games),
                score=score,
                expected=expected,
                k_factor=details.k_factor,
                change=details.k_factor * (10 * score - expected) if known else None,
                average=average_rating(ledger, OF_RATED, at) if games else None,
                performance=performance(ledger, OF_RATED, at) if games else None,
                titled=counted([other.title for other in met], TITLES),
                federations=counted([other.federation for other in met], ()),
            )
        )
    return tuple(made)


def finished_games(table: Crosstable) -> Crosstable:
    """The table without adjourned games: nobody knows yet what they bring."""
    rows = [
        replace(row, entries=tuple(ABSENT if entry.letter in OPEN else entry for entry in row.entries))
        for row in table.rows
    ]
    return replace(table, rows=tuple(rows))


def counted(words: list[str], order: tuple[str, ...]) -> tuple[tuple[str, int], ...]:
    """How often each word occurs, in this order or by the alphabet; blanks are left out."""
    found = [word for word in (order or sorted(set(words))) if word and word in words]
    return tuple((word, words.count(word)) for word in found)
