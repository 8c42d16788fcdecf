"""Boards with corrected colours and late results: what each view sees of them (C.04.2:4.3)."""

from collections.abc import Callable

from paircard.domain.commands import (
    AdjournGame,
    BeginManualPairing,
    Command,
    CorrectColours,
    DrawInitialColour,
    EndManualPairing,
    OpenTournament,
    PublishRound,
    RecordResult,
    RegisterPlayer,
)
from paircard.domain.deciding.decider import decide
from paircard.domain.rounds import RATING_REPORT, Game
from paircard.domain.state import NOTHING, Tournament, fold
from paircard.domain.values.players import Details
from paircard.domain.values.regulations import Regulations
from paircard.domain.values.results import parse_outcome
from tests.domain.scenes import ROUND_ROBIN, ask, pairing

Step = Command | Callable[[Tournament], Command]


def after(*steps: Step) -> Tournament:
    """The tournament after these commands."""
    state = NOTHING
    for step in steps:
        state = fold(decide(state, step(state) if callable(step) else step), state)
    return state


def next_round(number: int) -> tuple[Step, ...]:
    boards = ROUND_ROBIN[number - 1]
    return (lambda state: pairing(state, *boards, level=3), ask(PublishRound, round=number))


def result(round: int, board: int, text: str) -> RecordResult:
    return ask(RecordResult, round=round, board=board, outcome=parse_outcome(text), level=3)


def colours(round: int, board: int) -> CorrectColours:
    return ask(CorrectColours, round=round, board=board, why="video", level=3)


def beginning() -> tuple[Step, ...]:
    """Four players, three rounds, round 1 published: 1-4 and 2-3."""
    return (
        ask(OpenTournament, regulations=Regulations(name="Four players", rounds=3)),
        *(ask(RegisterPlayer, details=Details(name=f"P{n}", rating=2000 - n)) for n in range(1, 5)),
        ask(DrawInitialColour, colour="w"),
        *next_round(1),
    )


def test_an_adjourned_game_keeps_the_colours_corrected_before_its_result_came() -> None:
    """Round 2 saw the colours as published, round 3 sees them corrected, both see who won."""
    state = after(
        *beginning(),
        ask(AdjournGame, round=1, board=1),
        result(1, 2, "1-0"),
        *next_round(2),
        colours(1, 1),
        result(1, 1, "1-0"),
    )

    assert state.rounds[0].games(1)[0] == Game(1, 4, "0", "1"), "as pairing 2 sees it"
    assert state.rounds[0].games(2)[0] == Game(4, 1, "1", "0"), "as pairing 3 sees it"


def test_colours_corrected_for_the_report_alone_stay_there_when_the_result_comes() -> None:
    state = after(
        *beginning(),
        ask(AdjournGame, round=1, board=1),
        result(1, 2, "1-0"),
        *next_round(2),
        result(2, 1, "1-0"),
        result(2, 2, "1-0"),
        *next_round(3),
        colours(1, 1),
        result(1, 1, "1-0"),
    )

    assert state.rounds[0].games()[0] == Game(1, 4, "1", "0")
    assert state.rounds[0].games(RATING_REPORT)[0] == Game(4, 1, "0", "1")


def test_a_board_with_corrected_colours_keeps_its_result_when_others_are_altered() -> None:
    state = after(
        *beginning(),
        result(1, 1, "1-0"),
        colours(1, 1),
        ask(BeginManualPairing, round=1),
        ask(
            EndManualPairing,
            round=1,
            boards=((3, 2), (4, 1)),
            why="colours drawn wrongly",
            ok=["manual-pairing", "published-pairing"],
            level=3,
        ),
    )

    assert state.rounds[0].games() == (Game(3, 2), Game(4, 1, "0", "1"))
