"""Players from a file, in the browser: who is new, who is known, what is wrong with it."""

from paircard.service.moment import Moment
from paircard.service.pages.event import event_of
from paircard.service.pages.rendering import Frame, render
from paircard.service.pages.words import Said
from paircard.service.sheets.registration import Registration, sheet_text


def players_file_page(
    moment: Moment,
    frame: Frame,
    *,
    who: str,
    key: str,
    plan: Registration | None = None,
    refusal: Said | None = None,
    text: str = "",
) -> str:
    """A file or pasted lines; then what they would change, and the button."""
    return render(
        "desk_import.html",
        frame,
        event=event_of(moment),
        who=who,
        key=key,
        plan=plan,
        sheet=sheet_text(
            [*(details for _, details in plan.new), *(one.says for one in plan.updated)] if plan else []
        ),
        level=max((one.level for one in plan.warnings), default=0) if plan else 0,
        late=moment.history.paired > 0,
        refusal=refusal,
        text=text,
    )
