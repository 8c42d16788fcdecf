"""Positions from the tests and data of other public projects, without names (``tests/corpus/README.md``)."""

from pathlib import Path

import pytest

from paircard.cli.commands.check import cases, judge
from paircard.pairing import pair

STRANGERS = Path(__file__).parents[1] / "corpus" / "strangers"
ARCHIVES = {
    "dutch-2012.zip": "dutch-2012",
    "dutch-2012-javafo.zip": "dutch-2012-javafo",
    "dutch-2017.zip": "dutch-2017",
    "dutch-2026.zip": "dutch-2026",
    "played-2026.zip": "dutch-2026",
}


@pytest.mark.parametrize(("archive", "edition"), ARCHIVES.items())
def test_what_other_programs_expect_of_a_round_is_what_is_paired(archive: str, edition: str) -> None:
    verdicts = [judge(case, edition, "", pair) for case in cases(STRANGERS / archive)]

    assert sum(verdict.rounds for verdict in verdicts) >= 3
    assert [one.name for one in verdicts if one.discrepancies or one.error] == []


def test_the_rounds_in_which_bbppairings_gives_a_second_bye_are_among_them() -> None:
    disputed = [case for case in cases(STRANGERS / "dutch-2026.zip") if ":dispute-" in case.name]

    assert len(disputed) == 3
