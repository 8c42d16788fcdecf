"""The end of a log, for whoever follows it: what is new, in order, and a word when the past changed."""

from paircard.domain.errors import SetBack
from paircard.domain.events import Recorded
from paircard.domain.log.rows import Unreadable
from paircard.domain.log.store import Tournaments


class Tail:
    """The log of all tournaments beyond a position; of one that cannot be read no more than that.

    The last fact that was read is looked at again each time: in a store that was set back it is gone, and
    positions below it would be filled anew without anybody noticing.
    """

    def __init__(self, after: int) -> None:
        self.position = after
        self._last: Recorded | Unreadable | None = None
        self._ended: set[str] = set()
        """Tournaments with a fact that cannot be read: what follows on it makes no sense without it."""

    @classmethod
    def at_end_of(cls, store: Tournaments) -> "Tail":
        """Only what comes from now on."""
        return cls(store.last_position())

    def read(self, store: Tournaments, limit: int = 500) -> list[Recorded | Unreadable]:
        """Facts that are new, at most so many; refuses a store that no longer has the last one."""
        found = store.notifications(max(0, self.position - 1), limit + 1)
        if found and found[0].position == self.position:
            self._require_same(found.pop(0))
        elif self._last is not None or (not found and self.position):
            raise SetBack(
                f"there is no fact at position {self.position} of {store.place} any more: the store was set "
                "back, or put in the place of another",
                self._last.tournament if self._last else "",
                self._last.version if self._last else 0,
            )
        new = found[:limit]
        if new:
            self._last = new[-1]
            self.position = self._last.position
        told = []
        for one in new:
            if one.tournament not in self._ended:
                told.append(one)
            if isinstance(one, Unreadable):
                self._ended.add(one.tournament)
        return told

    def _require_same(self, there: Recorded | Unreadable) -> None:
        known = self._last
        if known is not None and known.hash != there.hash:
            raise SetBack(
                f"fact {known.version} of tournament {known.tournament} is no longer there, or is another "
                "one: the store was set back, or put in the place of another",
                known.tournament,
                known.version,
            )
        self._last = there
