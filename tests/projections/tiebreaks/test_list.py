"""The list of tie-breaks: what record 202 or 212 may hold, and what is said about anything else."""

from typing import Any

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


KNOWN = tuple(RULES)
BUCHHOLZ = ("/C", "/M", "/P")


@pytest.mark.parametrize(
    ("text", "code", "fields"),
    [
        ("BX", "unknown", {"codes": KNOWN}),
        ("Buchholz", "unknown-meant", {"code": "BH", "codes": KNOWN}),
        ("Bucholz", "unknown-meant", {"code": "BH"}),
        ("Sonnenborn-Berger", "unknown-meant", {"code": "SB"}),
        ("direct", "unknown-meant", {"code": "DE"}),
        ("Koya", "unknown-meant", {"code": "KS"}),
        ("EMMSB", "of-teams", {}),
        ("BH:GP", "of-teams", {}),
        ("BH/X", "modifier-not-taken", {"name": "BH", "modifier": "X", "codes": BUCHHOLZ}),
        ("WIN/C1", "modifier-not-taken", {"name": "WIN", "modifier": "C1", "codes": ()}),
        ("BH/C", "cut-unclear", {"modifier": "C"}),
        ("BH/C1/M1", "modifier-twice", {"modifier": "M"}),
        ("KS/L50", "limit-unclear", {}),
        ("ARO/Uabc", "unrated-unclear", {}),
        ("DE/P1", "modifier-alone", {"modifier": "P", "value": "1"}),
        ("BH/", "modifier-not-taken", {"name": "BH", "modifier": "", "codes": BUCHHOLZ}),
        ("OTHER_X/C1", "outside-modifier", {"code": "OTHER_X"}),
        ("OTHER_", "unknown", {"codes": KNOWN}),
    ],
)
def test_a_wrong_code_is_refused_with_the_way_out(text: str, code: str, fields: dict[str, Any]) -> None:
    with refuses(BadTieBreak, f"standings.{code}", text=text, **fields):
        parse_list(text)


def test_a_code_that_stands_in_the_list_twice_is_refused() -> None:
    with refuses(BadTieBreak, "standings.twice", code="BH"):
        parse_list("BH,SB,BH")


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
