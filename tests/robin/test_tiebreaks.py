"""The tie-breaks of round robins equal those worked out from the rule text (C.07, C.05:6.6)."""

import json
from collections.abc import Sequence
from pathlib import Path
from random import Random

import pytest
from msgspec.structs import replace

from paircard.domain.messages import say
from paircard.projections.round.crosstable import Crosstable, Entry, Row
from paircard.projections.standings.standings import Ranking, completed_games, remarks_on_leavers
from paircard.projections.standings.tiebreaks import parse_list
from tests.refusals import sentence
from tests.robin.by_the_text import Event, event_of, schedule
from tests.robin.events import random_event, table_of

CODES = [
    "WIN", "WON", "BPG", "BWG", "REP", "STD", "SB", "SB/C1", "SB/C2", "KS", "KS/L1", "KS/L2", "KS/L-1",
    "KS/L-2", "TPN",
]  # fmt: skip
ALL = [*CODES, "RTNG", "RTNG/R", "TPN/R"]
"""Every code of check list question 104 but DE, which has no value: its places are compared."""
LISTS = (
    "RTNG,TPN/R",
    "DE,WIN,SB,KS",
    "SB,DE,BWG",
    "KS,SB/C1,DE,TPN",
    "STD,DE",
    "WIN,BPG,DE,RTNG",
    "RTNG/R,REP",
)
VECTORS = json.loads((Path(__file__).parent / "vectors.json").read_text(encoding="utf-8"))


def values(table: Crosstable, codes: Sequence[str] = CODES) -> dict[str, dict[int, int | None]]:
    """Every value of every player, by code and number."""
    listed = parse_list(",".join(codes), predetermined=True)
    lines = Ranking(table, table.paired, listed).lines()
    found: dict[str, dict[int, int | None]] = {"PTS": {line.number: line.points for line in lines}}
    for at, code in enumerate(codes):
        found[code] = {line.number: line.tiebreaks[at] for line in lines}
    return found


def compare(event: Event) -> None:
    table = table_of(event)
    numbers = range(1, event.players + 1)
    for code, column in values(table, ALL).items():
        none = None if code.startswith("RTNG") else 0  # nobody of the vectors is rated
        expected = {player: event.value(code, player) or none for player in numbers}
        assert column == expected, (code, event)
    for codes in LISTS:
        lines = Ranking(table, table.paired, parse_list(codes, predetermined=True)).lines()
        places = event.places(codes.split(","))
        assert {line.number: line.rank for line in lines if line.rank} == places, (codes, event)
        assert {line.number for line in lines if not line.rank} == event.gone


@pytest.mark.parametrize("first", range(0, 160, 80))
def test_random_round_robins_are_ranked_as_the_text_says(first: int) -> None:
    for seed in range(first, first + 80):
        compare(random_event(Random(seed)))


@pytest.mark.soak
def test_ten_thousand_round_robins_are_ranked_as_the_text_says() -> None:
    for seed in range(10_000):
        compare(random_event(Random(f"soak {seed}")))


@pytest.mark.parametrize("vector", VECTORS, ids=[vector["name"] for vector in VECTORS])
def test_a_vector_has_these_values(vector: dict[str, object]) -> None:
    event = event_of(vector)
    expected = {
        code: dict(enumerate(column, 1))
        for code, column in vector["values"].items()  # type: ignore[attr-defined]
    }

    assert values(table_of(event)) == expected
    for codes, places in vector["places"].items():  # type: ignore[attr-defined]
        lines = Ranking(
            table_of(event), table_of(event).paired, parse_list(codes, predetermined=True)
        ).lines()
        assert [line.rank for line in sorted(lines, key=lambda line: line.number)] == places
    compare(event)


# --- by hand


def robin(*players: str, rounds: int = 0) -> Crosstable:
    """An event by hand: each player's rounds as ``2w1``, ``Z`` for a free one, ``2w`` for an open game."""
    rows = []
    for number, text in enumerate(players, 1):
        entries = [
            Entry(int(one[0]), one[1], one[2:]) if one[0].isdigit() else Entry() for one in text.split()
        ]
        rows.append(Row(id=number, number=number, name=f"P{number}", entries=tuple(entries)))
    played = len(rows[0].entries)
    return Crosstable(rows=tuple(rows), rounds=rounds or played, paired=played, predetermined=True)


def ranks(table: Crosstable, codes: str) -> list[int]:
    lines = Ranking(table, table.paired, parse_list(codes, predetermined=True)).lines()
    return [line.rank for line in sorted(lines, key=lambda line: line.number)]


