"""Title norms by B.01: every vector, each requirement short by one, and a second opinion by brute force."""

import random
from fractions import Fraction
from itertools import chain, combinations

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from paircard.domain import events
from paircard.domain.messages import Message, say
from paircard.domain.state import Tournament, evolve
from paircard.domain.values.players import Details
from paircard.domain.values.regulations import Regulations
from paircard.projections.norms import STANDARDS, PlayerNorms, Verdict, norms_of, required_score
from tests.projections.one_player import event_of

RULES = Regulations(
    name="Open",
    rounds=9,
    starts="2026-11-14",
    ends="2026-11-22",
    federation="FRA",
    time_control="90+30",
    dates=tuple(f"2026-11-{day}" for day in range(14, 23)),
)
FIELD = (
    *(("GM", "USA", 2500), ("GM", "GER", 2480), ("GM", "ESP", 2470), ("IM", "ITA", 2450)),
    *(("IM", "NED", 2440), ("IM", "FRA", 2420), ("FM", "FRA", 2400), ("", "FRA", 2380), ("", "FRA", 2300)),
)
ME = Details(name="Me", title="FM", federation="FRA", rating=2430, sex="w")
BY_TITLE = {one.title: one for one in STANDARDS}


def other(title: str, federation: str, rating: int) -> Details:
    return Details(name=f"{title} {rating}", title=title, federation=federation, rating=rating)


def mine(state: Tournament) -> PlayerNorms:
    return next(one for one in norms_of(state).players if one.player == 1)


def judged(
    letters: str,
    field: tuple[tuple[str, str, int], ...] = FIELD,
    me: Details = ME,
    rules: Regulations = RULES,
) -> PlayerNorms:
    opponents = [(other(*one), letter.strip()) for one, letter in zip(field, letters, strict=True)]
    return mine(event_of(me, opponents, rules))


def of(title: str, found: PlayerNorms) -> Verdict:
    return next(one for one in found.verdicts if one.title == title)


def short(verdict: Verdict) -> list[tuple[str, Message | None]]:
    return [
        (one.article, one.missing.message if one.missing else None)
        for one in verdict.requirements
        if one.state == "short"
    ]


def test_half_a_point_short_of_a_gm_norm() -> None:  # N1
    verdict = of("GM", judged("11111===0"))

    assert (verdict.score, verdict.average, verdict.performance) == (65, 2427, 2593)
    assert verdict.verdict == "no"
    assert short(verdict) == [("1.4.8", say("norms.short.performance", points=5))]


def test_a_gm_norm_with_7_points() -> None:  # N2
    verdict = of("GM", judged("111111==0"))

    assert (verdict.performance, verdict.verdict, verdict.required_score) == (2647, "norm", 70)
    assert verdict.norm_games == 9


def test_an_im_norm_with_five_and_a_half_points() -> None:  # N3
    verdict = of("IM", judged("1111===00"))

    assert (verdict.score, verdict.performance, verdict.verdict) == (55, 2507, "norm")


@pytest.mark.parametrize(("title", "average"), [("GM", 2384), ("IM", 2368), ("WGM", 2362), ("WIM", 2346)])
def test_the_lowest_opponent_alone_is_raised_to_the_floor(title: str, average: int) -> None:  # N4
    ratings = (2500, 2480, 2470, 2450, 2440, 2420, 2400, 2100, 0)
    verdict = of(title, judged("=========", tuple(("IM", "GER", rating) for rating in ratings)))

    assert verdict.average == average
    assert [game.counted_rating for game in verdict.games[-2:]] == [2100, BY_TITLE[title].floor]


def test_an_average_of_2379_and_a_half_is_2380() -> None:  # N5
    ratings = (2379, 2380) * 5
    verdict = of("GM", judged("==========", tuple(("GM", "GER", rating) for rating in ratings)))

    assert verdict.average == 2380


def test_eight_games_of_nine_rounds_count_as_nine() -> None:  # N6
    verdict = of("GM", judged("111111==U"))
    needs = {one.key: one.required for one in verdict.requirements}

    assert (verdict.verdict, verdict.count, verdict.required_score) == ("norm", 8, 60)
    assert verdict.norm_games == 9 + 1  # 1.4.1c, and a full point more than required
    shares = [needs[key] for key in ("games", "titled", "own-title", "own-federation", "one-federation")]
    assert shares == [8, 4, 3, 4, 5]
    assert "norms.eight-games" in [said.message.code for said in verdict.remarks]


