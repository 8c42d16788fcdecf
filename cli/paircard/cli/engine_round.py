"""The engine behind ``pair``: its boards as the record takes them, its refusals in one line."""

from paircard.domain.errors import NotNow
from paircard.domain.events import Board
from paircard.pairing import NoLegalRound, PairingError, pair
from paircard.projections.round.snapshot import Snapshot


def paired(snapshot: Snapshot) -> tuple[tuple[Board, ...], int]:
    """The engine's boards in published order and its bye, or a refusal that says what can be done."""
    try:
        pairing = pair(snapshot)
    except NoLegalRound as none:
        raise NoLegalRound(
            f"round {snapshot.round} has no legal pairing: {none}; "
            f"the arbiter decides: paircard alter begin {snapshot.round}",
            none.players,
        ) from None
    except PairingError as wrong:
        raise NotNow(f"round {snapshot.round} cannot be paired: {wrong}") from None
    return tuple((board.white, board.black) for board in pairing.boards), pairing.pab
