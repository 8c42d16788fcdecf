"""Refusals as callers get them: ``application/problem+json`` (RFC 9457), one row of a table per kind.

``type`` is ``/problems/<kind>``, ``detail`` the sentence of the refusal, and what a program needs to act on
it stands in members of its own.
"""

import re
from typing import Any, Final

import msgspec
from msgspec import UNSET, UnsetType

from paircard.domain import errors
from paircard.domain.errors import (
    Busy,
    Caution,
    IdTaken,
    NeedsAcknowledgement,
    OutcomeUnknown,
    ReasonMissing,
    Refused,
    SetBack,
    StoreRefused,
    Unreachable,
)
from paircard.pairing import NoLegalRound

PROBLEM_JSON: Final = "application/problem+json"
RETRY_AFTER: Final = 2
"""Seconds after which a caller may try again when the store did not answer."""
SEND_AGAIN: Final = "send it again, with the same Idempotency-Key it counts once"
TRY_AGAIN: Final = "try again in a moment, it counts once"
ASK: Final = "whoever runs this server finds the reason in its log"


class HttpRefused(Refused):
    """A request that never came to a tournament."""

    retry_after: int = 0


class MalformedRequest(HttpRefused):
    """What came is not HTTP."""


class HeadTooLarge(HttpRefused):
    """Address and headers are longer than a request needs."""


class MalformedBody(HttpRefused):
    """The body is not JSON."""


class UnreadableBody(HttpRefused):
    """The body is JSON, but not what this address takes."""

    def __init__(self, message: str, path: str = "") -> None:
        self.path = path
        super().__init__(message)


class IdempotencyKeyMissing(HttpRefused):
    """What writes needs a key, so that it can be sent again."""


class WrongParameter(HttpRefused):
    """A parameter of the address, or a header, that cannot be read."""


class NotSignedIn(HttpRefused):
    """The address is not public."""

    what: str = ""
    """What was asked for, where it is somebody's."""


class NotAllowed(HttpRefused):
    """Signed in, but not for this."""

    may: tuple[str, ...] = ()
    """The verbs this login may send."""


class ForeignOrigin(HttpRefused):
    """A browser sent this from another site."""


class NotFound(HttpRefused):
    """There is nothing at this address."""


class MethodNotAllowed(HttpRefused):
    """The address takes other methods."""

    def __init__(self, message: str, allow: str) -> None:
        self.allow = allow
        super().__init__(message)


class RequestTooSlow(HttpRefused):
    """The body did not arrive in time."""


class BodyTooLarge(HttpRefused):
    """More than a request may carry."""


class WrongMediaType(HttpRefused):
    """The body is announced as something else than JSON."""


class ForeignHost(HttpRefused):
    """The request was meant for another name than this server answers to."""


class VersionMissing(HttpRefused):
    """What changes a round needs ``If-Match``."""


class TooOften(HttpRefused):
    """More requests than one may send in this time."""

    def __init__(self, message: str, retry_after: int) -> None:
        self.retry_after = retry_after
        super().__init__(message)


class TooManyFeeds(TooOften):
    """More open feeds than one address may have."""


class TooLong(HttpRefused):
    """It takes longer than one may keep others waiting."""


class ShuttingDown(HttpRefused):
    """The server is about to end."""

    retry_after = RETRY_AFTER


STATUS: Final[dict[type[Exception], int]] = {
    errors.Invalid: 422,
    errors.Unknown: 404,
    errors.Duplicate: 409,
    errors.IdTaken: 422,  # draft-ietf-httpapi-idempotency-key-header: the key with another content
    errors.NotNow: 409,
    errors.StaleDecision: 412,
    errors.IllegalPairing: 422,
    errors.ReasonMissing: 422,
    errors.Prohibited: 409,
    errors.NeedsAcknowledgement: 409,
    errors.LibraryMissing: 501,
    errors.StoreRefused: 503,
    errors.PaircardError: 409,  # no legal round, standings too early: right in itself, but not now
    MalformedRequest: 400,
    MalformedBody: 400,
    UnreadableBody: 422,
    IdempotencyKeyMissing: 400,
    WrongParameter: 400,
    NotSignedIn: 401,
    NotAllowed: 403,
    ForeignOrigin: 403,
    NotFound: 404,
    MethodNotAllowed: 405,
    RequestTooSlow: 408,
    BodyTooLarge: 413,
    WrongMediaType: 415,
    ForeignHost: 421,
    VersionMissing: 428,
    TooOften: 429,
    HeadTooLarge: 431,
    TooLong: 503,
    ShuttingDown: 503,
}
"""The status of a refusal: its own, or that of the nearest kind above it."""


class Fault(msgspec.Struct, frozen=True, kw_only=True):
    """A warning that has to be accepted."""

    level: int
    code: str
    message: str


class Problem(msgspec.Struct, frozen=True, kw_only=True):
    """What is answered to a refused request (RFC 9457)."""

    type: str
    """``/problems/`` and the kind of the refusal."""
    title: str
    status: int
    detail: str
    """What is so, what was asked, the way out."""
    warnings: tuple[Fault, ...] | UnsetType = UNSET
    """What has to be accepted: send the same again with their codes in ``ack``."""
    version: int | UnsetType = UNSET
    """The version the tournament has."""
    path: str | UnsetType = UNSET
    """Where in the body."""
    by: str | UnsetType = UNSET
    """Who did what stands in the way."""
    when: str | UnsetType = UNSET
    """And when."""
    recorded: tuple[int, ...] | UnsetType = UNSET
    """Versions of the facts that were recorded under this key."""
    may: tuple[str, ...] | UnsetType = UNSET
    """What this login may do."""


