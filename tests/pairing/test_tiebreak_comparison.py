"""Tie-break values of another program, held against ours."""

from pathlib import Path

import pytest

from paircard.pairing.lab.tiebreaks import Unreadable, compare_values
from paircard.projections.trf import crosstable, parse

EVENTS = Path(__file__).parents[1] / "corpus" / "tiebreaks"


def compared(name: str) -> tuple[int, dict[str, int]]:
    table = crosstable(parse((EVENTS / f"{name}.trf").read_text()))
    count, differing = compare_values(table, (EVENTS / f"{name}.tsv").read_text())
    return count, dict(differing)


def test_an_event_without_byes_and_forfeits_agrees_in_every_value() -> None:
    count, differing = compared("plain-4101-0007")

    assert count > 1_500
    assert differing == {}


def test_a_difference_is_explained_by_the_reading_that_gives_it() -> None:
    _, differing = compared("churn-4101-0019")

    assert differing["SB/C1: another reading of C.07:16.5"] == 1


def test_a_wrong_value_is_unexplained() -> None:
    table = crosstable(parse((EVENTS / "tiny-4101-0001.trf").read_text()))
    heading, first, *rest = (EVENTS / "tiny-4101-0001.tsv").read_text().splitlines()
    cells = first.split("\t")
    cells[3] = "99.5"

    _, differing = compare_values(table, "\n".join([heading, "\t".join(cells), *rest]))

    assert ("BH: unexplained", 1) in differing


@pytest.mark.parametrize(
    "text",
    [
        "",
        "no table",
        "StartNo\tRank\tPTS\n1\t1\n",
        "StartNo\tRank\tPTS\n99\t1\t1.0\n",
        "StartNo\tRank\tBH\n1\t1\t1\n",
    ],
)
def test_what_is_no_table_of_this_event_is_refused(text: str) -> None:
    table = crosstable(parse((EVENTS / "tiny-4101-0001.trf").read_text()))

    with pytest.raises(Unreadable):
        compare_values(table, text)
