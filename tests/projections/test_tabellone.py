"""The table before a round: colours aligned as C.04.2:3.4 says, preferences as 1.7, floats as 1.4."""

from itertools import product
from pathlib import Path

import pytest

from paircard.pairing.dutch.field import preference
from paircard.projections.round.cards import Tabellone, TabelloneLine, tabellone
from paircard.projections.round.snapshot import Due, colour_due, sign, snapshot
from paircard.projections.trf import crosstable, parse

WORKED = crosstable(parse((Path(__file__).parents[1] / "corpus" / "six-rounds-baku-2016.trf").read_text()))
NAMES = {row.id: row.name for row in WORKED.rows}


def before(round: int) -> Tabellone:
    return tabellone(snapshot(WORKED, round, "dutch-2017"), NAMES)


def players(table: Tabellone) -> dict[int, TabelloneLine]:
    return {line.number: line for group in table.scoregroups for line in group.players}


def tag(line: TabelloneLine) -> str:
    """As the worked example writes a player before a round: ``11w-↓``, the latest float first."""
    last, earlier = ({"d": "↓", "u": "↑", "-": "-"}[mark] for mark in reversed(line.floats[-2:]))
    floats = last + earlier if earlier != "-" else "" if last == "-" else last
    return f"{line.number}{line.sign}{floats}"


def test_a_preference_here_is_the_preference_of_the_kernel() -> None:
    strengths, sides = ("none", "mild", "strong", "absolute"), {1: "w", -1: "b", 0: ""}
    for length in range(7):
        for colours in map("".join, product("wb-", repeat=length)):
            theirs = preference(colours)
            assert colour_due(colours) == Due(sides[theirs.due], strengths[theirs.strength]), colours


@pytest.mark.parametrize(
    ("colours", "signed"),
    [
        ("", "A"),
        ("-", "A"),
        ("w", "Bb"),
        ("wb", "w"),
        ("ww", "B"),
        ("wbw", "Bb"),
        ("bbw", "Ww"),
        ("wwb", "Bb"),
    ],
)
def test_preferences_are_signed_as_on_a_pairing_card(colours: str, signed: str) -> None:
    assert sign(colour_due(colours)) == signed


def test_scoregroups_before_round_four_are_those_of_the_document() -> None:
    groups = {group.score: " ".join(map(tag, group.players)) for group in before(4).scoregroups}

    assert groups == {
        25: "2B 5Bb 6b↓",
        20: "1W 3Bb 4Ww-↓ 7Bb",
        15: "11w↓↓",
        10: "9Bb-↑ 10Ww 14b-↓",
        5: "8Ww-↑ 12b-↓",
        0: "13W",
    }


def test_unplayed_rounds_stand_in_front_and_a_forfeit_has_no_colour() -> None:
    table = players(before(4))

    assert table[6].history == "-bw"  # won by forfeit in round 3
    assert table[11].history == "-wb"
    assert table[14].history == "-bw"  # the bye in round 2
    assert (table[6].difference, table[6].opponents) == (0, (13, 3, 11))


def test_everybody_is_there_once_also_before_round_one() -> None:
    for round in range(1, 7):
        table = before(round)
        assert sorted([*players(table), *(line.number for line in table.absent)]) == list(range(1, 15))
    assert [group.score for group in before(1).scoregroups] == [0]
    assert {line.sign for line in players(before(1)).values()} == {"A"}


def test_who_is_absent_stands_apart() -> None:
    assert [(line.name, line.absent) for line in before(2).absent] == [("Oscar", "Z")]
