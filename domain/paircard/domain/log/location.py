"""Where tournaments are kept: a file name, or the address of a PostgreSQL database.

An address may hold a password, so it is never shown: what people see is ``Address.shown``.
"""

import os
import re
from collections.abc import Mapping

import msgspec

from paircard.domain.errors import Unreachable, need_kind
from paircard.domain.system import Name

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


def is_address(location: Name) -> bool:
    """Whether a location means a database and not a file; the address of any other kind is refused."""
    if not isinstance(location, str | os.PathLike):
        need_kind("location", location, str, os.PathLike)
    text = str(location)
    if text.startswith(("postgres:", "postgresql:")):
        return True
    if "://" in text:
        raise Unreachable("store.unknown-address", kind=text.split("://", 1)[0][:20])
    return False


def address_of(location: Name) -> Address | str:
    """What a location means: a database, or the name of a file."""
    return parsed_address(str(location)) if is_address(location) else os.fspath(location)


def parsed_address(text: str, default: str = SCHEMA) -> Address:
    """The database an address means, and a schema in it."""
    from urllib.parse import (  # who names a file needs none of it
        parse_qsl,
        quote,
        unquote,
        urlencode,
        urlsplit,
    )

    malformed = Unreachable("store.malformed-address")
    try:
        parts = urlsplit(text)
    except ValueError:
        raise malformed from None
    options = dict(parse_qsl(parts.query, keep_blank_values=True))
    login, _, netloc = parts.netloc.rpartition("@")
    hosts = hosts_of(netloc, options)
    if hosts is None or not text.split(":", 1)[1].startswith("//") or "@" in login or "@" in parts.path:
        raise malformed
    schema = options.pop("schema", default)
    if not re.fullmatch(r"[a-z_][a-z0-9_]{0,62}", schema):
        raise Unreachable("store.not-a-schema", text=schema)
    user = unquote(login.partition(":")[0])
    name = unquote(parts.path.removeprefix("/"))
    servers = ",".join(unquote(host).lower() for host in hosts) if netloc else ",".join(hosts)
    shown = f"postgresql://{f'{user}@' if user else ''}{servers}/{name}"
    if schema != SCHEMA:
        shown += f"?schema={schema}"
    if len(hosts) > 1:  # of several servers the one that takes facts is meant: the primary
        options.setdefault("target_session_attrs", "read-write")
    query = urlencode(options, quote_via=quote)
    url = f"postgresql://{parts.netloc}{parts.path}{f'?{query}' if query else ''}"
    return Address(url=url, schema=schema, shown=shown)


def hosts_of(netloc: str, options: Mapping[str, str]) -> list[str] | None:
    """The servers an address names, each with its port if it has one; None if it cannot be read.

    Several are written ``a:5432,b:5433`` before the database, or as ``?host=a,b&port=5432,5433``.
    """
    if not netloc:
        hosts, ports = options.get("host", "").split(","), options.get("port", "").split(",")
        if len(ports) not in (1, len(hosts)) or not all(port == "" or port.isdecimal() for port in ports):
            return None
        ports = ports if len(ports) == len(hosts) else ports * len(hosts)
        return [f"{host}:{port}" if port else host for host, port in zip(hosts, ports, strict=True)]
    found = []
    for one in netloc.split(","):
        match = re.fullmatch(r"(\[[0-9A-Fa-f:.]+\]|[^:\[\]]*)(?::([0-9]{1,5}))?", one)
        if not match or int(match[2] or 0) > 65535:
            return None
        found.append(one if match[2] else match[1])
    return found


def shown(location: Name) -> str:
    """A location for people: without a password."""
    address = address_of(location)
    return address.shown if isinstance(address, Address) else address
