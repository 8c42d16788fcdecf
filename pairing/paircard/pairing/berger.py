"""Round robins by the Berger tables (C.05 Annex 1): who meets in which round, and with which colour.

Numbers alone decide; they come from lots (``paircard.domain.values.lots``), by hand or by rating, and results
play no part. A field of n players plays n - 1 rounds for each cycle, n made even; in an odd field the number
after the last is nobody, and the player who would meet it is free. The annex prints tables up to 24 players;
the rule behind them holds for any number.

>>> from paircard.projections import Player, Snapshot
>>> four = tuple(Player(id=i, number=i, score=0, points=0) for i in (1, 2, 3, 4))
>>> third = Snapshot(edition="round-robin", round=3, rounds=3, players=four)
>>> [(board.white, board.black) for board in pair(third).boards]
[(2, 4), (3, 1)]
>>> why_not(third, 1, 2).data.rounds
(2,)
"""

from collections import Counter
from typing import Final, NamedTuple

import msgspec

from paircard.domain.messages import Message, say
from paircard.pairing.outcome import Answer, Board, NoLegalRound, Pairing, PairingError, Told
from paircard.projections.round.snapshot import Snapshot

# --- the tables, by number


PUBLISHED: Final = 24
"""The largest field with a printed table."""


class Line(NamedTuple):
    """A line of the table, as one round of the event plays it."""

    cycle: int
    number: int
    """Its place in the printed table."""
    turned: bool
    """Whether White and Black change places: in every second cycle."""


class Plan(NamedTuple):
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


# --- a round of a snapshot by its table, and the reasons, which are lines of that table


NAME: Final = "paircard-berger/1"
"""Stored with every round: the program that paired it."""
ARTICLE: Final = "C.05 Annex 1"
FREE: Final = 0
"""Stands where an opponent would."""


class TableSeat(msgspec.Struct, frozen=True, kw_only=True):
    """One player's place in a round of the table."""

    round: int
    player: int
    opponent: int
    """``FREE`` for a free day."""
    colour: str
    """``w`` or ``b``; empty for a free day."""
    board: int
    number: int
    against: int
    """The opponent's number; the number after the last, which is nobody, for a free day."""
    cycle: int
    line: int
    """Place of the round in the printed table."""
    turned: bool
    """Whether the cycle turns the colours of the table."""


class Meetings(msgspec.Struct, frozen=True, kw_only=True):
    """The rounds in which two players meet, or one of them is free."""

    round: int
    player: int
    other: int
    """``FREE`` for the free day."""
    rounds: tuple[int, ...]


class TableRound(msgspec.Struct, frozen=True, kw_only=True):
    """A whole round of the table."""

    round: int
    cycle: int
    line: int
    turned: bool
    boards: tuple[Board, ...]
    free: int
    """Id of the player who is free; 0 in an even field."""


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

    def need(self, player: int) -> int:
        """The number of a player of the table; refuses others."""
        if player not in self.number:
            raise PairingError("pairing.not-in-the-tournament", player=player)
        return self.number[player]

    def seat(self, player: int) -> TableSeat:
        """Where the table puts a player in the round."""
        number = self.need(player)
        opponent, colour, at, against = FREE, "", 0, self.plan.even
        for place, board in enumerate(self.plan.boards(self.round), 1):
            if number in board:
                against = sum(board) - number
                opponent, colour, at = self.id[against], "w" if board[0] == number else "b", place
        return TableSeat(
            round=self.round,
            player=player,
            opponent=opponent,
            colour=colour,
            board=at,
            number=number,
            against=against,
            cycle=self.line.cycle,
            line=self.line.number,
            turned=self.line.turned,
        )


def pair(snapshot: Snapshot) -> Pairing:
    """The round that the table prescribes; the free day is no bye and stands on no board.

    Raises ``PairingError`` for numbers that are not 1 to the number of players.
    """
    return Pairing(Field(snapshot).boards(), pab=FREE)


