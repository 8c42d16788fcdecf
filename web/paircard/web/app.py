"""The application: from a request to an answer.

An address is found part by part. The body is read, the handler of the row runs in its thread, and what is
refused on the way is a problem for programs and a page for people.
"""

import asyncio
import logging
import time
from collections.abc import AsyncIterator, Sequence
from contextlib import asynccontextmanager
from functools import partial
from typing import Any, Final

import msgspec
from starlette.applications import Starlette
from starlette.datastructures import URL
from starlette.middleware import Middleware
from starlette.requests import ClientDisconnect, Request
from starlette.responses import RedirectResponse, Response
from starlette.types import ASGIApp, Receive, Scope, Send

from paircard.domain.errors import PaircardError, StoreRefused
from paircard.service.print.rendering import language
from paircard.web import problems
from paircard.web.calls import FORM, Answer, Call, GoTo, language_of, quoted
from paircard.web.courier import Courier
from paircard.web.endpoints import API, Endpoint, Row
from paircard.web.feed import Feed, Feeds
from paircard.web.guards import Guard
from paircard.web.openapi import description
from paircard.web.pages import (
    alter,
    corrections,
    desk,
    grants,
    page,
    people,
    phone,
    player,
    prizes,
    public,
    record,
    screen,
    tournaments,
)
from paircard.web.pages.page import HTML, refusal_page
from paircard.web.roles import find_login, session_secret
from paircard.web.routes import access, commands, feeds, proof, review, server, views, webhooks
from paircard.web.site import NotAtOnce, Site

ENDPOINTS: Final = [
    row for module in (views, commands, review, proof, access, webhooks, server) for row in module.ENDPOINTS
]
FEEDS: Final = feeds.ENDPOINTS
"""Apart, for they go on."""
PAGES: Final = [
    *(row for module in (public, player, screen, tournaments, corrections, record) for row in module.PAGES),
    *(row for module in (phone, desk, people, alter, grants, prizes, page) for row in module.PAGES),
]
ANYTHING, HERE = "{}", "/"
"""In the tree of addresses: a part that is a parameter; what answers at the address that ends there."""
trouble: Final = logging.getLogger("paircard.web")


def make_app(site: Site) -> Starlette:
    """The application for one site; it closes the site at its end. Its feeds are ``app.state.feeds``."""
    feeds, courier = Feeds(site), Courier(site)
    site.is_following = lambda: feeds.alive
    site.describe = partial(description, [*ENDPOINTS, *FEEDS])

    @asynccontextmanager
    async def lifespan(_: Starlette) -> AsyncIterator[None]:
        await feeds.start()
        courier.start()
        yield
        await feeds.stop()
        await asyncio.to_thread(courier.stop)
        await asyncio.to_thread(site.close)

    site.metrics.gauges = partial(gauges, site, feeds, courier)
    app = Starlette(
        middleware=[Middleware(Guard, Addresses(site, feeds), site.settings, site.metrics)],
        lifespan=lifespan,
    )
    app.state.feeds = feeds
    return app


def gauges(site: Site, feeds: Feeds, courier: Courier) -> dict[str, tuple[str, float]]:
    """What the process knows about itself and the store without asking it."""
    metrics, store = site.metrics, site.office.opened
    looked, now = metrics.looked, time.monotonic()
    used, most = store.backend.pool() if store else (0, 0)
    return {
        "open_feeds": ("Open feeds.", sum(map(len, feeds.open.values()))),
        "ready": ("Whether /api/v1/ready says ok.", feeds.alive and site.access.answers),
        "follower_position": ("Position of the last fact that was published.", feeds.position),
        "follower_age_seconds": ("Since the follower last reached the store.", feeds.age()),
        "conflicts_total": (
            "Requests decided again, as another was faster.",
            store.conflicts if store else 0,
        ),
        "retries_total": ("Writes tried again after a lost connection.", store.retries if store else 0),
        "pool_used": ("Connections to the database in use.", used),
        "pool_size": ("Connections to the database at most; 0 for a file.", most),
        "webhooks_waiting": ("Deliveries to webhooks that are still to come.", courier.waiting),
        "webhooks_dead": ("Deliveries to webhooks that were given up.", courier.dead),
        "unreadable_tournaments": ("Tournaments with a fact that cannot be read.", len(site.unreadable)),
        "store_faults": ("Faults of the tables of the store, as the doctor sees them.", looked.faults),
        "store_looked_age_seconds": ("Since that was looked at.", now - looked.at if looked.at else -1),
        "signed_position": (
            "Position up to which a signed tree covers the log; 0: none.",
            looked.signed_position,
        ),
        "signed_age_seconds": (
            "Age of the last fact under a signed tree; -1: none.",
            time.time() - looked.signed_at if looked.signed_at else -1,
        ),
    }


