"""Webhooks of a store: what is still to be sent to them, and the courier, a thread that sends it.

The outbox lies in ``<file>-webhooks.db`` or the schema ``<schema>_webhooks``, with the position in the log.
What is to be sent is noted as versions of a tournament and never as text: the facts are read when they are
sent, so nobody who was erased is in them. A delivery is gone from there when its target has answered.

Of all servers of a store one sends. Its courier has an event loop of its own, so a target that hangs holds up
nobody: neither a request, nor another webhook, nor another tournament of the same one. Requests are signed as
standardwebhooks.com has it.
"""

import asyncio
import base64
import hashlib
import hmac
import ipaddress
import logging
import re
import secrets
import socket
import ssl
import time
from collections import Counter
from collections.abc import Iterator, Sequence
from concurrent.futures import ThreadPoolExecutor
from contextlib import contextmanager, suppress
from functools import cache, partial
from pathlib import Path
from threading import Thread
from typing import Any, ClassVar, Final
from urllib.parse import urlsplit

import msgspec

from paircard.domain.errors import CorruptFile, Invalid, PaircardError, StoreRefused, Unknown
from paircard.domain.events import Recorded
from paircard.domain.log.location import Address, address_of
from paircard.domain.log.store import Tournaments
from paircard.domain.messages import Message, say
from paircard.domain.system import said
from paircard.domain.version import VERSION
from paircard.projections import Projection, Runner, Writing
from paircard.web.messages import WebhookView
from paircard.web.site import Site, nothing

MOST_FACTS: Final = 100
"""Facts of one delivery."""
MOST_HOOKS: Final = 20
"""Webhooks of one grant."""
LEASE: Final = 10.0
"""Seconds after which another process delivers, if the one that did has not been heard of."""


class Webhook(msgspec.Struct, frozen=True):
    """A program that is told of every fact, as its row has it."""

    id: str
    url: str
    secret: str
    tournament: str
    """Empty for all of the store."""
    grant: str
    """Id of the grant it was registered with, and ends with; empty from the terminal."""
    who: str
    since: int
    """The position it begins after."""


def view(hook: Webhook) -> WebhookView:
    """What may be shown of a webhook."""
    return msgspec.convert(hook, WebhookView, from_attributes=True)


class Delivery(msgspec.Struct, frozen=True):
    """Facts of one tournament that one webhook is to be told of, as its row has them."""

    hook: str
    tournament: str
    first: int
    last: int
    attempts: int
    at: int
    """Seconds since 1970: when it is to be tried again, or was given up."""
    code: str
    """Of what was said of the last attempt, and its value."""
    value: str

    @property
    def said(self) -> Message:
        """What became of the last attempt."""
        return Message(self.code, {"value": self.value}) if self.code else say("http.webhook.not-tried")


WHICH: Final = "hook = ? AND tournament = ? AND first = ?"
DELIVERY: Final = f"SELECT {', '.join(Delivery.__struct_fields__)} FROM deliveries d"
NEXT: Final = f"""{DELIVERY} WHERE hook = ? AND dead = 0 AND at <= ? AND NOT EXISTS (SELECT 1
FROM deliveries e WHERE e.hook = d.hook AND e.tournament = d.tournament AND e.dead = 0 AND e.first < d.first)
ORDER BY at, tournament LIMIT ?"""
"""Of each tournament the earliest: they go in order."""
ADD: Final = "INSERT INTO deliveries VALUES (?, ?, ?, ?, 0, 0, '', '', 0)"


