"""Answers that were made once: the newest of each view, bounded in bytes, the oldest forgotten first.

A second request for an answer that is being made waits for it: sixteen screens that ask for new standings at
once compute them once. Where a view may be a moment old, the last one is given while the next is made. Who
has an answer from before may have the lines that are new since, and where the others stood.
"""

import gzip
import time
from array import array
from collections import OrderedDict
from collections.abc import Callable, Hashable, Sequence
from concurrent.futures import Future
from threading import Lock
from typing import Final

import msgspec

SMALL: Final = 1000
"""Bytes below which packing does not pay."""
PATCHED: Final = 8
"""Answers from before, of each view, that can be patched."""


class Made:
    """A body, and the same packed if that is worth it."""

    def __init__(self, body: bytes) -> None:
        self.body = body
        self.packed = gzip.compress(body, 6, mtime=0) if len(body) >= SMALL else None
        self.size = len(body) + len(self.packed or b"")
        """Bytes it holds."""
        self.version = 0
        """Of the moment it shows."""
        self.seconds = 0.0
        """Work it took."""
        self.before: dict[int, array[int]] = {}
        """Lines of the answers before this one, by version, as hashes."""
        self._patches: dict[int, Made] = {}

    def follow(self, last: "Made") -> None:
        """Remember the lines of the answer before this one, and of those before that."""
        lines = array("q", map(hash, last.body.split(b"\n")))
        kept = list(last.before.items())[1 - PATCHED :]
        self.before = dict([*kept, (last.version, lines)])
        self.size += sum(each.itemsize * len(each) for each in self.before.values())

    def since(self, version: int) -> "Made | None":
        """What makes this of an answer from before; None where the whole is not much longer."""
        if version not in self._patches:
            self._patches[version] = Made(changes(self.before[version], self.body))
        patch = self._patches[version]
        return patch if 2 * len(patch.body) < len(self.body) else None


def changes(before: Sequence[int], body: bytes) -> bytes:
    """New lines in full, of others where they stood and how many: ``[[0, 40], "<tr>…</tr>", [41, 3]]``."""
    stood = {line: at for at, line in enumerate(before)}
    parts: list[str | list[int]] = []
    here = 0
    for text in body.split(b"\n"):
        line = hash(text)
        at = here if here < len(before) and before[here] == line else stood.get(line)
        run = parts[-1] if parts else ""
        if at is None:
            parts.append(text.decode())
        elif isinstance(run, list) and sum(run) == at:
            run[1] += 1
        else:
            parts.append([at, 1])
        here = (here if at is None else at) + 1
    return msgspec.json.encode(parts)


class View:
    """One view: its newest answer, and the one that is being made."""

    def __init__(self) -> None:
        self.made: Made | None = None
        self.newest_at = 0.0
        """When the answer was last known to be the newest."""
        self.coming = -1
        """Version of the answer that is being made."""
        self.promised: Future[Made] = Future()


class Cache:
    """Bodies by view, at most so many bytes of them and so many; any thread may use it."""

    def __init__(self, bytes_at_most: int, most: int = 4096) -> None:
        self.bytes_at_most, self.most = bytes_at_most, most
        self.size = 0
        """Bytes it holds."""
        self._views: OrderedDict[Hashable, View] = OrderedDict()
        self._turn = Lock()

    def clear(self) -> None:
        """Forget everything."""
        with self._turn:
            self._views.clear()
            self.size = 0

    def find(self, key: Hashable, version: int = 0, *, late: float = 0.0) -> Made | None:
        """The answer of a view at a version, if it is there.

        Or the last one, if that was the newest at most so many seconds ago and the next is being made.
        """
        with self._turn:
            view = self._views.get(key)
            if view is None or view.made is None:
                return None
            made = view.made
            if made.version == version:
                view.newest_at = time.monotonic()
                self._views.move_to_end(key)
                return made
            return made if view.coming > made.version and self._is_young(view, version, late) else None

    @staticmethod
    def _is_young(view: View, version: int, late: float) -> bool:
        if view.made is None or view.made.version > version:
            return False
        return time.monotonic() - view.newest_at <= late

    def get(
        self,
        key: Hashable,
        make: Callable[[], Made | bytes],
        version: int = 0,
        *,
        late: float = 0.0,
        later: Callable[[Callable[[], object]], object] | None = None,
    ) -> Made:
        """The answer of a view, made now if nobody did yet; a refusal is not remembered.

        Where it may be ``late``, by seconds, the last one is given, and ``later`` has the next one made.
        """
        found = self.find(key, version, late=late)
        if found is not None:
            return found
        with self._turn:
            view = self._views.setdefault(key, View())
            self._views.move_to_end(key)
            last = view.made if later and self._is_young(view, version, late) else None
            promised, mine = view.promised, view.coming < version
            if mine:
                view.coming, view.promised = version, Future()
                promised = view.promised
        if view.coming > version:  # who asks is behind: this is for them alone
            return self._made(make, version)
        if mine and last is not None and later is not None:
            later(lambda: self._make(key, view, version, make, promised))
        elif mine:
            self._make(key, view, version, make, promised)
        return last if last is not None else promised.result()

    @staticmethod
    def _made(make: Callable[[], Made | bytes], version: int) -> Made:
        found = make()
        made = found if isinstance(found, Made) else Made(found)
        made.version = version
        return made

    def _make(
        self,
        key: Hashable,
        view: View,
        version: int,
        make: Callable[[], Made | bytes],
        promised: Future[Made],
    ) -> None:
        began = time.monotonic()
        try:
            made = self._made(make, version)
        except BaseException as refusal:
            with self._turn:
                if view.promised is promised:
                    view.coming = view.made.version if view.made else -1
                if view.made is None and self._views.get(key) is view:
                    del self._views[key]
            promised.set_exception(refusal)
            return
        with self._turn:
            if self._views.get(key) is view and (view.made is None or view.made.version < version):
                if view.made is not None:
                    made.follow(view.made)
                self.size += made.size - (view.made.size if view.made else 0)
                view.made, view.newest_at = made, began
            while self.size > self.bytes_at_most or len(self._views) > self.most:
                _, oldest = self._views.popitem(last=False)
                self.size -= oldest.made.size if oldest.made else 0
        promised.set_result(made)
