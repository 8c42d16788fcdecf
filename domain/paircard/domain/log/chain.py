"""The envelope of a fact as bytes, and the chain that makes the log tamper-evident.

What is stored of a fact is one JSON object: the fact, who, when, why, the command and the accepted
warnings, in this order; where there are some, ``through``, ``private`` and ``signed``; then ``previous``
and ``hash``. The hash is SHA-256 over five lines

    hash of the fact before · id of the tournament · version · topic · the object without its last two members

so a change, a swap, an insertion or a removal anywhere shows from there on. Canonical bytes are the
stored bytes: nothing has to be encoded again to check them.
"""

import re
from base64 import b64decode, b64encode
from collections.abc import Callable, Iterable, Sequence
from hashlib import sha256
from typing import Final

import msgspec
from msgspec import UNSET, UnsetType

from paircard.domain.errors import CorruptFile, Invalid, NewerFile, SetBack
from paircard.domain.events import EVENT_TYPES, Event, Recorded
from paircard.domain.log.privacy import Salt, line_of, put_together, take_apart, with_pieces
from paircard.domain.log.rows import Row

GENESIS: Final = "0" * 64
"""Stands before the first fact."""
FACT_VERSION: Final = 1
"""Part of every topic, ``result-recorded/1``; a fact whose meaning had to change would get its own."""
HEADLINES: Final = "topic IN ('tournament-opened/1', 'tournament-details-changed/1', 'tournament-closed/1')"
"""In SQL, the facts that name tournaments and tell which are over."""
MILESTONES: Final = (
    "topic IN ('round-paired/1', 'round-unpaired/1', 'round-published/1', 'round-completed/1', "
    "'fide-mode-left/1')"
)
"""Those that tell how far a tournament has come, by their kind alone."""
REOPENINGS: Final = "topic IN ('round-reopened/1', 'tournament-reopened/1')"
"""Those that take an end back; they came later and have an index of their own."""
REGISTRATIONS: Final = "topic='player-registered/1'"
"""One for each player."""
ERASURES: Final = "person-erased/1"
"""Those that name personal parts which were removed."""

SIGNED_FACT: Final = "paircard/signed-fact"
"""First line of what is signed: so that it is never taken for a checkpoint, or one for it."""
Sign = Callable[[bytes], bytes]
_SIGNED: Final = re.compile(rb',"signed":"([A-Za-z0-9+/]{86}==)"\}\Z')
_TAIL: Final = b',"previous":"%b","hash":"%b"}'
_TAIL_LENGTH: Final = len(_TAIL % (GENESIS.encode(), GENESIS.encode()))


class _Payload(msgspec.Struct, kw_only=True):
    fact: Event
    who: str
    when: str
    why: str
    command_id: str
    acknowledged: tuple[str, ...]
    through: str | UnsetType = UNSET
    private: tuple[str, ...] | UnsetType = UNSET
    signed: str | UnsetType = UNSET


class Stored(_Payload, kw_only=True):
    """The members of a stored object."""

    previous: str
    hash: str


_encode: Final = msgspec.json.Encoder().encode
_decode: Final = msgspec.json.Decoder(Stored).decode
_TOPICS: Final = {
    kind: f"{kind.__struct_config__.tag}/{FACT_VERSION}"  # a tag is stored for ever, an import path never
    for kind in EVENT_TYPES
}
_KNOWN: Final = frozenset(_TOPICS.values())


def topic_of(fact: Event) -> str:
    """The stored name of the fact with its version."""
    return _TOPICS[type(fact)]


def payload_of(recorded: Recorded) -> bytes:
    """The canonical bytes that are hashed: the envelope without its place in the chain."""
    return _encode(
        _Payload(
            fact=recorded.fact,
            who=recorded.who,
            when=recorded.when,
            why=recorded.why,
            command_id=recorded.command_id,
            acknowledged=recorded.acknowledged,
            through=recorded.through or UNSET,
            private=recorded.private or UNSET,
            signed=recorded.signed or UNSET,
        )
    )


def link_hash(previous: str, tournament: str, version: int, topic: str, payload: bytes) -> str:
    """The hash of a fact in its place."""
    head = f"{previous}\n{tournament}\n{version}\n{topic}\n".encode()
    return sha256(head + payload).hexdigest()


class Sealed(msgspec.Struct, frozen=True):
    """A fact in its place in the chain, and the bytes that are stored of it: a domain event."""

    fact: Recorded
    stored: bytes
    """With its pieces, see ``privacy``."""

    @property
    def originator_id(self) -> str:
        return self.fact.tournament

    @property
    def originator_version(self) -> int:
        return self.fact.version

    @property
    def topic(self) -> str:
        return topic_of(self.fact.fact)

    @property
    def row(self) -> Row:
        return self.fact.version, self.topic, self.stored


