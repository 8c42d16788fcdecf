"""The access book: grants and credentials, folded from rows that are only ever added.

A grant says who may do what, until when. A credential proves a grant: a link that works once or for a
while, a key for programs, a session of a browser, a password. The book holds the SHA-256 of a secret, never
the secret.

It lies with the log, in a file ``<file>-access.db`` or the schema ``<schema>_access``. What is added is
decided on all rows there are while everybody else waits: a link that works once works once, in any process.
"""

import hashlib
import hmac
import logging
import os
import secrets
import time
from collections.abc import Callable, Iterable, Iterator, Sequence
from contextlib import contextmanager, suppress
from pathlib import Path
from threading import Lock
from typing import Final, Literal, TypeAlias

import msgspec
from msgspec.structs import replace

from paircard.domain.errors import Busy, CorruptFile, PaircardError, StoreRefused, Unreachable
from paircard.domain.log.backends.sqlite import NOTHING, identity
from paircard.domain.log.location import Address, address_of
from paircard.projections.runner import File, Place, Schema, Writing
from paircard.service.desk import Person
from paircard.web.messages import Granted, Role

Kind: TypeAlias = Literal["link", "key", "session"]

COST: Final = 2**17
"""Of scrypt for a password that is set now: some tenths of a second, and 128 MB while it lasts."""


class Grant(Granted, frozen=True, kw_only=True, tag="granted"):
    """A grant as it is kept."""


class Credential(msgspec.Struct, frozen=True, kw_only=True, tag="issued"):
    """Something that proves a grant, known by the digest of its secret."""

    id: str
    grant: str
    kind: Kind
    digest: str
    until: int = 0
    once: bool = False
    """A link that is used up by the first session made with it."""
    note: str = ""
    came_by: str = ""
    """The link or password a session was made with."""


class Password(msgspec.Struct, frozen=True, kw_only=True, tag="password-set"):
    """An account by which somebody signs in."""

    account: str
    grant: str
    salt: str
    digest: str
    cost: int = 2**14
    """Of scrypt; passwords of before it was stored had this one."""


class Used(msgspec.Struct, frozen=True, kw_only=True, tag="used"):
    """A link that works once was used."""

    id: str


class Revoked(msgspec.Struct, frozen=True, kw_only=True, tag="revoked"):
    """A grant or a credential that no longer counts."""

    id: str
    by: str = ""


Entry: TypeAlias = Grant | Credential | Password | Used | Revoked


class Login(msgspec.Struct, frozen=True):
    """Somebody who proved a grant."""

    grant: Grant
    credential: Credential

    @property
    def who(self) -> str:
        """The name their facts are recorded under."""
        return self.grant.who

    @property
    def through(self) -> str:
        """What proved it: ``api-key:4f2c1a``, ``session:9b01de``. ``key:`` is for keys that sign."""
        kind = self.credential.kind
        return f"{'api-key' if kind == 'key' else kind}:{self.credential.id}"

    def person(
        self, key: str, *, why: str = "", accepts: tuple[str, ...] = (), expects: int | None = None
    ) -> Person:
        """Who asks over HTTP, whatever the door: the key of a request belongs to the grant it came with."""
        return Person(
            name=self.who,
            why=why,
            accepts=accepts,
            id=f"{self.grant.id}/{key}",
            expects=expects,
            through=self.through,
        )


