"""What a form came to: every page of the desk says it in one line, with the way to take it back."""

import re

import msgspec

from paircard.domain.errors import Refused
from paircard.domain.events import PlayerDetailsCorrected, PlayerRegistered
from paircard.projections.log_lines import LogLine, log_lines
from paircard.service.moment import Moment
from paircard.service.undo import commands_to_take_back, facts_between

MOST_LINES = 3
"""Facts that are said one by one."""
NOTHING = "nothing"
"""Stands for a form that came to no fact: it was so already."""


class Told(msgspec.Struct, frozen=True, kw_only=True):
    """What is now so, because of a form."""

    registered: tuple[str, ...] = ()
    """Names of the players who were registered."""
    updated: int = 0
    """Players whose data were corrected, where there are several."""
    lines: tuple[LogLine, ...] = ()
    """The other facts."""
    more: int = 0
    """Further ones that are not said one by one."""
    undo: str = ""
    """The facts that a button takes back, like ``57-79``; empty if there is no way back."""
    revoked: str = ""
    """Who may no longer come in."""
    nothing: bool = False


def span(text: str) -> tuple[int, int] | None:
    """First and last of facts that are written ``57`` or ``57-79``."""
    found = re.fullmatch(r"([1-9][0-9]{0,8})(?:-([1-9][0-9]{0,8}))?", text)
    return (int(found[1]), int(found[2] or found[1])) if found else None


def told(moment: Moment, text: str, who: str) -> Told | None:
    """These facts in one line for somebody, who may take their own back."""
    if text == NOTHING:
        return Told(nothing=True)
    asked = span(text)
    if asked is None or not asked[0] <= asked[1] <= moment.version:
        return None
    before, facts = facts_between(moment.facts, *asked)
    lines = list(zip(facts, log_lines(facts, before), strict=True))
    registered = [one.fact.details.name for one in facts if isinstance(one.fact, PlayerRegistered)]
    corrected = [one for one in facts if isinstance(one.fact, PlayerDetailsCorrected)]
    counted = (PlayerRegistered, *((PlayerDetailsCorrected,) if len(corrected) > 1 else ()))
    others = [line for one, line in lines if not isinstance(one.fact, counted)]
    return Told(
        registered=tuple(registered),
        updated=len(corrected) if len(corrected) > 1 else 0,
        lines=tuple(others[:MOST_LINES]),
        more=len(others[MOST_LINES:]),
        undo=text if all(one.who == who for one in facts) and may_take_back(moment, *asked) else "",
    )


def may_take_back(moment: Moment, first: int, last: int) -> bool:
    """Whether something takes these facts back, and nothing stands in the way now."""
    try:
        return bool(commands_to_take_back(moment.facts, first, last))
    except Refused:
        return False
