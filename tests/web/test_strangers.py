"""What strangers send: shapes of requests that no client of ours makes, over a real socket."""

import logging
import socket
import threading
import time
from collections.abc import Iterator
from pathlib import Path

import httpx
import pytest
import uvicorn

from paircard.domain.commands import RegisterPlayer
from paircard.domain.values.players import Details
from paircard.domain.values.regulations import Regulations
from paircard.service import person
from paircard.web import patience
from paircard.web.access.book import new_credential, new_grant
from paircard.web.app import make_app
from paircard.web.settings import LOCAL, Settings
from paircard.web.site import Site
from tests.web.running import Running, running

HOST = b"Host: 127.0.0.1\r\n"


@pytest.fixture(scope="module")
def server(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Running]:
    folder = tmp_path_factory.mktemp("strangers")
    with running(str(folder / "open.db"), folder / "log") as made:
        yield made
        assert (folder / "log").read_text() == "", "what strangers send wrong is answered, not logged"


def say(server: Running, sent: bytes) -> bytes:
    """The whole answer to some bytes; the connection must be closed at its end."""
    with socket.create_connection(("127.0.0.1", server.port), timeout=15) as line:
        line.sendall(sent)
        heard = b""
        while part := line.recv(65536):
            heard += part
    return heard


@pytest.mark.parametrize(
    "sent",
    [
        b"POST /api/v1/sessions HTTP/1.1\r\n" + HOST
        + b"Content-Length: 6\r\nTransfer-Encoding: chunked\r\n\r\n0\r\n\r\nG",
        b"POST /api/v1/sessions HTTP/1.1\r\n" + HOST + b"Content-Length: 2\r\nContent-Length: 3\r\n\r\n{} ",
        b"POST /api/v1/sessions HTTP/1.1\r\n" + HOST + b"Content-Length: +2\r\n\r\n{}",
        b"POST /api/v1/sessions HTTP/1.1\r\n" + HOST + b"Transfer-Encoding: xchunked\r\n\r\n{}",
        b"GET /api/v1/health HTTP/1.1\r\n" + HOST + b"X: a\r\n b\r\n\r\n",
        b"GET /api/v1/health HTTP/1.1\r\nHost : 127.0.0.1\r\n\r\n",
        b"GET /api/v1/health HTTP/1.1\nHost: 127.0.0.1\n\n",
        b"CASTLE /api/v1/health HTTP/1.1\r\n" + HOST + b"\r\n",
        b"\x16\x03\x01\x02\x00\x01\x00\x01\xfc\x03\x03 hello, TLS?",
    ],
    ids=["CL and TE", "two CL", "signed CL", "odd TE", "folded", "blank", "bare LF", "verb", "TLS"],
)  # fmt: skip
def test_what_is_not_http_is_refused_once_and_the_line_is_closed(server: Running, sent: bytes) -> None:
    heard = say(server, sent)

    assert heard.startswith(b"HTTP/1.1 400 ")
    assert heard.count(b"HTTP/1.1 ") == 1, "nothing of it was taken for a second request"
    assert b"/problems/malformed-request" in heard


def test_endless_headers_are_given_up(server: Running) -> None:
    with socket.create_connection(("127.0.0.1", server.port), timeout=15) as line:
        line.sendall(b"GET /api/v1/health HTTP/1.1\r\n" + HOST)
        heard = b""
        try:
            for _ in range(100):
                line.sendall(b"X: " + b"a" * 10_000 + b"\r\n")
            heard = line.recv(1000)
        except ConnectionError:
            return  # it hung up while we talked
    assert heard.startswith(b"HTTP/1.1 431 ")


@pytest.mark.parametrize("hosts", [(b"127.0.0.1", b"evil"), (b"evil", b"127.0.0.1"), ()])
def test_a_request_is_for_one_host(server: Running, hosts: tuple[bytes, ...]) -> None:
    lines = b"".join(b"Host: " + host + b"\r\n" for host in hosts)

    heard = say(server, b"GET /api/v1/health HTTP/1.1\r\n" + lines + b"Connection: close\r\n\r\n")
    assert heard.startswith(b"HTTP/1.1 421 ")


@pytest.mark.parametrize(
    "path",
    [
        "/static/x/..%2f..%2fapp.py",
        "/static/x/%5c..%5capp.py",
        "/static/x/%00",
        "/static/x/" + "a" * 5000,
        "/static/x/.",
        "//evil.example/",
        "/api/v1/tournaments/%00",
        "/api/v1/tournaments/%ff%fe",
        "/api/v1/tournaments/..%2f..%2fopen.db",
    ],
)
def test_strange_paths_lead_nowhere(server: Running, path: str) -> None:
    heard = say(server, f"GET {path} HTTP/1.1\r\n".encode() + HOST + b"Connection: close\r\n\r\n")

    assert heard.startswith(b"HTTP/1.1 404 ")


def test_a_login_by_cookie_is_not_hidden_behind_an_empty_key(server: Running) -> None:
    sent = {"Authorization": "", "Cookie": "paircard=x", "Origin": "http://evil.example"}

    answer = httpx.post(f"{server.base}/api/v1/keys", json={}, headers=sent)
    assert answer.json()["type"] == "/problems/foreign-origin"


def test_who_does_not_read_is_let_go(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """Somebody asks for the whole feed and reads nothing: their place is soon free for others."""
    monkeypatch.setattr(patience, "STALLED_SECONDS", 0.5)
    site = Site(str(tmp_path / "open.db"), Settings(hosts=LOCAL, feeds_per_address=1))
    anna = person("Anna")
    tournament = site.office.new(Regulations(name="Open", rounds=3), by=anna)
    for batch in range(2):
        names = [Details(name=f"Player {batch} {n}") for n in range(2000)]
        tournament.ask(*(RegisterPlayer(details=one) for one in names), by=anna)
    grant = new_grant("arbiter", "Anna")
    credential, key = new_credential(grant, "key")
    site.access.write(lambda _: [grant, credential])
    app = make_app(site)
    config = uvicorn.Config(app, http=patience.Patient, log_config=None, log_level=logging.ERROR)
    serving = uvicorn.Server(config)
    with socket.create_server(("127.0.0.1", 0)) as door, socket.socket() as deaf:
        thread = threading.Thread(target=serving.run, args=([door],))
        thread.start()
        try:
            deaf.setsockopt(socket.SOL_SOCKET, socket.SO_RCVBUF, 2048)
            deaf.connect(door.getsockname())
            address = f"/api/v1/tournaments/{tournament.id}/feed?after=0"
            deaf.sendall(
                f"GET {address} HTTP/1.1\r\nHost: 127.0.0.1\r\nAuthorization: Bearer {key}\r\n\r\n".encode()
            )
            assert deaf.recv(8) == b"HTTP/1.1"
            assert app.state.feeds.by_address == {"127.0.0.1": 1}
            end = time.monotonic() + 20
            while app.state.feeds.by_address:
                assert time.monotonic() < end, "the feed still holds its place"
                time.sleep(0.05)
        finally:
            serving.should_exit = True
            thread.join()