def signed_text(previous: str, tournament: str, version: int, topic: str, payload: bytes) -> bytes:
    """What a person signs of a fact: its place in the chain, and the object without ``signed``."""
    return f"{SIGNED_FACT}\n{previous}\n{tournament}\n{version}\n{topic}\n".encode() + payload


def signature_in(stored: bytes) -> tuple[bytes, bytes]:
    """The object of a stored fact without ``signed``, and the signature; empty if there is none."""
    payload = line_of(stored)[:-_TAIL_LENGTH] + b"}"
    found = _SIGNED.search(payload)
    if not found:
        return payload, b""
    return payload[: found.start()] + b"}", b64decode(found[1])


def seal(recorded: Recorded, previous: str, sign: Sign | None = None, salt: Salt | None = None) -> Sealed:
    """The fact with its hash and, if it is to be signed, its signature; and the bytes to store.

    With salts, personal parts stand beside the chain. What could not be read again as it is, is refused:
    nothing that was stored can be taken back.
    """
    topic = topic_of(recorded.fact)
    try:
        payload, pieces = payload_of(msgspec.structs.replace(recorded, private=())), list[bytes]()
    except (msgspec.MsgspecError, TypeError, ValueError, RecursionError) as reason:
        raise _unreadable(topic, str(reason)) from None
    if salt is not None:
        payload, pieces = take_apart(payload, salt)
    if sign is not None:
        text = signed_text(previous, recorded.tournament, recorded.version, topic, payload)
        recorded = msgspec.structs.replace(recorded, signed=b64encode(sign(text)).decode())
        payload = payload[:-1] + b',"signed":"%b"}' % recorded.signed.encode()
    hash = link_hash(previous, recorded.tournament, recorded.version, topic, payload)
    private = tuple(sha256(piece).hexdigest() for piece in pieces)
    sealed = msgspec.structs.replace(recorded, private=private, previous=previous, hash=hash)
    stored = with_pieces(payload[:-1] + _TAIL % (previous.encode(), hash.encode()), pieces)
    try:
        read = _decode(put_together(stored))
    except (msgspec.DecodeError, LookupError, RecursionError) as reason:
        raise _unreadable(topic, str(reason)) from None
    if (other := _first_difference(sealed, read)) is not None:
        raise _unreadable(topic, other)
    return Sealed(sealed, stored)


_SAME: Final = ("fact", "who", "when", "why", "command_id", "acknowledged")


def _first_difference(given: Recorded, read: Stored) -> str | None:
    """The first member that would be read as another value than was given; None if there is none."""
    for name in _SAME:
        one, other = getattr(given, name), getattr(read, name)
        if one == other:
            continue
        if isinstance(one, msgspec.Struct) and type(one) is type(other):
            fields = ((field, getattr(one, field), getattr(other, field)) for field in one.__struct_fields__)
            name, one, other = next((f"{name}.{field}", a, b) for field, a, b in fields if a != b)
        return f"{name} {str(one)[:40]!r} would be read as {str(other)[:40]!r}"
    return None


def _unreadable(topic: str, reason: str) -> Invalid:
    words = reason.replace("`", "").replace("$.", "")
    return Invalid(f"{topic.partition('/')[0]} cannot be recorded, for it could not be read again: {words}")


def stored_bytes(recorded: Recorded) -> bytes:
    """The bytes of a fact that was sealed before."""
    return payload_of(recorded)[:-1] + _TAIL % (recorded.previous.encode(), recorded.hash.encode())


def previous_of(stored: bytes) -> str:
    """The hash of the fact before, as the stored bytes name it."""
    return line_of(stored)[-_TAIL_LENGTH:][13:77].decode("ascii", "replace")


def decode_fact(tournament: str, version: int, topic: str, stored: bytes, position: int = 0) -> Recorded:
    """Read a stored fact."""
    s = decode_payload(tournament, version, topic, stored)
    return Recorded(
        tournament=tournament,
        version=version,
        fact=s.fact,
        who=s.who,
        when=s.when,
        why=s.why,
        command_id=s.command_id,
        acknowledged=s.acknowledged,
        through=s.through or "",
        private=s.private or (),
        signed=s.signed or "",
        previous=s.previous,
        hash=s.hash,
        position=position,
    )


