"""Results, adjourned games, and the three windows of C.04.2:4.3 for a correction."""

from typing import Any

import pytest

from paircard.domain.commands import (
    AdjournGame,
    CloseTournament,
    CompleteRound,
    CorrectBoards,
    CorrectColours,
    CorrectResult,
    RecordResult,
    UnpairRound,
)
from paircard.domain.deciding.decider import decide
from paircard.domain.errors import (
    Duplicate,
    Invalid,
    NeedsAcknowledgement,
    NotNow,
    ReasonMissing,
    TournamentOver,
    Unknown,
)
from paircard.domain.events import (
    ColoursCorrected,
    GameAdjourned,
    Played,
    ResultCorrected,
    ResultRecorded,
)
from paircard.domain.messages import say
from paircard.domain.rounds import ADJOURNED, RATING_REPORT
from paircard.domain.state import Tournament
from paircard.domain.values.results import OUTCOMES, Outcome, parse_outcome
from tests.domain.scenes import (
    ROUND_ROBIN,
    after,
    ask,
    paired,
    pairing,
    played,
    ready,
    results,
    when,
)
from tests.refusals import among, refuses, warns

WON, DRAWN, LOST = Outcome("1", "0"), Outcome("=", "="), Outcome("0", "1")
FIRST, SECOND, THIRD = ROUND_ROBIN


def running() -> Tournament:
    """Round 1 of three is published."""
    return paired(ready(4, 3), *FIRST)


def correction(round: int, outcome: Outcome = DRAWN, board: int = 1, **fields: Any) -> CorrectResult:
    fields = {"why": "score sheets", **fields}
    return ask(CorrectResult, round=round, board=board, outcome=outcome, **fields)


@pytest.mark.parametrize("outcome", OUTCOMES)
def test_every_result_there_is_can_be_recorded(outcome: Outcome) -> None:
    state, events = when(running(), ask(RecordResult, round=1, board=2, outcome=outcome))

    assert events == (ResultRecorded(round=1, board=2, outcome=outcome),)
    assert state.rounds[0].outcomes == (None, outcome)


@pytest.mark.parametrize("letters", ["11", "1=", "=1", "+=", "1-", "+0", "++", "WW", "??", "W0", "DH", "U0"])
def test_no_other_result_can_be_recorded(letters: str) -> None:
    """VCL 181, 182, 184"""
    with refuses(Invalid, "result-unknown"):
        decide(running(), ask(RecordResult, round=1, board=1, outcome=Outcome(*letters)))
    with refuses(Invalid, "result-unknown"):
        decide(results(running(), "1-0"), correction(1, Outcome(*letters)))


def test_a_result_belongs_to_a_board_of_a_published_round() -> None:
    with refuses(Unknown, "no-such-board", round=1, board=3, last=2):
        decide(running(), ask(RecordResult, round=1, board=3, outcome=WON))
    with refuses(Unknown, "no-such-board", round=1, board=0, last=2):
        decide(running(), ask(RecordResult, round=1, board=0, outcome=WON))
    with refuses(Unknown, "round-not-paired", round=2, last=1):
        decide(running(), ask(RecordResult, round=2, board=1, outcome=WON))
    unpublished = ready(4, 3)
    unpublished = after(unpublished, pairing(unpublished, *FIRST))
    with refuses(NotNow, "round-not-published", round=1):
        decide(unpublished, ask(RecordResult, round=1, board=1, outcome=WON))


def test_a_second_result_of_a_board_is_a_correction() -> None:
    state = results(running(), "1-0")

    with refuses(Duplicate, "result-there", round=1, board=1):
        decide(state, ask(RecordResult, round=1, board=1, outcome=DRAWN))
    with refuses(NotNow, "no-result-to-correct", round=1, board=2):
        decide(state, correction(1, board=2))


def test_a_game_is_adjourned_and_its_result_entered_at_any_time() -> None:
    """VCL 157, 162"""
    state, events = when(running(), ask(AdjournGame, round=1, board=1))
    assert events == (GameAdjourned(round=1, board=1),)
    assert state.rounds[0].outcomes[0] == ADJOURNED
    assert decide(state, ask(AdjournGame, round=1, board=1)) == (), "a list that is sent again"
    with refuses(NotNow, "no-result-to-correct", round=1, board=1):
        decide(state, correction(1))
    state = after(state, ask(RecordResult, round=1, board=2, outcome=WON))
    with refuses(Duplicate, "result-there-not-adjourned", round=1, board=2):
        decide(state, ask(AdjournGame, round=1, board=2))
    for boards in (SECOND, THIRD):
        state = results(paired(state, *boards), "1-0", "1-0")

    [event] = decide(state, ask(RecordResult, round=1, board=1, outcome=DRAWN))

    assert event == ResultRecorded(round=1, board=1, outcome=DRAWN)


def test_an_adjourned_game_that_ends_otherwise_than_drawn_needs_a_confirmation() -> None:
    """VCL 163"""
    state = after(running(), ask(AdjournGame, round=1, board=1))

    with warns("adjourned-not-drawn", players=(1, 4), round=1, board=1, next=0) as refusal:
        decide(state, ask(RecordResult, round=1, board=1, outcome=WON))
    assert (refusal.value.level, refusal.value.code) == (3, "adjourned-not-drawn")
    decide(state, ask(RecordResult, round=1, board=1, outcome=WON, ok=["adjourned-not-drawn"]))


