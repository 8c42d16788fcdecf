"""The list of events, and pages of a few words."""

from collections.abc import Mapping, Sequence
from typing import Final

import msgspec
from markupsafe import Markup

from paircard.domain.errors import Caution
from paircard.domain.values.editions import EDITIONS
from paircard.service.pages.event import Event
from paircard.service.pages.regulations import NEW
from paircard.service.pages.rendering import FILE, Frame, render
from paircard.service.pages.words import Said
from paircard.service.views import Summary


def index_page(
    events: Sequence[Summary],
    frame: Frame = FILE,
    *,
    who: str = "",
    may_open: bool = False,
    key: str = "",
    refusal: Said | None = None,
    given: Mapping[str, str] = {},
    signed_out: bool = False,
) -> str:
    """The events of a server, in the order given; whoever may open one has a form for it."""
    return render(
        "index.html",
        frame,
        events=events,
        who=who,
        may_open=may_open,
        key=key,
        refusal=refusal,
        given=given or NEW,
        signed_out=signed_out,
        editions=EDITIONS,
    )


def opening_page(fields: Mapping[str, str], warnings: Sequence[Caution], frame: Frame = FILE) -> str:
    """Whether a tournament is opened in spite of warnings; the form is in it, under a key of its own."""
    return render(
        "opening.html",
        frame,
        fields=[(name, f"{value}-ack"[:64] if name == "key" else value) for name, value in fields.items()],
        warnings=warnings,
        level=max(one.level for one in warnings),
    )


HEADINGS: Final = {401: "in", 403: "forbidden", 404: "missing", 429: "often", 503: "away"}
"""Keys of headings by status; everything else is not possible."""


class Unsent(msgspec.Struct, frozen=True, kw_only=True):
    """A form that nobody took, because whoever sent it was no longer signed in."""

    action: str
    fields: Mapping[str, str]
    board: str = ""
    """The board whose result it holds, if it is an entry."""


def refusal_page(
    status: int,
    detail: Markup,
    frame: Frame = FILE,
    *,
    again: int = 0,
    event: Event | None = None,
    phone: bool = False,
    unsent: Unsent | None = None,
) -> str:
    """A refusal: what happened, and the way out; asked for again after so many seconds, if any.

    ``event`` is the one it happened in, whose shell stands around it; ``phone``, whether on a deputy's page.
    """
    kind = HEADINGS.get(status, "wrong")
    return render(
        "refusal.html", frame, kind=kind, detail=detail, again=again, event=event, phone=phone, unsent=unsent
    )


def sign_in_page(frame: Frame) -> str:
    """Where a link leads; the script signs in."""
    return render("sign_in.html", frame)
