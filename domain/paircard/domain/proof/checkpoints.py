"""Checkpoints of a tournament: how long its log was and with which hash it ended, in a signed note.

The hash is the head of the chain of ``paircard.domain.log.stored``, not the root of a Merkle tree. A copy of
such a text proves later that the log still begins with what was signed. A short form of it is printed.

Notes are also kept in the store, so that a bundle can carry them. Those are for convenience: who can change
the log can change them too. Still, one that does not fit the log, or stands under another label than its own,
is reported; and one of a tournament without facts says that there was such a tournament.
"""

import re
from collections.abc import Iterable, Sequence
from typing import Final, TypeAlias

import msgspec

from paircard.domain.errors import CorruptFile, Invalid, Refused
from paircard.domain.log.backends.base import ORIGIN, CheckpointRow
from paircard.domain.log.store import Tournaments
from paircard.domain.messages import Message, say
from paircard.domain.proof.note import Head, Note, parse_note

PRINTED: Final = 32
"""Hexadecimal digits of a head on paper: 128 bits. Of 80, as were printed once, an insider can prepare two
logs with one head, by a search over 2^40 command ids."""
WEAK: Final = 20
"""As many were printed once; fewer prove nothing."""


class Checkpoint(msgspec.Struct, frozen=True):
    """What is signed."""

    tournament: str
    size: int
    """Facts in the log."""
    head: str
    """Hash of the last of them."""

    def text(self) -> str:
        """The lines that are signed."""
        return Head(f"{ORIGIN}{self.tournament}", self.size, bytes.fromhex(self.head)).text()


def checkpoint_of(note: Note) -> Checkpoint:
    """What a note says of a tournament; refuses one that does not. Further signed lines may follow."""
    head = note.head
    tournament = head.origin.removeprefix(ORIGIN)
    if not head.origin.startswith(ORIGIN) or not re.fullmatch(r"[0-9a-f]{32}", tournament):
        raise Invalid("proof.not-our-origin", text=head.origin)
    if not 1 <= head.size < 10**9:
        raise Invalid("proof.not-a-size", text=str(head.size))
    return Checkpoint(tournament, head.size, head.root.hex())


def parse_checkpoint(text: str) -> Checkpoint:
    """Read a checkpoint of a tournament; says nothing about its signatures."""
    return checkpoint_of(parse_note(text))


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
        raise Invalid("proof.not-a-printed-head", text=text)
    return int(size), digits


def consistent(note: Checkpoint, tournament: str, hashes: Sequence[str]) -> Message | None:
    """Why a log with these hashes does not begin with what was signed; nothing if it does."""
    if note.tournament != tournament:
        return say("proof.of-another-tournament", tournament=note.tournament)
    if note.size > len(hashes):
        return say("proof.end-cut-off", facts=note.size, last=len(hashes))
    if hashes[note.size - 1] != note.head:
        return say("proof.rewritten", facts=note.size)
    return None


def convicted(note: Checkpoint, why: Message) -> Message:
    """What a checkpoint has against a log."""
    return say("proof.checkpoint-convicts", facts=note.size, what=why)


# --- notes that are kept in the store


Wrong: TypeAlias = tuple[int, Message]
"""The size of a kept checkpoint that cannot be right, 0 where that cannot be read, and why."""


def keep_checkpoint(store: Tournaments, note: str) -> None:
    """Keep a note with the log; the same one twice is kept once."""
    checkpoint = parse_checkpoint(note)
    store.keep_note(checkpoint.tournament, checkpoint.size, note)


def kept_checkpoints(store: Tournaments, tournament: str) -> list[str]:
    """The notes of a tournament, the oldest first; refuses one that nobody can read."""
    found = []
    for note in texts(store.backend.stored_checkpoints(tournament)):
        checkpoint = read(note)
        if checkpoint is None:
            raise CorruptFile("proof.stored-checkpoint-unreadable", tournament=tournament)
        if checkpoint.tournament == tournament:
            found.append(note)
    return found


def texts(labels: Iterable[CheckpointRow]) -> list[str]:
    """The notes in their order, each once, even if somebody changed them in the database."""
    found = dict.fromkeys(str(note) for _, _, note in labels)
    sizes = {note: checkpoint.size if (checkpoint := read(note)) else 0 for note in found}
    return sorted(found, key=lambda note: (sizes[note], note))


def read(note: object) -> Checkpoint | None:
    try:
        return parse_checkpoint(note) if isinstance(note, str) else None
    except Refused:
        return None


def mislabelled(labels: Iterable[CheckpointRow]) -> list[Wrong]:
    """Notes whose row says another tournament or size than their text."""
    found = []
    for tournament, size, note in labels:
        checkpoint = read(note)
        if checkpoint and (checkpoint.tournament, checkpoint.size) != (tournament, size):
            stored = say(
                "proof.mislabelled", facts=checkpoint.size, value=str(size), tournament=str(tournament)[:40]
            )
            found.append((checkpoint.size, stored))
    return found


def misfits(labels: Iterable[CheckpointRow], tournament: str, hashes: list[str]) -> list[Wrong]:
    """What a log with these hashes and its kept notes have against each other."""
    found = mislabelled(labels)
    for _, _, note in labels:
        checkpoint = read(note)
        if checkpoint is None:
            found.append((0, say("proof.row-changed")))
        elif why := consistent(checkpoint, tournament, hashes):
            found.append((checkpoint.size, convicted(checkpoint, why)))
    return found
