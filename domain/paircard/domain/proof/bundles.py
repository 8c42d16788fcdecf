"""Bundles: one file that carries a tournament to another machine, readable without this program.

JSON lines: a heading, one line per fact with its stored bytes as they are, one line per personal part that
was not erased, one line per checkpoint.
The format is written down in ``docs/file-format.md``; ``paircard.cli.verify`` reads it with the
standard library alone.
"""

import json
import re
from collections.abc import Iterable, Iterator, Sequence
from functools import cache
from typing import Any, Final

import msgspec
from msgspec.structs import replace

from paircard.domain.deciding.decision import is_utc
from paircard.domain.errors import CorruptFile, Duplicate, Invalid
from paircard.domain.events import PlayerRegistered, RoundPaired, TournamentImported, TournamentOpened
from paircard.domain.log.reader import NONSENSE
from paircard.domain.log.store import Tournaments
from paircard.domain.log.stored import (
    Stored,
    StoredFact,
    chain_of,
    check_chain,
    decode_payload,
    parts_in_order,
    stray_parts,
    topic_of,
)
from paircard.domain.messages import Message, say
from paircard.domain.proof.checkpoints import consistent, convicted, kept_checkpoints, parse_checkpoint
from paircard.domain.state import NOTHING, Tournament, evolve
from paircard.domain.values.players import check_details
from paircard.domain.values.text import visible

KIND: Final = "bundle/1"
MARK: Final = "pseudonymous copy: personal data replaced, the chain is this copy's own"
"""The reason given with the first fact of such a copy: in its chain, so that it cannot be taken off alone."""

LONGEST_REASON: Final = 500
LONGEST_IMPORTED: Final = 200_000
"""Characters of what an import had to adjust: a round of 9,999 players, described board by board, twice."""

_HEADING: Final = re.compile(
    rb'\{"paircard":"bundle/1","tournament":"([0-9a-f]{32})","length":([1-9][0-9]{0,8}),'
    rb'"head":"([0-9a-f]{64})"(?:,"pseudonymous":(true|false))?\}'
)
_HELD: Final = re.compile(rb'\{"checkpoint":("(?:[^"\\]|\\.)*")\}')
_PART: Final = re.compile(rb'\{"version":([1-9][0-9]{0,8}),"private":(\{.*\})\}')
_FACT: Final = re.compile(rb'\{"version":([1-9][0-9]{0,8}),"topic":"([a-z0-9/-]{1,60})","stored":(\{.*\})\}')


class Heading(msgspec.Struct, frozen=True, kw_only=True):
    """The first line."""

    paircard: str = KIND
    tournament: str
    length: int
    head: str
    pseudonymous: bool = False
    """Personal data was replaced: the chain is this copy's own, and its first fact says so too."""


