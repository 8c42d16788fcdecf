"""What strangers send: shapes of requests that no client of ours makes, over a real socket."""

import logging
import socket
import struct
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
from paircard.web.app import make_app
from paircard.web.book import new_credential, new_grant
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


A_FEED = b"GET /api/v1/tournaments/%b/feed HTTP/1.1\r\n" + HOST + b"\r\n"
HEALTH = b"GET /api/v1/health HTTP/1.1\r\n" + HOST
CHUNKED = b"Transfer-Encoding: chunked\r\n\r\n"
TALK = {
    "lines behind a feed": (A_FEED + HEALTH, b"a: b\r\n" * 10_000),
    "one long line behind a feed": (A_FEED + HEALTH + b"X: ", b"a" * 60_000),
    "an address behind a feed": (A_FEED + b"GET /", b"a" * 60_000),
    "requests behind a feed": (A_FEED, (HEALTH + b"\r\n") * 1000),
    "empty lines behind a feed": (A_FEED, b"\r\n" * 30_000),
    "a body of a feed": (A_FEED[:-2] + CHUNKED, b"1\r\na\r\n" * 10_000),
    "trailers of a feed": (A_FEED[:-2] + CHUNKED + b"0\r\n", b"a: b\r\n" * 10_000),
    "lines": (HEALTH, b"a: b\r\n" * 10_000),
    "one long line": (HEALTH + b"X: ", b"a" * 60_000),
    "requests": (b"", b"GET / HTTP/1.1\r\n\r\n" * 3000),
    "a body of a question": (HEALTH + CHUNKED, b"ea60\r\n" + b"a" * 60_000 + b"\r\n"),
    "a body": (b"POST /api/v1/sessions HTTP/1.1\r\n" + HOST + CHUNKED, b"ea60\r\n" + b"a" * 60_000 + b"\r\n"),
    "trailers": (HEALTH + CHUNKED + b"0\r\n", b"a: b\r\n" * 10_000),
    "one long trailer": (HEALTH + CHUNKED + b"0\r\nX: ", b"a" * 60_000),
    "an extension of a chunk": (HEALTH + CHUNKED + b"1;x=", b"a" * 60_000),
}
"""What a caller says first, and then for as long as it is let."""


def memory_of(server: Running) -> int:
    """Megabytes the process holds."""
    status = Path(f"/proc/{server.process.pid}/status").read_text()
    return int(status.partition("VmRSS:")[2].split()[0]) // 1000


@pytest.mark.parametrize("talk", TALK)
def test_a_connection_holds_little_memory_whatever_it_sends(server: Running, talk: str) -> None:
    first, then = TALK[talk]
    id = server.client().open(Regulations(name=talk, rounds=3)).id
    if b"%b" in first:
        first = first.replace(b"%b", id.encode())
    before = memory_of(server)
    with socket.create_connection(("127.0.0.1", server.port), timeout=15) as line:
        line.sendall(first)
        if talk.endswith("a feed"):
            assert line.recv(12) == b"HTTP/1.1 200"
        line.settimeout(2)  # a server that does not read any more need not be talked to
        try:
            for _ in range(40_000_000 // len(then)):
                line.sendall(then)
        except OSError:
            pass
        assert memory_of(server) - before < 20, "megabytes for one caller"
    assert server.anybody().request("GET", "/health").status == 200


def test_a_line_break_behind_a_body_is_no_request(server: Running) -> None:
    """Old programs send one."""
    post = b"POST /api/v1/sessions HTTP/1.1\r\n" + HOST + b"Content-Length: 2\r\n\r\n{}\r\n"

    with socket.create_connection(("127.0.0.1", server.port), timeout=15) as line:
        line.sendall(post)
        heard = b""
        while b"}" not in heard:
            heard += line.recv(65536)
        line.sendall(HEALTH + b"Connection: close\r\n\r\n")
        while part := line.recv(65536):
            heard += part
    assert [int(answer[:3]) for answer in heard.split(b"HTTP/1.1 ")[1:]] == [415, 200]


def test_who_asks_before_the_answer_came_gets_that_answer_and_asks_again(server: Running) -> None:
    assert say(server, (HEALTH + b"\r\n") * 5).count(b"HTTP/1.1 200") == 1


@pytest.mark.slow
def test_a_feed_behind_which_somebody_talked_leaves_its_place(tmp_path: Path) -> None:
    """The place is free as soon as the caller is gone, whatever came in one piece with the question."""
    with running(str(tmp_path / "open.db"), tmp_path / "log", "--feeds", "1") as server:
        id = server.client().open(Regulations(name="Open", rounds=3)).id
        feed = A_FEED.replace(b"%b", id.encode())
        with socket.create_connection(("127.0.0.1", server.port), timeout=15) as line:
            line.sendall(feed + HEALTH + b"\r\n" + HEALTH)
            assert line.recv(12) == b"HTTP/1.1 200"
            line.setsockopt(socket.SOL_SOCKET, socket.SO_LINGER, struct.pack("ii", 1, 0))
        answer = b""
        end = time.monotonic() + 60
        while not answer.startswith(b"HTTP/1.1 200"):
            assert time.monotonic() < end, "the feed still holds its place"
            with socket.create_connection(("127.0.0.1", server.port), timeout=15) as line:
                line.sendall(feed)
                answer = line.recv(12)
            time.sleep(0.05)
        assert (tmp_path / "log").read_text() == ""


@pytest.mark.parametrize("target", [b"http://evil.example/api/v1/health", b"http://127.0.0.1/", b"*", b"x:1"])
def test_a_request_names_a_path(server: Running, target: bytes) -> None:
    for verb in (b"GET", b"OPTIONS"):
        heard = say(server, verb + b" " + target + b" HTTP/1.1\r\n" + HOST + b"\r\n")
        assert heard.startswith(b"HTTP/1.1 400 ")
        assert heard.count(b"HTTP/1.1 ") == 1


def test_no_request_needs_hundreds_of_headers(server: Running) -> None:
    heard = say(server, HEALTH + b"a: b\r\n" * 300 + b"\r\n")
    assert heard.startswith(b"HTTP/1.1 431 ")


@pytest.mark.parametrize(
    "hosts",
    [
        (b"127.0.0.1", b"evil"),
        (b"evil", b"127.0.0.1"),
        (b"127.0.0.1:8000", b"evil"),
        (b"127.0.0.1:8000", b"127.0.0.1"),
        (b"127.0.0.1:8000, evil",),
        (),
    ],
)
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
        entries = [Details(name=f"P{1000 * batch + n}", club="x" * 200) for n in range(1000)]
        tournament.ask(*(RegisterPlayer(details=one) for one in entries), by=anna.because("y" * 500))
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
