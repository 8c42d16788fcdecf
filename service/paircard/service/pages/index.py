"""The list of events, and pages of a few words."""

from collections.abc import Sequence

from paircard.service.pages.rendering import FILE, Frame, render
from paircard.service.views import Summary


def index_page(events: Sequence[Summary], frame: Frame = FILE, *, who: str = "") -> str:
    """The events of a server, in the order given."""
    return render("index.html", frame, events=events, who=who)


def refusal_page(title: str, detail: str, frame: Frame = FILE) -> str:
    """A refusal: what happened, and the way out."""
    return render("refusal.html", frame, heading=title, detail=detail)
