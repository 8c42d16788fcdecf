"""Private keys under a passphrase: scrypt makes a key of it, ChaCha20-Poly1305 locks the line away.

LOCKED+KEY+name+id+base64(salt, 16 bytes · nonce, 12 bytes · the line of the private key, locked)
"""

import base64
import binascii
import os
from typing import Final

from paircard.domain.errors import Invalid
from paircard.domain.proof.checkpoints import Signer, need_library, parse_signer

PREFIX: Final = "LOCKED+KEY+"
SALT, NONCE = 16, 12


def is_locked(text: str) -> bool:
    """Whether a key file needs a passphrase."""
    return text.startswith(PREFIX)


def lock(signer: Signer, passphrase: str) -> str:
    """The content of a key file that is of no use without the passphrase."""
    need_library()
    from cryptography.hazmat.primitives.ciphers.aead import ChaCha20Poly1305

    salt, nonce = os.urandom(SALT), os.urandom(NONCE)
    locked = ChaCha20Poly1305(_stretch(passphrase, salt)).encrypt(nonce, signer.line().encode(), None)
    content = base64.b64encode(salt + nonce + locked).decode()
    return f"{PREFIX}{signer.name}+{signer.verifier().key_id}+{content}"


def unlock(text: str, passphrase: str) -> Signer:
    """The key in a locked file; refuses a wrong passphrase."""
    need_library()
    from cryptography.exceptions import InvalidTag
    from cryptography.hazmat.primitives.ciphers.aead import ChaCha20Poly1305

    try:
        raw = base64.b64decode(text.strip().split("+", 4)[4], validate=True)
        salt, nonce, locked = raw[:SALT], raw[SALT : SALT + NONCE], raw[SALT + NONCE :]
        line = ChaCha20Poly1305(_stretch(passphrase, salt)).decrypt(nonce, locked, None)
    except (IndexError, binascii.Error, ValueError):
        raise Invalid("the locked key is damaged: take the copy of it") from None
    except InvalidTag:
        raise Invalid("the passphrase is wrong, or the locked key is damaged") from None
    return parse_signer(line.decode())


def _stretch(passphrase: str, salt: bytes) -> bytes:
    from cryptography.hazmat.primitives.kdf.scrypt import Scrypt

    return Scrypt(salt=salt, length=32, n=2**15, r=8, p=1).derive(passphrase.encode())
