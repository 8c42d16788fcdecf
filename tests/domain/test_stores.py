"""Stores as a whole: moved, backed up while in use, looked over by the doctor."""

import json
import os
import resource
import shutil
import sqlite3
import subprocess
import sys
import tempfile
import threading
from collections.abc import Iterator
from contextlib import closing, contextmanager
from pathlib import Path
from typing import Any

import pytest

from paircard.domain.commands import OpenTournament, RegisterPlayer
from paircard.domain.errors import CorruptFile, Duplicate, Invalid, Replaced, Unknown, Unreachable
from paircard.domain.log.store import Tournaments, prepare
from paircard.domain.messages import Message, say
from paircard.domain.proof.checkpoints import Checkpoint, keep_checkpoint, kept_checkpoints
from paircard.domain.proof.copies import back_up, copy
from paircard.domain.proof.doctor import BAD, examine
from paircard.domain.proof.note import new_signer
from paircard.domain.values.players import Details
from paircard.domain.values.regulations import Regulations
from tests.cli.session import Terminal
from tests.domain.scenes import ask
from tests.domain.writer import batch
from tests.postgres import Server
from tests.refusals import among, refuses, sentence

ONE, TWO = "1" * 32, "2" * 32
ROOT = Path(__file__).parent.parent.parent


def entry(name: str) -> RegisterPlayer:
    return ask(RegisterPlayer, details=Details(name=name))


def fill(location: str | Path) -> None:
    with Tournaments(location, create=True) as store:
        for id, name in ((ONE, "Crash"), (TWO, "Other")):
            opening = ask(
                OpenTournament, regulations=Regulations(name=name, rounds=5, tiebreaks=("OTHER_PLAYOFF",))
            )
            store.ask(id, opening, entry("Anand"), entry("Polgar"))


@pytest.fixture
def path(tmp_path: Path) -> Path:
    fill(tmp_path / "events.db")
    return tmp_path / "events.db"


def wrong(location: str | Path) -> list[tuple[str, Message]]:
    return [(one.about, Message(one.code, one.fields)) for one in examine(location) if one.state == BAD]


def test_tournaments_move_to_the_other_kind_of_store_and_back_byte_by_byte(location: str, path: Path) -> None:
    back = path.with_name("back.db")
    with (
        Tournaments(path) as first,
        Tournaments(location if "://" in location else path.with_name("second.db"), create=True) as second,
        Tournaments(back, create=True) as third,
    ):
        assert [copy(id, first, second).new for id in (ONE, TWO)] == [3, 3]
        assert [copy(id, second, third).new for id in (ONE, TWO)] == [3, 3]

        assert list(third.backend.everything()) == list(first.backend.everything())
        assert third.state(ONE) == second.state(ONE) == first.state(ONE)


def test_a_second_move_copies_what_is_new_and_refuses_what_went_another_way(path: Path) -> None:
    with Tournaments(path) as here, Tournaments(path.with_name("there.db"), create=True) as there:
        copy(ONE, here, there)
        here.ask(ONE, entry("Short"))

        assert (copy(ONE, here, there).new, copy(ONE, here, there).new) == (1, 0)
        assert copy(ONE, there, here).new == 0

        here.ask(ONE, entry("Nunn"))
        there.ask(ONE, entry("Hou"))
        with refuses(Duplicate, "proof.went-on-in-both"):
            copy(ONE, here, there)
        assert there.version(ONE) == 5
        with pytest.raises(Unknown):
            copy("9" * 32, here, there)


def test_checkpoints_go_along_to_either_store_and_back(path: Path, location: str) -> None:
    place = location if "://" in location else path.with_name("second.db")
    with Tournaments(path) as here, Tournaments(place, create=True) as there:
        length, head = here.verify_chain(ONE)
        note = new_signer("ITA").sign(Checkpoint(ONE, length, head)).text()
        keep_checkpoint(here, note)

        copy(ONE, here, there)
        copy(ONE, here, there)

        assert kept_checkpoints(there, ONE) == [note]
        assert kept_checkpoints(there, TWO) == []
        with Tournaments(path.with_name("back.db"), create=True) as back:
            copy(ONE, there, back)
            assert kept_checkpoints(back, ONE) == [note]


def test_a_changed_fact_is_never_moved(path: Path) -> None:
    by_hand(path, "UPDATE stored_events SET state=CAST(replace(state, 'Anna', 'Ahna') AS BLOB)")
    with Tournaments(path) as here, Tournaments(path.with_name("there.db"), create=True) as there:
        with refuses(CorruptFile, "store.fact-changed"):
            copy(ONE, here, there)
        assert there.last_position() == 0


