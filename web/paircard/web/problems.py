"""Refusals as callers get them: ``application/problem+json`` (RFC 9457), one row of a table per kind.

``type`` is ``/problems/<kind>``, ``detail`` the sentence of the refusal, and what a program needs to act on
it stands in members of its own.
"""

from collections.abc import Mapping
from copy import copy
from functools import cache
from importlib.resources import files
from typing import Any, Final, Self

import msgspec
from msgspec import UNSET, UnsetType

from paircard.domain import errors, speaking
from paircard.domain.errors import PaircardError, StoreRefused
from paircard.domain.messages import Message, say
from paircard.domain.speaking import ENGLISH, Speaker
from paircard.pairing import NoLegalRound
from paircard.web.messages import Fault, Problem

PROBLEM_JSON: Final = "application/problem+json"
RETRY_AFTER: Final = 2
"""Seconds after which a caller may try again when the store did not answer."""


class HttpRefused(errors.Refused):
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

    path: str = ""

    def at(self, path: str) -> Self:
        """Add the place in the body."""
        self.path = path
        return self


class IdempotencyKeyMissing(HttpRefused):
    """What writes needs a key, so that it can be sent again."""


class WrongParameter(HttpRefused):
    """A parameter of the address, or a header, that cannot be read."""


class NotSignedIn(HttpRefused):
    """The address is not public."""


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

    limits: Mapping[str, str] = {}
    """Headers that say how much one may ask for, and when again."""

    def after(self, seconds: int) -> Self:
        """Add the seconds after which it may be sent again."""
        self.retry_after = seconds
        return self


class TooManyFeeds(TooOften):
    """More open feeds than one address may have."""


class TooLong(HttpRefused):
    """It takes longer than one may keep others waiting."""


class MistakeOfTheServer(HttpRefused):
    """A mistake of the server."""


class ShuttingDown(HttpRefused):
    """The server is about to end."""

    retry_after = RETRY_AFTER


KINDS: Final[dict[int, tuple[type[PaircardError], ...]]] = {
    400: (MalformedRequest, MalformedBody, IdempotencyKeyMissing, WrongParameter),
    401: (NotSignedIn,),
    403: (NotAllowed, ForeignOrigin),
    404: (errors.Unknown, NotFound),
    405: (MethodNotAllowed,),
    408: (RequestTooSlow,),
    # others are no legal round, standings too early: right in itself, but not now
    409: (errors.Duplicate, errors.NotNow, errors.Prohibited, errors.NeedsAcknowledgement, PaircardError),
    412: (errors.StaleDecision,),
    413: (BodyTooLarge,),
    415: (WrongMediaType,),
    421: (ForeignHost,),
    # draft-ietf-httpapi-idempotency-key-header: IdTaken is the key with another content
    422: (errors.Invalid, errors.IllegalPairing, errors.ReasonMissing, errors.IdTaken, UnreadableBody),
    428: (VersionMissing,),
    429: (TooOften,),
    431: (HeadTooLarge,),
    500: (MistakeOfTheServer,),
    501: (errors.LibraryMissing,),
    503: (StoreRefused, TooLong, ShuttingDown),
}
STATUS: Final = {kind: status for status, kinds in KINDS.items() for kind in kinds}
"""The status of a refusal: its own, or that of the nearest kind above it."""


class Kind(msgspec.Struct, frozen=True):
    """A kind of refusal."""

    status: int
    codes: tuple[str, ...]
    """Those it is answered with."""


class Reference(msgspec.Struct, frozen=True):
    """What the source says that programs are told; ``python -m tests.reference`` writes it."""

    fields: Mapping[str, Mapping[str, str]]
    """Of a schema: by field the sentence below it."""
    kinds: Mapping[str, Kind]
    """By the name of the kind in ``type``."""


@cache
def reference() -> Reference:
    """All of it."""
    written = files("paircard.web").joinpath("reference.json").read_bytes()
    return msgspec.json.decode(written, type=Reference)


def status_of(error: type[BaseException]) -> int:
    """The status for a kind of refusal."""
    return next(STATUS[kind] for kind in error.__mro__ if kind in STATUS)


def problem_of(refusal: PaircardError, language: str = ENGLISH, request: str | UnsetType = UNSET) -> Problem:
    """The answer to a refusal, with the id of the request."""
    speaker = Speaker(language)
    members = speaking.problem_of(refusal, publicly(refusal), in_words(refusal, speaker), speaker)
    if "warnings" in members:
        members["warnings"] = tuple(Fault(**one) for one in members["warnings"])
    if isinstance(refusal, errors.IdTaken):
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
    return Problem(status=status_of(type(refusal)), request=request, **members)


