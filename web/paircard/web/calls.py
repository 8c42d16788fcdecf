"""A call: one request as a handler sees it, and what it answers.

A handler is a plain function that runs in a thread. It raises what it refuses.
"""

import re
from collections.abc import Mapping
from contextlib import suppress
from functools import cached_property
from typing import Any, Final, TypeVar
from urllib.parse import parse_qsl, quote

import msgspec
from starlette.requests import Request, cookie_parser

from paircard.domain.errors import Unknown
from paircard.domain.log.reader import Known
from paircard.domain.speaking import ENGLISH, LANGUAGES
from paircard.web.book import Login
from paircard.web.problems import MalformedBody, NotFound, UnreadableBody, WrongParameter, of_decoding
from paircard.web.settings import network_of

JSON: Final = "application/json"
FORM: Final = "application/x-www-form-urlencoded"
UPLOAD: Final = "multipart/form-data"
EXPOSED: Final = (
    "Deprecation, ETag, Location, RateLimit-Limit, RateLimit-Remaining, RateLimit-Reset, Retry-After, "
    "Sunset, X-Request-Id"
)
OPEN_TO_ALL: Final = {"access-control-allow-origin": "*", "access-control-expose-headers": EXPOSED}
"""Programs in any browser may read what anybody may read."""
T = TypeVar("T")
encoded: Final = msgspec.json.Encoder().encode
"""A value as JSON bytes."""
LANGUAGE: Final = "language"
"""Name of the cookie for readers who chose a language."""


def language_of(headers: Mapping[str, str]) -> str:
    """The language a reader chose, else the first of the browser's that there is."""
    if (chosen := cookie_parser(headers.get("cookie", "")).get(LANGUAGE)) in LANGUAGES:
        return chosen
    for part in headers.get("accept-language", "").split(","):
        code = part.partition(";")[0].strip().lower().partition("-")[0]
        if code in LANGUAGES:
            return code
    return ENGLISH


def quoted(address: str) -> str:
    """An address of ours as a header can carry it; what was quoted before stays as it is."""
    return quote(address, safe="/?#[]@!$&'()*+,;=:%~")


class Answer(msgspec.Struct, kw_only=True):
    """What a handler answers."""

    body: bytes = b""
    packed: bytes | None = None
    """The body as gzip, if it was packed before."""
    status: int = 200
    media_type: str = JSON
    headers: dict[str, str] = {}


class GoTo(Exception):
    """Redirect to the address that never changes for what was asked."""

    def __init__(self, location: str) -> None:
        self.location = location
        super().__init__(location)


def as_json(value: object, status: int = 200, headers: Mapping[str, str] = {}) -> Answer:
    """A value as JSON, not to be stored by caches."""
    return Answer(body=encoded(value), status=status, headers={"cache-control": "no-store", **headers})


class Call:
    """One request."""

    def __init__(self, request: Request, body: bytes) -> None:
        self.request = request
        self.body = body
        self.client: str = (request.scope.get("client") or ("",))[0]
        """The address of the caller."""
        self.network = network_of(self.client)
        """What limits are counted by."""
        self.login: Login | None = None
        self.known: Known | None = None
        """All that is recorded of the tournament in the address, if that was asked since the call came."""
        self.at_once = False
        """Whether it is to be answered without a thread, if the answer is there."""

    @property
    def path(self) -> Mapping[str, Any]:
        return self.request.path_params

    @cached_property
    def tournament(self) -> str:
        """The id of a tournament, as it stands in the address."""
        text = str(self.path["tournament"])
        if not re.fullmatch(r"[0-9a-f]{32}", text):
            raise NotFound("http.no-tournament-id", text=text)
        return text

    def header(self, name: str) -> str:
        """A header, empty if there is none."""
        return self.request.headers.get(name, "")

    def parameter(self, name: str) -> str | None:
        """A parameter of the address."""
        if not self.request.scope["query_string"]:
            return None
        values = self.request.query_params.getlist(name)
        if len(values) > 1:
            raise WrongParameter("http.given-twice", id=name, count=len(values))
        return values[0] if values else None

    def need_known(self, *known: str) -> None:
        """Refuse parameters that would be left aside in silence."""
        for name in self.request.query_params:
            if name not in known:
                if not known:
                    raise WrongParameter("http.no-parameters", id=name[:40])
                raise WrongParameter("http.no-such-parameter", id=name[:40], known=list(known))

    def number(self, name: str, default: T, *, least: int = 0, most: int = 10**9) -> int | T:
        """A parameter that is a whole number; the default if it is not given."""
        text = self.parameter(name)
        if text is None:
            return default
        if not re.fullmatch(r"[0-9]{1,10}", text) or not least <= int(text) <= most:
            raise WrongParameter("http.not-in-range", id=name, text=text, first=least, last=most)
        return int(text)

    def flag(self, name: str) -> bool:
        """A parameter that is on or off."""
        text = self.parameter(name)
        if text not in (None, "", "0", "1", "true", "false"):
            raise WrongParameter("http.not-a-flag", id=name, text=text)
        return text in ("", "1", "true")

    def form(self) -> dict[str, str]:
        """The fields of a form; of one that is there twice the last counts."""
        try:
            return dict(parse_qsl(self.body.decode(), keep_blank_values=True, max_num_fields=5000))
        except ValueError:
            raise MalformedBody("page.form-unreadable") from None

    def read(self, kind: type[T]) -> T:
        """The body as what this address takes."""
        try:
            return msgspec.json.decode(self.body, type=kind)
        except msgspec.ValidationError as wrong:
            with suppress(msgspec.DecodeError, RecursionError, UnicodeDecodeError):
                return msgspec.convert(with_integers(msgspec.json.decode(self.body)), kind, str_keys=True)
            raise of_decoding(wrong) from None
        except msgspec.DecodeError as wrong:
            raise of_decoding(wrong) from None
        except RecursionError:
            raise UnreadableBody("http.too-deep") from None
        except UnicodeDecodeError:
            raise UnreadableBody("http.not-utf-8") from None


def with_integers(value: Any) -> Any:
    """JSON in which 3.0 is 3: a number without a fraction is an integer (JSON Schema Core 2020-12, 4.2.3)."""
    match value:
        case float() if value.is_integer() and abs(value) < 2**53:
            return int(value)
        case dict():
            return {name: with_integers(one) for name, one in value.items()}
        case list():
            return [with_integers(one) for one in value]
    return value


def round_in_path(call: Call) -> int:
    """The number of a round, as it stands in the address."""
    text = str(call.path["round"])
    if not re.fullmatch("[0-9]{1,3}", text):
        raise Unknown("http.not-a-round", text=text)
    return int(text)


def player_in_path(call: Call) -> int:
    """The id of the player in the address."""
    return player_called(str(call.path["player"]))


def player_called(text: str) -> int:
    """The id of a player, as it stands in an address: ``p16``, or 16 as programs write it."""
    if not re.fullmatch("p?[0-9]{1,6}", text):
        raise Unknown("http.no-such-player", text=text)
    return int(text.removeprefix("p"))