class Outbox(Projection):
    """The webhooks, and a row for each delivery to come."""

    name = "webhooks"
    from_now = True
    tables: ClassVar[Sequence[str]] = (
        "CREATE TABLE hooks (id text NOT NULL PRIMARY KEY, url text NOT NULL, secret text NOT NULL,"
        " tournament text NOT NULL, grant_id text NOT NULL, who text NOT NULL, since bigint NOT NULL)",
        "CREATE TABLE deliveries (hook text NOT NULL, tournament text NOT NULL, first bigint NOT NULL,"
        " last bigint NOT NULL, attempts bigint NOT NULL, at bigint NOT NULL, code text NOT NULL,"
        " value text NOT NULL, dead bigint NOT NULL, PRIMARY KEY (hook, tournament, first))",
        "CREATE TABLE courier (owner text NOT NULL, until bigint NOT NULL)",
        "INSERT INTO courier VALUES ('', 0)",
    )

    def apply(self, db: Writing, facts: Sequence[Recorded], log: Sequence[Recorded]) -> None:
        for hook in hooks(db):
            if hook.tournament not in ("", log[-1].tournament):
                continue
            new = [one.version for one in facts if one.position > hook.since]
            if not new:
                continue
            where = hook.id, log[-1].tournament
            newest = f"{DELIVERY} WHERE hook = ? AND tournament = ? ORDER BY first DESC LIMIT 1"
            last = next(deliveries(db, newest, where), None)
            if last and not (last.attempts or last.code) and last.last + 1 >= new[0]:  # never sent
                db.execute(f"UPDATE deliveries SET last = ? WHERE {WHICH}", (new[-1], *where, last.first))
            else:
                db.execute(ADD, (*where, new[0], new[-1]))


def deliveries(db: Writing, sql: str, values: Sequence[Any]) -> Iterator[Delivery]:
    """The deliveries that are asked for."""
    return (Delivery(*row) for row in db.execute(sql, values))


def hooks(db: Writing) -> list[Webhook]:
    """All webhooks there are, the oldest first."""
    return [Webhook(*row) for row in db.execute("SELECT * FROM hooks ORDER BY since, id")]


def checked_url(url: str) -> str:
    """The address of a target; refuses what could not be called."""
    with suppress(ValueError):
        parts = urlsplit(url)
        plain = url.isascii() and url.isprintable() and " " not in url and len(url) <= 1000
        bare = not (parts.username or parts.password or parts.fragment)
        if plain and bare and parts.scheme in ("https", "http") and parts.hostname and parts.port != 0:
            return url
    raise Invalid("http.webhook.address", text=url)


