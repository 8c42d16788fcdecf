"""What every request passes before a route sees it, and what every answer carries.

Host: only names of ours, so that no foreign name can be pointed at a server in the hall (DNS rebinding).
Origin: a request that changes something and comes with a cookie must come from our own pages.
"""

import logging
import re
import secrets
import time
from bisect import bisect_left
from collections.abc import Mapping
from functools import lru_cache
from typing import Any, Final

import msgspec
from starlette.datastructures import Headers, MutableHeaders
from starlette.responses import Response
from starlette.types import ASGIApp, Message, Receive, Scope, Send

from paircard.web.calls import EXPOSED, OPEN_TO_ALL, language_of
from paircard.web.metrics import BOUNDS, Metrics
from paircard.web.problems import (
    PROBLEM_JSON,
    ForeignHost,
    ForeignOrigin,
    HttpRefused,
    MistakeOfTheServer,
    problem_of,
)
from paircard.web.settings import Settings

SAFE: Final = frozenset({"GET", "HEAD", "OPTIONS"})
CONTENT_SECURITY: Final = (
    "default-src 'none'; script-src 'self'; style-src 'self'; img-src 'self'; connect-src 'self'; "
    "form-action 'self'; frame-ancestors 'none'; base-uri 'none'"
)
HEADERS: Final = [
    (b"content-security-policy", CONTENT_SECURITY.encode()),
    (b"x-content-type-options", b"nosniff"),
    (b"referrer-policy", b"no-referrer"),
    (b"cross-origin-opener-policy", b"same-origin"),
]
HOST: Final = re.compile(r"([A-Za-z0-9._-]+|\[[0-9A-Fa-f:.]+\])(?::[0-9]{0,5})?")
"""[RFC 9112:3.2] One name or address, and a port."""
PREFLIGHT: Final = {
    "access-control-allow-methods": "GET, HEAD, POST, DELETE",
    "access-control-allow-headers": "Authorization, Content-Type, Idempotency-Key, If-Match, If-None-Match, "
    "Last-Event-ID, X-Request-Id",
    "access-control-max-age": "600",
}
"""What a chosen site may send; cookies are not among it, a key is."""
READ_PREFLIGHT: Final = {
    **OPEN_TO_ALL,
    "access-control-allow-methods": "GET, HEAD",
    "access-control-allow-headers": "If-None-Match, Last-Event-ID, X-Request-Id",
    "access-control-max-age": "600",
}
"""What any site may send, for what anybody may read."""
PLAIN_ID: Final = re.compile(rb"[A-Za-z0-9._:/+=@-]{1,100}")
trouble: Final = logging.getLogger("paircard.web")
requests: Final = logging.getLogger("paircard.web.requests")
"""What became of each request; never a query, a body or a secret."""


