"""Webhooks of a store, and what is still to be sent to them, with the position in the log.

They lie in ``<file>-webhooks.db`` or the schema ``<schema>_webhooks``. What is to be sent is noted as
versions of a tournament and never as text: the facts are read when they are sent, so nobody who was erased
is in them. A delivery is gone from here when its target has answered, and not before.
"""

import base64
import secrets
import time
from collections.abc import Iterator, Sequence
from contextlib import contextmanager, suppress
from pathlib import Path
from typing import Any, ClassVar, Final
from urllib.parse import urlsplit

import msgspec

from paircard.domain.errors import CorruptFile, Invalid, Unknown
from paircard.domain.events import Recorded
from paircard.domain.log.location import Address, address_of
from paircard.domain.log.store import Tournaments
from paircard.domain.messages import Message, say
from paircard.projections import Projection, Runner, Writing
from paircard.web.messages import WebhookView

MOST_FACTS: Final = 100
"""Facts of one delivery."""
MOST_HOOKS: Final = 20
"""Webhooks of one grant."""
LEASE: Final = 10.0
"""Seconds after which another process delivers, if the one that did has not been heard of."""


class Webhook(msgspec.Struct, frozen=True, kw_only=True):
    """A program that is told of every fact."""

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


class Delivery(msgspec.Struct, frozen=True, kw_only=True):
    """Facts of one tournament that one webhook is to be told of."""

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
            newest = db.execute(
                f"{DELIVERY} WHERE hook = ? AND tournament = ? ORDER BY first DESC LIMIT 1", where
            )
            last = Delivery(**named(newest[0])) if newest else None
            if last and not (last.attempts or last.code) and last.last + 1 >= new[0]:  # never sent
                db.execute(f"UPDATE deliveries SET last = ? WHERE {WHICH}", (new[-1], *where, last.first))
            else:
                db.execute(ADD, (*where, new[0], new[-1]))


def named(row: Sequence[Any]) -> dict[str, Any]:
    """A row of deliveries by name."""
    return dict(zip(Delivery.__struct_fields__, row, strict=True))


def hooks(db: Writing) -> list[Webhook]:
    """All webhooks there are, the oldest first."""
    rows = db.execute(
        "SELECT id, url, secret, tournament, grant_id, who, since FROM hooks ORDER BY since, id"
    )
    return [Webhook(**dict(zip(Webhook.__struct_fields__, row, strict=True))) for row in rows]


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
            made = Webhook(
                id=secrets.token_hex(6),
                url=url,
                secret=f"whsec_{base64.b64encode(secrets.token_bytes(32)).decode()}",
                tournament=tournament,
                grant=grant,
                who=who,
                since=since,
            )
            db.execute("INSERT INTO hooks VALUES (?, ?, ?, ?, ?, ?, ?)", msgspec.structs.astuple(made))
        return made

    def remove(self, id: str) -> None:
        """Take one away, and all that was to be sent to it."""
        with self._there(id) as db:
            forget(db, id)

    def waiting(self, id: str, *, dead: bool = False) -> list[Delivery]:
        """Deliveries that are still to come, or those that were given up, in order."""
        with self._there(id) as db:
            rows = db.execute(
                f"{DELIVERY} WHERE hook = ? AND dead = ? ORDER BY tournament, first", (id, int(dead))
            )
        return [Delivery(**named(row)) for row in rows]

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
        found = [Delivery(**named(row)) for row in db.execute(NEXT, (hook.id, int(time.time()), most))]
        ready = []
        for one in found:
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


def forget(db: Writing, id: str) -> None:
    """Delete a webhook, its secret and what was to be sent to it."""
    db.execute("DELETE FROM deliveries WHERE hook = ?", (id,))
    db.execute("DELETE FROM hooks WHERE id = ?", (id,))
