"""Webhooks: signed, at least once, in order per tournament, whatever their target does or who is killed."""

import asyncio
import base64
import hashlib
import hmac
import ipaddress
import json
import socket
import sqlite3
import subprocess
import sys
import threading
import time
from collections.abc import Callable, Iterator
from contextlib import closing, contextmanager, suppress
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from pathlib import Path
from typing import Any

import msgspec
import pytest

from paircard.domain import Details, RegisterPlayer
from paircard.domain.messages import Message, say
from paircard.domain.values.regulations import Regulations
from paircard.service import Office, person
from paircard.web.courier import MOST_FACTS, Webhooks, connected, may_be_called, post, signature
from paircard.web.settings import LOCAL, Settings
from tests.apart import awaited
from tests.documents import blocks, document
from tests.web.hall import Hall, hall_at
from tests.web.running import running

QUICK = Settings(
    hosts=LOCAL,
    commands_per_second=10_000,
    webhook_networks=("127.0.0.0/8",),
    webhook_waits=(0, 0, 0),
)


class Target:
    """A program of somebody, in this process: what it got, and how it answers."""

    def __init__(self) -> None:
        self.got: list[tuple[dict[str, str], bytes]] = []
        self.answer: Callable[[dict[str, Any]], int] = lambda _: 204
        self.hanging = threading.Event()
        target = self

        class Handler(BaseHTTPRequestHandler):
            def do_POST(self) -> None:
                body = self.rfile.read(int(self.headers["content-length"]))
                status = target.answer(json.loads(body))
                if not status:
                    target.hanging.wait(30)
                    return
                target.got.append(({name.lower(): value for name, value in self.headers.items()}, body))
                self.send_response(status)
                self.send_header("location", "http://127.0.0.1:1/")
                self.send_header("content-length", "0")
                self.end_headers()

            def log_message(self, *_: object) -> None:
                """Nothing."""

        self.server = ThreadingHTTPServer(("127.0.0.1", 0), Handler)
        self.url = f"http://127.0.0.1:{self.server.server_port}/hook?for=paircard"
        threading.Thread(target=self.server.serve_forever, args=(0.02,), daemon=True).start()

    def told(self, tournament: str = "") -> list[int]:
        """Versions of the facts it was told of, as they came."""
        bodies = [json.loads(body) for _, body in self.got]
        return [
            one["version"] for body in bodies for one in body["facts"] if tournament in body["tournament"]
        ]

    def until(self, expected: list[int], tournament: str = "", seconds: float = 40) -> None:
        until(lambda: self.told(tournament) == expected, seconds, lambda: self.told(tournament))


def until(true: Callable[[], object], seconds: float = 40, shown: Callable[[], object] = str) -> None:
    end = time.monotonic() + seconds
    while not true():
        assert time.monotonic() < end, shown()
        time.sleep(0.02)


@pytest.fixture
def target() -> Iterator[Target]:
    with listening() as made:
        yield made


@contextmanager
def listening() -> Iterator[Target]:
    made = Target()
    try:
        yield made
    finally:
        made.hanging.set()
        made.server.shutdown()
        made.server.server_close()


@pytest.fixture
def told_hall(location: str) -> Iterator[Hall]:
    with hall_at(location, QUICK) as hall:
        yield hall


def register(hall: Hall, url: str, role: str = "arbiter", **more: str) -> tuple[str, str]:
    """Id and secret of a new webhook."""
    answer = hall.call("POST", "/webhooks", role, {"url": url, **more})
    assert answer.status_code == 201, answer.text
    return answer.json()["webhook"]["id"], answer.json()["secret"]


def deliveries(hall: Hall, id: str) -> Any:
    return hall.call("GET", f"/webhooks/{id}/deliveries", "arbiter").json()


