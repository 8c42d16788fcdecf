"""A correction in the browser: what it still touches, before and after, and the rounds that stand."""

from collections.abc import Mapping
from typing import Final

import msgspec

from paircard.domain.events import Scope
from paircard.domain.values.editions import CORRECTIONS_ALWAYS_COUNT
from paircard.service.moment import Moment
from paircard.service.pages.branches import side_by_side
from paircard.service.pages.desk import RESULTS
from paircard.service.pages.event import event_of
from paircard.service.pages.rendering import Frame, render
from paircard.service.pages.words import Said
from paircard.service.review.preview import Preview
from paircard.service.views import Round, Seat

WINDOWS: Final[tuple[Scope, ...]] = ("pairing-next", "pairing-after-next", "rating-report-only")
"""[C.04.2:4.3] What a correction touches, by the moment it is reported."""


class Window(msgspec.Struct, frozen=True, kw_only=True):
    """A span of time, and what a correction touches that is reported in it."""

    name: str
    """``pairing-next``, ``pairing-after-next``, ``rating-report-only``; ``always`` and ``closed`` of 2012."""
    now: bool


def correct_page(
    moment: Moment,
    frame: Frame,
    *,
    who: str,
    key: str,
    round: int,
    board: int,
    result: str = "",
    why: str = "",
    met: Mapping[str, str] | None = None,
    preview: Preview | None = None,
    refusal: Said | None = None,
) -> str:
    """A correction: which board, which result, why, or who met; then what it would change, and the button."""
    view = moment.boards(round) if moment.history.paired else None
    players = moment.state.players
    rounds = [*preview.stands, *([preview.next_round] if preview.next_round else [])] if preview else []
    return render(
        "desk_correct.html",
        frame,
        event=event_of(moment),
        who=who,
        key=key,
        view=view,
        line=next((one for one in view.boards if one.board == board), None) if view else None,
        result=result,
        why=why,
        met={"one": "", "other": "", "first": "", "second": "", **(met or {})},
        people=people_of(view) if view and (round < moment.history.paired or moment.state.closed) else [],
        preview=preview,
        old=always_counts(moment),
        windows=windows(moment, preview.scope) if preview else [],
        sheets=[side_by_side(each, players) for each in rounds],
        refusal=refusal,
        results=RESULTS,
    )


def people_of(view: Round) -> list[Seat]:
    """Everybody who was paired in a round, by number."""
    seats = [seat for line in view.boards for seat in (line.white, line.black)]
    seats += [view.pab] if view.pab else []
    return sorted(seats, key=lambda seat: seat.number or 0)


def always_counts(moment: Moment) -> bool:
    """[2012 F.7] A correction counts for all pairings yet to be made."""
    return moment.regulations.edition in CORRECTIONS_ALWAYS_COUNT


def windows(moment: Moment, scope: Scope) -> list[Window]:
    """The windows of the edition, with the one that applies now."""
    if always_counts(moment):
        late = scope == "rating-report-only"
        return [Window(name="always", now=not late), Window(name="closed", now=late)]
    return [Window(name=one, now=one == scope) for one in WINDOWS]
