"""The site: the office, the access book and the caches behind one server process.

What it knows of a tournament is as new as the request, without a thread that waits for the store. A file says
by itself whether anything was written. A database has to be asked: it gives notice of a fact only after the
commit, and who relied on that could show a name after another process has answered its erasure. So an answer
rests on a question that was sent after the request came. Requests that come while a question is under way
share the next one; the event loop waits for it, and nobody else.
"""

import asyncio
import hashlib
import secrets
import time
from collections import OrderedDict
from collections.abc import Callable
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path
from threading import Lock
from typing import Final, TypeVar

import msgspec

from paircard.domain.errors import CorruptFile, NewerFile, Replaced, SetBack, StoreRefused, Unknown
from paircard.domain.events import Recorded
from paircard.domain.log.backends.base import Ends
from paircard.domain.log.catalogue import Entry, Search, fits, words_of
from paircard.domain.log.reader import Known
from paircard.domain.log.store import Tournaments
from paircard.domain.state import NOTHING
from paircard.domain.version import VERSION
from paircard.projections.public import PublicLog
from paircard.service import Moment, Office, Tournament
from paircard.service.print.rendering import style
from paircard.service.views import Summary, summary_of
from paircard.web.book import AccessStore, Login, open_access
from paircard.web.cache import Cache
from paircard.web.metrics import Metrics
from paircard.web.reviewer import Reviewer
from paircard.web.roles import sees_all
from paircard.web.settings import Limit, Settings, Turns

READERS: Final = 4
"""Threads that read: with the writer they are as many as PostgreSQL has connections for one process."""
STRANGERS: Final = 16
"""Threads for the public, which mostly wait for the press."""
CACHED: Final = 64 * 2**20
"""Bytes of answers that are kept about now."""
CACHED_PAST: Final = 16 * 2**20
"""Bytes of answers that are kept about earlier moments."""
SUMMARIES: Final = 5000
"""Tournaments whose line in the list stays in memory."""
REMEMBERED: Final = 64
"""Tournaments whose public log stays in memory."""
T = TypeVar("T")


def build() -> str:
    """A short name of this code: views may change with it, so caches must ask again."""
    found = hashlib.sha256((VERSION + style()).encode())
    here = Path(__file__).parent
    for path in sorted([*here.rglob("*.py"), *here.rglob("*.js")]):
        found.update(path.read_bytes())
    return found.hexdigest()[:6]


def nothing() -> None:
    """What is done while there is nobody to do it."""


class Question:
    """Where some logs end; all who asked wait for one answer."""

    def __init__(self) -> None:
        self.ids: set[str] = set()
        self.found: dict[str, tuple[int, str]] = {}
        """Version and hash of the last fact of each, as far as that is known."""
        self.over = asyncio.Event()


class Newest:
    """Asks where logs end, one question at a time; only the event loop uses it."""

    def __init__(self, office: Office) -> None:
        self.office: Final = office
        self.store: Tournaments | None = None
        """The store it asks; none until the follower has connected, and after the connection was lost."""
        self._ends: Ends | None = None
        self._asked: Question | None = None
        """The question under way."""
        self._next = Question()
        self._seen: Question | None = None
        """The question that was under way at the last look."""

    def take(self, store: Tournaments, ends: Ends | None) -> None:
        """Ask on this connection from now on; a file needs none."""
        self.lose()
        self.store = store
        if ends is None:
            return
        try:
            asyncio.get_running_loop().add_reader(ends.fileno(), self._read, ends)
            self._ends = ends
        except NotImplementedError:  # the event loop of Windows: threads ask
            ends.close()

    def lose(self) -> None:
        """Let go of the connection; who waits for an answer asks in a thread, which says what is wrong."""
        if self._ends is not None:
            asyncio.get_running_loop().remove_reader(self._ends.fileno())
            self._ends.close()
        if self._asked is not None:
            self._asked.over.set()
        self._next.over.set()
        self.store = self._ends = self._asked = None
        self._next = Question()

    def look(self) -> None:
        """Let go of a server that has not answered since the last look."""
        if self._asked is not None and self._asked is self._seen:
            self.lose()
        self._seen = self._asked

    async def known(self, id: str) -> Known | None:
        """All that is recorded of a tournament; None if that has to be read."""
        store = self.office.opened
        if store is None or self.store is not store:
            return None
        if self._ends is None or not store.knows(id):
            return store.unchanged(id)
        question = self._next
        question.ids.add(id)
        if self._asked is None:
            self._ask(self._ends)
        await question.over.wait()
        return store.unchanged(id, question.found.get(id))

    def _ask(self, ends: Ends) -> None:
        self._asked, self._next = self._next, Question()
        try:
            ends.ask(self._asked.ids)
        except StoreRefused:
            self.lose()

    def _read(self, ends: Ends) -> None:
        try:
            found = ends.answer()
        except StoreRefused:
            self.lose()
            return
        if found is not None and self._asked is not None:
            self._asked.found = found
            self._asked.over.set()
            self._asked = None
            if self._next.ids:
                self._ask(ends)


