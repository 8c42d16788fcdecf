"""What happens to files: journals, copies, links, replacements. Nothing is lost unnoticed."""

import os
import shutil
import sqlite3
import stat
import subprocess
import sys
from collections.abc import Callable
from concurrent.futures import ThreadPoolExecutor
from contextlib import closing
from pathlib import Path
from typing import Any, cast

import pytest

from paircard.domain.commands import GrantBye
from paircard.domain.errors import (
    CorruptFile,
    Invalid,
    NewerFile,
    OutcomeUnknown,
    Refused,
    StoreRefused,
    Unreachable,
)
from paircard.domain.log.backends.sqlite import FORMAT, Guard, SQLiteBackend
from paircard.domain.log.store import Tournaments, prepare
from paircard.domain.messages import Message, say
from paircard.domain.proof.copies import back_up, restore
from paircard.domain.proof.doctor import BAD, examine
from tests.domain.test_contract import ONE, entry, opening
from tests.refusals import refuses
from tests.roots import PYTHONPATH


@pytest.fixture
def path(tmp_path: Path) -> Path:
    """A file with three facts."""
    path = tmp_path / "open.db"
    with Tournaments(path, create=True) as store:
        store.ask(ONE, opening())
        store.ask(ONE, entry("Anand"))
        store.ask(ONE, entry("Polgar"))
    return path


def crash(path: Path, name: str = "Short") -> None:
    """Record one more fact and leave it in the journal, as kill -9 does."""
    store = Tournaments(path)
    store.ask(ONE, entry(name))
    there = {end: Path(f"{path}{end}").read_bytes() for end in ("", "-wal")}
    store.close()
    Path(f"{path}-shm").unlink(missing_ok=True)
    for end, content in there.items():
        Path(f"{path}{end}").write_bytes(content)
    assert Path(f"{path}-wal").stat().st_size


def by_hand(path: Path, *statements: str) -> None:
    db = sqlite3.connect(path, isolation_level=None)
    for statement in statements:
        db.execute(statement)
    db.close()


def wrong(path: Path) -> str:
    return "; ".join(finding.text for finding in examine(path) if finding.state == BAD)


def found(path: Path) -> list[Message]:
    return [Message(finding.code, finding.fields) for finding in examine(path) if finding.state == BAD]


@pytest.mark.parametrize("how", ["new", "init", "backup"])
def test_a_journal_left_by_a_crash_never_flows_into_another_file(path: Path, how: str) -> None:
    other = path.with_name("other.db")
    with Tournaments(other, create=True) as store:
        store.ask(ONE, opening())
    crash(path)
    kept = path.with_name("kept.db")
    path.rename(kept)
    journal = Path(f"{path}-wal").read_bytes()

    assert say("store.journal-left", file=str(path), path="open.db-wal") in found(path)
    makes: dict[str, Callable[[], object]] = {
        "new": lambda: Tournaments(path, create=True),
        "init": lambda: prepare(path),
        "backup": lambda: back_up(other, path),
    }
    with refuses(Refused, "proof.journal-there" if how == "backup" else "store.journal-left"):
        makes[how]()

    assert not path.exists()
    assert Path(f"{path}-wal").read_bytes() == journal
    kept.rename(path)  # put back, the fact in the journal is there
    with Tournaments(path) as store:
        assert store.verify_chain(ONE)[0] == 4


def test_a_backup_is_restored_beside_a_journal_that_a_crash_left(path: Path) -> None:
    backup = path.with_name("monday.db")
    back_up(path, backup)
    crash(path)
    with Tournaments(path) as desk:
        desk.state(ONE)

        done = restore(backup, path)

        assert [(one.tournament, one.length) for one in done.tournaments] == [(ONE, 3)]
        assert done.lost == {ONE: 1}
        with refuses(Unreachable, "store.changed-while-open", cause="replaced"):
            desk.ask(ONE, entry("Nunn"))
    with Tournaments(path) as store:
        assert store.verify_chain(ONE)[0] == 3
        assert store.ask(ONE, entry("Nunn")).state.version == 4
    assert done.aside
    with Tournaments(done.aside) as old:
        assert old.verify_chain(ONE)[0] == 4  # with its own journal, whole
    assert wrong(path) == ""


def test_a_backup_that_is_damaged_changes_nothing(path: Path) -> None:
    backup = path.with_name("monday.db")
    back_up(path, backup)
    by_hand(backup, "UPDATE stored_events SET state=replace(state, 'Anna', 'Ahna')")
    before = sorted(file.name for file in path.parent.iterdir())

    with pytest.raises(CorruptFile):
        restore(backup, path)
    with refuses(Invalid, "proof.file-itself"):
        restore(path, path)

    assert sorted(file.name for file in path.parent.iterdir()) == before
    with Tournaments(path) as store:
        assert store.verify_chain(ONE)[0] == 3


