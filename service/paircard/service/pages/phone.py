"""A deputy's phone: own boards, three buttons, a confirmation."""

import msgspec

from paircard.domain.errors import Unknown
from paircard.service.moment import Moment
from paircard.service.pages.event import event_of
from paircard.service.pages.rendering import Frame, render
from paircard.service.pages.words import Said
from paircard.service.views import Board, Round

ORDINARY = ("1-0", "½-½", "0-1")
"""Results that have a button."""


class Deputy(msgspec.Struct, frozen=True, kw_only=True):
    """Who holds the phone, and which boards are theirs."""

    who: str
    boards: tuple[int, int] = (0, 0)
    """First and last; zeros for all."""
    until: str = ""
    """The end of the grant in UTC, like ``2026-11-18T13:10:00Z``; empty for none."""

    def has(self, board: int) -> bool:
        first, last = self.boards
        return not last or first <= board <= last


def own_boards(view: Round, deputy: Deputy) -> tuple[Board, ...]:
    """The boards of a round that are the deputy's."""
    return tuple(line for line in view.boards if deputy.has(line.board))


def phone_page(moment: Moment, deputy: Deputy, frame: Frame) -> str:
    """The list of own boards, open ones first."""
    view = moment.boards() if moment.history.paired else None
    mine = own_boards(view, deputy) if view else ()
    return render(
        "phone.html",
        frame,
        event=event_of(moment),
        deputy=deputy,
        round=view.round if view else 0,
        open=[line for line in mine if line.result is None],
        done=[line for line in mine if line.result is not None],
    )


def phone_board_page(
    moment: Moment,
    deputy: Deputy,
    board: int,
    frame: Frame,
    *,
    result: str = "",
    key: str = "",
    asked_in: int = 0,
    recorded: bool = False,
    undone: bool = False,
    undo: bool = False,
    refusal: Said | None = None,
) -> str:
    """One board: three buttons; with a result the question whether to record it; then that it is recorded.

    A result that was chosen in another round is forgotten: the board has other players now.
    """
    view = moment.boards()
    mine = own_boards(view, deputy)
    line = next((one for one in mine if one.board == board), None)
    if line is None:
        raise Unknown(f"board {board} of round {view.round} is not among yours")
    rest = [one.board for one in mine if one.result is None and one.board != board]
    later = [number for number in rest if number > board]
    return render(
        "phone_board.html",
        frame,
        event=event_of(moment),
        deputy=deputy,
        round=view.round,
        line=line,
        result=result if result in ORDINARY and line.result is None and asked_in in (0, view.round) else "",
        key=key,
        recorded=recorded and line.result is not None,
        undone=undone and line.result is None,
        undo=undo,
        refusal=refusal,
        following=next(iter(later or rest), 0),
        left=len(rest),
        ordinary=ORDINARY,
    )