class Webhooks:
    """The webhooks of a store, for those who register, look and send."""

    def __init__(self, location: str | Path, log: Tournaments) -> None:
        address = address_of(location)
        if isinstance(address, Address):
            joint = "&" if "?" in address.url else "?"
            into = f"{address.url}{joint}schema={address.schema[:54]}_webhooks"
        else:
            into = f"{address}-webhooks.db"
        self.runner = Runner(log, Outbox(), into)

    def exists(self) -> bool:
        """Whether a webhook was ever registered."""
        return self.runner.exists()

    @contextmanager
    def _there(self, id: str) -> Iterator[Writing]:
        """A transaction about a webhook that is there."""
        if not self.exists():
            raise Unknown("http.webhook.unknown", text=id)
        with self.runner.writing() as db:
            if id not in {one.id for one in hooks(db)}:
                raise Unknown("http.webhook.unknown", text=id)
            yield db

    def all(self) -> list[Webhook]:
        """All of them."""
        if not self.exists():
            return []
        with self.runner.writing() as db:
            return hooks(db)

    def id_of(self, text: str) -> str:
        """The id of the webhook with this id or address; refuses where none has it, or several."""
        found = [one.id for one in self.all() if text in (one.id, one.url)]
        if len(found) != 1:
            raise Unknown("http.webhook.unknown", text=text)
        return found[0]

    def add(self, url: str, *, tournament: str = "", grant: str = "", who: str = "") -> Webhook:
        """Register one: it is told of every fact from now on."""
        checked_url(url)
        self.catch_up()
        with self.runner.writing() as db:
            [[since]] = db.execute("SELECT position FROM position")
            if sum(one.grant == grant for one in hooks(db)) >= MOST_HOOKS:
                raise Invalid("http.webhook.too-many", most=MOST_HOOKS)
            secret = f"whsec_{base64.b64encode(secrets.token_bytes(32)).decode()}"
            made = Webhook(secrets.token_hex(6), url, secret, tournament, grant, who, since)
            db.execute("INSERT INTO hooks VALUES (?, ?, ?, ?, ?, ?, ?)", msgspec.structs.astuple(made))
        return made

    def remove(self, id: str) -> None:
        """Take one away, and all that was to be sent to it."""
        with self._there(id) as db:
            forget(db, id)

    def waiting(self, id: str, *, dead: bool = False) -> list[Delivery]:
        """Deliveries that are still to come, or those that were given up, in order."""
        asked = f"{DELIVERY} WHERE hook = ? AND dead = ? ORDER BY tournament, first"
        with self._there(id) as db:
            return list(deliveries(db, asked, (id, int(dead))))

    def send_again(self, id: str, tournament: str = "") -> int:
        """Let what was given up be sent again, before what is newer; how many deliveries."""
        with self._there(id) as db:
            which = f"WHERE dead = 1 AND hook = ?{' AND tournament = ?' if tournament else ''}"
            values = (id, tournament) if tournament else (id,)
            [[count]] = db.execute(f"SELECT count(*) FROM deliveries {which}", values)
            db.execute(f"UPDATE deliveries SET dead = 0, attempts = 0, at = 0 {which}", values)
        return int(count)

    def catch_up(self) -> None:
        """Note what is new in the log; of one that was set back, all that was recorded since each began."""
        try:
            self.runner.catch_up()
        except CorruptFile as reason:
            if reason.said.code != "tables.another-log":
                raise
            with self.runner.writing() as db:
                since = min([one.since for one in hooks(db)], default=10**15)
                start = self.runner.end()
                before = self.runner.log.notifications(since - 1, 1) if 0 < since < start[0] else []
                if since < start[0]:
                    start = (before[0].position, before[0].hash) if before else (0, "")
                db.execute("DELETE FROM deliveries")
                db.execute("UPDATE position SET position = ?, hash = ?", start)
                db.execute("UPDATE hooks SET since = ? WHERE since > ?", (start[0], start[0]))
            self.runner.catch_up()

    # For the one process that delivers

    def leased(self, db: Writing, owner: str) -> bool:
        """Whether this process delivers: from when nobody else does, until it ends."""
        now = time.time()
        taken = "UPDATE courier SET owner = ?, until = ? WHERE owner IN (?, '') OR until < ?"
        db.execute(taken, (owner, int(now + LEASE), owner, int(now)))
        return bool(db.execute("SELECT 1 FROM courier WHERE owner = ?", (owner,)))

    def claimed(self, db: Writing, hook: Webhook, most: int, until: Sequence[int]) -> list[Delivery]:
        """The deliveries whose turn it is; each is noted as tried, and not tried again before its time."""
        ready = []
        for one in deliveries(db, NEXT, (hook.id, int(time.time()), most)):
            cut = min(one.last, one.first + MOST_FACTS - 1)
            if cut < one.last:
                db.execute(ADD, (hook.id, one.tournament, cut + 1, one.last))
            at = until[min(one.attempts, len(until) - 1)]
            changed = "UPDATE deliveries SET last = ?, attempts = attempts + 1, at = ?"
            db.execute(f"{changed} WHERE {WHICH}", (cut, at, hook.id, one.tournament, one.first))
            ready.append(msgspec.structs.replace(one, last=cut, attempts=one.attempts + 1))
        return ready

    def done(self, db: Writing, one: Delivery, failure: Message | None, wait: float | None) -> None:
        """Note what came of a delivery: it is over, tried again after a while, or given up."""
        which = one.hook, one.tournament, one.first
        if failure is None:
            db.execute(f"DELETE FROM deliveries WHERE {WHICH}", which)
            return
        changed = "UPDATE deliveries SET code = ?, value = ?, at = ?, dead = ?"
        at, value = int(time.time() + (wait or 0)), str(failure.fields.get("value", ""))[:500]
        db.execute(f"{changed} WHERE {WHICH}", (failure.code, value, at, int(wait is None), *which))


