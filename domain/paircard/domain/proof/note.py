"""Signed notes: a text, an empty line, and the signatures of keys that stand for it.

The formats are those of C2SP, which other programs read too: signed-note, tlog-checkpoint and
tlog-cosignature. They are read strictly: text that a program would not have written byte for byte is
refused, so that nobody can make a second text out of a signed one. Signatures are Ed25519.

All that is asked of the package cryptography is asked here: it comes with ``paircard[proof]``, and without it
signing and checking signatures is refused, nothing else.
"""

import base64
import hashlib
import os
import re
import time
from collections.abc import Iterable, Sequence
from typing import Final, Protocol

import msgspec

from paircard.domain.errors import Invalid, LibraryMissing

try:
    from cryptography.exceptions import InvalidSignature, InvalidTag
    from cryptography.hazmat.primitives.asymmetric.ed25519 import Ed25519PrivateKey, Ed25519PublicKey
    from cryptography.hazmat.primitives.ciphers.aead import ChaCha20Poly1305
    from cryptography.hazmat.primitives.kdf.scrypt import Scrypt
except ImportError:
    INSTALLED = False
else:
    INSTALLED = True

SIGNATURE: Final = 0x01
"""Kind of a key that signs the text of a note."""
COSIGNATURE: Final = 0x04
"""Kind of a witness's key, which signs the text and the time it saw it."""
MOST_SIGNATURES: Final = 64
"""Under the checkpoint of a tree; under that of a tournament there may be any number."""
LARGEST: Final = 64 * 1024
"""Characters of the checkpoint of a tree."""
LOCKED: Final = "LOCKED+KEY+"
_DASH: Final = "— "
_NAME: Final = re.compile(r"[^\s\x00-\x1f\x7f-\x9f+]{1,200}")


class Signable(Protocol):
    """What can be signed: lines of text."""

    def text(self) -> str: ...


class Head(msgspec.Struct, frozen=True):
    """What every checkpoint says: the name of a log, its length, and the hash over all of it."""

    origin: str
    size: int
    root: bytes
    """Of a tree its root, of a chain its last hash."""

    def text(self) -> str:
        """The lines that are signed."""
        return f"{self.origin}\n{self.size}\n{base64.b64encode(self.root).decode()}\n"


class Signature(msgspec.Struct, frozen=True):
    """One line under a note."""

    name: str
    key_id: str
    signature: bytes

    def line(self) -> str:
        """The line, with its end."""
        raw = bytes.fromhex(self.key_id) + self.signature
        return f"{_DASH}{self.name} {base64.b64encode(raw).decode()}\n"

    def seen_at(self) -> int:
        """When a witness signed, in seconds since 1970."""
        return int.from_bytes(self.signature[:8], "big")


class Note(msgspec.Struct, frozen=True):
    """A signed text."""

    body: str
    """The lines that are signed, byte for byte."""
    signatures: tuple[Signature, ...]

    def text(self) -> str:
        """The whole note, as it was read."""
        return f"{self.body}\n" + "".join(one.line() for one in self.signatures)

    @property
    def head(self) -> Head:
        """What the note says, if it is a checkpoint."""
        return parse_head(self.body)

    def with_lines(self, lines: Iterable[Signature]) -> "Note":
        """The note with further signatures; of one key the newest stays."""
        kept = {(line.name, line.key_id): line for line in (*self.signatures, *lines)}
        return Note(self.body, tuple(kept.values()))


class Verifier(msgspec.Struct, frozen=True):
    """A public key, the name of its owner, and the kind of signature it makes."""

    name: str
    public: bytes
    kind: int = SIGNATURE

    @property
    def key_id(self) -> str:
        """[signed-note] The first four bytes of the hash of name, kind and key, in hexadecimal."""
        return hashlib.sha256(self.name.encode() + b"\n" + self.material).hexdigest()[:8]

    @property
    def material(self) -> bytes:
        """Kind and key, as they are written."""
        return bytes([self.kind]) + self.public

    def line(self) -> str:
        """The line to hand out; ``parse_key`` reads it."""
        return f"{self.name}+{self.key_id}+{base64.b64encode(self.material).decode()}"

    def signed(self, content: bytes, signature: bytes) -> bool:
        """Whether this key made the signature."""
        need_library()
        try:
            Ed25519PublicKey.from_public_bytes(self.public).verify(signature, content)
        except InvalidSignature:
            return False
        return True

    def stands_for(self, body: str, line: Signature) -> bool:
        """Whether a line under a text is a right signature of this key."""
        if self.kind == SIGNATURE:
            return self.signed(body.encode(), line.signature)
        return self.signed(cosigned_text(body, line.seen_at()), line.signature[8:])


