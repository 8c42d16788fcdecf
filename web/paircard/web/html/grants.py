"""Letting others in: grants with a link and a code to scan, and signing out."""

from typing import Any, Final

import msgspec
import segno
from markupsafe import Markup

from paircard.domain.errors import PaircardError
from paircard.service.pages.grants import GrantLine, grants_page
from paircard.web.access.roles import need_arbiter
from paircard.web.calls import Answer, Call
from paircard.web.html.common import frame_of, fresh
from paircard.web.html.fields import number
from paircard.web.html.public import EVENT
from paircard.web.looking import need_id
from paircard.web.pages import Page, see_other
from paircard.web.problems import status_of
from paircard.web.routes.access import add_grant, revoke_grant, sign_out
from paircard.web.site import Site


def shown(site: Site, call: Call, *, link: str = "", who: str = "", refusal: str = "") -> str:
    """The grants of the tournament; a new link is shown once, with its code."""
    id = need_id(call.tournament)
    arbiter = need_arbiter(call.login, id, "the list of grants")
    found = site.access.book().grants_of(id, site.now())
    return grants_page(
        site.tournament(id).now(),
        frame_of(site, call),
        who=arbiter.who,
        lines=[
            GrantLine(id=one.id, who=one.who, role=one.role, boards=one.boards, until=one.until)
            for one in found
        ],
        link=link,
        code=code_of(link) if link else "",
        named=who,
        refusal=refusal,
    )


def code_of(link: str) -> Markup:
    """The link as a code to scan."""
    drawn = segno.make(link, error="m").svg_inline(
        scale=5, border=2, omitsize=False, svgclass="qr", lineclass=None
    )
    return Markup(drawn)


def grants(site: Site, call: Call) -> Answer:
    """Who may come in."""
    return fresh(shown(site, call))


def add(site: Site, call: Call) -> Answer:
    """Let a deputy in; the same request as the API's."""
    need_arbiter(call.login, need_id(call.tournament), "letting others in")
    fields = call.form()
    who = fields.get("who", "").strip()
    try:
        wanted: dict[str, Any] = {"role": "deputy", "who": who, "come_by": "link"}
        if fields.get("first", "").strip() or fields.get("last", "").strip():
            wanted["boards"] = (number(fields, "first"), number(fields, "last"))
        inner = Call(call.request, msgspec.json.encode(wanted), call.client)
        inner.login = call.login
        made = msgspec.json.decode(add_grant(site, inner).body)
    except PaircardError as refusal:
        return fresh(shown(site, call, refusal=str(refusal)), status_of(type(refusal)))
    return fresh(shown(site, call, link=made["link"], who=who), 201)


def take_back(site: Site, call: Call) -> Answer:
    """Take a grant back."""
    revoke_grant(site, call)
    return see_other(f"/tournaments/{call.tournament}/desk/grants")


def leave(site: Site, call: Call) -> Answer:
    """Sign out in this browser."""
    ended = sign_out(site, call)
    headers = {name: value for name, value in ended.headers.items() if name == "set-cookie"}
    return see_other("/", **headers)


PAGES: Final = (
    Page(address=EVENT + "/desk/grants", handler=grants),
    Page(method="POST", address=EVENT + "/desk/grants", handler=add, form=True, writes=True),
    Page(method="POST", address=EVENT + "/desk/grants/{grant}", handler=take_back, form=True, writes=True),
    Page(method="POST", address="/sign-out", handler=leave, form=True, writes=True),
)
