"""SQLite files: is there one of ours under a name, and how a new one is made."""

import contextlib
import os
import sqlite3
import stat
from collections.abc import Iterator

from paircard.domain.errors import Unreachable
from paircard.domain.log.backends.sqlite import (
    APPLICATION_ID,
    FORMAT,
    SCHEMA,
    journals_of,
    require_ours,
    unreadable,
    words_of,
)
from paircard.domain.log.location import is_address
from paircard.domain.messages import Message, say
from paircard.domain.system import (
    OVER_THE_NETWORK,
    WITHOUT_RIGHTS,
    Name,
    file_system,
    is_synced,
    keep_to_owner,
    others_may_read,
)


def cares(location: Name) -> Iterator[Message]:
    """What is not safe where a file is: a folder that is synced, a share, a stick, others who may read."""
    if is_address(location) or not os.path.exists(location):
        return
    path, kind = str(location), file_system(location)
    there = [one for one in (path, *journals_of(path)) if os.path.exists(one)]
    if folder := is_synced(path):
        yield say("proof.doctor.synced", path=path, file=folder)
    if kind in OVER_THE_NETWORK:
        yield say("proof.doctor.on-a-share", path=path)
    if kind in WITHOUT_RIGHTS:
        yield say("proof.doctor.without-rights", path=path, value=kind)
    elif open_to_others := [one for one in there if others_may_read(one)]:
        yield say("proof.doctor.open-to-others", path=open_to_others[0])


def make_file(path: Name) -> bool:
    """Make a file where there is none, or an empty one; whether it was made."""
    try:
        found = os.stat(path)
        missing = stat.S_ISREG(found.st_mode) and not found.st_size
        if missing:
            os.unlink(path)
    except FileNotFoundError:
        missing = not os.path.islink(path)
    except (OSError, ValueError) as reason:  # a name may hold what no file system takes
        raise unreadable(path, reason) from None
    if missing:
        create_file(path)
    return missing


def require_no_journal(path: Name) -> None:
    """Refuse to make a file next to a journal: SQLite would write another file's facts into it."""
    left = [found for found in journals_of(path) if not found.endswith("-shm")]
    if left:
        raise Unreachable("store.journal-left", file=str(path), path=os.path.basename(left[0]))


def create_file(path: Name) -> None:
    """Make the whole file under another name and put it in place at once, so that none is half made."""
    require_no_journal(path)
    try:
        with draft_of(path) as draft:
            _fill(draft)
            try:
                put_in_place(draft, path)
            except FileExistsError:
                require_ours(path)  # somebody was faster; theirs must be ours too
    except (sqlite3.Error, OSError) as reason:
        raise Unreachable("store.not-created", file=str(path), reason=words_of(reason)) from None


@contextlib.contextmanager
def draft_of(path: Name) -> Iterator[str]:
    """An empty file next to where one is to be, for its owner alone; in the end nothing has this name.

    It will hold births and ids of people.
    """
    import tempfile  # only who makes a file needs it

    folder, end = os.path.split(os.path.abspath(path))
    handle, draft = tempfile.mkstemp(prefix=f".{end}.", dir=folder)
    os.close(handle)
    try:
        keep_to_owner(draft)
        yield draft
    finally:
        for left in (draft, f"{draft}-wal", f"{draft}-shm"):
            with contextlib.suppress(FileNotFoundError):
                os.unlink(left)


def put_in_place(draft: str, path: Name) -> None:
    """On the disk first, then under its name: a file that can be seen is whole, and replaces none."""
    with open(draft, "rb+") as file:
        os.fsync(file.fileno())
    try:
        os.link(draft, path)
    except FileExistsError:
        raise
    except OSError:  # a file system without links
        if os.path.exists(path):
            raise FileExistsError(path) from None
        os.rename(draft, path)


def _fill(draft: str) -> None:
    with contextlib.closing(sqlite3.connect(draft, isolation_level=None)) as db:
        db.execute(f"PRAGMA application_id={APPLICATION_ID}")
        db.execute(f"PRAGMA user_version={FORMAT}")
        for statement in SCHEMA:
            db.execute(statement)
        db.execute("PRAGMA journal_mode=WAL")
