"""A fact as it is stored: one line in the chain of hashes, and its personal parts, which can be erased.

The line is one JSON object: the fact, who, when, why, the command and the accepted warnings, in this order;
where there are some, ``through``, ``private`` and ``signed``; then ``previous`` and ``hash``. The hash is
SHA-256 over five lines

    hash of the fact before · id of the tournament · version · topic · the object without its last two members

so a change, a swap, an insertion or a removal anywhere shows from there on. Canonical bytes are the
stored bytes: nothing has to be encoded again to check them.

The name, birth and ids of a person, officials, the source of an import and every free-text reason are not
in the line. They are in *parts*, one JSON object each with a salt of its own, and the line holds the SHA-256
of each part. Removing a part changes no fact, no hash and no proof.
"""

import os
import re
from abc import ABC, abstractmethod
from collections.abc import Callable, Collection, Iterable, Iterator, Mapping, Sequence
from functools import cache
from hashlib import sha256
from typing import Any, Final

import msgspec
from msgspec.structs import asdict, replace

from paircard.domain.errors import CorruptFile, Invalid, NewerFile
from paircard.domain.events import EVENT_TYPES, Event, PersonErased, Recorded
from paircard.domain.values import players

GENESIS: Final = "0" * 64
"""Stands before the first fact."""
FACT_VERSION: Final = 1
"""Part of every topic, ``result-recorded/1``; a fact whose meaning had to change gets another name."""
ERASURES: Final = "person-erased/1"
"""Topic of the facts that name personal parts which were removed."""

IDENTITY: Final = ("sex", "birth", "fide_id", "national_id")
"""What no list shows: it stands in a part of its own, so that a name can be proven without it."""
OFFICIALS: Final = ("organiser", "chief_arbiter", "arbiters")
SOURCE: Final = ("source", "adjustments", "kept")
PERSONAL: Final[dict[str, tuple[str, tuple[str, ...]]]] = {
    "player-registered": ("details", players.PERSONAL),
    "player-details-corrected": ("changes", players.PERSONAL),
    "tournament-opened": ("regulations", OFFICIALS),
    "tournament-details-changed": ("changes", OFFICIALS),
    "tournament-imported": ("", SOURCE),
}
"""By kind of fact: the member that holds personal data (empty for the fact itself), and its names there."""
ERASED: Final = "(erased)"
"""Stands where a text is gone that must not be empty."""

SIGNED_FACT: Final = "paircard/signed-fact"
"""First line of what is signed: so that it is never taken for a checkpoint, or one for it."""
Sign = Callable[[bytes], bytes]
Salt = Callable[[], str]
_SIGNED: Final = rb',"signed":"([A-Za-z0-9+/]{86}==)"\}\Z'
_MARK: Final = b'"private":["'
_TAIL: Final = b',"previous":"%b","hash":"%b"}'
_TAIL_LENGTH: Final = len(_TAIL % (GENESIS.encode(), GENESIS.encode()))


class StoredFact(msgspec.Struct, frozen=True, gc=False):
    """A fact as the store has it; member for member a ``Notification`` of the eventsourcing package."""

    originator_id: str
    """Id of the tournament."""
    originator_version: int
    topic: str
    state: bytes
    """The line."""
    id: int = 0
    """Position in the order of all facts of the store; 0 where that is not known."""
    parts: tuple[bytes, ...] = ()
    """Personal parts that are there."""

    def by_hash(self) -> dict[str, bytes]:
        """The parts by what facts commit to."""
        return {sha256(part).hexdigest(): part for part in self.parts}


class Unreadable(msgspec.Struct, frozen=True):
    """A stored fact that nobody can read: its tournament ends there, the others go on."""

    tournament: str
    version: int
    position: int
    hash: str
    """Of its bytes as they are."""
    why: str
    """In a sentence that names tournament and fact."""


class Sealed(msgspec.Struct, frozen=True):
    """A fact in its place in the chain, and what is stored of it."""

    fact: Recorded
    stored: StoredFact


class _Payload(msgspec.Struct, kw_only=True, omit_defaults=True):
    fact: Event
    who: str
    when: str
    why: str
    command_id: str
    acknowledged: tuple[str, ...]
    through: str = ""
    private: tuple[str, ...] = ()
    signed: str = ""


class Stored(_Payload, kw_only=True):
    """The members of a stored line, under the names they have in ``Recorded``."""

    previous: str
    hash: str


class _Committed(msgspec.Struct):
    private: tuple[str, ...] = ()


