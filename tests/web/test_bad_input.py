"""Bad input over HTTP: one clear answer each, nothing lost, nothing leaked."""

import json
import logging
import os
import socket
import sqlite3
import subprocess
import sys
import threading
import time
from contextlib import closing
from pathlib import Path
from typing import Any

import httpx
import pytest

from paircard.domain.log.location import Address, address_of
from paircard.domain.log.store import prepare
from paircard.web.app import make_app
from paircard.web.settings import LOCAL, Settings
from paircard.web.site import READERS, STRANGERS, Site
from tests.postgres import Server
from tests.refusals import sentence
from tests.roots import PYTHONPATH
from tests.web.hall import Hall, InProcess, hall_at
from tests.web.running import running


def raw(hall: Hall, body: bytes, kind: str = "application/json", **headers: str) -> Any:
    sent = {"content-type": kind, "authorization": f"Bearer {hall.keys['arbiter']}", "idempotency-key": "k"}
    sent |= {name.replace("_", "-"): value for name, value in headers.items()}
    return hall.http.request(
        "POST", f"/api/v1/tournaments/{hall.tournament}/commands", content=body, headers=sent
    )


@pytest.mark.parametrize(
    ("body", "status", "kind"),
    [
        (b"", 400, "malformed-body"),
        (b"{", 400, "malformed-body"),
        (b"\xff\xfe", 400, "malformed-body"),
        (b'{"commands":', 400, "malformed-body"),
        (b"null", 422, "unreadable-body"),
        (b"[]", 422, "unreadable-body"),
        (b'{"commands":[]}', 422, "unreadable-body"),
        (b'{"commands":[{"do":"castle"}]}', 422, "unreadable-body"),
        (b'{"commands":[{"do":"record-result","round":1,"board":1}]}', 422, "unreadable-body"),
        (b'{"commands":[{"do":"withdraw-player","player":1,"x":2}]}', 422, "unreadable-body"),
        (b'{"commands":[{"do":"withdraw-player","player":1e400}]}', 422, "unreadable-body"),
        (b'{"commands":[{"do":"record-result","round":1,"board":1,"outcome":"2-0"}]}', 422, "invalid"),
        (b'{"commands":[{"do":"withdraw-player","player":77}]}', 404, "unknown"),
        (b'{"commands":[{"do":"withdraw-player","player":-1}]}', 404, "unknown"),
        (b'{"commands":[{"do":"register-player","details":{"name":"A\\u0000B"}}]}', 422, "invalid"),
        (b'{"commands":[{"do":"register-player","details":{"name":"\\ud800"}}]}', 400, "malformed-body"),
        (b'{"commands":[{"do":"complete-round","round":9}]}', 404, "unknown"),
        (b"[" * 100_000, 422, "unreadable-body"),
        (b'{"commands":1,', 422, "unreadable-body"),
        (b'{"commands":1,"why":"\xff"}', 422, "unreadable-body"),
    ],
    ids=range(20),
)
def test_a_body_that_is_not_a_request(hall: Hall, body: bytes, status: int, kind: str) -> None:
    hall.open()
    version = hall.version()

    answer = raw(hall, body)
    problem = answer.json()
    assert (answer.status_code, problem["type"]) == (status, f"/problems/{kind}"), answer.text
    assert "Traceback" not in answer.text
    assert hall.version() == version


def test_a_refused_command_says_which_one(hall: Hall) -> None:
    hall.open()

    body = {"commands": [{"do": "withdraw-player", "player": 1}, {"do": "withdraw-player", "player": 99}]}
    assert raw(hall, json.dumps(body).encode()).json()["path"] == "commands[1]"


@pytest.mark.parametrize(
    "kind", ["text/plain", "application/x-www-form-urlencoded", "multipart/form-data", ""]
)
def test_only_json_is_taken(hall: Hall, kind: str) -> None:
    hall.open()

    assert raw(hall, b"{}", kind).status_code == 415
    assert raw(hall, b"{}", content_encoding="gzip").status_code == 415


def test_where_the_store_is_stays_with_the_server(hall: Hall) -> None:
    hall.open("Twice", players=2)
    body = {"regulations": {"name": "Twice", "rounds": 3}}

    unknown = hall.call("GET", f"/tournaments/{'0' * 32}")
    namesake = hall.call("POST", "/tournaments", "arbiter", body, idempotency_key="again")

    assert "events.db" not in unknown.text + namesake.text
    named = [problem["fields"]["file"] for problem in (unknown.json(), namesake.json()["warnings"][0])]
    assert named == [sentence("http.the-store")] * 2
    assert all(sentence("http.the-store") in answer.json()["detail"] for answer in (unknown, namesake))


