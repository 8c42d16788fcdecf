"""Publishing the tree of a store: tiles into a folder, a signed checkpoint last.

The order is crash-safe. Tiles are written first and may run ahead. Then the signed note is committed into
the store itself: only what the store has for good is ever published, so a failover cannot make the log sign
two different trees. Witnesses sign next, and the file ``checkpoint`` is replaced at the very end.
"""

from collections.abc import Callable, Iterator, Sequence
from http import HTTPStatus
from typing import Final, Protocol

import msgspec

from paircard.domain.errors import CorruptFile, Invalid, Unknown
from paircard.domain.log.chain import check_link, hash_preimage, previous_of
from paircard.domain.proof.checkpoints import Signer, Verifier
from paircard.domain.proof.tree.merkle import RunningTree, prove_consistency, prove_inclusion, root
from paircard.domain.proof.tree.notes import (
    COSIGNATURE,
    TreeHead,
    TreeNote,
    is_signed,
    parse_note,
    parse_signatures,
    sign,
)
from paircard.domain.proof.tree.proof_file import ProofFile, tree_entry
from paircard.domain.proof.tree.tiles import TileFolder
from paircard.domain.proof.tree.witness import WitnessAnswer, WitnessRequest

BATCH: Final = 2_560
"""Facts read and written at a time: ten full tiles."""

AskWitness = Callable[[WitnessRequest], WitnessAnswer]
"""How a witness is reached: over HTTP, or by files."""
StoredRow = tuple[int, str, int, str, bytes]
"""Position, tournament, version, topic and bytes of a fact."""


class SignedTree(msgspec.Struct, frozen=True):
    """A checkpoint as the store keeps it: number of leaves, position of the last one, signed note."""

    size: int
    position: int
    note: str


class TreeSource(Protocol):
    """What publishing needs of a store."""

    def rows_by_position(self, after: int, limit: int, upto: int = ...) -> Sequence[StoredRow]: ...
    def signed_trees(self) -> Sequence[tuple[int, int, str]]: ...
    def save_signed_tree(self, size: int, position: int, note: str) -> None: ...


class Published(msgspec.Struct, frozen=True):
    """What a publication did."""

    note: TreeNote
    added: int
    """Facts that were not in the tree before."""
    cosigned_by: tuple[str, ...]
    refused_by: tuple[str, ...]
    """Witnesses that did not sign, with their reason."""


class WitnessContact(msgspec.Struct, frozen=True):
    """A witness: its public key and how to reach it."""

    key: Verifier
    ask: AskWitness


def publish(
    source: TreeSource, folder: TileFolder, signer: Signer, witnesses: Sequence[WitnessContact] = ()
) -> Published:
    """Bring the published tree up to the newest fact of the store."""
    last = newest_tree(source, signer.verifier())
    size, position = (last.size, last.position) if last else (0, 0)
    ensure_tiles(source, folder, last)
    start = size
    for rows in batches(source, position):
        size = folder.grow(size, [entry_of(row) for row in rows])
        position = rows[-1][0]
    if not size:
        raise Unknown("there are no facts to publish: open a tournament first")
    if last and size == last.size:
        note = parse_note(last.note)
    else:
        head = TreeHead(signer.name, size, root(size, folder.hashes_of_size(size)))
        note = sign(head, signer)
        source.save_signed_tree(size, position, note.text())
    cosigned, refused = note, []
    for witness in witnesses:
        try:
            cosigned = ask_for_cosignature(cosigned, folder, witness)
        except (Invalid, OSError) as reason:
            refused.append(f"{witness.key.name}: {reason}")
    folder.write_checkpoint(keep_cosignatures(folder, cosigned).text())
    names = [contact.key.name for contact in witnesses if is_signed(cosigned, contact.key, COSIGNATURE)]
    return Published(cosigned, size - start, tuple(names), tuple(refused))


def newest_tree(source: TreeSource, key: Verifier) -> SignedTree | None:
    """The newest checkpoint in the store; refuses one that another key signed or that was changed."""
    trees = source.signed_trees()
    if not trees:
        return None
    last = SignedTree(*max(trees))
    note = parse_note(last.note)
    if note.head.origin != key.name or not is_signed(note, key) or note.head.size != last.size:
        raise Invalid(
            f"the tree of this store was signed by {note.head.origin}, not by {key.name}: use its key"
        )
    return last


def ensure_tiles(source: TreeSource, folder: TileFolder, last: SignedTree | None) -> None:
    """Make sure that the folder holds the tree that was signed last; made again from the facts if not.

    Refuses if the facts no longer give that tree: then the store was set back, or facts were changed.
    """
    if last is None:
        return
    signed = parse_note(last.note).head
    try:
        entry = next(folder.entries(signed.size, signed.size - 1))
        there = root(signed.size, folder.hashes_of_size(signed.size)) == signed.root
    except CorruptFile:
        entry, there = b"", False
    newest = source.rows_by_position(last.position - 1, 1)
    if there and newest and newest[0][0] == last.position and entry_of(newest[0]) == entry:
        return
    size = 0
    for rows in batches(source, 0, last.position):
        size = folder.grow(size, [entry_of(row) for row in rows])
    if size != signed.size or root(size, folder.hashes_of_size(size)) != signed.root:
        raise CorruptFile(
            f"the store no longer holds the {signed.size} facts that were signed: it was set back to an "
            "older copy, or facts were changed or removed. Nothing was published"
        )


