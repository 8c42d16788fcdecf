"""Pages of PostgreSQL that were made before are as new as the request, whichever process wrote there."""

import asyncio
import os
import signal
import threading
import time
from collections.abc import Iterator
from pathlib import Path

import psycopg
import pytest

from paircard.domain.log.backends.postgres import PostgresEnds
from paircard.domain.log.store import prepare
from paircard.service import Office, person
from tests.postgres import Server
from tests.web.hall import Hall, hall_at
from tests.web.running import running
from tests.web.test_crash import event_in_play

ANNA = person("Anna")


@pytest.fixture
def hall(server: Server) -> Iterator[Hall]:
    """Round 1 is in play; its page was made, and is answered without a thread."""
    prepare(where := server.fresh())
    with hall_at(where) as hall:
        hall.open()
        hall.play(1)
        until_at_once(hall)
        yield hall


def until_at_once(hall: Hall) -> None:
    end = time.monotonic() + 10
    while result(hall) is None or hall.http.wait(hall.site.newest.known(hall.tournament)) is None:
        assert time.monotonic() < end
        time.sleep(0.05)


def result(hall: Hall, board: int = 1) -> str:
    answer = hall.call("GET", f"/tournaments/{hall.tournament}/rounds/1")
    assert answer.status_code == 200, answer.text
    return answer.json()["boards"][board - 1]["result"] or ""


def asker(server: Server) -> int:
    """Process of the database that is asked where logs end."""
    with psycopg.connect(server.url()) as db:
        found = db.execute(
            "SELECT pid FROM pg_stat_activity WHERE query LIKE '%unnest($1::text[]) id CROSS%' "
            "AND pid <> pg_backend_pid() ORDER BY query_start DESC"
        ).fetchone()
    assert found
    return int(found[0])


def test_no_page_shows_a_name_whose_erasure_another_process_has_answered(
    server: Server, tmp_path: Path
) -> None:
    prepare(where := server.fresh())
    with running(where, tmp_path / "log-a") as a, running(where, tmp_path / "log-b") as b:
        arbiter = b.client()
        id, _ = event_in_play(arbiter)
        ended, gone, late = threading.Event(), dict[str, float](), list[str]()

        def look() -> None:
            public = a.anybody()
            while not ended.is_set():
                asked = time.monotonic()
                shown = {one.name for one in public.players(id).players}
                late.extend(name for name, when in gone.copy().items() if when < asked and name in shown)

        readers = [threading.Thread(target=look) for _ in range(3)]
        for one in readers:
            one.start()
        for player in range(1, 11):
            erasure = {"do": "erase-person", "player": player}
            arbiter.send(id, erasure, why="asked for it", ack=("erase-while-running",))
            gone[f"Player {player}"] = time.monotonic()
            shown = {one.name for one in a.anybody().players(id).players}
            assert f"Player {player}" not in shown
        ended.set()
        for one in readers:
            one.join()

    assert not late


def test_a_question_that_was_sent_before_a_request_came_does_not_answer_it(hall: Hall) -> None:
    newest, id = hall.site.newest, hall.tournament

    async def asked() -> tuple[object, object]:
        first = asyncio.create_task(newest.known(id))
        await asyncio.sleep(0)  # sent
        time.sleep(0.3)  # answered, and nobody has read it
        with Office.open(hall.site.location) as other:
            other.tournament(id).record(1, {1: "1-0"}, by=ANNA)
        return await newest.known(id), await first

    later, first = hall.http.wait(asked())
    assert first is not None
    assert later is None, "it has to be read"
    assert result(hall) == "1-0"


def test_fifty_who_come_at_once_share_two_questions(hall: Hall, monkeypatch: pytest.MonkeyPatch) -> None:
    """The first is asked for one of them, the second for all others."""
    ask, asked = PostgresEnds.ask, []

    def counted(ends: PostgresEnds, ids: set[str]) -> None:
        asked.append(ids)
        ask(ends, ids)

    monkeypatch.setattr(PostgresEnds, "ask", counted)

    async def all_at_once() -> list[object]:
        return await asyncio.gather(*(hall.site.newest.known(hall.tournament) for _ in range(50)))

    assert None not in hall.http.wait(all_at_once())
    assert asked == [{hall.tournament}] * 2


def test_where_the_connection_is_cut_reading_goes_on_and_it_is_made_again(hall: Hall, server: Server) -> None:
    with psycopg.connect(server.url()) as db:
        db.execute("SELECT pg_terminate_backend(%s)", (asker(server),))
    with Office.open(hall.site.location) as other:
        other.tournament(hall.tournament).record(1, {2: "0-1"}, by=ANNA)

    assert result(hall, 2) == "0-1"
    until_at_once(hall)


def test_a_connection_that_does_not_answer_holds_nobody_for_long(hall: Hall, server: Server) -> None:
    os.kill(mute := asker(server), signal.SIGSTOP)
    try:
        began = time.monotonic()
        assert result(hall) == ""
        assert time.monotonic() - began < 8
        until_at_once(hall)
    finally:
        os.kill(mute, signal.SIGCONT)


def test_a_tournament_that_was_never_read_is_read(hall: Hall) -> None:
    with Office.open(hall.site.location) as other:
        other.tournament(hall.tournament).record(1, {3: "½-½"}, by=ANNA)
    assert result(hall, 3) == "½-½"
    assert hall.call("GET", f"/tournaments/{'0' * 32}/rounds/1").status_code == 404
    assert hall.call("GET", "/tournaments/x,y/rounds/1").status_code == 404
