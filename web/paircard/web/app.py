"""The application: every endpoint of the tables as a route, run in a thread, refusals as problems."""

import asyncio
import logging
from collections.abc import Awaitable, Callable
from contextlib import asynccontextmanager
from functools import partial
from typing import Any, Final

import msgspec
from starlette.applications import Starlette
from starlette.exceptions import HTTPException
from starlette.middleware import Middleware
from starlette.requests import ClientDisconnect, Request
from starlette.responses import Response
from starlette.routing import Route

from paircard.domain.errors import PaircardError
from paircard.web.access.signing_in import find_login
from paircard.web.calls import Answer, Call, GoTo
from paircard.web.endpoints import Endpoint
from paircard.web.guards import Guard
from paircard.web.problems import (
    PROBLEM_JSON,
    BodyTooLarge,
    HttpRefused,
    MethodNotAllowed,
    NotFound,
    RequestTooSlow,
    WrongMediaType,
    headers_of,
    problem_of,
    status_of,
)
from paircard.web.routes import access, commands, views
from paircard.web.site import Site

ENDPOINTS: Final = (*views.ENDPOINTS, *commands.ENDPOINTS, *access.ENDPOINTS)
trouble: Final = logging.getLogger("paircard.web")
Run = Callable[[Request], Awaitable[Response]]


def make_app(site: Site) -> Starlette:
    """The application for one site; it closes the site at its end."""

    @asynccontextmanager
    async def lifespan(_: Starlette) -> Any:
        yield
        await asyncio.get_running_loop().run_in_executor(None, site.close)

    return Starlette(
        routes=list(routes(site)),
        middleware=[Middleware(Guard, settings=site.settings)],
        exception_handlers={HTTPException: not_routed, Exception: broken},
        lifespan=lifespan,
    )


def routes(site: Site) -> list[Route]:
    """One route per address: Starlette answers 405 by the methods of the last one it tried."""
    by_address: dict[str, dict[str, Endpoint]] = {}
    for one in ENDPOINTS:
        by_address.setdefault(one.address, {})[one.method] = one
    return [
        Route(address, partial(dispatch, site, methods), methods=list(methods))
        for address, methods in by_address.items()
    ]


async def dispatch(site: Site, methods: dict[str, Endpoint], request: Request) -> Response:
    """Read the body, run the handler in its thread, answer."""
    endpoint = methods["GET" if request.method == "HEAD" else request.method]
    try:
        body = await read_body(request, site) if endpoint.method == "POST" else b""
        call = Call(request, body, request.client.host if request.client else "")
        pool = site.writer if endpoint.writes else site.readers
        answer = await asyncio.get_running_loop().run_in_executor(pool, run, site, endpoint, call)
    except PaircardError as refusal:
        return refused(refusal)
    except GoTo as other:
        return Response(status_code=307, headers={"location": other.location, "cache-control": "no-cache"})
    if call.login is not None:
        request.scope["paircard.through"] = call.login.through
    return respond(request, answer)


def run(site: Site, endpoint: Endpoint, call: Call) -> Answer:
    """In a thread: who calls, and what comes of it."""
    call.login = find_login(site, call)
    return endpoint.handler(site, call)


async def read_body(request: Request, site: Site) -> bytes:
    """The body, given up as soon as it is too large or too slow."""
    most = site.settings.largest_body
    if request.headers.get("content-encoding", "identity") != "identity":
        raise WrongMediaType("send the body as it is, without an encoding")
    kind = request.headers.get("content-type", "").partition(";")[0].strip().lower()
    length = request.headers.get("content-length", "")
    if length.isdecimal() and int(length[:18]) > most:
        raise BodyTooLarge(f"the body has {length[:18]} bytes: at most {most}")
    parts, size = [], 0
    try:
        async with asyncio.timeout(site.settings.body_seconds):
            async for part in request.stream():
                size += len(part)
                if size > most:
                    raise BodyTooLarge(f"the body has more than {most} bytes")
                parts.append(part)
    except TimeoutError:
        seconds = site.settings.body_seconds
        raise RequestTooSlow(f"the body did not arrive within {seconds:g} seconds: send it again") from None
    except ClientDisconnect:
        raise RequestTooSlow("the caller went away before the body was there") from None
    if kind != "application/json":
        raise WrongMediaType("the body is JSON: send it with Content-Type: application/json")
    return b"".join(parts)


def respond(request: Request, answer: Answer) -> Response:
    """The answer as bytes, packed where the caller takes that."""
    headers, body = dict(answer.headers), answer.body
    if answer.packed is not None and "gzip" in request.headers.get("accept-encoding", ""):
        body = answer.packed
        headers["content-encoding"] = "gzip"
    media_type = answer.media_type if body else None
    return Response(body, answer.status, headers, media_type)


def refused(refusal: PaircardError) -> Response:
    """A refusal as a problem."""
    body = msgspec.json.encode(problem_of(refusal))
    return Response(
        body,
        status_of(type(refusal)),
        {"cache-control": "no-store", **headers_of(refusal)},
        PROBLEM_JSON,
    )


async def not_routed(request: Request, error: Exception) -> Response:
    """No such address, or not with this method."""
    assert isinstance(error, HTTPException)
    refusal: HttpRefused
    if error.status_code == 405:
        allow = (error.headers or {}).get("Allow", "")
        refusal = MethodNotAllowed(
            f"this address does not take {request.method[:20]}: it takes {allow}", allow
        )
    else:
        refusal = NotFound(f"there is nothing at {request.url.path[:120]}")
    return refused(refusal)


async def broken(request: Request, error: Exception) -> Response:
    """A mistake of ours: it is logged, and the caller learns that it was not theirs."""
    trouble.error("%s %s failed", request.method, request.url.path, exc_info=error)
    body = msgspec.json.encode(
        {
            "type": "/problems/mistake-of-the-server",
            "title": "A mistake of the server",
            "status": 500,
            "detail": "the server made a mistake, which was logged: send it again with the same "
            "Idempotency-Key, it counts once",
        }
    )
    return Response(body, 500, {"cache-control": "no-store"}, PROBLEM_JSON)
