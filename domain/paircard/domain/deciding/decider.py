"""The decider: every command, and the function that decides it.

``decide`` may refuse, ``evolve`` of ``state`` never does; both are pure.
"""

from collections.abc import Callable, Mapping
from typing import Final

import msgspec

from paircard.domain import commands as ask
from paircard.domain.commands import Asked, Command
from paircard.domain.deciding import players, regulations, results, round_robin, rounds
from paircard.domain.deciding.decision import Decide, Decision, settle, weighed
from paircard.domain.events import Event
from paircard.domain.state import Tournament
from paircard.domain.values.rules import RULES

SWISS: Final[dict[type[Asked], Decide]] = {
    ask.OpenTournament: regulations.open_tournament,
    ask.ChangeRegulations: regulations.change,
    ask.RegisterPlayer: players.register,
    ask.CorrectPlayer: players.correct,
    ask.ListRating: players.list_rating,
    ask.WithdrawPlayer: players.withdraw,
    ask.RemovePlayer: players.remove,
    ask.MergePlayers: players.merge,
    ask.ReturnPlayer: players.bring_back,
    ask.ExpelPlayer: players.expel,
    ask.ReinstatePlayer: players.reinstate,
    ask.ErasePerson: players.erase,
    ask.GrantBye: players.grant_bye,
    ask.RevokeBye: players.revoke_bye,
    ask.ProhibitPairing: players.prohibit,
    ask.LiftProhibition: players.lift_prohibition,
    ask.AssignNumbers: players.assign_numbers,
    ask.ExchangeNumbers: players.exchange_numbers,
    ask.DrawInitialColour: rounds.draw_colour,
    ask.PairRound: rounds.pair,
    ask.UnpairRound: rounds.unpair,
    ask.PublishRound: rounds.publish,
    ask.BeginManualPairing: rounds.begin_manual,
    ask.EndManualPairing: rounds.end_manual,
    ask.PublishPrizes: regulations.publish_prizes,
    ask.CompleteRound: rounds.complete,
    ask.ReopenRound: rounds.reopen_round,
    ask.CloseTournament: rounds.close,
    ask.ReopenTournament: rounds.reopen,
    ask.RecordResult: results.record,
    ask.AdjournGame: results.adjourn,
    ask.ClearResult: results.clear,
    ask.CorrectResult: results.correct_result,
    ask.CorrectColours: results.correct_colours,
    ask.CorrectBoards: results.correct_boards,
    ask.DrawLots: results.draw_lots,
    ask.SetExternalTiebreak: results.set_value,
    ask.LeaveFideMode: regulations.leave_fide_mode,
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
"""The deciders of commands, by the name of the rules."""


def decide(state: Tournament, command: Command) -> tuple[Event, ...]:
    """The facts that follow from a command; refuses what may not be, and a warning that was not accepted."""
    decision = weigh(state, command)
    settle(decision, command.meta)
    return decision.events


def weigh(state: Tournament, command: Command) -> Decision:
    """The facts that would follow, with the warnings that must be accepted for them."""
    return weighed(DECIDERS[state.regulations.edition].get(type(command)), state, command)