_encode: Final = msgspec.json.Encoder().encode
_decode: Final = msgspec.json.Decoder(Stored).decode
_TOPICS: Final = {
    kind: f"{kind.__struct_config__.tag}/{FACT_VERSION}"  # a tag is stored for ever, an import path never
    for kind in EVENT_TYPES
}
_KNOWN: Final = frozenset(_TOPICS.values())


# Sealing


def topic_of(fact: Event) -> str:
    return _TOPICS[type(fact)]


def new_salt() -> str:
    """128 random bits: a birth or a name cannot be guessed from its hash."""
    return os.urandom(16).hex()


def payload_of(recorded: Recorded) -> bytes:
    """The canonical bytes that are hashed: the envelope without its place in the chain."""
    return _encode(_Payload(**{name: getattr(recorded, name) for name in _Payload.__struct_fields__}))


def preimage(previous: str, tournament: str, version: int, topic: str, payload: bytes) -> bytes:
    """What is hashed of a fact: its place in the chain, and the object."""
    return f"{previous}\n{tournament}\n{version}\n{topic}\n".encode() + payload


def link_hash(previous: str, tournament: str, version: int, topic: str, payload: bytes) -> str:
    return sha256(preimage(previous, tournament, version, topic, payload)).hexdigest()


def signed_text(previous: str, tournament: str, version: int, topic: str, payload: bytes) -> bytes:
    """What a person signs of a fact: its place in the chain, and the object without ``signed``."""
    return f"{SIGNED_FACT}\n".encode() + preimage(previous, tournament, version, topic, payload)


def seal(recorded: Recorded, previous: str, sign: Sign | None = None, salt: Salt | None = None) -> Sealed:
    """The fact with its hash and, if it is to be signed, its signature; and what is to be stored of it.

    With salts, personal parts stand apart from the chain. What could not be read again as it is, is refused:
    nothing that was stored can be taken back.
    """
    topic = _TOPICS[type(recorded.fact)]
    tournament, version = recorded.tournament, recorded.version
    try:
        payload, parts = payload_of(replace(recorded, private=())), list[bytes]()
    except (msgspec.MsgspecError, TypeError, ValueError, RecursionError) as reason:
        raise _unreadable(topic, str(reason)) from None
    if salt is not None:
        payload, parts = take_apart(payload, salt)
    signed = recorded.signed
    if sign is not None:
        signed = msgspec.to_builtins(sign(signed_text(previous, tournament, version, topic, payload)))
        payload = payload[:-1] + b',"signed":"%b"}' % signed.encode()
    hash = link_hash(previous, tournament, version, topic, payload)
    line = payload[:-1] + _TAIL % (previous.encode(), hash.encode())
    stored = StoredFact(tournament, version, topic, line, 0, tuple(parts))
    private = tuple(stored.by_hash())
    sealed = replace(recorded, private=private, signed=signed, previous=previous, hash=hash)
    try:
        read = _decode(put_together(stored))
    except (msgspec.DecodeError, LookupError, RecursionError) as reason:
        raise _unreadable(topic, str(reason)) from None
    if (other := _first_difference(sealed, read)) is not None:
        raise _unreadable(topic, other)
    return Sealed(sealed, stored)


def seal_all(
    drafts: Sequence[Recorded], head: str, sign: Sign | None = None, salt: Salt | None = None
) -> list[Sealed]:
    """Facts of one request after each other; one signature, in the last: the chain covers the others."""
    sealed: list[Sealed] = []
    for draft in drafts:
        sealed.append(seal(draft, head, sign if draft is drafts[-1] else None, salt))
        head = sealed[-1].fact.hash
    return sealed


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
    return Invalid("store.not-readable-again", kind=topic.partition("/")[0], reason=words)


def take_apart(payload: bytes, salt: Salt) -> tuple[bytes, list[bytes]]:
    """The payload without what is personal and with its commitments, and the parts that hold it."""
    whole = msgspec.json.decode(payload)
    patches = list(personal_parts(whole))
    if not patches:
        return payload, []
    parts = [msgspec.json.encode({"salt": salt(), **patch}) for patch in patches]
    whole["private"] = [sha256(part).hexdigest() for part in parts]
    return msgspec.json.encode(whole), parts


