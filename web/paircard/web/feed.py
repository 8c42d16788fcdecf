"""Live feeds: server-sent events, one follower of the log per process, any number of readers.

Messages come in the order of the log: the follower is woken by each commit. A reader is subscribed first and
then brought up to date from the log; what came meanwhile and was read there is skipped. A reader who falls
behind is cut, and resumes with ``Last-Event-ID``.
"""

import asyncio
import logging
import random
import re
import threading
import time
from collections import Counter
from collections.abc import Callable, Mapping, Sequence
from contextlib import suppress
from functools import partial
from itertools import count, groupby
from typing import Any, Final, TypeAlias, TypeVar

import msgspec
from starlette.types import Receive, Scope, Send

from paircard.domain.errors import CorruptFile, NewerFile, PaircardError, Replaced, SetBack, StoreRefused
from paircard.domain.events import TAGS, Recorded
from paircard.domain.log.reader import Tail
from paircard.domain.log.store import Tournaments
from paircard.domain.log.stored import Unreadable
from paircard.domain.values.results import Outcome, spell
from paircard.web.book import Login
from paircard.web.calls import Call
from paircard.web.problems import ShuttingDown, TooManyFeeds, WrongParameter
from paircard.web.roles import need, refused, sees_all
from paircard.web.site import Site

LOOK_ROUND: Final = 2.0
"""Seconds between two looks whether everybody who listens may still do so."""
LOOK_AT_STORE: Final = 60.0
"""Seconds between two looks at the tables of the store."""
HEARTBEAT: Final = 8
"""Looks between two signs of life."""
Topic: TypeAlias = tuple[str, bool]
"""Id of a tournament, and whether only what is of the public is told."""
EVERYTHING: Final[Topic] = ("", False)
"""The topic of all tournaments."""
MOST_AT_ONCE: Final = 1000
LOOKED_AT: Final = 2000
"""Earlier facts that the follower looks at in one turn."""
LOOK_ON: Final = 0.1
"""Seconds between two such turns: who asks for a page comes first."""
trouble: Final = logging.getLogger("paircard.web")
T = TypeVar("T")


class Change(msgspec.Struct, frozen=True, kw_only=True, omit_defaults=True):
    """What the public has to paint again."""

    kind: str
    """Name of the fact: ``result-recorded``, ``round-published`` and so on."""
    when: str
    round: int = 0
    board: int = 0
    result: str = ""
    player: int = 0


def change_of(one: Recorded) -> Change:
    """A fact of the public log in a few words."""
    fact: Any = one.fact
    outcome = getattr(fact, "outcome", None)
    return Change(
        kind=TAGS[type(one.fact)],
        when=one.when,
        round=getattr(fact, "round", 0),
        board=getattr(fact, "board", 0),
        result=spell(outcome) if isinstance(outcome, Outcome) else "",
        player=getattr(fact, "player", 0),
    )


def message(id: int, event: str, data: object) -> tuple[int, bytes]:
    """One message, and the number after which a reader resumes who has it."""
    return id, b"id: %d\nevent: %s\ndata: %s\n\n" % (id, event.encode(), msgspec.json.encode(data))


def messages_of(topic: Topic, facts: Sequence[Any]) -> list[tuple[int, bytes]]:
    """New facts as the readers of a topic are told of them; some of all there are cannot be read."""
    if topic == EVERYTHING:
        kinds = {True: "unreadable", False: "fact"}
        return [message(one.position, kinds[isinstance(one, Unreadable)], one) for one in facts]
    if topic[1]:
        return [message(one.version, "change", change_of(one)) for one in facts]
    return [message(one.version, "fact", one) for one in facts]


Past: TypeAlias = Callable[[int], list[tuple[int, bytes]]]
"""What is in the log after a place, as messages; so many at once."""


