"""C.07 article by article, with values worked out on paper; unplayed rounds of every kind."""

import pytest
from msgspec.structs import replace

from paircard.domain.values.results import STANDARD, Scoring
from paircard.projections.round.crosstable import Crosstable, Entry, Row
from paircard.projections.standings.ledger import Ledger
from paircard.projections.standings.standings import Ranking
from paircard.projections.standings.tiebreaks import parse_list


def event(
    *records: str, rounds: int = 0, ratings: tuple[int, ...] = (), scoring: Scoring = STANDARD
) -> Crosstable:
    """Players 1, 2, …; a round is written ``4w1``, a bye by its letter alone."""
    rows = []
    for number, record in enumerate(records, 1):
        entries = [
            Entry(0, "-", word) if len(word) == 1 else Entry(int(word[:-2]), word[-2], word[-1])
            for word in record.split()
        ]
        rating = ratings[number - 1] if ratings else 2500 - 100 * number
        rows.append(Row(id=number, number=number, rating=rating, entries=tuple(entries)))
    played = len(records[0].split())
    return Crosstable(rows=tuple(rows), rounds=rounds or played, paired=played, scoring=scoring)


def column(table: Crosstable, code: str, *, predetermined: bool = False) -> list[str]:
    """The values of a tie-break by pairing number, as people read them."""
    [each] = [one for one in parse_list(code) if one.name != "PTS"]
    lines = Ranking(replace(table, predetermined=predetermined), table.paired, [each]).lines()
    return [each.shown(line.tiebreaks[0]) for line in sorted(lines, key=lambda line: line.number)]


ALL_KINDS = event(
    "4w1 2b1 3w= 5b1 H",  # 4: half-point bye in the last round
    "5w= 1w0 6w1 3b0 4w=",  # 2: 0-0 in round 4, ½-0 in round 5
    "6w+ H   1b= 2w0 5w1",  # 3: forfeit win, half-point bye followed by games
    "1b0 5w1 F   6w- 2b0",  # 2: full-point bye, double forfeit
    "2b= 4b0 Z   1w0 3b0",  # ½: zero-point bye followed by games
    "3b- U   2b0 4b- Z",  # 1: forfeit losses, PAB, zero-point bye at the end
)
"""Ratings 2400, 2300, … 1900. Adjusted scores 4, 2, 3, 2, ½, 1½: the last bye of 6 counts as a draw."""


@pytest.mark.parametrize(
    ("code", "worked_out"),
    [
        ("BH", "10.0 11.0 10.5 10.0 11.5 6.0"),  # 8.1
        ("BH/C1", "7.5 10.5 8.0 8.5 11.0 5.0"),  # 14.1, 16.5
        ("BH/C2", "7.0 9.0 7.5 8.0 9.0 4.0"),
        ("BH/M1", "4.5 6.5 4.0 4.5 7.0 3.0"),
        ("BH/P", "10.0 11.0 10.5 10.0 11.5 9.0"),
        ("BH/C1/P", "7.5 10.5 8.0 9.5 11.0 8.0"),
        ("FB", "10.5 11.5 11.0 11.0 12.0 6.0"),  # 8.3
        ("AOB", "10.75 9.60 10.83 10.83 10.38 11.00"),  # 8.2
        ("SB", "7.25 2.75 5.25 2.50 1.00 1.00"),  # 9.1
        ("SB/C1", "6.00 2.50 4.00 2.00 1.00 1.00"),
        ("KS", "0.5 0.0 0.5 0.0 0.0 0.0"),  # 9.2
        ("KS/L-1", "2.5 0.5 0.5 0.0 0.5 0.0"),
        ("WIN", "3 1 2 2 0 1"),  # 7.1
        ("WON", "3 1 1 1 0 0"),  # 7.2
        ("BPG", "2 1 1 2 3 1"),  # 7.3
        ("BWG", "2 0 0 0 0 0"),  # 7.4
        ("PS", "13.0 6.0 9.5 7.0 2.5 4.0"),  # 7.5
        ("PS/C1", "12.0 5.5 8.5 7.0 2.0 4.0"),
        ("REP", "4 5 4 4 4 2"),  # 7.6
        ("STD", "4.0 3.0 3.5 2.5 0.5 1.5"),  # 7.7
        ("TPN", "1 2 3 4 5 6"),  # 7.8
        ("ARO", "2150 2120 2233 2233 2250 2300"),  # 10.1
        ("ARO/C1", "2200 2175 2350 2350 2300 -"),
        ("ARO/M1", "2150 2100 2300 2300 2250 -"),
        ("TPR", "2486 2048 2233 2108 1928 1500"),  # 10.2
        ("RTNG", "2400 2300 2200 2100 2000 1900"),  # 10.6
        ("DE", "0 1 0 2 0 0"),  # 6
    ],
)
def test_values_of_an_event_with_every_kind_of_unplayed_round(code: str, worked_out: str) -> None:
    assert " ".join(column(ALL_KINDS, code)) == worked_out


