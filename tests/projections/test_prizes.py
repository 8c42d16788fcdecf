"""Worked examples of prizes."""

from fractions import Fraction

import pytest
from msgspec.structs import replace

from paircard.domain.messages import say
from paircard.domain.speaking import Speaker
from paircard.domain.state import Player
from paircard.domain.values.players import Details
from paircard.domain.values.prizes import Category, Condition, Filled, Prize, PrizeRules, money
from paircard.projections.awarding import Entrant, PrizeList, give, rounded, settled, shares
from paircard.projections.categories import belonging

W = Condition(field="sex", values=("w",))


def entrants(points: str, **lists: str) -> list[Entrant]:
    """Players A, B, C … with these points; each list names its members by letter."""
    scores = [int(Fraction(one) * 10) for one in points.split()]
    return [
        Entrant(
            id=at,
            points=score,
            rank=at,
            lists=tuple(name for name, members in lists.items() if chr(64 + at) in members),
        )
        for at, score in enumerate(scores, start=1)
    ]


def fund(main: str, *special: tuple[str, int], **rules: object) -> PrizeRules:
    prizes = [
        Prize(name=f"main{at}", place=at, amount=int(one) * 100)
        for at, one in enumerate(main.split(), start=1)
    ]
    count: dict[str, int] = {}
    for name, amount in special:
        count[name] = count.get(name, 0) + 1
        place = count[name]
        prizes.append(Prize(name=f"{name}{place}", category=name, place=place, amount=amount * 100))
    return PrizeRules(prizes=tuple(prizes), **rules)  # type: ignore[arg-type]


def categories(rules: PrizeRules) -> list[Category]:
    names = dict.fromkeys(prize.category for prize in rules.prizes if prize.category)
    return [Category(name=name, conditions=(W,)) for name in names]


def listed(rules: PrizeRules, players: list[Entrant]) -> PrizeList:
    found = give(rules, categories(rules), players)
    announced = sum(prize.amount for prize in rules.prizes)
    assert sum(one.amount for one in found.given) + sum(one.amount for one in found.kept) == announced
    return found


def paid(rules: PrizeRules, players: list[Entrant]) -> dict[str, float]:
    found: dict[str, float] = {}
    for one in listed(rules, players).given:
        letter = chr(64 + one.player)
        found[letter] = found.get(letter, 0) + one.amount / 100
    return found


def who(rules: PrizeRules, players: list[Entrant]) -> dict[str, str]:
    return {one.prize: chr(64 + one.player) for one in listed(rules, players).given}


@pytest.mark.parametrize(
    ("points", "prizes", "method", "least", "expected"),
    [
        ("5 5 4 4 4 3", "200 100 60", "place", 0, "200 100 60 0 0 0"),  # E1
        ("5 5 4 4 4 3", "200 100 60", "equal", 0, "150 150 20 20 20 0"),  # E2
        ("5 5 4 4 4 3", "200 100 60", "hort", 0, "175 125 40 10 10 0"),  # E3
        ("8 8 15/2 7 7 7", "1000 500 350 200 150 100", "hort", 0, "875 625 350 175 150 125"),  # E4
        ("5 4 3 3 3", "200 100 60", "equal", 30, "200 100 30 30 0"),  # E5
        ("5 4 3 3 3", "200 100 60", "hort", 15, "200 100 45 15 0"),  # E6
    ],
)
def test_sharing_in_one_list(points: str, prizes: str, method: str, least: int, expected: str) -> None:
    found = shares(
        [int(Fraction(one) * 10) for one in points.split()], list(map(int, prizes.split())), method, least
    )

    assert found == [Fraction(one) for one in expected.split()]


def test_the_sum_paid_is_the_sum_announced() -> None:  # E7
    rules = fund("100 80 60 40 20 10", sharing="hort", unit=100)

    assert paid(rules, entrants("8 8 15/2 7 7 7")) == {"A": 95, "B": 85, "C": 60, "D": 32, "E": 22, "F": 16}
    assert rounded([Fraction(10000, 3)] * 3, 1) == [3334, 3333, 3333]


ORDER = entrants("8 7 6 5 4 3 2 1", women="BEG", U16="EH", under="FGH", S65="")


@pytest.mark.parametrize(
    ("rules", "expected"),
    [
        (
            fund("200 100 50", ("women", 150), ("women", 90)),  # E8
            {"main1": "A", "women1": "B", "main2": "C", "women2": "E", "main3": "D"},
        ),
        (fund("200 100 50", ("women", 100)), {"main1": "A", "main2": "B", "women1": "E", "main3": "C"}),  # E9
        (
            fund("200 100 50", ("women", 40), ("U16", 45), ("under", 45)),  # E10
            {"main1": "A", "main2": "B", "main3": "C", "U161": "E", "under1": "F", "women1": "G"},
        ),
        (fund("100", ("S65", 30), ("women", 20)), {"main1": "A", "women1": "B"}),  # E11
    ],
)
def test_one_prize_per_person_by_place(rules: PrizeRules, expected: dict[str, str]) -> None:
    assert who(rules, ORDER) == expected


