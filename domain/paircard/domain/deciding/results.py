"""Deciding about results, and what a correction may still touch (C.04.2:4.3)."""

from paircard.domain.commands import AdjournGame, ClearResult, CorrectColours, CorrectResult, RecordResult
from paircard.domain.deciding.cautions import caution
from paircard.domain.deciding.decision import (
    Decision,
    board_of,
    need_no_session,
    need_reason,
    need_running,
    regulations_of,
    round_of,
)
from paircard.domain.errors import Caution, Duplicate, Invalid, NotNow
from paircard.domain.events import (
    ColoursCorrected,
    GameAdjourned,
    ResultCleared,
    ResultCorrected,
    ResultRecorded,
    Scope,
)
from paircard.domain.rounds import ADJOURNED, CURRENT, RATING_REPORT, Round
from paircard.domain.state import Tournament, rounds_paired_at
from paircard.domain.values.editions import CORRECTIONS_ALWAYS_COUNT
from paircard.domain.values.results import DRAWN, OUTCOMES, Outcome, spell


def record(state: Tournament, command: RecordResult) -> Decision:
    """A first result of a board, or the end of an adjourned game at any time (VCL 162)."""
    need_running(state)
    _need_outcome(command.outcome)
    round = _open_round(state, command.round)
    now = board_of(round, command.board).outcome
    if now == command.outcome:
        return Decision(())  # a list of results that is sent again
    if now is not None and now != ADJOURNED:
        raise Duplicate(
            f"board {command.board} of round {round.number} already has the result {spell(now)}: "
            "correct it if it is wrong, or clear it if it belongs to another board"
        )
    warnings: tuple[Caution, ...] = ()
    if now == ADJOURNED and command.outcome not in DRAWN:  # VCL 163
        game = round.game(command.board)
        later = f", counted as a draw for the pairing of round {round.number + 1}," * (
            state.paired > round.number
        )
        message = (
            f"board {command.board} of round {round.number} was adjourned{later} "
            f"and ended {spell(command.outcome)}, not in a draw"
        )
        warnings = (caution("adjourned-not-drawn", message, game.white, game.black),)
    event = ResultRecorded(round=round.number, board=command.board, outcome=command.outcome)
    return Decision((event,), warnings)


def adjourn(state: Tournament, command: AdjournGame) -> Decision:
    """A game to be finished later (C.04.2:3.1)."""
    need_running(state)
    round = _open_round(state, command.round)
    now = board_of(round, command.board).outcome
    if now == ADJOURNED:
        return Decision(())
    if now is not None:
        raise Duplicate(
            f"board {command.board} of round {round.number} already has the result {spell(now)}: "
            "clear it first if the game goes on"
        )
    return Decision((GameAdjourned(round=round.number, board=command.board),))


def clear(state: Tournament, command: ClearResult) -> Decision:
    """A result entered on the wrong board: the game is open again, as long as no pairing used it.

    An adjourned game is adjourned again.
    """
    need_running(state)
    round = _open_round(state, command.round)
    was = board_of(round, command.board).outcome
    if was is None:
        raise NotNow(f"board {command.board} of round {round.number} has no result: nothing to clear")
    cleared = ResultCleared(round=round.number, board=command.board, was=was)
    if was != ADJOURNED and round.histories[command.board - 1].finished_at() > state.rounds[-1].version:
        # no pairing has used the result of the adjourned game
        return Decision((cleared, GameAdjourned(round=round.number, board=command.board)))
    if round.number < state.paired:
        way = "correct it" if state.rounds[-1].published else "take that pairing back first, or correct it"
        raise NotNow(f"round {round.number + 1} is paired with this result: {way}")
    if round.completed:
        raise NotNow(f"round {round.number} is completed: reopen it first, or correct the result")
    return Decision((cleared,))