class Book:
    """What the entries so far say."""

    def __init__(self, entries: Iterable[Entry] = ()) -> None:
        self.grants: dict[str, Grant] = {}
        self.credentials: dict[str, Credential] = {}
        self.passwords: dict[str, Password] = {}
        self.gone: set[str] = set()
        """Ids that were revoked, or used up."""
        self._by_digest: dict[str, Credential] = {}
        self.add(entries)

    def add(self, entries: Iterable[Entry]) -> None:
        """Take in further entries."""
        for entry in entries:
            match entry:
                case Grant():
                    self.grants[entry.id] = entry
                case Credential():
                    self.credentials[entry.id] = entry
                    self._by_digest[entry.digest] = entry
                case Password():
                    self.passwords[entry.account] = entry
                case Used(id=id) | Revoked(id=id):
                    self.gone.add(id)

    def live_grant(self, id: str, now: int) -> Grant | None:
        """The grant, if it counts now."""
        grant = self.grants.get(id)
        return grant if grant and counts(grant, self.gone, now) else None

    def login(self, secret: str, kind: Kind, now: int) -> Login | None:
        """The login that this secret of a kind proves now, if any."""
        credential = self._by_digest.get(digest_of(secret))
        if credential is None or credential.kind != kind or not counts(credential, self.gone, now):
            return None
        grant = self.live_grant(credential.grant, now)
        return Login(grant, credential) if grant else None

    def still_counts(self, login: Login, now: int) -> bool:
        """Whether somebody who came in may still stay."""
        return counts(login.credential, self.gone, now) and counts(login.grant, self.gone, now)

    def check_password(self, account: str, password: str, now: int) -> Grant | None:
        """The grant of an account; as slow for an account that does not exist."""
        known = self.passwords.get(account)
        salt = known.salt if known else "00" * 16
        cost = known.cost if known else COST
        same = hmac.compare_digest(scrypted(password, salt, cost), known.digest if known else "")
        return self.live_grant(known.grant, now) if known and same else None

    def grants_of(self, tournament: str | None, now: int) -> list[Grant]:
        """The grants that count: of one tournament, or all."""
        return [
            grant
            for grant in list(self.grants.values())
            if (tournament is None or grant.tournament == tournament) and counts(grant, self.gone, now)
        ]

    def given_by(self, id: str, now: int, apart_from: str = "") -> list[Grant]:
        """The grants that count and came from this one, also through others; without one and what it gave."""
        found: list[Grant] = []
        branch = {id}
        for grant in list(self.grants.values()):  # who gives was let in before
            if grant.giver in branch and grant.id != apart_from:
                branch.add(grant.id)
                found.append(grant)
        return [grant for grant in found if counts(grant, self.gone, now)]

    def credentials_of(self, grant: str, kind: Kind, now: int) -> list[Credential]:
        """The credentials of a grant that count."""
        return [
            one
            for one in list(self.credentials.values())
            if one.grant == grant and one.kind == kind and counts(one, self.gone, now)
        ]


def counts(one: Grant | Credential, gone: set[str], now: int) -> bool:
    """Whether it was not revoked and is not over."""
    return one.id not in gone and (not one.until or now < one.until)


def new_grant(role: Role, who: str, **more: object) -> Grant:
    """A grant with an id of its own."""
    return replace(Grant(id=new_id(), role=role, who=who), **more)


def new_credential(
    grant: Grant, kind: Kind, *, until: int = 0, once: bool = False, note: str = "", came_by: str = ""
) -> tuple[Credential, str]:
    """A credential and its secret, which is shown once and never stored."""
    secret = secrets.token_urlsafe(32)
    made = Credential(
        id=new_id(),
        grant=grant.id,
        kind=kind,
        digest=digest_of(secret),
        until=until,
        once=once,
        note=note,
        came_by=came_by,
    )
    return made, secret


def new_password(account: str, grant: Grant, password: str) -> Password:
    """An account for a grant."""
    salt = os.urandom(16).hex()
    digest = scrypted(password, salt, COST)
    return Password(account=account, grant=grant.id, salt=salt, digest=digest, cost=COST)


def scrypted(password: str, salt: str, cost: int) -> str:
    """The password as it is stored."""
    words, grain = password.encode("utf-8", "replace"), bytes.fromhex(salt)
    return hashlib.scrypt(words, salt=grain, n=cost, r=8, p=1, maxmem=2 * 128 * 8 * cost).hex()


def digest_of(secret: str) -> str:
    """The SHA-256 of a secret; 32 random bytes need no salt."""
    return hashlib.sha256(secret.encode("utf-8", "replace")).hexdigest()