def test_a_backup_taken_while_others_write_is_of_one_moment_and_whole(path: Path) -> None:
    stop = threading.Event()
    acknowledged = [0]

    def write() -> None:
        with Tournaments(path, patience=120) as store:
            for number in range(10**6):
                if stop.is_set():
                    return
                acknowledged[0] = store.ask(ONE, *batch("w", number)).state.version

    writer = threading.Thread(target=write)
    writer.start()
    try:
        for number in range(3):
            before = acknowledged[0]
            copied = {one.tournament: one for one in back_up(path, path.with_name(f"copy{number}.db"))}
            assert copied[ONE].length >= before, "what was acknowledged before is in it"
            assert (copied[ONE].length - 3) % 7 == 0, "no part of a command"
    finally:
        stop.set()
        writer.join()
    assert not wrong(path.with_name("copy2.db"))
    assert sorted(p.name for p in path.parent.iterdir() if "copy" in p.name) == [
        "copy0.db", "copy1.db", "copy2.db",
    ]  # fmt: skip
    with refuses(Invalid, "proof.backup-there"):
        back_up(path, path.with_name("copy0.db"))


def test_a_database_is_not_backed_up_as_a_file() -> None:
    with refuses(Invalid, "proof.backed-up-by-postgresql") as refusal:
        back_up("postgresql://a:topsecret@h/db", Path("x.db"))
    assert "topsecret" not in str(refusal.value)


def by_hand(path: Path, *statements: str) -> None:
    with closing(sqlite3.connect(path, isolation_level=None)) as db:
        for sql in statements:
            db.execute(sql)


def test_the_doctor_finds_a_whole_store_well(location: str) -> None:
    fill(location)

    assert wrong(location) == []
    texts = {finding.about: finding.text for finding in examine(location)}
    assert texts["chain"] == sentence("proof.doctor.chains-whole", there=2, facts=6)


@pytest.mark.parametrize(
    ("sql", "about", "code", "fields"),
    [
        ("UPDATE stored_events SET state=CAST(replace(state, 'Anna', 'Ahna') AS BLOB) "
         f"WHERE originator_id='{ONE}' AND originator_version=2",
         "chain", "store.fact-changed", {"version": 2, "tournament": ONE}),
        ("DELETE FROM stored_events WHERE rowid=2", "order",
         "proof.doctor.changed", {"what": say("store.fault.deleted", count=1, most=6)}),
        ("DROP TABLE stored_events", "tables", "proof.doctor.changed", {"what": say("store.fault.no-facts")}),
        ("PRAGMA user_version=9", "file", "store.newer-read", {"version": 9}),
    ],
)  # fmt: skip
def test_the_doctor_says_what_is_wrong_with_a_file(
    path: Path, sql: str, about: str, code: str, fields: dict[str, Any]
) -> None:
    by_hand(path, sql)

    told = [(name, said.code, among(said, fields)) for name, said in wrong(path)]
    assert (about, code, fields) in told


def test_the_doctor_sees_missing_foreign_damaged_and_orphaned_files(path: Path) -> None:
    none, text, gone = (path.with_name(name) for name in ("none.db", "text.db", "gone.db"))
    assert [told for _, told in wrong(none)] == [say("store.no-file", file=str(none))]
    text.write_text("hello")
    assert [told for _, told in wrong(text)] == [say("store.not-ours", file=str(text))]
    path.with_name("gone.db-wal").write_bytes(b"x" * 100)
    left = say("store.journal-left", file=str(gone), path="gone.db-wal")
    assert [told for _, told in wrong(gone)] == [left]
    content = bytearray(path.read_bytes())
    content[4096:] = b"\xff" * (len(content) - 4096)
    path.write_bytes(content)
    assert ("integrity", "proof.doctor.pages-damaged") in [(about, said.code) for about, said in wrong(path)]


@contextmanager
def as_nobody() -> Iterator[None]:
    """Root may write everywhere: be somebody else for a while."""
    root = os.geteuid() == 0
    if root:
        os.seteuid(65534)
    try:
        yield
    finally:
        if root:
            os.seteuid(0)


