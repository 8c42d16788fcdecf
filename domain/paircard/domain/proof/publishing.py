"""Publishing the tree of a store: tiles into a folder, a signed checkpoint last.

The order is crash-safe. Tiles are written first and may run ahead. Then the signed note is committed into
the store itself: only what the store has for good is ever published, so a failover cannot make the log sign
two different trees. Witnesses sign next, and the file ``checkpoint`` is replaced at the very end.

A witness signs that a log only grew, and refuses everything else (c2sp.org/tlog-witness). It keeps the newest
checkpoint it signed for each log, one small file per log. Requests come over HTTP or as files; both ways use
the same function.
"""

import base64
import os
import re
from bisect import bisect_left
from collections import Counter
from collections.abc import Callable, Iterator, Mapping, Sequence
from hashlib import sha256
from http import HTTPStatus
from itertools import chain, islice
from pathlib import Path
from typing import Final, TypeAlias

import msgspec

from paircard.domain.errors import CorruptFile, Invalid, Unknown
from paircard.domain.log.store import Tournaments
from paircard.domain.log.stored import (
    StoredFact,
    check_link,
    commitments,
    hash_preimage,
    is_shown,
    previous_of,
)
from paircard.domain.messages import Message, say
from paircard.domain.proof.note import (
    Head,
    Note,
    Signer,
    Verifier,
    base64_lines,
    is_signed,
    parse_head,
    parse_signatures,
    parse_tree_note,
    strict_base64,
)
from paircard.domain.proof.tree import (
    EMPTY,
    WIDTH,
    RunningTree,
    TileFolder,
    begins_with,
    leaf_hash,
    locked,
    perfect_root,
    prove_consistency,
    prove_inclusion,
    root,
    tile_name,
)
from paircard.domain.speaking import Speaker
from paircard.domain.system import Progress, unseen
from paircard.domain.values.text import without_unseen
from paircard.domain.whole_files import write_file

FIRST_LINE: Final = "c2sp.org/tlog-proof@v1"
"""Of a proof: a file with one fact, its place in the tree, and the signed checkpoint, which needs no log."""
BATCH: Final = 2_560
"""Facts read and written at a time: ten full tiles."""

LOCK: Final = ".publishing"
"""Next to the tiles, held by the program that publishes."""

_ENTRY: Final = re.compile(rb"([0-9a-f]{32}) ([1-9][0-9]{0,8}) [0-9a-f]{64}\n")


class ProofFile(msgspec.Struct, frozen=True):
    """A proof: its extra line carries what the hash of the fact is made of.

    Personal parts of the fact that are handed on follow, a line each; the fact holds their hashes.
    """

    preimage: bytes
    """Previous hash, tournament, version, topic and payload: SHA-256 of it is the hash of the fact."""
    index: int
    hashes: tuple[bytes, ...]
    note: Note
    pieces: tuple[bytes, ...] = ()
    """Personal parts of the fact, in the order in which it commits to them."""

    def text(self) -> str:
        """The file."""
        extra = b"\n".join((self.preimage, *self.pieces))
        lines = [
            FIRST_LINE,
            f"extra {base64.b64encode(extra).decode()}",
            f"index {self.index}",
            *base64_lines(self.hashes),
            "",
            "",
        ]
        return "\n".join(lines) + self.note.text()


def tree_entry(tournament: str, version: int, hash: str) -> bytes:
    return f"{tournament} {version} {hash}\n".encode()


def parse_entry(entry: bytes) -> tuple[str, int]:
    found = _ENTRY.fullmatch(entry)
    if not found:
        raise CorruptFile("proof.not-an-entry", value=repr(entry[:40]))
    return found[1].decode(), int(found[2])


SignedTree: TypeAlias = tuple[Note, int]
"""The checkpoint of a tree, and the position of its last fact; 0 where that is not known."""


class Published(msgspec.Struct, frozen=True):
    """What a publication did."""

    note: Note
    added: int
    """Facts that were not in the tree before."""
    cosigned_by: tuple[str, ...]
    refused_by: tuple[str, ...]
    """Witnesses that did not sign, with their reason."""


class WitnessRequest(msgspec.Struct, frozen=True):
    """A log asks for a signature under its new checkpoint."""

    old_size: int
    proof: tuple[bytes, ...]
    note: Note

    def text(self) -> str:
        lines = [f"old {self.old_size}", *base64_lines(self.proof), "", ""]
        return "\n".join(lines) + self.note.text()


class WitnessAnswer(msgspec.Struct, frozen=True):
    """Status and body as HTTP has them; over files the status is the first line."""

    status: HTTPStatus
    body: str

    def text(self) -> str:
        return f"{self.status.value}\n{self.body}"


