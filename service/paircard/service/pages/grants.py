"""Who may come in, and the sheet with a link for somebody new."""

import time
from collections.abc import Sequence

import msgspec

from paircard.service.moment import Moment
from paircard.service.pages.event import event_of
from paircard.service.pages.rendering import Frame, render


class GrantLine(msgspec.Struct, frozen=True, kw_only=True):
    """Somebody who was let in."""

    id: str
    who: str
    role: str
    boards: tuple[int, int]
    until: int

    @property
    def end(self) -> str:
        """Until when, as people write it; empty for no end."""
        return time.strftime("%Y-%m-%d %H:%M UTC", time.gmtime(self.until)) if self.until else ""


def grants_page(
    moment: Moment,
    frame: Frame,
    *,
    who: str,
    lines: Sequence[GrantLine],
    link: str = "",
    code: str = "",
    named: str = "",
    refusal: str = "",
) -> str:
    """The grants of a tournament; a new link with its code (markup) is on the page once, to be printed."""
    return render(
        "desk_grants.html",
        frame,
        event=event_of(moment),
        who=who,
        lines=lines,
        address=link,
        code=code,
        named=named,
        refusal=refusal,
    )
