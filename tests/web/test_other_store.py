"""The store of a running server is replaced, moved, cut off or set back: nothing is answered into nothing."""

import os
import shutil
import sqlite3
import threading
import time
import urllib.request
from collections.abc import Callable, Iterator
from contextlib import closing
from pathlib import Path

import pytest

from paircard.domain.log.store import Tournaments
from paircard.domain.proof.copies import back_up, restore
from paircard.web.client import Client, ProblemAnswered
from tests.web.hall import Hall, hall_at
from tests.web.running import Running, running
from tests.web.test_crash import event_in_play


@pytest.fixture
def hall(tmp_path: Path) -> Iterator[Hall]:
    """Round 1 is in play; a backup was made before the result of board 1."""
    with hall_at(str(tmp_path / "open.db")) as hall:
        hall.open()
        hall.play(1)
        back_up(tmp_path / "open.db", tmp_path / "backup.db")
        assert enter(hall, 1, "1-0") == 201
        yield hall


def enter(hall: Hall, board: int, result: str) -> int:
    command = {"do": "record-result", "round": 1, "board": board, "outcome": result}
    body = {"commands": [command]}
    answer = hall.call(
        "POST",
        f"/tournaments/{hall.tournament}/commands",
        "arbiter",
        body,
        idempotency_key=f"{board}{result}",
    )
    return int(answer.status_code)


def shown(hall: Hall) -> list[str]:
    """The results of round 1 as anybody reads them; refused once or twice before the server goes on."""
    for _ in range(3):
        answer = hall.call("GET", f"/tournaments/{hall.tournament}/rounds/1")
        if answer.status_code == 200:
            return [board["result"] or "" for board in answer.json()["boards"]]
    raise AssertionError(answer.text)


def set_back(path: Path) -> None:
    """As somebody who knows SQLite would: into the file, under everybody who has it open."""
    with (
        closing(sqlite3.connect(path.with_name("backup.db"))) as backup,
        closing(sqlite3.connect(path)) as file,
    ):
        backup.backup(file)


def replace(path: Path) -> None:
    shutil.copy(path.with_name("backup.db"), path.with_name("copy.db"))
    Path(f"{path}-wal").unlink()
    os.replace(path.with_name("copy.db"), path)


@pytest.mark.parametrize("how", [lambda path: restore(path.with_name("backup.db"), path), set_back, replace])
def test_after_a_restore_the_server_goes_on_with_what_is_there(
    hall: Hall, tmp_path: Path, how: Callable[[Path], object]
) -> None:
    assert shown(hall)[0] == "1-0"
    before = hall.call("GET", f"/tournaments/{hall.tournament}/rounds/1").headers["etag"]

    how(tmp_path / "open.db")

    assert shown(hall)[0] == "", "nobody sees a result that is gone"
    assert enter(hall, 1, "0-1") == 201
    assert shown(hall)[0] == "0-1"
    after = hall.call("GET", f"/tournaments/{hall.tournament}/rounds/1", if_none_match=before)
    assert after.status_code == 200, "the same number of facts, and another past"
    with Tournaments(tmp_path / "open.db") as store:
        assert store.verify_chain(hall.tournament)[0] == hall.version()


