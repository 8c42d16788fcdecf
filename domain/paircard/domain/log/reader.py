"""What is known of a log: of one tournament as a value, and of all of them by following the end.

That a store lost facts, or that somebody was erased, is noticed here and nowhere else.
"""

from collections import defaultdict
from collections.abc import Callable, Hashable, Sequence
from contextlib import AbstractContextManager
from threading import RLock
from typing import Any, Final, Protocol, TypeVar

import msgspec
from msgspec.structs import replace

from paircard.domain.errors import CorruptFile, SetBack
from paircard.domain.events import Recorded
from paircard.domain.log.catalogue import Entry, Word, words_of
from paircard.domain.log.stored import ERASURES, GENESIS, FactRecorder, StoredFact, Unreadable, decode_chain
from paircard.domain.state import NOTHING, Tournament, fold, in_common
from paircard.domain.values.players import REMOVED
from paircard.domain.values.regulations import rounds_for

NONSENSE: Final = (LookupError, ValueError, TypeError, AssertionError)
"""What folding may raise on facts that no desk recorded."""


T = TypeVar("T")


class Memory(msgspec.Struct, frozen=True):
    """What was made of a log, by name: once, and kept for later facts as long as they do not touch it."""

    made: dict[Hashable, tuple[int, bool, Any]] = msgspec.field(default_factory=dict)
    """By name, the rounds and whether names it rests on, and the thing itself."""
    turn: AbstractContextManager[Any] = msgspec.field(default_factory=RLock)

    def once(self, name: Hashable, make: Callable[[], T], *, rounds: int, names: bool = True) -> T:
        """What has this name, made now if nobody did yet.

        It may rest on the results of so many first rounds and on all but results; where ``names`` is false,
        on nothing of a player that no standings count with.
        """
        found = self.made.get(name)
        if found is None:
            with self.turn:
                found = self.made.get(name)
                if found is None:
                    found = self.made[name] = (rounds, names, make())
        thing: T = found[2]
        return thing

    def after(self, before: Tournament, now: Tournament) -> "Memory":
        """What is left of it when one state of the tournament followed on another."""
        if not self.made:
            return Memory()
        rounds, same_names = in_common(before, now)
        kept = {
            name: made
            for name, made in self.made.copy().items()
            if made[0] <= rounds and (same_names or not made[1])
        }
        return Memory(kept)


def rows_after(tournament: str, rows: Sequence[StoredFact], version: int, head: str) -> Sequence[StoredFact]:
    """The rows after a known fact, which must be the first of them and unchanged."""
    if not version:
        return rows
    ends = f',"hash":"{head}"}}'.encode()
    if not rows or rows[0].originator_version != version or not rows[0].state.endswith(ends):
        raise SetBack("store.fact-gone-look", version=version, tournament=tournament)
    return rows[1:]


class Known(msgspec.Struct, frozen=True):
    """The log of one tournament as far as it was read: enough to decide, to look back, and to read on."""

    tournament: str
    state: Tournament = NOTHING
    head: str = GENESIS
    facts: list[Recorded] = msgspec.field(default_factory=list)
    answers: dict[str, tuple[int, ...]] = msgspec.field(default_factory=dict)
    """Versions of the facts of each request.

    Neither is ever changed, a later value has its own: facts may be put on a value in a transaction that
    fails, and other facts take their versions.
    """
    erased: int = 0
    """Version of the last erasure: what was made before it may name somebody who is gone."""
    memory: Memory = msgspec.field(default_factory=Memory)
    """What readers made of it."""

    def read_on(self, log: FactRecorder) -> "Known":
        """The log with what was recorded since; the same value if nothing was.

        The last known fact is read again: a store that no longer has it was set back, and is refused. Where
        somebody was erased since, all is read anew, for what is known has their name.
        """
        version = self.state.version
        rows = log.select_events(self.tournament, gt=version - 1 if version else None)
        new = rows_after(self.tournament, rows, version, self.head)
        if not new:
            return self
        if version and any(row.topic == ERASURES for row in new):
            return Known(self.tournament).read_on(log)
        facts = decode_chain(self.tournament, new, version, self.head)
        try:
            state = fold([one.fact for one in facts], self.state)
        except NONSENSE:
            raise CorruptFile("store.does-not-follow", tournament=self.tournament) from None
        erased = max((row.originator_version for row in new if row.topic == ERASURES), default=self.erased)
        return replace(self.with_facts(facts, state), erased=erased)

    def with_facts(self, facts: Sequence[Recorded], state: Tournament) -> "Known":
        """The log with the next facts, and the state after them."""
        new: defaultdict[str, list[int]] = defaultdict(list)
        for one in facts:
            new[one.command_id].append(one.version)
        answers = self.answers | {id: (*self.answers.get(id, ()), *versions) for id, versions in new.items()}
        memory = self.memory.after(self.state, state)
        return Known(
            self.tournament, state, facts[-1].hash, [*self.facts, *facts], answers, self.erased, memory
        )

    def words(self) -> set[Word]:
        return words_of(self.state, self.facts[0].when)

    def answered(self, request: str) -> tuple[Recorded, ...]:
        return tuple([self.facts[at - 1] for at in self.answers.get(request, ())])


def entry_of(state: Tournament, id: str, facts: Sequence[Recorded] = ()) -> Entry:
    """The entry of a tournament; without its facts it does not say where they are, nor when it was opened."""
    rules = state.regulations
    first, position, opened = (facts[0].position, facts[-1].position, facts[0].when) if facts else (0, 0, "")
    if rules is None:
        return Entry(id, first, position, state.version, id[:8])
    current = state.current
    players = len([one for one in state.players if one.status != REMOVED])
    round = state.rounds[current - 1] if current else None
    return Entry(
        id,
        first,
        position,
        state.version,
        rules.name,
        rules.rounds or rounds_for(rules, players),
        players,
        current,
        round is not None and round.published,
        round is not None and round.completed_at > 0,
        state.closed,
        state.fide_mode,
        rules.place,
        rules.starts,
        rules.ends,
        opened,
    )


class Notifications(Protocol):
    """A store whose facts can be read in the order they were recorded."""

    @property
    def place(self) -> str: ...
    def notifications(self, after: int = 0, limit: int = 500) -> list[Recorded | Unreadable]: ...
    def last_position(self) -> int: ...


class Tail:
    """New facts of all tournaments beyond a position, in order; refuses a store that lost facts.

    Of a tournament with a fact that cannot be read no more than that is told.

    The last fact that was read is looked at again each time: in a store that was set back it is gone, and
    positions below it would be filled anew without anybody noticing.
    """

    def __init__(self, after: int) -> None:
        self.position = after
        self._last: Recorded | Unreadable | None = None
        self._ended: set[str] = set()
        """Tournaments with a fact that cannot be read: what follows on it makes no sense without it."""

    @classmethod
    def at_end_of(cls, store: Notifications) -> "Tail":
        """Only what comes from now on."""
        return cls(store.last_position())

    def read(self, store: Notifications, limit: int = 500) -> list[Recorded | Unreadable]:
        """Facts that are new, at most so many; refuses a store that no longer has the last one."""
        found = store.notifications(max(0, self.position - 1), limit + 1)
        if found and found[0].position == self.position:
            self._require_same(found.pop(0))
        elif self._last is not None or (not found and self.position):
            raise SetBack(
                "store.position-gone",
                highest=self.position,
                file=store.place,
                tournament=self._last.tournament if self._last else "",
                version=self._last.version if self._last else 0,
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
            raise SetBack("store.fact-gone", tournament=known.tournament, version=known.version)
        self._last = there
