"""Tie-breaks applied one after the other, and what happens to ties that are left."""

from msgspec.structs import replace

from paircard.domain.events import LotsDrawn
from paircard.domain.messages import say
from paircard.projections.round.crosstable import Crosstable, Entry, Row
from paircard.projections.standings.codes import NotFinal
from paircard.projections.standings.standings import Ranking, need_all_played
from paircard.projections.standings.tiebreaks import parse_list, text
from tests.refusals import refuses, sentence

NAMES = ("Ada", "Ben", "Cleo", "Dag")
TIED = Crosstable(
    rounds=2,
    paired=2,
    rows=tuple(
        Row(id=10 + n, number=n, name=NAMES[n - 1], rating=2100 - 100 * n, entries=tuple(entries))
        for n, entries in enumerate(
            (
                (Entry(13, "w", "1"), Entry(12, "b", "0")),
                (Entry(14, "b", "1"), Entry(11, "w", "1")),
                (Entry(11, "b", "0"), Entry(14, "w", "1")),
                (Entry(12, "w", "0"), Entry(13, "b", "0")),
            ),
            1,
        )
    ),
)
"""Ben 2; Ada and Cleo 1, Ada won their game; Dag 0."""


def test_each_tie_break_works_inside_what_is_still_tied() -> None:
    lines = Ranking(TIED, 2, parse_list("WIN,DE")).lines()

    assert [(s.rank, s.name, s.tiebreaks, s.parted_by) for s in lines] == [
        (1, "Ben", (2, 0), ""),
        (2, "Ada", (1, 1), "PTS"),
        (3, "Cleo", (1, 2), "DE"),
        (4, "Dag", (0, 0), "PTS"),
    ]


def test_pairing_numbers_rise_and_ratings_fall_unless_reversed() -> None:
    def second(code: str) -> str:
        return Ranking(TIED, 2, parse_list(code)).lines()[1].name

    assert [second(code) for code in ("TPN", "TPN/R", "RTNG", "RTNG/R")] == ["Ada", "Cleo", "Ada", "Cleo"]


def test_a_list_may_put_something_before_points() -> None:
    lines = Ranking(TIED, 2, parse_list("TPN/R,PTS")).lines()

    assert [s.name for s in lines] == ["Dag", "Cleo", "Ben", "Ada"]


def test_a_tie_that_is_left_goes_by_the_recorded_lots_and_again_the_same_way() -> None:
    lots = LotsDrawn(players=(13, 11))

    once = Ranking(TIED, 2, orders=[lots]).lines()

    assert [(s.rank, s.name, s.parted_by) for s in once[1:3]] == [(2, "Cleo", "PTS"), (3, "Ada", "lots")]
    assert Ranking(TIED, 2, orders=[lots]).lines() == once


def test_the_arbiters_later_decision_overrides_the_lots() -> None:
    orders = [LotsDrawn(players=(13, 11)), LotsDrawn(players=(11, 13), method="hand")]

    assert [(s.name, s.parted_by) for s in Ranking(TIED, 2, orders=orders).lines()[1:3]] == [
        ("Ada", "PTS"),
        ("Cleo", "hand"),
    ]


def test_lots_that_do_not_name_everyone_tied_part_nobody() -> None:
    assert [s.rank for s in Ranking(TIED, 2, orders=[LotsDrawn(players=(13, 14))]).lines()] == [1, 2, 2, 4]


def test_lots_drawn_in_several_rounds_part_a_larger_tie_if_they_agree_on_everyone() -> None:
    level = replace(TIED, rows=tuple(replace(row, entries=()) for row in TIED.rows))
    two_then_the_others = [
        LotsDrawn(players=(12, 11)),
        LotsDrawn(players=(14, 12)),
        LotsDrawn(players=(14, 11)),
        LotsDrawn(players=(11, 13)),
    ]

    assert [s.rank for s in Ranking(level, 0, orders=two_then_the_others).lines()] == [1, 1, 1, 1]

    everyone = [*two_then_the_others, LotsDrawn(players=(12, 13)), LotsDrawn(players=(14, 13))]
    assert [s.name for s in Ranking(level, 0, orders=everyone).lines()] == ["Dag", "Ben", "Ada", "Cleo"]


