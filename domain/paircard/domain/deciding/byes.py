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
from paircard.domain.state import Player, Tournament
from paircard.domain.values.players import Details
from paircard.domain.values.regulations import Regulations, announced_half_byes
from paircard.domain.values.results import REQUESTED


def grant_bye(state: Tournament, command: GrantBye) -> Decision:
    """A bye known before the round is paired, or forgotten until then (C.04.2:3.3)."""
    regulations = need_running(state)
    player = player_of(state, command.player)
    round = command.round
    letter = command.letter or ("H" if announced_half_byes(regulations) else "Z")
    if letter not in REQUESTED or len(letter) != 1:
        raise Invalid("bye-unknown", text=letter)
    already = dict(player.byes).get(round)
    if already:
        raise Duplicate("bye-there", player=player.id, round=round, value=already)
    warnings: list[Caution] = []
    if round == state.paired and state.rounds[-1].published:
        warnings += _forgotten(state, player, command)
    else:
        _need_open_round(state, round, regulations.rounds)
        if player.status:
            raise NotNow("bye-not-needed", player=player.id, status=player.status)
    if letter == "F":  # VCL 178
        warnings.append(caution("full-point-bye", player=player.id))
    if letter == "H":
        halves = 1 + player.missed.count("H") + sum(1 for _, bye in player.byes if bye == "H")
        warnings += half_byes(regulations, player.details, round, halves, player.id)
    event = ByeGranted(player=player.id, round=round, letter=letter)
    return Decision((event,), tuple(warnings))


def _forgotten(state: Tournament, player: Player, command: GrantBye) -> tuple[Caution, ...]:
    """A bye for the round that is being played, of somebody who sits at no board."""
    last = state.rounds[-1]
    if player.id not in dict(last.absent):
        code = "player-has-the-bye" if last.pab == player.id else "player-at-board"
        raise NotNow(code, player=player.id, round=last.number)
    need_reason(command.meta, "deed.late-bye", round=last.number)
    return (caution("late-bye", player=player.id, round=last.number),)


def half_byes(
    regulations: Regulations, details: Details, round: int, count: int, player: int = 0
) -> tuple[Caution, ...]:
    """Warnings about this number of half-point byes, the last in this round; a late entry has no id yet."""
    if not details.half_byes:  # VCL 176
        raise NotNow("half-bye-barred", player=player, name=details.name)
    warnings: tuple[Caution, ...] = ()
    end = regulations.last_half_bye
    if not announced_half_byes(regulations):  # C.04.2:3.3: zero points unless the rules say otherwise
        warnings += (caution("half-bye-not-announced", player=player),)
    if count > max(1, announced_half_byes(regulations)):  # VCL 174
        warnings += (caution("second-half-bye", player=player, name=details.name, count=count),)
    if end and round > end:
        warnings += (caution("late-half-bye", player=player, round=round, last=end),)
    return warnings


def revoke_bye(state: Tournament, command: RevokeBye) -> Decision:
    """The player will play after all."""
    regulations = need_running(state)
    player = player_of(state, command.player)
    late = command.round == state.paired and state.rounds[-1].published
    if not (late and player.id in dict(state.rounds[-1].absent)):
        _need_open_round(state, command.round, regulations.rounds)
    if command.round not in dict(player.byes):
        raise NotNow("no-bye-to-revoke", player=player.id, round=command.round)
    if late:
        need_reason(command.meta, "deed.revoking-late", round=command.round)
    return Decision((ByeRevoked(player=player.id, round=command.round),))


def _need_open_round(state: Tournament, round: int, rounds: int) -> None:
    if not 1 <= round <= rounds:
        raise Invalid("round-out-of-range", round=round, rounds=rounds)
    if round == state.paired and not state.rounds[-1].published:
        raise NotNow("bye-after-pairing", round=round)
    if round <= state.paired:
        raise NotNow("bye-too-late", round=round, next=state.paired + 1)
    if state.manual == round:
        need_no_session(state)


def prohibit(state: Tournament, command: ProhibitPairing) -> Decision:
    """Keep players apart; only before round 1 is paired (VCL 195, 196)."""
    regulations = need_running(state)
    ids = tuple(sorted(set(command.players)))
    for id in ids:
        player_of(state, id)
    if len(ids) < 2 or len(ids) != len(command.players):
        raise Invalid("prohibition-of-one")
    if command.first > command.last:
        raise Invalid("rounds-turned", first=command.first, last=command.last)
    if not 1 <= command.first <= regulations.rounds or not (
        command.last <= regulations.rounds or command.last == 999
    ):
        raise Invalid(
            "rounds-out-of-range", rounds=regulations.rounds, first=command.first, last=command.last
        )
    event = PairingProhibited(players=ids, first=command.first, last=command.last)
    if event in state.prohibitions:
        raise Duplicate("prohibition-there")
    warnings: tuple[Caution, ...] = ()
    restored = any(ban.players == ids and ban.last == state.paired for ban in state.prohibitions)
    if state.paired and not (restored and event.first == state.paired + 1):  # lifted by a slip just now
        warnings = (level_five(state, "late-prohibition"),)
    return Decision((event,), warnings)


def lift_prohibition(state: Tournament, command: LiftProhibition) -> Decision:
    """Take back a prohibition that was entered by mistake; rounds that are paired stay as they are."""
    regulations = need_running(state)
    if state.paired >= regulations.rounds:
        raise NotNow("prohibition-too-late")
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
        raise NotNow("no-prohibition-to-lift", players=ids)
    if not state.paired:
        return Decision(events)
    need_reason(command.meta, "deed.lifting")
    return Decision(events, (caution("prohibition-lifted", players=ids, last=state.paired),))
