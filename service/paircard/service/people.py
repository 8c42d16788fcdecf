"""Who asks: a name, the terms of the request, and where ids and the time come from."""

from collections.abc import Callable
from datetime import UTC, datetime
from random import Random, SystemRandom
from typing import Final
from uuid import uuid4

import msgspec
from msgspec.structs import replace

from paircard.domain.commands import Meta
from paircard.domain.deciding.decision import need_type
from paircard.domain.errors import Invalid
from paircard.domain.proof.note import Signer


def random_id() -> str:
    """An id nobody else has."""
    return uuid4().hex


def utc_now() -> str:
    """The time as the log writes it."""
    return datetime.now(UTC).strftime("%Y-%m-%dT%H:%M:%SZ")


KINDS: Final = {"name": str, "why": str, "id": str, "through": str, "expects": int | None}
"""Of what a person says; codes that are accepted are looked up one by one."""


class Person(msgspec.Struct, frozen=True, kw_only=True):
    """Somebody who asks.

    >>> anna = person("Anna Arbiter")
    >>> anna.because("both players signed a draw").accepting("correction").why
    'both players signed a draw'
    """

    name: str
    why: str = ""
    """The reason; corrections and exceptions need one."""
    accepts: tuple[str, ...] = ()
    """Codes of the warnings that are accepted."""
    id: str = ""
    """Id of the request: sent twice, it counts once. Empty for one that is made now."""
    expects: int | None = None
    """The version of the tournament the request was made in view of; None if that does not matter."""
    through: str = ""
    """What the name rests on, if it is more than a claim: ``link:…``, ``session:…``."""
    signer: Signer | None = None
    """The key this person signs with."""
    new_id: Callable[[], str] = random_id
    clock: Callable[[], str] = utc_now
    lots: Random = msgspec.field(default_factory=SystemRandom)
    """Draws lots."""

    def because(self, why: str) -> "Person":
        """The same person, with a reason."""
        return replace(self, why=why)

    def accepting(self, *codes: str) -> "Person":
        """The same person, who accepts these warnings."""
        return replace(self, accepts=(*self.accepts, *codes))

    def under(self, id: str) -> "Person":
        """The same person, with an id for the request."""
        return replace(self, id=id)

    def expecting(self, version: int | None) -> "Person":
        """The same person, whose request is refused if the tournament is not at this version."""
        return replace(self, expects=version)

    def meta(self) -> Meta:
        """Who, when and why, for one request."""
        return Meta(
            who=self.name,
            when=self.clock(),
            command_id=self.id or self.new_id(),
            why=self.why,
            through=f"key:{self.signer.verifier().key_id}" if self.signer else self.through,
            acknowledge=self.accepts,
        )


def need_person(by: Person) -> None:
    """Refuse what a program without types gives in the place of somebody who asks."""
    if not isinstance(by, Person):
        raise Invalid(f"by: expected a Person, got {type(by).__name__}")
    texts = type(by.name) is type(by.why) is type(by.id) is type(by.through) is str
    if texts and type(by.accepts) is tuple and (by.expects is None or type(by.expects) is int):
        return  # as everybody with a type checker has it
    for name, kind in KINDS.items():
        need_type(name, getattr(by, name), kind)


def person(name: str) -> Person:
    """Somebody by name, with random ids and the clock of this machine."""
    return Person(name=name)