def personal_parts(whole: dict[str, Any]) -> Iterable[dict[str, Any]]:
    """Take what is personal out of an envelope, one part per person concerned and one for the reason."""
    fact = whole["fact"]
    holder, names = PERSONAL.get(fact["type"], ("", ()))
    inner = fact[holder] if holder else fact
    if any(inner.get(name) for name in names):
        taken = {name: inner.pop(name) for name in names if name in inner}
        shown = {name: value for name, value in taken.items() if name not in IDENTITY}
        for part in (shown, {name: taken[name] for name in taken if name not in shown}):
            if part:
                yield {"fact": {holder: part} if holder else part}
    if whole["why"]:
        yield {"why": whole["why"]}
        whole["why"] = ""


def as_stored(recorded: Recorded) -> StoredFact:
    """What is stored of a fact that was sealed before, without personal parts."""
    line = payload_of(recorded)[:-1] + _TAIL % (recorded.previous.encode(), recorded.hash.encode())
    return StoredFact(recorded.tournament, recorded.version, topic_of(recorded.fact), line)


# Reading


def stored_facts(rows: Iterable[Sequence[Any]]) -> Iterator[StoredFact]:
    """Facts from rows of position, id, version, topic, line and part; a row for each part of a fact.

    What is no bytes was put there by another program: as nothing at all it fits no hash.
    """
    fact: StoredFact | None = None
    for position, id, version, topic, line, part in rows:
        parts: tuple[bytes, ...] = ()
        if part is not None:
            parts = (part if isinstance(part, bytes) else str(part).encode(),)
        if fact is not None:
            if parts and fact.originator_id == id and fact.originator_version == version:
                parts = (*fact.parts, *parts)
            else:
                yield fact
        fact = StoredFact(id, version, topic, line if isinstance(line, bytes) else b"", position or 0, parts)
    if fact is not None:
        yield fact


COLUMNS: Final = "originator_id, originator_version, topic, state"
NO_PARTS: Final = (
    "WITH private AS (SELECT '' AS tournament, 0 AS version, '' AS hash, NULL AS bytes WHERE 1=0) "
)
"""Before a question for facts, where an earlier program left no table for personal parts."""


class FactRecorder(ABC):
    """What is asked of a recorder of the library, for facts with their personal parts.

    One SQL for both databases; inside a transaction of its thread, a question is part of that one.
    """

    position: str = "rowid"
    """The column that numbers the facts of all tournaments in the order they were recorded."""

    def select_events(
        self,
        originator_id: object,
        *,
        gt: int | None = None,
        lte: int | None = None,
        desc: bool = False,
        limit: int | None = None,
    ) -> list[Any]:
        """Facts of a tournament; all of them without ``gt``, also under numbers that no log has."""
        conditions: dict[str, list[Any]] = {"originator_id=?": [originator_id]}
        if gt is not None:
            conditions["originator_version>?"] = [gt]
        if lte is not None:
            conditions["originator_version<=?"] = [lte]
        return self.select(conditions, "originator_version DESC" if desc else "originator_version", limit)

    def select_notifications(
        self,
        start: int | None,
        limit: int,
        stop: int | None = None,
        topics: Sequence[str] = (),
        *,
        inclusive_of_start: bool = True,
    ) -> list[Any]:
        conditions: dict[str, list[Any]] = {}
        if start is not None:
            conditions[f"{self.position}{'>=' if inclusive_of_start else '>'}?"] = [start]
        if stop is not None:
            conditions[f"{self.position}<=?"] = [stop]
        if topics:
            conditions[f"topic IN ({', '.join('?' * len(topics))})"] = list(topics)
        return self.select(conditions, self.position, limit)

    def select(
        self, conditions: Mapping[str, Sequence[Any]], order: str, limit: int | None = None
    ) -> list[StoredFact]:
        where = f" WHERE {' AND '.join(conditions)}" if conditions else ""
        values = [value for mine in conditions.values() for value in mine]
        events = "stored_events e"  # so that parts of one tournament are looked up, not all of them
        if limit is not None:
            found = f"SELECT {self.position}, {COLUMNS} FROM stored_events{where} ORDER BY {order} LIMIT ?"
            events, where, values = f"({found}) e", "", [*values, limit]
        sql = self.with_parts(events, where, order)
        return list(stored_facts(self.ask(sql, tuple(values), "private", otherwise=NO_PARTS + sql)))

    def with_parts(self, events: str, where: str, order: str) -> str:
        """SQL for facts with their personal parts, in one question so that both are of one moment."""
        return (
            f"SELECT e.{self.position}, {COLUMNS}, bytes FROM {events} "
            f"LEFT JOIN private ON tournament=originator_id AND version=originator_version{where} "
            f"ORDER BY e.{order}, hash"
        )

    @abstractmethod
    def ask(
        self, sql: str, values: tuple[Any, ...] = (), table: str = "", *, otherwise: str = ""
    ) -> list[Any]:
        """The rows of a question, its values marked ``?``; inside a transaction, of that one.

        Where a ``table`` is named that the store lacks, those of the other question; none without one.
        """

    @abstractmethod
    def insert_events(self, stored_events: Sequence[Any], **kwargs: Any) -> Sequence[int]:
        """Record facts of one tournament with their parts; refuses a store that does not keep them."""