@pytest.mark.parametrize("how", ["deleted", "renamed", "folder", "emptied", "cut off"])
def test_a_file_that_is_gone_takes_nothing_and_none_is_made_in_its_place(
    hall: Hall, tmp_path: Path, how: str
) -> None:
    path = tmp_path / "open.db"
    match how:
        case "deleted":
            path.unlink()
        case "renamed" | "folder":
            path.rename(tmp_path / "old.db")
        case "emptied":
            os.truncate(path, 0)
        case _:
            with closing(sqlite3.connect(path)) as file:  # else the journal may hold all that is cut off
                while file.execute("PRAGMA wal_checkpoint(TRUNCATE)").fetchone() != (0, 0, 0):
                    pass  # the follower is reading: the journal is still in use
            os.truncate(path, path.stat().st_size // 2)
    if how == "folder":
        path.mkdir()

    new = {"regulations": {"name": "Another", "rounds": 3}}
    for attempt in range(3):
        assert enter(hall, 2, "1-0") == 503
        assert hall.call("GET", f"/tournaments/{hall.tournament}").status_code == 503
        made = hall.call("POST", "/tournaments", "arbiter", new, idempotency_key=f"new{attempt}")
        assert made.status_code == 503, made.text
    assert path.is_file() == (how in ("emptied", "cut off"))


def test_a_file_moved_away_behind_a_link_is_used_with_the_links_journal(hall: Hall, tmp_path: Path) -> None:
    """By its old name it had another journal than whoever opens it now."""
    path = tmp_path / "open.db"
    hall.site.office.store().backend.settle()
    path.rename(tmp_path / "usb.db")
    path.symlink_to(tmp_path / "usb.db")

    assert enter(hall, 2, "1-0") in (201, 503)
    assert enter(hall, 2, "1-0") in (200, 201)
    with Tournaments(path) as store:
        assert store.version(hall.tournament) == hall.version()


def feed_of(server: Running, id: str, key: str) -> threading.Thread:
    """Somebody who follows a feed to its end."""

    def listen() -> None:
        request = urllib.request.Request(
            f"{server.base}/api/v1/tournaments/{id}/feed", headers={"authorization": f"Bearer {key}"}
        )
        with urllib.request.urlopen(request, timeout=30) as answer:
            answer.read()

    thread = threading.Thread(target=listen, daemon=True)
    thread.start()
    return thread


def until_answered(client: Client, id: str) -> int:
    """The version, once the store answers again."""
    end = time.monotonic() + 10
    while True:
        try:
            return int(client.overview(id).version)
        except ProblemAnswered as refused:
            if refused.problem.status != 503 or time.monotonic() > end:
                raise
            time.sleep(0.05)


def test_feeds_end_when_the_store_was_set_back_and_begin_again_with_what_is_there(tmp_path: Path) -> None:
    path, log = tmp_path / "open.db", tmp_path / "log"
    with running(str(path), log) as server:
        key = server.key_for()
        client = server.anybody(key)
        id, _ = event_in_play(client)
        back_up(path, tmp_path / "backup.db")
        for board in (1, 2, 3):
            client.send(id, {"do": "record-result", "round": 1, "board": board, "outcome": "1-0"})
        thread = feed_of(server, id, key)
        time.sleep(0.3)

        restored = restore(tmp_path / "backup.db", path)

        assert restored.lost == {id: 3}
        thread.join(10)
        assert not thread.is_alive(), "the feed would go on as if nothing had happened"
        version = until_answered(client, id)
        heard: list[str] = []
        follower = threading.Thread(
            target=lambda: heard.extend(next(server.anybody(key).follow(id, after=version)).id), daemon=True
        )
        follower.start()
        client.send(id, {"do": "record-result", "round": 1, "board": 9, "outcome": "0-1"})
        follower.join(20)
        assert "".join(heard) == str(version + 1), "although its position was taken before"
    with Tournaments(path) as store:
        assert store.verify_chain(id)[0] == version + 1
    assert "Traceback" not in log.read_text()
    assert "was replaced" in log.read_text()


def test_the_file_of_a_running_server_can_be_copied_as_it_lies_there(tmp_path: Path) -> None:
    """Not the way to do it, but people do: after a moment of quiet nothing is in the journal alone."""
    path, copy = tmp_path / "open.db", tmp_path / "usb.db"
    with hall_at(str(path)) as hall:
        id = hall.open()
        hall.play(1, "1-0")
        version, end = hall.version(), time.monotonic() + 10
        found = 0
        while found < version and time.monotonic() < end:
            time.sleep(0.2)
            shutil.copyfile(path, copy)
            with Tournaments(copy) as store:
                found = store.version(id)
    assert found == version