AskWitness = Callable[[WitnessRequest], WitnessAnswer]
"""How a witness is reached: over HTTP, or by files."""


class WitnessContact(msgspec.Struct, frozen=True):
    """A witness: its public key and how to reach it."""

    key: Verifier
    ask: AskWitness


def publish(
    source: Tournaments,
    folder: TileFolder,
    signer: Signer,
    witnesses: Sequence[WitnessContact] = (),
    progress: Progress = unseen,
) -> Published:
    """Bring the published tree up to the newest fact of the store; one program at a time."""
    with locked(folder.folder / LOCK):
        known = signed_before(source, folder, signer.verifier())
        size, position = ensure_tiles(source, folder, known, progress) if known else (0, 0)
        start = size
        last = source.last_position()
        for rows in batches(source, position):
            size = folder.grow(size, [entry_of(row) for row in rows])
            position = rows[-1].id
            progress(position, max(position, last))
        if not size:
            raise Unknown("proof.nothing-to-publish")
        if size == start:
            note = next(note for note, _ in known if note.head.size == size)
        else:
            head = Head(signer.name, size, root(size, folder.hashes_of_size(size)))
            note = signer.sign(head)
            source.save_signed_tree(size, position, note.text())
        cosigned, unwilling = note, list[str]()
        for witness in witnesses:
            try:
                cosigned = ask_for_cosignature(cosigned, folder, witness)
            except (Invalid, OSError) as reason:
                unwilling.append(f"{witness.key.name}: {reason}")
        folder.write_checkpoint(keep_cosignatures(folder, cosigned).text())
        names = [contact.key.name for contact in witnesses if is_signed(cosigned, contact.key)]
        return Published(cosigned, size - start, tuple(names), tuple(unwilling))


def signed_before(source: Tournaments, folder: TileFolder, key: Verifier) -> list[SignedTree]:
    """What was signed last as the store knows it, and as the folder does; refuses trees of another key.

    A store that was set back has forgotten what it signed; the folder has not.
    """
    found = [
        (size, position, parse_tree_note(note)) for size, position, note in source.backend.signed_trees()[-1:]
    ]
    if note := published(folder):
        found.append((note.head.size, 0, note))
    for size, _, note in found:
        if note.head.origin != key.name or not is_signed(note, key) or note.head.size != size:
            raise Invalid("proof.tree-of-another-key", name=note.head.origin, who=key.name)
    return [(note, position) for _, position, note in found]


def published(folder: TileFolder) -> Note | None:
    """The checkpoint in a folder, if there is one; refuses one that cannot be read."""
    text = folder.checkpoint()
    try:
        return parse_tree_note(text) if text else None
    except Invalid as wrong:
        raise CorruptFile("proof.checkpoint-damaged", path=folder.place, what=wrong.said) from None


def ensure_tiles(
    source: Tournaments, folder: TileFolder, known: Sequence[SignedTree], progress: Progress
) -> tuple[int, int]:
    """Make sure that the folder holds the tree that was signed last; made again from the facts if not.

    Its size, and the position of its last fact. Refuses if the facts no longer give what was signed: then
    the store was set back, or facts were changed, or the folder is of another store.
    """
    heads = [note.head for note, _ in known]
    last, at = max((note.head.size, position) for note, position in known)
    try:
        there = all(root(head.size, folder.hashes_of_size(head.size)) == head.root for head in heads)
        entry = folder.entry(last - 1, last) if there else b""
    except CorruptFile:
        entry = b""
    newest = source.rows_by_position(at - 1, 1) if at else []
    if newest and newest[0].id == at and entry_of(newest[0]) == entry:
        return last, at
    position, missing = at, heads
    for size, row, tree in islice(growing(source), last):
        position = row.id
        missing = [head for head in missing if head.size != size or head.root != tree.root()]
        if not size % BATCH:
            progress(size, last)
    if missing:
        raise CorruptFile("proof.store-lost-facts", number=missing[0].size)
    size = 0
    for rows in batches(source, 0, position):
        size = folder.grow(size, [entry_of(row) for row in rows])
        progress(size, last)
    return size, position


def growing(source: Tournaments) -> Iterator[tuple[int, StoredFact, RunningTree]]:
    """Every fact of a store by its place in the tree, and the tree as far as that.

    Refuses facts whose bytes do not give their hash.
    """
    tree = RunningTree()
    for size, row in enumerate(chain.from_iterable(batches(source, 0)), start=1):
        tree.add(entry_of(row))
        yield size, row, tree


