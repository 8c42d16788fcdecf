"""Round robins by the Berger tables (C.05 Annex 1).

    tables.py   who meets in which round, by number: the table, its cycles and the exchange
    rounds.py   a snapshot's round by its table; why, why not, and the whole line, as data and messages

Numbers come from lots (``paircard.domain.values.lots``), by hand or by rating; results play no part.

>>> from paircard.projections import Player, Snapshot
>>> four = tuple(Player(id=i, number=i, score=0, points=0) for i in (1, 2, 3, 4))
>>> third = Snapshot(edition="round-robin", round=3, rounds=3, players=four)
>>> [(board.white, board.black) for board in pair(third).boards]
[(2, 4), (3, 1)]
>>> why_not(third, 1, 2).data.rounds
(2,)
"""

from paircard.pairing.berger.rounds import NAME, explain, pair, why, why_not

__all__ = ["NAME", "explain", "pair", "why", "why_not"]