def put_together(row: StoredFact) -> bytes:
    """The envelope as it was entered; a part that is gone leaves ``(erased)`` in the place of a name.

    A part the fact does not commit to is left out: nobody can slip another name in.
    """
    if _MARK not in row.state:
        return row.state
    whole = msgspec.json.decode(row.state)
    for hash, part in row.by_hash().items():
        if hash in whole["private"]:
            patch = msgspec.json.decode(part)
            del patch["salt"]
            merge(whole, patch)
    fill_gaps(whole["fact"])
    return _encode(whole)


def fill_gaps(fact: dict[str, Any]) -> None:
    """Stand-ins for what every fact of its kind must have."""
    if fact["type"] == "player-registered" and "name" not in fact["details"]:
        fact["details"]["name"] = players.erased_name(fact["player"])
    elif fact["type"] == "tournament-imported":
        fact.setdefault("source", ERASED)


def merge(whole: dict[str, Any], patch: dict[str, Any]) -> None:
    """[RFC 7396, without removals] Put the members of a patch into an object."""
    for name, value in patch.items():
        if isinstance(value, dict) and isinstance(whole.get(name), dict):
            merge(whole[name], value)
        else:
            whole[name] = value


def decode_payload(row: StoredFact) -> Stored:
    """What is in a stored fact, without its place in the log."""
    try:
        return _decode(put_together(row))
    except (msgspec.DecodeError, UnicodeDecodeError, TypeError, LookupError, RecursionError) as reason:
        version, tournament = row.originator_version, row.originator_id
        if row.topic not in _KNOWN:
            raise NewerFile(
                "store.unknown-fact", version=version, tournament=tournament, text=row.topic
            ) from None
        raise CorruptFile(
            "store.unreadable-fact", version=version, tournament=tournament, reason=str(reason)
        ) from None


def decode_fact(row: StoredFact) -> Recorded:
    """Read a stored fact; that it fits its hash is checked by ``check_link``."""
    return Recorded(
        tournament=row.originator_id,
        version=row.originator_version,
        position=row.id,
        **asdict(decode_payload(row)),
    )


def checked_fact(row: StoredFact) -> Recorded:
    """Read one fact alone, and refuse it if it does not fit its own hash."""
    recorded = decode_fact(row)
    check_link(previous_of(row.state), row.originator_id, row)
    return recorded


def readable(row: StoredFact) -> Recorded | Unreadable:
    """A fact in the order of all; one that cannot be read keeps nobody from the others."""
    try:
        return checked_fact(row)
    except (CorruptFile, NewerFile) as why:
        hash = sha256(row.state).hexdigest()
        return Unreadable(row.originator_id, row.originator_version, row.id, hash, str(why))


def previous_of(line: bytes) -> str:
    """The hash of the fact before, as a line names it."""
    return line[-_TAIL_LENGTH:][13:77].decode("ascii", "replace")


def signature_in(line: bytes) -> tuple[bytes, bytes]:
    """The object of a line without ``signed``, and the signature; empty if there is none."""
    payload = line[:-_TAIL_LENGTH] + b"}"
    found = re.search(_SIGNED, payload)
    if not found:
        return payload, b""
    return payload[: found.start()] + b"}", msgspec.convert(found[1].decode(), bytes)


# The chain


def hash_preimage(previous: str, tournament: str, row: StoredFact) -> bytes:
    payload = row.state[:-_TAIL_LENGTH] + b"}"
    return preimage(previous, tournament, row.originator_version, row.topic, payload)


def check_link(previous: str, tournament: str, row: StoredFact) -> str:
    """The hash of a stored fact, if it follows on the one before and was not changed."""
    hash = sha256(hash_preimage(previous, tournament, row)).hexdigest()
    if not row.state.endswith(f',"previous":"{previous}","hash":"{hash}"}}'.encode()):
        raise CorruptFile("store.fact-changed", version=row.originator_version, tournament=tournament)
    return hash


