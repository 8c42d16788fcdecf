"""Random tournaments: the settings are kept, the seed decides all the rest."""

import random

import pytest

from paircard.domain.values.results import Scoring
from paircard.pairing.lab.check import check_rounds
from paircard.pairing.lab.compare import settings_for
from paircard.pairing.lab.simulate import Amount, Settings, by_rules, result, simulate
from paircard.pairing.outcome import Pairing
from paircard.projections.round.snapshot import Snapshot
from tests.pairing.literal.rounds import literal_pair


def pair(snapshot: Snapshot) -> Pairing:
    return Pairing(*literal_pair(snapshot))


SMALL = Settings(players=9, rounds=4, half_point_byes=(), zero_point_byes=(), forfeits=(), odd_results=())


def letters(settings: Settings, seed: int = 1) -> list[str]:
    table = simulate(settings, seed, by_rules(pair)).table
    return [entry.letter for row in table.rows for entry in row.entries]


def test_whoever_walks_out_comes_back() -> None:
    settings = Settings(
        players=9, rounds=6, half_point_byes=(), zero_point_byes=(), returns=(Amount(number=3, round=2),)
    )
    table = simulate(settings, 5, by_rules(pair)).table

    gone = [row for row in table.rows if row.entries[1].letter == "Z"]
    assert len(gone) == 3
    assert all(row.entries[0].letter != "Z" for row in gone)


def test_rounds_by_lot_follow_no_rule_and_the_others_do() -> None:
    settings = settings_for("imported", 3, "dutch-2026", (8, 8), (6, 6))
    table = simulate(settings, 3, by_rules(pair)).table

    by_lot = settings.by_lot
    found = [one is None for one in check_rounds(table, "dutch-2026", pair)]
    assert by_lot
    assert not all(found[:by_lot])
    assert all(found[by_lot:])


def test_the_same_seed_gives_the_same_tournament_and_another_seed_another() -> None:
    first = simulate(SMALL, 7, by_rules(pair))

    assert first == simulate(SMALL, 7, by_rules(pair))
    assert first != simulate(SMALL, 8, by_rules(pair))


@pytest.mark.parametrize("edition", ["dutch-2026", "dutch-2017"])
def test_what_is_played_follows_the_rules(edition: str) -> None:
    settings = Settings(
        edition=edition,
        players=10,
        rounds=5,
        half_point_byes=(Amount(share=100),),
        zero_point_byes=(Amount(share=100),),
        forfeits=(Amount(share=200),),
    )

    played = simulate(settings, 3, by_rules(pair))

    assert list(check_rounds(played.table, edition, pair)) == [None] * played.table.paired


def test_byes_and_forfeits_are_as_many_as_asked_for() -> None:
    settings = Settings(
        players=10,
        rounds=4,
        full_point_byes=(Amount(number=1),),
        half_point_byes=(Amount(number=2, round=3),),
        zero_point_byes=(Amount(number=3),),
        forfeits=(Amount(number=2),),
        odd_results=(),
    )

    table = simulate(settings, 5, by_rules(pair)).table

    found = [entry.letter for row in table.rows for entry in row.entries]
    assert (found.count("F"), found.count("H"), found.count("Z")) == (1, 2, 3)
    assert [row.entries[2].letter for row in table.rows].count("H") == 2
    assert 2 <= found.count("+") + found.count("-") <= 4


def test_odd_results_happen_if_asked_for() -> None:
    plain = letters(SMALL)
    odd = letters(Settings(players=8, rounds=3, odd_results=(Amount(share=1000),), forfeits=()))

    assert plain.count("=") % 2 == 0
    assert odd.count("1") == 0


def test_late_entries_come_and_withdrawn_players_stay_away() -> None:
    settings = Settings(
        players=10,
        rounds=4,
        half_point_byes=(),
        zero_point_byes=(),
        late=(Amount(number=1, round=3),),
        withdrawals=(Amount(number=1, round=4),),
    )

    rows = simulate(settings, 11, by_rules(pair)).table.rows

    absences = sorted("".join("Z" if e.letter == "Z" else "." for e in row.entries) for row in rows)
    assert absences[-1] == "ZZ.."
    assert "...Z" in absences


def test_ratings_are_given_or_parametrised_or_drawn() -> None:
    def strengths(settings: Settings) -> list[int]:
        return [row.rating for row in simulate(settings, 1, by_rules(pair)).table.rows]

    assert strengths(Settings(ratings=(2000, 2200, 2100), rounds=1)) == [2200, 2100, 2000]
    assert strengths(Settings(players=4, highest=2300, lowest=2000, gap=50, rounds=1)) == [
        2300,
        2250,
        2200,
        2150,
    ]
    drawn = strengths(Settings(players=12, highest=1900, lowest=1800, rounds=1))
    assert drawn == sorted(drawn, reverse=True)
    assert all(1800 <= rating <= 1900 for rating in drawn)


def test_what_is_not_set_is_drawn_within_reason() -> None:
    for seed in range(30):
        full = simulate(Settings(players=6, rounds=1, highest=1000), seed, by_rules(pair)).settings
        assert full.lowest is not None
        assert full.lowest <= 1000
        assert 20 <= (full.draws or 0) <= 50


def test_baku_accelerates_group_a_and_prohibited_pairs_do_not_meet() -> None:
    settings = Settings(
        players=10, rounds=4, baku=True, prohibited=((1, 4), (2, 5)), zero_point_byes=(), half_point_byes=()
    )

    table = simulate(settings, 2, by_rules(pair)).table

    assert [row.id for row in table.rows if row.virtual] == [1, 2, 3, 4, 5, 6]
    assert all(entry.opponent != 4 for entry in table.rows[0].entries)


def test_another_scoring_is_used_for_the_pairing() -> None:
    settings = Settings(players=8, rounds=3, scoring=Scoring(win=30, draw=10, pab=10))

    assert simulate(settings, 4, by_rules(pair)).table.scoring.win == 30


def test_a_tournament_stops_where_no_legal_round_exists() -> None:
    settings = Settings(players=4, rounds=6, half_point_byes=(), zero_point_byes=(), forfeits=())

    played = simulate(settings, 1, by_rules(pair))

    assert played.stopped > 1
    assert played.table.paired == played.stopped - 1


@pytest.mark.parametrize(("white", "black", "percent"), [(2000, 2000, 50), (2200, 2000, 76), (1500, 2400, 0)])
def test_results_follow_the_rating_table(white: int, black: int, percent: int) -> None:
    chance = random.Random(1)
    worth = {"1": 10, "=": 5, "0": 0}

    total = sum(worth[result(white, black, 40, chance)[0]] for _ in range(20_000))

    assert abs(total / 2000 - percent) < 1
