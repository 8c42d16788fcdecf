"""The pairing kernel: a pure function from a snapshot to the next round.

>>> from paircard.projections import Player, Snapshot
>>> four = tuple(Player(id=i, number=i, score=0, points=0) for i in (1, 2, 3, 4))
>>> round_one = pair(Snapshot(edition="dutch-2026", round=1, rounds=3, players=four))
>>> [(board.white, board.black) for board in round_one.boards]
[(1, 3), (4, 2)]
"""

from typing import TYPE_CHECKING

from paircard.domain.on_demand import on_demand
from paircard.pairing.dutch.editions import ENGINE
from paircard.pairing.engines import Engine, engine_of, pair
from paircard.pairing.outcome import Board, BracketTrace, NoLegalRound, Pairing, PairingError

if TYPE_CHECKING:
    from paircard.pairing.reports import NextRound, next_round

__all__ = [
    "ENGINE",
    "Board",
    "BracketTrace",
    "Engine",
    "NextRound",
    "NoLegalRound",
    "Pairing",
    "PairingError",
    "engine_of",
    "next_round",
    "pair",
]

if not TYPE_CHECKING:
    __getattr__, __dir__ = on_demand(__name__, __all__, {"paircard.pairing.reports": "NextRound next_round"})
