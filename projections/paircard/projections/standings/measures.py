"""The tie-breaks of C.07 as functions of the ledger: own record, opponents' results, ratings, encounters."""

from bisect import bisect_left, bisect_right
from collections import Counter
from collections.abc import Callable, Sequence
from fractions import Fraction
from itertools import accumulate
from typing import Final, NamedTuple

import msgspec

from paircard.domain.values.results import FORFEITS, PLAYED
from paircard.projections.round.crosstable import cycles_in, rating_in
from paircard.projections.standings.codes import SKIP_UNRATED, TieBreak, Values
from paircard.projections.standings.ledger import DECIDED, DUMMY, OPEN, VUR, WINS, Ledger, cut_rounds

# --- type B, the player's own record (C.07:7): what each round adds, by player


def points(ledger: Ledger, _: TieBreak) -> list[int]:
    """[4.1] PTS."""
    return ledger.scores


def wins(ledger: Ledger, who: int) -> list[int]:
    """[7.1] WIN: rounds that brought as many points as a win, played or not."""
    win = ledger.scoring.win
    return [int(points == win) for points in ledger.points[who]]


def games_won(ledger: Ledger, who: int) -> list[int]:
    """[7.2] WON: games won over the board."""
    return [int(letter in WINS) for letter in ledger.letters[who]]


def black_games(ledger: Ledger, who: int) -> list[int]:
    """[7.3] BPG: games played over the board with Black."""
    entries = ledger.table.rows[who].entries[: ledger.round]
    return [int(entry.colour == "b" and entry.letter in PLAYED) for entry in entries]


def black_wins(ledger: Ledger, who: int) -> list[int]:
    """[7.4] BWG: games won over the board with Black."""
    entries = ledger.table.rows[who].entries[: ledger.round]
    return [int(entry.colour == "b" and entry.letter in WINS) for entry in entries]


def running_scores(ledger: Ledger, who: int) -> list[int]:
    """[7.5] PS: the score after each round, in tenths."""
    return list(accumulate(ledger.points[who]))


def number(ledger: Ledger, _: TieBreak) -> list[int]:
    """[7.8] TPN."""
    return [row.number for row in ledger.table.rows]


def rounds_elected(ledger: Ledger, who: int) -> list[int]:
    """[7.6] REP: rounds less half-point byes, zero-point byes and forfeit losses.

    Of a table with games still open, the rounds so far.
    """
    left_out = VUR | {""} if ledger.predetermined else VUR
    return [int(letter not in left_out) for letter in ledger.letters[who]]


def standard_points(ledger: Ledger, who: int) -> list[int]:
    """[7.7] STD: in tenths, 1 for more points than the scheduled opponent, ½ for as many.

    Without an opponent the measure is a draw. As the text has it, 0-0 and a double forfeit are
    ½ for both; the reference checker compares with a draw there as well and gives nothing.
    """
    marks = []
    draw = ledger.scoring.draw
    for at, (points, opponent) in enumerate(zip(ledger.points[who], ledger.opponents[who], strict=True)):
        if ledger.predetermined and ledger.letters[who][at] in OPEN:
            marks.append(0)
            continue
        other = draw if opponent == DUMMY else ledger.points[opponent][at]
        marks.append(10 if points > other else 5 if points == other else 0)
    return marks


# --- type C, final results of the opponents (C.07:8–9): Buchholz, Sonneborn-Berger, Koya


def buchholz(ledger: Ledger, each: TieBreak) -> list[int]:
    """[8.1] BH: the sum of the opponents' adjusted scores and of the dummies', in tenths."""
    return of_opponents(ledger, each)


def of_opponents(ledger: Ledger, each: TieBreak, *, products: bool = False) -> list[int]:
    """The sum of the opponents' scores, or of these times the points scored, without those that are cut."""
    totals = []
    for terms in ledger.terms(each.forfeits):
        gone = cut_rounds(terms, each.cut, each.high, products=products)
        left = [term for term in terms if term.round not in gone]
        totals.append(sum([term.score * term.points if products else term.score for term in left]))
    return totals


def fore_buchholz(ledger: Ledger, each: TieBreak) -> list[int]:
    """[8.3] FB: Buchholz as if the paired games of the final round had all been drawn."""
    return buchholz(ledger.fore, each)


def mean_buchholz(ledger: Ledger, each: TieBreak) -> list[int | None]:
    """[8.2] AOB: the mean Buchholz of the opponents met over the board, in hundredths, a half upwards.

    Hundredths decide the order as well, so that two players shown with one value are tied.
    """
    theirs = fore_buchholz(ledger, each) if each.fore else buchholz(ledger, each)
    met = ([10 * theirs[opponent] for _, opponent, _ in ledger.games(who)] for who in ledger.everyone)
    return [average(those) for those in met]


