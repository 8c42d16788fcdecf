"""The decider: every command, and the function that decides it.

``decide`` may refuse, ``evolve`` of ``state`` never does; both are pure.
"""

from typing import assert_never

from paircard.domain.commands import (
    AdjournGame,
    AssignNumbers,
    BeginManualPairing,
    ChangeRegulations,
    ClearResult,
    CloseTournament,
    Command,
    CompleteRound,
    CorrectColours,
    CorrectPlayer,
    CorrectResult,
    DrawInitialColour,
    DrawLots,
    EndManualPairing,
    ErasePerson,
    ExchangeNumbers,
    ExpelPlayer,
    GrantBye,
    LeaveFideMode,
    LiftProhibition,
    ListRating,
    OpenTournament,
    PairRound,
    ProhibitPairing,
    PublishRound,
    RecordResult,
    RegisterPlayer,
    ReinstatePlayer,
    ReopenRound,
    ReopenTournament,
    ReturnPlayer,
    RevokeBye,
    SetExternalTiebreak,
    UnpairRound,
    WithdrawPlayer,
    well_typed,
)
from paircard.domain.deciding import byes, manual, players, regulations, results, rounds, ties
from paircard.domain.deciding.cautions import cited
from paircard.domain.deciding.decision import Decision, check_meta, regulations_of, settle
from paircard.domain.events import Event
from paircard.domain.state import Tournament


def decide(state: Tournament, command: Command) -> tuple[Event, ...]:
    """The facts that follow; none if the same command was carried out before."""
    decision = weigh(state, command)
    settle(decision, command.meta)
    return decision.events


def weigh(state: Tournament, command: Command) -> Decision:
    """The facts that would follow, with the warnings that must be accepted for it."""
    command = well_typed(command)
    check_meta(command.meta)
    if state.knows(command.meta.command_id):
        return Decision(())
    decision = _weighed(state, command)
    if not decision.warnings:
        return decision
    under = command.regulations if isinstance(command, OpenTournament) else regulations_of(state)
    return Decision(decision.events, tuple(cited(each, under.edition) for each in decision.warnings))


def _weighed(state: Tournament, command: Command) -> Decision:
    match command:
        case OpenTournament():
            return regulations.open_tournament(state, command)
        case ChangeRegulations():
            return regulations.change(state, command)
        case RegisterPlayer():
            return players.register(state, command)
        case CorrectPlayer():
            return players.correct(state, command)
        case ListRating():
            return players.list_rating(state, command)
        case WithdrawPlayer():
            return players.withdraw(state, command)
        case ReturnPlayer():
            return players.bring_back(state, command)
        case ExpelPlayer():
            return players.expel(state, command)
        case ReinstatePlayer():
            return players.reinstate(state, command)
        case ErasePerson():
            return players.erase(state, command)
        case GrantBye():
            return byes.grant_bye(state, command)
        case RevokeBye():
            return byes.revoke_bye(state, command)
        case ProhibitPairing():
            return byes.prohibit(state, command)
        case LiftProhibition():
            return byes.lift_prohibition(state, command)
        case AssignNumbers():
            return players.assign_numbers(state, command)
        case ExchangeNumbers():
            return players.exchange_numbers(state, command)
        case DrawInitialColour():
            return rounds.draw_colour(state, command)
        case PairRound():
            return rounds.pair(state, command)
        case UnpairRound():
            return rounds.unpair(state, command)
        case PublishRound():
            return rounds.publish(state, command)
        case BeginManualPairing():
            return manual.begin_manual(state, command)
        case EndManualPairing():
            return manual.end_manual(state, command)
        case CompleteRound():
            return rounds.complete(state, command)
        case ReopenRound():
            return rounds.reopen_round(state, command)
        case CloseTournament():
            return rounds.close(state, command)
        case ReopenTournament():
            return rounds.reopen(state, command)
        case RecordResult():
            return results.record(state, command)
        case AdjournGame():
            return results.adjourn(state, command)
        case ClearResult():
            return results.clear(state, command)
        case CorrectResult():
            return results.correct_result(state, command)
        case CorrectColours():
            return results.correct_colours(state, command)
        case DrawLots():
            return ties.draw_lots(state, command)
        case SetExternalTiebreak():
            return ties.set_value(state, command)
        case LeaveFideMode():
            return regulations.leave_fide_mode(state, command)
        case _:
            assert_never(command)
