"""The server itself: whether it lives, whether it can work, and what it offers."""

from typing import Any, Final

import msgspec

from paircard.web.calls import Answer, Call, as_json
from paircard.web.endpoints import Endpoint
from paircard.web.site import Site


class Health(msgspec.Struct, frozen=True, kw_only=True):
    """The process lives."""

    status: str
    build: str


class Readiness(msgspec.Struct, frozen=True, kw_only=True):
    """Whether requests can be answered now."""

    status: str
    store: bool
    """Log and access book answer."""
    follower: bool
    """The log is followed for the feeds."""
    unreadable: tuple[str, ...] = ()
    """Tournaments with a fact that cannot be read, and which; the others are served."""


def health(site: Site, call: Call) -> Answer:
    """The process lives."""
    return as_json(Health(status="ok", build=site.build))


def ready(site: Site, call: Call) -> Answer:
    """What the follower of the log saw a moment ago, told at once; 503 lets a proxy ask another process."""
    following, answers = site.is_following(), site.access.answers
    fine = following and answers
    found = Readiness(
        status="ok" if fine else "waiting",
        store=fine,
        follower=following,
        unreadable=tuple(site.unreadable.values()),
    )
    return as_json(found, 200 if fine else 503)


def openapi(site: Site, call: Call) -> Answer:
    """The description of all this."""
    made = site.cache.get(("openapi",), site.describe)
    return Answer(
        body=made.body,
        packed=made.packed,
        headers={
            "cache-control": "public, no-cache",
            "etag": f'"{site.build}"',
            "access-control-allow-origin": "*",
        },
    )


ENDPOINTS: Final = (
    Endpoint("GET", "/health", health, "Whether the process lives", "public", Health, at_once=True),
    Endpoint(
        "GET",
        "/ready",
        ready,
        "Whether the store answers and the log is followed",
        "public",
        Readiness,
        at_once=True,
    ),
    Endpoint("GET", "/openapi.json", openapi, "This description, as OpenAPI 3.1", "public", dict[str, Any]),
)
