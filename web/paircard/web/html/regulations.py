"""What was announced about a tournament: opening one, and changing what can still change."""

import re
from collections.abc import Mapping, Sequence
from typing import Any, Final

from paircard.domain.commands import ChangeRegulations
from paircard.domain.errors import NeedsAcknowledgement, PaircardError
from paircard.domain.values.regulations import RegulationChanges, Regulations
from paircard.service.pages.index import opening_page
from paircard.service.pages.regulations import FIELDS, given_of, regulations_page
from paircard.service.pages.words import Said
from paircard.web.access.roles import need_arbiter, need_opener
from paircard.web.calls import Answer, Call
from paircard.web.html.common import frame_of, fresh, new_key
from paircard.web.html.fields import key_of, number
from paircard.web.html.public import EVENT, listing
from paircard.web.html.sending import acks_of, see_done, send
from paircard.web.looking import need_id
from paircard.web.pages import Page, plain_frame
from paircard.web.problems import in_words_of_pages, status_of
from paircard.web.site import Site


def values_of(fields: Mapping[str, str]) -> dict[str, Any]:
    """Regulations as a form has them; a field that it does not have is left out."""
    made: dict[str, Any] = {name: fields[name].strip() for name in FIELDS if name in fields}
    for name in ("rounds", "half_byes"):
        if name in made:
            made[name] = number(dict(fields), name) if made[name] or name == "rounds" else 0
    if "tiebreaks" in made:
        made["tiebreaks"] = tuple(code for code in re.split(r"[,\s]+", made["tiebreaks"]) if code)
    return made


def open_tournament(site: Site, call: Call) -> Answer:
    """Open a tournament; the list of its players follows."""
    login = need_opener(call.login)
    fields = call.form()
    by = login.person(key_of(fields), accepts=acks_of(fields))
    try:
        site.commands.take(login.grant.id)
        made = site.office.new(Regulations(**values_of(fields)), by=by)
    except NeedsAcknowledgement as warned:
        frame = plain_frame(site, call.request.headers, here="/")
        return fresh(opening_page(fields, warned.warnings, frame), 409)
    except PaircardError as refusal:
        return fresh(listing(site, call, in_words_of_pages(refusal), fields), status_of(type(refusal)))
    return see_done(f"/tournaments/{made.id}/desk/players", "1")


def look(site: Site, call: Call) -> Answer:
    """The regulations, in a form."""
    return fresh(shown(site, call))


def shown(site: Site, call: Call, refusal: Said | None = None, given: Mapping[str, str] = {}) -> str:
    who = need_arbiter(call.login, need_id(call.tournament), "desk").who
    now = site.tournament(call.tournament).now()
    return regulations_page(
        now, frame_of(site, call), who=who, key=new_key(), refusal=refusal, given=given or given_of(now)
    )


def change(site: Site, call: Call) -> Answer:
    """Change what is different in the form."""
    need_arbiter(call.login, need_id(call.tournament), "desk")
    here = f"/tournaments/{call.tournament}/desk"

    def commands(fields: dict[str, str]) -> Sequence[Any]:
        known = given_of(site.tournament(call.tournament).now())
        wanted = values_of(fields)
        changed = {name: value for name, value in wanted.items() if fields[name].strip() != known[name]}
        return [ChangeRegulations(changes=RegulationChanges(**changed))]

    return send(
        site,
        call,
        commands,
        done=lambda fields: here,
        refused=lambda fields, refusal: shown(site, call, refusal, fields),
        back=f"{here}/regulations",
    )


PAGES: Final = (
    Page(method="POST", address="/tournaments", handler=open_tournament, form=True, writes=True),
    Page(address=EVENT + "/desk/regulations", handler=look),
    Page(method="POST", address=EVENT + "/desk/regulations", handler=change, form=True, writes=True),
)