class NotAtOnce(Exception):
    """An answer has to be made: that is for a thread."""


class PublicSide:
    """What the public may see of one tournament: made from what is known of it, as far as that goes."""

    def __init__(self, id: str) -> None:
        self.id = id
        self._known = Known(id)
        self._log = PublicLog()
        self._now = Moment(id, NOTHING, list)
        self._turn = Lock()

    def moment(self, known: Known, number: int | None = None) -> Moment:
        """The public's now, or an earlier moment."""
        with self._turn:
            self._follow(known)
            shown, now, last = self._log.facts, self._now, self._log.shown[len(known.facts) - 1]
        if number is not None and not 1 <= number <= last:
            raise Unknown("http.no-public-moment", number=number, last=last)
        length = last if number is None else number
        return now if length == now.version else Moment.of(shown[:length])

    def has(self, known: Known) -> bool:
        """Whether all of this was taken in already."""
        return self._known is known

    def news(self, known: Known, first: int, last: int) -> list[Recorded]:
        """What the facts from one version to another mean for the public."""
        with self._turn:
            self._follow(known)
            before = self._log.shown[first - 2] if first > 1 else 0
            return self._log.facts[before : self._log.shown[last - 1]]

    def _follow(self, known: Known) -> None:
        """Take in what is new; all of it where somebody was erased, or the store is another."""
        both = min(len(known.facts), len(self._known.facts))
        if both and (
            known.erased != self._known.erased
            or known.facts[both - 1].hash != self._known.facts[both - 1].hash
        ):
            self._log, self._now = PublicLog(), Moment(self.id, NOTHING, list)
        elif both == len(known.facts):
            return
        self._known = known
        before = len(self._log.facts)
        self._log.read_further(known.facts)
        self._now = self._now.followed_by(self._log.facts[before:])


