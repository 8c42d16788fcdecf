"""What every page of the browser needs: its row, its frame, its language, and how long an answer holds.

A page is a handler like those of the API, ``(Site, Call) -> Answer``, that answers HTML; it names its address
above itself (``Pages``). What it needs is at hand:

- ``looking.look(site, call)`` is the moment ``at=`` names, as this login may see it; ``page`` answers from
  the cache with validators, ``fresh`` is for one reader at one time;
- ``call.login`` is who is signed in, or None; ``roles`` has ``sees_all``, ``need_arbiter`` and so on;
- a form is posted: ``call.form()`` has its fields, ``see_other`` leads on. One that comes with a cookie was
  sent by a page of ours, or ``Guard`` has refused it: no token is needed. It carries its own ``key`` field,
  so that a double tap counts once. Forms of the desk are made with ``forms.Desk``;
- what a page loads lies in ``static/`` and has the address ``static(site, name)``.

A refusal is answered as a page by ``refusal_page``.
"""

import mimetypes
import re
import secrets
import time
from collections.abc import Callable, Mapping
from functools import partial
from importlib.resources import files
from typing import Any, Final
from urllib.parse import urlencode

from markupsafe import Markup
from msgspec.structs import replace
from starlette.requests import Request

from paircard.domain.commands import AdjournGame
from paircard.domain.deciding.decision import CAUTIONS
from paircard.domain.errors import PaircardError, Refused
from paircard.domain.events import PlayerDetailsCorrected, PlayerRegistered
from paircard.domain.messages import KINDS, Message
from paircard.domain.speaking import LANGUAGES, Choice, Speaker, template
from paircard.domain.values.results import parse_outcome, spell
from paircard.projections.log_lines import log_lines
from paircard.service import Moment
from paircard.service.desk import result_command
from paircard.service.print.rendering import Event, Frame, Links, Told, event_of, style
from paircard.service.print.rendering import render as render_from
from paircard.service.undo import commands_to_take_back, facts_between
from paircard.web.cache import Made
from paircard.web.calls import FORM, LANGUAGE, Answer, Call, language_of, quoted
from paircard.web.endpoints import API, Asked, Handler, Row
from paircard.web.looking import FOREVER, Look, answer_view, look, making
from paircard.web.problems import NotFound, reference
from paircard.web.reviewer import Reviewer
from paircard.web.roles import is_arbiter, need_reader, sees_all
from paircard.web.site import Site

EVENT: Final = "/tournaments/{tournament}"
HTML: Final = "text/html; charset=utf-8"


class Pages(list[Row]):
    """The pages of one subject. A handler names its address above itself."""

    def get(self, address: str, *, kept: bool = False) -> Callable[[Handler], Handler]:
        """A page to look at."""
        return self._add(address=address, kept=kept)

    def post(self, address: str, *, writes: bool = True, media: str = FORM) -> Callable[[Handler], Handler]:
        """Where a form is sent that writes, or one that is only looked at."""
        return self._add(method="POST", address=address, writes=writes, media=media)

    def shows(
        self, path: str, make: Callable[..., str], *, long: bool = False, door: str = "", **asked: Asked
    ) -> None:
        """A page below a tournament's own: what makes it of a moment, and what of the address it is told.

        One that takes ``long`` is made by the reviewer, which has a limit; through a ``door`` only arbiters
        and officers come.
        """

        @self.get(EVENT + path, kept=not door)
        def handler(site: Site, call: Call) -> Answer:
            if door:
                need_reader(call.login, call.tournament, door)
            told = {name: read(call) for name, read in asked.items()}
            return page(site, call, f"{path} {told}", make, site.reviewer if long else None, **told)

    def _add(self, **row: Any) -> Callable[[Handler], Handler]:
        def named(handler: Handler) -> Handler:
            self.append(Row(handler=handler, **row))
            return handler

        return named


PAGES: Final = Pages()
LONGEST: Final = 100
"""Letters of a name that is looked for."""


def word(name: str) -> Callable[[Call], str]:
    """A parameter of an address; empty if it is not there."""
    return lambda call: (call.parameter(name) or "")[:LONGEST]