def test_no_key_and_strange_keys(hall: Hall) -> None:
    hall.open()
    body = b'{"commands":[{"do":"withdraw-player","player":1}]}'

    assert raw(hall, body, idempotency_key="").json()["type"] == "/problems/idempotency-key-missing"
    assert raw(hall, body, idempotency_key="a" * 65).status_code == 400
    assert raw(hall, body, idempotency_key="a b").status_code == 400
    assert raw(hall, body, idempotency_key='"quoted"').status_code == 201
    assert raw(hall, body, idempotency_key="quoted").status_code == 200


def test_what_is_no_tag_is_refused_and_a_tag_of_no_version_does_not_match(hall: Hall) -> None:
    hall.open()
    body = b'{"commands":[{"do":"pair-round","round":1}]}'

    assert raw(hall, body, if_match="7").status_code == 400
    for match in ('"x"', '"1", "2"', '"-1"', '"99999999999"'):
        assert raw(hall, body, if_match=match).status_code == 412, match


def test_bodies_that_are_too_large_are_given_up_while_they_are_read(hall: Hall) -> None:
    hall.open()

    announced = raw(hall, b" " * 300_000)
    assert announced.json()["type"] == "/problems/body-too-large"

    async def endless() -> Any:
        for _ in range(40):
            yield b" " * 10_000

    sent = {"content-type": "application/json"}
    streamed = hall.http.wait(hall.http.http.post("/api/v1/sessions", content=endless(), headers=sent))
    assert streamed.status_code == 413


@pytest.mark.parametrize(
    "host",
    [
        "evil.example",
        "127.0.0.1.evil.example",
        "",
        "[",
        "a b",
        "127.0.0.1:8000, evil",
        "x@127.0.0.1",
        "127.0.0.1/x",
        "127.0.0.1:x",
    ],
)
def test_a_foreign_host_is_refused(hall: Hall, host: str) -> None:
    answer = hall.call("GET", "/tournaments", host=host)

    assert answer.status_code == 421
    assert answer.json()["type"] == "/problems/foreign-host"


@pytest.mark.parametrize("host", ["127.0.0.1", "127.0.0.1:8000", "localhost:8000", "[::1]:8000", "LOCALHOST"])
def test_our_own_names_are_taken(hall: Hall, host: str) -> None:
    assert hall.call("GET", "/tournaments", host=host).status_code == 200


@pytest.mark.parametrize(
    ("headers", "status"),
    [
        ({"sec_fetch_site": "same-origin"}, 401),
        ({"origin": "http://127.0.0.1"}, 401),
        ({"sec_fetch_site": "cross-site"}, 403),
        ({"sec_fetch_site": "same-site"}, 403),
        ({"sec_fetch_site": "none"}, 403),
        ({"origin": "http://evil.example"}, 403),
        ({"origin": "null"}, 403),
        ({}, 403),
    ],
)
def test_what_changes_something_by_cookie_comes_from_our_own_pages(
    hall: Hall, headers: dict[str, str], status: int
) -> None:
    answer = hall.call("POST", "/keys", body={}, cookie="paircard=x", **headers)

    assert answer.status_code == status, "401 means that it passed the guard"


def test_every_answer_carries_the_headers_of_a_careful_server(hall: Hall) -> None:
    for path in ("/health", "/nowhere", "/sessions/current"):
        headers = hall.call("GET", path).headers
        assert headers["content-security-policy"].startswith("default-src 'none'; script-src 'self'")
        assert headers["x-content-type-options"] == "nosniff"
        assert headers["referrer-policy"] == "no-referrer"
        assert "server" not in headers


@pytest.mark.parametrize(
    "query",
    [
        "at=yesterday",
        "at=r99",
        "at=r0",
        "at=",
        "at=p0",
        "at=2026-99-99",
        "at=1&at=2",
        "after=x",
        "after=-1",
        "after=1e3",
    ],
)
def test_moments_and_numbers_that_are_none(hall: Hall, query: str) -> None:
    id = hall.open()

    answer = hall.call("GET", f"/tournaments/{id}/standings?{query}")
    assert answer.status_code in (400, 404, 422), answer.text


def test_too_many_commands(tmp_path: Path) -> None:
    settings = Settings(hosts=LOCAL, commands_per_second=1)
    with hall_at(str(tmp_path / "events.db"), settings) as hall:
        body = {"regulations": {"name": "X", "rounds": 3}}
        found = [
            hall.call("POST", "/tournaments", "arbiter", body, idempotency_key="same").status_code
            for _ in range(12)
        ]
        assert found[0] == 201
        assert 429 in found