class Site:
    """Everything one process shares."""

    def __init__(self, location: str | Path, settings: Settings) -> None:
        self.settings: Final = settings
        self.location: Final = location
        self.metrics: Final = Metrics()
        self.office: Final = Office.create(location)
        self.newest: Final = Newest(self.office)
        self.access: Final[AccessStore] = open_access(location)
        self.build: Final = build()
        self.cache: Final = Cache(CACHED)
        self.past: Final = Cache(CACHED_PAST)
        """Answers about earlier moments, apart: however many are asked for, those about now stay."""
        self.summaries: Final = Cache(CACHED_PAST, SUMMARIES)
        """Lines of the list of tournaments."""
        self.readers: Final = ThreadPoolExecutor(READERS, thread_name_prefix="reader")
        self.strangers: Final = ThreadPoolExecutor(STRANGERS, thread_name_prefix="stranger")
        """Threads for those who are not signed in: who works here does not wait for them."""
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
        self.press: Final = Reviewer(0, patient=True)
        """Makes what the public sees of large events."""
        self.importer: Final = Reviewer(0, patient=True)
        """Reads reports and pairs their rounds again."""
        self.reviewer: Final = Reviewer(settings.review_seconds)
        self.desk_reviewer: Final = Reviewer(settings.review_seconds)
        """For arbiters and officers alone: no question of the public keeps them waiting."""
        self.is_following: Callable[[], bool] = lambda: False
        """Whether the log is followed for the feeds; ``app`` says how to know."""
        self.wake: Callable[[], object] = nothing
        """Tells the courier of webhooks that something is new, if there is one."""
        self.has_webhooks = False
        """Whether there was one when the courier last looked."""
        self.describe: Callable[[], bytes] = bytes
        """The description of the API, from ``app``."""
        self._public: OrderedDict[str, PublicSide] = OrderedDict()
        self._turn = Lock()
        self.unreadable: dict[str, str] = {}
        """Why a tournament cannot be read, by id, as far as the follower has looked."""
        self.life = ""
        """Renewed when the store is replaced; part of every ETag."""

    def start_anew(self, life: str) -> None:
        """Forget all that was known in a life, and open what is now in the place of the store."""
        with self._turn:
            if self.life != life:
                return  # somebody else has done it
            self.life = secrets.token_hex(3)
            self.office.reopen()
            self.cache.clear()
            self.past.clear()
            self.unreadable = {}

    def on_what_is_there(self, work: Callable[[], T]) -> T:
        """Do some work; where the store turns out to be another, the next begins with what is there."""
        life = self.life
        try:
            return work()
        except (Replaced, SetBack):
            self.start_anew(life)
            raise

    def close(self) -> None:
        """Finish what was begun and let go of the store."""
        for process in (self.press, self.importer, self.reviewer, self.desk_reviewer):
            process.close()
        for pool in (self.writer, self.readers, self.strangers):
            pool.shutdown(wait=True)
        self.access.close()
        self.office.close()

    def tournament(self, id: str) -> Tournament:
        """The tournament with this id."""
        return self.office.tournament(id)

    def known(self, id: str) -> Known:
        """All that is recorded of the tournament with this id."""
        store = self.office.store()
        self.tournament(id)
        return store.read(id)

    def public(self, id: str) -> PublicSide:
        """What the public may see of a tournament."""
        with self._turn:
            side = self._public.get(id)
            if side is None:
                side = self._public[id] = PublicSide(id)
            self._public.move_to_end(id)
            if len(self._public) > REMEMBERED:
                self._public.popitem(last=False)
            return side

    def public_moment(self, id: str) -> Moment:
        """The public's now."""
        return self.public(id).moment(self.known(id))

    def listed(
        self, login: Login | None, search: Search, *, after: str, limit: int, newest: bool = False
    ) -> tuple[list[Summary], str | None]:
        """A page of tournaments as somebody may see them, and the id of its last one if there are more.

        The public finds a tournament by what it may see of it: while a round waits to be published, what
        was changed since stays out of its sight.
        """
        asked = msgspec.structs.asdict(search)
        found = self.office.tournaments(**asked, after=after, limit=limit + 1, newest=newest)
        page = found[:limit]
        seen = [
            one if sees_all(login, one.id) else self.public_summary(one)
            for one in page
            if one.stage != "paired" or sees_all(login, one.id) or self.public_finds(one.id, search)
        ]
        return seen, page[-1].id if len(found) > limit else None

    def public_finds(self, id: str, search: Search) -> bool:
        """Whether a tournament is meant by a search as the public sees it."""
        moment = self.public_moment(id)
        return fits(search, words_of(moment.state, moment.facts[0].when))

    def public_summary(self, one: Summary) -> Summary:
        """A tournament in a few words for the public; made once for each version.

        Of one that cannot be read its name is all that is known to be public.
        """

        def make() -> bytes:
            try:
                return msgspec.json.encode(self.public_moment(one.id).summary())
            except (CorruptFile, NewerFile) as why:
                entry = Entry(one.id, first=0, position=0, version=0, name=one.name, unreadable=str(why))
                return msgspec.json.encode(summary_of(entry))

        made = self.summaries.get((one.id, self.life), make, one.version)
        return msgspec.json.decode(made.body, type=Summary)

    @staticmethod
    def now() -> int:
        """Seconds since 1970."""
        return int(time.time())
