"""Deciding about results, and what a correction may still touch (C.04.2:4.3)."""

from collections import Counter
from collections.abc import Mapping

from msgspec.structs import replace

from paircard.domain.commands import (
    AdjournGame,
    ClearResult,
    CorrectBoards,
    CorrectColours,
    CorrectResult,
    RecordResult,
)
from paircard.domain.deciding.cautions import caution
from paircard.domain.deciding.decision import (
    Decision,
    board_of,
    need_no_session,
    need_reason,
    need_running,
    player_of,
    regulations_of,
    round_of,
)
from paircard.domain.deciding.open_games import missing_results
from paircard.domain.errors import Caution, Duplicate, Invalid, NotNow
from paircard.domain.events import (
    BoardsCorrected,
    ColoursCorrected,
    GameAdjourned,
    Played,
    ResultCleared,
    ResultCorrected,
    ResultRecorded,
    Scope,
)
from paircard.domain.rounds import ADJOURNED, CURRENT, RATING_REPORT, Game, Round, outcome_in_words, turned
from paircard.domain.state import Tournament, called, rounds_paired_at
from paircard.domain.values.editions import CORRECTIONS_ALWAYS_COUNT
from paircard.domain.values.results import BYE_NAMES, DRAWN, OUTCOMES, Outcome, spell
from paircard.domain.values.text import named


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


def correct_boards(state: Tournament, command: CorrectBoards) -> Decision:
    """Others met than the record has, which came out once the next round was paired."""
    regulations_of(state)
    round = _open_round(state, command.round)
    if round.number == state.paired and not state.closed:
        first = "reopen it, " if round.completed else ""
        raise NotNow(
            f"round {round.number} is the last one paired, and its boards can still be altered: {first}clear "
            "the results of these boards, alter the boards, and enter the results"
        )
    need_reason(command.meta, f"a correction of round {round.number}")
    scope = correction_scope(state, round.number)
    now = round.games(_view_of(scope))
    bye = round.bye.as_seen_by(_view_of(scope)).white
    seated = {
        at: Played(board=at, white=g.white, black=g.black, outcome=g.outcome) for at, g in enumerate(now, 1)
    }
    played = dict(seated)
    for one in command.boards:
        board_of(round, one.board)
        if played[one.board] is not seated[one.board]:
            raise Invalid(f"board {one.board} of round {round.number} is given twice: give it once")
        played[one.board] = _as_played(state, round, one, now)
    pab = command.pab or bye
    _need_everybody_once(state, round, played, pab, bye)
    changed = [at for at in seated if played[at] != seated[at]]
    if not changed:
        raise Duplicate(f"these are the boards of round {round.number} as they are recorded")
    event = BoardsCorrected(
        round=round.number,
        boards=tuple(played[at] for at in changed),
        was=tuple(seated[at] for at in changed),
        scope=scope,
        pab=pab,
        pab_was=bye,
    )
    games = [one[at] for one in (seated, played) for at in changed]
    players = sorted({id for one in games for id in (one.white, one.black)})
    told = "; ".join(f"board {at} {_game_named(state, played[at])}" for at in changed[:6])
    told += f"; and {len(changed) - 6} more" * (len(changed) > 6)
    if pab != bye:
        told += f"; {called(state, pab)} bye"
    message = f"round {round.number} would be on record as played otherwise: {told}"
    change = f"{named('board', changed)} of round {round.number} as played"
    warnings = _window_warnings(state, scope, change, *players)
    return Decision((event,), (caution("boards-as-played", message, *players), *warnings))


def _as_played(state: Tournament, round: Round, one: Played, now: tuple[Game, ...]) -> Played:
    """A board as it was played, with the result on record if the same two met."""
    for id in (one.white, one.black):
        player_of(state, id)
    if one.outcome is not None:
        if one.outcome != ADJOURNED:
            _need_outcome(one.outcome)
        return one
    for game in now:
        if {game.white, game.black} == {one.white, one.black}:
            was = game.outcome
            return replace(one, outcome=was and (was if game.white == one.white else turned(was)))
    raise Invalid(
        f"{called(state, one.white)} and {called(state, one.black)} did not meet in "
        f"round {round.number} by the record: give the result of board {one.board}, too"
    )


def _need_everybody_once(
    state: Tournament, round: Round, played: Mapping[int, Played], pab: int, bye: int
) -> None:
    """Refuse boards that are not of those who were paired in the round, each of them once."""
    if pab:
        player_of(state, pab)
    if pab and not bye:
        raise Invalid(f"nobody had the bye in round {round.number}: give boards alone")
    seats = Counter(id for one in played.values() for id in (one.white, one.black))
    seats[pab] += 1
    paired = {id for board in round.boards for id in board} | {round.pab}
    absent = dict(round.absent)
    for id, count in seats.items():
        who = called(state, id) if id else ""
        if count > 1 and id == bye == pab:
            raise Invalid(f"{who} had the bye in round {round.number}: say who had it instead")
        if count > 1:
            lost = min(paired - seats.keys())
            raise Invalid(
                f"{who} would sit twice in round {round.number} and {called(state, lost)} not at "
                "all: name every board that was played otherwise"
            )
        if id not in paired:
            has = BYE_NAMES.get(absent.get(id, ""), "entered later")
            raise Invalid(
                f"{who} was not paired in round {round.number} ({has}): only those who were paired can have "
                "played; a game that did not take place is corrected to a forfeit"
            )


def _game_named(state: Tournament, played: Played) -> str:
    """Who met, and the result."""
    pair = " – ".join(called(state, id) for id in (played.white, played.black))
    return f"{pair} {outcome_in_words(played.outcome)}".rstrip()


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
        elif (
            state.rounds[-1].published and not missing_results(state.rounds[-1]) and not _always_counts(state)
        ):
            effect = (
                f"round {last} is paired and stands, so it counts {then}; all games of round {last} are "
                "over: if it had ended when this was told, complete it first, and this counts for the rating "
                "report only"
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
