"""Rating changes by B.02: every vector of FIDE's calculations, and a second computation by the text."""

import random
from decimal import ROUND_HALF_UP, Decimal

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from paircard.domain.values.players import Details
from paircard.domain.values.regulations import Regulations
from paircard.projections.ratings import (
    RatingLine,
    Ratings,
    difference_that_counts,
    fide_rating,
    first_rating,
    ratings_of,
    reduced_k,
    rounded,
    tempo_of,
    time_control_of,
    time_needed,
)
from paircard.projections.standings.measures import REACH, expected_score, score_difference
from tests.projections.one_player import event_of

RULES = Regulations(name="Open", rounds=9, starts="2026-11-14", time_control="90+30")


def played(own: Details, opponents: list[tuple[Details, str]], rules: Regulations = RULES) -> Ratings:
    """The ratings after a player met these, one in each round."""
    return ratings_of(event_of(own, opponents, rules))


def rated(rating: int, k: int = 0, **more: object) -> Details:
    return Details(name=f"P {rating}", rating=rating, k_factor=k, federation="ITA", **more)  # type: ignore[arg-type]


def mine(found: Ratings) -> RatingLine:
    return next(line for line in found.players if line.player == 1)


VECTORS = {
    "R1": (2000, 2000, "1", 10, 500), "R2": (2003, 2000, "1", 10, 500), "R3": (2004, 2000, "1", 10, 490),
    "R4": (2391, 2000, "1", 10, 90), "R5": (2392, 2000, "1", 10, 80), "R6": (1656, 2000, "0", 10, -120),
    "R7": (1655, 2000, "0", 10, -110), "R8": (2649, 2149, "1", 10, 80), "R9": (2650, 2150, "1", 10, 40),
    "R10": (2700, 1964, "1", 10, 0), "R11": (2700, 1900, "0", 10, -1000), "R12": (2200, 2700, "0", 20, -160),
    "R13": (1500, 2000, "=", 20, 840), "R14": (2813, 2400, "1", 10, 70), "R15": (2400, 2813, "0", 10, -80),
}  # fmt: skip


@pytest.mark.parametrize("name", VECTORS)
def test_one_game_changes_a_rating_as_fide_calculates(name: str) -> None:
    own, other, letter, k, change = VECTORS[name]

    assert mine(played(rated(own, k), [(rated(other), letter)])).change == change


@pytest.mark.parametrize(
    ("own", "k", "games", "surplus", "change", "new"),
    [
        (2813, 10, [(1787, "1"), (2025, "1"), (2310, "1"), (2400, "1"), (2505, "=")], -25, -250, 2810),  # R16
        (2400, 10, [(1990, "1"), (1950, "1"), (2121, "1"), (2813, "0"), (2084, "1")], 37, 370, 2404),  # R17
        (2053, 20, [(1675, "1"), (2310, "0"), (1650, "1"), (1884, "1"), (2218, "0")], -1, -20, 2053),  # R18
    ],
)
def test_an_event_changes_a_rating_as_fide_published(
    own: int, k: int, games: list[tuple[int, str]], surplus: int, change: int, new: int
) -> None:
    line = mine(played(rated(own, k), [(rated(rating), letter) for rating, letter in games]))

    assert sum(game.surplus for game in line.rounds) == surplus
    assert line.change == change
    assert line.rating + (line.rounded or 0) == new


def test_k_is_reduced_so_that_k_times_games_is_at_most_700() -> None:  # R19
    assert [reduced_k(20, games) for games in (35, 36, 39)] == [20, 19, 17]
    assert reduced_k(40, 18) == 38


def test_a_change_is_rounded_with_halves_away_from_zero() -> None:  # R20
    assert [rounded(each) for each in (9248, -250, 50)] == [92, -3, 1]


@pytest.mark.parametrize(
    ("opponents", "score", "average", "percent", "rating"),
    [
        ([1901, 1901, 1901, 1902, 1902], 30, 187243, 57, 1922),  # R21
        ([1500] * 5, 10, 158571, 29, 1428),  # R22
        ([2400] * 5, 50, 222857, 86, 2200),  # R23
        ([1400] * 5, 5, 151429, 21, 1284),  # R24
        ([1600] * 7, 35, 164444, 50, 1644),  # R25
    ],
)
def test_a_first_rating_comes_with_two_draws_against_1800(
    opponents: list[int], score: int, average: int, percent: int, rating: int
) -> None:
    first = first_rating(opponents, score)

    assert (first.average, first.percent, first.rating) == (average, percent, rating)


