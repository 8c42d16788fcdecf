"""What is said of a bracket: its kind and its parts, numbers that fall, and who is barred from the bye."""

from pathlib import Path

import pytest

from paircard.domain.messages import Message
from paircard.pairing.explain import BYE, explain, why_not
from paircard.pairing.explain.answers import answer_why_not
from paircard.pairing.explain.bracket_lines import bracket_lines, lowered
from paircard.pairing.explain.measures import Numbers
from paircard.pairing.explain.speaking import RoundSpeaker, Who, say
from paircard.projections.round.snapshot import Snapshot, snapshot
from paircard.projections.trf import crosstable, parse
from tests.pairing.rounds import before_round, who

TESTS = Path(__file__).parents[1]
PEOPLE = {id: Who(id, "") for id in range(1, 40)}


def of_file(path: Path, edition: str, round: int = 0) -> Snapshot:
    table = crosstable(parse(path.read_text()))
    return snapshot(table, round or table.paired + 1, edition)


def parts(state: Snapshot) -> list[str]:
    story = explain(state)
    lines = [bracket_lines(story, bracket).parts for bracket in story.brackets]
    return [RoundSpeaker(PEOPLE).say(one) if one else "" for one in lines]


def test_brackets_are_homogeneous_or_heterogeneous_with_their_parts() -> None:
    """Round 5 of the worked example."""
    assert parts(of_file(TESTS / "corpus" / "six-rounds-baku-2016.trf", "dutch-2017", 5)) == [
        "",
        "Heterogeneous: S1 2, S2 1 5.",
        "Heterogeneous: S1 5, S2 4 6 11, S1R 4, S2R 6.",
        "Homogeneous: S1 3, S2 7.",
        "Homogeneous: S1 9, S2 10 14.",
        "Heterogeneous: S2 8 13, Limbo 14, S1R 8, S2R 13.",
        "S1 14, S2 12.",
    ]


def test_a_bracket_of_2012_that_is_treated_as_homogeneous_is_called_so() -> None:
    told = parts(of_file(TESTS / "golden" / "dutch-2012" / "m1.trf", "dutch-2012"))

    assert told[-1] == "Homogeneous: S1 1 6, S2 9 10."
    assert parts(of_file(TESTS / "golden" / "dutch-2012" / "c-14.trf", "dutch-2012"))[-1] == "", "joined"


@pytest.mark.parametrize(
    ("symbols", "said"),
    [
        ({"P0": 2, "P1": 1, "X1": 1, "X": 0}, [say("explain.bracket.lowered", made=1, x=0)]),
        (
            {"P0": 2, "P1": 1, "X1": 1, "X": 0, "Z1": 1, "Z": 0},
            [say("explain.bracket.lowered.Z1", made=1, x=0, z=0)],
        ),
        ({"P0": 2, "P1": 2, "X1": 1, "X": 1}, []),
        ({"P0": 2, "P1": 1, "X1": 0, "X": 0}, []),
        ({"MaxPairs": 2, "x": 1}, []),
    ],
)
def test_x1_falls_with_p1(symbols: dict[str, int], said: list[Message]) -> None:
    numbers = Numbers(
        players=4, moved_down=0, paired_moved_down=0, max_pairs=1, x=0, z=0, symbols=symbols, least={},
        perfect=False,
    )  # fmt: skip

    assert list(lowered(numbers)) == said


def test_where_fewer_pairs_are_made_than_p0_x1_is_that_of_the_pairs_made() -> None:
    """Held to every bracket of the golden rounds of 2012."""
    seen = 0
    for path in sorted((TESTS / "golden" / "dutch-2012").glob("*.trf")):
        if path.with_suffix(".pairs").read_text().startswith("none"):
            continue
        for bracket in explain(of_file(path, "dutch-2012")).brackets:
            numbers = bracket.numbers
            p0, p1, x1 = (numbers.symbols[name] for name in ("P0", "P1", "X1"))
            assert numbers.x == max(0, x1 - (p0 - p1))
            seen += bool(lowered(numbers))
    assert seen


@pytest.mark.parametrize(
    ("edition", "letter", "rule"),
    [
        ("dutch-2012", "H", "B.1.b"),
        ("dutch-2017", "U", "C.2"),
        ("dutch-2026", "F", "C2"),
    ],
)
def test_what_bars_from_the_bye_is_said_as_the_edition_has_it(edition: str, letter: str, rule: str) -> None:
    worth = {"H": 5, "U": 10, "F": 10}[letter]
    state = before_round(
        who(1, 10, "2w1"),
        who(2, 0, "1b0"),
        who(3, worth, f"0-{letter}", floats="d"),
        edition=edition,
    )
    answer = answer_why_not(why_not(state, 3, BYE), 3, BYE, edition, 2)

    assert answer.short == (Message(f"explain.forbidden.{rule}", {"player": 3, "round": 1}),)
