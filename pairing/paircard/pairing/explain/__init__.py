"""Why a round is what it is: for one player, for two who do not meet, and bracket by bracket.

    measures.py   every criterion's value of a candidate, with the look-ahead (C8, 2017 C.7)
    order.py      when a candidate is generated (Article 4, 2017 section D)
    conditions.py two together, one kept in a bracket, one with or without the bye
    forced.py     the best round under a condition, found by the engine
    contrast.py   the real round held against that one: why_not
    natural.py    the first candidate generated, and what excluded it
    colours.py    both colour histories and the rule that decided
    why.py        one player's board, and the whole round: why, explain
    rules.py      what each rule says; words.py: reasons as sentences

Players are ids, scores are tenths, names of criteria are those of the edition.

>>> from paircard.projections.round.snapshot import Player, Snapshot
>>> four = tuple(Player(id=i, number=i, score=0, points=0) for i in (1, 2, 3, 4))
>>> round_one = Snapshot(edition="dutch-2026", round=1, rounds=3, players=four)
>>> answer = why_not(round_one, 1, 4)
>>> answer.outcome, answer.step, answer.article
('later', 'transposition', '4.2')
>>> why(round_one, 2).colours.rule
'5.2.5'
"""

from paircard.pairing.explain.causes import Cause
from paircard.pairing.explain.contrast import BYE, Bar, Contrast, why_not
from paircard.pairing.explain.natural import Step, Tried
from paircard.pairing.explain.numbers import Numbers
from paircard.pairing.explain.why import BracketStory, Floated, Seat, Story, Trials, Why, explain, why

__all__ = [
    "BYE",
    "Bar",
    "BracketStory",
    "Cause",
    "Contrast",
    "Floated",
    "Numbers",
    "Seat",
    "Step",
    "Story",
    "Trials",
    "Tried",
    "Why",
    "explain",
    "why",
    "why_not",
]