def kind_of(error: type[BaseException]) -> str:
    """The name of a kind of refusal: RoundIncomplete is ``round-incomplete``."""
    return re.sub(r"(?<=[a-z])(?=[A-Z])", "-", error.__name__).lower()


def status_of(error: type[BaseException]) -> int:
    """The status for a kind of refusal."""
    return next(STATUS[kind] for kind in error.__mro__ if kind in STATUS)


def knows(error: type[BaseException]) -> bool:
    """Whether a refusal of this kind has a status."""
    return any(kind in STATUS for kind in error.__mro__)


def title_of(error: type[BaseException]) -> str:
    """The kind in a few words, from its docstring."""
    return (error.__doc__ or "Refused").strip().splitlines()[0].removesuffix(".")


def problem_of(refusal: Exception) -> Problem:
    """The answer to a refusal."""
    kind = type(refusal)
    members: dict[str, Any] = {}
    if isinstance(refusal, NeedsAcknowledgement):
        members["warnings"] = tuple(map(_fault, refusal.warnings))
    if isinstance(refusal, IdTaken):
        members["recorded"] = refusal.versions
    for name in ("version", "path", "may"):
        if (value := getattr(refusal, name, None)) not in (None, ""):
            members[name] = value
    at = getattr(refusal, "command", None)
    if isinstance(at, int):
        members["path"] = f"commands[{at}]"
    other = getattr(refusal, "other", None)
    if other is not None:
        members |= {"by": other.who, "when": other.when}
    return Problem(
        type=f"/problems/{kind_of(kind)}",
        title=title_of(kind),
        status=status_of(kind),
        detail=in_words(refusal),
        **members,
    )


def in_words(refusal: Exception) -> str:
    """What is so and the way out, in the words of the API.

    Of a store that refuses, its place and its commands are for whoever runs the server: they are in the log.
    """
    match refusal:
        case NeedsAcknowledgement(warnings=warnings):
            text = "; ".join(f"{one.message} (level {one.level})" for one in warnings)
            codes = ", ".join(dict.fromkeys(f'"{one.answer}"' for one in warnings))
            return f'{text}: if that is meant, repeat it with "ack": [{codes}]'
        case ReasonMissing():
            return f'{refusal}, in "why"'
        case IdTaken(deed=deed):
            return (
                f"this Idempotency-Key was used for another request ({deed}): give this one a key of its own"
            )
        case NoLegalRound(round=round) if round:
            return f"{refusal}, with begin-manual-pairing"
        case StoreRefused():
            return of_the_store(refusal, SEND_AGAIN)
        case _:
            return str(refusal)


def in_words_of_pages(refusal: Exception) -> str:
    """The same for somebody with a browser, who knows no keys and verbs."""
    match refusal:
        case IdTaken():
            return "this form was sent before with something else in it: load the page again"
        case NotSignedIn(what=what) if what:
            return f"{what} is not public: open the link you were given, or ask for a new one"
        case StoreRefused():
            return of_the_store(refusal, TRY_AGAIN)
        case _:
            return str(refusal)


def of_the_store(refusal: StoreRefused, way_out: str) -> str:
    """What the store refuses, without its place."""
    match refusal:
        case Busy():
            return f"another program is writing to the store: {way_out}"
        case OutcomeUnknown():
            return f"the store went away, and whether this was recorded is not known: {way_out}"
        case SetBack():
            return "the store was set back to an earlier state, what you have seen may be gone: look again"
        case Unreachable():
            return f"the store does not answer: {way_out}. If it stays away, {ASK}"
        case _:
            return f"the store cannot be used as it is: {ASK}"


def _fault(warning: Caution) -> Fault:
    return Fault(level=warning.level, code=warning.answer, message=warning.message)


def headers_of(refusal: Exception) -> dict[str, str]:
    """Headers that go with a refusal."""
    headers: dict[str, str] = {}
    retry = getattr(refusal, "retry_after", 0) or (RETRY_AFTER if status_of(type(refusal)) == 503 else 0)
    if retry:
        headers["retry-after"] = str(retry)
    if isinstance(refusal, NotSignedIn):
        headers["www-authenticate"] = 'Bearer realm="paircard"'
    if isinstance(refusal, MethodNotAllowed):
        headers["allow"] = refusal.allow
    return headers


def of_decoding(error: msgspec.DecodeError) -> HttpRefused:
    """What was wrong with a body, and where."""
    text = str(error)
    if not isinstance(error, msgspec.ValidationError):
        text = text.removeprefix("JSON is malformed: ")
        return MalformedBody(f"the body is not JSON: {text[:1].lower()}{text[1:]}")
    message, _, path = text.partition(" - at `")
    place = path.removesuffix("`").removeprefix("$").removeprefix(".")
    where = f"{place}: " if place else ""
    message = message.replace("`", "")
    if place.endswith(".do"):
        message = message.replace("Invalid value", "no verb is called")
    return UnreadableBody(f"{where}{message[:1].lower()}{message[1:]}", place)
