"""Deciding about ties that no computed tie-break parts: lots, rankings by hand, values from outside."""

from paircard.domain.commands import DrawLots, SetExternalTiebreak
from paircard.domain.deciding.decision import Decision, need_reason, need_results, need_running, player_of
from paircard.domain.errors import Duplicate, Invalid
from paircard.domain.events import ExternalTiebreakSet, LotsDrawn
from paircard.domain.state import Tournament
from paircard.domain.values.text import checked_text


def draw_lots(state: Tournament, command: DrawLots) -> Decision:
    """Order tied players. What lots have once decided between two stays so (VCL 204–206).

    After the last round they make the final standings, which wait for every result (VCL 161, 169).
    """
    regulations = need_running(state)
    if state.paired >= regulations.rounds:
        need_results(state, "lots")
    for id in command.players:
        player_of(state, id)
    if len(command.players) < 2 or len(set(command.players)) != len(command.players):
        raise Invalid("lots-of-one")
    if command.by_hand:
        need_reason(command.meta, "deed.ranking-by-hand")
        return Decision((LotsDrawn(players=command.players, method="hand"),))
    for drawn in state.lots:
        if set(command.players) <= set(drawn.players):
            raise Duplicate("lots-drawn", players=drawn.players)
    return Decision((LotsDrawn(players=_as_drawn_before(state.lots, command.players), method="lots"),))


def _as_drawn_before(lots: tuple[LotsDrawn, ...], players: tuple[int, ...]) -> tuple[int, ...]:
    """The new order, with those who were drawn together before in their old order on their places."""
    order = list(players)
    for drawn in reversed(lots):
        places = [k for k, id in enumerate(order) if id in drawn.players]
        for k, id in zip(places, [id for id in drawn.players if id in order], strict=True):
            order[k] = id
    return tuple(order)


def set_value(state: Tournament, command: SetExternalTiebreak) -> Decision:
    """Enter a tie-break value from outside, such as a play-off, that was announced (VCL 207)."""
    regulations = need_running(state)
    player = player_of(state, command.player)
    checked_text("tiebreak", command.name, required=True, limit=40)
    announced = [code.upper() for code in regulations.tiebreaks if code.upper().startswith("OTHER_")]
    if f"OTHER_{command.name.upper().removeprefix('OTHER_')}" not in announced:
        raise Invalid("tiebreak-not-announced", name=command.name, codes=announced)
    if abs(command.value) >= 10**9:
        raise Invalid("value-out-of-range", value=str(command.value))
    return Decision((ExternalTiebreakSet(player=player.id, name=command.name, value=command.value),))
