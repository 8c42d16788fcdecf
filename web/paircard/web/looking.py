"""The moment a read is about, who may see it, and how long its answer holds.

The address alone says what a fixed moment shows: ``at=120`` is the 120th fact, for those who see all facts;
``at=p12`` the twelfth public moment, for anybody. Such an answer never changes. Without ``at``, or with
``at=now``, the answer depends on the login and has to be asked for again, which costs 304 if nothing is new.
"""

import re
import time
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from typing import Any, Final
from urllib.parse import urlencode

import msgspec

from paircard.domain.errors import StaleDecision
from paircard.domain.log.reader import Known
from paircard.projections.views import moment as moment_in
from paircard.service import Moment
from paircard.web.cache import Made
from paircard.web.calls import OPEN_TO_ALL, Answer, Call, GoTo, encoded
from paircard.web.problems import WrongParameter
from paircard.web.reviewer import Reviewer
from paircard.web.roles import need_reader, sees_all
from paircard.web.site import NotAtOnce, Site

FOREVER = "max-age=31536000, immutable"
WORTH_ONE: Final = 0.05
"""Seconds of work that count as one answer."""
LEAST: Final = 0.1
"""What an answer counts that another process makes, besides the work."""
LINES: Final = "paircard-lines"
"""[RFC 3229] How a caller asks for what is new since the answer it has, and gets it with 226."""
TAG: Final = r'(?:W/)?"[!#-~\x80-\xff]*"'
"""[RFC 9110:8.8.3] An entity tag."""
VERSION: Final = r'"([0-9]{1,9})(?:-[0-9a-f]{1,16})?"'
"""One of ours."""
LATE: Final = 1.0
"""Seconds that the public's view of a large event may be old while the next one is made."""


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


def look(site: Site, call: Call) -> Look:
    """The moment a call is about."""
    id = call.tournament
    at, known = call.parameter("at"), call.known or site.known(id)
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


def answer_view(
    site: Site,
    call: Call,
    seen: Look,
    name: str,
    make: Callable[[Moment], Any],
    media_type: str,
    variant: str = "",
    by: Reviewer | None = None,
) -> Answer:
    """The answer to a look, in one of its variants; ``by`` is who makes it, if it takes long.

    The public's view of a large event is made by the press. It may be a moment old, as its tag says.
    """
    kept = "public" if seen.public else "private"
    headers = {"cache-control": f"{kept}, {FOREVER}" if seen.fixed else f"{kept}, no-cache"}
    headers["vary"] = "Accept-Encoding" if seen.fixed else "Cookie, Authorization, Accept-Encoding"
    if seen.public:
        headers |= OPEN_TO_ALL
    if has := tags_of(call):
        headers["etag"] = etag(site, seen.tag + variant)
        if has & {headers["etag"], "*"}:
            return Answer(status=304, headers=headers)
    moment = seen.moment
    large = seen.public and len(moment.state.players) >= site.settings.large
    if large and by is None:
        by = site.press
    late = LATE if large and not seen.fixed and call.login is None else 0.0
    cache = site.past if seen.fixed else site.cache
    key = (call.tournament, seen.tag if seen.fixed else seen.public, variant, seen.erased, site.life, name)
    made = cache.find(key, moment.version, late=late)
    if made is None:
        if call.at_once:
            raise NotAtOnce

        def body() -> Made:
            if by is None:
                with making(site, call):
                    return printed(moment, make)
            if call.login is None:
                site.reads.need(call.network)
            found: Made = by.run(printed, make, at=moment)
            if call.login is None:  # it slowed nobody down, and counts for the work alone
                site.reads.count(call.network, LEAST + found.seconds / WORTH_ONE)
            return found

        made = cache.get(key, body, moment.version, late=late, later=site.strangers.submit)
    mark = "p" if seen.public else ""
    headers["etag"] = etag(site, f"{mark}{made.version}{variant}")
    if headers["etag"] in has:
        return Answer(status=304, headers=headers)
    if has and call.header("a-im") == LINES:
        for version in made.before:
            base = etag(site, f"{mark}{version}{variant}")
            if base in has and (patch := made.since(version)):
                headers |= {"im": LINES, "delta-base": base, "cache-control": "no-store"}
                return Answer(status=226, body=patch.body, packed=patch.packed, headers=headers)
    return Answer(body=made.body, packed=made.packed, headers=headers, media_type=media_type)


def printed(moment: Moment, make: Callable[[Moment], Any]) -> Made:
    """What is made of a moment, as bytes to be sent."""
    began = time.thread_time()
    found = make(moment)
    if isinstance(found, str):
        found = found.encode()
    made = Made(found if isinstance(found, bytes) else encoded(found))
    made.seconds = time.thread_time() - began
    return made


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


def tags_of(call: Call) -> set[str]:
    """The answers that a caller has (RFC 9110:13.1.2); that a proxy made a tag weak means nothing here."""
    asked = call.header("if-none-match")
    return {word.strip().removeprefix("W/") for word in asked.split(",")} if asked else set()


def expected_version(site: Site, call: Call) -> int | None:
    """The version ``If-Match`` names, of several the one that is now; none for ``*``, which any fulfils.

    [RFC 9110:13.1.1] A weak tag counts as well: our tags are versions, and a proxy that packs an answer
    weakens its tag.
    """
    text = ", ".join(call.request.headers.getlist("if-match")).strip()
    if text in ("", "*"):
        return None
    if not re.fullmatch(rf"{TAG}(?:[ \t]*,[ \t]*{TAG})*", text):
        raise WrongParameter("http.if-match-unreadable", text=text)
    versions = [int(one) for one in re.findall(VERSION, text)]
    if len(versions) == 1:
        return versions[0]
    now = site.office.store().version(call.tournament)
    if now and not versions:
        raise StaleDecision("http.if-match-of-none", text=text, version=now)
    return now if now in versions else max(versions, default=None)
