"""How often somebody may ask: a bucket per caller that fills with time, and turns for what is dear."""

import ipaddress
import math
import time
from collections import OrderedDict
from collections.abc import Iterator
from contextlib import contextmanager
from functools import lru_cache
from threading import Lock, RLock
from typing import Final

from paircard.web.problems import TooOften

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
