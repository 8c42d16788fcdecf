"""One SQLite file: is it ours, and how a new one is made.

Ours are known by the application id in SQLite's header, read as of an immutable file: nothing of a foreign
file is created, altered or locked. It is read through SQLite, never through a descriptor of our own: closing
one lets go of all locks this process has on the file, and the next program to leave it removes the journal we
write to (sqlite.org/howtocorrupt.html, 2.2).
"""

import contextlib
import os
import re
import sqlite3
import stat
import tempfile
import time
from collections.abc import Callable
from pathlib import Path
from typing import Any, Final

from paircard.domain.errors import (
    Busy,
    CorruptFile,
    ForeignFile,
    NewerFile,
    Replaced,
    StoreRefused,
    Unreachable,
)
from paircard.domain.log.chain import HEADLINES, MILESTONES, REGISTRATIONS, REOPENINGS

APPLICATION_ID: Final = 0x50435244
"""``PCRD``"""
FORMAT: Final = 4
"""Kept in ``user_version``: the rules by which a file is written. A higher one is of a newer program; a
file of a lower one gets this number when it is written to, and earlier programs then leave it alone."""
_UNCHANGING: Final = "mode=ro&immutable=1"
_JOURNAL: Final = (b"\x37\x7f\x06\x82", b"\x37\x7f\x06\x83")
"""How a write-ahead log begins (SQLite file format, section 4.1)."""
Ask = Callable[[str], list[tuple[Any, ...]]]
"""How the rows of a question are had."""

INDEXES: Final = {
    "headlines": "CREATE INDEX headlines ON stored_events (originator_id, originator_version) "
    f"WHERE {HEADLINES}",
    "milestones": "CREATE INDEX milestones ON stored_events (originator_id, originator_version, topic) "
    f"WHERE {MILESTONES}",
    "reopenings": "CREATE INDEX reopenings ON stored_events (originator_id, originator_version, topic) "
    f"WHERE {REOPENINGS}",
    "registrations": "CREATE INDEX registrations ON stored_events (originator_id, topic) "
    f"WHERE {REGISTRATIONS}",
}
"""For the list of tournaments; where one is missing, the list is as true and takes longer."""
NOTES: Final = (
    "CREATE TABLE IF NOT EXISTS checkpoints "
    "(tournament TEXT, size INTEGER, note TEXT, PRIMARY KEY (tournament, size, note))"
)
PRIVATE: Final = (
    "CREATE TABLE IF NOT EXISTS private "
    "(tournament TEXT, version INTEGER, hash TEXT, bytes BLOB, PRIMARY KEY (tournament, version, hash))"
)
"""Personal parts of facts, under the hashes the facts hold: all of it may be erased."""
_FOREIGN: Final = """
SELECT type, name FROM sqlite_schema WHERE type IN ('trigger', 'view')
UNION SELECT 'unique index', i.name FROM sqlite_schema t, pragma_index_list(t.name) i
WHERE t.type='table' AND t.name IN ('stored_events', 'checkpoints', 'private') AND i."unique" AND i.origin='c'
"""
"""We make none of these: one can drop, change or stop what is written, or show what is not there."""
TABLE: Final = (
    "CREATE TABLE stored_events (originator_id TEXT, originator_version INTEGER, topic TEXT, state BLOB, "
    "PRIMARY KEY (originator_id, originator_version))"
)
TREES: Final = (
    "CREATE TABLE IF NOT EXISTS signed_trees "
    "(size bigint PRIMARY KEY, position bigint NOT NULL, note text NOT NULL)"
)
_SCHEMA: Final = (
    TABLE,
    *INDEXES.values(),
    NOTES,
    PRIVATE,
)
_TABLES: Final = {
    "stored_events": TABLE,
    "checkpoints": NOTES.replace("IF NOT EXISTS ", ""),
    "private": PRIVATE.replace("IF NOT EXISTS ", ""),
    "signed_trees": TREES.replace("IF NOT EXISTS ", ""),
}
"""The tables as SQLite has their text; files get all but the first when they are needed."""
STEPS: Final = 100_000
"""Of SQLite's machine, between two looks at how many there were."""
LEAST_STEPS: Final = 2_000_000
LARGEST: Final = 2**27
"""Bytes of a value; a fact is a thousandth of it at most."""


