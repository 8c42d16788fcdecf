"""How often somebody may ask: a bucket per caller that fills with time."""

import math
import time
from collections import OrderedDict
from threading import Lock
from typing import Final

from paircard.web.problems import TooOften

REMEMBERED: Final = 10_000
"""Callers; who was not seen for longest is forgotten, and begins with a full bucket."""


class Limit:
    """A limit of requests per second for each key, and of requests at once."""

    def __init__(self, per_second: float, at_once: float, what: str) -> None:
        self.per_second, self.at_once, self.what = per_second, at_once, what
        self._left: OrderedDict[str, tuple[float, float]] = OrderedDict()
        self._turn = Lock()

    def take(self, key: str) -> None:
        """Count one request, or refuse it with the time after which it may be sent again."""
        now = time.monotonic()
        with self._turn:
            left, since = self._left.get(key, (self.at_once, now))
            left = min(self.at_once, left + (now - since) * self.per_second)
            if left < 1:
                wait = math.ceil((1 - left) / self.per_second)
                raise TooOften(f"too many {self.what}: try again in {wait} s", wait)
            self._left[key] = left - 1, now
            self._left.move_to_end(key)
            if len(self._left) > REMEMBERED:
                self._left.popitem(last=False)
