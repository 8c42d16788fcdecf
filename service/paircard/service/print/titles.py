"""Ratings and title norms on paper: changes, verdicts, certificates, the tournament report."""

from paircard.projections.ratings import RatingLine
from paircard.service.moment import Moment
from paircard.service.print.event import MARKS, event_of
from paircard.service.print.rendering import FILE, Frame, render


def signed(hundredths: int | None) -> str:
    """Hundredths with their sign: +4.80; empty for nothing."""
    return "" if hundredths is None else f"{hundredths / 100:+.2f}"


def new_rating(line: RatingLine) -> int | None:
    """The rating after the event, if it is the only one of the month; a first one needs five games."""
    if line.first:
        return line.first.rating if line.games >= 5 and line.first.rating >= 1400 else None
    return None if line.rounded is None else line.rating + line.rounded


def ratings_page(moment: Moment, player: int = 0, frame: Frame = FILE) -> str:
    """Rating changes and first ratings of everybody, or of one player game by game."""
    found = moment.ratings()
    return render(
        "ratings.html",
        frame,
        event=event_of(moment),
        found=found,
        lines=[line for line in found.players if player in (0, line.player)],
        player=player,
        names={row.id: row for row in moment.crosstable(for_rating=True).rows},
        marks=MARKS,
        signed=signed,
        new_rating=new_rating,
    )
