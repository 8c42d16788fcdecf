"""Private keys under a passphrase: scrypt makes a key of it, ChaCha20-Poly1305 locks the line away.

LOCKED+KEY+name+id+base64(salt, 16 bytes · nonce, 12 bytes · the line of the private key, locked)
"""

import base64
import binascii
from typing import Final

from paircard.domain.errors import Invalid
from paircard.domain.proof import crypto
from paircard.domain.proof.checkpoints import Signer, parse_signer

PREFIX: Final = "LOCKED+KEY+"


def is_locked(text: str) -> bool:
    """Whether a key file needs a passphrase."""
    return text.startswith(PREFIX)


def lock(signer: Signer, passphrase: str) -> str:
    """The content of a key file that is of no use without the passphrase."""
    content = base64.b64encode(crypto.encrypt(signer.line().encode(), passphrase)).decode()
    return f"{PREFIX}{signer.name}+{signer.verifier().key_id}+{content}"


def unlock(text: str, passphrase: str) -> Signer:
    """The key in a locked file; refuses a wrong passphrase."""
    crypto.need_library()
    try:
        line = crypto.decrypt(base64.b64decode(text.strip().split("+", 4)[4], validate=True), passphrase)
    except (IndexError, binascii.Error, ValueError):
        raise Invalid("the locked key is damaged: restore it from a copy") from None
    if line is None:
        raise Invalid("the passphrase is wrong, or the locked key is damaged")
    return parse_signer(line.decode())
