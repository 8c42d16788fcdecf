"""The style sheet of all pages, and its address."""

import hashlib
from functools import cache
from typing import Final

from paircard.service.pages.rendering import style
from paircard.web.calls import Answer, Call
from paircard.web.looking import FOREVER
from paircard.web.site import Site

STYLE: Final = "paircard.css"


@cache
def style_address() -> str:
    """The address of the style sheet; it changes with the sheet."""
    return f"/static/{hashlib.sha256(style().encode()).hexdigest()[:8]}/{STYLE}"


def style_sheet(site: Site, call: Call) -> Answer:
    """The one style sheet of all pages."""
    made = site.cache.get(("static", STYLE), lambda: style().encode())
    headers = {"cache-control": f"public, {FOREVER}", "vary": "Accept-Encoding"}
    return Answer(body=made.body, packed=made.packed, media_type="text/css; charset=utf-8", headers=headers)