def test_facts_come_signed_once_and_in_order(told_hall: Hall, target: Target) -> None:
    earlier = told_hall.open("Earlier", players=2)
    id, secret = register(told_hall, target.url)
    event = told_hall.open(players=4)
    told_hall.play(1, "1-0", "½-½")
    last = told_hall.version()

    target.until(list(range(1, last + 1)), event)
    assert target.told(earlier) == []
    ids = [headers["webhook-id"] for headers, _ in target.got]
    assert len(ids) == len(set(ids))
    for headers, body in target.got:
        assert abs(int(headers["webhook-timestamp"]) - time.time()) < 60
        signed = f"{headers['webhook-id']}.{headers['webhook-timestamp']}.".encode() + body
        key = base64.b64decode(secret.removeprefix("whsec_"))
        proof = base64.b64encode(hmac.digest(key, signed, hashlib.sha256)).decode()
        assert headers["webhook-signature"] == f"v1,{proof}"
    until(lambda: deliveries(told_hall, id) == {"waiting": [], "dead": []})
    listed = told_hall.call("GET", "/webhooks", "arbiter")
    assert [one["url"] for one in listed.json()] == [target.url]
    assert secret not in listed.text


def test_a_secret_is_changed_by_a_second_registration_and_nothing_is_lost_in_between(
    told_hall: Hall, target: Target
) -> None:
    old, _ = register(told_hall, target.url)
    event = told_hall.open(players=2)
    new, secret = register(told_hall, target.url)
    told_hall.send({"do": "withdraw-player", "player": 1})
    until(lambda: new in {headers["webhook-id"].partition("-")[0] for headers, _ in target.got})
    assert told_hall.call("DELETE", f"/webhooks/{old}", "arbiter").status_code == 204
    told_hall.send({"do": "return-player", "player": 1})

    until(lambda: set(target.told(event)) == set(range(1, told_hall.version() + 1)))
    headers, body = target.got[-1]
    proof = signature(secret, headers["webhook-id"], int(headers["webhook-timestamp"]), body)
    assert headers["webhook-signature"] == proof


def test_a_target_that_hangs_holds_up_neither_requests_nor_other_webhooks(
    told_hall: Hall, target: Target
) -> None:
    with listening() as hanging:
        hanging.answer = lambda _: 0
        register(told_hall, hanging.url)
        register(told_hall, target.url)
        began = time.monotonic()
        event = told_hall.open(players=4)
        told_hall.play(1, "1-0", "½-½")
        spent = time.monotonic() - began

        target.until(list(range(1, told_hall.version() + 1)), event, 5)
        assert spent < 5
        assert hanging.got == []


def test_a_tournament_its_target_refuses_waits_in_order_and_the_others_go_on(
    told_hall: Hall, target: Target
) -> None:
    event = told_hall.open("Refused", players=4)
    other = told_hall.open("Taken", players=4)
    refusing = {event}
    target.answer = lambda told: 500 if told["tournament"] in refusing else 200
    id, _ = register(told_hall, target.url)
    for tournament in (event, other):
        told_hall.tournament = tournament
        told_hall.play(1, "1-0", "0-1")
    last = told_hall.version()

    target.got.clear()
    until(lambda: deliveries(told_hall, id)["dead"])
    until(lambda: not deliveries(told_hall, id)["waiting"])
    assert set(target.told(other)) <= set(range(7, last + 1))
    dead = deliveries(told_hall, id)["dead"]
    assert {(one["tournament"], one["attempts"], one["said"]) for one in dead} == {(event, 4, "answered 500")}
    assert dead[0]["first"] == 7
    assert dead[-1]["last"] == last

    def again(**which: str) -> Any:
        return told_hall.call("POST", f"/webhooks/{id}/deliveries", "arbiter", which).json()["deliveries"]

    def given_up() -> list[tuple[int, int]]:
        return [(one["first"], one["attempts"]) for one in deliveries(told_hall, id)["dead"]]

    before = given_up()
    assert again(tournament=other) == 0
    assert given_up() == before
    assert again(tournament=event) == len(dead)
    until(lambda: given_up() == before, shown=given_up)  # after as many attempts as the first time
    target.got.clear()
    refusing.clear()
    assert again() == len(dead)
    target.until(list(range(7, last + 1)), event)
    assert deliveries(told_hall, id)["dead"] == []


