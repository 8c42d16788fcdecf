"""What the doctor finds, and the examinations that every store gets."""

from collections.abc import Iterable, Iterator
from itertools import groupby

import msgspec

from paircard.domain.errors import Refused
from paircard.domain.log.backends.base import CheckpointRow
from paircard.domain.log.stored import StoredFact, chain_of, decode_fact
from paircard.domain.proof.kept_checkpoints import by_tournament, misfits
from paircard.domain.values.text import counted

GOOD, CARE, BAD = "ok", "look", "wrong"


class Finding(msgspec.Struct, frozen=True):
    """One thing the doctor looked at."""

    about: str
    state: str
    """``ok``, ``look`` (works, but see to it) or ``wrong``."""
    text: str
    """What is so and, unless it is fine, what to do."""


def facts(rows: Iterable[StoredFact], notes: Iterable[CheckpointRow] = ()) -> Iterator[Finding]:
    """The chain of every tournament, whether each fact can be read, and the checkpoints kept beside it."""
    whole = length = 0
    broken = []
    unreadable: list[str] = []
    labels = by_tournament(notes)
    misfit: list[str] = []
    for id, own in groupby(rows, key=lambda row: row.originator_id):
        mine = list(own)
        own_labels = labels.pop(str(id), [])
        try:
            hashes = chain_of(str(id), mine)
            misfit += [f"tournament {id}: {wrong.text}" for wrong in misfits(own_labels, str(id), hashes)]
        except Refused as refusal:
            broken.append(str(refusal))
        else:
            whole += 1
            length += len(mine)
            unreadable += first_unreadable(mine)
    yield from (Finding("chain", BAD, problem) for problem in broken[:10])
    if len(broken) > 10:
        yield Finding("chain", BAD, f"{len(broken) - 10} more tournaments are damaged")
    if not broken:
        problem = f"{counted(whole, 'tournament')} with {counted(length, 'fact')}, every chain whole"
        yield Finding("chain", GOOD, problem)
    yield from (Finding("facts", BAD, f"{problem}. The others can") for problem in unreadable[:10])
    if len(unreadable) > 10:
        yield Finding("facts", BAD, f"{len(unreadable) - 10} more tournaments have facts that cannot be read")
    misfit += [f"there is one of tournament {id[:40]}, of which there are no facts" for id in labels]
    yield from (Finding("checkpoints", BAD, problem) for problem in misfit[:10])
    if len(misfit) > 10:
        yield Finding("checkpoints", BAD, f"{len(misfit) - 10} more do not fit")
    if not misfit:
        yield Finding(
            "checkpoints", GOOD, "stored checkpoints match the log (only those held by others are proof)"
        )


def wrong_catalogue(rows: int) -> Finding:
    """Rows of the list of tournaments that do not fit the facts; nothing else rests on them."""
    return Finding(
        "catalogue",
        CARE,
        f"{counted(rows, 'row')} of the list of tournaments say what no fact says: run paircard init once",
    )


def first_unreadable(rows: Iterable[StoredFact]) -> list[str]:
    """The first fact of a log that cannot be read, in a sentence; nothing if all can."""
    try:
        for row in rows:
            decode_fact(row)
    except Refused as refusal:
        return [str(refusal)]
    return []
