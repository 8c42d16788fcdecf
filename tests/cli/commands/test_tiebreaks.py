"""The tiebreaks command, and places in the check command."""

import json
from pathlib import Path
from typing import Any, NoReturn

import pytest

from paircard.cli.commands.check import Case, judge
from paircard.cli.main import run
from paircard.domain.messages import say
from paircard.pairing.outcome import NoLegalRound
from paircard.projections.round.snapshot import Snapshot
from paircard.projections.standings.tiebreaks import RULES
from tests.refusals import sentence

CORPUS = Path(__file__).parents[2] / "corpus" / "tiebreaks"
FOUR = """012 Four friends
142 2
152 W
202 DE,SB
001    1      One                               2400                             1.0    2     3 w 1     2 b 0
001    2      Two                               2300                             2.0    1     4 b 1     1 w 1
001    3      Three                             2200                             1.0    3     1 b 0     4 w 1
001    4      Four                              2100                             0.0    4     2 w 0     3 b 0
"""


@pytest.fixture
def four(tmp_path: Path) -> Path:
    path = tmp_path / "four.trf"
    path.write_text(FOUR)
    return path


def test_values_are_printed_by_starting_number_as_checkers_compare_them(
    capsys: pytest.CaptureFixture[str],
) -> None:
    agreed = (CORPUS / "plain-4101-0007.tsv").read_text()
    codes = ",".join(agreed.splitlines()[0].split("\t")[2:])

    assert run(["tiebreaks", str(CORPUS / "plain-4101-0007.trf"), "--list", codes, "--tsv"]) == 0
    assert capsys.readouterr().out == agreed