def test_the_perfect_performance_is_the_lowest_rating_expected_to_score_as_much() -> None:
    """10.3, player 3: ½ against 2400, 0 against 2300, 1 against 2000. 2237 is expected .28 + .41 + .80."""
    assert column(ALL_KINDS, "PTP")[2] == "2238"


def test_perfect_performance_of_nothing_and_of_everything() -> None:
    table = event("2w1", "1b0", ratings=(2100, 2000))

    assert column(table, "PTP") == ["2736", "1300"]


def test_performances_of_opponents_are_averaged_a_half_upwards() -> None:
    """10.4: 2 performed at 2400 - 800, 3 at 2400 + 0."""
    table = event("2w1 3b=", "1b0 Z", "Z 1w=", ratings=(2400, 1900, 1901))

    assert column(table, "APRO")[0] == "2000"
    assert column(table, "ARO")[0] == "1901"


def test_who_withdrew_is_seen_with_draws_for_the_rounds_that_were_left() -> None:
    """16.2.5, 16.3.2: 1 and ½ of 2 rounds, then three rounds without: 1½ and 3 × ½ make 3."""
    table = event("2w1 2b= Z Z Z", "1b0 1w= U U U")

    assert Ledger(table, 5).adjusted == [30, 35]


def test_a_forfeit_loss_at_the_end_stays_lost_but_the_bye_before_it_is_a_draw() -> None:
    """16.2.4 and 16.2.5."""
    table = event("2w1 Z 2w-", "1b0 U 1b+")

    assert Ledger(table, 3).adjusted == [15, 20]


def test_a_bye_before_a_late_arrival_counts_as_awarded() -> None:
    """16.2.3: a game came after it."""
    table = event("Z 2w1", "U 1b0")

    assert Ledger(table, 2).adjusted == [10, 10]


def test_a_dummy_never_has_more_than_a_draw_in_each_round() -> None:
    """16.4.2: four points of five rounds, the dummy of the PAB has 2½."""
    table = event("2w1 3b1 4w1 U 2b0", "1b0 Z Z Z 1w1", "Z 1w0 Z Z Z", "Z Z 1b0 Z Z")

    assert Ledger(table, 5).terms()[0][3].score == 25


def test_a_voluntary_unplayed_round_is_not_cut_from_sonneborn_berger_if_it_brought_less() -> None:
    """16.5: the dummy of the forfeit loss brings 0, the weakest opponent's product is ½: that one goes."""
    table = event("2w1 3b1 2b-", "1b0 3w= 1w+", "2b= 1w0 H")

    assert column(table, "SB")[0] == "2.50"  # 1½ × 1 + 1 × 1; player 3 has ½ + 0 + ½
    assert column(table, "SB/C1")[0] == "1.50"


def test_fore_buchholz_before_the_final_round_is_buchholz() -> None:
    before = event("4w1 2b1", "3w= 1w0", "2b= 4b1", "1b0 3w0", rounds=3)

    assert column(before, "FB") == column(before, "BH")


def test_a_forfeit_in_the_final_round_is_a_drawn_game_for_fore_buchholz() -> None:
    """8.3: paired games, played or not; 2 then has ½ in place of 0, and is no dummy."""
    table = event("2w1 2b+", "1b0 1w-")

    assert column(table, "FB") == ["1.0", "3.0"]
    assert column(table, "BH") == ["0.0", "2.0"]