def outbox_of(site: Site) -> Webhooks:
    """The webhooks of the store that is served."""
    return Webhooks(site.location, site.office.store())


def forget(db: Writing, id: str) -> None:
    """Delete a webhook, its secret and what was to be sent to it."""
    db.execute("DELETE FROM deliveries WHERE hook = ?", (id,))
    db.execute("DELETE FROM hooks WHERE id = ?", (id,))


TIMEOUT: Final = 10.0
"""Seconds within which a target has to answer."""
AT_ONCE: Final = 4
"""Deliveries to one target that are under way at a time, each of another tournament."""
ENDING: Final = 2.0
"""Seconds for deliveries that are under way when the server ends."""
PULSE: Final = 3.0
"""Seconds after which the outbox is looked at even if nothing happened."""
GATHERED: Final = 0.1
"""Seconds for which facts are gathered."""
trouble: Final = logging.getLogger("paircard.web")
Network = ipaddress.IPv4Network | ipaddress.IPv6Network
NAT64: Final = ipaddress.ip_network("64:ff9b::/96")
UNICAST: Final = ipaddress.ip_network("2000::/3")
"""Addresses of the world in IPv6 [RFC 4291:2.4]; others lead into networks of one's own."""


class Notice(msgspec.Struct, frozen=True, kw_only=True):
    """What is sent: new facts of one tournament, in order."""

    type: str = "tournament.facts"
    timestamp: str
    """When the first of them was recorded."""
    tournament: str
    facts: tuple[Recorded, ...]


def signature(secret: str, id: str, moment: int, body: bytes) -> str:
    """What proves a delivery: HMAC-SHA-256 of id, time and body under the secret of the webhook."""
    key = base64.b64decode(secret.removeprefix("whsec_"))
    signed = b"%s.%d.%s" % (id.encode(), moment, body)
    return f"v1,{base64.b64encode(hmac.digest(key, signed, hashlib.sha256)).decode()}"


def may_be_called(addresses: Sequence[str], secure: bool, allowed: Sequence[Network]) -> bool:
    """Whether all addresses of a name are of the world, over TLS, or such as the operator allows.

    One that is not makes the whole name suspect.
    """
    for address in addresses:
        ip = ipaddress.ip_address(address.partition("%")[0])
        if isinstance(ip, ipaddress.IPv6Address):
            inner = ip.ipv4_mapped or ip.sixtofour or (ip.teredo and ip.teredo[1])
            if ip in NAT64:
                inner = ipaddress.IPv4Address(int(ip) & 0xFFFFFFFF)
            ip = inner or ip
        of_the_world = secure and ip.is_global and not ip.is_multicast and (ip.version == 4 or ip in UNICAST)
        if not of_the_world and not any(ip in one for one in allowed):
            return False
    return True


@cache
def context() -> ssl.SSLContext:
    """Certificates as the system trusts them."""
    return ssl.create_default_context()


async def connected(
    addresses: Sequence[str], port: int, name: str | None
) -> tuple[asyncio.StreamReader, asyncio.StreamWriter]:
    """A connection to the first address that takes one; over TLS, if the name in its certificate is given."""
    for at, address in enumerate(addresses, start=1):
        try:
            tls = context() if name else None
            return await asyncio.open_connection(address, port, ssl=tls, server_hostname=name)
        except OSError:
            if at == len(addresses):
                raise
    raise AssertionError("a name has an address")


async def status_of(reader: asyncio.StreamReader) -> str:
    """The status of an answer, empty for what is none; what may come before it (1xx) is passed over."""
    while True:
        words = (await reader.readline()).decode("latin-1").split()
        status = words[1] if len(words) > 1 and words[0].startswith("HTTP/1.") else ""
        if not re.fullmatch("1[0-9]{2}", status):  # [RFC 9110:15.2]
            return status
        while (await reader.readline()).strip():
            pass