def test_what_is_newer_waits_until_what_is_older_was_taken(told_hall: Hall, target: Target) -> None:
    event, other = told_hall.open("Held", players=4), told_hall.open("Other", players=4)
    came: list[tuple[str, int]] = []
    released = threading.Event()

    def hold_the_first(told: dict[str, Any]) -> int:
        came.append((told["tournament"], told["facts"][0]["version"]))
        if len(came) > 1:
            return 204
        released.wait(10)
        return 503

    target.answer = hold_the_first
    register(told_hall, target.url)
    told_hall.tournament = event
    first = told_hall.version() + 1
    told_hall.pair(1)
    until(lambda: came == [(event, first)])
    told_hall.publish(1)
    last = told_hall.version()
    told_hall.tournament = other
    told_hall.pair(1)
    until(lambda: other in dict(came))
    time.sleep(0.5)  # for whatever would come out of turn
    assert [version for tournament, version in came if tournament == event] == [first]
    released.set()
    until(lambda: last in target.told(event), shown=lambda: came)
    assert [version for tournament, version in came if tournament == event] == [first, first, last]
    tries = [headers["webhook-id"] for headers, body in target.got if json.loads(body)["tournament"] == event]
    assert tries[0] == tries[1] != tries[2]


def test_more_facts_than_a_delivery_holds_come_in_several(told_hall: Hall, target: Target) -> None:
    told_hall.open(players=2)
    first = told_hall.version() + 1
    register(told_hall, target.url)
    names = [f"Player {chr(65 + at // 26)}{chr(97 + at % 26)}" for at in range(MOST_FACTS + 20)]
    done = told_hall.send(*({"do": "register-player", "details": {"name": name}} for name in names))
    assert done.status_code == 201, done.text

    target.until(list(range(first, told_hall.version() + 1)))
    assert {len(json.loads(body)["facts"]) for _, body in target.got} == {MOST_FACTS, 20}


@pytest.mark.parametrize("status", [301, 404, 503])
def test_only_an_answer_of_2xx_counts_and_no_redirect_is_followed(
    target: Target, status: int, tmp_path: Path
) -> None:
    with hall_at(str(tmp_path / "other.db"), QUICK) as there:
        target.answer = lambda _: status
        id, _ = register(there, target.url)
        there.open(players=2)
        until(lambda: deliveries(there, id)["dead"])
        assert deliveries(there, id)["dead"][0]["said"] == f"answered {status}"


def test_a_target_that_is_not_there_is_given_up_and_said(told_hall: Hall) -> None:
    with socket.socket() as taken:
        taken.bind(("127.0.0.1", 0))
        id, _ = register(told_hall, f"http://127.0.0.1:{taken.getsockname()[1]}/")
    told_hall.open(players=2)

    until(lambda: deliveries(told_hall, id)["dead"])
    assert "refused" in deliveries(told_hall, id)["dead"][0]["said"]


@pytest.mark.parametrize(
    "address",
    ["127.0.0.1", "10.1.2.3", "192.168.0.1", "172.16.5.5", "169.254.169.254", "100.64.0.1", "0.0.0.0", "::1",
     "fe80::1%eth0", "fd00::1", "::ffff:10.0.0.1", "64:ff9b::a00:1", "2002:a00:1::", "224.0.0.1", "ff0e::1",
     "fec0::1", "::7f00:1", "64:ff9b:1::a00:1", "4000::1"],
)  # fmt: skip
def test_no_private_address_is_called_unless_it_is_allowed(address: str) -> None:
    assert not may_be_called([address], True, [])
    assert not may_be_called(["93.184.216.34", address], True, [])


def test_public_addresses_are_called_over_tls_alone() -> None:
    assert may_be_called(["93.184.216.34"], True, [])
    assert may_be_called(["2606:2800:220:1::1"], True, [])
    assert not may_be_called(["93.184.216.34"], False, [])


