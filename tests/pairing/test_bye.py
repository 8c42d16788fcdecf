"""[C2] Who may have the bye goes by points, not by letters."""

import pytest
from msgspec import UNSET

from paircard.domain.values.results import Scoring
from paircard.pairing import NoLegalRound, pair
from paircard.projections.round.crosstable import Crosstable, Entry, Row
from paircard.projections.round.snapshot import snapshot
from paircard.projections.trf import crosstable, parse
from tests.pairing.literal.rounds import literal_pair


def three_players(scoring: Scoring, letters: str) -> Crosstable:
    """Three who have not met, each with one round without a game."""
    rows = tuple(
        Row(id=number, number=number, entries=(Entry(0, "-", letter),))
        for number, letter in enumerate(letters, 1)
    )
    return Crosstable(rows=rows, rounds=5, paired=1, initial_colour="w", scoring=scoring)


@pytest.mark.parametrize(
    ("edition", "draw", "letter", "may"),
    [
        ("dutch-2026", 5, "H", True),
        ("dutch-2026", 10, "H", False),  # a half-point bye worth as much as a win
        ("dutch-2026", 5, "F", False),
        ("dutch-2017", 10, "H", True),
        ("dutch-2012", 5, "H", False),  # B.1.b: a half point without playing
        ("dutch-2012", 0, "H", True),
        ("dutch-2012", 5, "Z", True),
    ],
)
def test_points_without_playing_bar_from_the_bye(edition: str, draw: int, letter: str, may: bool) -> None:
    state = snapshot(three_players(Scoring(win=10, draw=draw), "UF" + letter), 2, edition)
    if edition == "dutch-2017":
        state = snapshot(three_players(Scoring(win=10, draw=draw), "U+" + letter), 2, edition)

    if may:
        assert pair(state).pab == 3
        assert literal_pair(state)[1] == 3
    else:
        with pytest.raises(NoLegalRound):
            pair(state)
        with pytest.raises(NoLegalRound):
            literal_pair(state)


def test_usual_scorings_leave_the_snapshot_as_it_was() -> None:
    for edition in ("dutch-2026", "dutch-2017", "dutch-2012"):
        state = snapshot(three_players(Scoring(), "UFH"), 2, edition)

        assert state.bars_the_bye is UNSET
        assert b"bars" not in state.canonical()


@pytest.mark.parametrize("code", ["+", "F"])
def test_two_players_with_the_code_of_the_bye_in_one_round_are_both_barred_in_2017(
    code: str,
) -> None:
    # [2017 C.2] A full-point bye does not bar. JaVaFo had one code for both byes, and barred whoever had it.
    text = "".join(
        f"001 {number:4}{'':72}{points:>4}{number:5}  {cell}\n"
        for number, points, cell in (
            (1, "1.0", "   3 w 1"),
            (2, "0.0", "0000 - Z"),
            (3, "0.0", "   1 b 0"),
            (4, "1.0", f"0000 - {code}"),
            (5, "1.0", f"0000 - {code}"),
        )
    )
    table = crosstable(parse(f"012 Two byes\nXXR 5\n{text}"))

    state = snapshot(table, 2, "dutch-2017")

    assert [row.entries[0].letter for row in table.rows] == ["1", "Z", "0", "F", "F"]
    assert [state.bars.isdisjoint(player.letters) for player in state.players][3:] == [code == "F"] * 2
    assert literal_pair(state) == (pair(state).boards, pair(state).pab)
