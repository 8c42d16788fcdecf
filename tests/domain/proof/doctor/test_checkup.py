"""The doctor looks at a file: everything that is fine is said to be, and everything else is named.

These tests are quick and free of chance, for ``tests/mutation/run.py`` runs them once for every mutant.
"""

import shutil
import sqlite3
import tempfile
from collections.abc import Iterable
from contextlib import closing
from pathlib import Path

import msgspec
import pytest

from paircard.domain.errors import ForeignFile, NewerFile, Unreachable
from paircard.domain.log.backends.base import CheckpointRow
from paircard.domain.log.backends.sqlite import CATALOGUE, FORMAT, check_header
from paircard.domain.log.store import Tournaments
from paircard.domain.messages import Message, say
from paircard.domain.proof.bundles import take_in
from paircard.domain.proof.checkpoints import keep_checkpoint
from paircard.domain.proof.doctor import BAD, CARE, GOOD, Finding, examine, facts, inside
from tests.audit.byhand import by_hand
from tests.audit.quiet import END, ID, NINE, ROWS, cut_off, note_of
from tests.domain.test_stores import as_nobody
from tests.refusals import refuses

OTHER = "e" * 32
MATCH = say("proof.doctor.checkpoints-match")
WHOLE = say("proof.doctor.chains-whole", there=1, facts=END)


def stored(tmp_path: Path) -> Path:
    """A file with one tournament and a checkpoint of it."""
    path = tmp_path / "open.db"
    with Tournaments(path, create=True) as store:
        take_in(store, ID, ROWS)
        keep_checkpoint(store, NINE)
    return path


def seen(path: Path, *about: str) -> list[tuple[str, str, Message]]:
    """What the doctor finds inside a file, or about these matters."""
    inside = about or ("integrity", "tables", "chain", "checkpoints", "order")
    return [found for found in in_order(examine(path)) if found[0] in inside]


def test_a_sound_file_is_said_to_be_sound_in_every_respect(tmp_path: Path) -> None:
    assert seen(stored(tmp_path)) == [
        ("integrity", GOOD, say("proof.doctor.pages-whole")),
        ("tables", GOOD, say("proof.doctor.tables")),
        ("chain", GOOD, WHOLE),
        ("checkpoints", GOOD, MATCH),
        ("order", GOOD, say("proof.doctor.no-gaps")),
    ]


@pytest.mark.parametrize(
    ("statement", "about", "fault"),
    [
        ("CREATE TRIGGER quiet AFTER INSERT ON stored_events BEGIN SELECT 1; END", "tables",
         say("store.fault.foreign", kind="trigger", text="quiet")),
        ("CREATE UNIQUE INDEX one ON stored_events (topic, originator_version)", "tables",
         say("store.fault.foreign", kind="unique index", text="one")),
        ("ALTER TABLE checkpoints ADD COLUMN more", "tables",
         say("store.fault.table-differs", id="checkpoints")),
        ("PRAGMA user_version=0", "tables", say("store.fault.unmarked")),
        ("UPDATE stored_events SET rowid=-3 WHERE originator_version=1", "order",
         say("store.fault.first-missing", first=-3)),
        ("DELETE FROM stored_events WHERE originator_version IN (5, 6)", "order",
         say("store.fault.deleted", count=2, most=END)),
    ],
)  # fmt: skip
def test_what_somebody_did_to_the_tables_is_named_with_what_to_do(
    tmp_path: Path, statement: str, about: str, fault: Message
) -> None:
    path = stored(tmp_path)
    by_hand(str(path), statement)

    assert seen(path, about) == [(about, BAD, say("proof.doctor.changed", what=fault))]
    with Tournaments(path) as store:
        assert store.backend.faults() == [fault]


def test_a_file_of_an_earlier_format_is_sound(tmp_path: Path) -> None:
    path = stored(tmp_path)
    by_hand(str(path), "PRAGMA user_version=1")

    assert [state for _, state, _ in seen(path)] == [GOOD] * 5
    with Tournaments(path) as store:
        assert store.backend.faults() == []


def test_a_file_without_its_table_is_named(tmp_path: Path) -> None:
    path = stored(tmp_path)
    by_hand(str(path), "DROP TABLE stored_events")

    assert seen(path)[:2] == [
        ("integrity", GOOD, say("proof.doctor.pages-whole")),
        ("tables", BAD, say("proof.doctor.changed", what=say("store.fault.no-facts"))),
    ]
    assert seen(path)[2:] == [
        ("integrity", BAD, say("proof.doctor.file-damaged", reason="no such table: stored_events"))
    ]


