"""Deciding about byes, and about players who are not to meet."""

from paircard.domain.commands import GrantBye, LiftProhibition, ProhibitPairing, RevokeBye
from paircard.domain.deciding.cautions import caution
from paircard.domain.deciding.decision import (
    Decision,
    level_five,
    need_no_session,
    need_reason,
    need_running,
    player_of,
)
from paircard.domain.errors import Caution, Duplicate, Invalid, NotNow
from paircard.domain.events import ByeGranted, ByeRevoked, PairingProhibited, ProhibitionLifted
from paircard.domain.state import Player, Tournament, called
from paircard.domain.values.players import Details
from paircard.domain.values.regulations import Regulations, announced_half_byes
from paircard.domain.values.results import REQUESTED
from paircard.domain.values.text import enumerated


def grant_bye(state: Tournament, command: GrantBye) -> Decision:
    """A bye known before the round is paired, or forgotten until then (C.04.2:3.3)."""
    regulations = need_running(state)
    player = player_of(state, command.player)
    round = command.round
    letter = command.letter or ("H" if announced_half_byes(regulations) else "Z")
    if letter not in REQUESTED or len(letter) != 1:
        raise Invalid(f"bye {letter[:10]!r} is unknown: H half, F full, Z zero points")
    already = dict(player.byes).get(round)
    if already:
        raise Duplicate(
            f"{called(state, player.id)} already has a bye ({already}) in round {round}: revoke it first"
        )
    warnings: list[Caution] = []
    if round == state.paired and state.rounds[-1].published:
        warnings += _forgotten(state, player, command)
    else:
        _need_open_round(state, round, regulations.rounds)
        if player.status:
            raise NotNow(f"{called(state, player.id)} is {player.status}: no bye is needed")
    if letter == "F":  # VCL 178
        warnings.append(caution("full-point-bye", "full-point byes are deprecated", player.id))
    if letter == "H":
        halves = 1 + player.missed.count("H") + sum(1 for _, bye in player.byes if bye == "H")
        warnings += half_byes(regulations, called(state, player.id), player.details, round, halves, player.id)
    event = ByeGranted(player=player.id, round=round, letter=letter)
    return Decision((event,), tuple(warnings))


def _forgotten(state: Tournament, player: Player, command: GrantBye) -> tuple[Caution, ...]:
    """A bye for the round that is being played, of somebody who sits at no board."""
    last = state.rounds[-1]
    if player.id not in dict(last.absent):
        seat = "has the pairing-allocated bye" if last.pab == player.id else "sits at a board"
        who = called(state, player.id)
        raise NotNow(f"{who} {seat} in round {last.number}: alter the boards first, then grant the bye")
    need_reason(command.meta, f"a bye for the paired round {last.number}")
    return (caution("late-bye", f"round {last.number} is paired already", player.id),)


def half_byes(
    regulations: Regulations, who: str, details: Details, round: int, count: int, *players: int
) -> tuple[Caution, ...]:
    """Warnings about this number of half-point byes, the last of them in this round."""
    if not details.half_byes:  # VCL 176
        raise NotNow(f"{who} is barred from half-point byes: grant a zero-point bye instead")
    warnings: tuple[Caution, ...] = ()
    end = regulations.last_half_bye
    if not announced_half_byes(regulations):  # C.04.2:3.3: zero points unless the rules say otherwise
        message = "the regulations announce no half-point byes, so an absence is worth nothing"
        warnings += (caution("half-bye-not-announced", message, *players),)
    if count > max(1, announced_half_byes(regulations)):  # VCL 174
        message = f"{who} would have {count} half-point byes"
        warnings += (caution("second-half-bye", message, *players),)
    if end and round > end:
        message = f"half-point byes end with round {end}, this is round {round}"
        warnings += (caution("late-half-bye", message, *players),)
    return warnings


def revoke_bye(state: Tournament, command: RevokeBye) -> Decision:
    """The player will play after all."""
    regulations = need_running(state)
    player = player_of(state, command.player)
    late = command.round == state.paired and state.rounds[-1].published
    if not (late and player.id in dict(state.rounds[-1].absent)):
        _need_open_round(state, command.round, regulations.rounds)
    if command.round not in dict(player.byes):
        raise NotNow(f"{called(state, player.id)} has no bye in round {command.round}: nothing to revoke")
    if late:
        need_reason(command.meta, f"revoking a bye of the paired round {command.round}")
    return Decision((ByeRevoked(player=player.id, round=command.round),))


def _need_open_round(state: Tournament, round: int, rounds: int) -> None:
    if not 1 <= round <= rounds:
        raise Invalid(f"the tournament has rounds 1 to {rounds}, not {round}")
    if round == state.paired and not state.rounds[-1].published:
        raise NotNow(
            f"round {round} is paired but not published: take the pairing back, change the bye, pair again"
        )
    if round <= state.paired:
        raise NotNow(f"round {round} is paired: byes can be changed from round {state.paired + 1} on")
    if state.manual == round:
        need_no_session(state)


def prohibit(state: Tournament, command: ProhibitPairing) -> Decision:
    """Keep players apart; only before round 1 is paired (VCL 195, 196)."""
    regulations = need_running(state)
    ids = tuple(sorted(set(command.players)))
    for id in ids:
        player_of(state, id)
    if len(ids) < 2 or len(ids) != len(command.players):
        raise Invalid("a prohibition names two or more different players")
    if command.first > command.last:
        raise Invalid(f"the first round ({command.first}) is after the last ({command.last})")
    if not 1 <= command.first <= regulations.rounds or not (
        command.last <= regulations.rounds or command.last == 999
    ):
        raise Invalid(
            f"the tournament has rounds 1 to {regulations.rounds}, not {command.first} to {command.last}"
        )
    event = PairingProhibited(players=ids, first=command.first, last=command.last)
    if event in state.prohibitions:
        raise Duplicate("this prohibition is already on record")
    warnings: tuple[Caution, ...] = ()
    restored = any(ban.players == ids and ban.last == state.paired for ban in state.prohibitions)
    if state.paired and not (restored and event.first == state.paired + 1):  # lifted by a slip just now
        message = "round 1 is paired, and prohibited pairings must be announced before"
        warnings = (level_five(state, "late-prohibition", message),)
    return Decision((event,), warnings)


def lift_prohibition(state: Tournament, command: LiftProhibition) -> Decision:
    """Take back a prohibition that was entered by mistake; rounds that are paired stay as they are."""
    regulations = need_running(state)
    if state.paired >= regulations.rounds:
        raise NotNow("the last round is paired: a prohibition no longer matters")
    ids = tuple(sorted(set(command.players)))
    for id in ids:
        player_of(state, id)
    coming = state.paired + 1
    events = tuple(
        ProhibitionLifted(players=ban.players, first=ban.first, last=ban.last, round=coming)
        for ban in state.prohibitions
        if ban.players == ids and ban.last >= coming
    )
    if not events:
        names = enumerated(called(state, id) for id in ids) or "nobody"
        raise NotNow(f"no prohibition names just {names}: nothing to lift")
    if not state.paired:
        return Decision(events)
    need_reason(command.meta, "lifting a prohibition after round 1 was paired")
    message = (
        f"rounds 1 to {state.paired} were paired under this prohibition"
        if state.paired > 1
        else ("round 1 was paired under this prohibition")
    )
    return Decision(events, (caution("prohibition-lifted", message, *ids),))
