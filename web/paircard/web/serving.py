"""Serving one request: read the body, run the handler in its thread, answer or say why not."""

import asyncio
import logging
from collections.abc import Awaitable, Callable, Collection, Mapping, Sequence
from typing import Any, Final

import msgspec
from markupsafe import escape
from starlette.datastructures import URL
from starlette.requests import ClientDisconnect, Request
from starlette.responses import RedirectResponse, Response
from starlette.types import Receive, Scope, Send

from paircard.domain.errors import PaircardError, Replaced, SetBack, StoreRefused
from paircard.domain.messages import say
from paircard.service.print.rendering import language
from paircard.web import problems
from paircard.web.access.signing_in import find_login, session_secret
from paircard.web.calls import FORM, Answer, Call, GoTo, language_of, quoted
from paircard.web.endpoints import API, Endpoint, Row
from paircard.web.pages.page import HTML, refusal_page
from paircard.web.site import NotAtOnce, Site

ANYTHING, HERE = "{}", "/"
"""In the tree of addresses: a part that is a parameter; what answers at the address that ends there."""
trouble: Final = logging.getLogger("paircard.web")


class Place:
    """What answers at one address."""

    def __init__(self, answer: Callable[[Request], Awaitable[Response]], methods: Collection[str]) -> None:
        self.answer: Final = answer
        self.methods: Final = {*methods, *(["HEAD"] if "GET" in methods else [])}

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        response = await self.answer(Request(scope, receive))
        await response(scope, receive, send)


class Addresses:
    """All addresses as a tree of their parts: however many there are, one is found in a few steps."""

    def __init__(self, site: Site, served: Mapping[str, Any]) -> None:
        self.site: Final = site
        self.tree: dict[str, Any] = {}
        for address, place in served.items():
            node, names = self.tree, {}
            for at, part in enumerate(address.split("/")):
                if part.startswith("{"):
                    names[part[1:-1]] = at
                node = node.setdefault(ANYTHING if part.startswith("{") else part, {})
            node[HERE] = place, names

    def find(self, parts: Sequence[str]) -> Any:
        """What is at an address, and where its parameters stand; nothing where nobody answers."""
        node = self.tree
        for part in parts:
            node = node.get(part) or node.get(part and ANYTHING) or {}
        return node.get(HERE)

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        parts = scope["path"].split("/")
        if (found := self.find(parts)) is None:
            shorter = scope["path"].rstrip("/")
            if shorter != scope["path"] and self.find(shorter.split("/")):
                response: Response = RedirectResponse(URL(scope={**scope, "path": shorter}))
            else:
                missing = problems.NotFound("http.nothing-there", id=scope["path"][:120])
                response = await answered(self.site, Request(scope), missing)
            await response(scope, receive, send)
            return
        place, names = found
        scope["endpoint"] = place
        scope["path_params"] = {name: parts[at] for name, at in names.items()}
        if scope["method"] in place.methods:
            await place(scope, receive, send)
            return
        code, known = scope["method"][:20], sorted(place.methods)
        refusal = problems.MethodNotAllowed("http.method-not-allowed", code=code, known=known)
        response = await answered(self.site, Request(scope), refusal)
        await response(scope, receive, send)


async def dispatch(site: Site, methods: Mapping[str, Row], request: Request) -> Response:
    """Read the body, run the handler in its thread, answer."""
    served = methods["GET" if request.method == "HEAD" else request.method]
    sent: dict[str, str] = {}
    if served.told:
        request.scope["paircard.told"] = served.told
    try:
        body = await read_body(request, site, served) if served.method == "POST" else b""
        call = Call(request, body)
        if body and served.media == FORM:
            sent = call.form()
        if served.at_once:
            return respond(request, handled(site, served, call))
        stranger = not (served.writes or call.header("authorization") or session_secret(call))
        if served.kept and stranger:
            call.known = await site.newest.known(call.tournament)
            call.at_once = call.known is not None and site.public(call.tournament).has(call.known)
        if call.at_once:
            try:
                return respond(request, handled(site, served, call))
            except NotAtOnce:
                call.at_once = False
        pool = site.writer if served.writes else site.strangers if stranger else site.readers
        answer = await asyncio.get_running_loop().run_in_executor(pool, run, site, served, call)
    except PaircardError as refusal:
        return await answered(site, request, refusal, sent)
    except GoTo as other:
        headers = {"location": quoted(other.location), "cache-control": "no-cache", **served.told}
        return Response(status_code=307, headers=headers)
    if call.login is not None:
        request.scope["paircard.through"] = call.login.through
    return respond(request, answer)


