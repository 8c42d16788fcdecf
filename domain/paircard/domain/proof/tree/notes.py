"""Checkpoints of a tree as signed notes, read strictly.

The formats are c2sp.org/signed-note, tlog-checkpoint and tlog-cosignature.

Strictly: text that a program of ours would not have written byte for byte is refused, so that nobody can
make a second text out of a signed one.
"""

import base64
import hashlib
import re
import time
from collections.abc import Iterable
from typing import Final

import msgspec

from paircard.domain.errors import Invalid
from paircard.domain.proof.checkpoints import Signer, Verifier, strict_base64

SIGNATURE: Final = 0x01
"""Ed25519 over the text of a note."""
COSIGNATURE: Final = 0x04
"""Ed25519 of a witness over the text and the time it saw it."""
MOST_SIGNATURES: Final = 64
LARGEST: Final = 64 * 1024
"""Characters of a note."""
_DASH: Final = "— "
_NAME: Final = re.compile(r"[^\s+]{1,200}")


class TreeHead(msgspec.Struct, frozen=True):
    """What a checkpoint says: the log's name, its number of leaves, its root."""

    origin: str
    size: int
    root: bytes

    def text(self) -> str:
        """The lines that are signed."""
        return f"{self.origin}\n{self.size}\n{base64.b64encode(self.root).decode()}\n"


class SignatureLine(msgspec.Struct, frozen=True):
    """One line under a note."""

    name: str
    key_id: bytes
    signature: bytes

    def line(self) -> str:
        return f"{_DASH}{self.name} {base64.b64encode(self.key_id + self.signature).decode()}\n"


class TreeNote(msgspec.Struct, frozen=True):
    """A checkpoint with its signatures."""

    head: TreeHead
    signatures: tuple[SignatureLine, ...]

    def text(self) -> str:
        """The whole note, as it was read."""
        return f"{self.head.text()}\n" + "".join(line.line() for line in self.signatures)

    def with_lines(self, lines: Iterable[SignatureLine]) -> "TreeNote":
        """The note with further signatures; of one key the newest stays."""
        kept = {(line.name, line.key_id): line for line in (*self.signatures, *lines)}
        return TreeNote(self.head, tuple(kept.values()))


def key_id(key: Verifier, kind: int = SIGNATURE) -> bytes:
    """[signed-note] The first four bytes of the hash of name, kind of signature and key."""
    return hashlib.sha256(key.name.encode() + b"\n" + bytes([kind]) + key.public).digest()[:4]


def witness_line(key: Verifier) -> str:
    """The public key of a witness as others configure it."""
    material = base64.b64encode(bytes([COSIGNATURE]) + key.public).decode()
    return f"{key.name}+{key_id(key, COSIGNATURE).hex()}+{material}"


def parse_key(text: str) -> tuple[Verifier, int]:
    """A public key line ``name+id+base64``, of a log or of a witness, and which of the two it is."""
    name, _, rest = text.strip().partition("+")
    id, _, encoded = rest.partition("+")
    raw = strict_base64(encoded)
    if len(raw) != 33 or raw[0] not in (SIGNATURE, COSIGNATURE) or not _NAME.fullmatch(name):
        raise Invalid(f"{text.strip()[:80]!r} is not a public key, such as example.org/log+1a2b3c4d+AbC…")
    key = Verifier(name, raw[1:])
    if key_id(key, raw[0]).hex() != id:
        raise Invalid(f"the public key of {name[:60]} is damaged: its id does not match")
    return key, raw[0]


def sign(head: TreeHead, signer: Signer) -> TreeNote:
    """The checkpoint of a log, signed by the log."""
    key = signer.verifier()
    signature = signer.sign_bytes(head.text().encode())
    return TreeNote(head, (SignatureLine(key.name, key_id(key), signature),))


def cosign(head: TreeHead, signer: Signer, at: int | None = None) -> SignatureLine:
    """What a witness adds: at this time, this was the largest consistent tree it had seen."""
    seconds = int(time.time()) if at is None else at
    key = signer.verifier()
    signature = signer.sign_bytes(cosigned_text(head, seconds))
    stamp = seconds.to_bytes(8, "big")
    return SignatureLine(key.name, key_id(key, COSIGNATURE), stamp + signature)


def cosigned_text(head: TreeHead, seconds: int) -> bytes:
    """[tlog-cosignature] The message a witness signs."""
    return f"cosignature/v1\ntime {seconds}\n{head.text()}".encode()


def is_signed(note: TreeNote, key: Verifier, kind: int = SIGNATURE) -> bool:
    """Whether a key signed the note; refuses a note with a wrong signature of that key."""
    for line in note.signatures:
        if (line.name, line.key_id) != (key.name, key_id(key, kind)):
            continue
        if kind == SIGNATURE:
            right = key.signed(note.head.text().encode(), line.signature)
        else:
            right = key.signed(cosigned_text(note.head, cosigned_at(line)), line.signature[8:])
        if not right:
            raise Invalid(f"the signature of {key.name} is wrong: the checkpoint was changed")
        return True
    return False


def cosigned_at(line: SignatureLine) -> int:
    """When a witness signed, in seconds since 1970."""
    return int.from_bytes(line.signature[:8], "big")


def parse_note(text: str) -> TreeNote:
    """Read a checkpoint; refuses what is not exactly one. Says nothing about its signatures."""
    if len(text) > LARGEST or any(letter < " " and letter != "\n" for letter in text):
        raise Invalid("this is not a checkpoint: too long, or with control characters")
    body, _, below = text.rpartition("\n\n")
    note = TreeNote(parse_head(f"{body}\n"), parse_signatures(below))
    if note.text() != text:
        raise Invalid("this is not a checkpoint as a program writes it")
    return note


def parse_head(body: str) -> TreeHead:
    """Origin, size and root: three lines, no more."""
    lines = body.removesuffix("\n").split("\n")
    if len(lines) != 3 or not _NAME.fullmatch(lines[0]):
        raise Invalid("this is not a checkpoint: origin, size, root, an empty line, signatures")
    origin, size, encoded = lines
    if not re.fullmatch(r"0|[1-9][0-9]{0,17}", size):
        raise Invalid(f"{size[:20]!r} is not the size of a tree")
    hash = strict_base64(encoded)
    if len(hash) != 32:
        raise Invalid(f"{encoded[:60]!r} is not a SHA-256 in base64")
    return TreeHead(origin, int(size), hash)


def parse_signatures(text: str) -> tuple[SignatureLine, ...]:
    """The lines under a note; a key may stand there once."""
    lines = text.removesuffix("\n").split("\n")
    if len(lines) > MOST_SIGNATURES:
        raise Invalid(f"a checkpoint with more than {MOST_SIGNATURES} signatures")
    found = tuple(map(parse_signature, lines))
    if len({(line.name, line.key_id) for line in found}) != len(found):
        raise Invalid("a key appears twice under the checkpoint")
    return found


def parse_signature(line: str) -> SignatureLine:
    """One signature line, without its end."""
    name, _, encoded = line.removeprefix(_DASH).partition(" ")
    raw = strict_base64(encoded) if line.startswith(_DASH) and _NAME.fullmatch(name) else b""
    if len(raw) < 5:
        raise Invalid(f"{line[:60]!r} is not a signature line")
    return SignatureLine(name, raw[:4], raw[4:])