class _Held(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    checkpoint: str


class _Reasoned(msgspec.Struct):
    why: str = ""


_read_reason: Final = msgspec.json.Decoder(_Reasoned).decode


class Bundle(msgspec.Struct, frozen=True):
    """A tournament on its way; its chain is whole."""

    heading: Heading
    rows: tuple[StoredFact, ...]
    checkpoints: tuple[str, ...]


def write_bundle(tournament: str, rows: Sequence[StoredFact], checkpoints: Iterable[str] = ()) -> bytes:
    """The bytes of a bundle; refuses a log that is not whole."""
    length, head = check_chain(tournament, rows)
    heading = Heading(tournament=tournament, length=length, head=head, pseudonymous=is_marked(rows))
    lines = [msgspec.json.encode(heading)]
    lines += [
        b'{"version":%d,"topic":"%b","stored":%b}' % (row.originator_version, row.topic.encode(), row.state)
        for row in rows
    ]
    lines += [
        b'{"version":%d,"private":%b}' % (row.originator_version, part)
        for row in rows
        for part in parts_in_order(row)
    ]
    lines += [msgspec.json.encode(_Held(note)) for note in checkpoints]
    return b"\n".join(lines) + b"\n"


def read_bundle(content: bytes) -> Bundle:
    """Read a bundle; refuses what is not one, and a log that is not whole."""
    first, _, rest = content.partition(b"\n")
    try:
        heading = msgspec.json.decode(first, type=Heading)
    except (msgspec.DecodeError, UnicodeDecodeError, RecursionError):
        raise Invalid("proof.not-a-bundle") from None
    if heading.paircard != KIND:
        raise Invalid("proof.bundle-of-another-kind", text=heading.paircard, kind=KIND)
    if not re.fullmatch(r"[0-9a-f]{32}", heading.tournament):
        raise Invalid("proof.not-a-tournament-id", text=heading.tournament)
    if not _HEADING.fullmatch(first):  # other spellings of the same are not read alike by all programs
        raise Invalid("proof.not-a-bundle")
    if not rest.endswith(b"\n"):
        raise CorruptFile("proof.bundle-cut")
    rows: list[StoredFact] = []
    parts: dict[int, list[bytes]] = {}
    notes: list[str] = []
    for number, line in enumerate(rest.removesuffix(b"\n").split(b"\n"), start=2):
        if (fact := _FACT.fullmatch(line)) and not notes and not parts:
            rows.append(StoredFact(heading.tournament, int(fact[1]), fact[2].decode(), fact[3]))
            continue
        if (part := _PART.fullmatch(line)) and not notes:
            parts.setdefault(int(part[1]), []).append(part[2])
            continue
        try:
            notes.append(msgspec.json.decode(line, type=_Held).checkpoint)
        except (msgspec.DecodeError, UnicodeDecodeError, RecursionError):
            line = b""
        if not _HELD.fullmatch(line):
            raise CorruptFile("proof.bundle-line", line=number)
    length, head = check_chain(heading.tournament, rows)
    if not length or (length, head) != (heading.length, heading.head):
        raise CorruptFile(
            "proof.bundle-shorter", number=heading.length, id=heading.head[:12], last=length, value=head[:12]
        )
    rows = [replace(row, parts=tuple(parts.pop(row.originator_version, ()))) for row in rows]
    if parts or any(stray_parts(row) for row in rows):
        raise CorruptFile("proof.bundle-stray-parts")
    if heading.pseudonymous != is_marked(rows):
        raise CorruptFile("proof.bundle-mark", yes=heading.pseudonymous)
    return Bundle(heading, tuple(rows), tuple(notes))


def is_marked(rows: Sequence[StoredFact]) -> bool:
    """Whether the chain itself says that this is a pseudonymous copy."""
    try:
        return bool(rows) and _read_reason(rows[0].state).why == MARK
    except (msgspec.DecodeError, UnicodeDecodeError):
        return False


def take_in(store: Tournaments, tournament: str, rows: Sequence[StoredFact]) -> int:
    """Take over a log from elsewhere, or what it has more than ours; the number of new facts.

    Refuses one that is not whole, that makes no sense, or that tells another story than ours.
    """
    check_chain(tournament, rows)
    sensible(tournament, rows)
    ours = store.raw_log(tournament)
    for mine, theirs in zip(ours, rows, strict=False):
        if (mine.topic, mine.state) != (theirs.topic, theirs.state):
            raise Duplicate("proof.another-fact-here", version=mine.originator_version, tournament=tournament)
    new = rows[len(ours) :]
    if new:
        store.add_stored(tournament, new)
    return len(new)


def export_bundle(
    store: Tournaments, tournament: str, length: int, more: Iterable[str] = ()
) -> tuple[bytes, list[Message]]:
    """The bundle of the first facts of a tournament, and what its checkpoints have against the log.

    Checkpoints of facts that are not exported stay behind; one that convicts the log never does.
    """
    rows = store.rows(tournament)
    hashes = [*chain_of(tournament, rows)]
    carried: list[str] = []
    against: list[Message] = []
    for note in dict.fromkeys([*kept_checkpoints(store, tournament), *more]):
        checkpoint = parse_checkpoint(note)
        why = consistent(checkpoint, tournament, hashes)
        if why:
            against.append(convicted(checkpoint, why))
        if why or checkpoint.size <= length:
            carried.append(note)
    return write_bundle(tournament, rows[:length], carried), against


def check_words(tournament: str, version: int, stored: Stored) -> None:
    """Refuse words that no desk would have taken: unseen characters, or more of them than there is room."""
    long = LONGEST_IMPORTED if isinstance(stored.fact, TournamentImported) else LONGEST_REASON
    try:
        if not stored.who.strip() or not stored.command_id:
            raise Invalid("proof.fact-of-nobody")
        if isinstance(stored.fact, PlayerRegistered):
            check_details(stored.fact.details)
        visible("who_asked", stored.who, 100)
        visible("the_reason", stored.why, LONGEST_REASON)
        visible("command_id", stored.command_id, 100)
        visible("through", stored.through, 100)
        if not is_utc(stored.when):
            raise Invalid("proof.time-not-utc", text=stored.when)
        for text in words_in(msgspec.to_builtins([stored.fact, stored.acknowledged])):
            visible("a_text", text, long)
    except Invalid as wrong:
        raise foreign(tournament, version, wrong.said) from None


def foreign(tournament: str, version: int, why: Message) -> CorruptFile:
    """A fact that this program never recorded."""
    return CorruptFile("proof.foreign-fact", version=version, tournament=tournament, what=why)


def check_members(tournament: str, version: int, line: bytes, stored: Stored) -> None:
    """Refuse a member that is there twice, or unknown: programs would not agree on what the fact says."""
    twice: list[str] = []

    def members(found: list[tuple[str, object]]) -> dict[str, object]:
        names = [name for name, _ in found]
        twice.extend(name for name in names if names.count(name) > 1)
        return dict(found)

    whole = json.loads(line, object_pairs_hook=members)
    unknown = [*unknown_members(whole, stored)]
    if twice:
        raise foreign(tournament, version, say("proof.member-twice", text=twice[0]))
    if unknown:
        raise foreign(tournament, version, say("proof.member-unknown", text=unknown[0]))


@cache
def members_of(kind: type[msgspec.Struct]) -> dict[str, str]:
    """Fields of a structure by the names they are stored under."""
    return {field.encode_name: field.name for field in msgspec.structs.fields(kind)}


def unknown_members(whole: dict[str, Any], known: msgspec.Struct) -> Iterator[str]:
    """Names in an object that the structure read from it has not, at any depth."""
    fields = members_of(type(known))
    for name, value in whole.items():
        if name not in fields and name != known.__struct_config__.tag_field:
            yield name
        elif isinstance(value, dict):
            inner = getattr(known, fields[name])
            if isinstance(inner, msgspec.Struct):
                yield from unknown_members(value, inner)


def words_in(value: object) -> Iterator[str]:
    if isinstance(value, str):
        yield value
    elif isinstance(value, dict):
        for one in value.values():
            yield from words_in(one)
    elif isinstance(value, list | tuple):
        for one in value:
            yield from words_in(one)


def sensible(tournament: str, rows: Iterable[StoredFact]) -> Tournament:
    """The state after a log from elsewhere; refuses facts that do not follow on each other."""
    state = NOTHING
    for row in rows:
        version, topic = row.originator_version, row.topic
        envelope = decode_payload(row)
        check_words(tournament, version, envelope)
        check_members(tournament, version, row.state, envelope)
        fact = envelope.fact
        try:
            if (not state.version) != isinstance(fact, TournamentOpened) or topic != topic_of(fact):
                raise ValueError
            if isinstance(fact, RoundPaired) and fact.round != state.paired + 1:
                raise ValueError
            state = evolve(state, fact)
        except NONSENSE:
            raise CorruptFile("proof.does-not-follow", version=version, tournament=tournament) from None
    return state