def sonneborn_berger(ledger: Ledger, each: TieBreak) -> list[int]:
    """[9.1] SB: opponents' scores, each times the points scored against them, in hundredths."""
    return of_opponents(ledger, each, products=True)


def koya_limit(ledger: Ledger, limit: int) -> int:
    """Twice the score that qualifies, in tenths: half of the maximum, moved by half points (C.07:14).

    In a round robin the maximum is that of the games so far, at most: a free day, a game still open and one
    with an early leaver could bring nothing.
    """
    games = ledger.round
    if ledger.predetermined:
        games = max((sum(letter in DECIDED for letter in letters) for letters in ledger.letters), default=0)
    return ledger.scoring.win * games + 10 * limit


def koya_games(ledger: Ledger, who: int, limit: int) -> list[tuple[int, int, int]]:
    """Round, opponent and points for every pairing with one who has at least half of the maximum.

    Points of a forfeited game against such an opponent count.
    """
    bar = koya_limit(ledger, limit)
    rounds = zip(ledger.opponents[who], ledger.points[who], strict=True)
    return [
        (round, opponent, points)
        for round, (opponent, points) in enumerate(rounds, 1)
        if opponent != DUMMY and 2 * ledger.scores[opponent] >= bar
    ]


def koya(ledger: Ledger, each: TieBreak) -> list[int]:
    """[9.2] KS: points against those who have at least half of the maximum."""
    return [sum(points for _, _, points in koya_games(ledger, who, each.limit)) for who in ledger.everyone]


# --- type D, ratings of the opponents (C.07:10). Only games over the board count, in a round robin too (15.2)


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

_ABOVE_HALF: Final = [bisect_right(PD_STEPS, difference) for difference in range(REACH + 1)]
EXPECTED: Final = [50 - more for more in _ABOVE_HALF[:0:-1]] + [50 + more for more in _ABOVE_HALF]
"""Expected score in per cent for differences from -736 to 736."""


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


def percentage(score: int, count: int) -> int:
    """What share a score, in tenths, is of so many games: in whole per cent, a half upwards (B.01:1.4.9)."""
    return (20 * score + count) // (2 * count) if count else 0


def score_difference(percent: int) -> int:
    """The rating difference dp for a score in percent."""
    return DP[percent - 50] if percent >= 50 else -DP[50 - percent]


def average_rating(ledger: Ledger, each: TieBreak, who: int) -> int | None:
    """[10.1] ARO: average rating of the opponents met over the board."""
    games = kept_ratings(rated_games(ledger, who, each.unrated), each.cut, each.high)
    return average([game.rating for game in games])


def performance(ledger: Ledger, each: TieBreak, who: int) -> int | None:
    """[10.2] TPR: ARO plus the difference that belongs to the percentage scored."""
    games = rated_games(ledger, who, each.unrated)
    mean = average([game.rating for game in games])
    share = percentage(sum(game.score for game in games), len(games))
    return None if mean is None else mean + score_difference(share)


def perfect_performance(ledger: Ledger, each: TieBreak, who: int) -> int | None:
    """[10.3] PTP: the lowest rating expected to score as much, with no difference capped at 400.

    Nothing scored: 800 below the weakest opponent. Everything: the table asks for 736 above the strongest.
    """
    games = rated_games(ledger, who, each.unrated)
    if not games:
        return None
    ratings = [game.rating for game in games]
    wanted = 10 * sum(game.score for game in games)
    if wanted == 0:
        return min(ratings) - 800
    weakest = min(ratings) - REACH
    tried = range(weakest, max(ratings) + REACH)
    return weakest + bisect_left(tried, wanted, key=lambda rating: expected_score(rating, ratings))


OfOne = Callable[[Ledger, TieBreak, int], int | None]
"""A rating tie-break of one player."""


def by_rating(of_one: OfOne) -> Callable[[Ledger, TieBreak], Values]:
    """The values of all, or of nobody where there are unrated players and no rule for them (C.07:10)."""

    def values(ledger: Ledger, each: TieBreak) -> Values:
        if not usable(ledger, each.unrated):
            return list[int | None]([None] * len(ledger.everyone))
        return [of_one(ledger, each, who) for who in ledger.everyone]

    return values


def mean_of(of_one: OfOne) -> Callable[[Ledger, TieBreak], Values]:
    """[10.4, 10.5] APRO, APPO: the mean of what the opponents met over the board have, a half upwards."""

    def values(ledger: Ledger, each: TieBreak) -> Values:
        theirs = by_rating(of_one)(ledger, each)
        met = ([theirs[opponent] for _, opponent, _ in ledger.games(who)] for who in ledger.everyone)
        return [average([value for value in those if value is not None]) for those in met]

    return values


