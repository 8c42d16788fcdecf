"""Why a round is what it is: for one player, for two who do not meet, and bracket by bracket.

Data:

    measures.py    candidates in the order of Article 4 (2017 section D), every criterion's value of one, and
                   the numbers and least values of a bracket
    forced.py      the best round under a condition, found by the engine
    contrast.py    the real round compared with that one, and who would be left without an opponent: why_not
    colours.py     both colour histories and the rule that decided; topscorers of the last round
    why.py         what was tried first, one player's board, and the whole round: why, explain
    tables.py      a round robin's round as a line of its table, data and messages
    sieve.py       active criteria and minima (Appendix P); a bracket's candidates, until one is left

Words (every sentence stands in ``paircard.domain.languages``, file ``explain.toml``):

    answers.py        answers about players as messages, for a player and for an arbiter
    bracket_lines.py  a bracket and its sieve as messages, and a round as a lesson, candidate by candidate
    speaking.py       fields that only an engine makes, and the speaker who says them, as text or HTML

Players are ids, scores are tenths, names of criteria are those of the edition.

>>> from paircard.projections import Player, Snapshot
>>> four = tuple(Player(id=i, number=i, score=0, points=0) for i in (1, 2, 3, 4))
>>> round_one = Snapshot(edition="dutch-2026", round=1, rounds=3, players=four)
>>> answer = why_not(round_one, 1, 4)
>>> answer.outcome, answer.step, answer.article
('later', 'transposition', '4.2')
>>> why(round_one, 2).colours.rule
'5.2.5'
"""

from paircard.pairing.dutch.field import BYE, Bar
from paircard.pairing.explain.bracket_lines import BracketLines
from paircard.pairing.explain.colours import Clash, Colours, LastRound, Preference, Share
from paircard.pairing.explain.contrast import Cause, Contrast, why_not
from paircard.pairing.explain.measures import Numbers
from paircard.pairing.explain.speaking import (
    Bars,
    Candidate,
    Counted,
    Group,
    Levels,
    Measured,
    Meeting,
    RoundSpeaker,
    Values,
    Who,
)
from paircard.pairing.explain.tables import Meetings, TableRound, TableSeat
from paircard.pairing.explain.why import (
    BracketStory,
    Floated,
    Seat,
    Step,
    Story,
    Trials,
    Tried,
    Why,
    explain,
    why,
)
from paircard.pairing.outcome import Answer

__all__ = [
    "BYE", "Answer", "Bar", "Bars", "BracketLines", "BracketStory", "Candidate", "Cause", "Clash",
    "Colours", "Contrast", "Counted", "Floated", "Group", "LastRound", "Levels", "Measured", "Meeting",
    "Meetings", "Numbers", "Preference", "RoundSpeaker", "Seat", "Share", "Step", "Story", "TableRound",
    "TableSeat", "Trials", "Tried", "Values", "Who", "Why", "explain", "why", "why_not",
]  # fmt: skip