class Bounded:
    """A connection to a file that somebody else may have made: no question takes it for ever.

    A question looks at each byte of the file a few times at most, so the steps it may take follow from the
    size. What has no such bound, a view, a computed column, is refused by ``harmful`` before it is asked.
    """

    def __init__(self, db: sqlite3.Connection, path: str | Path) -> None:
        self.path: Final = os.path.realpath(path)
        self.looks = 0
        db.setlimit(sqlite3.SQLITE_LIMIT_LENGTH, LARGEST)
        db.set_progress_handler(self.too_long, STEPS)

    def begin(self) -> None:
        """Count from here on."""
        self.looks = 0

    def too_long(self) -> bool:
        """Asked by SQLite: whether to break off."""
        self.looks += 1
        if self.looks * STEPS < LEAST_STEPS:
            return False
        names = [Path(self.path), *journals_of(self.path)]
        return self.looks * STEPS > LEAST_STEPS + sum(name.stat().st_size for name in names if name.exists())


def uri_of(path: str | Path, how: str = "mode=rw") -> str:
    """The file as SQLite is to open it: existing, for reading and writing (sqlite.org/uri.html, 3.1)."""
    name = os.path.abspath(path).replace("%", "%25").replace("?", "%3f").replace("#", "%23")
    return f"file:{name}?{how}"


def writable(path: str | Path) -> bool:
    """Whether this program may write there."""
    return os.access(path, os.W_OK, effective_ids=os.access in os.supports_effective_ids)


def uri_to_read(path: str | Path) -> str:
    """The file for whoever may only read it, while nobody writes: as one that does not change.

    Else SQLite would make a journal beside it, if it can, which the owner of the file then cannot write to.
    """
    alone = not journals_of(path) and os.path.exists(path)
    if alone and not (writable(path) and writable(os.path.dirname(os.path.realpath(path)))):
        return uri_of(path, _UNCHANGING)
    return uri_of(path)


def need_file(path: str | Path, *, create: bool) -> None:
    """Make sure that a file of ours is there; a missing or empty one is made if asked."""
    try:
        found = os.stat(path)
    except FileNotFoundError:
        if os.path.islink(path):
            raise Unreachable(
                f"{path} is a link to {os.path.realpath(path)}, which is not there: put that file back, "
                "or name another"
            ) from None
        if not create:
            raise Unreachable(
                f"there is no file {path}: name another, or open a tournament to make it"
            ) from None
        return create_file(path)
    except (OSError, ValueError) as reason:  # a name may hold what no file system takes
        raise _unreadable(path, reason) from None
    if stat.S_ISDIR(found.st_mode):
        raise Unreachable(f"{path} is a folder: name a file in it")
    if not stat.S_ISREG(found.st_mode):
        raise Unreachable(f"{path} is not a file, but a device or a pipe: name a file")
    if not found.st_size:
        if not create:
            raise ForeignFile(f"{path} is empty: open a tournament to make it a file of paircard")
        os.unlink(path)
        return create_file(path)
    check_header(path)
    require_one_name(path)
    for journal in journals_of(path):
        if not journal.is_symlink() and not journal.is_file() and not journal.is_dir():
            raise Unreachable(
                f"{journal} is not a journal, but a device or a pipe: move it away, "
                "it would stop every program"
            )
    return None


def check_header(path: str | Path) -> None:
    """Refuse what is not ours by the header of the file, and what a newer program wrote."""
    if not os.access(path, os.R_OK):
        raise _unreadable(path, PermissionError(13, "Permission denied"))
    try:
        with contextlib.closing(sqlite3.connect(uri_of(path, _UNCHANGING), uri=True)) as db:
            [[owner]] = db.execute("PRAGMA application_id").fetchall()
            [[written]] = db.execute("PRAGMA user_version").fetchall()
    except sqlite3.Error as reason:
        if "malformed" in str(reason):
            return  # or the journal has the rest of it: whoever opens it will see
        if "not a database" in str(reason):
            raise ForeignFile(f"{path} is not a database of paircard: choose another file") from None
        raise refusal(reason, path) from None
    if owner != APPLICATION_ID:
        raise ForeignFile(f"{path} is a database of another program: choose another file")
    if written > FORMAT:
        raise NewerFile(
            f"{path} has format {written}, this version reads up to {FORMAT}: use a newer paircard"
        )


