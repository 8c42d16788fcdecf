"""Live feeds: server-sent events, one follower of the log per process, any number of readers.

Messages come in the order of the log: the store hands over what this process recorded, at the commit, and
the follower reads what others did; facts that were handed over with others before them are left to it. A
reader is subscribed first and then brought up to date from the log; what came meanwhile and was read there is
skipped. A reader who falls behind is cut, and resumes with ``Last-Event-ID``.
"""

import asyncio
import logging
import random
import threading
import time
from collections import Counter
from collections.abc import Callable, Iterable, Sequence
from contextlib import suppress
from functools import partial
from itertools import count, groupby
from typing import Any, Final

import msgspec
from starlette.requests import Request
from starlette.types import Receive, Scope, Send

from paircard.domain.errors import CorruptFile, NewerFile, PaircardError, Replaced, SetBack, StoreRefused
from paircard.domain.events import Recorded, tag_of
from paircard.domain.log.reader import Known, Tail
from paircard.domain.log.store import Tournaments
from paircard.domain.log.stored import Unreadable
from paircard.domain.values.results import Outcome, spell
from paircard.web.access.book import Login
from paircard.web.access.roles import need, refused, sees_all
from paircard.web.access.signing_in import find_login
from paircard.web.calls import Call
from paircard.web.problems import ShuttingDown, TooManyFeeds, WrongParameter
from paircard.web.serving import refused as answer_refusal
from paircard.web.site import Site

LOOK_ROUND: Final = 2.0
"""Seconds between two looks whether everybody who listens may still do so."""
LOOK_AT_STORE: Final = 60.0
"""Seconds between two looks at the tables of the store."""
HEARTBEAT: Final = 8
"""Looks between two signs of life."""
EVERYTHING: Final = ""
"""The topic of all tournaments."""
MOST_AT_ONCE: Final = 1000
LOOKED_AT: Final = 2000
"""Earlier facts that the follower looks at in one turn."""
LOOK_ON: Final = 0.1
"""Seconds between two such turns: who asks for a page comes first."""
trouble: Final = logging.getLogger("paircard.web")


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
        kind=tag_of(one.fact),
        when=one.when,
        round=getattr(fact, "round", 0),
        board=getattr(fact, "board", 0),
        result=spell(outcome) if isinstance(outcome, Outcome) else "",
        player=getattr(fact, "player", 0),
    )


def frame(id: int, event: str, data: object) -> bytes:
    """One message."""
    return b"id: %d\nevent: %s\ndata: %s\n\n" % (id, event.encode(), msgspec.json.encode(data))


def message_of(one: Recorded | Unreadable) -> tuple[int, bytes]:
    """A fact for those who follow all tournaments, and its position; or that it cannot be read."""
    kind = "unreadable" if isinstance(one, Unreadable) else "fact"
    return one.position, frame(one.position, kind, one)


class Reader:
    """One open feed."""

    __slots__ = ("address", "login", "most", "over", "public", "topic", "waiting", "wake")

    def __init__(self, topic: str, public: bool, login: Login | None, address: str, most: int) -> None:
        self.topic, self.public, self.login, self.address, self.most = topic, public, login, address, most
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