class Signer(msgspec.Struct, frozen=True):
    """A private key and the name of its owner."""

    name: str
    seed: bytes

    def verifier(self, kind: int = SIGNATURE) -> Verifier:
        """The public half."""
        return Verifier(self.name, private_key(self.seed).public_key().public_bytes_raw(), kind)

    def line(self) -> str:
        """The content of the key file; to be kept secret."""
        key = base64.b64encode(bytes([SIGNATURE]) + self.seed).decode()
        return f"PRIVATE+KEY+{self.name}+{self.verifier().key_id}+{key}"

    def sign(self, said: Signable) -> Note:
        """The text with this signature under it."""
        body = said.text()
        return Note(body, (Signature(self.name, self.verifier().key_id, self.sign_bytes(body.encode())),))

    def cosign(self, said: Signable, at: int | None = None) -> Signature:
        """What a witness adds: at this time, this was the largest consistent tree it had seen."""
        seconds = int(time.time()) if at is None else at
        signature = seconds.to_bytes(8, "big") + self.sign_bytes(cosigned_text(said.text(), seconds))
        return Signature(self.name, self.verifier(COSIGNATURE).key_id, signature)

    def sign_bytes(self, content: bytes) -> bytes:
        """The bare signature."""
        return private_key(self.seed).sign(content)


def cosigned_text(body: str, seconds: int) -> bytes:
    """[tlog-cosignature] The message a witness signs."""
    return f"cosignature/v1\ntime {seconds}\n{body}".encode()


def signed_by(note: Note, keys: Iterable[Verifier]) -> list[str]:
    """Names of the keys whose signature is under the note and right; a wrong one is refused."""
    names = []
    for key in keys:
        for line in note.signatures:
            if (line.name, line.key_id) != (key.name, key.key_id):
                continue
            if not key.stands_for(note.body, line):
                raise Invalid("proof.signature-wrong", name=key.name)
            names.append(key.name)
    return names


def is_signed(note: Note, key: Verifier) -> bool:
    """Whether a key signed the note; a wrong signature of it is refused."""
    return bool(signed_by(note, [key]))


def parse_note(text: str) -> Note:
    """Read a signed text; refuses what is not exactly one. Says nothing about its signatures."""
    body, gap, below = text.partition("\n\n")
    if not gap:
        raise Invalid("proof.not-a-checkpoint")
    if any(letter < " " and letter != "\n" for letter in text):
        raise Invalid("proof.control-characters")
    note = Note(f"{body}\n", parse_signatures(below))
    if note.text() != text:
        raise Invalid("proof.checkpoint-loose")
    return note


def parse_tree_note(text: str) -> Note:
    """Read the checkpoint of a tree: three lines and some signatures, no more, and no key twice."""
    if len(text) > LARGEST:
        raise Invalid("proof.control-characters")
    note = parse_note(text)
    if note.head.text() != note.body:
        raise Invalid("proof.checkpoint-loose")
    if len(note.signatures) > MOST_SIGNATURES:
        raise Invalid("proof.too-many-signatures", most=MOST_SIGNATURES)
    if note.with_lines(()) != note:
        raise Invalid("proof.key-twice")
    return note


def parse_head(body: str) -> Head:
    lines = body.removesuffix("\n").split("\n")
    if len(lines) < 3 or not _NAME.fullmatch(lines[0]):
        raise Invalid("proof.not-a-checkpoint")
    if not re.fullmatch(r"0|[1-9][0-9]{0,17}", lines[1]):
        raise Invalid("proof.not-a-size", text=lines[1])
    root = strict_base64(lines[2])
    if len(root) != 32:
        raise Invalid("proof.not-a-hash", text=lines[2])
    return Head(lines[0], int(lines[1]), root)


def parse_signatures(below: str) -> tuple[Signature, ...]:
    return tuple(map(_parse_signature, below.removesuffix("\n").split("\n")))


