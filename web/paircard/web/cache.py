"""Answers that were made once: by tournament, moment and view, bounded in bytes, the oldest forgotten first.

A second request for an answer that is being made waits for it: sixteen screens that ask for new standings at
once compute them once.
"""

import gzip
from collections import OrderedDict
from collections.abc import Callable, Hashable
from concurrent.futures import Future
from threading import Lock
from typing import Final

SMALL: Final = 1000
"""Bytes below which packing does not pay."""


class Made:
    """A body, and the same packed if that is worth it."""

    def __init__(self, body: bytes) -> None:
        self.body = body
        self.packed = gzip.compress(body, 6, mtime=0) if len(body) >= SMALL else None
        self.size = len(body) + len(self.packed or b"")
        """Bytes it holds."""


class Cache:
    """Bodies by key, at most so many bytes of them and so many; any thread may use it."""

    def __init__(self, bytes_at_most: int, most: int = 512) -> None:
        self.bytes_at_most, self.most = bytes_at_most, most
        self.size = 0
        """Bytes it holds."""
        self._made: OrderedDict[Hashable, Future[Made]] = OrderedDict()
        self._sizes: dict[Hashable, int] = {}
        self._turn = Lock()

    def __contains__(self, key: Hashable) -> bool:
        """Whether this was made, or is being made."""
        with self._turn:
            return key in self._made

    def clear(self) -> None:
        """Forget everything."""
        with self._turn:
            for key in list(self._made):
                self._forget(key)

    def get(self, key: Hashable, make: Callable[[], bytes]) -> Made:
        """The body of this key, made now if nobody did yet; a refusal is not remembered."""
        with self._turn:
            known = self._made.get(key)
            if known is None:
                mine = self._made[key] = Future()
            else:
                self._made.move_to_end(key)
        if known is not None:
            return known.result()
        try:
            made = Made(make())
        except BaseException as refusal:
            with self._turn:
                if self._made.get(key) is mine:
                    self._forget(key)
            mine.set_exception(refusal)
        else:
            with self._turn:
                if self._made.get(key) is mine:  # nobody dropped it while it was made
                    self._sizes[key] = made.size
                    self.size += made.size
                while self.size > self.bytes_at_most or len(self._made) > self.most:
                    self._forget(next(iter(self._made)))
            mine.set_result(made)
        return mine.result()

    def _forget(self, key: Hashable) -> None:
        del self._made[key]
        self.size -= self._sizes.pop(key, 0)
