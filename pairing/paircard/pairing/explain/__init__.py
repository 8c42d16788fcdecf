"""Why a round is what it is: for one player, for two who do not meet, and bracket by bracket.

Data:

    measures.py    every criterion's value of a candidate, as the text counts it
    numbers.py     M0, M1, MaxPairs, x, z (2012: P0, P1, X1, Z1), and the least value of each criterion
    generation.py  candidates in the order of Article 4 (2017 section D), and which of two comes first
    trials.py      the first candidate, the first legal one, and the steps to the chosen one
    conditions.py  two together, one kept in a bracket, one with or without the bye
    forced.py      the best round under a condition, found by the engine
    contrast.py    the real round compared with that one: why_not
    causes.py      who would be left without an opponent, and the pairs that lead there
    colours.py     both colour histories and the rule that decided
    why.py         one player's board, and the whole round: why, explain
    sieve.py       the candidates of a bracket with their values, until one is left
    topscorers.py  who is a topscorer of the last round, and what that allows

Words (every sentence stands in ``paircard.domain.languages``, file ``explain.toml``):

    answers.py        answers about players as messages, for a player and for an arbiter
    bracket_lines.py  a bracket and its sieve as messages; players in arbiters' shorthand
    speaking.py       fields that only an engine makes, and the speaker who says them, as text or HTML

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
from paircard.pairing.explain.numbers import Numbers
from paircard.pairing.explain.trials import Step, Tried
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
