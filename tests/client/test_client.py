"""The client for programs: what it needs, and how it hears a feed."""

import os
import subprocess
import sys
from pathlib import Path

import httpx
import pytest

from paircard.web.client import AsyncClient, Client, Event, Messages, NoAnswer, NotUnderstood
from tests.apart import awaited
from tests.roots import PYTHONPATH
from tests.web.hall import hall_at


def test_without_httpx_the_way_to_get_it_is_told() -> None:
    script = "import sys; sys.modules['httpx'] = None; import paircard.web.client"
    done = subprocess.run([sys.executable, "-c", script], capture_output=True, text=True, check=False)
    assert done.stderr.endswith("which is not installed: pip install 'paircard[client]'\n")


def test_the_client_needs_httpx_and_msgspec_and_nothing_else_of_the_product() -> None:
    question = (
        "import sys, httpx, msgspec; before = set(sys.modules); import paircard.web.client; "
        "print(*sorted({name.partition('.')[0] for name in set(sys.modules) - before} "
        "- set(sys.stdlib_module_names)))"
    )
    found = subprocess.run(
        [sys.executable, "-c", question],
        env=os.environ | {"PYTHONPATH": PYTHONPATH},
        capture_output=True,
        text=True,
        check=True,
    )

    assert found.stdout.split() == ["paircard"]


def test_a_server_that_is_not_there_is_a_connection_error() -> None:
    with Client("http://127.0.0.1:9") as client, pytest.raises(NoAnswer):
        client.tournaments()
    assert issubclass(NoAnswer, OSError)


OPENED = (
    b'{"version":1,"repeated":false,"facts":[{"fact":{"type":"player-cloned"}}],"lines":[],"already":[],"advice":[],'
    b'"remains":null}'
)


def answers(status: int, body: bytes) -> httpx.MockTransport:
    return httpx.MockTransport(lambda _: httpx.Response(status, content=body))


def test_what_a_newer_server_answers_is_told_as_done_and_kept() -> None:
    def sent() -> None:
        with Client("http://club.example", transport=answers(201, OPENED)) as client:
            client.send("0", {"do": "undo"})

    async def sent_at_leisure() -> None:
        async with AsyncClient("http://club.example", transport=answers(201, OPENED)) as client:
            await client.send("0", {"do": "undo"})

    for call in (sent, lambda: awaited(sent_at_leisure())):
        with pytest.raises(NotUnderstood, match=r"201: it was done.*player-cloned") as told:
            call()
        assert (told.value.status, told.value.body) == (201, OPENED)


@pytest.mark.parametrize("status", [502, 503, 504])
def test_a_proxy_whose_server_is_away_is_no_answer_and_asked_again(status: int) -> None:
    asked: list[httpx.Request] = []

    def away(request: httpx.Request) -> httpx.Response:
        asked.append(request)
        if len(asked) == 1:
            return httpx.Response(status, html="<h1>Bad Gateway</h1>")
        return httpx.Response(200, content=OPENED.replace(b'{"fact":{"type":"player-cloned"}}', b""))

    with Client("http://club.example", transport=httpx.MockTransport(away)) as client:
        assert client.send("0", {"do": "undo"}).version == 1
        asked.clear()
        with pytest.raises(NoAnswer, match="proxy"):
            client.tournaments()
    with (
        Client("http://club.example", transport=answers(403, b"<h1>No")) as client,
        pytest.raises(NotUnderstood, match="403"),
    ):
        client.tournaments()


def test_a_client_that_was_closed_connects_again(tmp_path: Path) -> None:
    with hall_at(str(tmp_path / "open.db")) as hall:
        client = hall.as_("arbiter")
        client.close()
        assert client.tournaments().tournaments == ()
        client.close()
        client.close()


def test_a_message_comes_whole_however_it_was_cut_and_whatever_its_text() -> None:
    text = 'retry: 3000\n:\n\nid: 7\nevent: fact\ndata: {"why":"Zeile\u2028zwei\x85"}\n\nid: 8\ndata: 1\n\n'
    stream = text.encode()
    whole = [Event("7", "fact", {"why": "Zeile\u2028zwei\x85"}), Event("8", "message", 1)]

    for size in (1, 2, 7, len(stream)):
        parts = [stream[at : at + size] for at in range(0, len(stream), size)]
        messages = Messages()
        assert [event for part in parts for event in messages.taken(part)] == whole


def test_asyncio_has_every_call_of_the_client() -> None:
    def calls(kind: type) -> set[str]:
        return {name for name in vars(kind) if not name.startswith("_")}

    assert calls(Client) - calls(AsyncClient) == {"request"}