def batches(source: Tournaments, after: int, upto: int | None = None) -> Iterator[Sequence[StoredFact]]:
    while rows := source.rows_by_position(after, BATCH, upto):
        yield rows
        after = rows[-1].id


def entry_of(row: StoredFact) -> bytes:
    """The entry of a stored fact; refuses a fact whose bytes do not give its hash."""
    hash = check_link(previous_of(row.state), row.originator_id, row)
    return tree_entry(row.originator_id, row.originator_version, hash)


def ask_for_cosignature(note: Note, folder: TileFolder, witness: WitnessContact) -> Note:
    """The note with the signature of a witness; refuses with the witness's reason."""
    head = note.head
    old = cosigned_size(folder, witness.key)
    for _ in range(2):
        proof = prove_consistency(old, head.size, folder.hashes_of_size(head.size))
        answer = witness.ask(WitnessRequest(old, tuple(proof), note))
        if answer.status != HTTPStatus.CONFLICT:
            break
        size = re.fullmatch(r"(0|[1-9][0-9]{0,17})\n", answer.body)
        if not size:
            break
        old = int(size[1])
        if old > head.size:
            raise Invalid("proof.witness-saw-more", number=old, last=head.size)
    if answer.status != HTTPStatus.OK:
        raise Invalid(
            "proof.witness-refused",
            number=answer.status.value,
            reason=without_unseen(answer.body.strip()[:200]),
        )
    own = (witness.key.name, witness.key.key_id)
    signed = note.with_lines(
        line for line in parse_signatures(answer.body) if (line.name, line.key_id) == own
    )
    if not is_signed(signed, witness.key):
        raise Invalid("proof.witness-key-otherwise")
    return signed


def cosigned_size(folder: TileFolder, key: Verifier) -> int:
    """The size of the published tree if this witness signed it; it may have signed another one since."""
    note = published(folder)
    return note.head.size if note and is_signed(note, key) else 0


def keep_cosignatures(folder: TileFolder, note: Note) -> Note:
    """The note with signatures of earlier runs under the same tree."""
    there = published(folder)
    return there.with_lines(note.signatures) if there and there.head == note.head else note


def prove(source: Tournaments, folder: TileFolder, row: StoredFact) -> ProofFile:
    """The proof that a fact of the store is in the published tree, with the name of a player it registers."""
    note = published(folder)
    if note is None:
        raise Unknown("proof.no-tree", path=folder.place)
    index = index_at(source, folder, note.head.size, row.id)
    if index == note.head.size or folder.entry(index, note.head.size) != entry_of(row):
        raise Unknown("proof.not-published-yet", version=row.originator_version)
    hashes = prove_inclusion(index, note.head.size, folder.hashes_of_size(note.head.size))
    preimage = hash_preimage(previous_of(row.state), row.originator_id, row)
    shown = {hash: part for hash, part in row.by_hash().items() if is_shown(part)}
    pieces = tuple(shown[hash] for hash in commitments(row.state) if hash in shown)
    return ProofFile(preimage, index, tuple(hashes), note, pieces)


def index_at(source: Tournaments, folder: TileFolder, size: int, position: int) -> int:
    """Where the fact of a position stands in the tree, if it is there: entries are in order of position.

    Positions may have gaps, so the tree is halved until one entry is left; each look is one fact found by
    its key.
    """

    def position_of(index: int) -> int:
        return source.position(*parse_entry(folder.entry(index, size)))

    return bisect_left(range(size), position, key=position_of)


def verify_folder(folder: TileFolder, log: Verifier, witnesses: Sequence[Verifier] = ()) -> Note:
    """The checkpoint of a published tree whose every tile and entry was hashed again."""
    note = published(folder)
    if note is None:
        raise Unknown("proof.no-checkpoint", path=folder.place)
    if note.head.origin != log.name or not is_signed(note, log):
        raise Invalid("proof.not-signed-in-folder", name=log.name, path=folder.place)
    for key in witnesses:
        if not is_signed(note, key):
            raise Invalid("proof.not-witnessed-in-folder", name=key.name, path=folder.place)
    check_tiles(folder, note.head.size)
    if root(note.head.size, folder.hashes_of_size(note.head.size)) != note.head.root:
        raise CorruptFile("proof.entries-changed")
    return note


