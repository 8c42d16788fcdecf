"""Answers that were made once: by tournament, moment and view, the oldest forgotten first.

Whoever asks for an answer that is being made waits for it, so sixteen screens that ask for new standings at
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
    """A body, and the same packed."""

    def __init__(self, body: bytes) -> None:
        self.body = body
        self._packed: bytes | None = None

    def packed(self) -> bytes | None:
        """The body as gzip, if that is worth it."""
        if len(self.body) < SMALL:
            return None
        if self._packed is None:
            self._packed = gzip.compress(self.body, 6, mtime=0)
        return self._packed


class Cache:
    """Bodies by key; any thread may use it."""

    def __init__(self, size: int = 512) -> None:
        self.size = size
        self._made: OrderedDict[Hashable, Future[Made]] = OrderedDict()
        self._turn = Lock()

    def drop(self, first: Hashable) -> None:
        """Forget everything whose key begins with this."""
        with self._turn:
            for key in [key for key in self._made if isinstance(key, tuple) and key[0] == first]:
                del self._made[key]

    def clear(self) -> None:
        """Forget everything."""
        with self._turn:
            self._made.clear()

    def get(self, key: Hashable, make: Callable[[], bytes]) -> Made:
        """The body of this key, made now if nobody did yet; a refusal is not remembered."""
        with self._turn:
            known = self._made.get(key)
            if known is None:
                mine: Future[Made] = Future()
                self._made[key] = mine
                if len(self._made) > self.size:
                    self._made.popitem(last=False)
            else:
                self._made.move_to_end(key)
        if known is not None:
            return known.result()
        try:
            mine.set_result(Made(make()))
        except BaseException as refusal:
            with self._turn:
                self._made.pop(key, None)
            mine.set_exception(refusal)
        return mine.result()
