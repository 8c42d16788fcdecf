"""A deputy's phone."""

import time
from typing import Final

from paircard.domain.errors import PaircardError
from paircard.service.pages.phone import Deputy, phone_board_page, phone_page
from paircard.web.access.book import Login
from paircard.web.access.roles import covers, need, refused
from paircard.web.calls import Answer, Call
from paircard.web.html.common import frame_of, fresh, new_key
from paircard.web.html.public import EVENT
from paircard.web.html.sending import number, result_verb, send
from paircard.web.looking import need_id
from paircard.web.pages import Page
from paircard.web.routes.views import number_in_path
from paircard.web.site import Site


def deputy_of(call: Call) -> tuple[Login, Deputy]:
    """Who holds the phone; an arbiter may, too."""
    id = need_id(call.tournament)
    login = need(call.login, "entering results")
    grant = login.grant
    if grant.role == "officer" or not covers(grant, id):
        raise refused(login, f"{grant.who} enters no results of this tournament")
    until = time.strftime("%H:%M UTC", time.gmtime(grant.until)) if grant.until else ""
    return login, Deputy(who=grant.who, boards=grant.boards, until=until)


def boards(site: Site, call: Call) -> Answer:
    """Own boards, open ones first."""
    _, deputy = deputy_of(call)
    return fresh(phone_page(site.public_moment(call.tournament), deputy, frame_of(site, call)))


def board(site: Site, call: Call) -> Answer:
    """One board: three buttons, the question, or that it is recorded."""
    _, deputy = deputy_of(call)
    text = phone_board_page(
        site.public_moment(call.tournament),
        deputy,
        number_in_path(call, "board", 6),
        frame_of(site, call),
        result=call.parameter("result") or "",
        key=new_key(),
        recorded=call.parameter("recorded") is not None,
    )
    return fresh(text)


def record(site: Site, call: Call) -> Answer:
    """Record the result that was confirmed."""
    _, deputy = deputy_of(call)
    at = number_in_path(call, "board", 6)
    here = f"/tournaments/{call.tournament}/phone/{at}"

    def page(fields: dict[str, str], refusal: PaircardError) -> str:
        return phone_board_page(
            site.public_moment(call.tournament),
            deputy,
            at,
            frame_of(site, call),
            key=new_key(),
            refusal=str(refusal),
        )

    return send(
        site,
        call,
        lambda fields: [result_verb(number(fields, "round"), at, fields.get("result", ""))],
        done=lambda fields: f"{here}?recorded",
        refused=page,
        back=here,
    )


PAGES: Final = (
    Page(address=EVENT + "/phone", handler=boards),
    Page(address=EVENT + "/phone/{board}", handler=board),
    Page(method="POST", address=EVENT + "/phone/{board}", handler=record, form=True, writes=True),
)