def why(snapshot: Snapshot, player: int) -> Told[TableSeat]:
    """Why a player has this opponent and this colour: the line of the table, and its rule of colours."""
    field = Field(snapshot)
    seat = field.seat(player)
    if seat.opponent == FREE:
        short = [say("berger.free", player=player, round=seat.round, count=field.plan.players)]
    else:
        code = "berger.white" if seat.colour == "w" else "berger.black"
        short = [say(code, player=player, other=seat.opponent, round=seat.round), _colours(field, seat)]
    answer = Answer(plain=tuple(short), short=tuple(short), detail=tuple(_line(field)))
    seats = (player, seat.opponent) if seat.colour == "w" else (seat.opponent, player)
    return Told(data=seat, answer=answer, boards=(seats,) if seat.opponent else ())


def _colours(field: Field, seat: TableSeat) -> Message:
    """The rule of colours that applied to a board (C.05 Annex 1)."""
    low, high = sorted((seat.number, seat.against))
    if high == field.plan.even:
        half = high // 2
        first, last = (1, half) if low <= half else (half + 1, high - 1)
        code = "berger.against-last.white" if low <= half else "berger.against-last.black"
        rule = say(code, number=low, highest=high, first=first, last=last, count=last - first + 1)
    else:
        code = "berger.sum.odd" if (low + high) % 2 else "berger.sum.even"
        rule = say(code, first=low, last=high, total=low + high)
    return say("berger.turned", what=rule, cycle=seat.cycle) if seat.turned else rule


def _line(field: Field) -> list[Message]:
    """Which line of which table a round plays, and why it is not simply the one with its number."""
    plan, line = field.plan, field.line
    said = [say("berger.line", round=field.round, line=line.number, count=plan.even, article=ARTICLE)]
    if plan.cycles > 1:
        said.append(say("berger.cycle", cycle=line.cycle, count=plan.cycles, yes=line.turned))
    if plan.exchanges and line.cycle == 1 and line.number != field.round:
        said.append(say("berger.exchanged", round=field.round, line=line.number))
    if plan.even > PUBLISHED:
        said.append(say("berger.beyond", count=plan.players, most=PUBLISHED))
    return said


def why_not(snapshot: Snapshot, a: int, b: int) -> Told[Meetings]:
    """When two players meet, if not in this round; with ``FREE`` for one of them, when the other is free."""
    field = Field(snapshot)
    player, other = (a, b) if a else (b, a)
    number = field.need(player)
    if other == FREE:
        odd = field.plan.players % 2
        rounds = field.plan.meetings(number, field.plan.even) if odd else ()
        code = "berger.free-in" if odd else "berger.never-free"
        short = [say(code, player=player, numbers=rounds)]
    else:
        rounds = field.plan.meetings(number, field.need(other))
        short = [say("berger.meet", player=player, other=other, numbers=rounds)]
    detail = _line(field)
    for each in (player, other):
        if each and field.round not in rounds:
            detail += why(snapshot, each).answer.short[:1]
    data = Meetings(round=field.round, player=player, other=other, rounds=rounds)
    answer = Answer(plain=tuple(short), short=tuple(short), detail=tuple(detail))
    return Told(data=data, answer=answer, boards=((a, b),) if field.round in rounds else ())


def explain(snapshot: Snapshot) -> Told[TableRound]:
    """The whole round: the line of the table, its boards with their numbers, and who is free."""
    field = Field(snapshot)
    data = TableRound(
        round=field.round,
        cycle=field.line.cycle,
        line=field.line.number,
        turned=field.line.turned,
        boards=field.boards(),
        free=field.free(),
    )
    detail = [
        say("berger.board", board=place, white=board.white, black=board.black)
        for place, board in enumerate(data.boards, 1)
    ]
    if data.free:
        detail.append(say("berger.free", player=data.free, round=data.round, count=field.plan.players))
    boards = tuple((board.white, board.black) for board in data.boards)
    return Told(data=data, answer=Answer(short=tuple(_line(field)), detail=tuple(detail)), boards=boards)
