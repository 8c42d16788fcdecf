"""Files that somebody made to do harm: every command ends, in a line that says what is wrong."""

import json
import os
import sqlite3
import subprocess
import sys
from collections.abc import Callable
from contextlib import closing
from pathlib import Path

import pytest

from tests.audit.command_line import ok
from tests.refusals import sentence
from tests.roots import PYTHONPATH, ROOT

COMMANDS = (
    ["list"], ["show"], ["standings"], ["boards", "1"], ["log"], ["result", "1", "1", "1-0"],
    ["player", "add", "Zoe", "--why", "late"], ["verify"], ["verify", "--all"], ["doctor"],
    ["backup", "copy.db"], ["log", "export", "out.bundle"], ["tables", "read.db"],
    ["move", "open.db", "other.db"], ["trf", "export"],
)  # fmt: skip
SCRIPT = """
import contextlib, io, json, sys
from paircard.cli.main import run
for words in json.loads(sys.argv[1]):
    out, err = io.StringIO(), io.StringIO()
    with contextlib.redirect_stdout(out), contextlib.redirect_stderr(err):
        code = run(words)
    print(json.dumps([words, code, out.getvalue(), err.getvalue()]), flush=True)
"""
ENDLESS = "WITH RECURSIVE n(i) AS (SELECT 1 UNION ALL SELECT i+1 FROM n)"
PAGE = 4096


def by_hand(path: Path, *statements: str) -> None:
    with closing(sqlite3.connect(path, isolation_level=None)) as db:
        for statement in statements:
            db.execute(statement)


def view_of(table: str, columns: str) -> Callable[[Path], None]:
    """An endless view in the place of a table."""

    def put(path: Path) -> None:
        by_hand(
            path,
            f"DROP TABLE IF EXISTS {table}",
            f"CREATE VIEW {table.title()} AS {ENDLESS} SELECT {columns} FROM n",
        )

    return put


def virtual(path: Path) -> None:
    by_hand(
        path,
        "DROP TABLE stored_events",
        "CREATE VIRTUAL TABLE stored_events USING fts4(originator_id, originator_version, topic, state)",
    )


def generated(path: Path) -> None:
    """A column that takes a second of each look."""
    columns = "originator_id TEXT, originator_version INTEGER, topic TEXT"
    by_hand(
        path,
        "ALTER TABLE stored_events RENAME TO old",
        f"CREATE TABLE stored_events ({columns}, state BLOB AS (hex(zeroblob(60000000))), "
        "PRIMARY KEY (originator_id, originator_version))",
        "INSERT INTO stored_events SELECT originator_id, originator_version, topic FROM old",
        "DROP TABLE old",
    )


def computed_index(path: Path) -> None:
    by_hand(path, "CREATE INDEX slow ON stored_events (hex(zeroblob(10000)))")


def slow_check(path: Path) -> None:
    """A table of somebody else, whose rule takes an hour to check."""
    by_hand(
        path,
        "CREATE TABLE more (a CHECK (hex(randomblob(60000000)) > a))",
        "PRAGMA ignore_check_constraints=1",
        f"INSERT INTO more {ENDLESS} SELECT 1 FROM n LIMIT 5000",
    )


def recursive_trigger(path: Path) -> None:
    by_hand(
        path,
        "CREATE TRIGGER t AFTER INSERT ON stored_events BEGIN INSERT INTO private "
        f"{ENDLESS} SELECT i, i, i, i FROM n; END",
    )


def interior(child: int, start: int = 0) -> bytes:
    """A page of a tree whose every branch leads to the same page."""
    cells = (PAGE - start - 12) // (2 + 6)
    cell = child.to_bytes(4, "big") + b"\x81\x00"
    offsets = [PAGE - len(cell) * (at + 1) for at in range(cells)]
    head = bytes([5, 0, 0]) + cells.to_bytes(2, "big") + offsets[-1].to_bytes(2, "big") + b"\0"
    head += child.to_bytes(4, "big") + b"".join(at.to_bytes(2, "big") for at in offsets)
    return head + bytes(offsets[-1] - start - len(head)) + cell * cells