class Guard:
    """Outermost: checks host and origin, adds headers, writes the access log."""

    def __init__(self, app: ASGIApp, served: ASGIApp, settings: Settings, metrics: Metrics) -> None:
        self.app, self.served = app, served
        """What starts and ends with the server, and what answers requests."""
        self.settings, self.metrics = settings, metrics

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        if scope["type"] != "http":
            await self.app(scope, receive, send)
            return
        began = time.perf_counter()
        seen: dict[str, Any] = {"status": 0, "bytes": 0}
        id = scope["paircard.request"] = request_id(scope)
        origin = self.origin(scope) if self.settings.origins else ""

        async def guarded(message: Message) -> None:
            if message["type"] == "http.response.start":
                status = seen["status"] = message["status"]
                spent = time.perf_counter() - began
                metrics, route = self.metrics, scope.get("paircard.route", "none")
                metrics.requests[route, scope["method"], status, bisect_left(BOUNDS, spent)] += 1
                metrics.seconds[route] += spent
                message["headers"] = [*message["headers"], (b"x-request-id", id.encode()), *HEADERS]
                if self.settings.origins and scope["path"].startswith("/api/"):
                    MutableHeaders(scope=message).add_vary_header("Origin")
                if origin:
                    headers = MutableHeaders(scope=message)
                    headers["access-control-allow-origin"] = origin
                    headers["access-control-expose-headers"] = EXPOSED
                elif status >= 400 and reads_api(scope["method"], scope["path"]):
                    MutableHeaders(scope=message).update(OPEN_TO_ALL)
                if scope["scheme"] == "https":
                    message["headers"].append((b"strict-transport-security", b"max-age=31536000"))
            elif message["type"] == "http.response.body":
                seen["bytes"] += len(message.get("body", b""))
            await send(message)

        try:
            answer = self.served
            if refusal := self.refusal(scope):
                answer = refused(refusal, scope)
            elif scope["method"] == "OPTIONS" and (allowed := preflight(scope, origin)):
                answer = Response(status_code=204, headers=allowed)
            await answer(scope, receive, guarded)
        except Exception as mistake:
            if seen["status"]:
                raise  # the answer has begun: the line is cut
            trouble.error("%s %s (%s) failed", scope["method"], scope["path"], id, exc_info=mistake)
            await refused(MistakeOfTheServer("http.mistake"), scope)(scope, receive, guarded)
        finally:
            if requests.isEnabledFor(logging.INFO):
                requests.info(told(scope, seen, time.perf_counter() - began))

    def origin(self, scope: Scope) -> str:
        """The site a program in a browser comes from, if it is one of those that may send a key."""
        origin = Headers(scope=scope).get("origin", "")
        return origin if scope["path"].startswith("/api/") and origin.lower() in self.settings.origins else ""

    def refusal(self, scope: Scope) -> HttpRefused | None:
        """What is wrong with where a request was sent, or where it comes from."""
        headers = Headers(scope=scope)
        host = ", ".join(headers.getlist("host"))  # two of them have no name
        if host_name(host) not in self.settings.hosts:
            return ForeignHost("http.foreign-host", text=host)
        if scope["method"] not in SAFE and "cookie" in headers and not headers.get("authorization"):
            return None if same_origin(headers, host) else ForeignOrigin("http.foreign-origin")
        return None


def refused(refusal: HttpRefused, scope: Scope) -> Response:
    """A refusal as a problem, wherever it was asked."""
    problem = problem_of(refusal, language_of(Headers(scope=scope)), scope["paircard.request"])
    headers = {"cache-control": "no-store"}
    return Response(msgspec.json.encode(problem), problem.status, headers, PROBLEM_JSON)


def reads_api(method: str | None, path: str) -> bool:
    """Whether a program reads: any site may read what anybody may, and why it was refused."""
    return method in ("GET", "HEAD") and path.startswith("/api/")


def preflight(scope: Scope, origin: str) -> Mapping[str, str] | None:
    """What a browser is told that asks whether a program of another site may send something."""
    if origin:
        return PREFLIGHT
    asked = Headers(scope=scope).get("access-control-request-method")
    return READ_PREFLIGHT if reads_api(asked, scope["path"]) else None


def request_id(scope: Scope) -> str:
    """The caller's own id of a request, if it is a plain word; else a new one."""
    for name, value in scope["headers"]:
        if name == b"x-request-id" and PLAIN_ID.fullmatch(value):
            return str(value, "ascii")
    return secrets.token_hex(8)


@lru_cache(16)
def host_name(host: str) -> str:
    """The name in a Host header, without the port; empty for what is no host."""
    found = HOST.fullmatch(host)
    return found[1].strip("[]").rstrip(".").lower() if found else ""


def same_origin(headers: Headers, host: str) -> bool:
    """Whether a browser says that a page of ours sent this."""
    site = headers.get("sec-fetch-site")
    if site is not None:
        return site == "same-origin"
    origin = headers.get("origin", "")
    return origin.partition("://")[2].lower() == host.lower() != ""


def told(scope: Scope, seen: Mapping[str, Any], seconds: float) -> dict[str, Any]:
    """A request for the access log."""
    client, login = scope.get("client"), scope.get("paircard.login")
    return {
        "method": scope["method"],
        "path": scope["path"],
        "status": seen["status"],
        "bytes": seen["bytes"],
        "ms": round(seconds * 1000, 2),
        "client": client[0] if client else "",
        "through": login.through if login else "",
        "request": scope["paircard.request"],
    }
