"""The log on disk: what was acknowledged is there, in order, whole, and nobody is overwritten."""

import sqlite3
from pathlib import Path
from typing import Any

import pytest

from paircard.domain.commands import (
    CloseTournament,
)
from paircard.domain.errors import (
    Busy,
    CorruptFile,
    ForeignFile,
    NewerFile,
    Unreachable,
)
from paircard.domain.log.backends.sqlite import APPLICATION_ID, FORMAT, refusal
from paircard.domain.log.backends.sqlite_files import create_file
from paircard.domain.log.store import Tournaments
from paircard.domain.log.stored import link_hash, payload_of
from tests.domain.scenes import ask
from tests.domain.test_contract import ONE, TWO, entry, opening
from tests.refusals import refuses


@pytest.fixture
def path(tmp_path: Path) -> Path:
    return tmp_path / "events.db"


@pytest.fixture
def filled(path: Path) -> Path:
    """A file with one tournament of three facts."""
    with Tournaments(path, create=True) as store:
        store.ask(ONE, opening())
        store.ask(ONE, entry("Anand"))
        store.ask(ONE, entry("Polgar"))
    return path


def test_a_missing_file_is_only_made_when_asked(path: Path) -> None:
    with refuses(Unreachable, "store.no-file"):
        Tournaments(path)
    assert not path.exists()
    with refuses(Unreachable, "store.not-created"):
        Tournaments(path.parent / "no folder" / "x.db", create=True)
    with refuses(Unreachable, "store.is-folder"):
        Tournaments(path.parent, create=True)


def test_a_name_no_file_can_have_is_refused(tmp_path: Path) -> None:
    for name in ("x" * 5000, "a\0b"):
        with refuses(Unreachable, "store.not-readable"):
            Tournaments(tmp_path / name, create=True)


def test_an_empty_file_becomes_ours_only_when_asked(path: Path) -> None:
    path.touch()

    with refuses(ForeignFile, "store.is-empty"):
        Tournaments(path)
    assert path.read_bytes() == b""
    with Tournaments(path, create=True) as store:
        assert store.ask(ONE, opening()).state.version == 1


def test_whoever_makes_the_file_second_takes_the_one_that_is_there(filled: Path) -> None:
    create_file(filled)

    with Tournaments(filled) as store:
        assert store.version(ONE) == 3
    filled.write_text("something else")
    with pytest.raises(ForeignFile):
        create_file(filled)
    assert [p.name for p in filled.parent.iterdir()] == ["events.db"]


def test_what_sqlite_says_otherwise_is_passed_on_in_one_line(path: Path) -> None:
    reason = sqlite3.OperationalError("disk I/O error")

    assert str(refusal(reason, path)) == f"{path} cannot be used: disk I/O error"


def test_a_new_file_is_durable_and_leaves_no_draft_behind(path: Path) -> None:
    with Tournaments(path, create=True) as store, store.backend.writing():
        [[synchronous]], [[journal]] = (
            store.backend.ask(f"PRAGMA {name}") for name in ("synchronous", "journal_mode")
        )
    assert (synchronous, journal) == (2, "wal"), "2 is FULL"
    assert [p.name for p in path.parent.iterdir()] == ["events.db"]


def test_an_odd_file_name_is_only_a_name(tmp_path: Path) -> None:
    path = tmp_path / "open 50%?mode=memory#1.db"
    with Tournaments(path, create=True) as store:
        store.ask(ONE, opening())
    with Tournaments(path) as store:
        assert store.version(ONE) == 1


@pytest.mark.parametrize("content", [b"a,b,c\n1,2,3\n", b"SQLite format 3\x00", b"\x00" * 4096])
def test_a_file_that_is_no_database_is_refused_and_left_alone(path: Path, content: bytes) -> None:
    path.write_bytes(content)

    with refuses(ForeignFile, "store.not-ours"):
        Tournaments(path, create=True)
    assert path.read_bytes() == content


def test_a_database_of_another_program_is_refused_and_left_alone(path: Path) -> None:
    with sqlite3.connect(path) as db:
        db.execute("CREATE TABLE players (name)")
    db.close()
    before = path.read_bytes()

    with refuses(ForeignFile, "store.of-another"):
        Tournaments(path, create=True)
    assert path.read_bytes() == before
    assert [p.name for p in path.parent.iterdir()] == ["events.db"]


def test_a_file_of_a_newer_version_is_refused(filled: Path) -> None:
    with sqlite3.connect(filled) as db:
        db.execute("PRAGMA user_version=7")
    db.close()

    with refuses(NewerFile, "store.newer-read", version=7, highest=FORMAT):
        Tournaments(filled)


def test_a_fact_of_a_newer_version_is_named(filled: Path) -> None:
    with Tournaments(filled) as store:
        [_, second, third] = store.log(ONE)
        payload = payload_of(third).replace(b"player-registered", b"clock-broken")
        hash = link_hash(second.hash, ONE, 3, "clock-broken/1", payload)
        line = payload.decode()[:-1] + f',"previous":"{second.hash}","hash":"{hash}"}}'
    topic, where = "topic='clock-broken/1'", "originator_version=3"
    change(filled, f"UPDATE stored_events SET {topic}, state=CAST('{line}' AS BLOB) WHERE {where}")

    with Tournaments(filled) as store, refuses(NewerFile, "store.unknown-fact", text="clock-broken/1"):
        store.log(ONE)


