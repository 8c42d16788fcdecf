"""The arbiter's desk: results by keyboard, the next step, what was entered last."""

from typing import Final

import msgspec

from paircard.domain.deciding.numbering import numbers_drawn
from paircard.domain.events import GameAdjourned, Recorded, ResultCorrected, ResultRecorded
from paircard.domain.state import entered as on_the_list
from paircard.domain.values.regulations import rounds_for
from paircard.domain.values.rules import RULES
from paircard.domain.values.text import is_number
from paircard.service import Done, Moment
from paircard.service.pairing_sheets import Board, Round
from paircard.service.print.rendering import results_in
from paircard.web.pages.corrections import latest
from paircard.web.pages.forms import BUTTONS, OTHERS, AtDesk, Desk, Form
from paircard.web.pages.page import LONGEST, span
from paircard.web.pages.public import matching
from paircard.web.problems import UnreadableBody

PAGES: Final = Desk("desk.js")
MOST_NEWS: Final = 6


class Step(msgspec.Struct, frozen=True, kw_only=True):
    """What the arbiter does next."""

    kind: str
    """``register``, ``draw``, ``pair``, ``publish``, ``results``, ``close`` or ``closed``; of a round robin
    ``number``, ``schedule`` or ``by-hand``, then ``table`` while games are open."""
    round: int = 0
    waits_for: tuple[int, ...] = ()
    """Boards without a result."""


def next_step(moment: Moment) -> Step:
    """The step the tournament waits for."""
    state, rounds = moment.state, moment.state.rounds
    if state.closed:
        return Step(kind="closed")
    rules, now = RULES[moment.regulations.edition], state.current
    if not rounds and len(on_the_list(state)) < 2:
        return Step(kind="register")
    if "initial-colour" in rules.draws and not state.initial_colour:
        return Step(kind="draw", round=1)
    if "numbers" in rules.draws and not numbers_drawn(state):
        return Step(kind="number")
    left = rounds_for(moment.regulations, len(state.order)) > len(rounds)
    hidden = next((one.number for one in rounds if not one.published), 0)
    by_hand = moment.regulations.table == "hand"
    if rules.known_at_once and not by_hand and (left or hidden):
        return Step(kind="schedule", round=len(rounds) + 1)
    if hidden:
        return Step(kind="publish", round=hidden)
    if left and by_hand:
        return Step(kind="by-hand", round=len(rounds) + 1)
    waiting = rounds[now - 1].open_boards() if now and not rounds[now - 1].completed else ()
    if waiting:
        return Step(kind="table" if rules.rounds_overlap else "results", round=now, waits_for=waiting)
    return Step(kind="pair" if left else "close", round=len(rounds) + left)


@PAGES.page("")
def desk_page(desk: AtDesk) -> str:
    """Results of a round in the order of the boards; one of them is selected and shown large.

    It is the last round, or of a table the one that is asked for. ``other`` is one of the other results, to
    be confirmed; empty shows them all.
    """
    moment, given = desk.moment, desk.given
    overlap = RULES[moment.regulations.edition].rounds_overlap
    asked = int(given["round"]) if overlap and is_number(given["round"]) else 0
    view = moment.boards(asked or None) if moment.state.paired else None
    waiting = [line for line in view.boards if line.result is None] if view else []
    find, open_only = given["find"][:LONGEST], given["show"] == "open"
    line = selected(view, find.strip() or given["board"].strip()) if view else None
    known = [one for group in OTHERS.values() for one in group]
    return desk.page(
        "desk.html",
        view=view,
        rows=(waiting if open_only else view.boards) if view else [],
        open=len(waiting),
        line=line or (waiting[0] if waiting else None),
        missed=find if find and line is None else "",
        find=find,
        other=given.get("other") if given.get("other") in (None, "", *known) else "",
        open_only=open_only,
        step=next_step(moment),
        rounds=range(1, moment.state.paired + 1) if overlap else (),
        at={"round": view.round} if overlap and view else {},
        results=results_in(view) if view else 0,
        entered=entered(moment, view.round) if view else {},
        news=latest(moment.facts, view, MOST_NEWS) if view else (),
        buttons=BUTTONS,
        others=OTHERS,
    )


def selected(view: Round, text: str) -> Board | None:
    """The board that is asked for by its number, or by a name at it; an open one before the others."""
    found = {int(text)} if is_number(text) else {line.board for line in matching(view, text) if line.board}
    lines = sorted((one for one in view.boards if one.board in found), key=lambda one: one.result is not None)
    return next(iter(lines), None)


def entered(moment: Moment, round: int) -> dict[int, Recorded]:
    """By board of a round: the fact with what stands there."""
    return {
        one.fact.board: one
        for one in moment.facts
        if isinstance(one.fact, ResultRecorded | ResultCorrected | GameAdjourned) and one.fact.round == round
    }


def following(form: Form) -> str:
    """The next open board after the one of a form."""
    round, board = form.fields.number("round"), form.fields.number("board")
    state = form.tournament.now().state
    waiting = state.rounds[round - 1].open_boards()
    after = next((one for one in waiting if one > board), next(iter(waiting), 0))
    at = f"round={round}&" if RULES[state.regulations.edition].rounds_overlap else ""
    return form.desk(f"?{at}board={after}" if after else "")


@PAGES.form("/result", desk_page, done=following, back="")
def result(form: Form) -> Done:
    """Record one result; the next open board follows."""
    return form.enter(form.fields.number("round"), form.fields.number("board"))


@PAGES.form("/undo", desk_page, back="")
def undo(form: Form) -> Done:
    """Take back what one's own form came to, as long as nothing was built on it."""
    facts = span(form.fields["done"])
    if facts is None:
        raise UnreadableBody("page.nothing-to-take-back").at("done")
    return form.tournament.take_back(*facts, by=form.sender())


STEPS: Final = {
    "draw": "draw-initial-colour",
    "lots": "draw-numbers",
    "varma": "draw-numbers",
    "schedule": "pair-all-rounds",
    "pair": "pair-round",
    "publish": "publish-round",
    "unpair": "unpair-round",
    "close": "close-tournament",
    "reopen": "reopen-tournament",
}
"""What the buttons of the next step send."""


def step(form: Form) -> Done:
    """Draw, pair, publish, take back, close or reopen."""
    button = form.call.request.url.path.rpartition("/")[2]
    if button in ("lots", "varma"):
        return form.do(STEPS[button], lots=button)
    if button in ("pair", "publish", "unpair"):
        return form.do(STEPS[button], round=form.fields.number("round"))
    return form.do(STEPS[button])


for button in STEPS:
    PAGES.form(f"/{button}", desk_page, back="")(step)
