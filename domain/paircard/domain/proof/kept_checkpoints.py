"""Checkpoints kept beside the log, in the same file or database: so that a bundle can carry them.

They are for convenience: who can change the log can change them too. What proves something is the copy
that somebody else holds. Still, one that does not fit the log, or stands under another label than its
own, is reported; and one of a tournament without facts says that there was such a tournament.
"""

import re
from collections.abc import Iterable

import msgspec

from paircard.domain.errors import CorruptFile, Refused
from paircard.domain.log.backends.base import CheckpointRow
from paircard.domain.log.store import Tournaments
from paircard.domain.proof.checkpoints import ORIGIN, Checkpoint, consistent, parse_note


class Wrong(msgspec.Struct, frozen=True):
    """A kept checkpoint that cannot be right."""

    size: int
    """Facts it speaks of; 0 where that cannot be read."""
    text: str


def keep_checkpoint(store: Tournaments, note: str) -> None:
    """Keep a note beside the log; the same one twice is kept once."""
    checkpoint = parse_note(note).checkpoint
    store.keep_note(checkpoint.tournament, checkpoint.size, note)


def kept_checkpoints(store: Tournaments, tournament: str) -> list[str]:
    """The notes of a tournament, the oldest first; refuses one that nobody can read."""
    found = []
    for note in texts(store.notes(tournament)):
        checkpoint = read(note)
        if checkpoint is None:
            raise CorruptFile(
                f"a stored checkpoint of tournament {tournament} cannot be read: see paircard verify"
            )
        if checkpoint.tournament == tournament:
            found.append(note)
    return found


def texts(labels: Iterable[CheckpointRow]) -> list[str]:
    """The notes in their order, each once, even if somebody changed them in the database."""
    found = dict.fromkeys(str(note) for _, _, note in labels)
    return sorted(found, key=lambda note: (size_of(note), note))


def size_of(note: str) -> int:
    checkpoint = read(note)
    return checkpoint.size if checkpoint else 0


def read(note: object) -> Checkpoint | None:
    """What a kept note speaks of, if it is one."""
    try:
        return parse_note(note).checkpoint if isinstance(note, str) else None
    except Refused:
        return None


def belongs_to(label: CheckpointRow) -> set[str]:
    """Ids under which a note is to be looked at: that of its row, and that of its text."""
    tournament, _, note = label
    origin = str(note).partition("\n")[0].removeprefix(ORIGIN)
    return {str(tournament), origin} if re.fullmatch("[0-9a-f]{32}", origin) else {str(tournament)}


def mislabelled(labels: Iterable[CheckpointRow]) -> list[Wrong]:
    """Notes whose row says another tournament or size than their text."""
    found = []
    for tournament, size, note in labels:
        checkpoint = read(note)
        if checkpoint and (checkpoint.tournament, checkpoint.size) != (tournament, size):
            text = (
                f"checkpoint of {checkpoint.size} facts is stored as one of {size} facts of "
                f"{str(tournament)[:40]}: its row was changed"
            )
            found.append(Wrong(checkpoint.size, text))
    return found


def misfits(labels: Iterable[CheckpointRow], tournament: str, hashes: list[str]) -> list[Wrong]:
    """What a log with these hashes and its kept notes have against each other."""
    found = mislabelled(labels)
    for _, _, note in labels:
        checkpoint = read(note)
        if checkpoint is None:
            found.append(Wrong(0, "a stored checkpoint cannot be read: its row was changed"))
        elif why := consistent(checkpoint, tournament, hashes):
            found.append(Wrong(checkpoint.size, f"checkpoint of {checkpoint.size} facts: {why}"))
    return found


def by_tournament(labels: Iterable[CheckpointRow]) -> dict[str, list[CheckpointRow]]:
    """All kept notes, each under every id it has to do with."""
    found: dict[str, list[CheckpointRow]] = {}
    for label in labels:
        for id in belongs_to(label):
            found.setdefault(id, []).append(label)
    return found