def test_an_index_or_the_table_of_checkpoints_may_be_missing(tmp_path: Path) -> None:
    path = stored(tmp_path)
    by_hand(str(path), "DROP INDEX catalogue_name")
    by_hand(str(path), "DROP TABLE checkpoints")

    gone = ["checkpoints", "checkpoints_text", "catalogue_name"]
    assert seen(path, "tables", "checkpoints") == [
        ("tables", CARE, say("proof.doctor.tables-missing", known=gone)),
        ("checkpoints", GOOD, MATCH),
    ]


def test_a_checkpoint_in_the_file_whose_row_was_changed_is_named(tmp_path: Path) -> None:
    path = stored(tmp_path)
    by_hand(str(path), "UPDATE checkpoints SET size=3")

    changed = say("proof.mislabelled", facts=9, value="3", tournament=ID)
    told = say("proof.doctor.misfit", tournament=ID, what=changed)
    assert seen(path, "checkpoints") == [("checkpoints", BAD, told)]


def looked_at_by_nobody(path: Path, mode: int) -> list[tuple[str, str, Message]]:
    """What the doctor finds who may write neither to the folder nor, by its mode, to the file."""
    for file in path.parent.iterdir():
        file.chmod(mode)
    path.parent.chmod(0o555)
    try:
        with as_nobody():
            return seen(path)
    finally:
        path.parent.chmod(0o755)


@pytest.mark.parametrize("mode", [0o444, 0o666])
def test_a_file_in_a_folder_nobody_may_write_to_is_looked_at_all_the_same(mode: int) -> None:
    with tempfile.TemporaryDirectory() as name:
        path = stored(Path(name))
        sound = seen(path)

        assert looked_at_by_nobody(path, mode) == sound


def test_facts_that_wait_in_the_journal_are_looked_at_where_nobody_may_write() -> None:
    with tempfile.TemporaryDirectory() as name:
        path = stored(Path(name))
        sound = seen(path)
        crashed = Path(name) / "crashed"
        crashed.mkdir()
        with closing(sqlite3.connect(path, isolation_level=None)) as desk:
            desk.execute("DELETE FROM checkpoints")
            assert looked_at_by_nobody(path, 0o444) == sound
            for end in ("", "-wal"):
                shutil.copy(f"{path}{end}", crashed)

        assert looked_at_by_nobody(crashed / path.name, 0o444) == [
            ("integrity", CARE, say("proof.doctor.journal-unreadable"))
        ]
        assert seen(crashed / path.name) == sound


def test_what_a_crash_left_half_written_is_taken_back_before_the_doctor_looks(tmp_path: Path) -> None:
    path = stored(tmp_path)
    by_hand(str(path), "PRAGMA journal_mode=DELETE")
    half = tmp_path / "half.db"
    with closing(sqlite3.connect(path, isolation_level=None)) as db:
        db.execute("PRAGMA cache_size=1")
        db.execute("BEGIN")
        db.execute("UPDATE stored_events SET state=state || zeroblob(5000)")
        for end in ("", "-journal"):
            shutil.copy(f"{path}{end}", f"{half}{end}")
        db.execute("ROLLBACK")
    assert half.read_bytes() != path.read_bytes()

    assert seen(half, "chain") == [("chain", GOOD, WHOLE)]


def test_another_journal_mode_works_and_is_slow(tmp_path: Path) -> None:
    path = stored(tmp_path)
    by_hand(str(path), "PRAGMA journal_mode=DELETE")

    assert seen(path, "tables") == [("tables", CARE, say("proof.doctor.journal-mode"))]


def test_an_empty_file_of_ours_has_nothing_missing(tmp_path: Path) -> None:
    with Tournaments(tmp_path / "new.db", create=True) as store:
        assert store.backend.faults() == []
    assert seen(tmp_path / "new.db", "chain", "order") == [
        ("chain", GOOD, say("proof.doctor.chains-whole", there=0, facts=0)),
        ("order", GOOD, say("proof.doctor.no-gaps")),
    ]


def test_damaged_pages_are_named(tmp_path: Path) -> None:
    path = stored(tmp_path)
    by_hand(str(path), "PRAGMA wal_checkpoint(TRUNCATE)")
    with closing(sqlite3.connect(path)) as db:
        [(page,)] = db.execute("SELECT rootpage FROM sqlite_schema WHERE name='catalogue_position'")
        [(size,)] = db.execute("PRAGMA page_size")
    with path.open("r+b") as file:
        file.seek((page - 1) * size + 3)
        file.write(b"\x00\x7f")

    [(about, state, told)] = seen(path, "integrity")
    assert (about, state, told.code) == ("integrity", BAD, "proof.doctor.pages-damaged")
    assert told.fields["reason"]
    with Tournaments(path) as store:
        assert [fault.code for fault in store.backend.faults()] == ["store.fault.pages"]