def new_id() -> str:
    """The public name of a grant or credential."""
    return secrets.token_hex(6)


# Where the book is

PATIENCE: Final = 5
COLUMNS: Final = {
    False: "place INTEGER PRIMARY KEY AUTOINCREMENT, at INTEGER NOT NULL, entry BLOB NOT NULL",
    True: "place bigserial PRIMARY KEY, at bigint NOT NULL, entry bytea NOT NULL",
}
"""Of the table, in a file and in a database."""
AFTER: Final = "SELECT place, entry FROM access WHERE place > ? ORDER BY place"
ADD: Final = "INSERT INTO access (at, entry) VALUES (?, ?)"
_read: Final = msgspec.json.Decoder(Entry).decode
trouble: Final = logging.getLogger("paircard.web")


class AccessStore:
    """The access book of one store; any thread may use it."""

    def __init__(self, place: Place) -> None:
        self.answers = True
        """Whether the book could be read when it was last asked for."""
        self._place: Final = place
        self._db: Writing | None = None
        """The one connection, made again when it is lost."""
        self._file = NOTHING
        """Which file it was when it was opened; nothing in a database."""
        self._book = Book()
        self._seen = 0
        self._turn = Lock()
        with self._open() as db:
            if db.postgres and db.execute("SELECT to_regclass('access')") != [(None,)]:
                return
            with place.transaction(db.connection) as first:
                place.make(first)
                first.execute(f"CREATE TABLE IF NOT EXISTS access ({COLUMNS[db.postgres]})")

    def book(self) -> Book:
        """The book as it is now, also after another process wrote in it."""
        with self._turn:
            try:
                with self._open() as db:
                    self._catch_up(db)
            except StoreRefused:
                self.answers = False
                raise
            self.answers = True
        return self._book

    def write(self, decide: Callable[[Book], Sequence[Entry]]) -> None:
        """Add what is decided on the newest book while nobody else may write."""
        with self._turn, self._open() as opened, self._place.transaction(opened.connection) as db:
            if db.postgres:  # also before a server of an older version, which knows no other lock
                db.execute("LOCK TABLE access IN EXCLUSIVE MODE")
            self._catch_up(db)
            for entry in decide(self._book):
                db.execute(ADD, (int(time.time()), msgspec.json.encode(entry)))
        self.book()

    def close(self) -> None:
        """Let go of the file."""
        with self._turn:
            self._let_go()

    def _catch_up(self, db: Writing) -> None:
        for place, content in db.execute(AFTER, (self._seen,)):
            try:
                self._book.add((_read(content),))
            except msgspec.DecodeError:
                raise CorruptFile("http.book-damaged", number=place) from None
            self._seen = place

    def _file_now(self) -> tuple[int, int]:
        return identity(self._place.path) if isinstance(self._place, File) else NOTHING

    def _let_go(self) -> None:
        opened, self._db = self._db, None
        if opened is not None:
            with suppress(Exception):
                opened.connection.close()

    @contextmanager
    def _open(self) -> Iterator[Writing]:
        """The place of the book; what the database and the file system say, for people."""
        place = self._place
        try:
            if self._file not in (NOTHING, self._file_now()):
                raise Unreachable("http.book-replaced", path=place.shown)
            if self._db is None:
                self._db = Writing(place.open(), postgres=isinstance(place, Schema))
                self._file = self._file_now()
            yield self._db
        except PaircardError:
            raise
        except Exception as error:
            reason = place.reason(error)
            if reason is None:
                raise
            trouble.warning("access book of %s: %s", place.shown, error)
            self._let_go()
            if not reason:
                raise Busy("http.book-locked") from None
            raise Unreachable("http.book-unusable", reason=reason) from None


def open_access(location: str | Path) -> AccessStore:
    """The access book of the store at a location."""
    address = address_of(location)
    if isinstance(address, Address):
        return AccessStore(Schema(replace(address, schema=f"{address.schema}_access"), PATIENCE))
    return AccessStore(File(Path(f"{address}-access.db"), application=0, patience=PATIENCE))
