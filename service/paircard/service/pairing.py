"""Pairing a round: what is known, the engine's answer, and the command that records it."""

from collections.abc import Sequence
from typing import Literal, TypeAlias

from msgspec.structs import replace

from paircard.domain.commands import BeginManualPairing, EndManualPairing, PairRound
from paircard.domain.deciding.boards import exchanged, paired_together
from paircard.domain.deciding.decision import round_of
from paircard.domain.deciding.rounds import need_colour, need_pairable
from paircard.domain.errors import IllegalPairing, NotNow
from paircard.domain.events import Board
from paircard.pairing import ENGINE, NoLegalRound, PairingError, pair
from paircard.projections.history import History
from paircard.projections.round.numbers import numbers_for_pairing
from paircard.projections.round.snapshot import Snapshot
from paircard.projections.views import snapshot_now
from paircard.service.finding import Roster, find_player

Seat: TypeAlias = int | str
"""A player by id; or as people type it, by number on the sheet of the round, ``#id`` or name."""
Seats: TypeAlias = tuple[Seat, Seat]
"""White and Black of a board."""
Change: TypeAlias = Literal["swap", "pair"]
"""What two players of a round do: change seats, or meet."""


def propose_round(history: History, round: int | None = None) -> PairRound:
    """The command that records the engine's next round; refuses what deciding would refuse after it."""
    number = history.paired + 1 if round is None else round
    need_pairable(history.state, number)
    need_colour(history.state)
    snapshot = snapshot_now(history)
    boards, pab = engine_round(snapshot)
    return PairRound(
        round=number,
        boards=boards,
        pab=pab,
        based_on=history.version,
        snapshot=snapshot.digest(),
        engine=ENGINE,
    )


def propose_boards(
    history: History, round: int | None, boards: Sequence[Seats], pab: Seat = 0
) -> tuple[BeginManualPairing, EndManualPairing]:
    """The commands that record boards made elsewhere: a manual pairing, compared with the engine's."""
    number = history.paired + 1 if round is None else round
    need_pairable(history.state, number)
    need_colour(history.state)
    found, bye = find_seats(history, boards, pab)
    command = EndManualPairing(round=number, boards=found, pab=bye, based_on=history.version + 1)
    return BeginManualPairing(round=number), with_opinion(history, command)


def propose_alteration(
    history: History, round: int, boards: Sequence[Seats] | None, pab: Seat = 0
) -> EndManualPairing:
    """The command that ends a manual pairing with these boards, the engine's opinion beside them.

    None gives up: a round that is paired stays as it is, one that is not stays unpaired.
    """
    if boards is None and round > history.paired:
        return EndManualPairing(round=round, boards=())
    if boards is None:
        past = round_of(history.state, round)
        found, bye = past.boards, past.pab
    else:
        found, bye = find_seats(history, boards, pab)
    command = EndManualPairing(round=round, boards=found, pab=bye, based_on=history.version)
    return command if round <= history.paired else with_opinion(history, command)


def propose_change(
    history: History, change: Change, one: int, other: int
) -> tuple[BeginManualPairing, EndManualPairing]:
    """The commands that let two players of the last round change seats, or meet, the first with White."""
    last = round_of(history.state, history.paired or 1)
    make = exchanged if change == "swap" else paired_together
    boards, pab = make(last.boards, last.pab, one, other)
    end = EndManualPairing(round=last.number, boards=boards, pab=pab)
    return BeginManualPairing(round=last.number), end


def find_seats(history: History, boards: Sequence[Seats], pab: Seat) -> tuple[tuple[Board, ...], int]:
    """Boards and bye as ids. A number that was typed is the one on the sheet of the next round."""
    numbers = numbers_for_pairing(history)
    names = {player.id: player.details.name for player in history.state.players}
    sheet = Roster(names=names, numbers=numbers)

    def meant(seat: Seat) -> int:
        return seat if isinstance(seat, int) else find_player(sheet, seat)

    return tuple((meant(white), meant(black)) for white, black in boards), meant(pab) if pab else 0


def with_opinion(history: History, command: EndManualPairing) -> EndManualPairing:
    """The arbiter's boards of a round not yet paired, with what the engine gives for it."""
    snapshot = snapshot_now(history)
    try:
        boards, pab = engine_round(snapshot)
    except NoLegalRound:
        boards, pab = (), 0
    return replace(command, engine_boards=boards, engine_pab=pab, engine=ENGINE, snapshot=snapshot.digest())


def check_engine(history: History, command: PairRound | EndManualPairing) -> None:
    """Refuse boards under the engine's name that the engine does not give.

    A decision on an older version is left to deciding, which refuses it as stale.
    """
    if command.based_on != history.version or command.round != history.paired + 1:
        return
    if isinstance(command, PairRound) and command.origin != "engine":
        return
    if command.engine != ENGINE:
        return
    snapshot = snapshot_now(history)
    if command.snapshot != snapshot.digest():
        raise IllegalPairing(
            f"round {command.round} names another snapshot than that of version {history.version}: pair again"
        )
    if isinstance(command, PairRound):
        claimed = command.boards, command.pab
        given = engine_round(snapshot)
    else:
        claimed = command.engine_boards, command.engine_pab
        opinion = with_opinion(history, command)
        given = opinion.engine_boards, opinion.engine_pab
    if claimed != given:
        raise IllegalPairing(
            f"these are not the boards {ENGINE} gives for round {command.round}: "
            "pair again, or enter them as boards by hand"
        )


def engine_round(snapshot: Snapshot) -> tuple[tuple[Board, ...], int]:
    """The engine's boards in published order and its bye, or a refusal that says what can be done."""
    try:
        pairing = pair(snapshot)
    except NoLegalRound as none:
        raise NoLegalRound(
            f"round {snapshot.round} has no legal pairing: {none}; the arbiter decides",
            none.players,
            round=snapshot.round,
        ) from None
    except PairingError as wrong:
        raise NotNow(f"round {snapshot.round} cannot be paired: {wrong}") from None
    return tuple((board.white, board.black) for board in pairing.boards), pairing.pab