class Feed:
    """One open feed: an answer that goes on to its end."""

    feeds: "Feeds"
    """Where it is subscribed."""

    def __init__(
        self, topic: Topic, login: Login | None, address: str, most: int, after: int, past: Past
    ) -> None:
        self.topic, self.login, self.address, self.most = topic, login, address, most
        self.last, self.past = after, past
        """Number of the last message that was sent, and how those before the subscription are read."""
        self.waiting: list[tuple[int, bytes]] = []
        self.wake = asyncio.Event()
        self.over = False

    def tell(self, id: int, message: bytes) -> None:
        """One more message; too many of them end the feed."""
        if len(self.waiting) < self.most:
            self.waiting.append((id, message))
        else:
            self.over = True
        self.wake.set()

    def end(self) -> None:
        """Let the reader go."""
        self.over = True
        self.wake.set()

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        watcher = asyncio.create_task(self._watch(receive))
        try:
            headers = stream_headers(public=self.topic[1])
            await send({"type": "http.response.start", "status": 200, "headers": headers})
            if scope["method"] == "HEAD":
                self.end()
            await send(part(b"retry: %d\n" % (3000 + random.randrange(2000))))
            try:
                while not self.over and (missed := await self.feeds.in_thread(self.past, self.last)):
                    self.last = missed[-1][0]
                    await send(part(b"".join(text for _, text in missed)))
            except PaircardError as refusal:
                trouble.warning("a feed ends: %s", refusal)
                self.end()
            while not self.over:
                await self.wake.wait()
                self.wake.clear()
                news, waiting, self.waiting = [], self.waiting, []
                for id, text in waiting:
                    if id > self.last or not id:
                        news.append(text)
                        self.last = id or self.last
                if news:
                    await send(part(b"".join(news)))
            await send({"type": "http.response.body", "body": b"", "more_body": False})
        finally:
            watcher.cancel()
            self.feeds.remove(self)

    async def _watch(self, receive: Receive) -> None:
        """Notice that the reader went away, or talks instead of listening."""
        while not self.over:
            heard = await receive()
            if heard["type"] == "http.disconnect" or heard.get("body"):
                self.end()


def part(body: bytes) -> dict[str, Any]:
    """Some more of a stream."""
    return {"type": "http.response.body", "body": body, "more_body": True}


def stream_headers(public: bool) -> list[tuple[bytes, bytes]]:
    """Headers of a stream; the last but one keeps nginx from collecting it."""
    headers = [
        (b"content-type", b"text/event-stream; charset=utf-8"),
        (b"cache-control", b"no-store"),
        (b"x-accel-buffering", b"no"),
    ]
    return [*headers, (b"access-control-allow-origin", b"*")] if public else headers


