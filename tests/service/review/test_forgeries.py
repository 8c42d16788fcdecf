"""Facts that the program would not have recorded where they stand, and those that it would have.

These tests are quick and free of chance, for ``tests/mutation/run.py`` runs them once for every mutant.
"""

from typing import Any

import msgspec
import pytest

from paircard.domain import commands as c
from paircard.domain.events import (
    ColoursCorrected,
    Event,
    PairingsAltered,
    Recorded,
    ResultCorrected,
    ResultRecorded,
    RoundPaired,
)
from paircard.domain.speaking import Speaker
from paircard.domain.values.results import Outcome
from paircard.service.review.verify import find_forged
from tests.audit.lives import Life
from tests.audit.quiet import END, LOG, quiet_life

WIN, DRAW, HALF_LOSS = Outcome("1", "0"), Outcome("=", "="), Outcome("=", "0")
SECOND = next(one.fact for one in LOG if isinstance(one.fact, RoundPaired) and one.fact.round == 2)
PAIRED = next(one.version for one in LOG if one.fact == SECOND)


def made_up(fact: Event, why: str = "score sheet") -> list[Recorded]:
    """The log with a fact added that nobody asked for."""
    added = msgspec.structs.replace(LOG[-1], version=END + 1, fact=fact, why=why, command_id="made up")
    return [*LOG, added]


def forged(fact: Event, why: str = "score sheet") -> str:
    """What is found in the log with such a fact; empty if nothing is."""
    version, told = next(find_forged(made_up(fact, why)), (END + 1, None))
    assert version == END + 1
    return Speaker().say(told) if told else ""


def lived() -> Life:
    """The quiet tournament, to go on with."""
    one = quiet_life()
    assert one.ask(c.CorrectResult, why="score sheet", round=2, board=1, outcome=WIN)
    assert one.ask(c.CorrectColours, why="score sheet", round=2, board=2)
    assert one.ask(c.CorrectResult, why="score sheet", round=1, board=1, outcome=DRAW)
    return one


def test_nothing_that_a_desk_recorded_is_forged() -> None:
    assert list(find_forged(LOG)) == []
    log = lived().log
    assert len(log) == END + 3
    assert list(find_forged(log)) == []


def test_a_reason_that_was_erased_does_not_make_a_correction_forged() -> None:
    """It still commits to the reason, which the program would not have gone without."""
    log = lived().log
    erased = [msgspec.structs.replace(one, why="", private=("0" * 64,)) for one in log]
    never = [msgspec.structs.replace(one, why="") for one in log]

    assert list(find_forged(erased)) == []
    assert [version for version, _ in find_forged(never)] == [END + 1, END + 2, END + 3]
    assert "needs a reason" in Speaker().say(next(find_forged(never))[1])


def test_a_result_that_the_desk_would_not_have_taken_is_forged() -> None:
    for fact, words in (
        (ResultRecorded(round=2, board=1, outcome=WIN), "board 1 of round 2 already has the result"),
        (ResultRecorded(round=3, board=1, outcome=WIN), "round 3 is not paired"),
        (ColoursCorrected(round=3, board=1, white=1, black=2, scope="pairing-next"), "round 3 is not paired"),
        (
            ColoursCorrected(round=2, board=9, white=1, black=2, scope="pairing-next"),
            "round 2 has boards 1 to 3",
        ),
    ):
        assert forged(fact).startswith(f"it would have been refused: {words}")
    twice = ResultRecorded(round=2, board=1, outcome=WIN)
    assert [version for version, _ in find_forged([*made_up(twice), *made_up(twice)[-1:]])] == [END + 1] * 2


def test_a_correction_claims_the_scope_and_the_values_of_its_moment() -> None:
    honest = ResultCorrected(round=2, board=1, outcome=WIN, was=HALF_LOSS, scope="pairing-next")
    white, black = SECOND.boards[0]
    turned = ColoursCorrected(round=2, board=1, white=black, black=white, scope="pairing-next")
    replace = msgspec.structs.replace

    assert forged(honest) == forged(turned) == ""
    for wrong in (
        replace(honest, scope="rating-report-only"),
        replace(honest, was=DRAW),
        replace(turned, white=white, black=black),
    ):
        assert forged(wrong) == "it would have been recorded with another scope or value"


def test_colours_before_the_game_were_once_corrected_and_are_not_forged() -> None:
    white, black = SECOND.boards[0]
    early = ColoursCorrected(round=2, board=1, white=black, black=white, scope="pairing-next")
    played = next(one.version for one in LOG if one.version > PAIRED and isinstance(one.fact, ResultRecorded))
    log = [*LOG[: played - 1], msgspec.structs.replace(LOG[played - 1], fact=early, why="")]

    assert list(find_forged(log)) == []
    assert "needs a reason" in forged(early, why="")


def test_values_nobody_can_have_asked_for_would_have_been_refused() -> None:
    odd: Any = "two"

    assert forged(ResultRecorded(round=odd, board=1, outcome=WIN)) == (
        "it would have been refused: round: expected int, got str"
    )


@pytest.mark.parametrize(
    ("changes", "why"),
    [
        ({"boards": ((77, 2), (66, 3))}, "p66 on its boards is nobody in the tournament"),
        ({"boards": ((1, 2), (2, 3))}, "somebody is on its boards twice"),
        ({"boards": ((1, 2),), "pab": 2}, "somebody is on its boards twice"),
        ({"boards": ((1, 2),), "pab": 9}, "p9 on its boards is nobody in the tournament"),
    ],
)
def test_boards_have_everybody_of_the_tournament_once_at_most(changes: dict[str, Any], why: str) -> None:
    third = RoundPaired(
        round=3,
        edition="dutch-2026",
        engine="x",
        based_on=END,
        snapshot="",
        numbers=(),
        boards=(),
        origin="import",
    )
    altered = PairingsAltered(
        round=2,
        boards=SECOND.boards,
        pab=0,
        engine_boards=SECOND.boards,
        engine_pab=0,
        numbers=SECOND.numbers,
    )
    replace = msgspec.structs.replace

    for honest in (third, altered, replace(third, boards=((1, 2), (3, 4)), pab=5)):
        assert forged(honest) == ""
    assert forged(replace(third, **changes)) == forged(replace(altered, **changes)) == why


def test_a_round_is_of_the_edition_of_its_tournament() -> None:
    other = msgspec.structs.replace(SECOND, round=3, edition="dutch-of-my-own-making")

    assert forged(other) == "its edition is 'dutch-of-my-own-making', the tournament's dutch-2026"
