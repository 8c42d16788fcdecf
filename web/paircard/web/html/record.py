"""The record: the time line of a tournament, and the check of a printed code."""

from typing import Final

from paircard.service.pages.record import record_page
from paircard.web.access.roles import need_reader
from paircard.web.calls import Answer, Call
from paircard.web.html.common import frame_of, fresh
from paircard.web.html.public import EVENT
from paircard.web.looking import look, need_id
from paircard.web.pages import Page
from paircard.web.site import Site

LONGEST: Final = 100


def record(site: Site, call: Call) -> Answer:
    """The facts on a time line; ``at`` is the fact that is looked at."""
    id = need_id(call.tournament)
    need_reader(call.login, id, "the record")
    seen = look(site, call)
    now = site.tournament(id).now()
    code = (call.parameter("head") or "")[:LONGEST]
    at = seen.moment.version if seen.fixed else None
    frame = frame_of(site, call, seen)
    return fresh(record_page(now, at, frame, then=seen.moment, code=code))


PAGES: Final = (Page(address=EVENT + "/record", handler=record),)
