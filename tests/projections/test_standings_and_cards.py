"""Standings by points and pairing cards, over crosstables made by hand."""

from paircard.projections.round.cards import cards
from paircard.projections.round.crosstable import Crosstable, Entry, Row
from paircard.projections.standings.standings import Ranking
from paircard.projections.standings.tiebreaks import parse_list

TWO_ROUNDS = Crosstable(
    rounds=3,
    paired=2,
    rows=(
        Row(id=11, number=1, name="Ada", entries=(Entry(13, "w", "1"), Entry(12, "b", "0"))),
        Row(id=12, number=2, name="Ben", entries=(Entry(14, "b", "="), Entry(11, "w", "1"))),
        Row(id=13, number=3, name="Cleo", entries=(Entry(11, "b", "0"), Entry(0, "-", "U"))),
        Row(id=14, number=4, name="Dag", entries=(Entry(12, "w", "="), Entry(0, "-", "H"))),
    ),
)


def test_those_with_equal_points_share_a_place_and_stand_by_number() -> None:
    assert [(s.rank, s.name, s.points) for s in Ranking(TWO_ROUNDS, 2).lines()] == [
        (1, "Ben", 15),
        (2, "Ada", 10),
        (2, "Cleo", 10),
        (2, "Dag", 10),
    ]


def test_standings_after_an_earlier_round_do_not_see_the_later_ones() -> None:
    assert [(s.rank, s.name) for s in Ranking(TWO_ROUNDS, 1).lines()] == [
        (1, "Ada"),
        (2, "Ben"),
        (2, "Dag"),
        (4, "Cleo"),
    ]


def test_a_tie_break_parts_the_tied_and_leaves_the_others_alone() -> None:
    play_off = parse_list("OTHER_PLAYOFF")
    won = {14: 7, 11: 3, 13: 3, 12: 0}

    lines = Ranking(TWO_ROUNDS, 2, play_off, outside={"OTHER_PLAYOFF": won}).lines()

    assert [(s.rank, s.name, s.tiebreaks) for s in lines] == [
        (1, "Ben", (0,)),
        (2, "Dag", (7,)),
        (3, "Ada", (3,)),
        (3, "Cleo", (3,)),
    ]


def test_a_line_has_points_and_tie_breaks_in_words() -> None:
    lines = Ranking(TWO_ROUNDS, 2, parse_list("BH,ARO,WIN,OTHER_X"), outside={"OTHER_X": {12: 1250}}).lines()

    assert [(line.name, line.score, line.values) for line in lines] == [
        ("Ben", "1½", ("2.0", "-", "1", "12.50")),
        ("Ada", "1", ("2.5", "-", "1", "-")),
        ("Dag", "1", ("2.5", "-", "0", "-")),
        ("Cleo", "1", ("2.0", "-", "1", "-")),
    ]
    assert [line.tiebreaks[0] for line in lines] == [20, 25, 25, 20]


def test_an_expelled_player_has_no_place_but_the_opponents_keep_their_points() -> None:
    ada, ben, *others = TWO_ROUNDS.rows
    expelled = Row(id=12, number=2, name="Ben", entries=ben.entries, status="expelled")
    table = Crosstable(rounds=3, paired=2, rows=(ada, expelled, *others))

    *ranked, last = Ranking(table, 2).lines()

    assert [(s.rank, s.name) for s in ranked] == [(1, "Ada"), (1, "Cleo"), (1, "Dag")]
    assert (last.rank, last.name, last.points) == (0, "Ben", 15)


def test_a_card_tells_opponent_colour_float_result_and_score_of_each_round() -> None:
    card = cards(TWO_ROUNDS, "dutch-2026")[12]

    assert [(n.round, n.opponent, n.colour, n.float, n.letter, n.score) for n in card.lines] == [
        (1, 14, "b", "-", "=", 5),
        (2, 11, "w", "u", "1", 15),
    ]


def test_a_game_in_progress_has_its_float_but_no_points() -> None:
    rows = tuple(
        Row(id=r.id, number=r.number, entries=(*r.entries[:1], Entry(*e)))
        for r, e in zip(
            TWO_ROUNDS.rows, [(12, "b", ""), (11, "w", ""), (0, "-", "U"), (0, "-", "H")], strict=True
        )
    )
    ada = cards(Crosstable(rounds=3, paired=2, rows=rows), "dutch-2017")[11]

    assert (ada.lines[1].letter, ada.lines[1].float, ada.lines[1].score) == ("", "d", 10)
