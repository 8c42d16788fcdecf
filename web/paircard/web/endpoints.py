"""An endpoint: one method of one address, who may call it, what it takes and gives.

Routing, the description in ``/api/v1/openapi.json`` and the contract tests are made from these rows.
"""

import calendar
import time
from collections.abc import Callable, Mapping
from email.utils import formatdate
from functools import wraps
from types import MappingProxyType
from typing import Any, Final, Literal, TypeAlias

import msgspec
from msgspec.structs import replace

from paircard.web.calls import Answer, Call
from paircard.web.site import Site

API: Final = "/api/v1"
Who: TypeAlias = Literal["public", "signed-in", "deputy", "arbiter", "reader", "opener", "granter"]
"""Who may call: anybody; anybody who signed in; who may send the verb; an arbiter of the tournament; an
arbiter or an officer; who may open tournaments; who may let others in."""


class Parameter(msgspec.Struct, frozen=True):
    """A parameter of an address or a header."""

    name: str
    about: str
    schema: Mapping[str, Any] = MappingProxyType({"type": "string"})
    where: Literal["query", "header"] = "query"
    required: bool = False


class Endpoint(msgspec.Struct, frozen=True):
    """One row."""

    method: Literal["GET", "POST", "DELETE"]
    path: str
    """Below /api/v1."""
    handler: Callable[[Site, Call], Answer] | None
    """None for a feed, which goes on."""
    summary: str
    who: Who
    gives: Any = None
    """Type of the answer; None for one without a body."""
    parameters: tuple[Parameter, ...] = ()
    takes: Any = None
    """Type of the body."""
    gives_media: str = "application/json"
    status: int = 200
    """Of an answer that is no refusal."""
    also: tuple[int, ...] = ()
    """Other statuses of answers that are no refusals."""
    refusals: tuple[int, ...] = ()
    """Statuses of refusals, besides those that every endpoint, or every one with a body, may give."""
    writes: bool = False
    """Runs in the thread of the writer."""
    kept: bool = False
    """Is answered without a thread if it was made before and nobody is signed in."""
    at_once: bool = False
    """Needs no store, no login and no thread: it is answered also while all of them wait for the store."""
    large: bool = False
    """Takes a body of many files."""
    deprecated: str = ""
    """The day since which programs should use something else, ``2027-01-31``."""
    sunset: str = ""
    """The day from which it may be gone; at least a year after."""

    @property
    def address(self) -> str:
        """The whole path."""
        return API + self.path


NUMBER: Final = MappingProxyType({"type": "integer"})
FLAG: Final = MappingProxyType({"type": "boolean"})
AT: Final = Parameter(
    "at",
    "The moment to look at: r5, before r5, a time, the number of a fact (signed in), or p12, the 12th public "
    "moment. Other words than numbers are answered with a redirect to the address that never changes.",
)
AFTER_ROUND: Final = Parameter("after", "After this round; the last paired one by default.", NUMBER)
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


Handler: TypeAlias = Callable[[Site, Call], Answer]


def ageing(row: Endpoint, handler: Handler) -> Handler:
    """A handler whose answers say since when it is deprecated (RFC 9745), and when it ends (RFC 8594)."""
    since, end = (calendar.timegm(time.strptime(day, "%Y-%m-%d")) for day in (row.deprecated, row.sunset))
    if end - since < 365 * 86400:
        raise ValueError(f"{row.path}: between deprecation and sunset is a year")
    headers = {"deprecation": f"@{since}", "sunset": formatdate(end, usegmt=True)}

    @wraps(handler)
    def aged(site: Site, call: Call) -> Answer:
        answer = handler(site, call)
        answer.headers = answer.headers | headers
        return answer

    return aged


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
        **more: Any,
    ) -> Callable[[Handler], Handler]:
        """A row for the function below."""

        def named(handler: Handler) -> Handler:
            said = summary or " ".join((handler.__doc__ or "").split("\n\n")[0].split()).removesuffix(".")
            row = Endpoint(method, path, handler, said, who, gives, parameters, **more)
            self.append(replace(row, handler=ageing(row, handler)) if row.deprecated else row)
            return handler

        return named

    def view(
        self,
        path: str,
        gives: Any,
        *parameters: Parameter,
        gives_media: str = "application/json",
        who: Who = "public",
    ) -> Callable[[Handler], Handler]:
        """A view of a tournament at any moment; the public's as far as it is published."""
        moved, refused = (304, 307), (409, 422)
        more: dict[str, Any] = {"gives_media": gives_media, "also": moved, "refusals": refused}
        return self.add("GET", ONE + path, gives, AT, *parameters, who=who, kept=who == "public", **more)