def one_player(call: Call) -> int:
    """The player a page is about; 0 for everybody."""
    return call.number("player", 0, most=10**6)


def see_other(address: str, **headers: str) -> Answer:
    """After a form was taken: look there."""
    return Answer(status=303, headers={"location": quoted(address), "cache-control": "no-store", **headers})


def render(template: str, frame: Frame, **values: object) -> str:
    """A page whose template is here."""
    return render_from(template, frame, "paircard.web.pages", **values)


def page_of(moment: Moment, template: str, frame: Frame, **values: object) -> str:
    """A page about a tournament at a moment, whose template is here."""
    return render(template, frame, event=event_of(moment), **values)


HEADINGS: Final = {401: "in", 403: "forbidden", 404: "missing", 429: "often", 503: "away"}
"""Keys of headings by status; everything else is not possible."""


@PAGES.get("/language/{code}")
def choose_language(site: Site, call: Call) -> Answer:
    """Remember a language and go back to the page it was chosen on."""
    code, back = str(call.path["code"]), call.parameter("back") or "/"
    if code not in LANGUAGES:
        raise NotFound("page.no-such-language", text=code, known=LANGUAGES)
    if not back.startswith("/") or back.startswith(("//", "/\\")) or not back.isprintable():
        back = "/"
    cookie = f"{LANGUAGE}={code}; Path=/; Max-Age=31536000; SameSite=Lax"
    return see_other(back, **{"set-cookie": cookie})


def frame_of(site: Site, call: Call, seen: Look | None = None, *more: str) -> Frame:
    """How a page of a tournament is made for this reader; ``more`` are scripts of its own."""
    id, login = call.tournament, call.login
    fixed = seen is not None and seen.fixed
    whole = seen is None or not seen.public
    return replace(
        plain_frame(site, call.request.headers, "paircard.js", *more, here=here_of(call)),
        links=Links(f"/tournaments/{id}", at=call.parameter("at") or "" if fixed else ""),
        feed="" if fixed else f"{API}/tournaments/{id}/feed",
        desk=is_arbiter(login, id),
        log=whole and sees_all(login, id),
        told=what_was_done(site, call),
        key=new_key() if call.parameter("done") else "",
        address=str(call.request.base_url).rstrip("/") + here(call),
        steps=steps(call, seen) if seen is not None and seen.fixed else ("", ""),
    )


def plain_frame(site: Site, headers: Mapping[str, str], *scripts: str, here: str = "") -> Frame:
    """The frame of a page of a few words."""
    return Frame(
        language=language_of(headers),
        stylesheet=static(site, STYLE),
        icon=static(site, "icon.svg"),
        scripts=tuple(static(site, name) for name in scripts),
        here=here,
    )


def here_of(call: Call) -> str:
    """The address of the page itself, without what was just done."""
    asked = [(name, value) for name, value in call.request.query_params.multi_items() if name != "done"]
    return call.request.url.path + (f"?{urlencode(asked)}" if asked else "")


def what_was_done(site: Site, call: Call) -> Told | None:
    """What the form came to that led to this page: facts, or a grant that was taken back."""
    text, login, id = call.parameter("done") or "", call.login, call.tournament
    if not text or login is None or not is_arbiter(login, id):
        return None
    grant = site.access.book().grants.get(text)
    if grant is not None:
        return Told(revoked=grant.who) if grant.tournament == id else None
    return told(site.tournament(id).now(), text, login.who)


MOST_LINES = 3
"""Facts that are said one by one."""
NOTHING = "nothing"
"""Stands for a form that came to no fact: it was so already."""


def span(text: str) -> tuple[int, int] | None:
    """First and last of facts that are written ``57`` or ``57-79``."""
    found = re.fullmatch(r"([1-9][0-9]{0,8})(?:-([1-9][0-9]{0,8}))?", text)
    return (int(found[1]), int(found[2] or found[1])) if found else None


