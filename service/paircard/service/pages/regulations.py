"""What was announced about a tournament, in a form."""

from collections.abc import Mapping
from typing import Final

from paircard.domain.values.editions import EDITIONS
from paircard.domain.values.regulations import announced_half_byes
from paircard.service.moment import Moment
from paircard.service.pages.event import event_of
from paircard.service.pages.rendering import Frame, render
from paircard.service.pages.words import Said

FIELDS: Final = (
    "name", "rounds", "tiebreaks", "half_byes", "edition", "starts", "ends", "place", "federation",
    "chief_arbiter", "time_control",
)  # fmt: skip
"""Regulations that a form has."""
NEW: Final = {"tiebreaks": "BH/C1,BH,SB", "edition": EDITIONS[0], "half_byes": "0"}
"""What the form for a new tournament begins with."""


def given_of(moment: Moment) -> dict[str, str]:
    """The regulations of a tournament as a form has them."""
    rules = moment.regulations
    made = {name: str(getattr(rules, name)) for name in FIELDS}
    return made | {"tiebreaks": ",".join(rules.tiebreaks), "half_byes": str(announced_half_byes(rules))}


def regulations_page(
    moment: Moment, frame: Frame, *, who: str, key: str, given: Mapping[str, str], refusal: Said | None = None
) -> str:
    """The regulations, to look at and to change."""
    return render(
        "desk_regulations.html",
        frame,
        event=event_of(moment),
        who=who,
        key=key,
        given=given,
        editions=EDITIONS,
        refusal=refusal,
    )