def test_a_read_only_file_is_reported_and_nothing_is_lost() -> None:
    folder = Path(tempfile.mkdtemp(prefix="paircard-ro-", dir="/tmp"))
    try:
        path = folder / "events.db"
        fill(path)
        path.chmod(0o444)
        folder.chmod(0o555)
        with as_nobody():
            locked = say("proof.doctor.read-only", kind="file", path=str(path))
            assert ("writing", locked) in wrong(path)
            with refuses(Unreachable, "store.read-only"), Tournaments(path) as store:
                store.ask(ONE, entry("Short"))
        folder.chmod(0o755)
        path.chmod(0o644)
        with Tournaments(path) as store:
            assert store.verify_chain(ONE)[0] == 3
            assert store.ask(ONE, entry("Short")).state.version == 4
    finally:
        folder.chmod(0o755)
        shutil.rmtree(folder)


@pytest.fixture
def readable() -> Iterator[Path]:
    """A file that nobody may only read, in a folder where everybody may write."""
    folder = Path(tempfile.mkdtemp(prefix="paircard-ro-", dir="/tmp"))
    folder.chmod(0o777)
    fill(folder / "events.db")
    (folder / "events.db").chmod(0o444)
    yield folder / "events.db"
    shutil.rmtree(folder)


def test_whoever_may_only_read_a_file_leaves_nothing_in_the_way_of_its_owner(readable: Path) -> None:
    with as_nobody(), Tournaments(readable) as store:
        assert store.verify_chain(ONE)[0] == 3
        with refuses(Unreachable, "store.read-only"):
            store.ask(ONE, entry("Short"))
        store.names()
        assert back_up(str(readable), readable.parent / "copy.db")
        (readable.parent / "copy.db").unlink()
    assert [path.name for path in readable.parent.iterdir()] == ["events.db"]

    readable.chmod(0o644)
    with Tournaments(readable) as store:
        assert store.ask(ONE, entry("Short")).state.version == 4


def test_a_file_without_a_writable_folder_can_be_read(readable: Path) -> None:
    readable.chmod(0o666)
    readable.parent.chmod(0o555)
    with as_nobody(), Tournaments(readable) as store:
        assert store.verify_chain(ONE)[0] == 3
    readable.parent.chmod(0o777)


def test_whoever_may_only_read_a_file_is_told_when_its_owner_writes_to_it(readable: Path) -> None:
    with as_nobody(), Tournaments(readable) as reader:
        assert reader.version(ONE) == 3
        os.seteuid(os.getuid())
        readable.chmod(0o644)
        with Tournaments(readable) as owner:
            owner.ask(ONE, entry("Short"))
            with refuses(Replaced, "store.changed-while-open", cause="written"):
                reader.version(ONE)
        with refuses(Replaced, "store.changed-while-open", cause="written"):
            reader.names()
    with Tournaments(readable) as again:
        assert again.version(ONE) == 4


def test_the_doctor_names_a_journal_that_cannot_be_written(readable: Path) -> None:
    readable.chmod(0o666)
    journal = readable.with_name("events.db-wal")
    journal.touch()
    journal.chmod(0o444)
    with as_nobody():
        locked = say("proof.doctor.read-only", kind="journal", path=str(journal))
        assert ("writing", locked) in wrong(readable)


FULL = """
import resource, sys
from paircard.domain.errors import Unreachable
from paircard.domain.log.store import Tournaments
from tests.domain.writer import batch
resource.setrlimit(resource.RLIMIT_FSIZE, (int(sys.argv[2]), resource.RLIM_INFINITY))
with Tournaments(sys.argv[1]) as store:
    for number in range(10**6):
        try:
            print(store.ask("1" * 32, *batch("w", number)).state.version, flush=True)
        except Unreachable as refusal:
            print(refusal, file=sys.stderr)
            break
    resource.setrlimit(resource.RLIMIT_FSIZE, (resource.RLIM_INFINITY, resource.RLIM_INFINITY))
    print("then", store.ask("1" * 32, *batch("later", 1)).state.version)
"""


def fill_the_disk(path: Path, limit: int) -> None:
    """Write until the disk has no room, make room, go on in the same process."""
    done = subprocess.run(
        [sys.executable, "-c", FULL, str(path), str(limit)],
        cwd=ROOT,
        env={**os.environ, "PYTHONPATH": os.pathsep.join((str(ROOT / "domain"), str(ROOT)))},
        capture_output=True,
        text=True,
        timeout=600,
    )
    assert done.returncode == 0, done.stderr
    *acknowledged, last = done.stdout.split("\n")[:-1]
    assert done.stderr.count("\n") == 1, done.stderr
    assert "disk" in done.stderr
    assert last == f"then {int(acknowledged[-1]) + 7}", "nothing of the refused command was kept"
    assert wrong(path) == []