def told(moment: Moment, text: str, who: str) -> Told | None:
    """These facts in one line for somebody, who may take their own back."""
    if text == NOTHING:
        return Told(nothing=True)
    asked = span(text)
    if asked is None or not asked[0] <= asked[1] <= moment.version:
        return None
    before, facts = facts_between(moment.facts, *asked)
    lines = list(zip(facts, log_lines(facts, before), strict=True))
    registered = [one.fact.details.name for one in facts if isinstance(one.fact, PlayerRegistered)]
    corrected = [one for one in facts if isinstance(one.fact, PlayerDetailsCorrected)]
    counted = (PlayerRegistered, *((PlayerDetailsCorrected,) if len(corrected) > 1 else ()))
    others = [line for one, line in lines if not isinstance(one.fact, counted)]
    return Told(
        registered=tuple(registered),
        updated=len(corrected) if len(corrected) > 1 else 0,
        lines=tuple(others[:MOST_LINES]),
        more=len(others[MOST_LINES:]),
        undo=text if all(one.who == who for one in facts) and may_take_back(moment, *asked) else "",
    )


def may_take_back(moment: Moment, first: int, last: int) -> bool:
    """Whether something takes these facts back, and nothing stands in the way now."""
    try:
        return bool(commands_to_take_back(moment.facts, first, last))
    except Refused:
        return False


CHOICES: Final = ("after", "group", "by", "player", "not", "bracket", "at")
"""What the address of a public page may ask for."""


def here(call: Call, at: str = "") -> str:
    """The address of a page with what it was asked for and nothing else; ``at`` is another moment of it."""
    given = call.request.query_params
    asked = {name: given.get(name) for name in CHOICES} | ({"at": at} if at else {})
    query = urlencode({name: value for name, value in asked.items() if value})
    return call.request.url.path + (f"?{query}" if query else "")


def steps(call: Call, seen: Look) -> tuple[str, str]:
    """The addresses of this page one fact earlier and one later, whether or not there is a later fact."""
    mark, version = "p" if seen.public else "", seen.moment.version
    return here(call, f"{mark}{version - 1}") if version > 1 else "", here(call, f"{mark}{version + 1}")


def page(
    site: Site, call: Call, name: str, make: Callable[..., str], by: Reviewer | None = None, **asked: object
) -> Answer:
    """A page of the moment a call is about: from the cache, or 304 if the browser has it.

    ``make`` is a function of some module, which may be called in another process.
    """
    seen = look(site, call)
    frame = frame_of(site, call, seen)
    if frame.told:
        return fresh(make(seen.moment, frame=frame, **asked))
    variant = (
        f".{frame.language}{'d' if frame.desk else ''}{'l' if frame.log else ''}.{call.request.url.netloc}"
    )
    made = partial(make, frame=frame, **asked)
    answer = answer_view(site, call, seen, f"html/{name}", made, HTML, variant, by)
    answer.headers["vary"] = "Accept-Encoding, Accept-Language, Cookie"
    return answer


def fresh(text: str, status: int = 200) -> Answer:
    """A page that is made for one reader at one time."""
    made = Made(text.encode())
    headers = {"cache-control": "private, no-store", "vary": "Accept-Encoding"}
    return Answer(body=made.body, packed=made.packed, status=status, media_type=HTML, headers=headers)


def stamp(seconds: int) -> str:
    """A moment like those of the log; empty for 0."""
    return time.strftime("%Y-%m-%dT%H:%M:%SZ", time.gmtime(seconds)) if seconds else ""


def new_key() -> str:
    """A key for a form: sent twice, it counts once."""
    return secrets.token_hex(8)


STYLE: Final = "paircard.css"


def static(site: Site, name: str) -> str:
    """The address of a file that pages load; it changes with the code."""
    return f"/static/{site.build}/{name}"


