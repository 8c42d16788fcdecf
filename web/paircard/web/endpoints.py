"""A row: what answers one method of one address; of the API also who may call it, what it takes and gives.

Routing, the description in ``/api/v1/openapi.json`` and the contract tests are made from these rows.
"""

import calendar
import re
import time
from collections.abc import Callable, Mapping
from email.utils import formatdate
from functools import partial, wraps
from keyword import iskeyword
from types import MappingProxyType
from typing import Any, Final, Literal, TypeAlias, TypeVar, get_type_hints

import msgspec

from paircard.web.calls import JSON, Answer, Call, player_in_path, round_in_path
from paircard.web.feed import Feed
from paircard.web.looking import answer_view, look
from paircard.web.roles import need_reader
from paircard.web.site import Site

API: Final = "/api/v1"
Who: TypeAlias = Literal["public", "signed-in", "deputy", "arbiter", "reader", "opener", "granter"]
"""Who may call: anybody; anybody who signed in; who may send the verb; an arbiter of the tournament; an
arbiter or an officer; who may open tournaments; who may let others in."""
Asked: TypeAlias = Callable[[Call], object]
"""What a view is told of its address."""
Handler: TypeAlias = Callable[[Site, Call], Answer | Feed]
H = TypeVar("H", bound=Handler)
V = TypeVar("V", bound=Callable[..., Any])
STREAM: Final = "text/event-stream"


class Parameter(msgspec.Struct, frozen=True):
    """A parameter of an address or a header."""

    name: str
    about: str
    schema: Mapping[str, Any] = MappingProxyType({"type": "string"})
    where: Literal["query", "header"] = "query"
    required: bool = False

    def read(self, call: Call) -> Any:
        """What a view is told of it."""
        if "maximum" in self.schema:
            return call.number(self.name, None, least=self.schema["minimum"], most=self.schema["maximum"])
        return call.flag(self.name) if self.schema is FLAG else (call.parameter(self.name) or "")[:200]


def number(least: int, most: int) -> dict[str, Any]:
    """The schema of a whole number."""
    large = {"format": "int64"} if most >= 2**31 else {}
    return {"type": "integer", "minimum": least, "maximum": most} | large


class Row(msgspec.Struct, frozen=True, kw_only=True):
    """One method of one address."""

    method: Literal["GET", "POST", "DELETE"] = "GET"
    address: str
    handler: Handler
    media: str = JSON
    """Type of the body that is sent."""
    large: bool = False
    """Takes a body of many files."""
    writes: bool = False
    """Runs in the thread of the writer."""
    kept: bool = False
    """Is answered without a thread if it was made before and nobody is signed in."""
    told: Mapping[str, str] = MappingProxyType({})
    """Headers of every answer."""
    at_once: bool = False
    """Needs no store, no login and no thread: it is answered also while all of them wait for the store."""


class Endpoint(Row, frozen=True, kw_only=True):
    """A row of the API, with what its description says."""

    summary: str
    who: Who = "public"
    gives: Any = None
    """Type of the answer; None for one without a body."""
    parameters: tuple[Parameter, ...] = ()
    takes: Any = None
    """Type of the body."""
    gives_media: str = JSON
    status: int = 200
    """Of an answer that is no refusal."""
    also: tuple[int, ...] = ()
    """Other statuses of answers that are no refusals."""
    refusals: tuple[int, ...] = ()
    """Statuses of refusals, besides those that every endpoint, or every one with a body, may give."""
    deprecated: str = ""
    """The day since which programs should use something else, ``2027-01-31``."""
    sunset: str = ""
    """The day from which it may be gone; at least a year after."""

    @property
    def path(self) -> str:
        """Below /api/v1."""
        return self.address.removeprefix(API)

    def need_known(self, call: Call) -> None:
        """Refuse parameters that would be left aside in silence."""
        call.need_known(*(one.name for one in self.parameters if one.where == "query"))


