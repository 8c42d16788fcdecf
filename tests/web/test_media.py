"""Every answer is what its media type says: each route of the table is asked, and its answer read as that."""

import asyncio
import json
import re
import xml.etree.ElementTree as xml
from collections.abc import Callable
from pathlib import Path
from typing import Any

import jsonschema_rs
import pytest

from paircard.cli import verify as alone
from paircard.domain.proof.checkpoints import parse_checkpoint
from paircard.projections.trf.reading import read
from paircard.projections.trf.text import parse
from paircard.service.prizes import announcement
from paircard.web.app import ENDPOINTS, FEEDS, PAGES
from paircard.web.endpoints import Endpoint, Row
from tests.web.hall import Hall, hall_at
from tests.web.pages.reading import Reader

VALUES = {
    "{kind}": "not-now",
    "{round}": "1", "{board}": "1", "{build}": "x", "{code}": "it", "{name}": "icon.svg",
    "{grant}": "0", "{key}": "0", "{paper}": "order",
}  # fmt: skip
"""What stands for a part of an address."""
ASKED = {
    "/rounds/{round}/why": "?player=1",
    "/record/what-if": "?round=1&board=1&result=0-1",
    "/group": "?category=women",
}
"""What an address needs besides; by its end."""
ANNOUNCED = announcement(
    """
    [[category]]
    name = "women"
    sex = "w"
    [[prize]]
    name = "Best woman"
    category = "women"
    amount = 50
    """
)
PRIZES: dict[str, Any] = {"categories": ANNOUNCED.categories, "prizes": ANNOUNCED.prizes}
EMPTY = frozenset({204, 303, 304, 307})
STATIC = ("icon.svg", "paircard.js", "sign-in.js")


@pytest.fixture(scope="module")
def event(tmp_path_factory: pytest.TempPathFactory) -> Any:
    """Two rounds, a correction with a reason, and somebody who was erased."""
    with hall_at(str(tmp_path_factory.mktemp("media") / "open.db")) as hall:
        hall.open(players=6, rounds=4, **PRIZES)
        hall.play(1, "1-0", "0-1", "½-½")
        hall.play(2, "1-0")
        done = hall.send(
            {"do": "correct-result", "round": 2, "board": 1, "outcome": "0-1"}, why="“both” signed it"
        )
        assert done.status_code == 201, done.text
        done = hall.send({"do": "erase-person", "player": 5}, why="asked for it", ack=["erase-while-running"])
        assert done.status_code == 201, done.text
        yield hall


def as_json(body: bytes, hall: Hall, row: Row) -> None:
    """JSON, and what the description of the address promises."""
    found = json.loads(body.decode())
    document = hall.call("GET", "/openapi.json").json()
    content = document["paths"][row.address][row.method.lower()]["responses"]["200"]["content"]
    schema = {**content["application/json"]["schema"], "components": document["components"]}
    jsonschema_rs.Draft202012Validator(schema).validate(found)


def as_lines(body: bytes, hall: Hall, row: Row) -> None:
    """JSON lines: an object each, the last one ended."""
    assert body.endswith(b"\n")
    found = [json.loads(line) for line in body.decode().split("\n")[:-1]]
    assert found
    assert all(isinstance(one, dict) for one in found)
    if row.address.endswith("/bundle"):
        folder = Path(str(hall.site.location)).parent
        (folder / "one.bundle").write_bytes(body)
        assert alone.main([str(folder / "one.bundle")]) == 0


def as_text(body: bytes, hall: Hall, row: Row) -> None:
    """A report that is read back, or notes."""
    if row.address.endswith(".trf"):
        assert len(parse(body.decode()).players()) == 6
        read(parse(body.decode()))
    else:
        for note in filter(None, body.decode().split("\n\n\n")):
            parse_checkpoint(note)