def test_a_mistake_of_ours_is_logged_and_tells_nothing(
    tmp_path: Path, caplog: pytest.LogCaptureFixture
) -> None:
    site = Site(str(tmp_path / "events.db"), Settings())
    app = make_app(site)

    def mistake() -> bytes:
        raise KeyError("the secret of the house")

    site.describe = mistake
    http = InProcess(app, ("127.0.0.1", 1))
    with caplog.at_level(logging.CRITICAL):
        answer = http.request("GET", "/api/v1/openapi.json")
    http.end()
    assert answer.status_code == 500
    assert "secret" not in answer.text
    assert answer.headers["x-request-id"] == answer.json()["request"]
    assert answer.headers["x-content-type-options"] == "nosniff"
    counted = 'paircard_requests_total{route="/api/v1/openapi.json",method="GET",status="500"} 1\n'
    assert counted in site.metrics.text()


def test_the_access_log_has_no_secret(hall: Hall, caplog: pytest.LogCaptureFixture) -> None:
    id = hall.open()
    with caplog.at_level(logging.INFO, "paircard.web.requests"):
        made = hall.call("POST", f"/tournaments/{id}/grants", "arbiter", {"who": "Dora"}).json()
        secret = made["link"].partition("#")[2]
        hall.call("POST", "/sessions", body={"link": secret})
        hall.call("GET", f"/tournaments?after={secret}")
    lines: list[Any] = [record.msg for record in caplog.records if record.name.endswith("requests")]
    assert [line["status"] for line in lines] == [201, 201, 404]
    assert lines[0]["through"].startswith("api-key:")
    assert lines[0]["path"] == f"/api/v1/tournaments/{id}/grants"
    for each in (secret, hall.keys["arbiter"]):
        assert each not in caplog.text


def test_a_slow_caller_is_let_go_and_others_are_not_kept(tmp_path: Path) -> None:
    settings = Settings(hosts=LOCAL, body_seconds=0.2)
    with hall_at(str(tmp_path / "events.db"), settings) as hall:

        async def dawdling() -> Any:
            import asyncio

            yield b'{"link":'
            await asyncio.sleep(5)
            yield b'"x"}'

        began = time.monotonic()
        sent = {"content-type": "application/json"}
        answer = hall.http.wait(hall.http.http.post("/api/v1/sessions", content=dawdling(), headers=sent))
        assert answer.status_code == 408
        assert time.monotonic() - began < 3


@pytest.mark.slow
def test_a_connection_that_says_nothing_is_closed(tmp_path: Path) -> None:
    with (
        running(str(tmp_path / "open.db"), tmp_path / "log") as server,
        socket.create_connection(("127.0.0.1", server.port)) as silent,
    ):
        silent.sendall(b"GET /api/v1/health HTTP/1.1\r\nHost: 127")
        silent.settimeout(25)
        assert httpx.get(f"{server.base}/api/v1/health").status_code == 200
        assert silent.recv(100) == b""


@pytest.mark.slow
def test_a_file_that_is_locked_moved_and_brought_back(tmp_path: Path) -> None:
    """Nothing is recorded in a file that is no longer the one that was served, and nothing is lost."""
    path = tmp_path / "events.db"
    with hall_at(str(path)) as hall:
        id = hall.open()
        hall.play(1)
        result = {"commands": [{"do": "record-result", "round": 1, "board": 1, "outcome": "1-0"}]}

        def enter() -> Any:
            return hall.call("POST", f"/tournaments/{id}/commands", "arbiter", result, idempotency_key="r")

        with closing(sqlite3.connect(path, isolation_level=None)) as other:
            other.execute("BEGIN IMMEDIATE")
            locked = enter()
            assert hall.call("GET", f"/tournaments/{id}").status_code == 200
            page = hall.http.request(
                "POST",
                f"/tournaments/{id}/phone/2",
                headers={
                    "authorization": f"Bearer {hall.keys['deputy']}",
                    "content-type": "application/x-www-form-urlencoded",
                },
                content=b"key=abc&round=1&result=1-0",
            )
            assert page.status_code == 503, page.text
            assert "events.db" not in page.text
        path.rename(tmp_path / "elsewhere.db")
        moved, read = enter(), hall.call("GET", f"/tournaments/{id}")
        (tmp_path / "elsewhere.db").rename(path)
        gone = ("replaced", "unreachable")  # the second, if the follower was the first to notice
        for answer, kinds in ((locked, ("busy",)), (moved, gone), (read, ("unreachable",))):
            assert answer.status_code == 503
            assert answer.json()["type"] in {f"/problems/{kind}" for kind in kinds}
            assert int(answer.headers["retry-after"]) > 0
            assert "events.db" not in answer.text
        assert [enter().status_code, enter().status_code] == [201, 200]


