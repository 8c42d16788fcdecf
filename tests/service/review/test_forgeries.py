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
from paircard.domain.messages import Message, say
from paircard.domain.values.results import Outcome
from paircard.service.review.verify import find_forged
from tests.audit.lives import Life
from tests.audit.quiet import END, LOG, quiet_life
from tests.refusals import sentence

WIN, DRAW, HALF_LOSS = Outcome("1", "0"), Outcome("=", "="), Outcome("=", "0")
SECOND = next(one.fact for one in LOG if isinstance(one.fact, RoundPaired) and one.fact.round == 2)
PAIRED = next(one.version for one in LOG if one.fact == SECOND)


def made_up(fact: Event, why: str = "score sheet") -> list[Recorded]:
    """The log with a fact added that nobody asked for."""
    added = msgspec.structs.replace(LOG[-1], version=END + 1, fact=fact, why=why, command_id="made up")
    return [*LOG, added]


def forged(fact: Event, why: str = "score sheet") -> Message | None:
    """What is found in the log with such a fact, if anything is."""
    version, told = next(find_forged(made_up(fact, why)), (END + 1, None))
    assert version == END + 1
    return told


def refused(reason: str) -> Message:
    """What is found of a fact that the desk would not have recorded."""
    return say("proof.would-be-refused", reason=reason)


NO_REASON = sentence("reason-missing", deed=say("deed.correction", round=2))


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
    assert next(find_forged(never))[1] == refused(NO_REASON)


def test_a_result_that_the_desk_would_not_have_taken_is_forged() -> None:
    there = sentence("result-there", round=2, board=1, result=HALF_LOSS)
    not_paired = sentence("round-not-paired", round=3, last=2)
    no_board = sentence("no-such-board", round=2, board=9, last=3)
    for fact, reason in (
        (ResultRecorded(round=2, board=1, outcome=WIN), there),
        (ResultRecorded(round=3, board=1, outcome=WIN), not_paired),
        (ColoursCorrected(round=3, board=1, white=1, black=2, scope="pairing-next"), not_paired),
        (ColoursCorrected(round=2, board=9, white=1, black=2, scope="pairing-next"), no_board),
    ):
        assert forged(fact) == refused(reason)
    twice = ResultRecorded(round=2, board=1, outcome=WIN)
    assert [version for version, _ in find_forged([*made_up(twice), *made_up(twice)[-1:]])] == [END + 1] * 2


def test_a_correction_claims_the_scope_and_the_values_of_its_moment() -> None:
    honest = ResultCorrected(round=2, board=1, outcome=WIN, was=HALF_LOSS, scope="pairing-next")
    white, black = SECOND.boards[0]
    turned = ColoursCorrected(round=2, board=1, white=black, black=white, scope="pairing-next")
    replace = msgspec.structs.replace

    assert forged(honest) is forged(turned) is None
    for wrong in (
        replace(honest, scope="rating-report-only"),
        replace(honest, was=DRAW),
        replace(turned, white=white, black=black),
    ):
        assert forged(wrong) == say("proof.other-scope")


def test_colours_before_the_game_were_once_corrected_and_are_not_forged() -> None:
    white, black = SECOND.boards[0]
    early = ColoursCorrected(round=2, board=1, white=black, black=white, scope="pairing-next")
    played = next(one.version for one in LOG if one.version > PAIRED and isinstance(one.fact, ResultRecorded))
    log = [*LOG[: played - 1], msgspec.structs.replace(LOG[played - 1], fact=early, why="")]

    assert list(find_forged(log)) == []
    assert forged(early, why="") == refused(NO_REASON)


def test_values_nobody_can_have_asked_for_would_have_been_refused() -> None:
    odd: Any = "two"

    wrong = sentence("wrong-type", path="round", reason="expected int", kind="str")
    assert forged(ResultRecorded(round=odd, board=1, outcome=WIN)) == refused(wrong)


@pytest.mark.parametrize(
    ("changes", "why"),
    [
        ({"boards": ((77, 2), (66, 3))}, say("proof.stranger-on-boards", id="p66")),
        ({"boards": ((1, 2), (2, 3))}, say("proof.on-boards-twice")),
        ({"boards": ((1, 2),), "pab": 2}, say("proof.on-boards-twice")),
        ({"boards": ((1, 2),), "pab": 9}, say("proof.stranger-on-boards", id="p9")),
    ],
)
def test_boards_have_everybody_of_the_tournament_once_at_most(changes: dict[str, Any], why: Message) -> None:
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
        assert forged(honest) is None
    assert forged(replace(third, **changes)) == forged(replace(altered, **changes)) == why


def test_a_round_is_of_the_edition_of_its_tournament() -> None:
    other = msgspec.structs.replace(SECOND, round=3, edition="dutch-of-my-own-making")

    assert forged(other) == say("proof.other-edition", text="dutch-of-my-own-making", edition="dutch-2026")
