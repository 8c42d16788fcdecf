"""The arbiter's desk: results by keyboard, the next step, what was entered last."""

from collections.abc import Mapping
from typing import Final

import msgspec

from paircard.domain.deciding.numbering import numbers_drawn
from paircard.domain.events import GameAdjourned, ResultCorrected, ResultRecorded
from paircard.domain.state import entered as on_the_list
from paircard.domain.values.regulations import rounds_for
from paircard.domain.values.rules import RULES
from paircard.domain.values.text import is_number
from paircard.service import Done, Moment
from paircard.service.desk import result_command
from paircard.service.print.event import results_in
from paircard.service.print.rendering import Said
from paircard.service.views import Board, Round
from paircard.web.calls import Answer, Call
from paircard.web.pages import forms
from paircard.web.pages.corrections import latest
from paircard.web.pages.page import EVENT, fresh, span
from paircard.web.pages.public import matching
from paircard.web.problems import UnreadableBody
from paircard.web.site import Site

PAGES: Final = forms.Desk()
MOST_NEWS: Final = 6


class Step(msgspec.Struct, frozen=True, kw_only=True):
    """What the arbiter does next."""

    kind: str
    """``register``, ``draw``, ``pair``, ``publish``, ``results``, ``close`` or ``closed``; of a round robin
    ``number``, ``schedule`` or ``by-hand``, then ``table`` while games are open."""
    round: int = 0
    waits_for: tuple[int, ...] = ()
    """Boards without a result."""


class Entered(msgspec.Struct, frozen=True):
    """Who entered the result of a board, and when."""

    who: str
    when: str


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


class Chosen(msgspec.Struct, frozen=True, kw_only=True):
    """What the address of the desk asks for."""

    round: int = 0
    """Of a table; 0 for the one people are in."""
    board: int = 0
    find: str = ""
    """A board number or a name."""
    other: str | None = None
    """One of the other results, to be confirmed; empty shows them all, None none of them."""
    open_only: bool = False


NOTHING_CHOSEN: Final = Chosen()


def desk_page(desk: forms.AtDesk, chosen: Chosen = NOTHING_CHOSEN, refusal: Said | None = None) -> str:
    """Results of the last round in the order of the boards; one of them is selected and shown large."""
    moment = desk.moment
    overlap = RULES[moment.regulations.edition].rounds_overlap
    view = moment.boards((overlap and chosen.round) or None) if moment.state.paired else None
    waiting = [line for line in view.boards if line.result is None] if view else []
    line = selected(view, chosen) if view else None
    known = [one for group in forms.OTHERS.values() for one in group]
    return desk.page(
        "desk.html",
        refusal,
        view=view,
        rows=(waiting if chosen.open_only else view.boards) if view else [],
        open=len(waiting),
        line=line or (waiting[0] if waiting else None),
        missed=chosen.find if chosen.find and line is None else "",
        find=chosen.find,
        other=chosen.other if chosen.other in (None, "", *known) else "",
        open_only=chosen.open_only,
        step=next_step(moment),
        rounds=range(1, moment.state.paired + 1) if overlap else (),
        at={"round": view.round} if overlap and view else {},
        results=results_in(view) if view else 0,
        entered=entered(moment, view.round) if view else {},
        news=latest(moment.facts, view.round, MOST_NEWS) if view else (),
        buttons=forms.BUTTONS,
        others=forms.OTHERS,
    )


def selected(view: Round, chosen: Chosen) -> Board | None:
    """The board that is asked for by its number, or by a name at it; an open one before the others."""
    text = chosen.find.strip()
    if text and not is_number(text):
        found = {line.board for line in matching(view, text) if line.board}
    else:
        found = {int(text) if text else chosen.board}
    lines = sorted((one for one in view.boards if one.board in found), key=lambda one: one.result is not None)
    return next(iter(lines), None)


def entered(moment: Moment, round: int) -> dict[int, Entered]:
    """By board of a round: who entered what stands there."""
    return {
        one.fact.board: Entered(one.who, one.when)
        for one in moment.facts
        if isinstance(one.fact, ResultRecorded | ResultCorrected | GameAdjourned) and one.fact.round == round
    }


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
LONGEST: Final = 100
"""Letters of a name that is looked for."""


def desk(site: Site, call: Call, fields: Mapping[str, str] = {}, refusal: Said | None = None) -> str:
    """The desk as it is now, at the board of a form."""
    entered_at = fields.get("board", "").strip()
    chosen = Chosen(
        round=call.number("round", 0, most=10**6),
        board=(is_number(entered_at) and int(entered_at)) or call.number("board", 0, most=10**6),
        find=(call.parameter("find") or "")[:LONGEST],
        other=call.parameter("other"),
        open_only=call.parameter("show") == "open",
    )
    return desk_page(forms.at_desk(site, call, "desk.js"), chosen, refusal)


@PAGES.get(EVENT + "/desk")
def results(site: Site, call: Call) -> Answer:
    """Results of the last round."""
    return fresh(desk(site, call))


def following(site: Site, call: Call, fields: dict[str, str]) -> str:
    """The next open board after the one of a form."""
    round, board = forms.number(fields, "round"), forms.number(fields, "board")
    state = site.tournament(call.tournament).now().state
    waiting = state.rounds[round - 1].open_boards()
    after = next((one for one in waiting if one > board), next(iter(waiting), 0))
    at = f"round={round}&" if RULES[state.regulations.edition].rounds_overlap else ""
    return forms.address(call, f"?{at}board={after}" if after else "")


@PAGES.form("/result", desk, done=following, back="")
def result(site: Site, call: Call, fields: dict[str, str]) -> Done:
    """Record one result; the next open board follows."""
    round, board = forms.number(fields, "round"), forms.number(fields, "board")
    return forms.order(site, call, fields, result_command(round, board, fields.get("result", "").strip()))


@PAGES.form("/undo", desk, back="")
def undo(site: Site, call: Call, fields: dict[str, str]) -> Done:
    """Take back what one's own form came to, as long as nothing was built on it."""
    facts = span(fields.get("done", ""))
    if facts is None:
        raise UnreadableBody("page.nothing-to-take-back").at("done")
    by = forms.sender(site, call.login, fields)
    return site.tournament(call.tournament).take_back(*facts, by=by)


def step(site: Site, call: Call, fields: dict[str, str]) -> Done:
    """Draw, pair, publish, take back, close or reopen."""
    button = call.request.url.path.rpartition("/")[2]
    name = STEPS[button]
    if name == "draw-numbers":
        wanted = forms.verb(name, lots=button)
    elif name in ("pair-round", "publish-round", "unpair-round"):
        wanted = forms.verb(name, round=forms.number(fields, "round"))
    else:
        wanted = forms.verb(name)
    return forms.order(site, call, fields, wanted)


for button in STEPS:
    PAGES.form(f"/{button}", desk, back="")(step)