def test_a_correction_needs_a_reason_and_a_change() -> None:
    state = results(running(), "1-0")

    with refuses(ReasonMissing, "reason-missing", deed=say("deed.correction", round=1)):
        decide(state, correction(1, why=""))
    with pytest.raises(ReasonMissing):
        decide(state, ask(CorrectColours, round=1, board=1))
    with refuses(Duplicate, "result-same", round=1, board=1):
        decide(state, correction(1, WON))


@pytest.mark.parametrize("completed", [False, True])
def test_before_the_next_pairing_a_correction_counts_for_it(completed: bool) -> None:
    """C.04.2:4.3, first window"""
    state = results(running(), "1-0", "1-0")
    if completed:
        state = after(state, ask(CompleteRound, round=1))

    state, events = when(state, correction(1))

    assert events == (ResultCorrected(round=1, board=1, outcome=DRAWN, was=WON, scope="pairing-next"),)
    assert state.rounds[0].outcomes[0] == DRAWN


def test_while_the_next_round_runs_a_correction_counts_from_the_pairing_after_it() -> None:
    """C.04.2:4.3, second window; VCL 190"""
    state = results(paired(played(ready(4, 3), *FIRST), *SECOND), "1-0")

    with warns("correction.stands", players=(1, 4), round=2, next=3) as refusal:
        decide(state, correction(1))
    assert (refusal.value.level, refusal.value.code) == (3, "correction")
    state, events = when(state, correction(1, ok=["correction"]))

    assert events == (ResultCorrected(round=1, board=1, outcome=DRAWN, was=WON, scope="pairing-after-next"),)
    assert state.rounds[0].outcomes[0] == DRAWN


def test_after_the_end_of_the_next_round_a_correction_is_for_the_rating_report_only() -> None:
    """C.04.2:4.3, third window; VCL 189, 191, 192"""
    state = played(played(ready(4, 3), *FIRST), *SECOND)

    with warns("rating-report-only", players=(1, 4)) as refusal:
        decide(state, correction(1))
    assert (refusal.value.level, refusal.value.code) == (3, "rating-report-only")
    state, events = when(state, correction(1, ok=["rating-report-only"]))

    assert events == (ResultCorrected(round=1, board=1, outcome=DRAWN, was=WON, scope="rating-report-only"),)
    assert state.rounds[0].outcomes[0] == WON, "pairings and standings keep the published result"
    assert state.rounds[0].game(1, RATING_REPORT).outcome == DRAWN

    with refuses(Duplicate, "result-same", round=1, board=1):
        decide(state, correction(1, level=3))
    [again] = decide(state, correction(1, LOST, level=3))
    assert again == ResultCorrected(round=1, board=1, outcome=LOST, was=DRAWN, scope="rating-report-only")


def test_a_round_two_back_is_for_the_report_even_while_the_last_one_runs() -> None:
    state = paired(played(played(ready(4, 3), *FIRST), *SECOND), *THIRD)

    [event] = decide(state, correction(1, level=3))
    [later] = decide(state, correction(2, level=3))

    assert isinstance(event, ResultCorrected)
    assert isinstance(later, ResultCorrected)
    assert (event.scope, later.scope) == ("rating-report-only", "pairing-after-next")


def test_the_late_result_of_an_adjourned_game_is_corrected_by_when_it_was_reported() -> None:
    """C.04.2:4.3 counts from the publication of the result, not from the round it belongs to."""
    state = after(running(), ask(AdjournGame, round=1, board=1))
    state = results_on(state, 2)
    state = played(state, *SECOND)
    state = paired(state, *THIRD)
    late = ask(RecordResult, round=1, board=1, outcome=WON, level=3)
    state = after(state, late)

    [event] = decide(state, correction(1, LOST))

    assert isinstance(event, ResultCorrected)
    assert event.scope == "pairing-next"
    [other] = decide(state, correction(1, LOST, board=2, level=3))
    assert isinstance(other, ResultCorrected)
    assert other.scope == "rating-report-only"


def test_the_windows_of_a_late_result_close_one_after_the_other() -> None:
    state = after(paired(ready(4, 5), *FIRST), ask(AdjournGame, round=1, board=1))
    state = paired(results_on(state, 2), *SECOND)
    state = results(after(state, ask(RecordResult, round=1, board=1, outcome=WON, level=3)), "1-0", "1-0")
    third = after(state, pairing(state, *THIRD, level=3))

    [event] = decide(third, correction(1, LOST, level=3))
    assert isinstance(event, ResultCorrected)
    assert event.scope == "pairing-after-next"
    with warns("correction.not-published", players=(1, 4), round=3, next=4):
        decide(third, correction(1, LOST))
    [event] = decide(after(third, ask(UnpairRound, round=3)), correction(1, LOST))
    assert isinstance(event, ResultCorrected)
    assert event.scope == "pairing-next"


