"""The hall screen: one page after the other, in letters that can be read from afar; nobody touches it."""

import re
from collections.abc import Sequence
from functools import partial
from typing import Final, TypeAlias

import msgspec

from paircard.projections.prizes import rules_of
from paircard.service import Moment
from paircard.service.pairing_sheets import Board, Seat
from paircard.service.print.prizes import listed, worth
from paircard.service.print.rendering import FILE, Frame, language, results_in
from paircard.service.print.standings import StandingLine, standing_lines
from paircard.service.prizes import PrizeLine
from paircard.web.calls import Answer, Call
from paircard.web.pages.page import EVENT, Pages, page, page_of
from paircard.web.site import Site

PAGES: Final = Pages()
ROWS: Final = 10
"""Lines of one page."""
DENSE: Final = 16
"""Lines of one page of a large event, so that nobody waits for minutes."""
LARGE: Final = 50
"""Boards that make an event large."""
SHOWN: Final = ("pairings", "standings", "prizes")
"""What a screen can show; prizes once they are given."""


Line: TypeAlias = Board | StandingLine | PrizeLine


class Leaf(msgspec.Struct, frozen=True, kw_only=True):
    """One page of the screen."""

    kind: str
    first: int
    last: int
    total: int
    lines: Sequence[Line]
    bye: Seat | None = None


def leaves(moment: Moment, show: Sequence[str] = SHOWN, boards: tuple[int, int] = (0, 0)) -> list[Leaf]:
    """Every page of the screen in turn; standings are those after the last completed round.

    ``boards`` are the first and the last board of this screen, zeros for all: a hall may have several.
    """
    made: list[Leaf] = []
    rows = rows_of(moment)
    for kind in show:
        lines, bye, before = lines_of(moment, kind), None, 0
        total = len(lines)
        if kind == "pairings" and moment.state.paired:
            before, bye = (boards[0] or 1) - 1, moment.boards().pab
            lines = lines[before : boards[1] or total]
        for at in range(0, len(lines) or bool(moment.state.paired and kind == "pairings"), rows):
            some = lines[at : at + rows]
            first = before + at + 1
            whole = first - 1 + rows >= total
            made.append(
                Leaf(
                    kind=kind,
                    first=first,
                    last=first - 1 + len(some),
                    total=total,
                    lines=some,
                    bye=bye if whole else None,
                )
            )
    return made


def lines_of(moment: Moment, kind: str) -> Sequence[Line]:
    """Everything that a screen can show of a kind."""
    if kind == "pairings":
        return moment.boards().boards if moment.state.paired else ()
    if kind == "prizes":
        return listed(moment).given if moment.state.prizes else ()
    if not (after := completed(moment)):
        return ()
    return standing_lines(moment.crosstable(after), moment.standings(after).standings)


def rows_of(moment: Moment) -> int:
    """Lines of one page."""
    return DENSE if len(moment.state.players) > 2 * LARGE else ROWS


def completed(moment: Moment) -> int:
    """The last round without an open game; 0 for none."""
    rounds = moment.state.rounds
    return next((at for at in range(len(rounds), 0, -1) if not rounds[at - 1].open_boards()), 0)


def screen_page(
    moment: Moment,
    page: int = 0,
    frame: Frame = FILE,
    *,
    show: Sequence[str] = SHOWN,
    every: int = 20,
    boards: tuple[int, int] = (0, 0),
) -> str:
    """One page of the screen; it asks for the next one by itself after ``every`` seconds."""
    found = leaves(moment, show, boards)
    at = page % len(found) if found else 0
    view = moment.boards() if moment.state.paired else None
    return page_of(
        moment,
        "screen.html",
        frame,
        leaf=found[at] if found else None,
        at=at,
        pages=len(found),
        coming=found[(at + 1) % len(found)] if len(found) > 1 else None,
        after=completed(moment),
        results=results_in(view) if view else 0,
        show=",".join(show),
        every=every,
        boards="{}-{}".format(*boards) if any(boards) else "",
        dense=rows_of(moment) == DENSE,
        worth=partial(worth, currency=rules_of(moment.state).currency, t=language(frame.language)),
    )


@PAGES.get(EVENT + "/screen", kept=True)
def screen(site: Site, call: Call) -> Answer:
    """The hall screen, which turns its pages by itself."""
    number, every = call.number("page", 0, most=999), call.number("every", 20, least=3, most=600)
    asked = (call.parameter("show") or ",".join(SHOWN)).split(",")
    show = tuple(kind for kind in SHOWN if kind in asked) or SHOWN
    part = re.fullmatch(r"([1-9][0-9]{0,4})-([1-9][0-9]{0,4})", call.parameter("boards") or "")
    boards = (int(part[1]), int(part[2])) if part else (0, 0)
    name = f"screen/{number}/{every}/{show}/{boards}"
    return page(site, call, name, screen_page, page=number, show=show, every=every, boards=boards)