def _parse_signature(line: str) -> Signature:
    name, _, encoded = line.removeprefix(_DASH).partition(" ")
    raw = strict_base64(encoded) if line.startswith(_DASH) and _NAME.fullmatch(name) else b""
    if len(raw) < 5:
        raise Invalid("proof.not-a-signature", text=line)
    return Signature(name, raw[:4].hex(), raw[4:])


def strict_base64(text: str) -> bytes:
    """The bytes of base64 as a program writes it; nothing for any other spelling."""
    try:
        raw = base64.b64decode(text)
    except ValueError:
        return b""
    return raw if base64.b64encode(raw).decode() == text else b""


def base64_lines(hashes: Sequence[bytes]) -> list[str]:
    return [base64.b64encode(hash).decode() for hash in hashes]


# --- keys


def need_library() -> None:
    if not INSTALLED:
        raise LibraryMissing("proof.library-missing")


def private_key(seed: bytes) -> "Ed25519PrivateKey":
    need_library()
    return Ed25519PrivateKey.from_private_bytes(seed)


def new_signer(name: str) -> Signer:
    if not re.fullmatch(r"[^\s+]{1,60}", name) or not name.isprintable():
        raise Invalid("proof.key-name", text=name)
    need_library()
    return Signer(name, Ed25519PrivateKey.generate().private_bytes_raw())


def parse_signer(text: str) -> Signer:
    parts = text.strip().split("+", 4)
    if len(parts) != 5 or parts[:2] != ["PRIVATE", "KEY"]:
        raise Invalid("proof.not-a-private-key")
    raw = _key_bytes(parts[4])
    if raw[0] != SIGNATURE:
        raise Invalid("proof.not-ed25519")
    signer = Signer(parts[2], raw[1:])
    if signer.verifier().key_id != parts[3]:
        raise Invalid("proof.private-key-damaged", name=parts[2][:60])
    return signer


def parse_key(text: str, kind: int = SIGNATURE) -> Verifier:
    """Read the line of a public key, of somebody who signs or of a witness; refuses the other kind."""
    parts = text.strip().split("+", 2)
    if len(parts) != 3 or not _NAME.fullmatch(parts[0]) or parts[0] == "PRIVATE":
        raise Invalid("proof.not-a-public-key")
    raw = _key_bytes(parts[2])
    key = Verifier(parts[0], raw[1:], raw[0])
    if key.key_id != parts[1]:
        raise Invalid("proof.public-key-damaged", name=parts[0][:60])
    if key.kind != kind:
        code = "proof.key-of-a-witness" if kind == SIGNATURE else "proof.key-of-a-tree"
        raise Invalid(code, name=key.name)
    return key


def _key_bytes(text: str) -> bytes:
    raw = strict_base64(text)
    if len(raw) != 33 or raw[0] not in (SIGNATURE, COSIGNATURE):
        raise Invalid("proof.not-ed25519")
    return raw


def is_locked(text: str) -> bool:
    return text.startswith(LOCKED)


SALT: Final = 16
NONCE: Final = 12


def lock(signer: Signer, passphrase: str) -> str:
    """The content of a key file that is of no use without the passphrase.

    LOCKED+KEY+name+id+base64(salt, 16 bytes · nonce, 12 bytes · the line of the private key, locked)
    """
    salt, nonce = os.urandom(SALT), os.urandom(NONCE)
    locked = salt + nonce + cipher(passphrase, salt).encrypt(nonce, signer.line().encode(), None)
    return f"{LOCKED}{signer.name}+{signer.verifier().key_id}+{base64.b64encode(locked).decode()}"


def unlock(text: str, passphrase: str) -> Signer:
    """The key in a locked file; refuses a wrong passphrase."""
    need_library()
    try:
        locked = base64.b64decode(text.strip().split("+", 4)[4], validate=True)
        salt, nonce, content = locked[:SALT], locked[SALT : SALT + NONCE], locked[SALT + NONCE :]
        line = cipher(passphrase, salt).decrypt(nonce, content, None)
    except (IndexError, ValueError):
        raise Invalid("proof.locked-key-damaged") from None
    except InvalidTag:
        raise Invalid("proof.passphrase-wrong") from None
    return parse_signer(line.decode())


def cipher(passphrase: str, salt: bytes) -> "ChaCha20Poly1305":
    need_library()
    return ChaCha20Poly1305(Scrypt(salt=salt, length=32, n=2**15, r=8, p=1).derive(passphrase.encode()))
