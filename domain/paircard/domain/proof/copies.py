"""Copies of tournaments: into another store, and of a whole file while it is in use."""

import contextlib
import os
import sqlite3
from collections.abc import Iterator
from functools import partial
from itertools import count
from pathlib import Path

import msgspec

from paircard.domain.errors import Duplicate, Invalid, StoreRefused, Unreachable
from paircard.domain.log.backends.sqlite import (
    SCHEMA_ROWS,
    connected,
    damage,
    harmful,
    journals_of,
    refusal,
    require_ours,
    rows_of,
    uri_of,
    uri_to_read,
    words_of,
)
from paircard.domain.log.backends.sqlite_files import draft_of, put_in_place
from paircard.domain.log.location import Address, address_of
from paircard.domain.log.store import Tournaments
from paircard.domain.log.stored import chain_of
from paircard.domain.proof.checkpoints import keep_checkpoint, kept_checkpoints
from paircard.domain.proof.doctor import first_unreadable
from paircard.domain.speaking import Speaker
from paircard.domain.system import Name, Progress, open_elsewhere, unseen


class Copied(msgspec.Struct, frozen=True):
    """What came of copying one tournament."""

    tournament: str
    length: int
    """Facts there now."""
    head: str
    """Hash of the last of them: the same in both stores."""
    new: int
    """Facts that were not there before."""
    unreadable: str = ""
    """Which fact cannot be read, and why; it was copied as it is."""


def copy(tournament: str, source: Tournaments, target: Tournaments) -> Copied:
    """Copy a tournament byte by byte and check both chains; facts that are already in the target stay.

    A tournament that went another way in the other store is refused: two records are never mixed.
    Checkpoints kept with it go along.
    """
    length, _ = source.verify_chain(tournament)
    here = source.rows(tournament)[:length]
    there = target.rows(tournament)
    common = min(length, len(there))
    if [*chain_of(tournament, there)][:common] != [*chain_of(tournament, here)][:common]:
        raise Duplicate("proof.went-on-in-both", tournament=tournament, path=target.place)
    new = here[common:]
    if new:
        target.add_stored(tournament, new)
    copied = target.verify_chain(tournament)
    for note in kept_checkpoints(source, tournament):
        keep_checkpoint(target, note)
    return Copied(tournament, *copied, new=len(new))


def back_up(location: str | Path, out: Path, progress: Progress = unseen) -> list[Copied]:
    """Copy a whole file while others write to it; the copy is of one moment, checked, then put in place."""
    address = address_of(location)
    if isinstance(address, Address):
        raise Invalid("proof.backed-up-by-postgresql", path=address.shown)
    require_ours(address)
    if out.exists():
        raise Invalid("proof.backup-there", path=str(out))
    if left := journals_of(out):
        raise Invalid("proof.journal-there", path=left[0])
    with _checked_draft(address, out, progress) as (draft, copied):
        _finish(draft, out)
    return copied


class Restored(msgspec.Struct, frozen=True):
    """What came of putting a backup in the place of a file."""

    tournaments: list[Copied]
    aside: Path | None
    """Where the file that was there is now, with its journal; None if there was none."""
    lost: dict[str, int]
    """By tournament, how many facts of that file the backup lacks, as far as it could be read."""


def restore(copy: Path, location: str | Path, progress: Progress = unseen) -> Restored:
    """Put a checked copy of a backup in the place of a file, and that file with its journal aside.

    A journal must never meet another file: SQLite would mix the two. So it goes aside first, and
    a program that has the old file open is refused from then on.
    """
    address = address_of(location)
    if isinstance(address, Address):
        raise Invalid("proof.restored-by-postgresql", path=address.shown)
    require_ours(copy)
    if os.path.exists(address) and os.path.samefile(copy, address):
        raise Invalid("proof.file-itself", path=str(copy))
    file = Path(os.path.realpath(address))  # a link stays, the file it names is replaced
    with _checked_draft(copy, file, progress) as (draft, copied):
        aside = _put_aside(file)
        _finish(draft, file)
    before = _lengths(aside) if aside else {}  # counted last: others wrote until it was put aside
    here = {one.tournament: one.length for one in copied}
    lost = {id: n for id, there in before.items() if (n := there - here.get(id, 0)) > 0}
    return Restored(copied, aside, lost)


def _lengths(path: Path) -> dict[str, int]:
    """How many facts each tournament of a file has; empty where it cannot be read, which is why it goes."""
    try:
        with Tournaments(path) as store:
            return {id: store.version(id) for id, _ in store.names()}
    except StoreRefused:
        return {}


def _put_aside(path: Path) -> Path | None:
    """Rename a file and its journals, the journals first: left alone, one would flow into the next file."""
    there = [*map(Path, journals_of(path)), *([path] if path.exists() else [])]
    if not there:
        return None
    aside = next(
        name
        for n in count(1)
        if not (name := path.with_name(f"{path.name}.replaced-{n}")).exists() and not journals_of(name)
    )
    moved: list[tuple[Path, Path]] = []
    try:
        for found in there:
            moved.append((found.rename(f"{aside}{found.name.removeprefix(path.name)}"), found))
    except OSError as reason:
        for there_now, before in reversed(moved):
            there_now.rename(before)
        if open_elsewhere(reason):
            raise Unreachable("store.open-elsewhere", file=str(path)) from None
        raise Unreachable("proof.not-put-aside", path=str(path), reason=words_of(reason)) from None
    return aside


@contextlib.contextmanager
def _checked_draft(source: Name, out: Path, progress: Progress) -> Iterator[tuple[str, list[Copied]]]:
    """A copy of a file next to where it is to be, and what is in it; gone in the end under this name."""
    try:
        with draft_of(out) as draft:
            _copy_pages(source, draft, out)
            yield draft, checked(draft, progress)
    except OSError as reason:
        raise Unreachable("proof.not-created", path=str(out), reason=words_of(reason)) from None


def _copy_pages(path: Name, draft: str, out: Path) -> None:
    try:
        with (
            contextlib.closing(sqlite3.connect(uri_to_read(path), uri=True, timeout=30)) as source,
            contextlib.closing(connected(uri_of(draft), draft, 30)) as target,
        ):
            source.backup(target)  # in one step: readers of a WAL stop nobody from writing
            target.bound(draft)
            ask = partial(rows_of, target)
            found = list(map(Speaker().say, harmful(ask, ask(SCHEMA_ROWS)))) or damage(ask)
    except sqlite3.Error as reason:
        raise refusal(reason, out if "full" in str(reason) else path) from None
    if found:
        raise refusal(sqlite3.DatabaseError(f"malformed: {found[0]}"), path)


def checked(path: Name, progress: Progress = unseen) -> list[Copied]:
    """Every tournament of a copy with its chain checked."""
    found = []
    with Tournaments(path) as store:
        names = store.names()
        for id, _ in names:
            length, head = store.verify_chain(id)
            found.append(Copied(id, length, head, new=0, unreadable=first_unreadable(store.rows(id))))
            progress(len(found), len(names))
    return found


def _finish(draft: str, out: Path) -> None:
    try:
        put_in_place(draft, out)
    except FileExistsError:
        raise Invalid("proof.backup-there", path=str(out)) from None