def test_a_locked_file_is_busy_and_nothing_is_lost(filled: Path) -> None:
    with Tournaments(filled, patience=0.05) as store:
        store.state(ONE)
        holder = sqlite3.connect(filled, isolation_level=None)
        holder.execute("BEGIN IMMEDIATE")
        with refuses(Busy, "store.busy"):
            store.ask(ONE, entry("Short"))
        holder.execute("ROLLBACK")
        holder.close()

        assert store.ask(ONE, entry("Short")).state.version == 4


def test_a_fact_that_was_overwritten_is_named(filled: Path) -> None:
    change(filled, "UPDATE stored_events SET state='{' WHERE originator_version=3")

    with (
        Tournaments(filled) as store,
        refuses(CorruptFile, "store.fact-changed", version=3, tournament=ONE),
    ):
        store.log(ONE)


def test_a_damaged_file_is_refused_in_one_line(filled: Path) -> None:
    content = bytearray(filled.read_bytes())
    content[4096:] = b"\xff" * (len(content) - 4096)
    filled.write_bytes(content)

    with (
        Tournaments(filled) as store,
        refuses(CorruptFile, "store.damaged"),
    ):
        store.state(ONE)


def test_a_file_without_its_table_is_damaged(path: Path) -> None:
    with sqlite3.connect(path) as db:
        db.execute(f"PRAGMA application_id={APPLICATION_ID}")
        db.execute("CREATE TABLE x (y)")
    db.close()

    with (
        Tournaments(path) as store,
        refuses(CorruptFile, "store.damaged", reason="no such table: stored_events"),
    ):
        store.state(ONE)


def change(path: Path, sql: str) -> None:
    """A hand in the database."""
    with sqlite3.connect(path) as db:
        db.execute(sql)
    db.close()


@pytest.mark.parametrize(
    "sql",
    [
        "UPDATE stored_events SET state=CAST(replace(state, 'Anna', 'Ahna') AS BLOB)",
        "UPDATE stored_events SET state=replace(state, 'Anna', 'Ahna')",
        "UPDATE stored_events SET state=CAST(replace(state, 'Anna', 'Otto') AS BLOB)",
        "UPDATE stored_events SET state=CAST(replace(state, 'T09:30', 'T09:29') AS BLOB)",
        "UPDATE stored_events SET topic='player-withdrawn/1' WHERE originator_version=2",
        "UPDATE stored_events SET originator_version=originator_version+1 WHERE originator_version=3",
        "UPDATE stored_events SET originator_version=9-originator_version WHERE originator_version>1",
        "UPDATE stored_events SET originator_id='" + TWO + "'",
        "DELETE FROM stored_events WHERE originator_version=1",
        "DELETE FROM stored_events WHERE originator_version=2",
        "UPDATE stored_events SET state=x'' WHERE originator_version=2",
        "UPDATE stored_events SET state=NULL WHERE originator_version=2",
        "INSERT INTO stored_events SELECT originator_id, 4, topic, state FROM stored_events "
        "WHERE originator_version=3",
    ],
)  # fmt: skip
def test_a_hand_in_the_database_is_detected(filled: Path, sql: str) -> None:
    with Tournaments(filled) as store:
        length, head = store.verify_chain(ONE)
        assert (length, head) == (3, store.log(ONE)[-1].hash)
    change(filled, sql)

    with Tournaments(filled) as store, pytest.raises(CorruptFile):
        store.verify_chain(TWO if TWO in sql else ONE)
    with Tournaments(filled) as store, pytest.raises(CorruptFile):
        store.ask(TWO if TWO in sql else ONE, ask(CloseTournament))


def test_any_single_changed_byte_of_a_fact_is_detected(filled: Path) -> None:
    with sqlite3.connect(filled) as db:
        [(state,)] = db.execute("SELECT state FROM stored_events WHERE originator_version=2").fetchall()
        for place in range(0, len(state), 7):
            broken = state[:place] + bytes([state[place] ^ 1]) + state[place + 1 :]
            db.execute("UPDATE stored_events SET state=? WHERE originator_version=2", (broken,))
            db.commit()
            with Tournaments(filled) as store, pytest.raises(CorruptFile):
                store.verify_chain(ONE)
    db.close()


def test_after_a_look_at_the_whole_log_a_command_is_decided_without_reading_it_again(
    filled: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    with Tournaments(filled) as store:
        facts = store.log(ONE)
        with monkeypatch.context() as patched:
            select = store.backend.select_events
            read: list[int] = []

            def watched(*args: Any, **kwargs: Any) -> Any:
                found = select(*args, **kwargs)
                read.append(len(found))
                return found

            patched.setattr(store.backend, "select_events", watched)
            answer = store.ask(ONE, entry("Kramnik"))

        assert read == [1, 1], "the last known fact under the lock, and what was written"
        assert [fact.version for fact in answer.recorded] == [4]
        assert [*facts, *answer.recorded] == store.log(ONE)


def test_what_is_read_on_must_follow_on_what_is_known(filled: Path) -> None:
    with Tournaments(filled) as store:
        store.log(ONE)
        last = store.raw_log(ONE)[-1]
        with sqlite3.connect(filled) as db:
            values = (ONE, last.originator_version + 1, last.topic, last.state)
            db.execute("INSERT INTO stored_events VALUES (?, ?, ?, ?)", values)
        db.close()

        with refuses(CorruptFile, "store.fact-changed", version=4):
            store.log(ONE)
