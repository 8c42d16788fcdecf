"""What the facts of a tournament say was erased, and facts without it."""

from collections.abc import Iterable

from paircard.domain.events import PersonErased, Recorded
from paircard.domain.log.chain import ERASURES, decode_fact
from paircard.domain.log.privacy import without_pieces
from paircard.domain.log.rows import Row


def erased_pieces(facts: Iterable[Recorded]) -> set[tuple[int, str]]:
    """Version and commitment of the personal parts that facts say were erased."""
    return {
        piece
        for recorded in facts
        if isinstance(recorded.fact, PersonErased)
        for piece in recorded.fact.pieces
    }


def erased_hashes(tournament: str, rows: Iterable[Row]) -> set[str]:
    """Commitments of the personal parts that stored facts say were erased."""
    facts = (decode_fact(tournament, *row) for row in rows if row[1] == ERASURES)
    return {hash for _, hash in erased_pieces(facts)}


def without_erased(tournament: str, rows: list[Row], erasures: Iterable[Row]) -> list[Row]:
    """Stored facts without the personal parts that were erased, there or not."""
    gone = erased_hashes(tournament, erasures)
    if not gone:
        return rows
    return [(version, topic, without_pieces(stored, gone)) for version, topic, stored in rows]