class Feeds:
    """All open feeds of a process, and the thread that follows the log for them."""

    def __init__(self, site: Site) -> None:
        self.site = site
        self.readers: dict[tuple[str, bool], set[Reader]] = {}
        """By topic, and whether they are of the public."""
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
        self._turn = threading.Lock()
        """Is held while facts are published, so that they come in order."""
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
        for reader in [reader for group in self.readers.values() for reader in group]:
            reader.end()

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
            store.end_waits()
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

    def add(self, reader: Reader) -> None:
        """Subscribe."""
        if self.ending:
            raise ShuttingDown("http.ending")
        most = self.site.settings.feeds_per_address
        if self.by_address[reader.address] >= most:
            raise TooManyFeeds("http.too-many-feeds", most=most).after(5)
        self.by_address[reader.address] += 1
        self.readers.setdefault((reader.topic, reader.public), set()).add(reader)

    def remove(self, reader: Reader) -> None:
        """Unsubscribe."""
        self.by_address[reader.address] -= 1
        if self.by_address[reader.address] <= 0:
            del self.by_address[reader.address]
        group = self.readers.get((reader.topic, reader.public), set())
        group.discard(reader)
        if not group:
            self.readers.pop((reader.topic, reader.public), None)

    # In the thread of the follower, and of who records

    def _follow(self) -> None:
        """Follow the log to the end of the process, through whatever happens to the store."""
        while not self._stop.is_set():
            life = self.site.life
            try:
                store = self.site.office.store()
                store.hand_over, store.watches = self._take, True
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
            store.backend.wait(lambda: tail.position, pause)  # not for facts that are handed over
            self.seen_alive = time.monotonic()
            with self._turn:
                for id, facts in groupby(tail.read(store, MOST_AT_ONCE), lambda one: one.tournament):
                    self._publish(list(facts), partial(store.read, id))
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

    def _take(self, known: Known, facts: Sequence[Recorded]) -> None:
        """Publish what this process has just recorded, unless the follower has to read others before."""
        if not self._turn.acquire(blocking=False):
            return  # it is reading, and finds them
        try:
            if self._tail is not None and self._tail.take(facts):
                self._publish(facts, lambda: known)
        except Exception:  # what is recorded is recorded
            trouble.exception("facts could not be published")
            self._in_loop(self.let_go)
        finally:
            self._turn.release()

    def _in_loop(self, call: Callable[..., None], *args: object) -> None:
        assert self._loop is not None
        with suppress(RuntimeError):  # the loop has ended
            self._loop.call_soon_threadsafe(call, *args)

    def _publish(self, facts: Sequence[Recorded | Unreadable], known: Callable[[], Known]) -> None:
        """Tell the readers of one tournament, and of all, about new facts of it."""
        id = facts[0].tournament
        messages: list[tuple[str, bool, int, bytes]] = []
        whole: list[Recorded] = []
        for fact in facts:
            if (EVERYTHING, False) in self.readers:
                messages.append((EVERYTHING, False, *message_of(fact)))
            if isinstance(fact, Unreadable):
                trouble.warning("%s. The other tournaments go on", fact.why)
                self.site.unreadable.setdefault(id, fact.why)
                continue
            whole.append(fact)
            if (id, False) in self.readers:
                messages.append((id, False, fact.version, frame(fact.version, "fact", fact)))
        if whole and (id, True) in self.readers:
            try:
                news = self.site.public(id).news(known(), whole[0].version, whole[-1].version)
            except (CorruptFile, NewerFile) as why:  # of this tournament alone
                trouble.warning("%s. The other tournaments go on", why)
                news = []
            messages += [
                (id, True, one.version, frame(one.version, "change", change_of(one))) for one in news
            ]
        if messages:
            self._in_loop(self._deliver, messages)
        if self.site.has_webhooks:
            self.site.wake()

    # In the event loop

    def _deliver(self, messages: Iterable[tuple[str, bool, int, bytes]]) -> None:
        for topic, public, id, message in messages:
            for reader in self.readers.get((topic, public), ()):
                reader.tell(id, message)

    async def _heartbeat(self) -> None:
        """A sign of life to all; readers who may no longer listen are let go."""
        for look in count(1):
            await asyncio.sleep(LOOK_ROUND)
            self.site.newest.look()
            await self.check_logins()
            if look % HEARTBEAT == 0:
                for reader in [reader for group in self.readers.values() for reader in group]:
                    reader.tell(0, b":\n\n")

    async def check_logins(self) -> None:
        """End the feeds of logins that no longer count."""
        known = [reader for group in self.readers.values() for reader in group if reader.login is not None]
        if not known:
            return
        with suppress(PaircardError):
            book = await asyncio.get_running_loop().run_in_executor(self.site.readers, self.site.access.book)
            now = self.site.now()
            for reader in known:
                assert reader.login is not None
                if not book.still_counts(reader.login, now):
                    reader.end()