async def post(url: str, headers: dict[str, str], body: bytes, allowed: Sequence[Network]) -> Message | None:
    """Send a body; None if its target took it, else what happened instead. No redirect is followed."""
    parts = urlsplit(url)
    secure, host = parts.scheme == "https", parts.hostname or ""
    port = parts.port or (443 if secure else 80)
    try:
        async with asyncio.timeout(TIMEOUT):
            loop = asyncio.get_running_loop()
            found = [str(one[4][0]) for one in await loop.getaddrinfo(host, port, type=socket.SOCK_STREAM)]
            if not may_be_called(found, secure, allowed):
                return say("http.webhook.private", value=host)
            reader, writer = await connected(found, port, host if secure else None)
            try:
                path = f"{parts.path or '/'}{f'?{parts.query}' if parts.query else ''}"
                all = {
                    "host": parts.netloc,
                    "content-length": str(len(body)),
                    "connection": "close",
                } | headers
                lines = [f"POST {path} HTTP/1.1", *(f"{name}: {value}" for name, value in all.items())]
                writer.write("\r\n".join([*lines, "", ""]).encode() + body)
                await writer.drain()
                status = await status_of(reader)
            finally:
                writer.transport.abort()
    except TimeoutError:
        return say("http.webhook.no-answer", value=f"{TIMEOUT:g}")
    except (ssl.SSLError, socket.gaierror, ValueError) as reason:
        return say("http.webhook.not-reached", value=str(reason))
    except OSError as reason:
        return say("http.webhook.not-reached", value=said(reason))
    if re.fullmatch("2[0-9]{2}", status):
        return None
    return say("http.webhook.refused", value=status or "?")