def test_several_prizes_per_person() -> None:  # E12
    rules = fund("200 100 50", ("women", 150), ("women", 90), per_person="all")

    assert paid(rules, ORDER) == {"A": 200, "B": 250, "C": 50, "E": 90}


@pytest.mark.parametrize(
    ("sharing", "choosing", "expected"),
    [
        ("equal", "procedure", {"A": 200, "B": 80, "C": 90, "D": 80}),
        ("hort", "procedure", {"A": 200, "B": 90, "C": 90, "D": 70}),
        ("equal", "best", {"A": 200, "B": 80, "C": 90, "D": 80}),
    ],
)
def test_a_special_prize_leaves_the_shares_to_others(
    sharing: str, choosing: str, expected: dict[str, float]
) -> None:  # E13
    rules = fund("200 100 60", ("women", 90), sharing=sharing, choosing=choosing)

    assert paid(rules, entrants("6 5 5 5 4", women="CE")) == expected


def test_where_the_procedure_is_not_fair_the_announcement_chooses_and_a_warning_is_given() -> None:  # E20
    players = entrants("5 5 5 4 3", x="AE", y="ABC")
    procedure = fund("200", ("x", 150), ("y", 55), sharing="hort")
    best = fund("200", ("x", 150), ("y", 55), sharing="hort", choosing="best")

    assert paid(procedure, players) == {"A": 150, "B": 200, "C": 55}
    assert [note.code for note in listed(procedure, players).notes] == ["prizes.would-get-more"]
    assert paid(best, players) == {"A": 150, "B": 55, "C": 50, "E": 150}


def test_two_fair_lists() -> None:  # E21
    players = entrants("5 5 4", x="AB")

    assert paid(fund("100", ("x", 90), sharing="equal"), players) == {"A": 90, "B": 100}
    assert paid(fund("100", ("x", 90), sharing="equal", choosing="best"), players) == {"A": 100, "B": 90}


@pytest.mark.parametrize(
    ("main", "special", "points", "lists", "expected"),
    [
        ("300 200", [("y", 150)], "4 4 4 4", "A", {"A": 162.5, "B": 162.5, "C": 162.5, "D": 162.5}),  # E14
        (
            "250 150 100", [("y", 100)], "4 7/2 7/2 3 5/2", "CBE",
            {"A": 250, "B": 125, "C": 125, "E": 100},
        ),  # E15
        (
            "536 306", [("y", 1379), ("y", 766)], "4 4 4 4", "BCD",
            {"A": 536, "B": 817, "C": 817, "D": 817},
        ),  # E16
        (
            "1000 800", [("y", 2000), ("y", 1000)], "4 4 4 4", "BCD",
            {"A": 1000, "B": 1266.67, "C": 1266.67, "D": 1266.66},
        ),  # E17
    ],
)  # fmt: skip
def test_us_chess_rule_32(
    main: str, special: list[tuple[str, int]], points: str, lists: str, expected: dict[str, float]
) -> None:
    assert paid(fund(main, *special, sharing="us32"), entrants(points, y=lists)) == expected


@pytest.mark.parametrize(
    ("age", "birth", "inside"),
    [
        ({"youth": 18}, "2008", True), ({"youth": 18}, "2007", False), ({"youth": 8}, "2018", True),
        ({"youth": 8}, "2017", False), ({"youth": 20}, "2006", True),  # E18
        ({"senior": 50}, "1976", True), ({"senior": 50}, "1977", False), ({"senior": 65}, "1961-12-31", True),
        ({"senior": 65}, "1962-01-01", False),  # E19
        ({"youth": 16}, "", None), ({"youth": 16, "key_date": "2026-09-01"}, "2010", None),
        ({"youth": 16, "key_date": "2026-09-01"}, "2010-09-01", True),
        ({"youth": 16, "key_date": "2026-09-01"}, "2010-08-31", False),
    ],
)  # fmt: skip
def test_ages_in_2026(age: dict[str, object], birth: str, inside: bool | None) -> None:
    category = Category(name="x", conditions=(Condition(field="birth", **age),))  # type: ignore[arg-type]

    assert (
        belonging(category, Player(id=1, details=Details(name="A", birth=birth)), "2026-11-16").inside
        is inside
    )