def as_html(body: bytes, hall: Hall, row: Row) -> None:
    """HTML that is well formed: what is opened is closed, and an id is there once."""
    text = body.decode()
    assert text.lower().startswith("<!doctype html>")
    ids = Reader(text).ids
    assert len(ids) == len(set(ids)), ids


def as_svg(body: bytes, hall: Hall, row: Row) -> None:
    assert xml.fromstring(body).tag.endswith("svg")


def as_written(body: bytes, hall: Hall, row: Row) -> None:
    """A style sheet or script: text, with its braces closed."""
    text = re.sub(r"""("(\\.|[^"\\])*"|'(\\.|[^'\\\n])*'|/\*.*?\*/|//.*)""", "", body.decode())
    assert text.count("{") == text.count("}") > 0


def as_calendar(body: bytes, hall: Hall, row: Row) -> None:
    """A calendar (RFC 5545): its lines end as they must and are short, and what begins ends."""
    assert body.endswith(b"\r\n")
    lines = body.split(b"\r\n")[:-1]
    assert all(len(line) <= 75 and b"\n" not in line for line in lines)
    whole = body.decode().replace("\r\n ", "").split("\r\n")[:-1]
    assert all(re.match(r"[A-Z-]+[:;]", line) for line in whole)
    assert (whole[0], whole[-1]) == ("BEGIN:VCALENDAR", "END:VCALENDAR")
    begun, ended = (
        [line[at:] for line in whole if line.startswith(word)] for word, at in (("BEGIN:", 6), ("END:", 4))
    )
    assert sorted(begun) == sorted(ended)


READERS: dict[str, Callable[[bytes, Hall, Any], None]] = {
    "application/json": as_json,
    "application/x-ndjson": as_lines,
    "text/plain": as_text,
    "text/html": as_html,
    "text/calendar": as_calendar,
    "image/svg+xml": as_svg,
    "text/css": as_written,
    "text/javascript": as_written,
}


def address_of(row: Row, hall: Hall, name: str = "icon.svg") -> str:
    """An address that there is."""
    path = row.address.replace("{tournament}", hall.tournament).replace("{name}", name)
    path = path.replace("{player}", "2" if isinstance(row, Endpoint) else "p2")
    for part, value in VALUES.items():
        path = path.replace(part, value)
    if "{webhook}" in path:
        path = path.replace("{webhook}", webhook_of(hall))
    assert "{" not in path, f"say in VALUES what stands for the part of {row.address}"
    return path + next((asked for end, asked in ASKED.items() if row.address.endswith(end)), "")


def webhook_of(hall: Hall) -> str:
    """The webhook of a store, registered if there is none."""
    if not (there := hall.call("GET", "/webhooks", "arbiter").json()):
        hall.call("POST", "/webhooks", "arbiter", {"url": "https://a.example/told"})
        there = hall.call("GET", "/webhooks", "arbiter").json()
    return str(there[0]["id"])


READS = [row for row in (*ENDPOINTS, *PAGES) if row.method == "GET"]


@pytest.mark.parametrize("role", ["", "arbiter", "deputy"])
@pytest.mark.parametrize("row", READS, ids=lambda row: row.address)
def test_an_answer_can_be_read_as_what_it_says_it_is(row: Row, role: str, event: Hall) -> None:
    for name in STATIC if "{name}" in row.address else ("",):
        headers = {"authorization": f"Bearer {event.keys[role]}"} if role else {}
        answer = event.http.request(
            "GET", address_of(row, event, name), headers=headers, follow_redirects=False
        )
        kind = answer.headers.get("content-type", "").partition(";")[0]
        if answer.status_code in EMPTY:
            assert not answer.content
        elif answer.status_code == 200:
            READERS[kind](answer.content, event, row)
        elif not isinstance(row, Endpoint):
            assert answer.status_code in (401, 403, 404, 409), answer.text
            as_html(answer.content, event, row)
        else:
            assert answer.status_code in (401, 403), answer.text
            assert kind == "application/problem+json"
            assert json.loads(answer.content)["status"] == answer.status_code
        if role == "arbiter" and "{code}" not in row.address and "/phone" not in row.address:
            assert answer.status_code == 200, (row.address, answer.text)


