"""The courier: a thread of each server that sends what is in the outbox, if no other server does.

It has an event loop of its own, so a target that hangs holds up nobody: neither a request, nor another
webhook, nor another tournament of the same one. Requests are signed as standardwebhooks.com has it.
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
from collections.abc import Sequence
from concurrent.futures import ThreadPoolExecutor
from contextlib import suppress
from functools import cache, partial
from threading import Thread
from typing import Final
from urllib.parse import urlsplit

import msgspec

from paircard.domain.errors import PaircardError, StoreRefused
from paircard.domain.events import Recorded
from paircard.domain.messages import Message, say
from paircard.domain.system import said
from paircard.domain.version import VERSION
from paircard.projections import Writing
from paircard.web.outbox import Delivery, Webhook, Webhooks, forget, hooks
from paircard.web.site import Site, nothing

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

    def _outbox(self) -> Webhooks:
        return Webhooks(self.site.location, self.site.office.store())

    def _leave(self) -> None:
        """Note what was answered, and let another process go on at once."""
        outbox = self._outbox()
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
        outbox = self._outbox()
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
