"""Signed verdicts: a store was found whole up to here, so only what grew since has to be looked at again.

A verdict is a note of three lines, as a checkpoint of a tree: who judged and with which version, how many
facts there were, and the root of the tree over all of them. Reading the facts to see that they still have
that root is a tenth of verifying them. What a verdict covers are facts and personal parts: a tournament whose
parts are not all there, or not as they were, is looked at again. Signatures by lists of keys are not covered.
"""

from itertools import chain
from typing import Final

import msgspec

from paircard.domain.errors import Invalid
from paircard.domain.log.store import Tournaments
from paircard.domain.log.stored import missing_parts, stray_parts
from paircard.domain.messages import Message, say
from paircard.domain.proof.note import Head, Signer, is_signed, parse_tree_note
from paircard.domain.proof.publishing import batches, entry_of
from paircard.domain.proof.tree import RunningTree
from paircard.domain.version import VERSION

ORIGIN: Final = f"paircard-verdict/{VERSION}"
"""Another version may see more, so it begins anew."""


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
    for size, row in enumerate(chain.from_iterable(batches(store, 0)), start=1):
        tree.add(entry_of(row))
        if known is None or size > known.size or missing_parts(row) or stray_parts(row):
            again.add(row.originator_id)
        if known is not None and size == known.size:
            same = tree.root() == known.root
    head = Head(ORIGIN, size, tree.root())
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
    return note.head if note.head.origin == ORIGIN else None
