"""Round robins by the Berger tables (C.05 Annex 1): who meets in which round, and with which colour.

Numbers alone decide; they come from lots (``domain/deciding/round_robin``), by hand or by rating, and results
play no part. A field of n players plays n - 1 rounds for each cycle, n made even; in an odd field the number
after the last is nobody, and the player who would meet it is free. The annex prints tables up to 24 players;
the rule behind them holds for any number. The reasons are in ``paircard.pairing.explain.tables``.

>>> from paircard.projections import Player, Snapshot
>>> four = tuple(Player(id=i, number=i, score=0, points=0) for i in (1, 2, 3, 4))
>>> third = Snapshot(edition="round-robin", round=3, rounds=3, players=four)
>>> [(board.white, board.black) for board in pair(third).boards]
[(2, 4), (3, 1)]
"""

from collections import Counter
from typing import Final

import msgspec

from paircard.pairing.outcome import Board, NoLegalRound, Pairing, PairingError
from paircard.projections.round.snapshot import Snapshot

# --- the tables, by number


class Line(msgspec.Struct, frozen=True):
    """A line of the table, as one round of the event plays it."""

    cycle: int
    number: int
    """Its place in the printed table."""
    turned: bool
    """Whether White and Black change places: in every second cycle."""


class Plan(msgspec.Struct, frozen=True):
    """What was announced: the field, how often everybody meets everybody, and whether lines are exchanged."""

    players: int
    cycles: int = 1
    exchange: bool = False

    @property
    def even(self) -> int:
        """The number of players made even: the table that is used."""
        return self.players + self.players % 2

    @property
    def lines(self) -> int:
        """Lines of the table, which are the rounds of one cycle."""
        return self.even - 1

    @property
    def rounds(self) -> int:
        return self.lines * self.cycles

    @property
    def exchanges(self) -> bool:
        """Whether the last two rounds of the first cycle change places: in a double round robin only."""
        return self.exchange and self.cycles == 2 and self.lines > 1

    def line(self, round: int) -> Line:
        """The line that a round of the event plays.

        Every second cycle turns the colours. With the exchange the last two lines of the first cycle, and
        of no other, are played in the opposite order, so that nobody has three equal colours in a row.
        """
        cycle, number = divmod(round - 1, self.lines)
        number += 1
        if self.exchanges and cycle == 0 and number >= self.lines - 1:
            number = 2 * self.lines - 1 - number
        return Line(cycle + 1, number, turned=cycle % 2 == 1)

    def boards(self, round: int) -> tuple[tuple[int, int], ...]:
        """The boards of a round in the order of the table, White first; nobody's board is left out."""
        line = self.line(round)
        printed = boards_of_line(self.even, line.number)
        boards = ((black, white) if line.turned else (white, black) for white, black in printed)
        return tuple(board for board in boards if max(board) <= self.players)

    def free(self, round: int) -> int:
        """The number that is free in a round; 0 in an even field."""
        return opponent_of_last(self.even, self.line(round).number) if self.players % 2 else 0

    def meetings(self, a: int, b: int) -> tuple[int, ...]:
        number = line_of(self.even, a, b)
        return tuple(round for round in range(1, self.rounds + 1) if self.line(round).number == number)


def opponent_of_last(even: int, line: int) -> int:
    """Who meets the last number."""
    return (line + 1) // 2 if line % 2 else (line + even) // 2


def boards_of_line(even: int, line: int) -> list[tuple[int, int]]:
    """A line of the printed table for an even number of players, White first.

    The last number stands on the first board, with Black in odd lines; on the other boards sit the
    neighbours of its opponent to the right and to the left, ever further away.
    """
    around, first = even - 1, opponent_of_last(even, line)
    boards = [(first, even) if line % 2 else (even, first)]
    for away in range(1, even // 2):
        boards.append(((first + away - 1) % around + 1, (first - away - 1) % around + 1))
    return boards


def line_of(even: int, a: int, b: int) -> int:
    """The line in which two numbers meet: their sum less 1, counted round; the last number is met at 2·i."""
    low, high = sorted((a, b))
    total = 2 * low if high == even else low + high
    return (total - 2) % (even - 1) + 1


# --- a round of a snapshot by its table


NAME: Final = "paircard-berger/1"
"""Stored with every round: the program that paired it."""
ARTICLE: Final = "C.05 Annex 1"
FREE: Final = 0
"""Stands where an opponent would."""


class Field:
    """The players of a snapshot by number, and the table they play."""

    def __init__(self, snapshot: Snapshot) -> None:
        self.id = {player.number: player.id for player in snapshot.players}
        self.number = {player.id: player.number for player in snapshot.players}
        if snapshot.by_hand:
            raise NoLegalRound("pairing.by-hand")
        count = len(snapshot.players)
        if count < 2:
            raise PairingError("pairing.alone-in-a-table", entered=count)
        if len(self.number) < count:
            raise PairingError(
                "pairing.twice", player=Counter(p.id for p in snapshot.players).most_common(1)[0][0]
            )
        if missing := [number for number in range(1, count + 1) if number not in self.id]:
            raise PairingError("pairing.number-missing", count=count, number=missing[0])
        self.plan = Plan(count, snapshot.cycles or 1, bool(snapshot.exchange))
        if not 1 <= snapshot.round <= self.plan.rounds:
            raise PairingError("pairing.round-not-announced", round=snapshot.round, rounds=self.plan.rounds)
        self.round = snapshot.round
        self.line: Line = self.plan.line(snapshot.round)

    def boards(self) -> tuple[Board, ...]:
        return tuple(
            Board(self.id[white], self.id[black], ARTICLE) for white, black in self.plan.boards(self.round)
        )

    def free(self) -> int:
        """Id of the player who is free; 0 in an even field."""
        return self.id.get(self.plan.free(self.round), FREE)


def pair(snapshot: Snapshot) -> Pairing:
    """The round that the table prescribes; the free day is no bye and stands on no board.

    Raises ``PairingError`` for numbers that are not 1 to the number of players.
    """
    return Pairing(Field(snapshot).boards(), pab=FREE)