def check_tiles(folder: TileFolder, size: int) -> None:
    """Refuse a tile of any level that its entries, or the tiles below it, do not give."""
    level, below = 0, map(leaf_hash, folder.entries(size))
    while size:
        above = []
        for number in range(-(-size // WIDTH)):
            hashes = list(islice(below, WIDTH))
            if folder.tile(level, number, len(hashes)) != b"".join(hashes):
                name = tile_name(str(level), number, len(hashes))
                raise CorruptFile("proof.tile-changed", path=name)
            if len(hashes) == WIDTH:
                above.append(perfect_root(hashes))
        level, below, size = level + 1, map(bytes, above), len(above)


# --- the witness itself


LARGEST_REQUEST: Final = 64 * 1024
MOST_HASHES: Final = 63


def parse_request(text: str) -> WitnessRequest:
    above, gap, note = text.partition("\n\n")
    first, *lines = above.split("\n")
    if not gap or not re.fullmatch(r"old (0|[1-9][0-9]{0,17})", first):
        raise Invalid("proof.request-without-size")
    proof = tuple(strict_base64(line) for line in lines)
    if len(proof) > MOST_HASHES or any(len(hash) != 32 for hash in proof):
        raise Invalid("proof.request-without-hash")
    return WitnessRequest(int(first[4:]), proof, parse_tree_note(note))


def refused(status: HTTPStatus, why: Message) -> WitnessAnswer:
    """An answer that says why there is no signature."""
    return WitnessAnswer(status, f"{Speaker().say(why)}\n")


class Witness:
    """One witness with its key, the logs it knows and a folder for what it signed."""

    def __init__(self, signer: Signer, logs: Sequence[Verifier], state: Path) -> None:
        twice = [name for name, times in Counter(key.name for key in logs).items() if times > 1]
        if twice:
            raise Invalid("proof.two-keys-of-a-log", name=twice[0])
        self.signer = signer
        self.logs: Mapping[str, Verifier] = {key.name: key for key in logs}
        self.state = state

    def answer(self, text: str, at: int | None = None) -> WitnessAnswer:
        """Sign a checkpoint that continues the last one, or say why not."""
        try:
            request = parse_request(text)
        except Invalid as wrong:
            return refused(HTTPStatus.BAD_REQUEST, wrong.said)
        head = request.note.head
        if head.origin not in self.logs:
            return refused(HTTPStatus.NOT_FOUND, say("proof.log-unknown", name=head.origin))
        try:
            signed = is_signed(request.note, self.logs[head.origin])
        except Invalid as wrong:
            return refused(HTTPStatus.FORBIDDEN, wrong.said)
        if not signed:
            return refused(HTTPStatus.FORBIDDEN, say("proof.log-did-not-sign", name=head.origin))
        if request.old_size > head.size:
            return refused(HTTPStatus.BAD_REQUEST, say("proof.old-size-larger"))
        try:
            with locked(self.path(head.origin).with_suffix(".lock")) as lock:
                return self._decide(request, lock, at)
        except (Invalid, OSError) as trouble:
            return refused(HTTPStatus.INTERNAL_SERVER_ERROR, say("proof.cannot-sign", reason=str(trouble)))

    def _decide(self, request: WitnessRequest, lock: int, at: int | None) -> WitnessAnswer:
        head, last = request.note.head, self.last(request.note.head.origin)
        if not last.size and os.fstat(lock).st_size:
            raise Invalid("proof.state-removed", path=str(self.path(head.origin)))
        if request.old_size != last.size:
            return WitnessAnswer(HTTPStatus.CONFLICT, f"{last.size}\n")
        if head.size == last.size and head.root != last.root:
            return refused(HTTPStatus.CONFLICT, say("proof.another-tree", number=head.size))
        if not begins_with(last.size, last.root, head.size, head.root, request.proof):
            return refused(HTTPStatus.UNPROCESSABLE_ENTITY, say("proof.tree-begins-otherwise"))
        write_file(self.path(head.origin), head.text().encode())
        if head.size:
            os.lseek(lock, 0, os.SEEK_SET)
            os.write(lock, b"signed\n")  # from now on, a state that is missing was removed
        return WitnessAnswer(HTTPStatus.OK, self.signer.cosign(head, at).line())

    def last(self, origin: str) -> Head:
        """The newest tree this witness signed for a log; the empty one if none."""
        head: Head | None = None
        try:
            text = self.path(origin).read_text("utf-8", "replace")
            head = parse_head(text)
        except FileNotFoundError:
            return Head(origin, 0, EMPTY)
        except Invalid:
            pass
        if head is None or head.origin != origin or head.text() != text:
            raise Invalid("proof.state-damaged", path=str(self.path(origin)))
        return head

    def path(self, origin: str) -> Path:
        return self.state / f"{sha256(origin.encode()).hexdigest()[:32]}.head"
