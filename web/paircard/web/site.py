"""The site: the office, the access book and the caches behind one server process."""

import secrets
import time
from collections import OrderedDict
from collections.abc import Callable
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path
from threading import Lock
from typing import Final

from paircard.domain.errors import CorruptFile, NewerFile, Unknown
from paircard.domain.events import PersonErased, Recorded
from paircard.domain.log.reader import Tail
from paircard.domain.log.stored import Unreadable
from paircard.domain.state import NOTHING, fold
from paircard.domain.state import Tournament as State
from paircard.projections.public import PublicLog
from paircard.service import Moment, Office, Tournament
from paircard.service.views import CANNOT_BE_READ, Summary
from paircard.web.access.store import AccessStore, open_access
from paircard.web.cache import Cache
from paircard.web.limits import Limit, Turns
from paircard.web.reviewer import Reviewer
from paircard.web.settings import Settings, build

READERS: Final = 4
"""Threads that read: with the writer they are as many as PostgreSQL has connections for one process."""
LOOKED_AT: Final = 2000
"""Facts that are looked at in one turn of the follower."""
CACHED: Final = 64 * 2**20
"""Bytes of answers that are kept about now."""
CACHED_PAST: Final = 16 * 2**20
"""Bytes of answers that are kept about earlier moments."""
REMEMBERED: Final = 64
"""Tournaments whose public log stays in memory."""


class PublicSide:
    """What the public may see of one tournament, as far as it was read."""

    def __init__(self, id: str) -> None:
        self.id = id
        self.log = PublicLog()
        self.state = NOTHING
        self.turn = Lock()

    def moment(self, facts: list[Recorded]) -> Moment:
        """The public's now."""
        with self.turn:
            if any(isinstance(one.fact, PersonErased) for one in facts[self.log.read :]):
                self.log, self.state = PublicLog(), NOTHING  # earlier moments forget the person, too
            if len(facts) > self.log.read:
                known = len(self.log.facts)
                self.log.read_further(facts)
                self.state = fold([one.fact for one in self.log.facts[known:]], self.state)
            return self._at(self.state)

    def now(self) -> Moment:
        """The public's now, if nothing was recorded since."""
        with self.turn:
            return self._at(self.state)

    def at(self, number: int) -> Moment:
        """An earlier moment of the public."""
        if not 1 <= number <= len(self.log.facts):
            raise Unknown("http.no-public-moment", number=number, last=len(self.log.facts))
        return self._at(fold([one.fact for one in self.log.facts[:number]]))

    def _at(self, state: State) -> Moment:
        shown = self.log.facts
        return Moment(self.id, state, lambda: shown[: state.version])


class Site:
    """Everything one process shares."""

    def __init__(self, location: str | Path, settings: Settings) -> None:
        self.settings: Final = settings
        self.location: Final = location
        self.office: Final = Office.create(location)
        self.access: Final[AccessStore] = open_access(location)
        self.build: Final = build()
        self.cache: Final = Cache(CACHED)
        self.past: Final = Cache(CACHED_PAST)
        """Answers about earlier moments, apart: however many are asked for, those about now stay."""
        self.readers: Final = ThreadPoolExecutor(READERS, thread_name_prefix="reader")
        self.writer: Final = ThreadPoolExecutor(1, thread_name_prefix="writer")
        per_second = settings.commands_per_second
        self.commands: Final = Limit(per_second, 10 * per_second, "commands")
        self.reads: Final = Limit(settings.reads_per_second, 30 * settings.reads_per_second, "answers")
        """For those who are not signed in."""
        per_minute = settings.sign_ins_per_minute
        self.sign_ins: Final = Limit(per_minute / 60, per_minute, "sign-ins")
        """Counts those that failed: who comes in keeps nobody out."""
        self.passwords: Final = Turns(2)
        """A password takes time and memory to check."""
        self.reviewer: Final = Reviewer(settings.review_seconds)
        self.desk_reviewer: Final = Reviewer(settings.review_seconds)
        """For arbiters and officers alone: no question of the public keeps them waiting."""
        self.is_following: Callable[[], bool] = lambda: False
        """Whether the log is followed for the feeds; ``app`` says how to know."""
        self.describe: Callable[[], bytes] = bytes
        """The description of the API, from ``app``."""
        self._tournaments: dict[str, Tournament] = {}
        self._public: OrderedDict[str, PublicSide] = OrderedDict()
        self._summaries: dict[tuple[str, int], Summary] = {}
        self._turn = Lock()
        self._looked = Tail(0)
        self.unreadable: list[str] = []
        """Which facts cannot be read, as far as the follower has looked."""
        self.life = ""
        """Another one each time the store under us turned out to be another: part of every validator."""

    def start_anew(self, life: str) -> None:
        """Forget all that was known in a life, and open what is now in the place of the store."""
        with self._turn:
            if self.life != life:
                return  # somebody else has done it
            self.life = secrets.token_hex(3)
            self.office.reopen()
            self.cache.clear()
            self.past.clear()
            self._tournaments.clear()
            self._public.clear()
            self._summaries.clear()
            self._looked, self.unreadable = Tail(0), []

    def close(self) -> None:
        """Finish what was begun and let go of the store."""
        self.reviewer.close()
        self.desk_reviewer.close()
        self.writer.shutdown(wait=True)
        self.readers.shutdown(wait=True)
        self.access.close()
        self.office.close()

    def tournament(self, id: str) -> Tournament:
        """The tournament with this id."""
        with self._turn:
            known = self._tournaments.get(id)
            if known is None:
                known = self._tournaments[id] = self.office.tournament(id)
                if len(self._tournaments) > REMEMBERED:
                    self._tournaments.pop(next(iter(self._tournaments)))
            return known

    def public(self, id: str) -> PublicSide:
        """What the public may see of a tournament."""
        with self._turn:
            side = self._public.get(id) or PublicSide(id)
            self._public[id] = side
            self._public.move_to_end(id)
            if len(self._public) > REMEMBERED:
                self._public.popitem(last=False)
            return side

    def public_moment(self, id: str, number: int | None = None) -> Moment:
        """The public's now, or an earlier moment."""
        side, tournament = self.public(id), self.tournament(id)
        whole = tournament.now().version
        now = side.now() if whole == side.log.read else side.moment(tournament.facts())
        return now if number is None or number == now.version else side.at(number)

    def forget(self, id: str) -> None:
        """Forget what was rendered of a tournament: somebody in it was erased."""
        self.cache.drop(id)
        self.past.drop(id)
        with self._turn:
            self._public.pop(id, None)

    def public_summary(self, one: Summary) -> Summary:
        """A tournament in a few words for the public; made once for each version.

        Of one that cannot be read its name is all that is known to be public.
        """
        id, version = one.id, one.version
        found = self._summaries.get((id, version))
        if found is None:
            try:
                found = self.public_moment(id).summary()
            except (CorruptFile, NewerFile) as why:
                found = Summary(
                    id=id, name=one.name, version=0, players=0, rounds=0, paired=0, state=CANNOT_BE_READ,
                    fide_mode=True, unreadable=str(why),
                )  # fmt: skip
            if len(self._summaries) > 5000:
                self._summaries.clear()
            self._summaries[id, version] = found
        return found

    def look_through(self) -> None:
        """Read some more facts, none twice, and remember which cannot be read; the follower does this."""
        for one in self._looked.read(self.office.store(), LOOKED_AT):
            if isinstance(one, Unreadable):
                self.unreadable.append(one.why)

    @staticmethod
    def now() -> int:
        """Seconds since 1970."""
        return int(time.time())
