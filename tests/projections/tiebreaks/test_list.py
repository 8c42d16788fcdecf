"""The list of tie-breaks: what record 202 or 212 may hold, and what is said about anything else."""

import pytest

from paircard.projections.standings.codes import BadTieBreak, TieBreak
from paircard.projections.standings.tiebreaks import RULES, parse_code, parse_list, render_list
from tests.refusals import refuses

MANDATORY = [
    *("DE", "DE/P", "BPG", "BWG", "REP", "STD", "WIN", "WON", "PS", "PS/C1", "PS/C2", "TPN", "TPN/R"),
    *("SB", "SB/C1", "SB/C2", "SB/P", "SB/C1/P", "SB/C2/P", "AOB", "AOB/F", "KS", "KS/L1", "KS/L-2"),
    *("ARO", "ARO/C1", "ARO/C2", "ARO/M1", "ARO/M2", "TPR", "PTP", "APRO", "APPO", "RTNG", "RTNG/R"),
    *("BH", "BH/C1", "BH/C2", "BH/M1", "BH/M2", "BH/P", "BH/C1/P", "BH/C2/P", "BH/M1/P", "BH/M2/P"),
    *("FB", "FB/C1", "FB/C2", "FB/M1", "FB/M2", "FB/P", "FB/C1/P", "FB/C2/P", "FB/M1/P", "FB/M2/P"),
]
"""Codes that every program must know in individual events (MTB26)."""


@pytest.mark.parametrize("code", MANDATORY)
def test_every_mandatory_code_is_read_and_written_back(code: str) -> None:
    assert parse_code(code.lower()).code == code


def test_points_come_first_unless_the_list_places_them() -> None:
    assert [each.code for each in parse_list("BH/C1,SB")] == ["PTS", "BH/C1", "SB"]
    assert [each.code for each in parse_list("WON,PTS,SB")] == ["WON", "PTS", "SB"]
    assert render_list(parse_list("PTS,BH/C1,SB")) == "BH/C1,SB"
    assert render_list(parse_list("WON,PTS,SB")) == "WON,PTS,SB"


def test_old_and_prose_spellings_are_understood() -> None:
    assert parse_code("BH-C1") == TieBreak(rule=RULES["BH"], cut=1)
    assert parse_code("GE").code == "REP"
    assert parse_code("KS/L+1").code == "KS/L1"


@pytest.mark.parametrize(
    ("text", "said"),
    [
        ("BX", "'BX' is not a tie-break: known are PTS, DE"),
        ("Buchholz", "'Buchholz' is not a tie-break: write BH; known are"),
        ("Bucholz", "write BH; "),
        ("Sonnenborn-Berger", "write SB; "),
        ("direct", "write DE; "),
        ("Koya", "write KS; "),
        ("EMMSB", "team events"),
        ("BH:GP", "team events"),
        ("BH/X", "BH does not take /X, it takes /C, /M, /P"),
        ("WIN/C1", "WIN does not take /C1, it takes no modifier"),
        ("BH/C", "needs how many values to cut, such as /C1"),
        ("BH/C1/M1", "keep one"),
        ("KS/L50", "1 to 20 half points"),
        ("ARO/Uabc", "takes a rating, such as /U1400"),
        ("DE/P1", "stands alone"),
        ("BH/", "BH does not take /"),
        ("OTHER_X/C1", "no modifier"),
        ("OTHER_", "is not a tie-break"),
        ("BH,SB,BH", "BH stands in the list twice"),
    ],
)
def test_a_wrong_list_is_refused_with_the_way_out(text: str, said: str) -> None:
    with pytest.raises(BadTieBreak) as refusal:
        parse_list(text)

    assert said in str(refusal.value)


def test_direct_encounter_may_be_listed_again() -> None:
    assert [each.code for each in parse_list("DE,BH,DE")] == ["PTS", "DE", "BH", "DE"]


def test_buchholz_is_refused_in_a_round_robin() -> None:
    with refuses(BadTieBreak, "standings.not-in-a-round-robin", code="AOB"):
        parse_list("DE,AOB", predetermined=True)


def test_every_modifier_has_words_for_people() -> None:
    titles = [parse_code(code).title for code in MANDATORY]

    assert len(set(titles)) == len(titles)
    assert parse_code("FB/M2/P").title == "Fore Buchholz, median 2, forfeits as games"
    assert set("".join(rule.modifiers for rule in RULES.values())) == set("CFLMPRU")