def test_an_access_book_that_was_moved_lets_nobody_in(tmp_path: Path) -> None:
    book = tmp_path / "events.db-access.db"
    with hall_at(str(tmp_path / "events.db")) as hall:
        id = hall.open()
        book.rename(tmp_path / "elsewhere")
        answer = hall.call("POST", f"/tournaments/{id}/grants", "arbiter", {"who": "Dora"})
        assert (answer.status_code, answer.json()["type"]) == (503, "/problems/unreachable")
        assert hall.call("GET", f"/tournaments/{id}").status_code == 200, "the public needs no book"
        assert hall.call("GET", "/ready").json()["store"] is False
        (tmp_path / "elsewhere").rename(book)
        assert hall.call("POST", f"/tournaments/{id}/grants", "arbiter", {"who": "Dora"}).status_code == 201


def test_health_readiness_and_metrics_are_told_while_everything_else_waits(hall: Hall) -> None:
    """All threads of the server hang at a database that does not answer, one with the access book."""
    hall.call("GET", "/ready")
    let_go, site = threading.Event(), hall.site
    pools = {site.readers: 2 * READERS, site.strangers: 2 * STRANGERS, site.writer: 2}
    hanging = [pool.submit(let_go.wait, 60) for pool, many in pools.items() for _ in range(many)]
    try:
        with site.access._turn:
            assert hall.call("GET", "/health").status_code == 200
            assert hall.call("GET", "/ready").status_code in (200, 503)
            assert hall.http.request("GET", "/metrics").status_code == 200
        assert not any(one.done() for one in hanging)
    finally:
        let_go.set()
    assert all(one.result() for one in hanging)


def test_a_server_waits_for_a_database_that_is_about_to_come_back(server: Server, tmp_path: Path) -> None:
    location = server.fresh()
    prepare(location)
    words = [sys.executable, "-m", "paircard.cli", "serve", "--db", location, "--port", "0", "--no-browser"]
    environment = os.environ | {"PYTHONPATH": PYTHONPATH}
    server.stop()
    with subprocess.Popen(
        words, stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True, env=environment
    ) as process:
        assert process.stdout is not None
        assert process.stderr is not None
        try:
            try:
                waits = process.stderr.readline()
            finally:
                server.start()
            serves = process.stdout.readline()
        finally:
            process.terminate()
        process.communicate()
    address = address_of(location)
    assert isinstance(address, Address)
    assert waits == sentence("http.database-awaited", path=address.shown) + "\n"
    assert "s3cret" not in waits
    assert serves.startswith("serving ")


@pytest.mark.slow
def test_a_database_that_goes_away_and_comes_back(server: Server, tmp_path: Path) -> None:
    location = server.fresh()
    prepare(location)
    with hall_at(location) as hall:
        id = hall.open()
        hall.play(1)
        result = {"do": "record-result", "round": 1, "board": 1, "outcome": "1-0"}
        server.stop()
        try:
            path, body = f"/tournaments/{id}/commands", {"commands": [result]}
            answer = hall.call("POST", path, "arbiter", body, idempotency_key="r")
            assert answer.status_code == 503, answer.text
            assert int(answer.headers["retry-after"]) > 0
            assert answer.json()["code"] == "http.store-unreachable"
            assert answer.json()["detail"] == sentence("http.store-unreachable")
            for word in ("s3cret", "postgresql", "arbiter@"):
                assert word not in answer.text
            assert hall.call("GET", f"/tournaments/{id}").status_code == 503
            assert hall.call("GET", "/ready").status_code == 503
            assert hall.call("GET", "/health").status_code == 200
        finally:
            server.start()
        end = time.monotonic() + 20
        while hall.call("GET", "/ready").status_code != 200:
            assert time.monotonic() < end
            time.sleep(0.1)
        again = hall.call("POST", path, "arbiter", body, idempotency_key="r")
        assert again.status_code in (200, 201)
        once = hall.call("POST", path, "arbiter", body, idempotency_key="r")
        assert (once.status_code, once.json()["facts"]) == (200, again.json()["facts"])
