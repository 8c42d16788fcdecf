"""The access book: grants and credentials, folded from rows that are only ever added.

A grant says who may do what, until when. A credential proves a grant: a link that works once or for a
while, a key for programs, a session of a browser, a password. The book holds the SHA-256 of a secret, never
the secret.
"""

import hashlib
import hmac
import os
import secrets
from collections.abc import Iterable
from typing import Final, Literal, TypeAlias

import msgspec
from msgspec.structs import replace

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

    def login(self, secret: str, kinds: Iterable[Kind], now: int) -> Login | None:
        """The login that this secret proves now, if any."""
        credential = self._by_digest.get(digest_of(secret))
        if credential is None or credential.kind not in kinds or not counts(credential, self.gone, now):
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
