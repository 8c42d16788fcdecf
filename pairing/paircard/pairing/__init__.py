"""The pairing kernel: a pure function from a snapshot to the next round.

>>> from paircard.projections import Player, Snapshot
>>> four = tuple(Player(id=i, number=i, score=0, points=0) for i in (1, 2, 3, 4))
>>> round_one = pair(Snapshot(edition="dutch-2026", round=1, rounds=3, players=four))
>>> [(board.white, board.black) for board in round_one.boards]
[(1, 3), (4, 2)]
"""

from typing import TYPE_CHECKING

from paircard.domain import on_demand

if TYPE_CHECKING:
    from paircard.pairing.dutch.editions import ENGINE as ENGINE
    from paircard.pairing.engines import Engine as Engine
    from paircard.pairing.engines import engine_of as engine_of
    from paircard.pairing.engines import pair as pair
    from paircard.pairing.outcome import Board as Board
    from paircard.pairing.outcome import BracketTrace as BracketTrace
    from paircard.pairing.outcome import NoLegalRound as NoLegalRound
    from paircard.pairing.outcome import Pairing as Pairing
    from paircard.pairing.outcome import PairingError as PairingError
    from paircard.pairing.reports import NextRound as NextRound
    from paircard.pairing.reports import next_round as next_round
else:
    __getattr__, __dir__ = on_demand(
        __name__,
        {
            "paircard.pairing.dutch.editions": "ENGINE",
            "paircard.pairing.engines": "Engine engine_of pair",
            "paircard.pairing.outcome": "Board BracketTrace NoLegalRound Pairing PairingError",
            "paircard.pairing.reports": "NextRound next_round",
        },
    )