def test_a_file_under_two_names_is_refused(path: Path) -> None:
    os.link(path, path.with_name("second.db"))

    for name in (path, path.with_name("second.db")):
        with refuses(Unreachable, "store.hard-link"):
            Tournaments(name)
        assert "hard link" in wrong(name)
    path.with_name("second.db").unlink()
    assert wrong(path) == ""


def test_a_file_named_by_a_link_is_restored_where_it_lies(path: Path) -> None:
    """SQLite keeps the journal beside the file, not beside the link."""
    backup, link = path.with_name("monday.db"), path.with_name("link.db")
    back_up(path, backup)
    link.symlink_to(path)
    crash(path)
    waiting = [finding.text for finding in examine(link) if finding.about == "journal"]
    assert waiting[0].startswith("open.db-wal has ")

    done = restore(backup, link)

    assert done.aside == path.with_name("open.db.replaced-1")
    assert done.lost == {ONE: 1}
    assert link.is_symlink()
    for name in (link, path):
        with Tournaments(name) as store:
            assert store.verify_chain(ONE)[0] == 3


@pytest.mark.parametrize("kind", ["folder", "link"])
def test_what_lies_in_the_place_of_a_journal_is_named_and_nothing_is_written(path: Path, kind: str) -> None:
    journal = Path(f"{path}-wal")
    if kind == "folder":
        journal.mkdir()
    else:
        journal.symlink_to("elsewhere")

    with pytest.raises(StoreRefused), Tournaments(path) as desk:
        desk.ask(ONE, entry("Short"))

    assert say("proof.doctor.no-journal", file="open.db-wal") in found(path)
    path.unlink()
    with refuses(Unreachable, "store.journal-left"):
        Tournaments(path, create=True)
    assert not path.exists()


def test_a_link_to_a_file_that_is_gone_makes_no_other(path: Path) -> None:
    link = path.with_name("link.db")
    link.symlink_to(path)
    path.unlink()

    for create in (False, True):
        with refuses(Unreachable, "store.dead-link", path=str(path)):
            Tournaments(link, create=create)
    assert not path.exists()


@pytest.mark.parametrize("kind", ["pipe", "device"])
def test_what_is_not_a_file_is_refused_and_left_alone(tmp_path: Path, kind: str) -> None:
    name = tmp_path / "pipe" if kind == "pipe" else Path(os.devnull)
    if kind == "pipe":
        os.mkfifo(name)

    for create in (False, True):
        with refuses(Unreachable, "store.is-device"):
            Tournaments(name, create=create)
    assert name.exists()
    assert say("store.is-device", file=str(name)) in found(name)


def test_a_link_made_while_a_desk_is_open_is_noticed_by_it(path: Path) -> None:
    with Tournaments(path) as desk:
        desk.state(ONE)
        os.link(path, path.with_name("second.db"))
        with refuses(Unreachable, "store.hard-link"):
            desk.ask(ONE, entry("Short"))
        assert desk.version(ONE) == 3


@pytest.mark.parametrize("how", ["renamed", "deleted", "replaced"])
def test_a_file_that_goes_away_is_noticed_by_whoever_has_it_open(path: Path, how: str) -> None:
    other = path.with_name("other.db")
    shutil.copy(path, other)
    with Tournaments(path) as desk:
        desk.state(ONE)
        if how == "renamed":
            path.rename(path.with_name("old.db"))
        elif how == "deleted":
            path.unlink()
        else:
            os.replace(other, path)
        with refuses(Unreachable, "store.changed-while-open", cause="replaced"):
            desk.ask(ONE, entry("Short"))
        with refuses(Unreachable, "store.changed-while-open", cause="replaced"):
            desk.last_position()
        with refuses(Unreachable, "store.changed-while-open", cause="replaced"):
            desk.wait(3, 5)


