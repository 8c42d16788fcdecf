"""The server itself: whether it lives, whether it can work, and what it offers."""

from typing import Any, Final

import msgspec

from paircard.domain.log.stored import fact_schema
from paircard.web.calls import OPEN_TO_ALL, Answer, Call, as_json
from paircard.web.endpoints import Endpoints, Row
from paircard.web.looking import tags_of
from paircard.web.site import Site

METRICS: Final = "text/plain; version=0.0.4; charset=utf-8"
ENDPOINTS: Final = Endpoints()


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


@ENDPOINTS.add("GET", "/health", Health, at_once=True)
def health(site: Site, call: Call) -> Answer:
    """Whether the process lives."""
    return as_json(Health(status="ok", build=site.build), headers=OPEN_TO_ALL)


@ENDPOINTS.add("GET", "/ready", Readiness, at_once=True, also=(503,))
def ready(site: Site, call: Call) -> Answer:
    """Whether the store answers and the log is followed.

    That is what the follower saw a moment ago, told at once; 503 lets a proxy ask another process.
    """
    following, answers = site.is_following(), site.access.answers
    fine = following and answers
    found = Readiness(
        status="ok" if fine else "waiting",
        store=fine,
        follower=following,
        unreadable=tuple(site.unreadable.values()),
    )
    return as_json(found, 200 if fine else 503, OPEN_TO_ALL)


def of_the_build(site: Site, call: Call, answer: Answer) -> Answer:
    """An answer that changes with the build alone, or that it is the one the caller has."""
    tag = f'"{site.build}"'
    headers = {"cache-control": "public, no-cache", "etag": tag} | OPEN_TO_ALL
    if tags_of(call) & {tag, "*"}:
        return Answer(status=304, headers=headers)
    return msgspec.structs.replace(answer, headers=headers)


@ENDPOINTS.add("GET", "/openapi.json", dict[str, Any], also=(304,))
def openapi(site: Site, call: Call) -> Answer:
    """This description, as OpenAPI 3.1."""
    made = site.cache.get(("openapi",), site.describe)
    return of_the_build(site, call, Answer(body=made.body, packed=made.packed))


@ENDPOINTS.add("GET", "/facts.schema.json", dict[str, Any], also=(304,))
def get_fact_schemas(site: Site, call: Call) -> Answer:
    """The JSON Schemas of all facts, as feeds and webhooks bring them."""
    return of_the_build(site, call, as_json(fact_schema()))


def metrics(site: Site, call: Call) -> Answer:
    """For programs at this machine, and at the addresses that were named."""
    if call.client not in site.settings.metrics_from or "x-forwarded-for" in call.request.headers:
        refused = b"not for this address: see --metrics-from\n"
        return Answer(body=refused, status=403, media_type="text/plain")
    headers = {"cache-control": "no-store"}
    return Answer(body=site.metrics.text().encode(), media_type=METRICS, headers=headers)


OTHERS: Final = (Row(address="/metrics", handler=metrics, at_once=True),)
"""What is neither of the API nor a page."""
