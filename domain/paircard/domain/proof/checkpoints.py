"""Checkpoints: a few lines of text that say how long a log was and with which hash it ended, signed.

The text form is the signed note of C2SP (c2sp.org/tlog-checkpoint and signed-note), which other tools
read: origin, size, hash, an empty line, signatures by Ed25519. The hash is the head of the chain of
``paircard.domain.log.stored``, not the root of a Merkle tree. Who holds such a text can prove later that
a log still begins with what was signed.
"""

import base64
import hashlib
import re
from collections.abc import Iterable, Sequence
from typing import Final

import msgspec

from paircard.domain.errors import Invalid
from paircard.domain.proof import crypto

ED25519: Final = b"\x01"
"""The algorithm byte of the note format."""
ORIGIN: Final = "paircard/"
PRINTED: Final = 32
"""Hexadecimal digits of a head on paper: 128 bits. Of 80, as were printed once, an insider can prepare two
logs with one head, by a search over 2^40 command ids."""
WEAK: Final = 20
"""As many were printed once; fewer prove nothing."""
_DASH: Final = "— "


class Checkpoint(msgspec.Struct, frozen=True):
    """What is signed."""

    tournament: str
    size: int
    """Facts in the log."""
    head: str
    """Hash of the last of them."""

    def text(self) -> str:
        """The lines that are signed."""
        hash = base64.b64encode(bytes.fromhex(self.head)).decode()
        return f"{ORIGIN}{self.tournament}\n{self.size}\n{hash}\n"


class Signature(msgspec.Struct, frozen=True):
    """One line under a note."""

    name: str
    key_id: str
    """First four bytes of the hash of name and key, in hexadecimal."""
    bytes: bytes


class Note(msgspec.Struct, frozen=True):
    """A checkpoint with its signatures."""

    checkpoint: Checkpoint
    text: str
    """The signed lines, byte for byte."""
    signatures: tuple[Signature, ...]


class Verifier(msgspec.Struct, frozen=True):
    """A public key and the name of its owner."""

    name: str
    public: bytes

    @property
    def key_id(self) -> str:
        return hashlib.sha256(self.name.encode() + b"\n" + ED25519 + self.public).hexdigest()[:8]

    def line(self) -> str:
        """The line to hand out; ``parse_verifier`` reads it."""
        return f"{self.name}+{self.key_id}+{base64.b64encode(ED25519 + self.public).decode()}"

    def signed(self, content: bytes, signature: bytes) -> bool:
        """Whether this key made the signature."""
        return crypto.is_signature(self.public, signature, content)


class Signer(msgspec.Struct, frozen=True):
    """A private key and the name of its owner."""

    name: str
    seed: bytes

    def verifier(self) -> Verifier:
        """The public half."""
        return Verifier(self.name, crypto.public_key(self.seed))

    def line(self) -> str:
        """The content of the key file; to be kept secret."""
        key = base64.b64encode(ED25519 + self.seed).decode()
        return f"PRIVATE+KEY+{self.name}+{self.verifier().key_id}+{key}"

    def sign(self, checkpoint: Checkpoint) -> str:
        """The signed note."""
        return self.sign_text(checkpoint.text())

    def sign_text(self, text: str) -> str:
        """A text with the signature under it."""
        signed = bytes.fromhex(self.verifier().key_id) + self.sign_bytes(text.encode())
        return f"{text}\n{_DASH}{self.name} {base64.b64encode(signed).decode()}\n"

    def sign_bytes(self, content: bytes) -> bytes:
        """The bare signature."""
        return crypto.sign(self.seed, content)


def new_signer(name: str) -> Signer:
    """A new key for an arbiter or a federation."""
    if not re.fullmatch(r"[^\s+]{1,60}", name) or not name.isprintable():
        raise Invalid(
            f"{name[:60]!r} is not the name of a key: no blanks and no plus, such as fsi.it/arbiter7"
        )
    return Signer(name, crypto.new_seed())


def parse_signer(text: str) -> Signer:
    """Read a private key file."""
    parts = text.strip().split("+", 4)
    if len(parts) != 5 or parts[:2] != ["PRIVATE", "KEY"]:
        raise Invalid("this is not a private key: paircard key new NAME makes one")
    signer = Signer(parts[2], _key_bytes(parts[4]))
    if signer.verifier().key_id != parts[3]:
        raise Invalid(f"the private key of {parts[2][:60]} is damaged: its id does not match")
    return signer