class Feed:
    """The address of a feed: of one tournament, or of all."""

    methods: Final = ("GET", "HEAD")

    def __init__(self, feeds: Feeds, of_all: bool) -> None:
        self.feeds, self.site, self.of_all = feeds, feeds.site, of_all

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        request = Request(scope, receive)
        call = Call(request, b"")
        try:
            reader, after, catch_up = await self._in_thread(lambda: self._prepare(call))
            self.feeds.add(reader)
        except PaircardError as refusal:
            await answer_refusal(self.site, request, refusal)(scope, receive, send)
            return
        if call.login is not None:
            scope["paircard.through"] = call.login.through
        watcher = asyncio.create_task(watch(receive, reader))
        try:
            await send(
                {"type": "http.response.start", "status": 200, "headers": stream_headers(reader.public)}
            )
            if request.method == "HEAD":
                reader.end()
            retry = 3000 + random.randrange(2000)
            await send(part(b"retry: %d\n" % retry))
            last = after
            try:
                last = await self._bring_up_to_date(reader, after, catch_up, send)
            except PaircardError as refusal:
                trouble.warning("a feed ends: %s", refusal)
                reader.end()
            while not reader.over:
                await reader.wake.wait()
                reader.wake.clear()
                news, waiting, reader.waiting = [], reader.waiting, []
                for id, message in waiting:
                    if id > last or not id:
                        news.append(message)
                        last = id or last
                if news:
                    await send(part(b"".join(news)))
            await send({"type": "http.response.body", "body": b"", "more_body": False})
        finally:
            watcher.cancel()
            self.feeds.remove(reader)

    async def _bring_up_to_date(
        self, reader: Reader, after: int, catch_up: Callable[[int], list[tuple[int, bytes]]], send: Send
    ) -> int:
        """Send what is in the log after a place; the last one sent."""
        while not reader.over:
            at = after
            missed = await self._in_thread(lambda: catch_up(at))  # noqa: B023 - called before it changes
            if not missed:
                break
            await send(part(b"".join(message for _, message in missed)))
            after = missed[-1][0]
        return after

    async def _in_thread(self, work: Callable[[], Any]) -> Any:
        loop = asyncio.get_running_loop()
        return await loop.run_in_executor(self.site.readers, self.site.on_what_is_there, work)

    def _prepare(self, call: Call) -> tuple[Reader, int, Callable[[int], list[tuple[int, bytes]]]]:
        """Who follows what, from where on, and how the past is read."""
        site, most = self.site, self.site.settings.slowest_reader
        call.need_known("after")
        login = call.login = find_login(site, call)
        if self.of_all:
            login = need(login, "feed-of-all")
            if login.grant.role == "deputy" or login.grant.tournament:
                raise refused(login, "http.feed-of-all")
            store = site.office.store()
            reader = Reader(EVERYTHING, False, login, call.network, most)

            def of_all(after: int) -> list[tuple[int, bytes]]:
                return [message_of(one) for one in store.notifications(after, MOST_AT_ONCE)]

            return reader, self._start(call, store.last_position), of_all
        id = call.tournament
        if sees_all(login, id):
            reader = Reader(id, False, login, call.network, most)

            def of_one(after: int) -> list[tuple[int, bytes]]:
                facts = site.known(id).facts[after : after + MOST_AT_ONCE]
                return [(one.version, frame(one.version, "fact", one)) for one in facts]

            return reader, self._start(call, lambda: len(site.known(id).facts)), of_one
        reader = Reader(id, True, login, call.network, most)

        def of_public(after: int) -> list[tuple[int, bytes]]:
            facts = site.public_moment(id).facts[after : after + MOST_AT_ONCE]
            return [(one.version, frame(one.version, "change", change_of(one))) for one in facts]

        return reader, self._start(call, lambda: site.public_moment(id).version), of_public

    def _start(self, call: Call, now: Callable[[], int]) -> int:
        """From where on: what the reader has seen last, or now; a place that never was is now."""
        text = call.header("last-event-id") or call.parameter("after") or ""
        if not text:
            return now()
        if not (text.isascii() and text.isdecimal() and len(text) <= 12):
            raise WrongParameter("http.no-message-id", text=text)
        return min(int(text), now())


async def watch(receive: Receive, reader: Reader) -> None:
    """Notice that the reader went away, or talks instead of listening."""
    while True:
        heard = await receive()
        if heard["type"] == "http.disconnect" or heard.get("body"):
            reader.end()
            return


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