@PAGES.get("/static/{build}/{name}")
def static_file(site: Site, call: Call) -> Answer:
    """A script, the icon, or the one style sheet of all pages."""
    name, folder = str(call.path["name"]), files("paircard.web").joinpath("static")
    if name != STYLE and name not in {one.name for one in folder.iterdir() if one.is_file()}:
        raise NotFound("http.no-such-file", text=name)
    read = folder.joinpath(name).read_bytes
    made = site.cache.get(("static", name), lambda: style().encode() if name == STYLE else read())
    kind = mimetypes.guess_type(name)[0]
    kind = f"{kind}; charset=utf-8" if kind == "text/css" else kind or "application/octet-stream"
    headers = {"cache-control": f"public, {FOREVER}", "vary": "Accept-Encoding"}
    return Answer(body=made.body, packed=made.packed, media_type=kind, headers=headers)


@PAGES.get("/sign-in")
def sign_in_page(site: Site, call: Call) -> Answer:
    """Where a link leads: the secret is in the fragment, which only the script sees, and sends on."""
    page = render("sign_in.html", plain_frame(site, call.request.headers, "sign-in.js", here="/sign-in"))
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
        board, result = sent.get("board", "") or (below[3] or "" if below else ""), result_in(sent)
        unsent = {"action": path, "fields": sent, "board": board if result else "", "result": result}
    phone = event is not None and below is not None and below[2] is not None
    kind = HEADINGS.get(status, "wrong")
    return render(
        "refusal.html", frame, kind=kind, detail=text, again=again, event=event, phone=phone, unsent=unsent
    ).encode()


def result_in(sent: Mapping[str, str]) -> str:
    """The result that a form enters, as people write it; empty if it enters none."""
    try:
        wanted = result_command(1, 1, sent.get("result", "").strip())
    except PaircardError:
        return ""
    return "adjourned" if isinstance(wanted, AdjournGame) else spell(wanted.outcome)


def event_for_all(site: Site, id: str) -> Event | None:
    """An event as the head of a public page shows it, if there is one."""
    try:
        return event_of(site.public_moment(id))
    except PaircardError:
        return None


# The page of a problem

EXAMPLES: Final[Mapping[str, Any]] = {
    "player": 1, "players": [1, 2], "number": 3, "count": 2, "numbers": [1, 2], "games": [(1, 3)],
    "points": 15, "result": parse_outcome("1-0"), "results": [parse_outcome("1-0")], "name": "Ada",
    "names": ["Ada", "Ben"], "flag": True, "messages": [], "phrases": [], "lines": [], "words": [],
    "plains": ["…"], "places": ["…"], "message": Message("page.shell.made"),
}  # fmt: skip
"""A value for each kind of field; all others are text."""


def case_of(code: str, language: str) -> tuple[str, list[tuple[str, str]], str] | None:
    """A code, name and kind of each field of its sentence, and an example; of a warning, what it means."""
    if code in CAUTIONS:
        return code, [], Speaker(language).word("meaning", code)
    try:
        found = template(language, code)
    except KeyError:
        return None
    by = found.by if isinstance(found, Choice) else ""
    several = list(found.sentences.values()) if isinstance(found, Choice) else [found]
    names = sorted({name for one in several for _, name, _ in one if name} | ({by} if by else set()))
    values = {name: EXAMPLES.get(KINDS.get(name, ""), "…") for name in names}
    if isinstance(found, Choice) and KINDS.get(by) in ("word", "plain"):
        values[by] = next(iter(found.sentences))
    said = Speaker(language, {1: "Ada", 2: "Ben"}).say(Message(code, values))
    return code, [(name, KINDS.get(name, "plain")) for name in names], said


@PAGES.get("/problems/{kind}")
def problem(site: Site, call: Call) -> Answer:
    """The page behind the ``type`` of a problem: what it means, each of its codes, and the way out."""
    name, language = str(call.path["kind"]), language_of(call.request.headers)
    kind = reference().kinds.get(name)
    if kind is None:
        raise NotFound("http.nothing-there", id=call.request.url.path[:120])
    with making(site, call):
        cases = [case for code in kind.codes if (case := case_of(code, language))]
    frame = plain_frame(site, call.request.headers, here=call.request.url.path)
    about = {"status": kind.status, "meaning": Speaker(language).word("answer", str(kind.status))}
    return fresh(render("problem.html", frame, kind=name, cases=cases, **about))
