"""The moment a read is about, who may see it, and how long its answer holds.

The address alone says what a fixed moment shows: ``at=120`` is the 120th fact, for those who see all facts;
``at=p12`` the twelfth public moment, for anybody. Such an answer never changes. Without ``at``, or with
``at=now``, the answer depends on the login and has to be asked for again, which costs 304 if nothing is new.
"""

import re
import time
from collections.abc import Callable, Iterator
from contextlib import contextmanager, nullcontext
from typing import Any, Final
from urllib.parse import urlencode

import msgspec

from paircard.domain.log.reader import Known
from paircard.projections.views import moment as moment_in
from paircard.service import Moment
from paircard.web.access.roles import need_reader, sees_all
from paircard.web.calls import Answer, Call, GoTo, encoded
from paircard.web.problems import NotFound, WrongParameter
from paircard.web.site import Site

FOREVER = "max-age=31536000, immutable"
WORTH_ONE: Final = 0.05
"""Seconds of work that count as one answer."""


class Look(msgspec.Struct, frozen=True):
    """A moment as somebody may see it."""

    moment: Moment
    tag: str
    """What the moment is called: ``120``, or ``p12`` for the public."""
    public: bool
    fixed: bool
    """Whether the address names a moment that never changes."""
    erased: int
    """Version of the last erasure: nothing that was made before it is shown again."""


def need_id(text: str) -> str:
    """The id of a tournament, as it stands in an address."""
    if not re.fullmatch(r"[0-9a-f]{32}", text):
        raise NotFound("http.no-tournament-id", text=text)
    return text


def look(site: Site, call: Call) -> Look:
    """The moment a call is about."""
    id = need_id(call.tournament)
    at, known = call.parameter("at"), site.known(id)
    whole = sees_all(call.login, id)
    word = "now" if at is None else " ".join(at.split())
    if match := re.fullmatch(r"p([0-9]{1,9})", word):
        return _seen(known, site.public(id).moment(known, int(match[1])), public=True, fixed=True)
    if re.fullmatch(r"[0-9]{1,9}", word):
        need_reader(call.login, id, "moment")
        return _seen(known, Moment.of(known.facts[: moment_in(known.facts, word)]), public=False, fixed=True)
    now = (
        Moment(id, known.state, lambda: known.facts, known.memory) if whole else site.public(id).moment(known)
    )
    if word != "now":
        raise GoTo(with_at(call, f"{'' if whole else 'p'}{moment_in(now.facts, word)}"))
    return _seen(known, now, public=not whole, fixed=False)


def _seen(known: Known, moment: Moment, *, public: bool, fixed: bool) -> Look:
    return Look(moment, f"{'p' if public else ''}{moment.version}", public, fixed, known.erased)


def with_at(call: Call, at: str) -> str:
    """The address of this call, with another moment."""
    others = [(name, value) for name, value in call.request.query_params.multi_items() if name != "at"]
    return f"{call.request.url.path}?{urlencode([*others, ('at', at)])}"


def etag(site: Site, tag: str) -> str:
    """The validator of a view at a moment."""
    return f'"{tag}-{site.build}{site.life}"'


def view(
    site: Site, call: Call, name: str, make: Callable[[Moment], Any], *, media_type: str = "application/json"
) -> Answer:
    """A view of the moment a call is about: from the cache, or 304 if the caller has it."""
    seen = look(site, call)
    return answer_view(site, call, seen, name, lambda: make(seen.moment), media_type)


def answer_view(
    site: Site, call: Call, seen: Look, name: str, make: Callable[[], Any], media_type: str
) -> Answer:
    """The answer to a look."""
    mine = etag(site, seen.tag)
    kept = "public" if seen.public else "private"
    headers = {"etag": mine, "cache-control": f"{kept}, {FOREVER}" if seen.fixed else f"{kept}, no-cache"}
    if not seen.fixed:
        headers["vary"] = "Cookie, Authorization, Accept-Encoding"
    else:
        headers["vary"] = "Accept-Encoding"
    if seen.public:
        headers |= {"access-control-allow-origin": "*", "access-control-expose-headers": "ETag"}
    known = {word.strip().removeprefix("W/") for word in call.header("if-none-match").split(",")}
    if known & {mine, "*"}:
        return Answer(status=304, headers=headers)

    def body() -> bytes:
        made = make()
        return made if isinstance(made, bytes) else encoded(made)

    key = (call.tournament, seen.tag, seen.erased, site.life, name)
    cache = site.past if seen.fixed else site.cache
    with nullcontext() if key in cache else making(site, call):
        made = cache.get(key, body)
    return Answer(body=made.body, packed=made.packed, headers=headers, media_type=media_type)


@contextmanager
def making(site: Site, call: Call) -> Iterator[None]:
    """Count an answer that is made for a stranger: as one, and as one more for every 50 ms it takes."""
    if call.login is not None:
        yield
        return
    site.reads.need(call.network)
    began = time.thread_time()
    try:
        yield
    finally:
        site.reads.count(call.network, 1 + (time.thread_time() - began) / WORTH_ONE)


def expected_version(call: Call) -> int | None:
    """The version ``If-Match`` names; none for ``*``, which any version fulfils (RFC 9110:13.1.1)."""
    text = call.header("if-match").strip()
    if text in ("", "*"):
        return None
    match = re.fullmatch(r'(?:W/)?"([0-9]{1,9})(?:-[0-9a-f]{1,16})?"', text)
    if not match:
        raise WrongParameter("http.if-match-unreadable", text=text)
    return int(match[1])