def test_lots_that_go_round_in_a_circle_part_nobody() -> None:
    level = replace(TIED, rows=tuple(replace(row, entries=()) for row in TIED.rows[:3]))

    circle = [LotsDrawn(players=(11, 12)), LotsDrawn(players=(12, 13)), LotsDrawn(players=(13, 11))]

    assert [s.rank for s in Ranking(level, 0, orders=circle).lines()] == [1, 1, 1]


def test_lots_never_touch_what_a_tie_break_decided() -> None:
    lines = Ranking(TIED, 2, parse_list("DE"), orders=[LotsDrawn(players=(13, 11))]).lines()

    assert [s.name for s in lines] == ["Ben", "Ada", "Cleo", "Dag"]


def test_values_from_outside_decide_and_who_has_none_comes_last() -> None:
    lines = Ranking(TIED, 2, parse_list("OTHER_BLITZ"), outside={"BLITZ": {13: 150}}).lines()

    assert [(s.name, s.tiebreaks) for s in lines[1:3]] == [("Cleo", (150,)), ("Ada", (None,))]


def test_an_expelled_player_is_left_out_of_ties_but_counts_for_buchholz() -> None:
    ben = replace(TIED.rows[1], status="expelled")
    table = replace(TIED, rows=(TIED.rows[0], ben, *TIED.rows[2:]))

    lines = Ranking(table, 2, parse_list("BH")).lines()

    assert [(s.rank, s.name, s.tiebreaks) for s in lines] == [
        (1, "Ada", (30,)),
        (2, "Cleo", (10,)),
        (3, "Dag", (30,)),
        (0, "Ben", (10,)),
    ]


def test_final_standings_wait_for_the_adjourned_game() -> None:
    ada, ben, cleo, dag = TIED.rows
    cleo = replace(cleo, entries=(cleo.entries[0], Entry(14, "w", "?")))
    dag = replace(dag, entries=(dag.entries[0], Entry(13, "b", "?")))
    table = replace(TIED, rows=(ada, ben, cleo, dag))

    with refuses(NotFinal, "standings.game-open", round=2, white=13, black=14, count=0):
        need_all_played(table)
    need_all_played(TIED)


def test_final_standings_wait_for_the_last_round() -> None:
    with refuses(NotFinal, "standings.rounds-to-play", round=2, rounds=3):
        need_all_played(replace(TIED, rounds=3))


def test_an_explanation_shows_the_arithmetic_of_each_value() -> None:
    points, buchholz, encounter = Ranking(TIED, 2, parse_list("BH/C1,DE")).explanations(11)

    assert text(points).splitlines()[0] == f"PTS = 1.0   {sentence('standings.rule.PTS')} (C.07:4.1)"
    cut_1 = [say("standings.rule.BH"), say("standings.modifier.cut", number=1)]
    assert text(buchholz) == (
        f"BH/C1 = 2.0   {sentence('standings.title', changed=cut_1)} (C.07:8.1)\n"
        f"  round  1  Cleo  (1.0)  {sentence('standings.step.cut-lowest')}\n"
        "  round  2  Ben     2.0\n"
        f"  {sentence('standings.told.scores')}"
    )
    assert buchholz.heading == say("standings.title", changed=cut_1)
    assert buchholz.done == say("standings.told.scores")
    assert encounter.done == say("standings.told.nobody-tied")
    assert encounter.conclusion == sentence("standings.told.nobody-tied")


def test_an_explanation_of_direct_encounter_names_the_tied() -> None:
    _, encounter = Ranking(TIED, 2, parse_list("DE")).explanations(13)

    assert encounter.value == "2"
    assert encounter.conclusion == sentence("standings.told.place-among", count=2, value="Ada > Cleo")
