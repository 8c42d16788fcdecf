"""Results: the exact set, read as people write it and spelled one way."""

import pytest

from paircard.domain.errors import Invalid
from paircard.domain.values.results import OUTCOMES, Outcome, parse_outcome, spell
from tests.refusals import refuses


@pytest.mark.parametrize(
    ("text", "letters"),
    [
        ("1-0", "10"), ("0-1", "01"), ("1:0", "10"), (" 1 - 0 ", "10"), ("1–0", "10"),
        ("1/2", "=="), ("½", "=="), ("=", "=="), ("=-=", "=="), ("==", "=="), ("½-½", "=="),
        ("1/2-1/2", "=="), ("0.5-0.5", "=="), ("½-0", "=0"), ("0-½", "0="), ("1/2-0", "=0"), ("0-0", "00"),
        ("+/-", "+-"), ("+:-", "+-"), ("+-", "+-"), ("+--", "+-"), ("1F-0F", "+-"), ("1f-0f", "+-"),
        ("-/+", "-+"), ("--+", "-+"), ("0F-1F", "-+"), ("--", "--"), ("-/-", "--"), ("---", "--"),
        ("0F-0F", "--"), ("1", "10"), ("0", "01"), ("+", "+-"), ("-", "-+"), ("-:+", "-+"),
        ("remis", "=="), ("Remis", "=="), ("draw", "=="), ("patta", "=="), ("0,5", "=="), ("0,5-0,5", "=="),
        ("0,5 : 0,5", "=="), ("½:½", "=="), ("½/½", "=="), (".5", "=="), ("0.5 - 0", "=0"), ("1/0", "10"),
        ("0/1", "01"), ("0:1", "01"), ("1—0", "10"), ("1‑0", "10"),
        ("W-L", "WL"), ("D-D", "DD"), ("l-w", "LW"),
    ],
)  # fmt: skip
def test_people_write_results_in_many_ways(text: str, letters: str) -> None:
    assert parse_outcome(text) == Outcome(*letters)


@pytest.mark.parametrize("outcome", OUTCOMES)
def test_the_canonical_spelling_is_read_back(outcome: Outcome) -> None:
    assert parse_outcome(spell(outcome)) == outcome


@pytest.mark.parametrize(
    "text",
    ["1-1", "1-½", "½-1", "½F-0F", "1F-0", "1-0F", "1F-1F", "+-+", "++", "W-W", "W-0", "1-L", "",
     "10", "2-0", "x", "0,0", "1,5", "0/2", "1-0-0", "U", "H", "?", "one", "1F-", "0F-", "1-0" * 10_000],
)  # fmt: skip
def test_what_is_not_a_result_is_refused_with_the_list_of_those_that_are(text: str) -> None:
    known, codes = tuple(map(spell, OUTCOMES)), ("1", "=", "0", "+", "-", "--")
    with refuses(Invalid, "result-unreadable", known=known, codes=codes) as refusal:
        parse_outcome(text)
    assert all(", ".join(ways) in str(refusal.value) for ways in (known, codes))
    assert len(str(refusal.value)) < 200