def endless_tree(path: Path) -> None:
    """The pages of the facts lead to each other: more rows than anybody can count."""
    with closing(sqlite3.connect(path)) as db:
        [[root]] = db.execute("SELECT rootpage FROM sqlite_schema WHERE name='stored_events'")
    content = bytearray(path.read_bytes())
    assert int.from_bytes(content[16:18], "big") == PAGE
    leaf = bytes(content[PAGE * (root - 1) : PAGE * root])
    last = len(content) // PAGE
    content[PAGE * (root - 1) : PAGE * root] = interior(last + 1)
    for at in range(1, 6):
        content += interior(last + at + 1)
    content += leaf
    content[28:32] = (len(content) // PAGE).to_bytes(4, "big")
    path.write_bytes(content)


def endless_schema(path: Path) -> None:
    """The same of the table of tables."""
    content = bytearray(path.read_bytes())
    last = len(content) // PAGE
    leaf = bytearray(content[:PAGE])
    leaf[:100] = b""
    head, length = bytes(content[:100]), int.from_bytes(content[103:105], "big")
    kept = content[108 : 108 + 2 * length]
    page = bytes(content[100:108]) + kept
    whole = page + bytes(100) + bytes(content[100 + len(page) : PAGE])
    content[:PAGE] = head + interior(last + 1, 100)
    for at in range(1, 6):
        content += interior(last + at + 1)
    content += whole[:PAGE]
    content[28:32] = (len(content) // PAGE).to_bytes(4, "big")
    path.write_bytes(content)


def pipe(end: str) -> Callable[[Path], None]:
    return lambda path: os.mkfifo(f"{path}{end}")


HOSTILE: dict[str, tuple[Callable[[Path], None], str]] = {
    "a view of facts": (
        view_of("stored_events", "i AS originator_id, i AS originator_version, i AS topic, i AS state"),
        "view 'Stored_Events' was not created by paircard",
    ),
    "a view of checkpoints": (
        view_of("checkpoints", "i AS tournament, i AS size, i AS note"), "view 'Checkpoints' was not",
    ),
    "a view of personal parts": (
        view_of("private", "i AS tournament, i AS version, i AS hash, i AS bytes"), "view 'Private' was not",
    ),
    "a view of signed trees": (
        view_of("signed_trees", "i AS size, i AS position, i AS note"), "view 'Signed_Trees' was not",
    ),
    "a virtual table": (virtual, "computed by another program"),
    "a generated column": (generated, "a column is computed"),
    "an index of an expression": (computed_index, "index 'slow' was not created by paircard"),
    "a schema without end": (endless_schema, "damaged"),
    "a pipe as journal": (pipe("-journal"), "open.db-journal is not a journal, but a device or a pipe"),
    "a pipe as write-ahead log": (pipe("-wal"), "open.db-wal is not a journal, but a device or a pipe"),
    "a pipe as index of it": (pipe("-shm"), "open.db-shm is not a journal, but a device or a pipe"),
}  # fmt: skip
"""What is made of a file, and what is said."""


@pytest.fixture
def path(tmp_path: Path) -> Path:
    """Round 1 of a small open is published; nothing is left in a journal."""
    path = tmp_path / "open.db"
    ok(path, "new", "Open", "--rounds", "3")
    for name in ("Ada", "Ben", "Cleo", "Dag"):
        ok(path, "player", "add", name)
    ok(path, "draw", "--colour", "white")
    ok(path, "pair")
    ok(path, "publish")
    by_hand(path, "PRAGMA wal_checkpoint(TRUNCATE)")
    return path


def run_all(path: Path) -> dict[str, tuple[int, str, str]]:
    """Every command in one process; none of them may go on without end."""
    environment = {key: value for key, value in os.environ.items() if not key.startswith("PAIRCARD_")}
    ended = subprocess.run(
        [sys.executable, "-c", SCRIPT, json.dumps(COMMANDS)],
        cwd=path.parent,
        env=environment | {"PYTHONPATH": os.pathsep.join((PYTHONPATH, str(ROOT))), "PAIRCARD_DB": str(path)},
        capture_output=True,
        text=True,
        timeout=300,
    )
    said = [json.loads(line) for line in ended.stdout.splitlines()]
    assert len(said) == len(COMMANDS), (said[-1:], ended.stderr)
    return {" ".join(words): (code, out, err) for words, code, out, err in said}


@pytest.mark.slow
@pytest.mark.parametrize("name", HOSTILE)
def test_a_hostile_file_is_refused_by_every_command_in_one_line(path: Path, name: str) -> None:
    harm, told = HOSTILE[name]
    harm(path)

    for words, (code, out, err) in run_all(path).items():
        assert code == 1, (words, out, err)
        assert told in out + err, (words, out, err)
        assert "internal error" not in err
        assert "Traceback" not in err
        if words != "doctor":
            assert err.count("\n") == 1, (words, err)
    assert not (path.parent / "copy.db").exists()


def test_more_facts_than_a_file_can_hold_end_every_command_that_would_read_them_all(path: Path) -> None:
    endless_tree(path)

    said = run_all(path)

    for words in ("verify --all", "doctor", "backup copy.db"):
        assert said[words][0] == 1, said[words]
    assert not any("Traceback" in err or "internal error" in err for _, _, err in said.values())
    assert not (path.parent / "copy.db").exists()


def test_a_trigger_without_end_stops_what_writes_and_nobody_who_reads(path: Path) -> None:
    recursive_trigger(path)

    said = run_all(path)

    for words in ("result 1 1 1-0", "player add Zoe --why late"):
        assert said[words][0] == 1
        assert sentence("store.fault.foreign", kind="trigger", text="t") in said[words][2]
    assert said["verify --all"][0] == said["doctor"][0] == 1
    assert said["list"][0] == said["standings"][0] == 0


def test_a_table_of_somebody_else_with_a_rule_that_takes_hours_keeps_nobody_waiting(path: Path) -> None:
    slow_check(path)

    assert {words: code for words, (code, _, _) in run_all(path).items() if code} == {}