def test_an_index_that_lacks_rows_is_named_row_by_row(tmp_path: Path) -> None:
    path = stored(tmp_path)
    with closing(sqlite3.connect(path, isolation_level=None)) as db:
        db.execute("DROP INDEX catalogue_name")
        db.execute("CREATE INDEX catalogue_name ON catalogue (name) WHERE name='x'")
        db.execute("PRAGMA writable_schema=1")
        made = CATALOGUE["catalogue_name"]
        db.execute("UPDATE sqlite_schema SET sql=? WHERE name='catalogue_name'", (made,))

    lines = "row 1 missing from index catalogue_name; wrong # of entries in index catalogue_name"
    assert seen(path, "integrity") == [("integrity", BAD, say("proof.doctor.pages-damaged", reason=lines))]


def test_a_file_that_others_keep_locked_is_to_be_asked_again(tmp_path: Path) -> None:
    path = stored(tmp_path)
    by_hand(str(path), "PRAGMA journal_mode=DELETE")
    with closing(sqlite3.connect(path, isolation_level=None)) as other:
        other.execute("BEGIN EXCLUSIVE")

        assert in_order(inside(path, patience=0.01)) == [
            ("integrity", CARE, say("proof.doctor.others-write"))
        ]


def in_order(found: Iterable[Finding]) -> list[tuple[str, str, Message]]:
    return [(one.about, one.state, Message(one.code, one.fields)) for one in found]


def test_facts_of_several_tournaments_are_counted_and_each_damaged_one_is_named() -> None:
    rows = ROWS
    assert in_order(facts(rows)) == [
        ("chain", GOOD, WHOLE),
        ("checkpoints", GOOD, MATCH),
    ]
    broken = [msgspec.structs.replace(ROWS[0], originator_id=f"{n:032x}") for n in range(12)]
    told = list(facts([*rows, *broken]))
    assert [(one.about, one.state) for one in told] == [("chain", BAD)] * 11 + [("checkpoints", GOOD)]
    for at in (0, 9):
        changed = say("store.fact-changed", version=1, tournament=f"{at:032x}")
        assert in_order(told)[at] == ("chain", BAD, changed)
    assert in_order(told)[10] == ("chain", BAD, say("proof.doctor.more-damaged", count=2))
    assert len(list(facts(broken[:10]))) == 11
    assert in_order(facts(broken[:11]))[10] == ("chain", BAD, say("proof.doctor.more-damaged", count=1))


def test_checkpoints_that_do_not_fit_are_named_and_the_rest_counted() -> None:
    rows = ROWS[:8]
    cut = say("proof.doctor.misfit", tournament=ID, what=cut_off(9, 8))
    kept: list[CheckpointRow] = [(ID, 9, NINE), (ID, 4, note_of(4))]
    assert in_order(facts(rows, {ID: kept}.__getitem__))[1:] == [("checkpoints", BAD, cut)]
    removed = say("proof.doctor.of-no-facts", tournament=OTHER)
    assert in_order(facts(rows, orphans=[OTHER]))[1:] == [("checkpoints", BAD, removed)]
    for count, more in ((10, []), (11, [1]), (13, [3])):
        told = in_order(facts(rows, orphans=[f"{n:032x}" for n in range(count)]))[1:]
        assert [(about, state) for about, state, _ in told] == [("checkpoints", BAD)] * (10 + len(more))
        assert [said for _, _, said in told[10:]] == [
            say("proof.doctor.more-misfits", count=rest) for rest in more
        ]


def test_a_file_is_ours_by_its_header(tmp_path: Path) -> None:
    path = stored(tmp_path)
    whole = path.read_bytes()

    def check(place: int, value: int) -> None:
        path.write_bytes(whole[:place] + bytes([value]) + whole[place + 1 :])
        check_header(path)

    check(63, FORMAT)
    check(63, 1)
    with refuses(ForeignFile, "store.not-ours"):
        check(0, ord("x"))
    for place in (68, 71):
        with refuses(ForeignFile, "store.of-another"):
            check(place, whole[place] ^ 1)
    for place, value in ((60, 1), (63, FORMAT + 1)):
        with refuses(NewerFile, "store.newer-read"):
            check(place, value)
    assert list(tmp_path.iterdir()) == [path], "looking at a file makes nothing beside it"


def test_a_header_is_all_that_is_asked_of_a_file_that_was_cut_off(tmp_path: Path) -> None:
    path = stored(tmp_path)
    path.write_bytes(path.read_bytes()[:600])
    check_header(path)


def test_what_cannot_be_read_is_not_called_foreign(tmp_path: Path) -> None:
    with refuses(Unreachable, "store.not-readable", reason="permission denied"):
        check_header(tmp_path / "nothing.db")
    with refuses(Unreachable, "store.unusable"):
        check_header(tmp_path)