class Courier:
    """Sends; one delivery of a tournament to a target at a time, tried again until it is given up."""

    def __init__(self, site: Site) -> None:
        self.site = site
        self.owner: Final = secrets.token_hex(6)
        self.allowed: Final = [ipaddress.ip_network(one) for one in site.settings.webhook_networks]
        self.waiting = self.dead = 0
        """Deliveries to come, and those that were given up, when this process last looked."""
        self._under_way: Counter[str] = Counter()
        """Deliveries by webhook."""
        self._over: list[tuple[Delivery, Message | None]] = []
        """What came of deliveries, to be noted."""
        self._tasks: set[asyncio.Task[None]] = set()
        self._woken = asyncio.Event()
        self._ending = False
        self._thread = Thread(target=lambda: asyncio.run(self._work()), name="courier", daemon=True)

    def start(self) -> None:
        """Begin."""
        self._thread.start()

    def stop(self) -> None:
        """Stop: what is under way and is not answered soon is sent again by the next one."""
        self._ending = True
        self.site.wake()
        self._thread.join()

    async def _work(self) -> None:
        loop = asyncio.get_running_loop()
        self.site.wake = partial(loop.call_soon_threadsafe, self._woken.set)
        loop.set_default_executor(ThreadPoolExecutor(16, thread_name_prefix="courier"))
        while not self._ending:
            pause = PULSE
            try:
                ready, pause = await asyncio.to_thread(self.site.on_what_is_there, self._turn)
                for hook, one in ready:
                    self._under_way[hook.id] += 1
                    task = loop.create_task(self._deliver(hook, one))
                    self._tasks.add(task)
                    task.add_done_callback(self._tasks.discard)
            except PaircardError as reason:
                trouble.warning("webhooks wait for the store: %s", reason)
            except Exception:
                trouble.exception("the courier failed and begins again")
            with suppress(TimeoutError):
                await asyncio.wait_for(self._woken.wait(), pause)
            self._woken.clear()
            if not self._ending:
                await asyncio.sleep(GATHERED)
        self.site.wake = nothing
        if self._tasks:
            await asyncio.wait(self._tasks, timeout=ENDING)
        for task in self._tasks:
            task.cancel()
        with suppress(PaircardError):
            await asyncio.to_thread(self._leave)

    async def _deliver(self, hook: Webhook, one: Delivery) -> None:
        try:
            failure = await self._sent(hook, one)
        except asyncio.CancelledError:
            raise
        except Exception:
            trouble.exception("a delivery of webhook %s failed", hook.id)
            failure = say("http.mistake")
        finally:
            self._under_way[hook.id] -= 1
        self._over.append((one, failure))
        self._woken.set()

    async def _sent(self, hook: Webhook, one: Delivery) -> Message | None:
        """Read the facts as they are now, and send them; None if their target took them."""
        try:
            log = (await asyncio.to_thread(self.site.known, one.tournament)).facts
        except StoreRefused as reason:
            trouble.warning("a delivery of webhook %s waits for the store: %s", hook.id, reason)
            return say("http.webhook.not-read")
        facts = tuple(log[one.first - 1 : one.last])
        if not facts:  # the store was set back
            return None
        body = msgspec.json.encode(Notice(timestamp=facts[0].when, tournament=one.tournament, facts=facts))
        id, moment = f"{hook.id}-{facts[-1].hash[:24]}", int(time.time())
        headers = {
            "content-type": "application/json",
            "user-agent": f"Paircard/{VERSION}",
            "webhook-id": id,
            "webhook-timestamp": str(moment),
            "webhook-signature": signature(hook.secret, id, moment, body),
        }
        return await post(hook.url, headers, body, self.allowed)

    # In a thread

    def _leave(self) -> None:
        """Note what was answered, and let another process go on at once."""
        outbox = outbox_of(self.site)
        if outbox.exists():
            with outbox.runner.writing() as db:
                if outbox.leased(db, self.owner):
                    self._note(outbox, db)
                    db.execute("UPDATE courier SET owner = ''")

    def _note(self, outbox: Webhooks, db: Writing) -> None:
        """What came of deliveries; if this is lost, they are sent again."""
        waits = self.site.settings.webhook_waits
        over, self._over = self._over, []
        for one, failure in over:
            wait = waits[one.attempts - 1] if one.attempts <= len(waits) else None
            if failure is not None and wait is None:
                trouble.warning("webhook %s: a delivery was given up (%s)", one.hook, failure.code)
            outbox.done(db, one, failure, wait)

    def _turn(self) -> tuple[list[tuple[Webhook, Delivery]], float]:
        """Note what was answered and claim what comes next; and how long to wait then."""
        outbox = outbox_of(self.site)
        self.site.has_webhooks = outbox.exists()
        if not self.site.has_webhooks:
            return [], PULSE
        outbox.catch_up()
        book, now = self.site.access.book(), int(time.time())
        until = [now + round(TIMEOUT + wait) + 1 for wait in self.site.settings.webhook_waits]
        ready: list[tuple[Webhook, Delivery]] = []
        with outbox.runner.writing() as db:
            if not outbox.leased(db, self.owner):
                self._over = []  # another process sends them again
                return [], PULSE
            self._note(outbox, db)
            for hook in hooks(db):
                if hook.grant and book.live_grant(hook.grant, now) is None:
                    trouble.warning("webhook %s ends: the grant it came with no longer counts", hook.id)
                    forget(db, hook.id)
                elif (free := AT_ONCE - self._under_way[hook.id]) > 0:
                    ready += [(hook, one) for one in outbox.claimed(db, hook, free, until)]
            [[self.waiting, self.dead]] = db.execute(
                "SELECT count(*) - coalesce(sum(dead), 0), coalesce(sum(dead), 0) FROM deliveries"
            )
            [[due]] = db.execute("SELECT min(at) FROM deliveries WHERE dead = 0 AND at > ?", (now,))
        return ready, min(PULSE, due - now) if due else PULSE
