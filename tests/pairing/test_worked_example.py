"""The worked six-round tournament (Baku 2016 text): its rounds, and what the document says of brackets."""

from pathlib import Path

import pytest

from paircard.pairing import BracketTrace, Pairing, pair
from paircard.projections.round.crosstable import boards_of
from paircard.projections.round.snapshot import snapshot
from paircard.projections.trf import crosstable, parse

FILE = Path(__file__).parent.parent / "corpus" / "six-rounds-baku-2016.trf"
TABLE = crosstable(parse(FILE.read_text(encoding="utf-8")))


def paired(round: int) -> Pairing:
    return pair(snapshot(TABLE, round, "dutch-2017"))


def bracket(round: int, score: int, role: str = "") -> BracketTrace:
    [found] = [b for b in paired(round).brackets if b.score == score and b.role == role]
    return found


def failures(trace: BracketTrace, *names: str) -> dict[str, object]:
    return {name: trace.values[name] for name in names}


@pytest.mark.parametrize("round", range(1, 7))
def test_every_round_is_the_published_one(round: int) -> None:
    result = paired(round)

    bye = [(result.pab, 0)] if result.pab else []
    assert {(b.white, b.black) for b in result.boards} | set(bye) == set(boards_of(TABLE, round))


def test_round_two_the_first_board_is_decided_by_rank_and_all_others_by_granting_both() -> None:
    assert [board.rule for board in paired(2).boards] == ["E.4"] + ["E.1"] * 5


def test_round_two_two_players_on_half_a_point_who_have_met_both_float() -> None:
    assert bracket(2, 5).downfloaters == (4, 11)
    assert bracket(2, 0).mdp_pairs == ((4, 9), (11, 8))
    assert paired(2).pab == 14


def test_round_three_four_and_six_are_exchanged() -> None:
    trace = bracket(3, 15)

    assert (trace.s1, trace.s2) == ((3, 4), (6, 11))
    assert (trace.moved_to_s2, trace.moved_to_s1) == ((4,), (6,))
    assert trace.pairs == ((3, 4), (6, 11))


def test_round_four_ten_plays_fourteen_and_nine_floats() -> None:
    trace = bracket(4, 10)

    assert trace.pairs == ((10, 14),)
    assert trace.downfloaters == (9,)
    assert failures(trace, "C.10", "C.12", "C.13", "C.14", "C.15") == dict.fromkeys(
        ("C.10", "C.12", "C.13", "C.14", "C.15"), 0
    )


def test_round_five_collapses_and_the_colour_of_two_boards_goes_back_in_history() -> None:
    assert bracket(5, 10, "PPB").limbo == (14,)
    assert bracket(5, 5, "CLB").mdp_pairs == ((14, 12),)
    rules = {(board.white, board.black): board.rule for board in paired(5).boards}
    assert rules[13, 8] == "E.3"
    assert rules[14, 12] == "E.4"


def test_round_six_the_champion_fails_c10_twice_c11_once_c15_and_c19() -> None:
    trace = bracket(6, 30)

    assert trace.mdp_pairs == ((2, 4), (5, 7), (1, 6))
    assert failures(trace, "C.10", "C.11", "C.13", "C.15") == {"C.10": 2, "C.11": 1, "C.13": 0, "C.15": 1}
    assert trace.values["C.19"] == (10,)


def test_round_six_both_players_of_the_penultimate_bracket_float_into_the_collapsed_one() -> None:
    assert bracket(6, 15, "PPB").downfloaters == (3, 9)
    assert bracket(6, 10, "CLB").mdp_pairs == ((3, 13), (9, 12))
