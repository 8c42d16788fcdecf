"""The list of events, opening a tournament, and its regulations."""

import re
from collections.abc import Mapping
from typing import Any, Final
from urllib.parse import urlencode

import msgspec

from paircard.domain.commands import ChangeRegulations
from paircard.domain.errors import NeedsAcknowledgement, PaircardError
from paircard.domain.values.regulations import (
    TABLES,
    RegulationChanges,
    Regulations,
    announced_half_byes,
    cycles_of,
)
from paircard.domain.values.rules import NEWEST, RULES
from paircard.service import Done, Moment
from paircard.service.print.rendering import Said
from paircard.web.calls import Answer, Call
from paircard.web.looking import making
from paircard.web.pages.forms import AtDesk, Desk, Form, Given, asking, see_done
from paircard.web.pages.page import fresh, new_key, plain_frame, render
from paircard.web.problems import in_words_of_pages, status_of, without_place
from paircard.web.roles import need_opener, sees_all
from paircard.web.routes.views import search_in
from paircard.web.site import Site

PAGES: Final = Desk()


FIELDS: Final = (
    "name", "rounds", "tiebreaks", "half_byes", "edition", "cycles", "exchange", "table", "starts", "ends",
    "place", "federation", "chief_arbiter", "time_control",
)  # fmt: skip
"""Regulations that a form has."""
NEW: Final = {"tiebreaks": "BH/C1,BH,SB", "edition": NEWEST, "half_byes": "0", "cycles": "1"}
"""What the form for a new tournament begins with."""


def given_of(moment: Moment) -> dict[str, str]:
    """The regulations of a tournament as a form has them."""
    rules = moment.regulations
    made = {name: str(getattr(rules, name)) for name in FIELDS}
    return made | {
        "tiebreaks": ",".join(rules.tiebreaks),
        "half_byes": str(announced_half_byes(rules)),
        "cycles": str(cycles_of(rules)),
        "exchange": "no" if rules.exchange is False else "yes",
        "table": rules.table or TABLES[0],
    }


@PAGES.page("/regulations")
def regulations_page(desk: AtDesk) -> str:
    """The regulations, to look at and to change."""
    given = desk.given if desk.refusal else given_of(desk.moment)
    return desk.page("desk_regulations.html", given=given, editions=tuple(RULES))


ON_A_PAGE: Final = 50
"""Events of the list."""


@PAGES.get("/")
def index(site: Site, call: Call) -> Answer:
    """The events of this server, the newest first."""
    with making(site, call):
        return fresh(listing(site, call))


def listing(site: Site, call: Call, refusal: Said | None = None, given: Mapping[str, str] = NEW) -> str:
    """The list of events as this reader may see it."""
    search, login = search_in(call), call.login
    after = call.parameter("after") or ""
    seen, last = site.listed(login, search, after=after, limit=ON_A_PAGE, newest=True)
    looked_for = {name: value for name, value in msgspec.structs.asdict(search).items() if value}
    return render(
        "index.html",
        plain_frame(site, call.request.headers, here="/"),
        events=seen,
        search=looked_for,
        older=f"/?{urlencode({**looked_for, 'after': last})}" if last else "",
        who=login.who if login else "",
        may_open=sees_all(login, ""),
        key=new_key(),
        refusal=refusal,
        given=given,
        editions=tuple(RULES),
        signed_out=call.parameter("signed-out") is not None,
    )


def values_of(fields: Given) -> dict[str, Any]:
    """Regulations as a form has them; a field that it does not have is left out."""
    made: dict[str, Any] = {name: fields[name].strip() for name in FIELDS if name in fields}
    rules = RULES.get(made.get("edition", ""))
    follow = rules is not None and rules.rounds_follow_field
    for name in ("rounds", "half_byes", "cycles"):
        if name in made:
            made[name] = fields.number(name) if made[name] or (name == "rounds" and not follow) else 0
    if "exchange" in made:
        made["exchange"] = made["exchange"] != "no"
    if "tiebreaks" in made:
        made["tiebreaks"] = tuple(code for code in re.split(r"[,\s]+", made["tiebreaks"]) if code)
    return made


def opening_of(fields: Given) -> Regulations:
    """The regulations of a new tournament, with the tie-breaks its rules suggest unless others were typed."""
    made = values_of(fields)
    rules = RULES.get(made.get("edition", NEWEST), RULES[NEWEST])
    if rules.tiebreaks and fields["tiebreaks"] == NEW["tiebreaks"]:
        made["tiebreaks"] = rules.tiebreaks
    if made.get("cycles") != 2:
        made.pop("exchange", None)
    if made.get("cycles") in (0, 1):
        del made["cycles"]
    if made.get("table") in ("", TABLES[0]):
        del made["table"]
    return Regulations(**made)


@PAGES.post("/tournaments")
def open_tournament(site: Site, call: Call) -> Answer:
    """Open a tournament; the list of its players follows."""
    login, fields = need_opener(call.login), Given(call.form())
    by = fields.sender(login)
    try:
        made = site.office.new(opening_of(fields), by=by)
    except NeedsAcknowledgement as warned:
        frame = plain_frame(site, call.request.headers, here="/")
        question = asking(without_place(warned, site.office.location, frame.language), fields)
        return fresh(render("ask.html", frame, action="/tournaments", back="/", **question), 409)
    except PaircardError as refusal:
        return fresh(listing(site, call, in_words_of_pages(refusal), fields), status_of(type(refusal)))
    return see_done(f"/tournaments/{made.id}/desk/players", "1")


@PAGES.form("/regulations", regulations_page)
def change(form: Form) -> Done:
    """Change what is different in the form."""
    known, wanted = given_of(form.tournament.now()), values_of(form.fields)
    changed = {name: value for name, value in wanted.items() if form.fields[name].strip() != known[name]}
    return form.order(ChangeRegulations(changes=RegulationChanges(**changed)))