def test_a_file_that_goes_away_while_it_is_written_leaves_it_open_what_was_recorded(
    path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    with Tournaments(path) as desk:
        desk.state(ONE)
        log = cast(SQLiteBackend, desk.backend)
        insert = log.insert_events

        def and_then_gone(*args: Any, **kwargs: Any) -> Any:
            answer = insert(*args, **kwargs)
            if path.exists():
                path.rename(path.with_name("old.db"))
            return answer

        monkeypatch.setattr(log, "insert_events", and_then_gone)
        with refuses(OutcomeUnknown, "outcome-unknown"):
            desk.ask(ONE, GrantBye(player=1, round=2, letter="Z", meta=entry("Short").meta))


ANOTHER_PROGRAM = """
import sys
from paircard.domain.log.store import Tournaments
with Tournaments(sys.argv[1]) as store:
    print(store.version(sys.argv[2]))
"""


def seen_by_another_program(path: Path) -> int:
    """How many facts a process of its own finds, which opens the file and leaves it again."""
    done = subprocess.run(
        [sys.executable, "-c", ANOTHER_PROGRAM, str(path), ONE],
        env=os.environ | {"PYTHONPATH": PYTHONPATH},
        capture_output=True,
        check=True,
    )
    return int(done.stdout)


def test_a_program_that_opens_the_file_twice_keeps_its_locks_and_its_journal(path: Path) -> None:
    """Locks are a process's: closing any descriptor of the file would let go of all of them."""
    with Tournaments(path) as desk:
        desk.ask(ONE, entry("Short"))
        with Tournaments(path) as follower:
            assert follower.version(ONE) == 4
            examine(path)
            assert seen_by_another_program(path) == 4  # the last to leave would remove the journal
            desk.ask(ONE, entry("Nunn"))
            assert seen_by_another_program(path) == 5


@pytest.mark.parametrize(
    ("how", "said"),
    [
        ("removed", say("store.journal-removed")),
        ("replaced", say("store.journal-removed")),
        (
            "emptied",
            say("outcome-unknown"),
        ),
    ],
)
def test_a_journal_that_goes_away_under_an_open_desk_is_noticed_by_it(
    path: Path, how: str, said: Message
) -> None:
    journal = Path(f"{path}-wal")
    with Tournaments(path, patience=0.1) as desk:
        desk.ask(ONE, entry("Short"))
        if how == "emptied":
            os.truncate(journal, 0)
        else:
            journal.unlink()
        if how == "replaced":
            journal.write_bytes(b"")
        for name in ("Nunn", "Euwe"):
            with refuses(Unreachable, said):
                desk.ask(ONE, entry(name))


def test_a_journal_that_is_empty_because_nothing_had_to_be_written_is_no_trouble(path: Path) -> None:
    with Tournaments(path) as desk:
        desk.keep_note(ONE, 3, "a note")
    with Tournaments(path) as desk:
        desk.keep_note(ONE, 3, "a note")
        assert len(desk.backend.stored_checkpoints(ONE)) == 1


def test_a_file_that_grows_under_many_readers_was_not_cut_off(tmp_path: Path) -> None:
    path = tmp_path / "growing"
    path.write_bytes(b"x")
    guard = Guard(path)

    def look() -> None:
        for _ in range(3000):
            guard.require_same_file()

    with ThreadPoolExecutor(4) as pool, path.open("ab", buffering=0) as file:
        readers = [pool.submit(look) for _ in range(4)]
        while not all(one.done() for one in readers):
            file.write(b"x")
        for one in readers:
            one.result()


@pytest.mark.parametrize("how", ["emptied", "cut off", "garbage", "another database"])
def test_a_file_overwritten_in_place_takes_no_facts(path: Path, how: str) -> None:
    other = path.with_name("other.db")
    by_hand(other, "CREATE TABLE t (a)", "INSERT INTO t VALUES (zeroblob(100000))")
    with Tournaments(path) as desk:
        desk.ask(ONE, entry("Short"))
        desk.ask(ONE, entry("Nunn"))
        match how:
            case "emptied":
                os.truncate(path, 0)
            case "cut off":
                os.truncate(path, path.stat().st_size // 2)
            case "garbage":
                with path.open("r+b") as file:
                    file.write(b"dear diary, " * 1000)
            case _:
                path.write_bytes(other.read_bytes())
        with pytest.raises(StoreRefused) as refusal:
            desk.ask(ONE, entry("Euwe"))
        assert refusal.value.said.code in ("store.changed-while-open", "store.not-ours", "store.of-another")


@pytest.mark.parametrize("what", ["checkpoint", "signed tree", "erasure"])
@pytest.mark.parametrize(
    ("how", "refused"),
    [
        ("deleted", "store.changed-while-open"),
        ("newer", "store.newer-written"),
        ("trigger", "store.unsound"),
    ],
)
def test_nothing_else_is_kept_in_a_file_that_takes_no_facts(
    path: Path, what: str, how: str, refused: str
) -> None:
    with Tournaments(path) as desk:
        desk.state(ONE)
        match how:
            case "deleted":
                path.unlink()
            case "newer":
                by_hand(path, f"PRAGMA user_version={FORMAT + 1}")
            case _:
                by_hand(path, SWALLOWS)
        keep: dict[str, Callable[[], object]] = {
            "checkpoint": lambda: desk.keep_note(ONE, 3, "a note"),
            "signed tree": lambda: desk.save_signed_tree(3, 3, "a note"),
            "erasure": lambda: desk.erase_pieces(ONE, ["0" * 64]),
        }
        with pytest.raises(StoreRefused) as refusal:
            keep[what]()
        assert refusal.value.said.code == refused


NO_KEY = (
    "CREATE TABLE copy AS SELECT * FROM stored_events",
    "DROP TABLE stored_events",
    "ALTER TABLE copy RENAME TO stored_events",
)
SWALLOWS = "CREATE TRIGGER quiet BEFORE INSERT ON stored_events BEGIN SELECT RAISE(IGNORE); END"
CHECKS = (
    "PRAGMA writable_schema=1",
    "UPDATE sqlite_schema SET sql=replace(sql, 'state BLOB', 'state BLOB CHECK (length(state)>0)') "
    "WHERE name='stored_events'",
)


@pytest.mark.parametrize(
    ("statements", "fault"),
    [
        (NO_KEY, say("store.fault.table-differs", id="stored_events")),
        (CHECKS, say("store.fault.table-differs", id="stored_events")),
        ((SWALLOWS,), say("store.fault.foreign", kind="trigger", text="quiet")),
        (("CREATE VIEW lists AS SELECT 1",), say("store.fault.foreign", kind="view", text="lists")),
        (("PRAGMA user_version=0",), say("store.fault.unmarked")),
    ],
)
@pytest.mark.parametrize("when", ["before", "while open"])
def test_a_table_that_would_lose_facts_is_refused_before_the_first_write(
    path: Path, statements: tuple[str, ...], fault: Message, when: str
) -> None:
    if when == "before" or statements == CHECKS:  # an open connection goes by the schema it has read
        by_hand(path, *statements)
        when = "before"
    with Tournaments(path) as desk:
        if when == "while open":
            desk.ask(ONE, entry("Short"))
            by_hand(path, *statements)
        version = desk.version(ONE)
        with refuses(CorruptFile, "store.unsound") as refusal:
            desk.ask(ONE, entry("Nunn"))
        assert fault in refusal.value.said.fields["reasons"]
        assert desk.version(ONE) == version
    assert say("proof.doctor.changed", what=fault) in found(path)


def test_a_file_that_keeps_nothing_is_not_answered_with_success(
    path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Whatever swallows it: what was written is looked at before it is answered."""
    monkeypatch.setattr("paircard.domain.log.backends.sqlite.unsound", lambda *_: [])
    by_hand(path, SWALLOWS)
    with Tournaments(path) as desk:
        with refuses(CorruptFile, "store.not-kept"):
            desk.ask(ONE, entry("Nunn"))
        assert desk.version(ONE) == 3


def format_of(path: Path) -> object:
    """The format a file says it has."""
    with closing(sqlite3.connect(path)) as db:
        return db.execute("PRAGMA user_version").fetchone()


@pytest.mark.parametrize("before", range(1, FORMAT))
def test_a_file_of_a_format_before_is_taken_over_when_it_is_written_to(path: Path, before: int) -> None:
    by_hand(path, f"PRAGMA user_version={before}")
    with Tournaments(path) as desk:
        desk.state(ONE)
        found = format_of(path)
        assert found == (before,)  # reading leaves it
        desk.ask(ONE, entry("Short"))
    assert format_of(path) == (FORMAT,)


def test_a_file_that_a_newer_program_took_over_is_left_alone_by_an_open_desk(path: Path) -> None:
    with Tournaments(path) as desk:
        desk.ask(ONE, entry("Short"))
        by_hand(path, f"PRAGMA user_version={FORMAT + 1}")
        with refuses(NewerFile, "store.newer-written", version=FORMAT + 1, highest=FORMAT):
            desk.ask(ONE, entry("Nunn"))
        assert desk.version(ONE) == 4


def test_new_files_are_for_their_owner_alone(path: Path) -> None:
    backup = path.with_name("monday.db")
    back_up(path, backup)
    restore(backup, path)

    for file in path.parent.iterdir():
        assert stat.S_IMODE(file.stat().st_mode) == 0o600, file


@pytest.mark.parametrize(("position", "first"), [(-5, -5), (0, 0), (10_000, 2)])
def test_a_position_set_by_hand_is_told(path: Path, position: int, first: int) -> None:
    by_hand(path, f"UPDATE stored_events SET rowid={position} WHERE originator_version=1")

    missing = say("store.fault.first-missing", first=first)
    assert say("proof.doctor.changed", what=missing) in found(path)


def test_a_file_without_the_table_of_personal_parts_gets_it_with_the_first_name(path: Path) -> None:
    by_hand(path, "DROP TABLE private", "PRAGMA user_version=3")
    with Tournaments(path) as store:
        store.ask(ONE, entry("Ada", 2500))
        [*_, row] = store.rows(ONE)
        assert b"Ada" not in row.state
        assert any(b"Ada" in part for part in row.parts)
