"""Copies of tournaments: into another store, and of a whole file while it is in use."""

import contextlib
import os
import sqlite3
import tempfile
from pathlib import Path

import msgspec

from paircard.domain.errors import Duplicate, Invalid, StoreRefused, Unreachable
from paircard.domain.log.backends.sqlite_file import need_file, refusal, uri_of
from paircard.domain.log.location import Address, address_of
from paircard.domain.log.store import Tournaments
from paircard.domain.proof.kept_checkpoints import keep_checkpoint, kept_checkpoints


class Copied(msgspec.Struct, frozen=True):
    """What came of copying one tournament."""

    tournament: str
    length: int
    """Facts there now."""
    head: str
    """Hash of the last of them: the same in both stores."""
    new: int
    """Facts that were not there before."""


def copy(tournament: str, source: Tournaments, target: Tournaments) -> Copied:
    """Copy a tournament byte by byte and check both chains; what is there already is not copied again.

    A tournament that went another way in the other store is refused: two records are never mixed.
    Checkpoints kept beside it go along.
    """
    length, head = source.verify_chain(tournament)
    here = source.raw_log(tournament)[:length]
    there = target.raw_log(tournament)
    common = min(length, len(there))
    if [tuple(row) for row in there[:common]] != [tuple(row) for row in here[:common]]:
        raise Duplicate(
            f"tournament {tournament} is in {target.place} with other facts: "
            "it went on in both places, and only a person can say which counts"
        )
    new = here[common:]
    if new:
        target.copy_in(tournament, new)
        copied = target.verify_chain(tournament)
        if copied[0] == length and copied[1] != head:
            raise StoreRefused(f"the copy of {tournament} in {target.place} differs: do not use it")
    else:
        copied = target.verify_chain(tournament)
    for note in kept_checkpoints(source, tournament):
        keep_checkpoint(target, note)
    return Copied(tournament, *copied, new=len(new))


def back_up(location: str | Path, out: Path) -> list[Copied]:
    """Copy a whole file while others write to it; the copy is of one moment, checked, then put in place."""
    address = address_of(location)
    if isinstance(address, Address):
        raise Invalid(
            f"{address.shown} is backed up by PostgreSQL itself, with pg_dump; "
            "or copy the tournaments into a file with paircard move"
        )
    need_file(address, create=False)
    if out.exists():
        raise Invalid(f"{out} is there already: a backup never replaces a file")
    try:
        handle, name = tempfile.mkstemp(prefix=f".{out.name}.", dir=out.absolute().parent)
    except OSError as reason:
        raise Unreachable(f"{out} cannot be made: {(reason.strerror or str(reason)).lower()}") from None
    os.close(handle)
    draft = Path(name)
    try:
        _copy_pages(address, draft, out)
        copied = checked(draft)
        _finish(draft, out)
    finally:
        for left in (draft, Path(f"{draft}-wal"), Path(f"{draft}-shm")):
            left.unlink(missing_ok=True)
    return copied


def _copy_pages(path: Path, draft: Path, out: Path) -> None:
    try:
        with (
            contextlib.closing(sqlite3.connect(uri_of(path), uri=True, timeout=30)) as source,
            contextlib.closing(sqlite3.connect(draft)) as target,
        ):
            source.backup(target)  # in one step: readers of a WAL stop nobody from writing
            [[found]] = target.execute("PRAGMA integrity_check(1)").fetchall()
    except sqlite3.Error as reason:
        raise refusal(reason, out if "full" in str(reason) else path) from None
    if found != "ok":
        raise refusal(sqlite3.DatabaseError(f"malformed: {found}"), path)


def checked(path: Path) -> list[Copied]:
    """Every tournament of a copy with its chain checked."""
    with Tournaments(path) as store:
        return [Copied(id, *store.verify_chain(id), new=0) for id, _ in store.names()]


def _finish(draft: Path, out: Path) -> None:
    """On the disk first, then under its name: a backup that can be seen is whole."""
    try:
        mask = os.umask(0)
        os.umask(mask)
        draft.chmod(0o666 & ~mask)
        with draft.open("rb+") as file:
            os.fsync(file.fileno())
        try:
            os.link(draft, out)
        except FileExistsError:
            raise Invalid(f"{out} is there already: a backup never replaces a file") from None
        except OSError:  # a file system without links
            draft.rename(out)
    except OSError as reason:
        raise Unreachable(f"{out} cannot be made: {(reason.strerror or str(reason)).lower()}") from None