def test_a_first_rating_below_1400_is_not_published() -> None:  # R24
    line = mine(played(rated(0), [(rated(1400), letter) for letter in "=0000"]))

    assert line.first
    assert line.first.rating == 1284
    assert "ratings.first-too-low" in codes(line)


def test_the_kind_of_an_event_follows_from_its_rate_of_play() -> None:  # R26
    written = {"90+30": "standard", "60+0": "standard", "59+0": "rapid", "15+10": "rapid", "10+0": "blitz"}
    written |= {
        "10+5": "rapid",
        "5+5": "blitz",
        "3+2": "blitz",
        "3+0": "",
        "90 min + 30 s per move": "standard",
    }
    minutes = {"90+30": 120, "15+10": 25, "10+5": 15, "5+5": 10, "3+2": 5}
    for text, tempo in written.items():
        control = time_control_of(text)
        assert control
        assert tempo_of(control) == tempo, text
        assert control.sixty_moves == minutes.get(text, control.sixty_moves)
    assert time_control_of("40/90, then 30 and 30 s") is None


def test_the_time_a_game_needs_follows_from_the_higher_rating() -> None:  # R27
    whole = {
        text: control.sixty_moves for text in ("90+30", "60+30", "60+0") if (control := time_control_of(text))
    }

    assert whole["90+30"] >= time_needed(2400, 1500) > whole["60+30"] >= time_needed(2399, 1500)
    assert time_needed(1800, 1000) > whole["60+0"] >= time_needed(1799, 1000)


def reasons(line: RatingLine) -> list[str]:
    return [game.reason.message.code for game in line.rounds if game.reason]


def codes(line: RatingLine) -> list[str]:
    return [one.message.code for one in line.remarks]


def test_forfeits_short_games_and_unrated_opponents_do_not_count() -> None:
    games = [(rated(2000), "+"), (rated(2000), "W"), (rated(0), "1"), (rated(2000), "=")]
    line = mine(played(rated(2000, 20), games))

    assert reasons(line) == ["ratings.forfeit", "ratings.under-a-move", "ratings.opponent-unrated"]
    assert (line.games, line.score, line.change) == (1, 5, 0)


def test_a_game_without_time_enough_does_not_count() -> None:
    short = Regulations(name="Club", rounds=2, starts="2026-11-14", time_control="60+30")
    line = mine(played(rated(2000, 20), [(rated(2400), "1"), (rated(2399), "1")], short))

    assert reasons(line) == ["ratings.too-short"]
    assert line.games == 1


def test_rapid_games_of_players_600_points_apart_do_not_count_with_one_above_2600() -> None:
    rapid = Regulations(name="Rapid", rounds=2, starts="2026-11-14", tempo="rapid", time_control="15+10")
    line = mine(played(rated(2650, 10), [(rated(2050), "1"), (rated(2051), "1")], rapid))

    assert reasons(line) == ["ratings.too-far-apart"]
    assert [game.difference for game in line.rounds if game.counts] == [400]


def test_without_a_k_factor_no_change_is_guessed_but_from_2400_on_it_is_10() -> None:
    unknown = mine(played(rated(2399), [(rated(2400), "1")]))
    known = mine(played(rated(2400), [(rated(2400), "1")]))

    assert unknown.change is None
    assert codes(unknown) == ["ratings.k-unknown"]
    assert (known.k_used, known.change) == (10, 500)


def test_what_is_missing_is_told() -> None:
    found = played(
        Details(name="Nemo"), [(rated(1900), "0"), (rated(1900), "0")], Regulations(name="O", rounds=2)
    )

    assert codes(mine(found)) == ["ratings.no-federation", "ratings.first-zero", "ratings.first-games"]
    told = [one.message.code for one in found.remarks]
    assert told == ["ratings.one-event", "ratings.no-day", "ratings.no-time-control"]


