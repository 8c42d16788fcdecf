"""Everything Paircard asks of the package cryptography: Ed25519 signatures, and text under a passphrase.

The package comes with ``paircard[proof]``. Without it every function here refuses, and nothing else changes.
"""

import os
from typing import Final

from paircard.domain.errors import LibraryMissing

try:
    from cryptography.exceptions import InvalidSignature, InvalidTag
    from cryptography.hazmat.primitives.asymmetric.ed25519 import Ed25519PrivateKey, Ed25519PublicKey
    from cryptography.hazmat.primitives.ciphers.aead import ChaCha20Poly1305
    from cryptography.hazmat.primitives.kdf.scrypt import Scrypt
except ImportError:
    INSTALLED = False
else:
    INSTALLED = True

SALT: Final = 16
NONCE: Final = 12


def need_library() -> None:
    if not INSTALLED:
        raise LibraryMissing("proof.library-missing")


def new_seed() -> bytes:
    need_library()
    return Ed25519PrivateKey.generate().private_bytes_raw()


def public_key(seed: bytes) -> bytes:
    need_library()
    return Ed25519PrivateKey.from_private_bytes(seed).public_key().public_bytes_raw()


def sign(seed: bytes, message: bytes) -> bytes:
    need_library()
    return Ed25519PrivateKey.from_private_bytes(seed).sign(message)


def is_signature(public: bytes, signature: bytes, message: bytes) -> bool:
    """Whether the owner of a public key made this signature under this message."""
    need_library()
    try:
        Ed25519PublicKey.from_public_bytes(public).verify(signature, message)
    except InvalidSignature:
        return False
    return True


def encrypt(text: bytes, passphrase: str) -> bytes:
    """A text that nobody reads without the passphrase: salt, nonce and the ChaCha20-Poly1305 of it."""
    need_library()
    salt, nonce = os.urandom(SALT), os.urandom(NONCE)
    return salt + nonce + ChaCha20Poly1305(_stretch(passphrase, salt)).encrypt(nonce, text, None)


def decrypt(locked: bytes, passphrase: str) -> bytes | None:
    """The text again; None if the passphrase is wrong or the bytes were changed."""
    need_library()
    salt, nonce, content = locked[:SALT], locked[SALT : SALT + NONCE], locked[SALT + NONCE :]
    try:
        return ChaCha20Poly1305(_stretch(passphrase, salt)).decrypt(nonce, content, None)
    except InvalidTag:
        return None


def _stretch(passphrase: str, salt: bytes) -> bytes:
    return Scrypt(salt=salt, length=32, n=2**15, r=8, p=1).derive(passphrase.encode())
