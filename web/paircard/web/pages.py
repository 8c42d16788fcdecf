"""Pages for browsers, mounted beside the API: the same nouns without ``/api/v1``.

A page is a row of ``PAGES``: a handler like those of the API, ``(Site, Call) -> Answer``, that answers HTML.
What it needs is at hand:

- ``looking.look(site, call)`` is the moment ``at=`` names, as this login may see it; ``looking.view`` and
  ``looking.answer_view`` answer from the cache with validators (``media_type=HTML``, a name of its own);
- ``call.login`` is who is signed in, or None; ``access.roles`` has ``sees_all``, ``need_arbiter`` and so on;
- a form is posted to a row with ``form=True``: ``call.form()`` has its fields, ``see_other`` leads on. A form
  that comes with a cookie was sent by a page of ours, or ``Guard`` has refused it: no token is needed. It
  carries its own ``key`` field, so that a double tap counts once (``carry_out`` of ``routes.commands``);
- what a page loads lies in ``static/`` and has the address ``static(site, name)``.

A refusal is answered as a page by ``refusal_page``.
"""

import mimetypes
import re
from collections.abc import Callable, Mapping
from importlib.resources import files
from typing import Final, Literal

import msgspec
from markupsafe import Markup
from msgspec.structs import replace
from starlette.requests import Request

from paircard.domain.errors import PaircardError
from paircard.service.pages.event import Event, event_of
from paircard.service.pages.index import Unsent
from paircard.service.pages.index import refusal_page as words_of_refusal
from paircard.service.pages.index import sign_in_page as words_of_signing_in
from paircard.service.pages.rendering import Frame, Links
from paircard.web.calls import Answer, Call, quoted
from paircard.web.html.style import style_address
from paircard.web.language import language_of
from paircard.web.looking import FOREVER
from paircard.web.problems import NotFound
from paircard.web.site import Site

HTML: Final = "text/html; charset=utf-8"


class Page(msgspec.Struct, frozen=True, kw_only=True):
    """One page, or where a form is sent."""

    method: Literal["GET", "POST"] = "GET"
    address: str
    handler: Callable[[Site, Call], Answer]
    form: bool = False
    """The body is a form of a page."""
    upload: bool = False
    """The form carries a file."""
    writes: bool = False
    """Runs in the thread of the writer."""
    at_once: bool = False
    """Is answered without a thread."""


def see_other(address: str, **headers: str) -> Answer:
    """After a form was taken: look there."""
    return Answer(status=303, headers={"location": quoted(address), "cache-control": "no-store", **headers})


def static(site: Site, name: str) -> str:
    """The address of a file that pages load; it changes with the file."""
    return f"/static/{site.build}/{name}"


def static_file(site: Site, call: Call) -> Answer:
    """A style sheet or script."""
    name = str(call.path["name"])
    if name not in {one.name for one in files("paircard.web").joinpath("static").iterdir() if one.is_file()}:
        raise NotFound("http.no-such-file", text=name)
    found = files("paircard.web").joinpath("static", name)
    kind = mimetypes.guess_type(name)[0] or "application/octet-stream"
    made = site.cache.get(("static", name), found.read_bytes)
    headers = {"cache-control": f"public, {FOREVER}", "vary": "Accept-Encoding"}
    return Answer(body=made.body, packed=made.packed, media_type=kind, headers=headers)


def sign_in_page(site: Site, call: Call) -> Answer:
    """Where a link leads: the secret is in the fragment, which only the script sees, and sends on."""
    page = words_of_signing_in(plain_frame(site, call.request.headers, "sign-in.js", here="/sign-in"))
    return Answer(body=page.encode(), media_type=HTML, headers={"cache-control": "no-store"})


def refusal_page(
    site: Site, status: int, text: Markup, request: Request, again: int = 0, sent: Mapping[str, str] = {}
) -> bytes:
    """A refusal for people, in the shell of the event it happened in.

    The browser asks again by itself after so many seconds, if any. What somebody ``sent`` who is no longer
    signed in stays in the page, to be sent again.
    """
    path = request.url.path
    below = re.match(r"/tournaments/([0-9a-f]{32})/(?:(phone)(?:/([0-9]{1,6}))?)?", f"{path}/")
    event = event_for_all(site, below[1]) if below and status != 503 else None
    frame = plain_frame(site, request.headers, here=path if request.method == "GET" else "/")
    if below and event:
        frame = replace(frame, links=Links(f"/tournaments/{below[1]}"))
    unsent = None
    if sent and status == 401:
        board = sent.get("board", "") or (below[3] or "" if below else "")
        unsent = Unsent(action=path, fields=sent, board=board if "result" in sent else "")
    phone = event is not None and below is not None and below[2] is not None
    page = words_of_refusal(status, text, frame, again=again, event=event, phone=phone, unsent=unsent)
    return page.encode()


def event_for_all(site: Site, id: str) -> Event | None:
    """An event as the head of a public page shows it, if there is one."""
    try:
        return event_of(site.public_moment(id))
    except PaircardError:
        return None


def plain_frame(site: Site, headers: Mapping[str, str], script: str = "", here: str = "") -> Frame:
    """The frame of a page of a few words."""
    return Frame(
        language=language_of(headers),
        stylesheet=style_address(),
        icon=static(site, "icon.svg"),
        scripts=(static(site, script),) if script else (),
        here=here,
    )


PAGES: Final = (
    Page(address="/sign-in", handler=sign_in_page),
    Page(address="/static/{build}/{name}", handler=static_file),
)
