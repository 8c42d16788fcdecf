"""Who entered what: signatures in the facts, and the keys a federation lists.

The last fact of a request carries the signature of the person who asked; the chain covers the others. A key
speaks for a person if a list says so that the federation has signed, with the days from which and until
which it does:

    paircard/keys
    anna.example+a7388b9f+AW56… 2026-01-01 2026-12-31
    bruno.example+0f31c2aa+AQ2k… 2026-03-01 -

    — federation.example …

Whatever has no signature is a claim: a name that somebody typed.
"""

import re
from collections import Counter
from collections.abc import Iterator, Sequence
from itertools import groupby
from typing import Final

import msgspec

from paircard.domain.errors import Invalid
from paircard.domain.events import Recorded
from paircard.domain.log.stored import StoredFact, decode_fact, signature_in, signed_text
from paircard.domain.messages import Message, say
from paircard.domain.proof.note import Signer, Verifier, parse_key, parse_note, signed_by

HEADING: Final = "paircard/keys"
SERVERS_OWN: Final = 12
"""Digits of a server's key, which signs nothing: facts of format 2 name it ``key:``, as if it did."""
FOR_EVER: Final = "-"
ROLE: Final = "role:"
_DAY: Final = r"[0-9]{4}-[0-9]{2}-[0-9]{2}"
_LISTED: Final = re.compile(rf"(\S+\+[0-9a-f]{{8}}\+\S+) ({_DAY}) ({_DAY}|-)")


class ListedKey(msgspec.Struct, frozen=True):
    """A key that speaks for a person, and when."""

    key: Verifier
    since: str
    """The first day."""
    until: str
    """The last day, or ``-``."""

    def line(self) -> str:
        return f"{self.key.line()} {self.since} {self.until}"

    def speaks_at(self, when: str) -> bool:
        day = when[:10]
        return self.since <= day and (self.until == FOR_EVER or day <= self.until)


class Recorders(msgspec.Struct, frozen=True):
    """The roles a server has recorded next to the facts of a tournament."""

    roles: Sequence[str] = ()
    """One for each fact, empty where none was recorded; none at all where there is no server."""
    owner: str = ""
    """The role that owns the tables: facts copied in by it keep the roles they name."""


NOBODY: Final = Recorders()


class Author(msgspec.Struct, frozen=True):
    """How many facts somebody entered, and what their name rests on."""

    who: str
    facts: int
    how: str
    """``signed`` by a listed key, ``signature not checked``, a ``role``, or ``claimed``."""


def parse_listed(text: str) -> ListedKey:
    found = _LISTED.fullmatch(text.strip())
    if not found:
        raise Invalid("proof.not-a-listed-key", text=text)
    return ListedKey(parse_key(found[1]), found[2], found[3])


class KeyList(msgspec.Struct, frozen=True):
    """The keys of a federation's people."""

    keys: Sequence[ListedKey]

    def text(self) -> str:
        """The lines that are signed."""
        return f"{HEADING}\n" + "".join(f"{key.line()}\n" for key in self.keys)


def sign_list(keys: Sequence[ListedKey], signer: Signer) -> str:
    return signer.sign(KeyList(keys)).text()


def parse_list(text: str, trusted: Sequence[Verifier]) -> list[ListedKey]:
    if not text.startswith(f"{HEADING}\n") or "\n\n" not in text or not text.endswith("\n"):
        raise Invalid("proof.not-a-key-list", value=HEADING)
    note = parse_note(text)
    if not signed_by(note, trusted):
        raise Invalid("proof.key-list-not-trusted")
    return [parse_listed(line) for line in note.body.splitlines()[1:]]


def check_signatures(
    rows: Sequence[StoredFact], keys: Sequence[ListedKey], recorders: Recorders = NOBODY
) -> tuple[list[Author], list[tuple[int, Message]]]:
    """Who entered how many facts, and which signatures are wrong, by version; rows must be a whole chain."""
    counts: Counter[tuple[str, str]] = Counter()
    wrong: list[tuple[int, Message]] = []
    for request in requests_of(rows):
        last, row = request[-1]
        how, why = standing(last, row, keys)
        if last.through.startswith(ROLE):
            how, why = role_standing([fact for fact, _ in request], recorders)
        counts[last.who, how] += len(request)
        if why:
            wrong.append((last.version, why))
        wrong += [
            (fact.version, say("proof.signed-in-the-middle")) for fact, _ in request[:-1] if fact.signed
        ]
    return [Author(who, facts, how) for (who, how), facts in sorted(counts.items())], wrong


def requests_of(rows: Sequence[StoredFact]) -> Iterator[list[tuple[Recorded, StoredFact]]]:
    """The facts of each request: one id, one person, one way in."""
    facts = ((decode_fact(row), row) for row in rows)
    for _, group in groupby(facts, key=lambda one: (one[0].command_id, one[0].who, one[0].through)):
        yield list(group)


def role_standing(request: Sequence[Recorded], recorders: Recorders) -> tuple[str, Message | None]:
    """What a role in some facts rests on, and what the server has recorded against it."""
    role = request[0].through.removeprefix(ROLE)
    if not recorders.roles:
        return f"role {role}, not checked", None
    for fact in request:
        recorded = recorders.roles[fact.version - 1]
        if recorded == recorders.owner != role:
            return f"role {role}, copied in by {recorded}", None
        if recorded != role:
            return "claimed", say("proof.role-otherwise", id=role, value=recorded)
    return f"role {role}", None


def standing(fact: Recorded, row: StoredFact, keys: Sequence[ListedKey]) -> tuple[str, Message | None]:
    """What the name in a fact rests on, and what is wrong with it; nothing for most."""
    kind, _, id = fact.through.partition(":")
    payload, signature = signature_in(row.state)
    if not signature:
        if kind == "key" and len(id) == SERVERS_OWN:
            return "api-key", None
        if kind == "key":
            return "claimed", say("proof.not-signed", id=id[:20])
        return (kind or "claimed"), None
    if not keys:
        return "signature not checked", None
    text = signed_text(fact.previous, fact.tournament, fact.version, row.topic, payload)
    listed = [one for one in keys if one.key.key_id == id]
    good = [one for one in listed if one.key.signed(text, signature)]
    if not listed:
        return "signed by a key not listed", say("proof.key-not-listed", id=id[:20])
    if not good:
        return "wrongly signed", say("proof.signature-of-key-wrong", id=id[:20])
    if not any(one.speaks_at(fact.when) for one in good):
        return "signed too early or too late", say("proof.key-silent-then", id=id[:20], when=fact.when)
    return f"signed by {good[0].key.name}", None
