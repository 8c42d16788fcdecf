"""A store as a whole: its tournaments, what is wrong with it apart from their logs, and signed verdicts.

A verdict says that a store was found whole up to here, so only what grew since has to be looked at again. It
is a note of three lines, as a checkpoint of a tree: who judged and with which version, how many facts there
were, and the root of the tree over all of them. Reading the facts to see that they still have that root is a
tenth of verifying them. What a verdict covers are facts and personal parts: a tournament whose parts are not
all there, or not as they were, is looked at again. Signatures by lists of keys are not covered.
"""

import re
from collections.abc import Iterator
from typing import Final

import msgspec

from paircard.domain.errors import CorruptFile, Invalid
from paircard.domain.log.store import Tournaments
from paircard.domain.log.stored import missing_parts, stray_parts
from paircard.domain.messages import Message, say
from paircard.domain.proof.note import Head, Signer, is_signed, parse_tree_note
from paircard.domain.proof.publishing import growing
from paircard.domain.proof.tree import RunningTree
from paircard.domain.version import VERSION
from paircard.service.review.verify import stray_rows

OPENING: Final = "tournament-opened/1"
_IS_ID: Final = re.compile("[0-9a-f]{32}").fullmatch
VERDICT: Final = f"paircard-verdict/{VERSION}"
"""Where a verdict comes from. Another version may see more, so it begins anew."""


def look_through(store: Tournaments) -> tuple[list[str], list[Message]]:
    """Ids of the tournaments of a store, and what is wrong with it apart from their logs.

    That is rows of no log, checkpoints and personal parts of nothing, tables, damage, trees; at the logs
    ``verify_stored`` looks one by one.
    """
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
    return ids, findings


def check_signed_trees(store: Tournaments) -> Iterator[Message]:
    """What the trees signed so far have against the facts of the store; nothing if all is well."""
    notes = {size: note for size, _, note in store.backend.signed_trees()}
    if not notes:
        return
    size = 0
    try:
        for size, _, tree in growing(store):
            if size in notes and parse_tree_note(notes[size]).head.root != tree.root():
                yield say("verify.tree-differs", facts=size)
                return
    except (CorruptFile, Invalid) as reason:
        yield reason.said
        return
    for missing in sorted(known for known in notes if known > size):
        yield say("verify.tree-longer", facts=missing, count=size)


# --- verdicts


class Ahead(msgspec.Struct, frozen=True):
    """What a verdict leaves to be done, and what the next one will say."""

    head: Head
    """Of all facts that are there."""
    again: frozenset[str] | None = None
    """Tournaments to look at; all of them for None."""
    finding: Message | None = None
    """What is wrong, where the facts are not those of the verdict."""


def since(store: Tournaments, last: str, signer: Signer) -> Ahead:
    """Read all facts, and tell what has changed since a verdict; an empty one covers nothing.

    Refuses a verdict that this key did not sign, and facts whose bytes do not give their hash.
    """
    known = judged_before(last, signer) if last else None
    tree, size, same = RunningTree(), 0, known is not None and known.size == 0
    again: set[str] = set()
    for size, row, tree in growing(store):
        if known is None or size > known.size or missing_parts(row) or stray_parts(row):
            again.add(row.originator_id)
        if known is not None and size == known.size:
            same = tree.root() == known.root
    head = Head(VERDICT, size, tree.root())
    if known is None:
        return Ahead(head)
    if not same:
        return Ahead(head, None, say("verify.verdict-differs", facts=known.size, count=size))
    return Ahead(head, frozenset(again))


def judged_before(last: str, signer: Signer) -> Head | None:
    """What a verdict says; None for one of another version. Refuses one of another key."""
    note = parse_tree_note(last)
    if not is_signed(note, signer.verifier()):
        raise Invalid("verify.verdict-unsigned", name=signer.name)
    return note.head if note.head.origin == VERDICT else None
