"""A store as a whole: its tournaments, and what is wrong with it beside their logs."""

import re
from collections.abc import Iterator
from hashlib import sha256
from typing import Final

import msgspec

from paircard.domain.log.store import Tournaments
from paircard.domain.log.stored import commitments, has_private
from paircard.domain.proof.checkpoints import by_tournament
from paircard.service.transparency import check_signed_trees

OPENING: Final = "tournament-opened/1"
_IS_ID: Final = re.compile("[0-9a-f]{32}").fullmatch


class Contents(msgspec.Struct, frozen=True):
    """What is in a store, seen from outside its logs."""

    ids: list[str]
    """Of the tournaments."""
    findings: list[str]
    """What is wrong: rows of no log, checkpoints and personal parts of nothing, tables, damage, trees."""


def look_through(store: Tournaments) -> Contents:
    """Read every row of a store once."""
    first: dict[object, tuple[object, object]] = {}
    committed: set[tuple[object, object, object]] = set()
    for row in store.everything():
        id, version = row.originator_id, row.originator_version
        first.setdefault(id, (version, row.topic))
        if has_private(row.state):
            committed |= {(id, version, hash) for hash in commitments_in(row.state)}
    ids = [id for id in first if isinstance(id, str) and _IS_ID(id) and first[id] == (1, OPENING)]
    findings = [f"facts under {str(id)[:40]!r} belong to no tournament" for id in first if id not in ids]
    findings += [
        f"a checkpoint of tournament {orphan[:40]!r}, which has no facts here: they were removed"
        for orphan in sorted(by_tournament(store.notes()).keys() - set(ids))
    ]
    findings += [*stray_parts(store, committed), *store.faults(), *check_signed_trees(store)]
    return Contents(ids, findings)


def stray_parts(store: Tournaments, committed: set[tuple[object, object, object]]) -> Iterator[str]:
    """Personal parts that no fact commits to: an erasure would not find them."""
    for id, version, hash, piece in store.private_rows():
        if (id, version, hash) not in committed:
            yield f"a personal part of fact {version} of {str(id)[:40]!r}, which does not commit to it"
        elif not isinstance(piece, bytes) or sha256(piece).hexdigest() != hash:
            yield f"a personal part of fact {version} of {str(id)[:40]!r} was changed"


def commitments_in(line: bytes) -> list[str]:
    """The hashes a stored fact commits to; none where the fact itself cannot be read."""
    try:
        return commitments(line)
    except (msgspec.DecodeError, UnicodeDecodeError):
        return []
