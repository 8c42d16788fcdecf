"""Why a round of a round robin is what it is: it is a line of the Berger tables (C.05 Annex 1).

>>> from paircard.projections import Player, Snapshot
>>> four = tuple(Player(id=i, number=i, score=0, points=0) for i in (1, 2, 3, 4))
>>> why_not(Snapshot(edition="round-robin", round=3, rounds=3, players=four), 1, 2).data.rounds
(2,)
"""

from typing import Final

import msgspec

from paircard.domain.messages import Message, say
from paircard.pairing.berger import ARTICLE, FREE, Field
from paircard.pairing.outcome import Answer, Board, PairingError, Told
from paircard.projections.round.snapshot import Snapshot

PUBLISHED: Final = 24
"""The largest field with a printed table."""


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


def need(field: Field, player: int) -> int:
    """The number of a player of the table; refuses others."""
    if player not in field.number:
        raise PairingError("pairing.not-in-the-tournament", player=player)
    return field.number[player]


def seat_of(field: Field, player: int) -> TableSeat:
    """Where the table puts a player in the round."""
    number = need(field, player)
    opponent, colour, at, against = FREE, "", 0, field.plan.even
    for place, board in enumerate(field.plan.boards(field.round), 1):
        if number in board:
            against = sum(board) - number
            opponent, colour, at = field.id[against], "w" if board[0] == number else "b", place
    return TableSeat(
        round=field.round,
        player=player,
        opponent=opponent,
        colour=colour,
        board=at,
        number=number,
        against=against,
        cycle=field.line.cycle,
        line=field.line.number,
        turned=field.line.turned,
    )


def why(snapshot: Snapshot, player: int) -> Told[TableSeat]:
    """Why a player has this opponent and this colour: the line of the table, and its rule of colours."""
    field = Field(snapshot)
    seat = seat_of(field, player)
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
    number = need(field, player)
    if other == FREE:
        odd = field.plan.players % 2
        rounds = field.plan.meetings(number, field.plan.even) if odd else ()
        code = "berger.free-in" if odd else "berger.never-free"
        short = [say(code, player=player, numbers=rounds)]
    else:
        rounds = field.plan.meetings(number, need(field, other))
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