class Feeds:
    """All open feeds of a process, and the thread that follows the log for them."""

    def __init__(self, site: Site) -> None:
        self.site = site
        self.open: dict[Topic, set[Feed]] = {}
        self.by_address: Counter[str] = Counter()
        self.ending = False
        self.seen_alive = 0.0
        """When the follower last reached the store."""
        self._loop: asyncio.AbstractEventLoop | None = None
        self._thread = threading.Thread(target=self._follow, name="follower", daemon=True)
        self._stop = threading.Event()
        self._began = threading.Event()
        """Set once the follower knows the end of the log, or that the store does not answer."""
        self._tail: Tail | None = None
        """How far the log was published."""
        self._earlier: Tail | None = None
        """How far what was there before was looked through for facts that cannot be read."""
        self._end = 0
        """Position of the last fact that was there before."""
        self._beat: asyncio.Task[None] | None = None

    async def start(self) -> None:
        """Begin to follow; a feed that is opened after this misses nothing."""
        self._loop = asyncio.get_running_loop()
        self._beat = asyncio.create_task(self._heartbeat())
        self._thread.start()
        await self._loop.run_in_executor(None, self._began.wait, LOOK_ROUND)

    def end_readers(self) -> None:
        """Let all readers go, who will come back to the next process; no new ones are taken."""
        self.ending = True
        self.let_go()

    def let_go(self) -> None:
        """Let all readers go: they come back and read on."""
        for feed in self._every():
            feed.end()

    def end_soon(self) -> None:
        """Let all readers go, from a signal handler."""
        if self._loop is not None:
            self._in_loop(self.end_readers)

    async def stop(self) -> None:
        """End all feeds and the follower."""
        self.end_readers()
        if self._beat:
            self._beat.cancel()
        self._stop.set()
        if store := self.site.office.opened:
            store.backend.end_waits()
        await asyncio.get_running_loop().run_in_executor(None, self._thread.join)
        self.site.newest.lose()

    @property
    def alive(self) -> bool:
        """Whether the follower reached the store a moment ago."""
        return self._thread.is_alive() and time.monotonic() - self.seen_alive < 10

    @property
    def position(self) -> int:
        """How far the log was published."""
        return self._tail.position if self._tail else 0

    def age(self) -> float:
        """Seconds since the follower last reached the store; -1 if it does not reach it."""
        return time.monotonic() - self.seen_alive if self.seen_alive else -1.0

    def add(self, feed: Feed) -> None:
        """Subscribe it."""
        feed.feeds = self
        if self.ending:
            raise ShuttingDown("http.ending")
        most = self.site.settings.feeds_per_address
        if self.by_address[feed.address] >= most:
            raise TooManyFeeds("http.too-many-feeds", most=most).after(5)
        self.by_address[feed.address] += 1
        self.open.setdefault(feed.topic, set()).add(feed)

    def remove(self, feed: Feed) -> None:
        """Unsubscribe it."""
        self.by_address[feed.address] -= 1
        if self.by_address[feed.address] <= 0:
            del self.by_address[feed.address]
        group = self.open[feed.topic]
        group.discard(feed)
        if not group:
            del self.open[feed.topic]

    def _every(self) -> list[Feed]:
        return [feed for group in self.open.values() for feed in group]

    async def in_thread(self, work: Callable[..., T], *args: object) -> T:
        """What comes of some work that may have to wait for the store."""
        there = partial(self.site.on_what_is_there, partial(work, *args))
        return await asyncio.get_running_loop().run_in_executor(self.site.readers, there)

    # In the thread of the follower

    def _follow(self) -> None:
        """Follow the log to the end of the process, through whatever happens to the store."""
        while not self._stop.is_set():
            life = self.site.life
            try:
                store = self.site.office.store()
                store.watches = True
                if self._tail is None:
                    self._tail = Tail.at_end_of(store)
                    self.seen_alive = time.monotonic()
                    self._in_loop(self.let_go)  # who came before that may have missed something
                if self._earlier is None:
                    self._earlier, self._end = Tail(0), self._tail.position
                self._began.set()
                self._read_on(store, self._tail, self._earlier)
            except StoreRefused as reason:
                if isinstance(reason, SetBack):
                    self._tail = None
                if isinstance(reason, SetBack | Replaced):
                    self._earlier = None
                    self.site.start_anew(life)
                if self.seen_alive:
                    trouble.warning("the follower waits for the store: %s", reason)
                    self._in_loop(self.let_go)
                self.seen_alive = 0.0
                self._began.set()
                self._stop.wait(0.5)
            except Exception:
                trouble.exception("the follower failed and begins again")
                self._in_loop(self.let_go)
                self._stop.wait(0.5)

    def _read_on(self, store: Tournaments, tail: Tail, earlier: Tail) -> None:
        """Publish what others record; once, look through what was recorded before."""
        settled = -1
        while not self._stop.is_set():
            if self.site.newest.store is not store:
                with suppress(StoreRefused):  # without it threads ask
                    self._in_loop(self.site.newest.take, store, store.backend.ends())
            before, pause = tail.position, LOOK_ON if earlier.position < self._end else 0.5
            store.wait(tail.position, pause)
            self.seen_alive = time.monotonic()
            for _, facts in groupby(tail.read(store, MOST_AT_ONCE), lambda one: one.tournament):
                self._publish(store, list(facts))
            if earlier.position < self._end:
                for one in earlier.read(store, LOOKED_AT):
                    if isinstance(one, Unreadable):
                        self.site.unreadable.setdefault(one.tournament, one.why)
            elif tail.position == before:
                with suppress(StoreRefused):
                    self.site.access.book()  # remembers for /ready whether it answers
                if time.monotonic() - self.site.metrics.looked.at > LOOK_AT_STORE:
                    self.site.metrics.look(store)
                if settled != tail.position:
                    store.backend.settle()  # somebody may copy the file as it lies there
                    settled = tail.position

    def _in_loop(self, call: Callable[..., None], *args: object) -> None:
        assert self._loop is not None
        with suppress(RuntimeError):  # the loop has ended
            self._loop.call_soon_threadsafe(call, *args)

    def _publish(self, store: Tournaments, facts: Sequence[Recorded | Unreadable]) -> None:
        """Tell the readers of one tournament, and of all, about new facts of it."""
        id = facts[0].tournament
        whole = [one for one in facts if isinstance(one, Recorded)]
        for one in facts:
            if isinstance(one, Unreadable):
                trouble.warning("%s. The other tournaments go on", one.why)
                self.site.unreadable.setdefault(id, one.why)
        news: dict[Topic, Sequence[Any]] = {EVERYTHING: facts, (id, False): whole}
        if whole and (id, True) in self.open:
            try:
                news[id, True] = self.site.public(id).news(
                    store.read(id), whole[0].version, whole[-1].version
                )
            except (CorruptFile, NewerFile) as why:  # of this tournament alone
                trouble.warning("%s. The other tournaments go on", why)
        told = {topic: messages_of(topic, some) for topic, some in news.items() if topic in self.open}
        if told:
            self._in_loop(self._deliver, told)
        if self.site.has_webhooks:
            self.site.wake()

    # In the event loop

    def _deliver(self, told: Mapping[Topic, Sequence[tuple[int, bytes]]]) -> None:
        for topic, messages in told.items():
            for feed in self.open.get(topic, ()):
                for id, text in messages:
                    feed.tell(id, text)

    async def _heartbeat(self) -> None:
        """A sign of life to all; readers who may no longer listen are let go."""
        for look in count(1):
            await asyncio.sleep(LOOK_ROUND)
            self.site.newest.look()
            await self.check_logins()
            if look % HEARTBEAT == 0:
                for feed in self._every():
                    feed.tell(0, b":\n\n")

    async def check_logins(self) -> None:
        """End the feeds of logins that no longer count."""
        known = [(feed, feed.login) for feed in self._every() if feed.login is not None]
        if not known:
            return
        with suppress(PaircardError):
            book = await asyncio.get_running_loop().run_in_executor(self.site.readers, self.site.access.book)
            now = self.site.now()
            for feed, login in known:
                if not book.still_counts(login, now):
                    feed.end()


def feed_of(site: Site, call: Call, id: str = "") -> Feed:
    """A feed of one tournament, or of all, as far as the caller may see them; not subscribed yet."""
    login = call.login
    whole = sees_all(login, id)
    if not id:
        login = need(login, "feed-of-all")
        if not whole:
            raise refused(login, "http.feed-of-all")
    topic, store = (id, not whole), site.office.store()

    def log() -> Sequence[Recorded]:
        return site.known(id).facts if whole else site.public_moment(id).facts

    def past(after: int) -> list[tuple[int, bytes]]:
        if not id:
            return messages_of(topic, store.notifications(after, MOST_AT_ONCE))
        return messages_of(topic, log()[after : after + MOST_AT_ONCE])

    after = after_of(call, len(log()) if id else store.last_position())
    return Feed(topic, login, call.network, site.settings.slowest_reader, after, past)


def after_of(call: Call, now: int) -> int:
    """From where on: what the reader has seen last, or now; a place that never was is now."""
    text = call.header("last-event-id") or call.parameter("after") or ""
    if not re.fullmatch("[0-9]{0,12}", text):
        raise WrongParameter("http.no-message-id", text=text)
    return min(int(text or now), now)