def _unreadable(path: str | Path, reason: Exception) -> Unreachable:
    return Unreachable(f"{str(path)[:100]!r} cannot be read: {_words(reason)}")


def journals_of(path: str | Path) -> list[Path]:
    """What SQLite keeps beside a file, or a crash left there."""
    real = os.path.realpath(path)  # where a link points, as SQLite does
    return [Path(real + end) for end in ("-wal", "-journal", "-shm") if os.path.lexists(real + end)]


def require_no_journal(path: str | Path) -> None:
    """Refuse to make a file beside a journal: SQLite would write another file's facts into it."""
    left = [found for found in journals_of(path) if not found.name.endswith("-shm")]
    if left:
        raise Unreachable(
            f"{path} is missing, but {left[0].name} is there, the journal a crash left behind: put the file "
            "back, facts may be waiting in the journal. If it is gone for good, restore a backup with "
            "paircard restore, or move the journal away"
        )


def require_one_name(path: str | Path) -> None:
    """Refuse a file with a hard link: under two names it has two journals, and facts are lost."""
    for _ in range(50):  # whoever makes a file has it under two names for a moment
        if os.stat(path).st_nlink < 2:
            return
        time.sleep(0.01)
    raise Unreachable(
        f"{path} has another name, a hard link: used under two names it loses facts. "
        "Remove the other name, or make a copy with paircard backup"
    )


NOTHING: Final = (0, 0)
"""The identity of a file that is not there."""


class Guard:
    """Whether a file that was opened is still the one under its name, and still made as it should be."""

    def __init__(self, path: str | Path) -> None:
        self.path: Final = path
        self.opened: Final = identity(path)
        self.real: Final = os.path.realpath(path)
        self.journal: Final = f"{self.real}-wal"
        self.journal_opened = NOTHING
        self.size = 0
        """The largest seen: a file of ours never shrinks."""
        self.uri: Final = uri_to_read(path)
        self.unchanging: Final = self.state() if self.uri.endswith(_UNCHANGING) else None
        """Of a file that is read as one that does not change: how it was then."""
        self.checked = -1
        """The version of the schema that was found right."""
        self.readable = -1
        """The version of the schema that was found to do no harm."""

    def require_same_file(self) -> None:
        """Refuse a file that was replaced, renamed, deleted or cut off since it was opened."""
        if gone := self.gone():
            raise Replaced(f"{self.path} {gone} while it was open: nothing was recorded, open it again")

    def require_kept(self) -> None:
        """After a commit: refuse to answer for a file or a journal that went away meanwhile."""
        gone = self.gone() or self.journal_gone()
        if not gone and self.journal_opened != NOTHING and not begins_as_journal(self.journal):
            gone = "had its journal emptied"
        if gone:
            raise Unreachable(
                f"{self.path} {gone} while it was written to: end all programs that use it, then look at "
                "what was recorded"
            )

    def require_unchanged(self) -> None:
        """After a look at a file that is read as one that does not change: refuse what may be half of it."""
        if self.unchanging:
            self.require_same_file()

    def require_harmless(self, ask: Ask) -> None:
        """Refuse, before anything is read, a file that computes what it should hold."""
        [(schema,)] = ask("PRAGMA schema_version")
        if schema == self.readable:
            return
        if wrong := harmful(ask):
            raise CorruptFile(
                f"{self.path}: {'; '.join(wrong)}. Nothing was read: see paircard doctor, or restore a "
                "backup with paircard restore"
            )
        self.readable = schema

    def gone(self) -> str:
        """What happened to the file, in words; empty if it is there."""
        known = self.size  # before looking: another thread may see the file grow meanwhile
        try:
            found = os.stat(self.path)
        except OSError:
            found = None
        if not found or (found.st_dev, found.st_ino) != self.opened:
            return "was replaced, renamed or deleted"
        if os.path.realpath(self.path) != self.real:
            return "was renamed, and a link put in its place,"  # others use another journal from now on
        if self.unchanging and self.unchanging != self.state():
            return "was written to by another program"
        if found.st_size < known:
            return "was cut off or overwritten"
        self.size = max(self.size, found.st_size)
        return ""

    def state(self) -> tuple[int, int, int]:
        """When the file was written to last, its size, and how many journals it has."""
        found = os.stat(self.path)
        return found.st_mtime_ns, found.st_size, len(journals_of(self.path))

    def journal_gone(self) -> str:
        """The same of the journal, which nobody removes while we have the file open."""
        found = identity(self.journal)
        if self.journal_opened in (NOTHING, found):
            return ""
        return "lost its journal"

    def require_sound(self, ask: Ask) -> None:
        """Refuse, before anything is written, a file that would lose or change it."""
        self.require_same_file()
        check_header(self.path)
        require_one_name(self.path)
        if ask("PRAGMA journal_mode") == [("wal",)]:
            if self.journal_opened == NOTHING:
                self.journal_opened = identity(self.journal)
            if self.journal_opened == NOTHING or self.journal_gone():
                raise Unreachable(  # it goes into the file when the last of us has closed it
                    f"the journal of {self.path} was removed while the file was open: nothing was recorded. "
                    "End all programs that use it, then look at what is recorded"
                )
        [(written,)] = ask("PRAGMA user_version")
        if written > FORMAT:
            raise NewerFile(
                f"{self.path} has format {written}, this version writes format {FORMAT}: use a newer paircard"
            )
        [(schema,)] = ask("PRAGMA schema_version")
        if schema == self.checked and written == FORMAT:
            return
        if wrong := unsound(ask):
            raise CorruptFile(
                f"{self.path}: {'; '.join(wrong)}. Nothing was recorded: see paircard doctor, or copy the "
                "tournaments into a new file with paircard move"
            )
        if written < FORMAT:
            ask(f"PRAGMA user_version={FORMAT}")
        self.checked = schema


