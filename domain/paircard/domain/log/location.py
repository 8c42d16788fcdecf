"""Where tournaments are kept: a file name, or the address of a PostgreSQL database.

An address may hold a password, so it is never shown: what people see is ``Address.shown``.
"""

import re
from pathlib import Path
from urllib.parse import parse_qsl, quote, unquote, urlencode, urlsplit

import msgspec

from paircard.domain.errors import Unreachable

SCHEMA = "paircard"
"""The PostgreSQL schema the tables are in, unless the address says ``?schema=``."""


class Address(msgspec.Struct, frozen=True):
    """A PostgreSQL database."""

    url: str
    """As libpq takes it; may hold a password."""
    schema: str
    shown: str
    """For people."""

    def __repr__(self) -> str:
        return f"Address({self.shown!r})"


def is_address(location: str | Path) -> bool:
    """Whether a location means a database and not a file; the address of any other kind is refused."""
    text = str(location)
    if text.startswith(("postgres:", "postgresql:")):
        return True
    if "://" in text:
        raise Unreachable(
            f"{text.split('://', 1)[0][:20]}:// is not known: give the name of a file, or postgresql://…"
        )
    return False


def address_of(location: str | Path) -> "Address | Path":
    """What a location means."""

    return parsed_address(str(location)) if is_address(location) else Path(location)


def parsed_address(text: str) -> Address:
    """The database an address means."""

    malformed = Unreachable(
        "the address of the database is not of the form postgresql://USER:PASSWORD@HOST:PORT/NAME; "
        "in a password write %40 for @, %2F for /, %3A for :"
    )
    try:
        parts = urlsplit(text)
        port, host = parts.port, parts.hostname or ""
    except ValueError:
        raise malformed from None
    options = dict(parse_qsl(parts.query, keep_blank_values=True))
    name = parts.path.removeprefix("/")
    if not text.split(":", 1)[1].startswith("//") or parts.netloc.count("@") > 1 or "@" in parts.path:
        raise malformed
    schema = options.pop("schema", SCHEMA)
    if not re.fullmatch(r"[a-z_][a-z0-9_]{0,62}", schema):
        raise Unreachable(f"{schema[:70]!r} is not a name of a schema: small letters, digits and _")
    user = f"{unquote(parts.username)}@" if parts.username else ""
    at = unquote(host) or options.get("host", "")
    shown = f"postgresql://{user}{at}{f':{port}' if port else ''}/{unquote(name)}"
    if schema != SCHEMA:
        shown += f"?schema={schema}"
    query = urlencode(options, quote_via=quote)
    url = f"postgresql://{parts.netloc}{parts.path}{f'?{query}' if query else ''}"
    return Address(url=url, schema=schema, shown=shown)


def shown(location: str | Path) -> str:
    """A location for people: without a password."""
    address = address_of(location)
    return address.shown if isinstance(address, Address) else str(address)
