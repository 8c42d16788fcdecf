"""What is known of a tournament, as new as the request, without a thread that waits for the store.

A file says by itself whether anything was written. A database has to be asked: it gives notice of a fact only
after the commit, and who relied on that could show a name after another process has answered its erasure. So
an answer rests on a question that was sent after the request came. Requests that come while a question is
under way share the next one; the event loop waits for it, and nobody else.
"""

import asyncio
from typing import Final, TypeAlias

from paircard.domain.errors import StoreRefused
from paircard.domain.log.backends.base import Ends
from paircard.domain.log.reader import Known
from paircard.domain.log.store import Tournaments
from paircard.service import Office

End: TypeAlias = tuple[int, str] | None
"""Version and hash of the last fact of a tournament, if that is known."""


class Newest:
    """Asks where logs end, one question at a time; only the event loop uses it."""

    def __init__(self, office: Office) -> None:
        self.office: Final = office
        self.store: Tournaments | None = None
        """The store it asks; none until the follower has connected, and after the connection was lost."""
        self._ends: Ends | None = None
        self._asked: list[tuple[str, asyncio.Future[End]]] = []
        """What the question under way is about, and who waits for it."""
        self._next: list[tuple[str, asyncio.Future[End]]] = []
        self._seen: list[tuple[str, asyncio.Future[End]]] = []
        """The question that was under way at the last look."""

    def take(self, store: Tournaments, ends: Ends | None) -> None:
        """Ask on this connection from now on; a file needs none."""
        self.lose()
        self.store = store
        if ends is None:
            return
        try:
            asyncio.get_running_loop().add_reader(ends.fileno(), self._read)
            self._ends = ends
        except NotImplementedError:  # the event loop of Windows: threads ask
            ends.close()

    def lose(self) -> None:
        """Let go of the connection; who waits for an answer asks in a thread, which says what is wrong."""
        if self._ends is not None:
            asyncio.get_running_loop().remove_reader(self._ends.fileno())
            self._ends.close()
        self.store = self._ends = None
        waiting, self._asked, self._next = [*self._asked, *self._next], [], []
        tell(waiting, {})

    def look(self) -> None:
        """Let go of a server that has not answered since the last look."""
        if self._asked and self._asked is self._seen:
            self.lose()
        self._seen = self._asked

    async def known(self, id: str) -> Known | None:
        """All that is recorded of a tournament; None if that has to be read."""
        store = self.office.opened
        if store is None or self.store is not store:
            return None
        if self._ends is None or not store.knows(id):
            return store.unchanged(id)
        end: asyncio.Future[End] = asyncio.get_running_loop().create_future()
        self._next.append((id, end))
        if not self._asked:
            self._ask(self._ends)
        return store.unchanged(id, await end)

    def _ask(self, ends: Ends) -> None:
        self._asked, self._next = self._next, []
        try:
            ends.ask({id for id, _ in self._asked})
        except StoreRefused:
            self.lose()

    def _read(self) -> None:
        assert self._ends is not None
        try:
            found = self._ends.answer()
        except StoreRefused:
            self.lose()
            return
        if found is not None:
            waiting, self._asked = self._asked, []
            tell(waiting, found)
            if self._next:
                self._ask(self._ends)


def tell(waiting: list[tuple[str, asyncio.Future[End]]], found: dict[str, tuple[int, str]]) -> None:
    """Give everybody who still waits the end of their log."""
    for id, end in waiting:
        if not end.done():
            end.set_result(found.get(id))