def parse_verifier(text: str) -> Verifier:
    """Read the line of a public key."""
    parts = text.strip().split("+", 2)
    if len(parts) != 3 or not parts[0] or parts[0] == "PRIVATE":
        raise Invalid("this is not a public key, such as name+1a2b3c4d+AbC…: paircard key show prints it")
    verifier = Verifier(parts[0], _key_bytes(parts[2]))
    if verifier.key_id != parts[1]:
        raise Invalid(f"the public key of {parts[0][:60]} is damaged: its id does not match")
    return verifier


def parse_note(text: str) -> Note:
    """Read a checkpoint; refuses what is not one. Says nothing about its signatures."""
    body, found, below = text.partition("\n\n")
    lines = body.split("\n")
    if not found or len(lines) < 3 or not text.endswith("\n"):
        raise Invalid("this is not a checkpoint: origin, size, hash, an empty line, signatures")
    tournament = lines[0].removeprefix(ORIGIN)
    if not lines[0].startswith(ORIGIN) or not re.fullmatch(r"[0-9a-f]{32}", tournament):
        raise Invalid(f"{lines[0][:60]!r} is not the origin of a paircard checkpoint")
    if not re.fullmatch(r"[1-9][0-9]{0,8}", lines[1]):
        raise Invalid(f"{lines[1][:20]!r} is not the size of a log")
    head = strict_base64(lines[2])
    if len(head) != 32:
        raise Invalid(f"{lines[2][:60]!r} is not a SHA-256 in base64")
    signatures = parse_signatures(below)
    return Note(Checkpoint(tournament, int(lines[1]), head.hex()), f"{body}\n", signatures)


def parse_signatures(below: str) -> tuple[Signature, ...]:
    """The lines under a signed text."""
    return tuple(map(_parse_signature, below.removesuffix("\n").split("\n")))


def signed_by(note: Note, keys: Iterable[Verifier]) -> list[str]:
    """Names of the keys whose signature is under the note and right; a wrong one is refused."""
    return signers_of(note.text, note.signatures, keys)


def signers_of(text: str, signatures: Sequence[Signature], keys: Iterable[Verifier]) -> list[str]:
    """The same for any text with signatures under it."""
    names = []
    for key in keys:
        for signature in signatures:
            if (signature.name, signature.key_id) != (key.name, key.key_id):
                continue
            if not key.signed(text.encode(), signature.bytes):
                raise Invalid(f"the signature of {key.name} is wrong: the text was changed")
            names.append(key.name)
    return names


def printed(size: int, head: str) -> str:
    """Length and head for a pairing sheet: ``47:3fa9-12cc-…``, eight groups of four."""
    return f"{size}:" + "-".join(head[at : at + 4] for at in range(0, PRINTED, 4))


def parse_printed(text: str) -> tuple[int, str]:
    """Length and the first digits of a head, as copied from paper."""
    size, _, digits = text.partition(":")
    digits = re.sub(r"[\s-]", "", digits).lower()
    if not re.fullmatch(r"[1-9][0-9]{0,8}", size.strip()) or not re.fullmatch(
        rf"[0-9a-f]{{{WEAK},64}}", digits
    ):
        raise Invalid(
            f"{text[:60]!r} is not a printed head, such as 47:3fa9-12cc-77b0-aa91-5e02-19c4-8d3f-b1a6"
        )
    return int(size), digits


def consistent(note: Checkpoint, tournament: str, hashes: Sequence[str]) -> str:
    """Why a log with these hashes does not begin with what was signed; empty if it does."""
    if note.tournament != tournament:
        return f"it is of another tournament, {note.tournament}"
    if note.size > len(hashes):
        return f"{note.size} facts were signed, the log has {len(hashes)}: its end was cut off"
    if hashes[note.size - 1] != note.head:
        return f"the first {note.size} facts are not those that were signed: the log was rewritten"
    return ""


def _parse_signature(line: str) -> Signature:
    name, _, encoded = line.removeprefix(_DASH).partition(" ")
    raw = strict_base64(encoded) if line.startswith(_DASH) and name else b""
    if len(raw) < 5:
        raise Invalid(f"{line[:60]!r} is not a signature line")
    return Signature(name, raw[:4].hex(), raw[4:])


def _key_bytes(text: str) -> bytes:
    raw = strict_base64(text)
    if len(raw) != 33 or raw[:1] != ED25519:
        raise Invalid("the key is not an Ed25519 key in base64: copy the whole line")
    return raw[1:]


def strict_base64(text: str) -> bytes:
    """The bytes of base64 as a program writes it; nothing for any other spelling."""
    try:
        raw = base64.b64decode(text)
    except ValueError:
        return b""
    return raw if base64.b64encode(raw).decode() == text else b""