def test_other_scorings_enter_every_value() -> None:
    """3, 1, 0 and a PAB worth a draw: against its dummy it is a draw (16.4)."""
    football = Scoring(win=30, draw=10, loss=0, pab=10)
    table = event("2w1 3b=", "1b0 U", "U 1w=", scoring=football)

    assert column(table, "BH") == ["3.0", "5.0", "6.0"]  # dummies: min(1, 2) and min(2, 2)
    assert column(table, "SB") == ["5.00", "1.00", "6.00"]
    assert column(table, "WIN") == ["1", "0", "0"]
    assert column(table, "TPR") == column(event("2w1 3b=", "1b0 U", "U 1w="), "TPR")


def test_rating_tie_breaks_are_dropped_with_unrated_players_unless_a_rule_was_announced() -> None:
    """10, VCL 208-209."""
    table = event("2w1 3b=", "1b0 U", "U 1w=", ratings=(2000, 0, 1800))

    assert column(table, "ARO") == ["-", "-", "-"]
    assert column(table, "ARO/U1400") == ["1600", "2000", "2000"]
    assert column(table, "ARO/U") == ["1800", "2000", "2000"]
    assert column(table, "RTNG/U1400") == ["2000", "1400", "1800"]


def test_a_round_robin_counts_forfeits_as_games_and_a_free_round_not_at_all() -> None:
    """15.2; the Koya limit of three players is half of two games."""
    table = event("Z 2w+ 3b1", "3w1 1b- Z", "2b0 Z 1w0")

    assert column(table, "SB", predetermined=True) == ["1.00", "0.00", "0.00"]
    assert column(table, "KS", predetermined=True) == ["1.0", "0.0", "0.0"]
    assert column(table, "ARO", predetermined=True) == ["2200", "2200", "2350"]


def test_a_game_in_progress_has_an_opponent_but_no_points() -> None:
    table = event("2w1 3b1", "1b0 U", "U 1w0")
    rows = list(table.rows)
    rows[0] = Row(id=1, number=1, rating=2400, entries=(rows[0].entries[0], Entry(3, "b", "")))
    rows[2] = Row(id=3, number=3, rating=2200, entries=(rows[2].entries[0], Entry(1, "w", "")))

    assert column(Crosstable(rows=tuple(rows), rounds=2, paired=2), "BH") == ["2.0", "2.0", "2.0"]


def test_who_left_a_round_robin_with_half_of_the_games_counts_like_anybody() -> None:
    """C.05:6.6; two of four games, with a fifth player who is free in turn."""
    table = event(
        "2w0 3b1 4w1 5b1 Z", "1b1 4w1 3b- Z 5w-", "4b= 1w0 2w+ 5w1 Z", "3w= 2b0 1b0 Z 5b1", "Z Z Z 1w0 2b+"
    )

    lines = Ranking(replace(table, predetermined=True), 5).lines()

    assert [(line.number, line.points) for line in lines if line.rank][:2] == [(1, 30), (3, 25)]
    assert 2 in [line.number for line in lines if line.rank]


def test_who_left_a_round_robin_before_half_of_the_games_counts_for_nobody() -> None:
    """C.05:6.6; one of three games was completed, so 1 gets back the loss and 3 has no win by forfeit."""
    table = event("2w0 3b1 4w1", "1b1 4w- 3b-", "4b= 1w0 2w+", "3w= 2b+ 1b0")

    lines = Ranking(replace(table, predetermined=True), 3, parse_list("SB,KS")).lines()

    assert [(line.rank, line.number, line.points) for line in lines] == [
        (1, 1, 20), (2, 3, 5), (2, 4, 5), (0, 2, 0),
    ]  # fmt: skip
    assert lines[-1].status == "left early"
    assert lines[0].tiebreaks == (100, 0)
    assert [line.points for line in Ranking(table, 3).lines()] == [20, 15, 15, 10]


def test_before_its_end_a_round_robin_leaves_nobody_out() -> None:
    table = event("2w0 3b1", "1b1 4w-", "4b= 1w0", "3w= 2b+", rounds=3)

    assert all(line.rank for line in Ranking(replace(table, predetermined=True), 2).lines())