FLAG: Final = MappingProxyType({"type": "boolean"})
AT: Final = Parameter(
    "at",
    "The moment to look at: r5, before r5, a time, the number of a fact (signed in), or p12, the 12th public "
    "moment. Other words than numbers are answered with a redirect to the address that never changes.",
)
AFTER_ROUND: Final = Parameter("after", "After this round; the last paired one by default.", number(0, 999))
IN_PATH: Final[Mapping[str, Asked]] = MappingProxyType({"round": round_in_path, "player": player_in_path})
"""What a view is told of the parts of its address."""
IF_MATCH: Final = Parameter(
    "If-Match",
    "The version this was decided on, as the ETag of a read. Required to pair, unpair, publish, alter, close "
    "and correct.",
    where="header",
)
KEY: Final = Parameter(
    "Idempotency-Key",
    "Any 1 to 64 visible characters, new for every request. The same request with the same key counts once, "
    "so a request without an answer can be sent again.",
    MappingProxyType({"type": "string", "pattern": "^[!-~]{1,64}$"}),
    where="header",
    required=True,
)
ONE: Final = "/tournaments/{tournament}"
"""The address of a tournament."""


def ageing(path: str, deprecated: str, sunset: str) -> dict[str, str]:
    """Headers that say since when something is deprecated (RFC 9745), and when it ends (RFC 8594)."""
    if not deprecated:
        return {}
    since, end = (calendar.timegm(time.strptime(day, "%Y-%m-%d")) for day in (deprecated, sunset))
    if end - since < 365 * 86400:
        raise ValueError(f"{path}: between deprecation and sunset is a year")
    return {"deprecation": f"@{since}", "sunset": formatdate(end, usegmt=True)}


class Endpoints(list[Endpoint]):
    """The rows of one subject. A handler names its row above itself, and its docstring is the summary."""

    def add(
        self,
        method: Literal["GET", "POST", "DELETE"],
        path: str,
        gives: Any = None,
        *parameters: Parameter,
        who: Who = "public",
        summary: str = "",
        deprecated: str = "",
        sunset: str = "",
        **more: Any,
    ) -> Callable[[H], H]:
        """A row for the function below."""

        def named(handler: H) -> H:
            said = summary or " ".join((handler.__doc__ or "").split("\n\n")[0].split()).removesuffix(".")
            about: dict[str, Any] = {"summary": said, "who": who, "gives": gives, "parameters": parameters}
            about |= {"deprecated": deprecated, "sunset": sunset, "told": ageing(path, deprecated, sunset)}
            self.append(Endpoint(method=method, address=API + path, handler=handler, **about, **more))
            return handler

        return named

    def view(
        self,
        path: str,
        *parameters: Parameter,
        long: bool = False,
        door: str = "",
        gives_media: str = JSON,
        **more: Any,
    ) -> Callable[[V], V]:
        """A view of a tournament at any moment, which the function below makes of that and of the address.

        The public's shows what is published. One that takes ``long`` is made by the reviewer, which has a
        limit; through a ``door`` only arbiters and officers come.
        """

        def named(make: V) -> V:
            asked = {name: IN_PATH[name] for name in re.findall("{([a-z]+)}", path)}
            asked |= {f"{one.name}_" if iskeyword(one.name) else one.name: one.read for one in parameters}
            is_text = gives_media != JSON
            gives = bytes if is_text else get_type_hints(make)["return"]
            sent_as = f"{gives_media}; charset=utf-8" if is_text else JSON
            about: dict[str, Any] = {"who": "reader" if door else "public", "kept": not door, **more}
            about |= {"gives_media": gives_media, "also": (304, 307), "refusals": (409, 422)}

            @self.add("GET", ONE + path, gives, AT, *parameters, **about)
            @wraps(make)
            def handler(site: Site, call: Call) -> Answer:
                if door:
                    need_reader(call.login, call.tournament, door)
                told = {name: read(call) for name, read in asked.items()}
                seen, by = look(site, call), site.reviewer if long else None
                return answer_view(site, call, seen, f"{path} {told}", partial(make, **told), sent_as, by=by)

            return make

        return named