def own_rating(ledger: Ledger, each: TieBreak, who: int) -> int | None:
    """[10.6] RTNG; with /U alone the unrated come last."""
    return ledger.table.rows[who].rating or each.unrated or None


def expected_score(rating: int, opponents: Sequence[int]) -> int:
    """Hundredths of a point that the rating is expected to score against these (B.02:8.1)."""
    total = 0
    for opponent in opponents:
        difference = rating - opponent
        total += EXPECTED[difference + REACH] if -REACH <= difference <= REACH else 100 * (difference > 0)
    return total


# --- direct encounter (C.07:6): the games that tied players had with each other


class Meeting(msgspec.Struct, frozen=True):
    """What one tied player scored against the others of the group."""

    who: int
    score: Fraction
    """Tenths; several games with one opponent count as their average (6.1.2)."""
    met: int
    """How many of the others the player met."""
    missing: int
    """How many were not met; a round robin does not count them (6.3)."""


def games_to_come(ledger: Ledger, group: Sequence[int]) -> bool:
    """Whether players of a round robin have a game with each other that is open or not yet paired.

    Whether all have met is judged on all their meetings (6.2), so until then the encounter decides nothing.
    """
    table, inside = ledger.table, frozenset(group)
    due = cycles_in(len(table.rows), table.rounds) if ledger.round < table.rounds else 0
    for who in group:
        met: Counter[int] = Counter()
        for letter, opponent in zip(ledger.letters[who], ledger.opponents[who], strict=True):
            if opponent in inside:
                if letter in OPEN:
                    return True
                met[opponent] += 1
        if any(met[other] < due for other in group if other != who):
            return True
    return False


def meetings(ledger: Ledger, group: Sequence[int], *, forfeits: bool = False) -> list[Meeting]:
    """Each player's games inside the group; forfeits only with /P or predetermined pairings (6.1, 15.2)."""
    counts = PLAYED | FORFEITS if forfeits or ledger.predetermined else PLAYED
    inside = frozenset(group)
    found = []
    for who in group:
        games: dict[int, list[int]] = {}
        for letter, opponent, points in zip(
            ledger.letters[who], ledger.opponents[who], ledger.points[who], strict=True
        ):
            if opponent in inside and letter in counts:
                games.setdefault(opponent, []).append(points)
        score = sum((Fraction(sum(each), len(each)) for each in games.values()), Fraction(0))
        missing = 0 if ledger.predetermined else len(group) - 1 - len(games)
        found.append(Meeting(who, score, len(games), missing))
    return found


def split(ledger: Ledger, group: Sequence[int], *, forfeits: bool = False) -> list[list[int]]:
    """The group parted into the places that direct encounter gives, best first; one part if it gives none."""
    if len(group) < 2 or (ledger.predetermined and games_to_come(ledger, group)):
        return [list(group)]
    found = meetings(ledger, group, forfeits=forfeits)
    parts = _by_whatever_comes(ledger, found) if any(one.missing for one in found) else _by_score(found)
    if len(parts) == 1:
        return parts
    return [smaller for part in parts for smaller in split(ledger, part, forfeits=forfeits)]


def _by_score(found: Sequence[Meeting]) -> list[list[int]]:
    """[6.2] All have met: by the sum of their scores."""
    parts: dict[Fraction, list[int]] = {}
    for one in sorted(found, key=lambda one: -one.score):
        parts.setdefault(one.score, []).append(one.who)
    return list(parts.values())


def _by_whatever_comes(ledger: Ledger, found: Sequence[Meeting]) -> list[list[int]]:
    """[6.3] Not all have met: first is who stays so losing every missing game while rivals win theirs.

    Then the same for the second place among the others, and so on while it succeeds.
    """
    win, loss = ledger.scoring.win, ledger.scoring.loss
    worst = {one.who: one.score + one.missing * loss for one in found}
    best = {one.who: one.score + one.missing * win for one in found}
    left = sorted(worst, key=lambda who: (-worst[who], -best[who]))
    parts: list[list[int]] = []
    while len(left) > 1 and worst[left[0]] > max(best[who] for who in left[1:]):
        parts.append([left.pop(0)])
    return [*parts, left]


def places(ledger: Ledger, groups: Sequence[Sequence[int]], *, forfeits: bool = False) -> dict[int, int]:
    """For every player of the tied groups the place inside the group, from 1; 0 where nothing was decided."""
    given = {}
    for group in groups:
        parts = split(ledger, group, forfeits=forfeits)
        place = 1
        for part in parts:
            for who in part:
                given[who] = place if len(parts) > 1 else 0
            place += len(part)
    return given
