"""How a server is set up: names it answers to, and how much one caller may ask for.

Who asks often has a bucket that fills with time; what is dear is done in turns.
"""

import ipaddress
import math
import time
from collections import OrderedDict
from collections.abc import Iterator
from contextlib import contextmanager
from functools import lru_cache
from threading import Lock, RLock
from typing import Final

import msgspec

from paircard.web.problems import TooOften

LOCAL: Final = frozenset({"127.0.0.1", "localhost", "::1"})
SESSION_SECONDS: Final = 12 * 3600
LINK_SECONDS: Final = 600
"""How long the link for the first arbiter works."""


class Settings(msgspec.Struct, frozen=True, kw_only=True):
    """The options of ``paircard serve``."""

    hosts: frozenset[str] = LOCAL
    """Names in the Host header that are ours; others are refused (DNS rebinding)."""
    metrics_from: frozenset[str] = LOCAL
    """Addresses from which ``/metrics`` is read."""
    origins: frozenset[str] = frozenset()
    """Sites whose programs in a browser may send a key: signed reads and writes (CORS)."""
    largest_body: int = 256 * 1024
    body_seconds: float = 10.0
    """A body that takes longer is given up."""
    largest_season: int = 8 * 1024 * 1024
    """A body of many files; it may take six times as long."""
    commands_per_second: float = 10.0
    """Requests of one grant that write; ten seconds' worth may come at once."""
    reads_per_second: float = 10.0
    """Answers that have to be made for one address, where nobody is signed in; thirty seconds' worth may
    come at once. What was made before is not counted."""
    sign_ins_per_minute: float = 5.0
    """Attempts that failed: for one account from one address, and with links from one address."""
    feeds_per_address: int = 20
    """Open feeds; a hall shares one address."""
    slowest_reader: int = 256
    """Messages a feed may be behind before it is cut; its reader resumes."""
    webhook_networks: tuple[str, ...] = ()
    """Private networks and addresses that webhooks may call, also without TLS."""
    webhook_waits: tuple[float, ...] = (5, 300, 1800, 7200, 18000, 36000, 50400, 72000, 86400)
    """Seconds after each attempt of a delivery; three days in all, then it is given up."""
    large: int = 150
    """Players from which on the pages of an event are made for the public by a process of their own, and may
    be a second old; those of a smaller one are made in a few milliseconds."""
    review_seconds: float = 10.0
    """The longest an explanation or a preview may take."""


REMEMBERED: Final = 10_000
"""Callers; who was not seen for longest is forgotten, and begins with a full bucket."""


class Limit:
    """A limit of requests per second for each key, and of requests at once."""

    def __init__(self, per_second: float, at_once: float, what: str) -> None:
        self.per_second, self.at_once = per_second, at_once
        self.what = what
        """``commands``, ``answers`` or ``sign-ins``."""
        self._left: OrderedDict[str, tuple[float, float]] = OrderedDict()
        self._turn = RLock()

    def take(self, key: str) -> dict[str, str]:
        """Count one request and say what is left, or refuse it with the time until it may be sent again."""
        with self._turn:
            self.need(key)
            self.count(key)
            return self.told(key)

    def need(self, key: str) -> None:
        """Refuse a request that could not be counted; it costs nothing yet."""
        with self._turn:
            left = self._left_of(key)
        if left < 1:
            wait = math.ceil((1 - left) / self.per_second)
            refusal = TooOften("http.too-many", cause=self.what, seconds=wait).after(wait)
            refusal.limits = self.told(key)
            raise refusal

    def count(self, key: str, cost: float = 1) -> None:
        """Count what was done, also if it is more than was left."""
        with self._turn:
            self._left[key] = self._left_of(key) - cost, time.monotonic()
            self._left.move_to_end(key)
            if len(self._left) > REMEMBERED:
                self._left.popitem(last=False)

    def told(self, key: str) -> dict[str, str]:
        """What is left, as headers (draft-ietf-httpapi-ratelimit-headers-06)."""
        left = max(0.0, self._left_of(key))
        return {
            "ratelimit-limit": str(math.floor(self.at_once)),
            "ratelimit-remaining": str(math.floor(left)),
            "ratelimit-reset": str(math.ceil((self.at_once - left) / self.per_second)),
        }

    def _left_of(self, key: str) -> float:
        left, since = self._left.get(key, (self.at_once, 0.0))
        return min(self.at_once, left + (time.monotonic() - since) * self.per_second)


class Turns:
    """What is dear is done once at a time for each key, and so many times in all."""

    def __init__(self, most: int) -> None:
        self.most = most
        self._busy: set[str] = set()
        self._turn = Lock()

    @contextmanager
    def one(self, key: str) -> Iterator[None]:
        """A turn of this key; refused rather than waited for, so that nobody's thread is held."""
        with self._turn:
            if key in self._busy or len(self._busy) >= self.most:
                raise TooOften("http.signing-in").after(1)
            self._busy.add(key)
        try:
            yield
        finally:
            with self._turn:
                self._busy.discard(key)


@lru_cache(REMEMBERED)
def network_of(client: str) -> str:
    """The network of an address: in IPv6 one caller has 2^64 of them."""
    try:
        address = ipaddress.ip_address(client.partition("%")[0])
    except ValueError:
        return client
    if isinstance(address, ipaddress.IPv4Address):
        return client
    if address.ipv4_mapped:
        return str(address.ipv4_mapped)
    return str(ipaddress.ip_network((address, 64), strict=False))