def test_the_average_that_each_score_of_nine_games_needs() -> None:  # N7, and the table of 1.4.8
    table = {
        70: (2380, 2230, 2180, 2030), 65: (2434, 2284, 2234, 2084), 60: (2475, 2325, 2275, 2125),
        55: (2520, 2370, 2320, 2170), 50: (2557, 2407, 2357, 2207), 45: (2600, 2450, 2400, 2250),
        40: (2643, 2493, 2443, 2293), 35: (2680, 2530, 2480, 2330),
    }  # fmt: skip
    for score, averages in table.items():
        for standard, average in zip(STANDARDS, averages, strict=True):
            assert required_score(standard, average, 9) == score
            assert required_score(standard, average - 1, 9) != score


def test_the_least_score_at_the_least_average_by_number_of_games() -> None:
    least = {7: 55, 8: 65, 9: 70, 10: 80, 11: 90, 12: 95, 13: 105}
    assert {count: required_score(BY_TITLE["GM"], 2380, count) for count in least} == least
    lowest = {7: 25, 8: 30, 9: 35, 10: 35, 11: 40, 12: 45, 13: 50}
    assert {count: required_score(BY_TITLE["GM"], 2900, count) for count in lowest} == lowest


def test_percentages_are_rounded_a_half_upwards() -> None:  # N8
    found = []
    for score, games in ((45, 11), (55, 12), (10, 8), (50, 9)):
        wins, draws = divmod(score, 10)
        letters = ("1" * wins + "=" * (draws // 5)).ljust(games, "0")
        field = tuple(("GM", "GER", 2500) for _ in range(games))
        found.append(of("GM", judged(letters, field, rules=rules_of(games))).percent)
    assert found == [41, 46, 13, 56]


def rules_of(rounds: int) -> Regulations:
    return Regulations(name="O", rounds=rounds, starts="2026-11-14", federation="FRA", time_control="90+30")


@pytest.mark.parametrize(
    ("games", "numbers"),
    [
        (7, (4, 3, 4, 4)), (8, (4, 3, 4, 5)), (9, (5, 3, 5, 6)), (10, (5, 4, 6, 6)), (11, (6, 4, 6, 7)),
        (12, (6, 4, 7, 8)), (13, (7, 5, 7, 8)),
    ],
)  # fmt: skip
def test_the_mix_of_opponents_by_number_of_games(games: int, numbers: tuple[int, ...]) -> None:
    field = tuple(("", "FRA", 2300) for _ in range(games))
    verdict = of("GM", judged("0" * games, field, rules=rules_of(games)))
    needs = {one.key: one.required for one in verdict.requirements}

    assert tuple(needs[key] for key in ("titled", "own-title", "own-federation", "one-federation")) == numbers


def changed(at: dict[int, tuple[str, str, int]]) -> tuple[tuple[str, str, int], ...]:
    return tuple(at.get(number, one) for number, one in enumerate(FIELD, start=1))


@pytest.mark.parametrize(
    ("at", "said"),
    [
        ({7: ("", "FRA", 2400), 6: ("CM", "FRA", 2420), 5: ("WCM", "NED", 2440)},
         ("1.4.5a", say("norms.short.titled", count=1))),
        ({3: ("IM", "ESP", 2470)}, ("1.4.5b", say("norms.short.own-title", count=1))),
        ({1: ("GM", "FRA", 2500), 2: ("GM", "FRA", 2480)},
         ("1.4.4", say("norms.short.own-federation", count=1))),
        ({1: ("GM", "FID", 2500), 2: ("GM", "FID", 2480), 3: ("GM", "FID", 2470), 4: ("IM", "FID", 2450)},
         ("1.4.3", say("norms.short.foreign", count=1))),
        ({8: ("", "FRA", 2000), 9: ("", "FRA", 1900)}, ("1.4.8a", say("norms.short.average", count=7))),
    ],
)  # fmt: skip
def test_a_requirement_short_by_one_says_so(
    at: dict[int, tuple[str, str, int]], said: tuple[str, Message]
) -> None:
    verdict = of("GM", judged("1111111=1", changed(at)))

    assert verdict.verdict == "no"
    assert said in short(verdict)


def test_a_federation_nobody_recorded_is_asked_not_decided() -> None:
    nowhere = tuple((title, "" if at < 4 else "FRA", rating) for at, (title, _, rating) in enumerate(FIELD))
    verdict = of("GM", judged("111111==0", nowhere))

    assert verdict.verdict == "ask"
    asked = {one.key for one in verdict.requirements if one.state == "ask"}
    assert asked == {"foreign", "own-federation", "one-federation"}
    nobody = of("GM", judged("111111==0", me=Details(name="Me", title="FM", rating=2430, sex="w")))
    assert nobody.verdict == "ask"


def test_whether_a_player_is_a_woman_is_asked_where_it_is_not_recorded() -> None:
    titles = {}
    for sex in ("w", "m", ""):
        found = judged("111111==0", me=Details(name="Me", federation="FRA", sex=sex))
        titles[sex] = {one.title: one.verdict for one in found.verdicts}

    assert titles["w"] == {"GM": "norm", "IM": "norm", "WGM": "norm", "WIM": "norm"}
    assert titles["m"] == {"GM": "norm", "IM": "norm"}
    assert titles[""] == {"GM": "norm", "IM": "norm", "WGM": "ask", "WIM": "ask"}


def test_an_event_of_eight_rounds_is_one_game_short() -> None:
    verdict = of("GM", judged("11111111", FIELD[:8], rules=rules_of(8)))

    assert short(verdict) == [("1.4.1", say("norms.short.games", count=1))]


def test_an_event_with_too_little_time_gives_no_norm() -> None:
    fast = Regulations(name="Fast", rounds=9, starts="2026-11-14", federation="FRA", time_control="60+30")
    verdict = of("GM", judged("111111==0", rules=fast))

    assert verdict.verdict == "no"
    assert "1.1.3" in [article for article, _ in short(verdict)]


def test_games_after_a_title_result_are_ignored() -> None:
    later = (*FIELD, ("", "FRA", 1500), ("", "FRA", 1500))
    verdict = of("GM", judged("111111==000", later, rules=rules_of(11)))

    assert (verdict.verdict, verdict.count) == ("norm", 9)
    left_out = [game.left_out.message.code for game in verdict.games if game.left_out]
    assert left_out == ["norms.left-out.later"] * 2


def test_a_win_against_a_weak_opponent_may_be_left_out() -> None:
    first = (("", "FRA", 1500), *FIELD)
    verdict = of("GM", judged("1111111==0", first, rules=rules_of(10)))

    assert (verdict.verdict, verdict.count) == ("norm", 9)
    left_out = {game.round: game.left_out.message.code for game in verdict.games if game.left_out}
    assert left_out == {1: "norms.left-out.won"}


def test_a_lost_game_is_never_left_out() -> None:
    first = (("", "FRA", 1500), *FIELD)

    assert of("GM", judged("0111111==")).verdict == "norm"
    assert of("GM", judged("00111111==", first, rules=rules_of(10))).verdict == "no"


def test_a_forfeit_in_the_last_round_counts_as_a_loss_where_that_is_enough() -> None:
    verdict = of("GM", judged("1111111=+", FIELD))

    assert (verdict.verdict, verdict.count, verdict.score) == ("norm", 9, 75)
    assert [said.message.code for said in verdict.remarks] == ["norms.last-round-forfeit"]


def test_each_full_point_more_counts_as_one_more_game() -> None:
    assert of("IM", judged("111111==0")).norm_games == 9 + 2
    assert of("WIM", judged("111111==0")).norm_games == 9 + 3


def test_before_the_last_game_the_score_that_is_enough_is_told() -> None:
    verdict = of("GM", judged("111111=0 "))

    assert (verdict.verdict, verdict.to_come, verdict.against) == ("possible", 1, (10,))
    assert [(one.score, one.rating) for one in verdict.chances] == [(5, 0)]
    assert of("GM", judged("11111===1")).verdict == of("GM", judged("111111=0=")).verdict == "norm"
    assert of("GM", judged("111110=0 ")).verdict == "no"


def test_before_a_round_is_paired_the_rating_that_is_needed_is_told() -> None:
    field, guest = FIELD[:8], [other("GM", "GER", 2600)]
    opponents = [(other(*one), letter) for one, letter in zip(field, "11111===", strict=True)]
    state = event_of(ME, opponents, RULES)
    assert of("GM", mine(state)).chances == ()  # everybody was met, nobody is left

    for one in guest:
        state = evolve(state, events.PlayerRegistered(player=10, details=one))
    verdict = of("GM", mine(state))
    assert verdict.verdict == "possible"
    for chance in verdict.chances:
        letter = {0: "0", 5: "=", 10: "1"}[chance.score]
        enough = (*field, ("GM", "GER", chance.rating))
        assert of("GM", judged(f"11111==={letter}", enough)).verdict == "norm"
        if chance.rating > 1400:
            too_weak = (*field, ("GM", "GER", chance.rating - 1))
            assert of("GM", judged(f"11111==={letter}", too_weak)).verdict == "no"
    assert [one.score for one in verdict.chances] == [0, 5, 10]


def test_a_rating_alone_is_enough_for_fm_and_cm() -> None:
    def enough(rating: int, sex: str = "", title: str = "") -> tuple[str, ...]:
        return judged("0" * 9, me=Details(name="A", rating=rating, sex=sex, title=title)).by_rating

    assert enough(2310) == ("FM",)
    assert enough(2210, sex="w") == ("CM", "WFM")
    assert enough(2010, sex="w") == ("WCM",)
    assert (enough(2299), enough(2199), enough(1999, sex="w")) == (("CM",), (), ())
    assert enough(2310, title="IM") == ()


# --- a second opinion: every set of games the rules allow, tried one by one


OWN = {"GM": "GM", "IM": "GM IM", "WGM": "GM IM WGM", "WIM": "GM IM WGM WIM"}
NUMBERS = {"GM": (2600, 2380, 2200), "IM": (2450, 2230, 2050)}
NUMBERS |= {"WGM": (2400, 2180, 2000), "WIM": (2250, 2030, 1850)}
DP = "0 7 14 21 29 36 43 50 57 65 72 80 87 95 102 110 117 125 133 141 149 158 166 175 184 193 202 211 220 230"
DP += " 240 251 262 273 284 296 309 322 336 351 366 383 401 422 444 470 501 538 589 677 800"
DIFFERENCES = [int(word) for word in DP.split()]
WORTH = {"1": 2, "W": 2, "=": 1, "D": 1, "0": 0, "L": 0}


def half_up(value: Fraction) -> int:
    return int(value + Fraction(1, 2))


def is_norm(title: str, games: list[tuple[str, str, int, int]], least: int) -> bool:
    """Title, federation, rating and half points of each game, the candidate from FRA."""
    performance, lowest, floor = NUMBERS[title]
    count = len(games)
    if count < least:
        return False
    ratings = sorted(rating or 1400 for _, _, rating, _ in games)
    ratings[0] = max(ratings[0], floor)
    mean = half_up(Fraction(sum(ratings), count))
    share = Fraction(100 * sum(half for *_, half in games), 2 * count)
    percent = half_up(share)
    reached = mean + (DIFFERENCES[percent - 50] if percent >= 50 else -DIFFERENCES[50 - percent])
    flags = [federation for _, federation, _, _ in games if federation != "FID"]
    return (
        reached >= performance
        and mean >= lowest
        and share >= 35
        and 2 * sum(held not in ("", "CM", "WCM") for held, *_ in games) >= count
        and sum(held in OWN[title].split() for held, *_ in games) >= max(3, -(-count // 3))
        and len({flag for flag in flags if flag != "FRA"}) >= 2
        and flags.count("FRA") <= Fraction(3 * count, 5)
        and all(flags.count(flag) <= Fraction(2 * count, 3) for flag in flags)
    )


def norm_by_trying(title: str, field: list[tuple[str, str, int]], letters: str, rounds: int) -> bool:
    played = [(*one, WORTH[letter]) for one, letter in zip(field, letters, strict=True) if letter in WORTH]
    bases = [(played, 9)]
    if len(played) == 8 and letters[-1] == "+":
        bases.append(([*played, (*field[-1], 0)], 9))
    if rounds == 9 and len(played) == 8 and letters.count("+") + letters.count("U") == 1:
        bases.append((played, 8))
    for base, least in bases:
        for end in range(least, len(base) + 1):
            first = base[:end]
            won = [at for at, game in enumerate(first) if game[3] == 2]
            for out in chain.from_iterable(combinations(won, size) for size in range(len(first) - least + 1)):
                if is_norm(title, [game for at, game in enumerate(first) if at not in out], least):
                    return True
    return False


def agree(seed: int) -> int:
    """Both opinions of one random event; how many norms there were."""
    lot = random.Random(seed)
    rounds = lot.choice([9, 9, 9, 10, 11])
    level, spread = lot.choice([2150, 2300, 2450]), lot.choice([60, 150])
    held = ["GM", "GM", "IM", "IM", "WGM", "FM", "WIM", "CM", ""]
    flags = ["FRA", "FRA", "FRA", "FRA", "GER", "ITA", "FID", lot.choice(["USA", "FRA"])]
    field = [
        (
            lot.choice(held),
            lot.choice(flags),
            lot.randrange(15) and lot.randint(level - spread, level + spread),
        )
        for _ in range(rounds)
    ]
    letters = "".join(lot.choice("111111====0W") for _ in range(rounds))
    if lot.random() < 0.4:
        at = lot.choice([lot.randrange(rounds), rounds - 1])
        letters = letters[:at] + lot.choice("+U-") + letters[at + 1 :]
    me = Details(name="Me", federation="FRA", sex="w")
    found = judged(letters, tuple(field), me=me, rules=rules_of(rounds))
    made = {one.title: one.verdict == "norm" for one in found.verdicts}
    assert made == {title: norm_by_trying(title, field, letters, rounds) for title in OWN}, (field, letters)
    return sum(made.values())


@given(st.integers(0, 2**32))
@settings(max_examples=20, deadline=None)
def test_a_brute_force_over_all_sets_of_games_gives_the_same_verdicts(seed: int) -> None:
    agree(seed)


@pytest.mark.soak
def test_a_brute_force_gives_the_same_verdicts_three_thousand_times() -> None:
    assert sum(agree(seed) for seed in range(3_000)) > 500
