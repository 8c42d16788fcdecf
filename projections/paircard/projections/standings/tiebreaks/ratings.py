"""Type D, ratings of the opponents (C.07:10). Only games over the board count, in a round robin too (15.2).

With unrated players in the event these tie-breaks are dropped unless a rule was announced: /U1400
gives every unrated player that rating, /U alone leaves out the games against them. Of several ratings
the first counts, or the one of the round where the event says so (VCL 212-216).
"""

from collections.abc import Sequence
from typing import Final, NamedTuple

from paircard.projections.round.crosstable import rating_in
from paircard.projections.standings.tiebreaks.codes import SKIP_UNRATED
from paircard.projections.standings.tiebreaks.ledger import Ledger

DP: Final = (
    0, 7, 14, 21, 29, 36, 43, 50, 57, 65, 72, 80, 87, 95, 102, 110, 117, 125, 133, 141, 149, 158, 166, 175,
    184, 193, 202, 211, 220, 230, 240, 251, 262, 273, 284, 296, 309, 322, 336, 351, 366, 383, 401, 422, 444,
    470, 501, 538, 589, 677, 800,
)  # fmt: skip
"""Rating difference for 50 % to 100 % of the points (B.02:8.1, first table)."""

PD_STEPS: Final = (
    4, 11, 18, 26, 33, 40, 47, 54, 62, 69, 77, 84, 92, 99, 107, 114, 122, 130, 138, 146, 154, 163, 171, 180,
    189, 198, 207, 216, 226, 236, 246, 257, 268, 279, 291, 303, 316, 329, 345, 358, 375, 392, 412, 433, 457,
    485, 518, 560, 620, 736,
)  # fmt: skip
"""Rating differences at which the higher rated side is expected 1 % more (B.02:8.1, second table)."""

REACH: Final = PD_STEPS[-1]
"""From this difference on a win is expected outright."""


def _expected() -> tuple[int, ...]:
    higher = []
    percent, steps = 50, iter((*PD_STEPS, REACH + 1))
    step = next(steps)
    for difference in range(REACH + 1):
        if difference == step:
            percent, step = percent + 1, next(steps)
        higher.append(percent)
    return (*(100 - percent for percent in reversed(higher[1:])), *higher)


EXPECTED: Final = _expected()
"""Expected score in percent for differences from -736 to 736."""


class RatedGame(NamedTuple):
    """A game that rating tie-breaks count."""

    round: int
    opponent: int
    rating: int
    score: int
    """Standard points in tenths."""


def usable(ledger: Ledger, unrated: int | None) -> bool:
    """Whether all are rated, or a rule for the unrated was announced (C.07:10)."""
    return unrated is not None or all(row.rating for row in ledger.table.rows)


def rated_games(ledger: Ledger, who: int, unrated: int | None) -> list[RatedGame]:
    """The games whose opponents have a rating, or are given one."""
    rows = ledger.table.rows
    games = []
    for round, opponent, score in ledger.games(who):
        rating = rating_in(rows[opponent], round) or unrated or SKIP_UNRATED
        if rating:
            games.append(RatedGame(round, opponent, rating, score))
    return games


def average(numbers: Sequence[int]) -> int | None:
    """The mean to the nearest whole number, a half upwards; nothing of nothing."""
    count = len(numbers)
    return (2 * sum(numbers) + count) // (2 * count) if count else None


def kept_ratings(games: Sequence[RatedGame], cut: int, high: int) -> list[RatedGame]:
    """Games in order of the opponents' ratings, without the lowest and highest ones a modifier cuts."""
    ordered = sorted(games, key=lambda game: game.rating)[cut:]
    return ordered[: max(len(ordered) - high, 0)]


def percentage(games: Sequence[RatedGame]) -> int:
    """Points of the games in whole percent, a half upwards."""
    return (20 * sum(game.score for game in games) + len(games)) // (2 * len(games))


def score_difference(percent: int) -> int:
    """The rating difference dp for a score in percent."""
    return DP[percent - 50] if percent >= 50 else -DP[50 - percent]


def average_rating(ledger: Ledger, who: int, unrated: int | None, cut: int = 0, high: int = 0) -> int | None:
    """[10.1] ARO: average rating of the opponents met over the board."""
    return average([game.rating for game in kept_ratings(rated_games(ledger, who, unrated), cut, high)])


def performance(ledger: Ledger, who: int, unrated: int | None) -> int | None:
    """[10.2] TPR: ARO plus the difference that belongs to the percentage scored."""
    games = rated_games(ledger, who, unrated)
    mean = average([game.rating for game in games])
    return None if mean is None else mean + score_difference(percentage(games))


def perfect_performance(ledger: Ledger, who: int, unrated: int | None) -> int | None:
    """[10.3] PTP: the lowest rating expected to score as much, with no difference capped at 400.

    Nothing scored: 800 below the weakest opponent. Everything: the table asks for 736 above the strongest.
    """
    games = rated_games(ledger, who, unrated)
    if not games:
        return None
    ratings = [game.rating for game in games]
    wanted = 10 * sum(game.score for game in games)
    if wanted == 0:
        return min(ratings) - 800
    low, high = min(ratings) - REACH, max(ratings) + REACH
    while high - low > 1:
        middle = (low + high) // 2
        if expected_score(middle, ratings) >= wanted:
            high = middle
        else:
            low = middle
    return high


def expected_score(rating: int, opponents: Sequence[int]) -> int:
    """Hundredths of a point that the rating is expected to score against these (B.02:8.1)."""
    top = 2 * REACH
    total = 0
    for opponent in opponents:
        at = rating - opponent + REACH
        total += EXPECTED[at] if 0 <= at <= top else 0 if at < 0 else 100
    return total


def average_of_opponents(ledger: Ledger, who: int, of: Sequence[int | None]) -> int | None:
    """[10.4, 10.5] APRO, APPO: the mean of what the opponents met over the board have, a half upwards."""
    known = [value for _, opponent, _ in ledger.games(who) if (value := of[opponent]) is not None]
    return average(known)