def identity(path: str | Path) -> tuple[int, int]:
    """Which file is under a name now; zeros if there is none."""
    try:
        found = os.stat(path)
    except OSError:
        return NOTHING
    return found.st_dev, found.st_ino


def begins_as_journal(path: str) -> bool:
    """Whether a write-ahead log has its first bytes, or none: without them nobody finds what is in it."""
    try:
        with open(path, "rb") as journal:  # the locks are on the other two files
            return journal.read(4) in (*_JOURNAL, b"")
    except OSError:
        return False


def harmful(ask: Ask) -> list[str]:
    """What in the place of our tables computes its rows, and could go on without end."""
    wrong = []
    for kind, name, table, sql in ask("SELECT type, name, tbl_name, sql FROM sqlite_schema"):
        made = _TABLES.get(str(table).lower())
        if made is None or sql is None or _plain(sql) in (made, *INDEXES.values()):
            continue
        shown = f"{kind} {str(name)[:40]!r}"
        if kind == "view":
            wrong.append(f"{shown} was not created by paircard")
        elif kind == "index" and computes(ask, name, sql):
            wrong.append(f"{shown} was not created by paircard: it computes what it holds")
        elif kind == "table" and not _plain(sql).upper().startswith("CREATE TABLE "):
            wrong.append(f"{shown} is not the one paircard made, but computed by another program")
        elif kind == "table" and any(hidden for *_, hidden in ask(f"PRAGMA table_xinfo({name})")):
            wrong.append(f"{shown} is not the one paircard made: a column is computed")
    return wrong


def computes(ask: Ask, index: str, sql: str) -> bool:
    """Whether an index is of more than columns as they are, or calls a function to choose its rows."""
    quoted = str(index).replace('"', '""')
    _, _, chosen = _plain(sql).lower().partition(" where ")
    called = re.search(r"\b(?!in\b)\w+ ?\(", chosen)
    return bool(called) or any(at < -1 for _, at, *_ in ask(f'PRAGMA index_xinfo("{quoted}")'))


def damage(ask: Ask, most: int = 1) -> list[str]:
    """Damaged pages: of the whole file, or of our tables alone where other tables have rules of their own."""
    found = ask("SELECT name, sql FROM sqlite_schema WHERE type='table' AND name NOT LIKE 'sqlite_%'")
    alone = all(_TABLES.get(str(name)) == _plain(sql) for name, sql in found)
    ours = [name for name, sql in found if _TABLES.get(str(name)) == _plain(sql)]
    questions = [most] if alone else ours
    told = [line for about in questions for (line,) in ask(f"PRAGMA integrity_check({about})")]
    return [" ".join(str(line).split()) for line in told if line != "ok"][:most]


def _plain(sql: object) -> str:
    return " ".join(str(sql).split())