def test_pages_of_prizes_that_nobody_announced_are_whole(tmp_path: Path) -> None:
    with hall_at(str(tmp_path / "open.db")) as hall:
        hall.open(players=4)
        for end in ("/prizes", "/prizes?player=1", "/desk/prizes", "/desk/announce", "/standings"):
            headers = {"authorization": f"Bearer {hall.keys['arbiter']}"}
            answer = hall.http.request("GET", f"/tournaments/{hall.tournament}{end}", headers=headers)
            assert answer.status_code == 200, answer.text
            Reader(answer.text)


def test_the_facts_are_those_of_the_record_and_what_was_erased_is_not_there(event: Hall) -> None:
    answer = event.call("GET", f"/tournaments/{event.tournament}/facts", "arbiter")

    found = [json.loads(line) for line in answer.text.splitlines()]
    assert [one["version"] for one in found] == list(range(1, event.version() + 1))
    assert {one["topic"].partition("/")[0] for one in found} >= {"player-registered", "result-corrected"}
    players = [one for one in found if one["topic"].startswith("player-registered")]
    names = [part["fact"]["details"].get("name") for one in players for part in one["private"]]
    assert {"Ada", "Ben"} <= set(names)
    assert "Eva" not in answer.text
    assert players[4]["private"] == []
    assert len(players[4]["stored"]["private"]) == 2, "what it commits to stays"
    [corrected] = [one for one in found if one["topic"].startswith("result-corrected")]
    assert corrected["private"][-1]["why"] == "“both” signed it"
    part = event.call("GET", f"/tournaments/{event.tournament}/facts?after=2&limit=3", "arbiter").text
    assert part.splitlines() == answer.text.splitlines()[2:5]


def test_a_feed_is_an_event_stream(event: Hall) -> None:
    """Those of one tournament, for anybody and for an arbiter, and of all."""
    assert len(FEEDS) == 2
    for feed in FEEDS:
        path = feed.address.replace("{tournament}", event.tournament)
        for role in ("", "arbiter"):
            status, kind, body = event.http.wait(listen(event, path, role))
            if status != 200:
                assert (status, kind, role) == (401, "application/problem+json", "")
                assert json.loads(body)["status"] == 401
                continue
            assert kind == "text/event-stream; charset=utf-8"
            first, *messages, rest = body.decode().split("\n\n")
            assert rest == ""
            assert first.startswith("retry: ")
            for message in [first.partition("\n")[2], *messages]:
                fields = dict(line.split(": ", 1) for line in message.split("\n"))
                assert set(fields) == {"id", "event", "data"}
                assert fields["event"] == ("fact" if role else "change")
                assert isinstance(json.loads(fields["data"]), dict)


async def listen(hall: Hall, path: str, role: str) -> tuple[int, str, bytes]:
    """Status, type and what came of a feed from its beginning, until its first part is there."""
    heard, done = b"", asyncio.Event()
    begun: dict[str, Any] = {}

    async def send(message: Any) -> None:
        nonlocal heard
        begun.update(message if message["type"] == "http.response.start" else {})
        heard += message.get("body", b"")
        if b"data:" in heard or not message.get("more_body", True):
            done.set()

    async def receive() -> Any:
        await asyncio.wait_for(done.wait(), 20)
        return {"type": "http.disconnect"}

    key = [(b"authorization", f"Bearer {hall.keys[role]}".encode())] if role else []
    scope = {
        "type": "http", "method": "GET", "path": path, "query_string": b"after=0",
        "headers": [(b"host", b"127.0.0.1"), *key], "client": ("127.0.0.1", 1), "scheme": "http",
    }  # fmt: skip
    await hall.http.app(scope, receive, send)
    kind = dict(begun["headers"])[b"content-type"].decode()
    return begun["status"], kind, heard
