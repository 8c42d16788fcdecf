"""Who may come in, and the sheet with a link for somebody new."""

import time
from collections.abc import Sequence

import msgspec

from paircard.service.moment import Moment
from paircard.service.pages.event import event_of
from paircard.service.pages.rendering import Frame, render
from paircard.service.pages.words import Said


class NewLink(msgspec.Struct, frozen=True, kw_only=True):
    """A card for a new deputy: a link, and its code (markup) to scan."""

    who: str
    boards: tuple[int, int]
    until: int
    link: str
    code: str

    @property
    def end(self) -> str:
        """Until when, in UTC."""
        return stamp(self.until)


class GrantLine(msgspec.Struct, frozen=True, kw_only=True):
    """Somebody who was let in."""

    id: str
    who: str
    role: str
    boards: tuple[int, int]
    until: int
    given: int = 0
    """How many that count came from it."""
    mine: bool = False
    """Of the arbiter who looks."""

    @property
    def end(self) -> str:
        """Until when, in UTC; empty for no end."""
        return stamp(self.until)


def stamp(seconds: int) -> str:
    """A moment like those of the log; empty for 0."""
    return time.strftime("%Y-%m-%dT%H:%M:%SZ", time.gmtime(seconds)) if seconds else ""


def grants_page(
    moment: Moment,
    frame: Frame,
    *,
    who: str,
    lines: Sequence[GrantLine],
    new: Sequence[NewLink] = (),
    here_only: bool = False,
    refusal: Said | None = None,
) -> str:
    """The grants of a tournament; new links are on the page once, as cards to be printed.

    ``here_only`` says that the links lead to this machine alone, so that no phone can follow them.
    """
    return render(
        "desk_grants.html",
        frame,
        event=event_of(moment),
        who=who,
        lines=lines,
        new=new,
        here_only=here_only,
        refusal=refusal,
    )