def correct_result(state: Tournament, command: CorrectResult) -> Decision:
    """A result was recorded wrongly."""
    regulations_of(state)
    _need_outcome(command.outcome)
    round = _open_round(state, command.round)
    now = board_of(round, command.board).outcome
    if now is None or now == ADJOURNED:
        raise NotNow(f"board {command.board} of round {round.number} has no result to correct: enter it")
    need_reason(command.meta, f"a correction of round {round.number}")
    scope = correction_scope(state, _reported_in(state, round, command.board))
    was = round.game(command.board, _view_of(scope)).outcome
    assert was is not None, "the board has a result"
    if was == command.outcome:
        raise Duplicate(f"board {command.board} of round {round.number} is already recorded as {spell(was)}")
    change = f"board {command.board} of round {round.number}: {spell(was)} becomes {spell(command.outcome)}"
    event = ResultCorrected(
        round=round.number, board=command.board, outcome=command.outcome, was=was, scope=scope
    )
    game = round.game(command.board)
    return Decision((event,), _window_warnings(state, scope, change, game.white, game.black))


def correct_colours(state: Tournament, command: CorrectColours) -> Decision:
    """A game was played with White and Black the other way round."""
    regulations_of(state)
    round = _open_round(state, command.round)
    if board_of(round, command.board).outcome is None:
        raise NotNow(
            f"board {command.board} of round {round.number} has no result: colours are corrected as played; "
            "to change them before the game, alter the boards"
        )
    need_reason(command.meta, f"a correction of round {round.number}")
    scope = correction_scope(state, round.number)
    game = round.game(command.board, _view_of(scope))
    event = ColoursCorrected(
        round=round.number, board=command.board, white=game.black, black=game.white, scope=scope
    )
    change = f"board {command.board} of round {round.number} was played with colours reversed"
    return Decision((event,), _window_warnings(state, scope, change, game.white, game.black))


def correction_scope(state: Tournament, round: int) -> Scope:
    """What a correction may touch of what was reported in this round, by how far the event has gone.

    [C.04.2:4.3] counts from the publication of the result. That of an adjourned game comes in a later round:
    until then it was a draw, and what was wrong with it has been used no sooner. [2012 F.7] has no windows:
    all pairings yet to be made are affected, until the tournament is closed.
    """
    if state.closed:
        return "rating-report-only"
    if round == state.paired:
        return "pairing-next"
    if _always_counts(state):
        return "pairing-after-next"
    if round == state.paired - 1 and not state.rounds[-1].completed:
        return "pairing-after-next"
    return "rating-report-only"


def _always_counts(state: Tournament) -> bool:
    return state.regulations is not None and state.regulations.edition in CORRECTIONS_ALWAYS_COUNT


def _reported_in(state: Tournament, round: Round, board: int) -> int:
    """The round in which the result became known: for an adjourned game a later one."""
    finished = round.histories[board - 1].finished_at()
    return rounds_paired_at(state, finished) if finished else round.number


def _view_of(scope: Scope) -> int:
    return RATING_REPORT if scope == "rating-report-only" else CURRENT


def _window_warnings(state: Tournament, scope: Scope, change: str, *players: int) -> tuple[Caution, ...]:
    last = state.paired
    if scope == "pairing-after-next":
        more = last < regulations_of(state).rounds
        then = f"from the pairing of round {last + 1}" if more else "for the standings alone"
        if state.rounds[-1].published and _always_counts(state) and not any(state.rounds[-1].outcomes):
            effect = (
                f"round {last} is public but not played: take that pairing back first if it is to count "
                f"there, or it counts {then}"
            )
        elif state.rounds[-1].published:
            effect = f"round {last} is paired and stands, so it counts {then}"
        else:
            effect = (
                f"round {last} is paired but not published: take that pairing back first, or it counts {then}"
            )
        return (caution("correction", f"{change}; {effect}", *players),)
    if scope == "rating-report-only":
        message = f"{change} in the rating report alone; pairings and standings keep what was used"
        return (caution("rating-report-only", message, *players),)
    return ()


def _open_round(state: Tournament, number: int) -> Round:
    round = round_of(state, number)
    if state.manual == number:
        need_no_session(state)
    if not round.published:
        raise NotNow(f"round {number} is not published: publish it first")
    return round


def _need_outcome(outcome: Outcome) -> None:
    if outcome not in OUTCOMES:  # VCL 181, 182, 184
        asked = f"{outcome.white[:4]}-{outcome.black[:4]}"
        raise Invalid(f"{asked} is not a result: use one of {', '.join(map(spell, OUTCOMES))}")
