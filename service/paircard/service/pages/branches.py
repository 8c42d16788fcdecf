"""The record beside what it might have been: what-if, and every round made again."""

from collections.abc import Sequence
from itertools import zip_longest
from typing import TypeAlias

import msgspec

from paircard.domain.events import Board
from paircard.domain.state import Player
from paircard.domain.values.players import Details
from paircard.service.moment import Moment
from paircard.service.pages.desk import RESULTS
from paircard.service.pages.event import event_of
from paircard.service.pages.rendering import Frame, render
from paircard.service.pages.words import Said
from paircard.service.review.replay import Replayed
from paircard.service.review.what_if import BranchRound, WhatIf, seats

Seats: TypeAlias = tuple[Details, Details | None] | None
"""White and Black, Black None for the bye."""


class BranchRow(msgspec.Struct, frozen=True, kw_only=True):
    """One board of the record beside the same of the branch; Black is None for the bye."""

    board: int
    """0 for the bye."""
    recorded: Seats
    engine: Seats
    branch: Seats
    mark: str
    """Why the board on record is not the engine's, as a key of words; empty if it is."""
    was: bool
    """The engine's board would not be there in the branch."""
    would_be: bool
    """The branch has a board that the engine's round has not."""

    @property
    def differs(self) -> bool:
        """Whether the supposition changes this board."""
        return self.was or self.would_be


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
    refusal: Said | None = None,
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

    def named(board: Board | None) -> Seats:
        if board is None:
            return None
        white, black = board
        return players[white - 1].details, players[black - 1].details if black else None

    ours, theirs = seats(each.engine), seats(each.branch)
    return BranchSheet(
        round=each,
        rows=tuple(
            BranchRow(
                board=at if any(seat and seat[1] for seat in (stands, one, other)) else 0,
                recorded=named(stands),
                engine=named(one),
                branch=named(other),
                mark=each.mark(stands) if stands else "",
                was=one is not None and one not in theirs,
                would_be=other is not None and other not in ours,
            )
            for at, (stands, one, other) in enumerate(zip_longest(seats(each.recorded), ours, theirs), 1)
        ),
    )


def replay_page(moment: Moment, frame: Frame, replayed: Sequence[Replayed]) -> str:
    """Every recorded round with a tick, or what is different about it."""
    return render(
        "replay.html",
        frame,
        event=event_of(moment),
        replayed=replayed,
        alarms=sum(not one.accounted_for for one in replayed),
    )