def batches(source: TreeSource, after: int, upto: int = 2**62) -> Iterator[Sequence[StoredRow]]:
    """The facts beyond a position in the order they were recorded."""
    while rows := source.rows_by_position(after, BATCH, upto):
        yield rows
        after = rows[-1][0]


def entry_of(row: StoredRow) -> bytes:
    """The entry of a stored fact; refuses a fact whose bytes do not give its hash."""
    _, tournament, version, topic, stored = row
    previous = previous_of(stored) if isinstance(stored, bytes) else ""  # others may have stored text
    return tree_entry(tournament, version, check_link(previous, tournament, version, topic, stored))


def ask_for_cosignature(note: TreeNote, folder: TileFolder, witness: WitnessContact) -> TreeNote:
    """The note with the signature of a witness; refuses with the witness's reason."""
    head = note.head
    old = cosigned_size(folder, witness.key)
    for _ in range(2):
        proof = prove_consistency(old, head.size, folder.hashes_of_size(head.size))
        answer = witness.ask(WitnessRequest(old, tuple(proof), note))
        if answer.status != HTTPStatus.CONFLICT:
            break
        text = answer.body.strip()
        if not text.isdecimal() or int(text) > head.size:
            raise Invalid(f"it has signed a tree of {text[:20]} facts, this one has {head.size}")
        old = int(text)
    if answer.status != HTTPStatus.OK:
        raise Invalid(f"{answer.status.value} {answer.body.strip()[:200]}")
    signed = note.with_lines(parse_signatures(answer.body))
    if not is_signed(signed, witness.key, COSIGNATURE):
        raise Invalid("its answer is not a signature of its key")
    return signed


def cosigned_size(folder: TileFolder, key: Verifier) -> int:
    """The size of the published tree if this witness signed it; it may have signed another one since."""
    text = folder.checkpoint()
    try:
        note = parse_note(text) if text else None
        return note.head.size if note and is_signed(note, key, COSIGNATURE) else 0
    except Invalid:
        return 0


def keep_cosignatures(folder: TileFolder, note: TreeNote) -> TreeNote:
    """The note with signatures of earlier runs under the same tree."""
    text = folder.checkpoint()
    try:
        published = parse_note(text) if text else None
    except Invalid:
        published = None
    if published is None or published.head != note.head:
        return note
    return published.with_lines(note.signatures)


def prove(folder: TileFolder, row: StoredRow) -> ProofFile:
    """The proof that a fact of the store is in the published tree."""
    text = folder.checkpoint()
    if not text:
        raise Unknown(f"there is no published tree in {folder.folder}: publish it first")
    note = parse_note(text)
    _, tournament, version, topic, stored = row
    entry = entry_of(row)
    entries = enumerate(folder.entries(note.head.size))
    index = next((index for index, found in entries if found == entry), None)
    if index is None:
        raise Unknown(f"fact {version} is not in the published tree yet: publish it again, then prove")
    hashes = prove_inclusion(index, note.head.size, folder.hashes_of_size(note.head.size))
    preimage = hash_preimage(previous_of(stored), tournament, version, topic, stored)
    return ProofFile(preimage, index, tuple(hashes), note)


def verify_folder(folder: TileFolder, log: Verifier, witnesses: Sequence[Verifier] = ()) -> TreeNote:
    """The checkpoint of a published tree whose every tile and entry was hashed again."""
    text = folder.checkpoint()
    if not text:
        raise Unknown(f"there is no checkpoint in {folder.folder}")
    note = parse_note(text)
    if note.head.origin != log.name or not is_signed(note, log):
        raise Invalid(f"{log.name} did not sign the checkpoint in {folder.folder}")
    for key in witnesses:
        if not is_signed(note, key, COSIGNATURE):
            raise Invalid(f"the witness {key.name} did not sign the checkpoint in {folder.folder}")
    if rebuilt_root(folder, note.head.size) != note.head.root:
        raise CorruptFile("the entries do not give the root that was signed: they were changed")
    if root(note.head.size, folder.hashes_of_size(note.head.size)) != note.head.root:
        raise CorruptFile("the tiles do not give the root that was signed: they were changed")
    return note


def rebuilt_root(folder: TileFolder, size: int) -> bytes:
    """The root from the entries alone."""
    tree = RunningTree()
    for entry in folder.entries(size):
        tree.add(entry)
    return tree.root()