def decode_payload(tournament: str, version: int, topic: str, stored: bytes) -> Stored:
    """What is in the stored bytes, without its place in the log."""
    try:
        return _decode(put_together(stored))
    except (msgspec.DecodeError, UnicodeDecodeError, TypeError, LookupError, RecursionError) as reason:
        if topic not in _KNOWN:
            raise NewerFile(
                f"fact {version} of tournament {tournament} is a {topic!r}, "
                "which this version does not know: use a newer paircard"
            ) from None
        raise CorruptFile(f"fact {version} of tournament {tournament} cannot be read: {reason}") from None


class _Named(msgspec.Struct, frozen=True):
    name: str | None = None


class _Naming(msgspec.Struct):
    regulations: _Named = _Named()
    changes: _Named = _Named()


class _Headline(msgspec.Struct):
    fact: _Naming


_read_name: Final = msgspec.json.Decoder(_Headline).decode


def name_in(tournament: str, version: int, topic: str, stored: bytes) -> str:
    """The name a headline gives a tournament, empty if it gives none; the rest is not looked at."""
    if not isinstance(stored, bytes):  # another program may have stored text
        raise _changed(tournament, version)
    try:
        fact = _read_name(line_of(stored)).fact
    except (msgspec.DecodeError, UnicodeDecodeError, TypeError) as reason:
        raise CorruptFile(f"fact {version} of tournament {tournament} cannot be read: {reason}") from None
    return fact.regulations.name or fact.changes.name or ""


def check_link(previous: str, tournament: str, version: int, topic: str, stored: bytes) -> str:
    """The hash of a stored fact, if it follows on the one before and was not changed."""
    hash = sha256(hash_preimage(previous, tournament, version, topic, stored)).hexdigest()
    if not line_of(stored).endswith(f',"previous":"{previous}","hash":"{hash}"}}'.encode()):
        raise _changed(tournament, version)
    return hash


def _changed(tournament: str, version: int) -> CorruptFile:
    return CorruptFile(
        f"fact {version} of tournament {tournament} was changed after it was recorded, or does not "
        "belong there: restore the file from a copy"
    )


def check_chain(tournament: str, rows: Iterable[tuple[int, str, bytes]]) -> tuple[int, str]:
    """Length and head of a log that is whole from its first fact on; refuses one that is not.

    Rows are version, topic and stored bytes, never facts encoded again: a fact written before it got a
    new field must still be checked by the bytes of then.
    """
    hashes = chain_of(tournament, rows)
    return len(hashes), hashes[-1] if hashes else GENESIS


def chain_of(
    tournament: str, rows: Iterable[tuple[int, str, bytes]], length: int = 0, head: str = GENESIS
) -> list[str]:
    """The hash of every fact that follows on a log of this length and head; refuses one that does not."""
    hashes = []
    for place, (version, topic, stored) in enumerate(rows, start=length + 1):
        if version != place:
            raise CorruptFile(gap_message(tournament, place))
        head = check_link(head, tournament, version, topic, stored)
        hashes.append(head)
    return hashes


def decode_chain(
    tournament: str, rows: Iterable[tuple[int, str, bytes]], length: int = 0, head: str = GENESIS
) -> list[Recorded]:
    """Facts that follow on a log of this length and head; a gap or a change is refused."""
    facts = []
    for version, topic, stored in rows:
        length += 1
        if version != length:
            raise CorruptFile(gap_message(tournament, length))
        head = check_link(head, tournament, version, topic, stored)
        facts.append(decode_fact(tournament, version, topic, stored))
    return facts


def gap_message(tournament: str, version: int) -> str:
    """What is said of a gap."""
    return f"fact {version} of tournament {tournament} is missing: restore the file from a copy"


def rows_after(tournament: str, rows: Sequence[Row], version: int, head: str) -> Sequence[Row]:
    """The rows after a known fact, which must be the first of them and unchanged."""
    if not version:
        return rows
    ends = f',"hash":"{head}"}}'.encode()
    if not rows or rows[0][0] != version or not line_of(rows[0][2]).endswith(ends):
        raise SetBack(
            f"fact {version} of tournament {tournament} is no longer there, or is another one: the store was "
            "set back, or put in the place of another. Nothing was recorded: look at the log, then repeat",
            tournament,
            version,
        )
    return rows[1:]


def hash_preimage(previous: str, tournament: str, version: int, topic: str, stored: bytes) -> bytes:
    """The bytes whose SHA-256 is the hash of a stored fact."""
    head = f"{previous}\n{tournament}\n{version}\n{topic}\n".encode()
    return head + line_of(stored)[:-_TAIL_LENGTH] + b"}"