class Addresses:
    """All addresses as a tree of their parts: however many there are, one is found in a few steps."""

    def __init__(self, site: Site, feeds: Feeds) -> None:
        self.site, self.feeds = site, feeds
        self.tree: dict[str, Any] = {}
        for row in (*ENDPOINTS, *FEEDS, *PAGES, *server.OTHERS):
            node, names = self.tree, {}
            for at, part in enumerate(row.address.split("/")):
                if part.startswith("{"):
                    names[part[1:-1]] = at
                node = node.setdefault(ANYTHING if part.startswith("{") else part, {})
            methods, _ = node.setdefault(HERE, ({}, names))
            methods |= dict.fromkeys(("GET", "HEAD") if row.method == "GET" else (row.method,), row)

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        request = Request(scope, receive)
        try:
            response = await self._answer(request)
        except PaircardError as refusal:
            response = await answered(self.site, request, refusal)
        await response(scope, receive, send)

    async def _answer(self, request: Request) -> ASGIApp:
        scope, path = request.scope, request.scope["path"]
        parts = path.split("/")
        if (found := self._find(parts)) is None:
            if (shorter := path.rstrip("/")) != path and self._find(shorter.split("/")):
                return RedirectResponse(URL(scope={**scope, "path": shorter}))
            raise problems.NotFound("http.nothing-there", id=path[:120])
        methods, names = found
        scope["paircard.route"] = next(iter(methods.values())).address
        scope["path_params"] = {name: parts[at] for name, at in names.items()}
        if (served := methods.get(request.method)) is None:
            code, known = request.method[:20], sorted(methods)
            raise problems.MethodNotAllowed("http.method-not-allowed", code=code, known=known)
        return await dispatch(self.site, self.feeds, served, request)

    def _find(self, parts: Sequence[str]) -> tuple[dict[str, Row], dict[str, int]] | None:
        """The rows of an address by method, and where its parameters stand; nothing where nobody answers."""
        node = self.tree
        for part in parts:
            node = node.get(part) or node.get(part and ANYTHING) or {}
        return node.get(HERE)


async def dispatch(site: Site, feeds: Feeds, served: Row, request: Request) -> ASGIApp:
    """Read the body, run the handler in its thread, answer."""
    if served.told:
        request.scope["paircard.told"] = served.told
    body = await read_body(request, site, served) if served.method == "POST" else b""
    call = Call(request, body)
    if body and served.media == FORM:
        request.scope["paircard.sent"] = call.form()
    try:
        stranger = not (served.writes or call.header("authorization") or session_secret(call))
        if served.kept and stranger:
            call.known = await site.newest.known(call.tournament)
            call.at_once = call.known is not None and site.public(call.tournament).has(call.known)
        if served.at_once or call.at_once:
            try:
                return respond(feeds, request, handled(site, served, call))
            except NotAtOnce:
                call.at_once = False
        pool = site.writer if served.writes else site.strangers if stranger else site.readers
        work = partial(site.on_what_is_there, partial(run, site, served, call))
        answer = await asyncio.get_running_loop().run_in_executor(pool, work)
    except GoTo as other:
        headers = {"location": quoted(other.location), "cache-control": "no-cache", **served.told}
        return Response(status_code=307, headers=headers)
    if call.login is not None:
        request.scope["paircard.login"] = call.login
    return respond(feeds, request, answer)


def handled(site: Site, served: Row, call: Call) -> Answer | Feed:
    """What the handler of a row answers."""
    if call.request.scope["query_string"] and isinstance(served, Endpoint):
        served.need_known(call)
    return served.handler(site, call)


def run(site: Site, served: Row, call: Call) -> Answer | Feed:
    """In a thread: who calls, and what comes of it. Who writes is counted, and told how much is left."""
    call.login = find_login(site.access, call)
    if call.login is not None and served.method != "GET":
        call.request.scope["paircard.told"] = {**site.commands.take(call.login.grant.id), **served.told}
    return handled(site, served, call)


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


def respond(feeds: Feeds, request: Request, answer: Answer | Feed) -> ASGIApp:
    """The answer as bytes, packed where the caller takes that; or a feed, which goes on."""
    if isinstance(answer, Feed):
        feeds.add(answer)
        return answer
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


async def answered(site: Site, request: Request, refusal: PaircardError) -> Response:
    """A refusal; a page for people is made in a thread, as it shows the event around it.

    That is one of the readers, unless they may all be waiting for the store.
    """
    if is_api(request):
        return refused(site, request, refusal)
    pool = None if isinstance(refusal, StoreRefused | problems.ShuttingDown) else site.readers
    return await asyncio.get_running_loop().run_in_executor(pool, refused, site, request, refusal)


def refused(site: Site, request: Request, refusal: PaircardError) -> Response:
    """A refusal: a problem for programs, a page for people."""
    if isinstance(refusal, StoreRefused):
        id = request.scope["paircard.request"]
        trouble.warning("%s %s (%s): %s", request.method, request.url.path, id, refusal)
    status, left = problems.status_of(type(refusal)), request.scope.get("paircard.told", {})
    headers = {"cache-control": "no-store", **left, **problems.headers_of(refusal)}
    t = language(language_of(request.headers))
    refusal = problems.without_place(refusal, site.office.location, t.code)
    if is_api(request):
        body = msgspec.json.encode(problems.problem_of(refusal, t.code, request.scope["paircard.request"]))
        return Response(body, status, headers, problems.PROBLEM_JSON)
    again = int(headers.get("retry-after", 0)) if request.method == "GET" else 0
    text = t.say(problems.in_words_of_pages(refusal))
    page = refusal_page(site, status, text, request, again, request.scope.get("paircard.sent", {}))
    return Response(page, status, headers, HTML)