def unsound(ask: Ask) -> list[str]:
    """What is wrong with the tables of a file that is otherwise ours."""
    found: dict[str, object] = dict(
        ask("SELECT name, sql FROM sqlite_schema WHERE type IN ('table', 'view')")
    )
    if "stored_events" not in found:
        return ["stored_events is missing"]
    wrong = [
        f"{name} is not the table paircard made: its key or a column differs"
        for name, made in _TABLES.items()
        if _plain(found.get(name, made)) != made
    ]
    [(written,)] = ask("PRAGMA user_version")
    if written < 1:
        wrong.append("the number of its format was removed")
    return wrong + [f"{kind} {str(name)[:40]!r} was not created by paircard" for kind, name in ask(_FOREIGN)]


def gaps(ask: Ask) -> list[str]:
    """Where facts are missing between the first of a file and the last, of whichever tournament."""
    [(count, first, last)] = ask("SELECT count(*), min(rowid), max(rowid) FROM stored_events")
    if count and first != 1:
        return [f"the first fact is at position {first}, not 1"]
    return (
        [f"facts were deleted from the file, {last - count:,} of {last:,}"] if count and last > count else []
    )


def create_file(path: str | Path) -> None:
    """Make the whole file under another name and put it in place at once, so that none is half made.

    It holds births and ids of people, so it is readable for its owner alone.
    """
    require_no_journal(path)
    folder, end = os.path.split(os.path.abspath(path))
    try:
        handle, draft = tempfile.mkstemp(prefix=f".{end}.", dir=folder)
    except OSError as reason:
        raise Unreachable(f"{path} cannot be created: {_words(reason)}") from None
    os.close(handle)
    try:
        _fill(draft)
        _put_in_place(draft, path)
    except (sqlite3.Error, OSError) as reason:
        raise Unreachable(f"{path} cannot be created: {_words(reason)}") from None
    finally:
        with contextlib.suppress(FileNotFoundError):
            os.unlink(draft)


def _fill(draft: str) -> None:
    with contextlib.closing(sqlite3.connect(draft, isolation_level=None)) as db:
        db.execute(f"PRAGMA application_id={APPLICATION_ID}")
        db.execute(f"PRAGMA user_version={FORMAT}")
        for statement in _SCHEMA:
            db.execute(statement)
        db.execute("PRAGMA journal_mode=WAL")


def add_missing(path: str | Path) -> bool:
    """Give a file of an earlier program what it lacks; whether it lacked anything."""
    try:
        with contextlib.closing(sqlite3.connect(uri_of(path), uri=True, timeout=5)) as db, db:
            there = {name for (name,) in db.execute("SELECT name FROM sqlite_schema")}
            missing = [made for name, made in {**INDEXES, "checkpoints": NOTES}.items() if name not in there]
            for statement in missing:
                db.execute(statement)
    except sqlite3.Error as reason:
        raise refusal(reason, path) from None
    return bool(missing)


def _put_in_place(draft: str, path: str | Path) -> None:
    try:
        os.link(draft, path)
    except FileExistsError:
        need_file(path, create=False)  # somebody was faster; theirs must be ours too
    except OSError:  # a file system without links
        if not os.path.exists(path):
            os.rename(draft, path)


def refusal(reason: BaseException, path: str | Path) -> StoreRefused:
    """What SQLite says, for people."""
    words = str(reason)
    if "locked" in words or "busy" in words:
        return Busy(f"{path} is in use by another program that is writing: try again")
    if "malformed" in words or "not a database" in words or "no such" in words or "disk image" in words:
        return CorruptFile(f"{path} is damaged ({words}): restore a backup with paircard restore")
    if words == "interrupted" or "too big" in words:
        return CorruptFile(
            f"{path} has more to read than a file of its size can hold: it is damaged, or was made so. "
            "Restore a backup with paircard restore"
        )
    if "full" in words:
        return Unreachable(f"the disk of {path} is full: make room and try again")
    if "readonly" in words:
        return Unreachable(f"{path}, its folder or its journal is read-only for you: see paircard doctor")
    if "unable to open" in words:
        return Unreachable(f"{path} cannot be opened, it or its folder may be read-only: see paircard doctor")
    return Unreachable(f"{path} cannot be used: {words}")


def _words(reason: Exception) -> str:
    return (getattr(reason, "strerror", None) or str(reason)).lower()
