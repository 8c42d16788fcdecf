"""The arbiter's desk: results by keyboard, the next step, warnings by level."""

from collections.abc import Sequence
from typing import Final

import msgspec

from paircard.domain.errors import Caution
from paircard.domain.events import GameAdjourned, ResultCorrected, ResultRecorded
from paircard.domain.state import entered as on_the_list
from paircard.domain.values.results import spell
from paircard.domain.values.text import is_number
from paircard.service.moment import Moment
from paircard.service.pages.event import event_of
from paircard.service.pages.pairings import matching
from paircard.service.pages.rendering import Frame, render
from paircard.service.pages.rounds import lines_by_name, results_in
from paircard.service.pages.words import Said
from paircard.service.views import Board, Round

BUTTONS: Final = {"1-0": "1", "½-½": "=", "0-1": "0"}
"""Results with a button, and their keys."""
OTHERS: Final = {
    "forfeit": ("1F-0F", "0F-1F", "0F-0F"),
    "later": ("adjourned",),
    "unrated": ("W-L", "D-D", "L-W"),
    "decided": ("½-0", "0-½", "0-0"),
}
"""Every other result, by the reason for it."""
RESULTS: Final = {"played": tuple(BUTTONS), **{name: OTHERS[name] for name in OTHERS if name != "later"}}
"""Every result there is: those with a button, and the others."""
MOST_NEWS: Final = 6


class Step(msgspec.Struct, frozen=True, kw_only=True):
    """What the arbiter does next."""

    kind: str
    """``register``, ``draw``, ``pair``, ``publish``, ``results``, ``close`` or ``closed``."""
    round: int = 0
    waits_for: tuple[int, ...] = ()
    """Boards without a result."""


class Entered(msgspec.Struct, frozen=True):
    """Who entered the result of a board, and when."""

    who: str
    when: str


class News(msgspec.Struct, frozen=True, kw_only=True):
    """An entry of somebody at work."""

    who: str
    when: str
    board: int
    result: str


def next_step(moment: Moment) -> Step:
    """The step the tournament waits for."""
    state, rounds = moment.state, moment.history.rounds
    if state.closed:
        return Step(kind="closed")
    if not rounds:
        if len(on_the_list(state)) < 2:
            return Step(kind="register")
        return Step(kind="pair" if state.initial_colour else "draw", round=1)
    last = rounds[-1]
    if not last.published:
        return Step(kind="publish", round=len(rounds))
    waiting = last.open_boards()
    if waiting and not last.completed:
        return Step(kind="results", round=len(rounds), waits_for=waiting)
    if len(rounds) < moment.regulations.rounds:
        return Step(kind="pair", round=len(rounds) + 1)
    return Step(kind="close", round=len(rounds))


class Chosen(msgspec.Struct, frozen=True, kw_only=True):
    """What the address of the desk asks for."""

    board: int = 0
    find: str = ""
    """A board number or a name."""
    other: str | None = None
    """One of the other results, to be confirmed; empty shows them all, None none of them."""
    open_only: bool = False


NOTHING_CHOSEN: Final = Chosen()


def desk_page(
    moment: Moment,
    frame: Frame,
    *,
    who: str,
    key: str,
    chosen: Chosen = NOTHING_CHOSEN,
    refusal: Said | None = None,
) -> str:
    """Results of the last round in the order of the boards; one of them is selected and shown large."""
    view = moment.boards() if moment.history.paired else None
    waiting = [line for line in view.boards if line.result is None] if view else []
    line = selected(view, chosen) if view else None
    known = [one for group in OTHERS.values() for one in group]
    return render(
        "desk.html",
        frame,
        event=event_of(moment),
        who=who,
        key=key,
        view=view,
        rows=(waiting if chosen.open_only else view.boards) if view else [],
        open=len(waiting),
        line=line or (waiting[0] if waiting else None),
        missed=chosen.find if chosen.find and line is None else "",
        find=chosen.find,
        other=chosen.other if chosen.other in (None, "", *known) else "",
        open_only=chosen.open_only,
        refusal=refusal,
        step=next_step(moment),
        results=results_in(view) if view else 0,
        entered=entered(moment, view.round) if view else {},
        news=news(moment, view.round) if view else (),
        buttons=BUTTONS,
        others=OTHERS,
    )


def selected(view: Round, chosen: Chosen) -> Board | None:
    """The board that is asked for by its number, or by a name at it; an open one before the others."""
    text = chosen.find.strip()
    if text and not is_number(text):
        found = {line.board for line in matching(lines_by_name(view), text) if line.board}
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


def news(moment: Moment, round: int) -> tuple[News, ...]:
    """The last entries of a round, the newest first."""
    found = [
        News(who=one.who, when=one.when, board=one.fact.board, result=spell(one.fact.outcome))
        for one in moment.facts
        if isinstance(one.fact, ResultRecorded) and one.fact.round == round
    ]
    return tuple(reversed(found[-MOST_NEWS:]))


def ask_page(
    moment: Moment,
    frame: Frame,
    *,
    who: str,
    action: str,
    back: str,
    fields: Sequence[tuple[str, str]],
    warnings: Sequence[Caution] = (),
    reason: Said | None = None,
    barred: Said | None = None,
    why: str = "",
) -> str:
    """Warnings by level: one button, a choice, from level 4 on ticks; level 5 has the way back alone.

    Where only the reason is missing, the page asks for it.
    """
    return render(
        "ask.html",
        frame,
        event=event_of(moment),
        who=who,
        action=action,
        back=back,
        warnings=warnings,
        level=5 if barred else max((one.level for one in warnings), default=0),
        reason=reason,
        barred=barred,
        why=why,
        fields=fields,
    )
