"""Checkpoints kept beside the log, in the same file: so that a bundle can carry them.

They are for convenience: who can change the log can change them too. What proves something is the copy
that somebody else holds. A PostgreSQL database keeps none.
"""

import sqlite3
from contextlib import closing
from pathlib import Path
from typing import Final

from paircard.domain.checkpoints import parse_note
from paircard.domain.sqlitefile import refusal, uri_of

_TABLE: Final = (
    "CREATE TABLE IF NOT EXISTS checkpoints "
    "(tournament TEXT, size INTEGER, note TEXT, PRIMARY KEY (tournament, size, note))"
)


def keep_checkpoint(path: Path | None, note: str) -> None:
    """Keep a note, if the log is a file; the same one twice is kept once."""
    if path is None:
        return
    checkpoint = parse_note(note).checkpoint
    try:
        with closing(sqlite3.connect(uri_of(path), uri=True, timeout=5)) as db, db:
            db.execute(_TABLE)
            row = (checkpoint.tournament, checkpoint.size, note)
            db.execute("INSERT OR IGNORE INTO checkpoints VALUES (?, ?, ?)", row)
    except sqlite3.Error as reason:
        raise refusal(reason, path) from None


def kept_checkpoints(path: Path | None, tournament: str) -> list[str]:
    """The notes of a tournament, the oldest first."""
    if path is None:
        return []
    try:
        with closing(sqlite3.connect(uri_of(path), uri=True, timeout=5)) as db:
            if not db.execute("SELECT 1 FROM sqlite_master WHERE name='checkpoints'").fetchone():
                return []
            query = "SELECT note FROM checkpoints WHERE tournament=? ORDER BY size, note"
            return [str(note) for (note,) in db.execute(query, (tournament,))]
    except sqlite3.Error as reason:
        raise refusal(reason, path) from None


def damage(path: Path | None) -> str:
    """What SQLite finds wrong with the file itself; empty if nothing, or if it is none."""
    if path is None:
        return ""
    try:
        with closing(sqlite3.connect(uri_of(path), uri=True, timeout=5)) as db:
            [found] = db.execute("PRAGMA integrity_check(1)").fetchone()
    except sqlite3.Error as reason:
        raise refusal(reason, path) from None
    return "" if found == "ok" else str(found)