def handled(site: Site, served: Row, call: Call) -> Answer:
    """What the handler of a row answers."""
    assert served.handler is not None
    if call.request.scope["query_string"] and isinstance(served, Endpoint):
        served.need_known(call)
    return served.handler(site, call)


def run(site: Site, served: Row, call: Call) -> Answer:
    """In a thread: who calls, and what comes of it. Who writes is counted, and told how much is left."""
    life = site.life
    try:
        call.login = find_login(site, call)
        if call.login is not None and served.method != "GET":
            call.request.scope["paircard.told"] = {**site.commands.take(call.login.grant.id), **served.told}
        return handled(site, served, call)
    except (Replaced, SetBack):
        site.start_anew(life)
        raise


async def read_body(request: Request, site: Site, served: Row) -> bytes:
    """The body, given up as soon as it is too large or too slow."""
    most = site.settings.largest_season if served.large else site.settings.largest_body
    seconds = site.settings.body_seconds * (6 if served.large else 1)
    if request.headers.get("content-encoding", "identity") != "identity":
        raise problems.WrongMediaType("http.encoded")
    length = request.headers.get("content-length", "")
    if length.isdecimal() and int(length[:18]) > most:
        raise problems.BodyTooLarge("http.too-large", value=length[:18], id=str(most))
    parts, size = [], 0
    try:
        async with asyncio.timeout(seconds):
            async for part in request.stream():
                size += len(part)
                if size > most:
                    raise problems.BodyTooLarge("http.larger", id=str(most))
                parts.append(part)
    except TimeoutError:
        raise problems.RequestTooSlow("http.too-slow", value=f"{seconds:g}") from None
    except ClientDisconnect:
        raise problems.RequestTooSlow("http.gone") from None
    if request.headers.get("content-type", "").partition(";")[0].strip().lower() != served.media:
        raise problems.WrongMediaType("http.wrong-media-type", kind=served.media)
    return b"".join(parts)


def respond(request: Request, answer: Answer) -> Response:
    """The answer as bytes, packed where the caller takes that."""
    headers, body = answer.headers | request.scope.get("paircard.told", {}), answer.body
    if answer.packed is not None and "gzip" in request.headers.get("accept-encoding", ""):
        body = answer.packed
        headers["content-encoding"] = "gzip"
    return Response(
        body, answer.status, headers, None if answer.status in (204, 303, 304) else answer.media_type
    )


def is_api(request: Request) -> bool:
    """Whether a program asks; people get pages."""
    return request.url.path.startswith(f"{API}/")


async def answered(
    site: Site, request: Request, refusal: PaircardError, sent: Mapping[str, str] = {}
) -> Response:
    """A refusal; a page for people is made in a thread, as it shows the event around it.

    That is one of the readers, unless they may all be waiting for the store.
    """
    if is_api(request):
        return refused(site, request, refusal)
    pool = None if isinstance(refusal, StoreRefused | problems.ShuttingDown) else site.readers
    loop = asyncio.get_running_loop()
    return await loop.run_in_executor(pool, refused, site, request, refusal, sent)


def refused(site: Site, request: Request, refusal: PaircardError, sent: Mapping[str, str] = {}) -> Response:
    """A refusal: a problem for programs, a page for people."""
    if isinstance(refusal, StoreRefused):
        id = request.scope["paircard.request"]
        trouble.warning("%s %s (%s): %s", request.method, request.url.path, id, refusal)
    status, left = problems.status_of(type(refusal)), request.scope.get("paircard.told", {})
    headers = {"cache-control": "no-store", **left, **problems.headers_of(refusal)}
    t = language(language_of(request.headers))
    store = t.say(say("http.the-store"))  # where it is is nobody's business
    if is_api(request):
        body = msgspec.json.encode(problems.problem_of(refusal, t.code, request.scope["paircard.request"]))
        place = msgspec.json.encode(site.office.location)[1:-1]
        return Response(body.replace(place, store.encode()), status, headers, problems.PROBLEM_JSON)
    again = int(headers.get("retry-after", 0)) if request.method == "GET" else 0
    text = t.say(problems.in_words_of_pages(refusal)).replace(escape(site.office.location), store)
    page = refusal_page(site, status, text, request, again, sent)
    return Response(page, status, headers, HTML)