def test_a_file_that_may_not_grow_is_reported_and_nothing_acknowledged_is_lost(path: Path) -> None:
    assert resource.getrlimit(resource.RLIMIT_FSIZE)[1] == resource.RLIM_INFINITY
    fill_the_disk(path, 400_000)


@pytest.fixture
def small_disk(tmp_path: Path) -> Iterator[Path]:
    """A folder with 600 kB of room."""
    small = tmp_path / "small"
    small.mkdir()
    mounted = subprocess.run(["mount", "-t", "tmpfs", "-o", "size=600k", "none", small], capture_output=True)
    if mounted.returncode:
        pytest.skip("no small disk can be mounted here: that needs root")
    yield small
    subprocess.run(["umount", "--lazy", small], check=True)  # a refusal may still hold a file of it


def test_a_file_on_a_full_disk_is_not_opened_and_it_is_told_why(small_disk: Path) -> None:
    path = small_disk / "events.db"
    fill(path)
    subprocess.run(["cp", "/dev/zero", small_disk / "zeros"], check=False, capture_output=True)
    with refuses(Unreachable, "store.disk-full"), Tournaments(path) as store:
        store.names()
    (small_disk / "zeros").unlink()
    with Tournaments(path) as store:
        assert len(store.names()) == 2


def test_a_full_disk_is_reported_and_nothing_acknowledged_is_lost(small_disk: Path) -> None:
    path = small_disk / "events.db"
    fill(path)
    with Tournaments(path) as store:
        version = 3

        def write_on() -> None:
            nonlocal version
            for number in range(10**6):
                version = store.ask(ONE, *batch("w", number)).state.version

        with refuses(Unreachable, "store.disk-full"):
            write_on()
        assert store.version(ONE) == version
        subprocess.run(["mount", "-o", "remount,size=4m", small_disk], check=True)
        assert store.ask(ONE, *batch("later", 1)).state.version == version + 7
    assert wrong(path) == []


def test_the_doctor_says_what_is_wrong_with_a_database(server: Server) -> None:
    import psycopg

    url = server.fresh()
    [(about, told)] = wrong(url)
    assert (about, told.code) == ("tables", "proof.doctor.no-tables")
    assert prepare(url)
    fill(url)
    schema = url.partition("schema=")[2]
    with psycopg.connect(server.url(), autocommit=True) as db:
        db.execute(f"ALTER SEQUENCE {schema}.stored_events_notification_id_seq RESTART WITH 2")
        sequence = f"{schema}.stored_events_notification_id_seq"
        assert ("order", say("proof.doctor.sequence-behind", next=2, last=6, id=sequence)) in wrong(url)
        db.execute(f"SELECT setval('{schema}.stored_events_notification_id_seq', 6)")
        db.execute(
            f"UPDATE {schema}.stored_events SET state=convert_to(replace(convert_from(state, 'UTF8'), "
            f"'Anna', 'Ahna'), 'UTF8') WHERE originator_id='{ONE}'"
        )
        assert ("chain", say("store.fact-changed", version=1, tournament=ONE)) in wrong(url)
    [(about, told)] = wrong(server.url(password="wrong"))
    assert (about, told.code, told.fields["cause"]) == ("server", "store.server", "password")


def test_the_doctor_at_the_command_line_ends_with_one_if_something_is_wrong(path: Path) -> None:
    terminal = Terminal(path.parent)
    assert terminal.run("doctor", "--db", "events.db").code == 0
    by_hand(path, f"DELETE FROM stored_events WHERE originator_id='{ONE}' AND originator_version=2")

    done = terminal.run("doctor", "--db", "events.db", "--json")

    assert (done.code, done.err) == (1, "")
    wrong_ones = [finding for finding in json.loads(done.out) if finding["state"] == "wrong"]
    assert [finding["about"] for finding in wrong_ones] == ["chain", "order"]


def test_a_file_that_was_closed_says_so(tmp_path: Path) -> None:
    store = Tournaments(tmp_path / "open.db", create=True)
    store.ask(ONE, ask(OpenTournament, regulations=Regulations(name="Open", rounds=5)))
    store.close()

    for use in (store.tournaments, lambda: store.state(ONE), lambda: store.ask(ONE, entry("Anand"))):
        with refuses(Unreachable, "store.closed"):
            use()
