"""What the stand-alone verifier says of a proof, as the tests ask it."""

from collections.abc import Sequence

from paircard.cli import verify as alone
from paircard.domain.proof.note import Verifier


def proven(text: str, log: Verifier) -> list[str]:
    """The lines of a proof that holds."""
    return alone.verify_proof(text, alone.read_key(log.line()))


def includes(entry: bytes, index: int, size: int, path: Sequence[bytes], whole: bytes) -> bool:
    """Whether a proof leads from an entry to the root."""
    try:
        return alone.root_of(entry, index, size, list(path)) == whole
    except alone.Broken:
        return False