def publicly(refusal: PaircardError) -> Message:
    """The message for callers, without ids of requests and places of stores."""
    match refusal:
        case errors.IdTaken(deed=deed):
            return say("http.key-taken", deed=deed)
        case StoreRefused():
            return of_the_store(type(refusal), to_program=True)
        case _:
            return refusal.said


def without_place(refusal: PaircardError, place: str, code: str) -> PaircardError:
    """The refusal with other words, in a language, for where the store is, which is nobody's business."""
    made, store = copy(refusal), Speaker(code).say(say("http.the-store"))
    made.said = named_otherwise(refusal.said, place, store)
    if isinstance(made, errors.NeedsAcknowledgement):
        made.warnings = tuple(
            msgspec.structs.replace(one, said=named_otherwise(one.said, place, store))
            for one in made.warnings
        )
    return made


def named_otherwise(value: Any, place: str, store: str) -> Any:
    """A message, or several, with another name for the file at this place."""
    match value:
        case Message(code=code, fields=fields):
            named = {name: named_otherwise(inner, place, store) for name, inner in fields.items()}
            return Message(code, named | ({"file": store} if fields.get("file") == place else {}))
        case list() | tuple():
            return [named_otherwise(inner, place, store) for inner in value]
        case _:
            return value


def in_words(refusal: PaircardError, speaker: Speaker) -> str:
    """The refusal and its way out, in the words of the API.

    Of a store that refuses, its place and its commands are for the log of the server.
    """
    match refusal:
        case errors.NeedsAcknowledgement(warnings=warnings):
            lines = [say("http.warning", value=speaker.warning(one), level=one.level) for one in warnings]
            codes = list(dict.fromkeys(f'"{one.answer}"' for one in warnings))
            return speaker.say(say("http.acknowledge", reasons=lines, codes=codes))
        case errors.ReasonMissing():
            return speaker.say(say("http.reason-missing", value=speaker.refusal(refusal)))
        case NoLegalRound(round=round) if round:
            return speaker.say(say("http.no-legal-round", value=speaker.refusal(refusal)))
        case errors.IdTaken() | StoreRefused():
            return speaker.say(publicly(refusal))
        case _:
            return speaker.refusal(refusal)


def in_words_of_pages(refusal: PaircardError) -> PaircardError | Message:
    """What a page says of a refusal, for somebody with a browser who knows no keys and verbs."""
    match refusal:
        case errors.IdTaken():
            return say("page.form-sent-before")
        case NotSignedIn(said=Message(fields={"door": str(door)})):
            return say("page.not-public", door=door)
        case StoreRefused():
            return of_the_store(type(refusal), to_program=False)
        case _:
            return refusal


def of_the_store(kind: type[StoreRefused], *, to_program: bool) -> Message:
    """What the store refuses, without its place."""
    if issubclass(kind, errors.Busy):
        return say("http.store-busy" if to_program else "page.store-busy")
    if issubclass(kind, errors.SetBack):
        return say("page.store-set-back")
    if issubclass(kind, errors.OutcomeUnknown):
        return say("http.store-outcome-unknown" if to_program else "page.store-outcome-unknown")
    if issubclass(kind, errors.Unreachable):
        return say("http.store-unreachable" if to_program else "page.store-unreachable")
    return say("page.store-unusable")


def headers_of(refusal: PaircardError) -> dict[str, str]:
    """Headers that go with a refusal."""
    headers: dict[str, str] = {}
    retry = getattr(refusal, "retry_after", 0) or (RETRY_AFTER if status_of(type(refusal)) == 503 else 0)
    if retry:
        headers["retry-after"] = str(retry)
    if isinstance(refusal, TooOften):
        headers |= refusal.limits
    if isinstance(refusal, NotSignedIn):
        headers["www-authenticate"] = 'Bearer realm="paircard"'
    if isinstance(refusal, MethodNotAllowed):
        headers["allow"] = ", ".join(refusal.said.fields.get("known", ()))
    return headers


def of_decoding(error: msgspec.DecodeError) -> HttpRefused:
    """What was wrong with a body, and where."""
    text = str(error)
    if not isinstance(error, msgspec.ValidationError):
        text = text.removeprefix("JSON is malformed: ")
        return MalformedBody("http.not-json", reason=f"{text[:1].lower()}{text[1:]}")
    message, _, path = text.partition(" - at `")
    place = path.removesuffix("`").removeprefix("$").removeprefix(".")
    message = message.replace("`", "")
    if place.endswith(".do"):
        message = message.replace("Invalid value", "no verb is called")
    reason = f"{message[:1].lower()}{message[1:]}"
    return UnreadableBody("http.body-unreadable", id=place, reason=reason).at(place)