def test_or_within_a_field_and_across_fields() -> None:
    band = Condition(field="rating", below=1800)
    unrated = Condition(field="rating", values=("unrated",))
    ada = Player(id=1, details=Details(name="Ada", rating=1799, sex="w"))
    ben = Player(id=2, details=Details(name="Ben", rating=0))
    cleo = Player(id=3, details=Details(name="Cleo", rating=1800, sex="w"))

    def inside(player: Player, *conditions: Condition) -> bool | None:
        return belonging(Category(name="x", conditions=conditions), player, "2026-11-16").inside

    assert [inside(one, band) for one in (ada, ben, cleo)] == [True, False, False]
    assert [inside(one, band, unrated) for one in (ada, ben, cleo)] == [True, True, False]
    assert [inside(one, band, unrated, W) for one in (ada, ben, cleo)] == [True, None, False]


def test_a_category_with_too_few_players() -> None:
    players = entrants("8 7 6 5", few="B", more="BC")
    few = Category(name="few", conditions=(W,), least=2, next="more")
    more = Category(name="more", conditions=(W,))

    def given(short: str) -> list[tuple[str, int]]:
        rules = fund("", ("few", 25), short=short, unit=100)
        return [(one.prize, one.amount) for one in give(rules, [few, more], players).given]

    assert (given("none"), given("half"), given("up")) == ([], [("few1", 1200)], [("few1", 2500)])


def test_a_cup_that_nobody_gets_is_kept_with_the_half_of_the_money_that_is_left() -> None:
    prize = Prize(name="few1", category="few", amount=2500, thing="cup")
    few = Category(name="few", conditions=(W,), least=2)

    found = give(PrizeRules(prizes=(prize,), short="half", unit=100), [few], entrants("8 7"))
    assert [(one.amount, one.thing) for one in found.kept] == [(1300, ""), (1200, "cup")]


def test_nobody_can_overtake_a_player_who_leads_by_more_than_can_be_won() -> None:
    players = entrants("6 4 7/2 3")

    assert [settled(players, gain) for gain in (0, 10, 20)] == [{1, 2, 3, 4}, {1}, set()]


def test_by_us_chess_rule_32_a_cup_goes_to_one_of_the_tied() -> None:
    rules = PrizeRules(
        prizes=(
            Prize(name="first", amount=30_000, thing="cup"),
            Prize(name="second", place=2, amount=20_000),
            Prize(name="book", category="y", thing="book"),
        ),
        sharing="us32",
    )
    found = listed(rules, entrants("4 4 3", y="BC"))

    assert [(one.player, one.amount) for one in found.given if one.amount] == [(1, 25_000), (2, 25_000)]
    assert [(one.player, one.thing) for one in found.given if one.thing] == [(1, "cup"), (2, "book")]


@pytest.mark.parametrize(("sharing", "told"), [("equal", []), ("place", ["prizes.tied"])])
def test_players_equal_in_the_table_with_different_prizes_are_told_but_not_an_odd_cent(
    sharing: str, told: list[str]
) -> None:
    players = [replace(one, rank=1) for one in entrants("4 4 4")]

    assert [note.code for note in listed(fund("60 40", sharing=sharing), players).notes] == told


def test_who_is_tied_with_nobody_pools_with_nobody() -> None:
    found = listed(fund("300 200", sharing="us32"), entrants("4 3"))

    assert [one.reasons[0] for one in found.given] == [
        say("prizes.us32", count=1, names=[one.prize], value=money(one.amount), code=money(one.amount))
        for one in found.given
    ]


@pytest.mark.parametrize(
    ("asked", "english", "italian"),
    [
        (W, "women", "donne"),
        (Condition(field="birth", youth=16), "born 2010 or later", "nati nel 2010 o dopo"),
        (Condition(field="birth", senior=65), "born 1961 or earlier", "nati nel 1961 o prima"),
        (Condition(field="fide_rating", values=("unrated",)), "no FIDE rating", "senza rating FIDE"),
        (Condition(field="rating", least=1200, below=1800), "rating 1200–1799", "rating 1200–1799"),
        (Condition(field="estimated", values=("True",)), "rating estimated", "rating stimato"),
        (Condition(field="player", values=("p1", "p2")), "chosen by hand", "scelti a mano"),
        (Condition(field="club", values=("Trento", "Pine")), "club Trento, Pine", "circolo Trento, Pine"),
    ],
)
def test_the_reason_of_a_category_names_its_fields_in_words(
    asked: Condition, english: str, italian: str
) -> None:
    player, category = (
        Player(id=1, details=Details(name="A")),
        Filled(name="x", conditions=(asked,), members=()),
    )
    told = belonging(category, player, "2026-11-16").reason

    assert Speaker().say(told) == f"not in x, which asks for: {english}"
    assert Speaker("it").say(told) == f"non in x, che richiede: {italian}"
