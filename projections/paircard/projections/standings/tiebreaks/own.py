"""Type B, the player's own record (C.07:7): what each round adds, by player.

Round robins need no other rule here: forfeit losses stay unplayed in Type B (15.2), and games won
or played with Black are games over the board.
"""

from itertools import accumulate

from paircard.domain.values.results import PLAYED
from paircard.projections.standings.tiebreaks.ledger import DUMMY, VUR, WINS, Ledger


def wins(ledger: Ledger, who: int) -> list[int]:
    """[7.1] WIN: rounds that brought as many points as a win, played or not."""
    win = ledger.scoring.win
    return [int(points == win) for points in ledger.points[who]]


def games_won(ledger: Ledger, who: int) -> list[int]:
    """[7.2] WON: games won over the board."""
    return [int(letter in WINS) for letter in ledger.letters[who]]


def black_games(ledger: Ledger, who: int) -> list[int]:
    """[7.3] BPG: games played over the board with Black."""
    entries = ledger.table.rows[who].entries[: ledger.round]
    return [int(entry.colour == "b" and entry.letter in PLAYED) for entry in entries]


def black_wins(ledger: Ledger, who: int) -> list[int]:
    """[7.4] BWG: games won over the board with Black."""
    entries = ledger.table.rows[who].entries[: ledger.round]
    return [int(entry.colour == "b" and entry.letter in WINS) for entry in entries]


def running_scores(ledger: Ledger, who: int) -> list[int]:
    """[7.5] PS: the score after each round, in tenths; a cut drops the first ones."""
    return list(accumulate(ledger.points[who]))


def rounds_elected(ledger: Ledger, who: int) -> list[int]:
    """[7.6] REP: rounds less half-point byes, zero-point byes and forfeit losses."""
    return [int(letter not in VUR) for letter in ledger.letters[who]]


def standard_points(ledger: Ledger, who: int) -> list[int]:
    """[7.7] STD: in tenths, 1 for more points than the scheduled opponent, ½ for as many.

    Without an opponent the measure is a draw. As the text has it, 0-0 and a double forfeit are
    ½ for both; the reference checker compares with a draw there as well and gives nothing.
    """
    marks = []
    draw = ledger.scoring.draw
    for at, (points, opponent) in enumerate(zip(ledger.points[who], ledger.opponents[who], strict=True)):
        other = draw if opponent == DUMMY else ledger.points[opponent][at]
        marks.append(10 if points > other else 5 if points == other else 0)
    return marks