def test_the_list_of_the_file_is_used_unless_another_is_given(
    four: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    assert run(["tiebreaks", str(four), "--tsv"]) == 0
    assert capsys.readouterr().out.splitlines()[:2] == ["StartNo\tRank\tPTS\tDE\tSB", "1\t2\t1.0\t1\t1.00"]


def test_of_two_lists_in_a_file_202_counts_as_it_does_for_the_import(
    four: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    four.write_text(FOUR.replace("202 DE,SB\n", "202 DE,SB\n212 WIN,PTS\n"))

    assert run(["tiebreaks", str(four), "--tsv"]) == 0
    assert capsys.readouterr().out.startswith("StartNo\tRank\tPTS\tDE\tSB\n")


def test_standings_for_people_say_what_decided(four: Path, capsys: pytest.CaptureFixture[str]) -> None:
    assert run(["tiebreaks", str(four)]) == 0
    heading, *lines = capsys.readouterr().out.splitlines()
    final = say("cli.title.final", round=2)
    assert heading == sentence("cli.title.of", name="Four friends", causes=[final])
    assert lines[3].split() == [
        "3",
        "3",
        "Three",
        "2200",
        "1",
        "2",
        "0.00",
        "DE",
    ]


def test_standings_after_an_earlier_round(four: Path, capsys: pytest.CaptureFixture[str]) -> None:
    assert run(["tiebreaks", str(four), "--round", "1", "--list", "TPN", "--json"]) == 0
    told = json.loads(capsys.readouterr().out)
    assert told["final"] is False
    assert [(line["rank"], line["number"], line["points"]) for line in told["standings"]] == [
        (1, 1, 10),
        (2, 2, 10),
        (3, 3, 0),
        (4, 4, 0),
    ]


def test_a_report_becomes_a_page_and_a_spreadsheet(four: Path, capsys: pytest.CaptureFixture[str]) -> None:
    assert run(["tiebreaks", str(four), "--html"]) == 0
    page = capsys.readouterr().out
    assert "<bdi>Four friends</bdi>" in page
    assert "<h1>Final standings</h1>" in page
    assert '<td class="wide dec">2</td>' in page

    assert run(["tiebreaks", str(four), "--csv"]) == 0
    assert capsys.readouterr().out.splitlines()[3] == "3,3,,Three,,2200,1.0,2,0.00,DE,,,,"


def test_the_arithmetic_of_one_player(four: Path, capsys: pytest.CaptureFixture[str]) -> None:
    assert run(["tiebreaks", str(four), "--list", "BH", "--explain", "1"]) == 0
    assert capsys.readouterr().out.endswith(
        f"BH = 3.0   {sentence('standings.rule.BH')} (C.07:8.1)\n"
        "  round  1  Three    1.0\n"
        "  round  2  Two      2.0\n"
        f"  {sentence('standings.told.scores')}\n"
    )


@pytest.mark.parametrize(
    ("options", "code", "fields"),
    [
        (["--list", "BX"], "standings.unknown", {"text": "BX", "codes": tuple(RULES)}),
        (["--list", "BH", "--round-robin"], "standings.not-in-a-round-robin", {"code": "BH"}),
        (["--round", "3"], "cli.rounds-of-report", {"rounds": 2, "round": 3}),
        (["--explain", "9"], "cli.no-such-number", {"number": 9}),
    ],
)
def test_what_cannot_be_had_is_refused_in_one_line(
    four: Path, options: list[str], code: str, fields: dict[str, Any], capsys: pytest.CaptureFixture[str]
) -> None:
    assert run(["tiebreaks", str(four), *options]) == 1
    told = capsys.readouterr()
    assert sentence(code, path=str(four), **fields) in told.err
    assert told.err.count("\n") == 1
    assert told.out == ""


def test_a_file_that_announces_nothing_needs_a_list(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    path = tmp_path / "bare.trf"
    path.write_text(FOUR.replace("202 DE,SB\n", ""))

    assert run(["tiebreaks", str(path)]) == 1
    assert sentence("cli.no-tie-breaks", path=str(path)) in capsys.readouterr().err


def no_engine(snapshot: Snapshot) -> NoReturn:
    raise NoLegalRound("pairing.nobody-for-the-bye", rule=snapshot.edition)


def places(report: str) -> list[str]:
    return [str(one) for one in judge(Case("four", report.encode()), "", "utf-8", no_engine).misplaced]


def test_right_places_pass_the_check() -> None:
    assert places(FOUR) == []


def test_a_wrong_place_is_told_with_the_right_one() -> None:
    swapped = FOUR.replace(" 1.0    2 ", " 1.0    9 ").replace(" 1.0    3 ", " 1.0    2 ")

    assert places(swapped.replace(" 1.0    9 ", " 1.0    3 ")) == [
        sentence("standings.misplaced", number=1, place=3, first=2, last=2),
        sentence("standings.misplaced", number=3, place=2, first=3, last=3),
    ]


def test_those_whom_nothing_parts_may_stand_in_any_order() -> None:
    by_points = FOUR.replace("202 DE,SB", "202 WIN")
    swapped = by_points.replace(" 1.0    2 ", " 1.0    9 ").replace(" 1.0    3 ", " 1.0    2 ")

    assert places(by_points) == places(swapped.replace(" 1.0    9 ", " 1.0    3 ")) == []


def test_a_list_that_cannot_be_read_leaves_places_unchecked_and_says_so() -> None:
    verdict = judge(Case("four", FOUR.replace("DE,SB", "EMMSB").encode()), "", "utf-8", no_engine)

    assert verdict.misplaced == ()
    teams = sentence("standings.of-teams", text="EMMSB")
    assert verdict.note == sentence("cli.places-not-checked", value=teams)


def test_columns_are_named_as_they_were_asked_for(four: Path, capsys: pytest.CaptureFixture[str]) -> None:
    assert run(["tiebreaks", str(four), "--list", "ks/l+1,KS/L-1,GE", "--tsv"]) == 0

    assert capsys.readouterr().out.splitlines()[0].split("\t") == [
        "StartNo", "Rank", "PTS", "KS/L+1", "KS/L-1", "GE",
    ]  # fmt: skip