def results_on(state: Tournament, board: int) -> Tournament:
    return after(state, ask(RecordResult, round=state.paired, board=board, outcome=WON))


def test_after_the_last_round_its_results_can_be_corrected_until_the_tournament_is_closed() -> None:
    state = ready(4, 3)
    for boards in ROUND_ROBIN:
        state = played(state, *boards)
    [open_] = decide(state, correction(3))
    closed = after(state, ask(CloseTournament))
    [late] = decide(closed, correction(3, level=3))

    assert isinstance(open_, ResultCorrected)
    assert isinstance(late, ResultCorrected)
    assert (open_.scope, late.scope) == ("pairing-next", "rating-report-only")
    with pytest.raises(TournamentOver):
        decide(closed, ask(RecordResult, round=3, board=1, outcome=WON))
    with pytest.raises(TournamentOver):
        decide(closed, ask(AdjournGame, round=3, board=1))


@pytest.mark.parametrize("edition", ["dutch-2026", "dutch-2017"])
def test_when_all_games_of_the_next_round_are_over_the_warning_asks_whether_it_had_ended(
    edition: str,
) -> None:
    """Whoever told it after the end of the next round told it for the rating report alone (C.04.2:4.3)."""
    state = paired(played(ready(4, 3, edition=edition), *FIRST), *SECOND)
    open_ = results(state, "1-0")
    over = results(state, "1-0", "½-½")
    asked = (
        correction(1),
        correction(1, parse_outcome("1F-0F")),
        ask(CorrectColours, round=1, board=1, why="video"),
        ask(
            CorrectBoards,
            round=1,
            boards=(Played(board=1, white=1, black=4), Played(board=2, white=3, black=2)),
            why="video",
        ),
    )
    for command in asked:
        with pytest.raises(NeedsAcknowledgement) as playing:
            decide(open_, command)
        with pytest.raises(NeedsAcknowledgement) as ended:
            decide(over, command)

        assert playing.value.warnings[-1].said.code == "correction.stands"
        told = ended.value.warnings[-1].said
        assert told.code == "correction.games-over"
        assert among(told, {"round": 2, "next": 3}) == {"round": 2, "next": 3}
    [late] = decide(after(over, ask(CompleteRound, round=2)), correction(1, level=3))
    assert isinstance(late, ResultCorrected)
    assert late.scope == "rating-report-only"


def test_unpairing_the_next_round_opens_the_first_window_again() -> None:
    state = played(ready(4, 3), *FIRST)
    state = after(state, pairing(state, *SECOND), ask(UnpairRound, round=2))

    [event] = decide(state, correction(1))

    assert isinstance(event, ResultCorrected)
    assert event.scope == "pairing-next"


def test_colours_are_corrected_and_everybody_keeps_their_result() -> None:
    state = results(running(), "1-0", "½-½")

    state, events = when(state, ask(CorrectColours, round=1, board=1, why="seen on video"))

    assert events == (ColoursCorrected(round=1, board=1, white=4, black=1, scope="pairing-next"),)
    assert state.rounds[0].boards == ((4, 1), (2, 3))
    assert state.rounds[0].outcomes[0] == LOST


def test_published_colours_are_not_reversed_before_the_game() -> None:
    """desk.md H3: that is an alteration of the boards, with all its warnings."""
    with refuses(NotNow, "not-played-to-correct-colours", round=1, board=1):
        decide(running(), ask(CorrectColours, round=1, board=1, why="prefers Black"))


def test_colours_have_the_same_windows_as_results() -> None:
    state = paired(played(ready(4, 3), *FIRST), *SECOND)
    with warns(
        "correction.stands", players=(1, 4), change=say("change.colours", round=1, board=1), round=2, next=3
    ):
        decide(state, ask(CorrectColours, round=1, board=1, why="video"))

    state = after(results(state, "1-0", "1-0"), ask(CompleteRound, round=2))
    command = ask(CorrectColours, round=1, board=1, why="video", ok=["rating-report-only"])
    state, events = when(state, command)
    assert events == (ColoursCorrected(round=1, board=1, white=4, black=1, scope="rating-report-only"),)
    assert state.rounds[0].boards[0] == (1, 4)

    [back] = decide(state, ask(CorrectColours, round=1, board=1, why="no, wrong board", level=3))
    assert back == ColoursCorrected(round=1, board=1, white=1, black=4, scope="rating-report-only")


def test_in_the_rating_report_result_and_colours_can_both_be_put_right() -> None:
    state = played(played(ready(4, 3), *FIRST), *SECOND)
    state = after(state, ask(CorrectColours, round=1, board=1, why="video", level=3))

    with refuses(Duplicate, "result-same", round=1, board=1):
        decide(state, correction(1, LOST, level=3))  # player 1 won, with Black as the report has it
    state, events = when(state, correction(1, WON, level=3))

    assert events == (ResultCorrected(round=1, board=1, outcome=WON, was=LOST, scope="rating-report-only"),)
    state = after(state, ask(CorrectColours, round=1, board=1, why="no, wrong board", level=3))
    assert state.rounds[0].game(1, RATING_REPORT).outcome == LOST, "each player keeps their own result"