def check_chain(tournament: str, rows: Iterable[StoredFact]) -> tuple[int, str]:
    """Length and head of a log that is whole from its first fact on; refuses one that is not.

    It works on stored bytes, never on facts encoded again: a fact written before it got a new field must
    still be checked by the bytes of then.
    """
    hashes = [*chain_of(tournament, rows)]
    return len(hashes), hashes[-1] if hashes else GENESIS


def chain_of(
    tournament: str, rows: Iterable[StoredFact], length: int = 0, head: str = GENESIS
) -> Iterator[str]:
    """The hash of every fact that follows on a log of this length and head; refuses what does not."""
    for place, row in enumerate(rows, start=length + 1):
        if row.originator_version != place:
            raise CorruptFile("store.fact-missing", version=place, tournament=tournament)
        head = check_link(head, tournament, row)
        yield head


def decode_chain(
    tournament: str, rows: Iterable[StoredFact], length: int = 0, head: str = GENESIS
) -> list[Recorded]:
    """Facts that follow on a log of this length and head; a gap or a change is refused.

    A personal part that one of these facts says was erased is left out, also where a restored backup
    brought it back.
    """
    rows = without_erased(list(rows))
    list(chain_of(tournament, rows, length, head))
    return [decode_fact(row) for row in rows]


# Personal parts


def commitments(line: bytes) -> list[str]:
    """The hashes of the parts a line commits to; none where it cannot be read."""
    try:
        return list(msgspec.json.decode(line, type=_Committed).private)
    except (msgspec.DecodeError, UnicodeDecodeError, RecursionError):
        return []


def is_shown(part: bytes) -> bool:
    """Whether a part holds only what lists show of a player: name, federation and club."""
    fact = msgspec.json.decode(part).get("fact", {})
    details = fact.get("details") or fact.get("changes") or {}
    return bool(details) and set(details) <= set(players.PERSONAL) - set(IDENTITY)


def parts_in_order(row: StoredFact) -> list[bytes]:
    by_hash = row.by_hash()
    known = [by_hash.pop(hash) for hash in commitments(row.state) if hash in by_hash] if row.parts else []
    return [*known, *by_hash.values()]


def missing_parts(row: StoredFact) -> list[int]:
    """Which of the parts a fact commits to are not there, by their place in its list."""
    there = row.by_hash()
    return [at for at, hash in enumerate(commitments(row.state)) if hash not in there]


def stray_parts(row: StoredFact) -> int:
    """How many parts came with a fact that does not commit to them."""
    return len(row.by_hash().keys() - commitments(row.state)) if row.parts else 0


def without_parts(row: StoredFact, gone: Collection[str]) -> StoredFact:
    return replace(row, parts=tuple([part for hash, part in row.by_hash().items() if hash not in gone]))


def erased_parts(facts: Iterable[Recorded]) -> set[tuple[int, str]]:
    """Version and commitment of the personal parts that facts say were erased."""
    return {part for one in facts if isinstance(one.fact, PersonErased) for part in one.fact.pieces}


def erased_hashes(rows: Iterable[StoredFact]) -> set[str]:
    """Commitments of the personal parts that stored facts say were erased."""
    return {hash for _, hash in erased_parts([decode_fact(row) for row in rows if row.topic == ERASURES])}


def without_erased(rows: list[StoredFact], erasures: Iterable[StoredFact] | None = None) -> list[StoredFact]:
    """Stored facts without the personal parts that were erased; by what they say themselves, or others."""
    gone = erased_hashes(rows if erasures is None else erasures)
    return [without_parts(row, gone) for row in rows] if gone else rows


# For programs in other languages that read logs, feeds or webhooks


@cache
def fact_schema() -> dict[str, Any]:
    """JSON Schema 2020-12 of a recorded fact, with the schema of every kind by the name of its class.

    ``x-topic`` of a kind is its stored name and version. Facts are whole: personal parts are in place,
    unless they were erased.
    """
    [ref], schemas = msgspec.json.schema_components([Recorded], ref_template="#/$defs/{name}")
    for kind, topic in _TOPICS.items():
        schemas[kind.__name__]["x-topic"] = topic
    return {
        "$schema": "https://json-schema.org/draft/2020-12/schema",
        "title": "A fact of Paircard in its envelope",
        **ref,
        "$defs": schemas,
    }
