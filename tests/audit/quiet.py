"""A tournament in which nothing odd happens, and keys to sign it with."""

from collections.abc import Sequence
from functools import cache

import msgspec

from paircard.cli import verify as alone
from paircard.domain.events import Recorded
from paircard.domain.log.stored import GENESIS, StoredFact, seal
from paircard.domain.messages import Message, say
from paircard.domain.proof.bundles import write_bundle
from paircard.domain.proof.checkpoints import Checkpoint
from paircard.domain.proof.note import Signer
from paircard.service.review.verify import Report
from tests.audit.lives import Life, rows

FEDERATION = Signer("fsi.it", bytes(range(32)))
ARBITER = Signer("arbiter7", bytes(range(1, 33)))


def quiet_life() -> Life:
    """Six players, two rounds paired by the engine, all results entered, nothing else happened."""
    one = Life(2026)
    one.chance = lambda percent: False  # type: ignore[method-assign]
    one.open(6, 3)
    for _ in range(2):
        assert one.pair()
        one.play()
    return one


LOG = tuple(quiet_life().log)
ID = LOG[0].tournament
ROWS = rows(list(LOG))


def unplaced(rows: Sequence[StoredFact]) -> list[StoredFact]:
    """Stored facts without their places in a store."""
    return [msgspec.structs.replace(row, id=0) for row in rows]


HASHES = [fact.hash for fact in LOG]
END = len(LOG)


def note_of(size: int, signer: Signer = FEDERATION) -> str:
    return signer.sign(Checkpoint(ID, size, HASHES[size - 1])).text()


def resealed(log: list[Recorded]) -> list[Recorded]:
    """The log with its chain computed anew."""
    head, made = GENESIS, []
    for place, fact in enumerate(log, start=1):
        sealed = seal(msgspec.structs.replace(fact, version=place), head).fact
        made.append(sealed)
        head = sealed.hash
    return made


def graves(report: Report) -> list[tuple[str, int]]:
    return [(finding.matter, finding.version) for finding in report.findings if finding.grave]


def cut_off(facts: int, last: int) -> Message:
    """A checkpoint of more facts than the log has left."""
    return say(
        "proof.checkpoint-convicts", facts=facts, what=say("proof.end-cut-off", facts=facts, last=last)
    )


NINE = note_of(9)
FEDERATION_KEY = FEDERATION.verifier()
STANDALONE_KEY = alone.read_key(FEDERATION_KEY.line())


@cache
def bundle() -> bytes:
    return write_bundle(ID, ROWS, [note_of(9), note_of(END, ARBITER)])


def standalone_key(signer: Signer) -> alone.Key:
    return alone.read_key(signer.verifier().line() + "\n")
