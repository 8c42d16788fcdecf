"""The arbiter's desk: results by keyboard, the next step, warnings by level."""

from collections.abc import Sequence
from typing import Final

import msgspec

from paircard.domain.errors import Caution
from paircard.domain.events import ResultCorrected, ResultRecorded
from paircard.domain.values.results import OUTCOMES, spell
from paircard.service.moment import Moment
from paircard.service.pages.event import event_of
from paircard.service.pages.rendering import Frame, render
from paircard.service.pages.rounds import results_in

RESULTS: Final = tuple(spell(outcome) for outcome in OUTCOMES)
"""Every result there is, as people write it."""
BUTTONS: Final = (("1-0", "1"), ("½-½", "="), ("0-1", "0"))
"""Results with a button, and their keys."""
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
        if len(state.players) < 2:
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


def desk_page(
    moment: Moment,
    frame: Frame,
    *,
    who: str,
    key: str,
    board: int = 0,
    refusal: str = "",
    refused: int = 0,
) -> str:
    """Results of the last round; ``board`` is selected, a refusal stands in the line it belongs to."""
    view = moment.boards() if moment.history.paired else None
    waiting = [line for line in view.boards if line.result is None] if view else []
    selected = board if any(line.board == board for line in waiting) else 0
    return render(
        "desk.html",
        frame,
        event=event_of(moment),
        who=who,
        key=key,
        view=view,
        open=waiting,
        done=[line for line in view.boards if line.result is not None] if view else [],
        selected=selected or (waiting[0].board if waiting else 0),
        refusal=refusal,
        refused=refused if view and refused <= len(view.boards) else 0,
        step=next_step(moment),
        results=results_in(view) if view else 0,
        entered=entered(moment, view.round) if view else {},
        news=news(moment),
        buttons=BUTTONS,
        others=[result for result in (*RESULTS, "adjourned") if result not in dict(BUTTONS)],
    )


def entered(moment: Moment, round: int) -> dict[int, Entered]:
    """By board of a round: who entered what stands there."""
    return {
        one.fact.board: Entered(one.who, one.when)
        for one in moment.facts
        if isinstance(one.fact, ResultRecorded | ResultCorrected) and one.fact.round == round
    }


def news(moment: Moment) -> tuple[News, ...]:
    """The last entries, the newest first."""
    found = [
        News(who=one.who, when=one.when, board=one.fact.board, result=spell(one.fact.outcome))
        for one in moment.facts[-40:]
        if isinstance(one.fact, ResultRecorded)
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
    reason: str = "",
    barred: str = "",
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