def test_direct_encounter_leaves_a_tie_while_a_game_among_the_tied_is_open() -> None:
    """1, 2 and 3 have a point each; 1 beat 2, but 3 has met neither."""
    table = robin("4w0 2w1 3b", "3w 1b0 4w1", "2b 4b1 1w", "1b1 3w0 2b0")

    assert ranks(table, "DE") == [1, 1, 1, 1]
    made = Ranking(table, 3, parse_list("DE")).explanations(1)[1]
    assert made.done == say("standings.told.games-to-come", count=4)
    assert made.conclusion == sentence("standings.told.games-to-come", count=4)


def test_direct_encounter_waits_for_a_round_that_is_not_paired_yet() -> None:
    """After one of three rounds: 1 and 2 won, and have not met."""
    table = robin("4w1", "3w1", "2b0", "1b0", rounds=3)

    assert ranks(table, "DE,TPN") == [1, 2, 3, 4]
    made = Ranking(table, 1, parse_list("DE")).explanations(1)[1]
    assert made.done == say("standings.told.games-to-come", count=2)


def test_direct_encounter_of_a_double_round_robin_is_the_average_of_both_games() -> None:
    """C.07:6.1.2; 1 and 2 have 2½ points, and 1½ of the two games with each other are 1's."""
    table = robin("Z 3b1 2w= 2b1 3w0 Z", "3w1 Z 1b= 1w0 Z 3b1", "2b0 1w0 Z Z 1b1 2w0")

    assert ranks(table, "DE") == [1, 2, 3]
    steps = {step.label: step.amount for step in Ranking(table, 6, parse_list("DE")).explanations(2)[1].steps}
    assert steps == {"P1": "0.750", "P2 (this player)": "0.250"}


def test_the_free_day_is_no_element_of_any_tie_break() -> None:
    table = robin("Z 3b1 2w1", "3w1 Z 1b0", "2b0 1w0 Z")
    lines = Ranking(table, 3, parse_list("REP,STD,SB,KS")).lines()

    assert [line.values for line in lines] == [
        ("2", "2.0", "1.00", "1.0"), ("2", "1.0", "0.00", "0.0"), ("2", "0.0", "0.00", "0.0"),
    ]  # fmt: skip
    steps = Ranking(table, 3, parse_list("REP")).explanations(1)[1].steps
    assert [step.label for step in steps] == ["free", "P3", "P2"]


def test_a_forfeit_win_is_not_a_completed_game() -> None:
    """C.05:6.6 says completed; 2 of 4 games were played, one of the others won by forfeit."""
    assert completed_games("1+-0?=") == 3


def test_who_left_is_inferred_in_a_file_and_the_answer_says_so() -> None:
    table = robin("2w0 3b1 4w1", "1b1 4w- 3b-", "4b= 1w0 2w+", "3w= 2b+ 1b0")

    [remark] = remarks_on_leavers(table, 3)
    assert remark == say("standings.left-early-inferred", number=2, count=1, most=3)


def test_games_lost_by_forfeit_alone_are_no_withdrawal_where_the_log_knows_who_left() -> None:
    table = replace(robin("2w0 3b1 4w1", "1b1 4w- 3b-", "4b= 1w0 2w+", "3w= 2b+ 1b0"), leavers_known=True)

    assert remarks_on_leavers(table, 3) == []
    assert 0 not in ranks(table, "SB")


def test_the_explained_points_say_which_games_are_not_counted() -> None:
    table = robin("2w0 3b1 4w1", "1b1 4w- 3b-", "4b= 1w0 2w+", "3w= 2b+ 1b0")
    points, berger = Ranking(table, 3, parse_list("SB")).explanations(1)

    for made in (points, berger):
        [left_out] = [step for step in made.steps if not step.counted]
        assert (left_out.round, left_out.label) == (1, "P2")
        assert left_out.note == sentence("standings.step.left-early")


@pytest.mark.parametrize(
    ("players", "cycles", "completed", "total"),
    [(6, 1, 2, 100), (6, 1, 3, 150), (4, 2, 2, 60), (4, 2, 3, 120)],
)
def test_half_of_the_games_exactly_counts(players: int, cycles: int, completed: int, total: int) -> None:
    """Of five games 2 do not and 3 do, of six 3 do (C.05:6.6); what the others share."""
    games, played = [], 0
    for round, boards in enumerate(schedule(players, cycles), 1):
        for white, black in boards:
            mine = players in (white, black)
            forfeit = ("-+" if white == players else "+-") if mine and played >= completed else "=="
            played += mine
            games.append(f"{round} {white} {black} {forfeit}")
    event = event_of({"players": players, "cycles": cycles, "games": games, "left": [players]})
    lines = Ranking(table_of(event), len(schedule(players, cycles))).lines()

    assert sum(line.points for line in lines if line.rank) == total
    assert len([line for line in lines if line.rank]) == players - (2 * completed < cycles * (players - 1))
