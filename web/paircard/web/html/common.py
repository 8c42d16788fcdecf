"""What every page needs: its frame, its language, the style sheet, and how long an answer holds."""

import secrets
from collections.abc import Callable
from typing import Final
from urllib.parse import urlencode

from msgspec.structs import replace

from paircard.service import Moment
from paircard.service.pages.rendering import Frame, Links
from paircard.service.pages.told import Told, told
from paircard.service.pages.words import languages
from paircard.web.access.roles import covers, sees_all
from paircard.web.cache import Made
from paircard.web.calls import Answer, Call
from paircard.web.endpoints import API
from paircard.web.html.style import style_address
from paircard.web.language import LANGUAGE, language_of
from paircard.web.looking import Look, answer_view, look
from paircard.web.pages import HTML, see_other, static
from paircard.web.problems import NotFound
from paircard.web.site import Site


def choose_language(site: Site, call: Call) -> Answer:
    """Remember a language and go back to the page it was chosen on."""
    code, back = str(call.path["code"]), call.parameter("back") or "/"
    if code not in languages():
        raise NotFound("page.no-such-language", text=code, known=languages())
    if not back.startswith("/") or back.startswith(("//", "/\\")) or not back.isprintable():
        back = "/"
    cookie = f"{LANGUAGE}={code}; Path=/; Max-Age=31536000; SameSite=Lax"
    return see_other(back, **{"set-cookie": cookie})


def frame_of(site: Site, call: Call, seen: Look | None = None, *more: str) -> Frame:
    """How a page of a tournament is made for this reader; ``more`` are scripts of its own."""
    id, login = call.tournament, call.login
    fixed = seen is not None and seen.fixed
    whole = seen is None or not seen.public
    return Frame(
        language=language_of(call.request.headers),
        stylesheet=style_address(),
        icon=static(site, "icon.svg"),
        scripts=tuple(static(site, name) for name in ("paircard.js", *more)),
        links=Links(f"/tournaments/{id}", at=call.parameter("at") or "" if fixed else ""),
        feed="" if fixed else f"{API}/tournaments/{id}/feed",
        desk=login is not None and login.grant.role == "arbiter" and covers(login.grant, id),
        log=whole and sees_all(login, id),
        told=what_was_done(site, call),
        key=new_key() if call.parameter("done") else "",
        here=here_of(call),
        address=str(call.request.base_url).rstrip("/") + here(call),
        steps=steps(call, seen) if seen is not None and seen.fixed else ("", ""),
    )


def here_of(call: Call) -> str:
    """The address of the page itself, without what was just done."""
    asked = [(name, value) for name, value in call.request.query_params.multi_items() if name != "done"]
    return call.request.url.path + (f"?{urlencode(asked)}" if asked else "")


def what_was_done(site: Site, call: Call) -> Told | None:
    """What the form came to that led to this page: facts, or a grant that was taken back."""
    text, login, id = call.parameter("done") or "", call.login, call.tournament
    if not text or login is None or login.grant.role != "arbiter" or not covers(login.grant, id):
        return None
    grant = site.access.book().grants.get(text)
    if grant is not None:
        return Told(revoked=grant.who) if grant.tournament == id else None
    return told(site.tournament(id).now(), text, login.who)


CHOICES: Final = ("after", "by", "player", "not", "bracket", "at")
"""What the address of a public page may ask for."""


def here(call: Call, at: str = "") -> str:
    """The address of a page with what it was asked for and nothing else; ``at`` is another moment of it."""
    asked = {name: call.parameter(name) for name in CHOICES} | ({"at": at} if at else {})
    query = urlencode({name: value for name, value in asked.items() if value})
    return call.request.url.path + (f"?{query}" if query else "")


def steps(call: Call, seen: Look) -> tuple[str, str]:
    """The same page one fact earlier and one later; whether there is a later fact is not known here."""
    mark, version = "p" if seen.public else "", seen.moment.version
    return here(call, f"{mark}{version - 1}") if version > 1 else "", here(call, f"{mark}{version + 1}")


def page(site: Site, call: Call, name: str, make: Callable[[Moment, Frame], str]) -> Answer:
    """A page of the moment a call is about: from the cache, or 304 if the browser has it."""
    seen = look(site, call)
    frame = frame_of(site, call, seen)
    if frame.told:
        return fresh(make(seen.moment, frame))
    rights = f"{'d' if frame.desk else ''}{'l' if frame.log else ''}.{call.request.url.netloc}"
    mine = replace(seen, tag=f"{seen.tag}.{frame.language}{rights}")
    answer = answer_view(site, call, mine, f"html/{name}", lambda: make(seen.moment, frame).encode(), HTML)
    answer.headers["vary"] = "Accept-Encoding, Accept-Language, Cookie"
    return answer


def fresh(text: str, status: int = 200) -> Answer:
    """A page that is made for one reader at one time."""
    made = Made(text.encode())
    headers = {"cache-control": "private, no-store", "vary": "Accept-Encoding"}
    return Answer(body=made.body, packed=made.packed, status=status, media_type=HTML, headers=headers)


def new_key() -> str:
    """A key for a form: sent twice, it counts once."""
    return secrets.token_hex(8)
