"""A proof that stands alone: one fact, its place in a tree, and the signed checkpoint (c2sp.org/tlog-proof).

The extra line carries what the hash of the fact is made of, so that the file needs no log beside it. Personal
parts of the fact that are handed on follow, a line each; the fact holds their hashes.
"""

import base64
import hashlib
import re
from collections.abc import Sequence
from typing import Final

import msgspec

from paircard.domain.errors import CorruptFile, Invalid
from paircard.domain.log.stored import commitments
from paircard.domain.proof.checkpoints import Verifier, strict_base64
from paircard.domain.proof.tree.merkle import includes, leaf_hash
from paircard.domain.proof.tree.notes import (
    COSIGNATURE,
    TreeNote,
    is_signed,
    parse_note,
)

FIRST_LINE: Final = "c2sp.org/tlog-proof@v1"
LARGEST: Final = 8 * 1024 * 1024
"""Characters of a proof; a fact with a large import in it may be long."""
_PREIMAGE: Final = re.compile(
    rb"([0-9a-f]{64})\n([0-9a-f]{32})\n([1-9][0-9]{0,8})\n([a-z0-9/-]{1,60})\n(\{[^\n]*\})"
)

_ENTRY: Final = re.compile(rb"([0-9a-f]{32}) ([1-9][0-9]{0,8}) [0-9a-f]{64}\n")


class ProvenFact(msgspec.Struct, frozen=True):
    """What the hash of a fact is made of, taken apart."""

    previous: str
    tournament: str
    version: int
    topic: str
    payload: bytes
    hash: str

    def leaf(self) -> bytes:
        return tree_entry(self.tournament, self.version, self.hash)


class ProofFile(msgspec.Struct, frozen=True):
    """The parts of a proof."""

    preimage: bytes
    """Previous hash, tournament, version, topic and payload: SHA-256 of it is the hash of the fact."""
    index: int
    hashes: tuple[bytes, ...]
    note: TreeNote
    pieces: tuple[bytes, ...] = ()
    """Personal parts of the fact, in the order in which it commits to them."""

    def text(self) -> str:
        """The file."""
        extra = b"\n".join((self.preimage, *self.pieces))
        lines = [
            FIRST_LINE,
            f"extra {base64.b64encode(extra).decode()}",
            f"index {self.index}",
            *(base64.b64encode(hash).decode() for hash in self.hashes),
            "",
            "",
        ]
        return "\n".join(lines) + self.note.text()

    def fact(self) -> ProvenFact:
        """The fact that is proven."""
        found = _PREIMAGE.fullmatch(self.preimage)
        if not found:
            raise Invalid("the proof carries no fact of a tournament")
        previous, tournament, version, topic, payload = found.groups()
        hash = hashlib.sha256(self.preimage).hexdigest()
        return ProvenFact(previous.decode(), tournament.decode(), int(version), topic.decode(), payload, hash)


def tree_entry(tournament: str, version: int, hash: str) -> bytes:
    """The entry of a fact in the tree."""
    return f"{tournament} {version} {hash}\n".encode()


def parse_entry(entry: bytes) -> tuple[str, int]:
    """Tournament and version of an entry of the tree."""
    found = _ENTRY.fullmatch(entry)
    if not found:
        raise CorruptFile(f"{entry[:40]!r} is not an entry of a tree of tournaments")
    return found[1].decode(), int(found[2])


def parse_proof(text: str) -> ProofFile:
    """Read a proof; refuses what is not exactly one."""
    above, gap, note = text.partition("\n\n")
    lines = above.split("\n")
    if len(text) > LARGEST or not gap or len(lines) < 3 or lines[0] != FIRST_LINE:
        raise Invalid(f"this is not a proof: its first line is {FIRST_LINE}")
    if not lines[1].startswith("extra ") or not re.fullmatch(r"index (0|[1-9][0-9]{0,17})", lines[2]):
        raise Invalid("this is not a proof: after the first line come extra and index")
    hashes = tuple(strict_base64(line) for line in lines[3:])
    if len(hashes) > 63 or any(len(hash) != 32 for hash in hashes):
        raise Invalid("the proof has a line that is not a SHA-256 in base64")
    extra = strict_base64(lines[1][6:]).split(b"\n")
    proof = ProofFile(b"\n".join(extra[:5]), int(lines[2][6:]), hashes, parse_note(note), tuple(extra[5:]))
    if proof.text() != text:
        raise Invalid("this is not a proof as a program writes it")
    return proof


def verify_proof(
    proof: ProofFile, log: Verifier, witnesses: Sequence[Verifier] = (), need: int = 0
) -> list[str]:
    """Names of the witnesses that saw the tree; refuses a proof that does not hold."""
    head = proof.note.head
    if head.origin != log.name:
        raise Invalid(f"the proof is of the log {head.origin}, not of {log.name}")
    if not is_signed(proof.note, log):
        raise Invalid(f"{log.name} did not sign the checkpoint of this proof")
    names = sorted({key.name for key in witnesses if is_signed(proof.note, key, COSIGNATURE)})
    if len(names) < need:
        raise Invalid(f"{len(names)} of the witnesses you trust signed, {need} are needed")
    fact = proof.fact()
    if not includes(leaf_hash(fact.leaf()), proof.index, head.size, proof.hashes, head.root):
        raise Invalid("the fact is not in the tree that was signed: the proof was changed")
    carried = [hashlib.sha256(piece).hexdigest() for piece in proof.pieces]
    if carried != [known for known in commitments(fact.payload) if known in carried]:
        raise Invalid("the proof carries a personal part that is not one of the fact")
    return names
