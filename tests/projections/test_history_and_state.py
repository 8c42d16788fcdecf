"""The history and the state are two folds of one log: what counts now is the same in both."""

from collections.abc import Callable

import pytest

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
from paircard.domain.events import Event, Recorded
from paircard.domain.state import NOTHING, Tournament, evolve
from paircard.domain.values.players import Details
from paircard.domain.values.regulations import Regulations
from paircard.domain.values.results import Outcome, parse_outcome
from paircard.projections.history import RATING_REPORT, Game, History, history
from tests.domain.scenes import ROUND_ROBIN, ask, pairing
from tests.domain.test_laws import life

Step = Command | Callable[[Tournament], Command]


def told(*steps: Step) -> tuple[History, Tournament]:
    """Both folds of the facts these commands give."""
    state, facts = NOTHING, list[Event]()
    for step in steps:
        for fact in decide(state, step(state) if callable(step) else step):
            facts.append(fact)
            state = evolve(state, fact)
    return history(logged(facts)), state


def logged(facts: list[Event]) -> list[Recorded]:
    return [
        Recorded(tournament="0" * 32, version=n, fact=fact, who="A", when="", previous="", hash="")
        for n, fact in enumerate(facts, start=1)
    ]


def agree(story: History, state: Tournament) -> None:
    assert story.paired == state.paired
    for round, kept in zip(story.rounds, state.rounds, strict=True):
        games = round.games()
        assert tuple((g.white, g.black) for g in games) == kept.boards
        outcomes = [Outcome(g.white_letter, g.black_letter) if g.white_letter else None for g in games]
        assert outcomes == list(kept.outcomes)
        assert (round.published, round.completed) == (kept.published, kept.completed)


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
        ask(OpenTournament, regulations=Regulations(name="Two folds", rounds=3)),
        *(ask(RegisterPlayer, details=Details(name=f"P{n}", rating=2000 - n)) for n in range(1, 5)),
        ask(DrawInitialColour, colour="w"),
        *next_round(1),
    )


@pytest.mark.parametrize("seed", range(40))
def test_random_tournaments_tell_the_same_results_in_both(seed: int) -> None:
    facts: list[Event] = []
    for _, _, events, now in life(seed, 110):
        facts += events
        state = now

    agree(history(logged(facts)), state)


def test_an_adjourned_game_keeps_the_colours_corrected_before_its_result_came() -> None:
    """Round 2 saw the colours as published, round 3 sees them corrected, both see who won."""
    story, state = told(
        *beginning(),
        ask(AdjournGame, round=1, board=1),
        result(1, 2, "1-0"),
        *next_round(2),
        colours(1, 1),
        result(1, 1, "1-0"),
    )

    agree(story, state)
    assert story.rounds[0].games(1)[0] == Game(1, 4, "0", "1"), "as pairing 2 sees it"
    assert story.rounds[0].games(2)[0] == Game(4, 1, "1", "0"), "as pairing 3 sees it"


def test_colours_corrected_for_the_report_alone_stay_there_when_the_result_comes() -> None:
    story, state = told(
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

    agree(story, state)
    assert story.rounds[0].games()[0] == Game(1, 4, "1", "0")
    assert story.rounds[0].games(RATING_REPORT)[0] == Game(4, 1, "0", "1")


def test_a_board_with_corrected_colours_keeps_its_result_when_others_are_altered() -> None:
    story, state = told(
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

    agree(story, state)
    assert story.rounds[0].games() == (Game(3, 2), Game(4, 1, "0", "1"))
