"""The table before a round as a page."""

from paircard.projections.round.cards import Tabellone
from paircard.service.pages.event import Event
from paircard.service.pages.rendering import FILE, Frame, render


def tabellone_page(event: Event, table: Tabellone, frame: Frame = FILE) -> str:
    """Scoregroups with colour histories, preferences and floats."""
    return render("tabellone.html", frame, event=event, table=table)
