"""The decider: every command, and the function that decides it.

``decide`` may refuse, ``evolve`` of ``state`` never does; both are pure.
"""

from collections.abc import Callable, Mapping
from typing import Final

import msgspec

from paircard.domain.commands import (
    AdjournGame,
    Asked,
    AssignNumbers,
    BeginManualPairing,
    ChangeRegulations,
    ClearResult,
    CloseTournament,
    Command,
    CompleteRound,
    CorrectBoards,
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
    MergePlayers,
    OpenTournament,
    PairRound,
    ProhibitPairing,
    PublishRound,
    RecordResult,
    RegisterPlayer,
    ReinstatePlayer,
    RemovePlayer,
    ReopenRound,
    ReopenTournament,
    ReturnPlayer,
    RevokeBye,
    SetExternalTiebreak,
    UnpairRound,
    WithdrawPlayer,
)
from paircard.domain.deciding import byes, manual, players, regulations, results, rounds, ties
from paircard.domain.deciding.decision import Decide, Decision, settle, weighed
from paircard.domain.errors import Invalid
from paircard.domain.events import Event
from paircard.domain.state import Tournament
from paircard.domain.systems import round_robin
from paircard.domain.values.rules import RULES

SWISS: Final[dict[type[Asked], Decide]] = {
    OpenTournament: regulations.open_tournament,
    ChangeRegulations: regulations.change,
    RegisterPlayer: players.register,
    CorrectPlayer: players.correct,
    ListRating: players.list_rating,
    WithdrawPlayer: players.withdraw,
    RemovePlayer: players.remove,
    MergePlayers: players.merge,
    ReturnPlayer: players.bring_back,
    ExpelPlayer: players.expel,
    ReinstatePlayer: players.reinstate,
    ErasePerson: players.erase,
    GrantBye: byes.grant_bye,
    RevokeBye: byes.revoke_bye,
    ProhibitPairing: byes.prohibit,
    LiftProhibition: byes.lift_prohibition,
    AssignNumbers: players.assign_numbers,
    ExchangeNumbers: players.exchange_numbers,
    DrawInitialColour: rounds.draw_colour,
    PairRound: rounds.pair,
    UnpairRound: rounds.unpair,
    PublishRound: rounds.publish,
    BeginManualPairing: manual.begin_manual,
    EndManualPairing: manual.end_manual,
    CompleteRound: rounds.complete,
    ReopenRound: rounds.reopen_round,
    CloseTournament: rounds.close,
    ReopenTournament: rounds.reopen,
    RecordResult: results.record,
    AdjournGame: results.adjourn,
    ClearResult: results.clear,
    CorrectResult: results.correct_result,
    CorrectColours: results.correct_colours,
    CorrectBoards: results.correct_boards,
    DrawLots: ties.draw_lots,
    SetExternalTiebreak: ties.set_value,
    LeaveFideMode: regulations.leave_fide_mode,
}
"""Every command there is, and the function that decides it in a Swiss."""


class System(msgspec.Struct, frozen=True):
    """How each command is decided under a family of rules, or why it makes no sense there."""

    deciders: Mapping[type[Asked], Decide]
    need_pairable: Callable[[Tournament, int], object]
    """Refuses a round that cannot be paired now, before anybody works out its boards."""


SYSTEMS: Final = {
    "dutch": System(SWISS, rounds.need_computable),
    "round-robin": System(SWISS | round_robin.DECIDERS, round_robin.need_round),
}
"""By the family of the rules."""
DECIDERS: Final = {name: SYSTEMS[rules.family].deciders for name, rules in RULES.items()}
"""Who decides a command, by the name of the rules."""


def decide(state: Tournament, command: Command) -> tuple[Event, ...]:
    """The facts that follow from a command; refuses what may not be, and a warning that was not accepted."""
    decision = weigh(state, command)
    settle(decision, command.meta)
    return decision.events


def weigh(state: Tournament, command: Command) -> Decision:
    """The facts that would follow, with the warnings that must be accepted for them."""
    return weighed(decider_of(state, command), state, command)


def decider_of(state: Tournament, command: Command) -> Decide:
    """The function that decides a command of a tournament; refuses what is none."""
    found = DECIDERS[state.regulations.edition].get(type(command))
    if found is None:
        raise Invalid("not-a-command", kind=type(command).__name__)
    return found