def test_an_estimated_and_a_national_rating_are_no_rating_of_fide() -> None:
    assert fide_rating(Details(name="E", rating=1900, estimated=True)) == 0
    assert fide_rating(Details(name="N", rating=1900, rating_source="national")) == 0
    assert fide_rating(Details(name="B", rating=1900, rating_source="FIDE blitz")) == 0
    assert fide_rating(Details(name="R", rating=1900, fide_rating=1850, rapid_rating=1800), "rapid") == 1800
    assert fide_rating(Details(name="S", rating=1900, fide_rating=1850), "rapid") == 1850


def test_the_amendment_of_october_2025_holds_for_standard_events_from_that_day_on() -> None:
    def day(starts: str, tempo: str = "standard") -> int:
        return difference_that_counts(2700, 2000, Regulations(name="O", rounds=9, starts=starts, tempo=tempo))

    assert (day("2025-09-30"), day("2025-10-01"), day("2025-10-01", "rapid"), day("")) == (400, 700, 400, 700)


# --- a second computation, from the text and its tables


PD = (
    "3 10 17 25 32 39 46 53 61 68 76 83 91 98 106 113 121 129 137 145 153 162 170 179 188 197 206 215 225 235"
)
PD += " 245 256 267 278 290 302 315 328 344 357 374 391 411 432 456 484 517 559 619 735"
DP = "0 7 14 21 29 36 43 50 57 65 72 80 87 95 102 110 117 125 133 141 149 158 166 175 184 193 202 211 220 230"
DP += " 240 251 262 273 284 296 309 322 336 351 366 383 401 422 444 470 501 538 589 677 800"
LARGEST = [int(word) for word in PD.split()]
DIFFERENCES = [int(word) for word in DP.split()]


def chance(difference: int) -> Decimal:
    """The table of 8.1: the largest difference of each step."""
    steps = [at for at, largest in enumerate(LARGEST) if abs(difference) <= largest]
    higher = Decimal(50 + steps[0]) / 100 if steps else Decimal(1)
    return higher if difference >= 0 else 1 - higher


def change_by_the_text(own: int, k: int, games: list[tuple[int, str]]) -> tuple[Decimal, int]:
    total, count = Decimal(0), 0
    for other, letter in games:
        if other == 0 or letter not in ("1", "=", "0"):
            continue
        difference = own - other
        if own < 2650 and abs(difference) > 400:
            difference = 400 if difference > 0 else -400
        total += {"1": Decimal(1), "=": Decimal("0.5"), "0": Decimal(0)}[letter] - chance(difference)
        count += 1
    while k * count > 700:
        k -= 1
    change = k * total
    return change, int(change.quantize(Decimal(1), ROUND_HALF_UP))


def test_both_tables_are_those_of_the_text() -> None:
    assert [expected_score(2000 + d, [2000]) for d in range(-REACH - 2, REACH + 3)] == [
        int(100 * chance(d)) for d in range(-REACH - 2, REACH + 3)
    ]
    assert [score_difference(50 + at) for at in range(51)] == DIFFERENCES
    assert [score_difference(50 - at) for at in range(51)] == [-each for each in DIFFERENCES]


def agree(seed: int) -> None:
    """One player of a random event, by both computations."""
    lot = random.Random(seed)
    own, k = lot.randint(1400, 2860), lot.choice([10, 20, 40])
    games = [
        (lot.choice([0, *(lot.randint(1400, 2860) for _ in range(9))]), lot.choice("1=01=01=0+WDL"))
        for _ in range(lot.choice([1, 5, 9, 11, 40]))
    ]
    line = mine(played(rated(own, k), [(rated(other), letter) for other, letter in games]))
    change, whole = change_by_the_text(own, k, games)
    if line.games:
        assert line.change == 100 * change, (own, k, games)
        assert line.rounded == whole
    else:
        assert change == 0


@given(st.integers(0, 2**32))
@settings(max_examples=25, deadline=None)
def test_a_second_computation_from_the_text_gives_the_same_change(seed: int) -> None:
    agree(seed)


@pytest.mark.soak
def test_a_second_computation_gives_the_same_change_ten_thousand_times() -> None:
    for seed in range(10_000):
        agree(seed)
