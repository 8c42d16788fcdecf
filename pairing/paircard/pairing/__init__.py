"""The pairing kernel: a pure function from a snapshot to the next round.

>>> from paircard.projections import Player, Snapshot
>>> four = tuple(Player(id=i, number=i, score=0, points=0) for i in (1, 2, 3, 4))
>>> round_one = pair(Snapshot(edition="dutch-2026", round=1, rounds=3, players=four))
>>> [(board.white, board.black) for board in round_one.boards]
[(1, 3), (4, 2)]
"""

from typing import Final

from paircard.domain.on_demand import on_demand

ROOMS: Final = {
    "paircard.pairing.dutch.editions": "ENGINE",
    "paircard.pairing.engines": "Engine engine_of pair",
    "paircard.pairing.outcome": "Board BracketTrace NoLegalRound Pairing PairingError",
    "paircard.pairing.reports": "NextRound next_round",
}
"""Public names by the modules they are in; ``__init__.pyi``, which is made from this, tells type checkers."""
__getattr__, __dir__ = on_demand(__name__, ROOMS)
