"""A store as a whole: its tournaments, and what is wrong with it apart from their logs."""

import re
from collections.abc import Callable, Iterator
from hashlib import sha256
from typing import Final

import msgspec

from paircard.domain.errors import CorruptFile, Invalid
from paircard.domain.log.store import Tournaments
from paircard.domain.log.stored import commitments, has_private
from paircard.domain.messages import Message, say
from paircard.domain.proof.checkpoints import by_tournament
from paircard.domain.proof.note import parse_tree_note
from paircard.domain.proof.publishing import batches, entry_of
from paircard.domain.proof.tree import RunningTree
from paircard.service.review.verify import faults_of

OPENING: Final = "tournament-opened/1"
STEP: Final = 1_000
"""Rows after which progress is told."""
_IS_ID: Final = re.compile("[0-9a-f]{32}").fullmatch


class Contents(msgspec.Struct, frozen=True):
    """What is in a store, seen from outside its logs."""

    ids: list[str]
    """Of the tournaments."""
    findings: list[Message]
    """What is wrong: rows of no log, checkpoints and personal parts of nothing, tables, damage, trees."""


def unseen(rows: int) -> None:
    """Progress that nobody looks at."""


def look_through(store: Tournaments, taken_on: Callable[[int], None] = unseen) -> Contents:
    """Read every row of a store once; ``taken_on`` is told how many rows more were read."""
    first: dict[object, tuple[object, object]] = {}
    committed: set[tuple[object, object, object]] = set()
    at = 0
    for at, row in enumerate(store.everything(), start=1):
        if at % STEP == 0:
            taken_on(STEP)
        id, version = row.originator_id, row.originator_version
        first.setdefault(id, (version, row.topic))
        if has_private(row.state):
            committed |= {(id, version, hash) for hash in commitments_in(row.state)}
    taken_on(at % STEP)
    ids = [id for id in first if isinstance(id, str) and _IS_ID(id) and first[id] == (1, OPENING)]
    orphans = sorted(by_tournament(store.notes()).keys() - set(ids))
    findings = [
        *(say("verify.of-no-tournament", text=str(id)) for id in first if id not in ids),
        *(say("verify.orphan", text=orphan) for orphan in orphans),
        *stray_parts(store, committed),
        *faults_of(store),
        *check_signed_trees(store),
    ]
    return Contents(ids, findings)


def stray_parts(store: Tournaments, committed: set[tuple[object, object, object]]) -> Iterator[Message]:
    """Personal parts that no fact commits to: an erasure would not find them."""
    for id, version, hash, piece in store.private_rows():
        if (id, version, hash) not in committed:
            yield say("verify.stray-part", value=str(version), text=str(id))
        elif not isinstance(piece, bytes) or sha256(piece).hexdigest() != hash:
            yield say("verify.part-changed", value=str(version), text=str(id))


def commitments_in(line: bytes) -> list[str]:
    """The hashes a stored fact commits to; none where the fact itself cannot be read."""
    try:
        return commitments(line)
    except (msgspec.DecodeError, UnicodeDecodeError):
        return []


def check_signed_trees(store: Tournaments) -> Iterator[Message]:
    """What the trees signed so far have against the facts of the store; nothing if all is well."""
    notes = {size: note for size, _, note in store.signed_trees()}
    if not notes:
        return
    tree, size = RunningTree(), 0
    try:
        for rows in batches(store, 0):
            for row in rows:
                tree.add(entry_of(row))
                size += 1
                if size in notes and parse_tree_note(notes[size]).head.root != tree.root():
                    yield say("verify.tree-differs", facts=size)
                    return
    except (CorruptFile, Invalid) as reason:
        yield reason.said
        return
    for missing in sorted(known for known in notes if known > size):
        yield say("verify.tree-longer", facts=missing, count=size)
