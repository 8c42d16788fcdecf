"""A store as a whole: its tournaments, and what is wrong with it apart from their logs."""

import re
from collections.abc import Iterator
from itertools import chain
from typing import Final

import msgspec

from paircard.domain.errors import CorruptFile, Invalid
from paircard.domain.log.store import Tournaments
from paircard.domain.messages import Message, say
from paircard.domain.proof.note import parse_tree_note
from paircard.domain.proof.publishing import batches, entry_of
from paircard.domain.proof.tree import RunningTree
from paircard.service.review.verify import stray_rows

OPENING: Final = "tournament-opened/1"
_IS_ID: Final = re.compile("[0-9a-f]{32}").fullmatch


class Contents(msgspec.Struct, frozen=True):
    """What is in a store, seen from outside its logs."""

    ids: list[str]
    """Of the tournaments."""
    findings: list[Message]
    """What is wrong: rows of no log, checkpoints and personal parts of nothing, tables, damage, trees."""


def look_through(store: Tournaments) -> Contents:
    """What a store has apart from the facts of its logs, which ``verify_stored`` looks at one by one."""
    ids: list[str] = []
    findings: list[Message] = []
    for id, version, topic in store.backend.beginnings():
        if isinstance(id, str) and _IS_ID(id) and (version, topic) == (1, OPENING):
            ids.append(id)
        else:
            findings.append(say("verify.of-no-tournament", text=str(id)))
    findings += [
        *(say("verify.orphan", text=orphan) for orphan in store.backend.orphans()),
        *stray_rows(store),
        *store.backend.faults(),
        *check_signed_trees(store),
    ]
    return Contents(ids, findings)


def check_signed_trees(store: Tournaments) -> Iterator[Message]:
    """What the trees signed so far have against the facts of the store; nothing if all is well."""
    notes = {size: note for size, _, note in store.backend.signed_trees()}
    if not notes:
        return
    tree, size = RunningTree(), 0
    try:
        for size, row in enumerate(chain.from_iterable(batches(store, 0)), start=1):
            tree.add(entry_of(row))
            if size in notes and parse_tree_note(notes[size]).head.root != tree.root():
                yield say("verify.tree-differs", facts=size)
                return
    except (CorruptFile, Invalid) as reason:
        yield reason.said
        return
    for missing in sorted(known for known in notes if known > size):
        yield say("verify.tree-longer", facts=missing, count=size)
