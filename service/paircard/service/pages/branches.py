"""The record beside what it might have been: what-if, and every round made again."""

from collections.abc import Sequence
from itertools import zip_longest

import msgspec

from paircard.domain.events import Board
from paircard.domain.state import Player
from paircard.domain.values.players import Details
from paircard.service.moment import Moment
from paircard.service.pages.desk import RESULTS
from paircard.service.pages.event import event_of
from paircard.service.pages.rendering import Frame, render
from paircard.service.review.replay import Replayed, Sheet
from paircard.service.review.what_if import BranchRound, WhatIf


class BranchRow(msgspec.Struct, frozen=True, kw_only=True):
    """One board of the record beside the same of the branch; Black is None for the bye."""

    board: int
    """0 for the bye."""
    recorded: tuple[Details, Details | None] | None
    branch: tuple[Details, Details | None] | None
    recorded_only: bool
    branch_only: bool

    @property
    def differs(self) -> bool:
        """Whether one of the two has a board that the other has not."""
        return self.recorded_only or self.branch_only


class BranchSheet(msgspec.Struct, frozen=True, kw_only=True):
    """One round, side by side."""

    round: BranchRound
    rows: tuple[BranchRow, ...]


def what_if_page(
    moment: Moment,
    frame: Frame,
    *,
    round: int,
    board: int,
    result: str,
    found: WhatIf | None = None,
    refusal: str = "",
) -> str:
    """Which board and which result; then the rounds of the record and of the branch, side by side."""
    players = moment.state.players
    return render(
        "what_if.html",
        frame,
        event=event_of(moment),
        round=round,
        board=board,
        result=result,
        results=RESULTS,
        found=found,
        sheets=[side_by_side(each, players) for each in found.rounds] if found else [],
        refusal=refusal,
    )


def side_by_side(each: BranchRound, players: Sequence[Player]) -> BranchSheet:
    """The boards of a round in both, the bye last."""

    def named(seats: Board | None) -> tuple[Details, Details | None] | None:
        if seats is None:
            return None
        white, black = seats
        return players[white - 1].details, players[black - 1].details if black else None

    ours, theirs = seats_of(each.recorded), seats_of(each.branch)
    return BranchSheet(
        round=each,
        rows=tuple(
            BranchRow(
                board=at if (one and one[1]) or (other and other[1]) else 0,
                recorded=named(one),
                branch=named(other),
                recorded_only=one is not None and one not in theirs,
                branch_only=other is not None and other not in ours,
            )
            for at, (one, other) in enumerate(zip_longest(ours, theirs), start=1)
        ),
    )


def seats_of(sheet: Sheet | None) -> list[Board]:
    """Boards, and the bye as one without Black."""
    if sheet is None:
        return []
    return [*sheet.boards, (sheet.pab, 0)] if sheet.pab else [*sheet.boards]


def replay_page(moment: Moment, frame: Frame, replayed: Sequence[Replayed]) -> str:
    """Every recorded round with a tick, or what is different about it."""
    return render(
        "replay.html",
        frame,
        event=event_of(moment),
        replayed=replayed,
        alarms=sum(not one.accounted_for for one in replayed),
    )