def test_a_private_target_is_not_called_and_its_webhook_says_so(hall: Hall, target: Target) -> None:
    id, _ = register(hall, target.url)
    hall.open(players=2)

    until(lambda: any(one["attempts"] for one in deliveries(hall, id)["waiting"]))
    until(lambda: "no public address" in deliveries(hall, id)["waiting"][0]["said"])
    assert target.got == []


def test_what_a_target_says_before_its_answer_is_passed_over() -> None:
    """[RFC 9110:15.2] Some proxies send hints before what the program behind them answers."""
    before = b"HTTP/1.1 103 Early Hints\r\nlink: </a>\r\n\r\nHTTP/1.1 100 Continue\r\n\r\n"

    async def sent(answer: bytes) -> Message | None:
        async def answered(reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
            await reader.readuntil(b"{}")
            writer.write(answer)
            writer.close()
            with suppress(ConnectionError):
                await writer.wait_closed()

        async with await asyncio.start_server(answered, "127.0.0.1", 0) as server:
            port = server.sockets[0].getsockname()[1]
            return await post(f"http://127.0.0.1:{port}/", {}, b"{}", [ipaddress.ip_network("127.0.0.0/8")])

    assert awaited(sent(before + b"HTTP/1.1 204 No Content\r\n\r\n")) is None
    refused = awaited(sent(before + b"HTTP/1.1 500 Oh\r\n\r\n"))
    assert refused is not None
    assert refused.fields == {"value": "500"}


def test_a_name_with_several_addresses_is_called_at_one_that_answers(target: Target) -> None:
    port = target.server.server_port

    async def reached(*addresses: str) -> str:
        _, writer = await connected(addresses, port, None)
        writer.close()
        return str(writer.get_extra_info("peername")[0])

    assert awaited(reached("127.0.0.9", "127.0.0.1")) == "127.0.0.1"
    with pytest.raises(ConnectionRefusedError):
        awaited(reached("127.0.0.8", "127.0.0.9"))


def test_a_delivery_of_a_tournament_that_cannot_be_read_waits_and_says_so(
    tmp_path: Path, target: Target
) -> None:
    path, target.answer = tmp_path / "open.db", lambda _: 503
    slow = msgspec.structs.replace(QUICK, webhook_waits=(1,) * 50)
    with hall_at(str(path), slow) as hall:
        id, _ = register(hall, target.url)
        hall.open(players=2)
        until(lambda: target.got)
    with closing(sqlite3.connect(path)) as log:
        log.execute("UPDATE stored_events SET state = '{}' WHERE originator_version = 2")
        log.commit()
    with hall_at(str(path), slow) as hall:
        until(
            lambda: deliveries(hall, id)["waiting"][0]["said"] == "the store could not be read",
            shown=lambda: deliveries(hall, id),
        )


def test_what_is_sent_again_holds_the_same_facts_however_many_came_since(tmp_path: Path) -> None:
    """So its webhook-id is the same, and who kept that drops what came twice."""
    anna = person("Anna Arbiter")
    with Office.create(tmp_path / "open.db") as office:
        hooks = Webhooks(tmp_path / "open.db", office.store())
        hook = hooks.add("https://club.example/")
        event = office.new(Regulations(name="Open", rounds=3), by=anna)
        hooks.catch_up()
        with hooks.runner.writing() as db:
            [begun] = hooks.claimed(db, hook, 1, [0])
            hooks.done(db, begun, say("http.webhook.refused", value="503"), None)
        assert hooks.send_again(hook.id) == 1
        event.ask(RegisterPlayer(details=Details(name="Ada")), by=anna)
        hooks.catch_up()
        assert [(one.first, one.last) for one in hooks.waiting(hook.id)] == [(1, 1), (2, 2)]


@pytest.mark.parametrize(
    "url",
    ["", "club.example", "ftp://club.example/", "https://", "https://u:p@club.example/", "https://a/#b",
     "https://a b/", "https://a\r\nHost: b/", "https://[::1", "https://a:99999/", "https://é.example/"],
)  # fmt: skip
def test_an_address_that_cannot_be_called_is_refused(hall: Hall, url: str) -> None:
    assert hall.call("POST", "/webhooks", "arbiter", {"url": url}).status_code == 422
    assert hall.call("GET", "/webhooks", "arbiter").json() == []


def test_an_arbiter_sees_and_registers_webhooks_of_their_own_tournament_alone(hall: Hall) -> None:
    one, other = hall.open("One", players=2), hall.open("Other", players=2)
    hall.keys["gina"] = hall.key_for("arbiter", "Gina", tournament=one)
    of_all, _ = register(hall, "https://a.example/")
    mine, _ = register(hall, "https://b.example/", "gina")

    listed = hall.call("GET", "/webhooks", "gina").json()
    assert [(each["id"], each["tournament"], each["who"]) for each in listed] == [(mine, one, "Gina")]
    refused = hall.call("POST", "/webhooks", "gina", {"url": "https://c.example/", "tournament": other})
    assert refused.status_code == 403
    for method in ("GET", "POST"):
        body: dict[str, str] | None = {} if method == "POST" else None
        assert hall.call(method, f"/webhooks/{of_all}/deliveries", "gina", body).status_code == 404
    assert hall.call("DELETE", f"/webhooks/{of_all}", "gina").status_code == 404
    assert hall.call("DELETE", f"/webhooks/{mine}", "gina").status_code == 204


def test_nothing_is_kept_of_a_webhook_that_was_removed(tmp_path: Path, target: Target) -> None:
    target.answer = lambda _: 503
    with hall_at(str(tmp_path / "open.db"), QUICK) as there:
        id, _ = register(there, target.url)
        there.open(players=2)
        until(lambda: deliveries(there, id)["dead"])
        assert there.call("DELETE", f"/webhooks/{id}", "arbiter").status_code == 204
        with closing(sqlite3.connect(tmp_path / "open.db-webhooks.db")) as box:
            assert [box.execute(f"SELECT * FROM {name}").fetchall() for name in ("hooks", "deliveries")] == [
                [],
                [],
            ]


def test_a_webhook_of_one_tournament_is_told_of_no_other(told_hall: Hall, target: Target) -> None:
    event, other = told_hall.open("One", players=4), told_hall.open("Other", players=4)
    told_hall.keys["gina"] = told_hall.key_for("arbiter", "Gina", tournament=event)
    id, _ = register(told_hall, target.url, "gina")
    told_hall.pair(1)
    told_hall.tournament = event
    told_hall.pair(1)

    target.until([7, 8], event)
    until(lambda: deliveries(told_hall, id) == {"waiting": [], "dead": []})
    assert target.told(other) == []


def test_a_webhook_ends_with_the_grant_it_came_with(told_hall: Hall, target: Target) -> None:
    event = told_hall.open(players=4)
    grant, told_hall.keys["gina"] = told_hall.let_in("arbiter", "Gina", tournament=event)
    register(told_hall, target.url, "gina")
    assert told_hall.call("DELETE", f"/tournaments/{event}/grants/{grant.id}", "arbiter").status_code == 204
    told_hall.play(1)

    until(lambda: told_hall.call("GET", "/webhooks", "arbiter").json() == [])
    assert target.got == []


def test_nothing_of_an_erased_person_is_in_a_later_delivery(told_hall: Hall, target: Target) -> None:
    working = threading.Event()
    target.answer = lambda _: 200 if working.is_set() else 503
    id, _ = register(told_hall, target.url)
    event = told_hall.open(players=4)
    until(lambda: deliveries(told_hall, id)["dead"])
    assert b"Ben" in b"".join(body for _, body in target.got)
    target.got.clear()
    told_hall.play(1, "1-0", "0-1")
    erased = told_hall.send({"do": "erase-person", "player": 2}, why="asked for", ack=["erase-while-running"])
    assert erased.status_code == 201, erased.text
    until(lambda: not deliveries(told_hall, id)["waiting"])  # what was read before is no longer under way
    target.got.clear()
    working.set()
    told_hall.call("POST", f"/webhooks/{id}/deliveries", "arbiter", {})

    until(
        lambda: set(target.told(event)) == set(range(1, told_hall.version() + 1)), shown=lambda: target.told()
    )
    sent = b"".join(body for _, body in target.got)
    assert b"Ada" in sent
    assert b"Ben" not in sent


def test_a_store_that_was_set_back_is_told_again(tmp_path: Path, target: Target) -> None:
    path = tmp_path / "open.db"
    with hall_at(str(path), QUICK) as hall:
        register(hall, target.url)
        hall.open(players=2)
        target.until([1, 2, 3, 4])
    with closing(sqlite3.connect(path)) as log, closing(sqlite3.connect(tmp_path / "copy.db")) as copy:
        log.backup(copy)
    with hall_at(str(path), QUICK) as hall:
        hall.open("Lost", players=2)
        until(lambda: len(target.told()) == 8)
    for ending in ("", "-wal", "-shm"):
        path.with_name(path.name + ending).unlink(missing_ok=True)
    (tmp_path / "copy.db").rename(path)
    target.got.clear()
    with hall_at(str(path), QUICK) as hall:
        kept = hall.open("Kept", players=4)
        target.until([1, 2, 3, 4, 5, 6], kept)
        until(lambda: len(target.told()) == 10, shown=target.told)


def test_a_server_killed_between_sending_and_noting_sends_again_and_loses_nothing(
    tmp_path: Path, target: Target
) -> None:
    path, log = str(tmp_path / "open.db"), tmp_path / "log"
    arrived = threading.Event()

    def hang_once(_: object) -> int:
        if arrived.is_set():
            return 204
        arrived.set()
        return 0

    target.answer = hang_once
    with running(path, log, "--webhook-to", "127.0.0.1") as server:
        client = server.client()
        sent = json.loads(client.request("POST", "/webhooks", json.dumps({"url": target.url}).encode()).body)
        event = client.open(Regulations(name="Open", rounds=3)).id
        assert arrived.wait(10)
        server.kill()
        with closing(sqlite3.connect(f"{path}-webhooks.db")) as box:  # as if its time had come
            box.execute("UPDATE deliveries SET at = 0")
            box.execute("UPDATE courier SET until = 0")
            box.commit()
        server.start()
        target.until([1], event)
    command = [sys.executable, "-m", "paircard", "--db", path, "webhook"]
    listed = subprocess.run([*command, "list", "--json"], capture_output=True, text=True, check=True)
    assert [one["id"] for one in json.loads(listed.stdout)] == [sent["webhook"]["id"]]


def test_of_two_servers_one_delivers_and_the_other_goes_on_after_it(tmp_path: Path, target: Target) -> None:
    path = str(tmp_path / "open.db")
    with hall_at(path, QUICK) as first:
        register(first, target.url)
        with hall_at(path, QUICK) as second:
            for number in range(5):
                hall = (first, second)[number % 2]
                hall.open(f"Event {number}", players=2)
            until(lambda: len(target.told()) == 20, shown=target.told)
            first.http.wait(first.http.lifespan.__aexit__(None, None, None))
            first.http.wait = lambda _: _.close()  # type: ignore[method-assign,assignment,return-value]
            second.open("The last", players=2)
            until(lambda: len(target.told()) == 24, shown=target.told)


def test_the_ten_lines_of_the_guide_check_a_signature(target: Target, tmp_path: Path) -> None:
    [program] = [text for text in blocks(document("docs/http.md"), "python") if "webhook-signature" in text]
    with hall_at(str(tmp_path / "other.db"), QUICK) as there:
        _, secret = register(there, target.url)
        there.open(players=2)
        until(lambda: target.got)
    headers, body = target.got[0]
    room: dict[str, Any] = {}
    exec(program, room)  # the program of our own guide
    assert room["is_genuine"](secret, headers, body)
    assert not room["is_genuine"](secret, headers, body + b" ")
    assert not room["is_genuine"](secret, headers | {"webhook-timestamp": "1700000000"}, body)
