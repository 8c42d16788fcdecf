"""The engine behind ``pair``: imported when it is needed, its refusals put into one line."""

from importlib import import_module
from importlib.metadata import PackageNotFoundError, version

from paircard.domain.errors import NotNow
from paircard.domain.events import Board
from paircard.pairing.outcome import NoLegalRound, PairingError
from paircard.projections.snapshot import Snapshot


def engine_name() -> str:
    """Name and version of the program that pairs, as each round records it."""
    try:
        return f"paircard {version('paircard')}"
    except PackageNotFoundError:
        return "paircard, from source"


def paired(snapshot: Snapshot) -> tuple[tuple[Board, ...], int]:
    """The engine's boards in published order and its bye, or a refusal that says what can be done."""
    engine = getattr(import_module("paircard.pairing"), "pair", None)
    if engine is None:
        raise NotNow("this version has no pairing engine: give the boards, paircard pair --boards FILE")
    try:
        pairing = engine(snapshot)
    except NoLegalRound as none:
        raise NoLegalRound(
            f"round {snapshot.round} has no legal pairing: {none}; "
            f"the arbiter decides, paircard alter begin {snapshot.round}",
            none.players,
        ) from None
    except PairingError as wrong:
        raise NotNow(f"round {snapshot.round} cannot be paired: {wrong}") from None
    return tuple((board.white, board.black) for board in pairing.boards), pairing.pab
