"""The client for programs: what it needs, and how it hears a feed."""

import inspect
import os
import subprocess
import sys
from contextlib import aclosing
from pathlib import Path
from typing import Any

import httpx
import pytest

from paircard.web.client import AsyncClient, Client, Event, NoAnswer, events, lines
from tests.roots import PYTHONPATH
from tests.web.hall import hall_at
from tests.web.running import running


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
        assert list(events(lines(parts))) == whole


async def whole_event(base: str, key: str, client: Any) -> list[str]:
    """A tournament of one round, and what its feed says."""
    regulations, details = client["Regulations"], ({"name": "Ada"}, {"name": "Ben"})
    async with client["AsyncClient"](base, key=key) as its:
        event = (await its.open(regulations(name="Blitz", rounds=1))).id
        await its.send(event, *({"do": "register-player", "details": one} for one in details))
        version = (await its.send(event, {"do": "draw-initial-colour", "colour": "w"})).version
        for verb in ("pair-round", "publish-round"):
            version = (await its.send(event, {"do": verb, "round": 1}, expected=version)).version
        [board] = (await its.round(event, 1)).boards
        await its.send(event, {"do": "record-result", "round": 1, "board": board.board, "outcome": "1-0"})
        heard = []
        async with aclosing(its.follow(event, after=0)) as feed:
            async for message in feed:
                heard.append(message.data["fact"]["type"])
                if heard[-1] == "result-recorded":
                    break
    return heard


def test_asyncio_has_every_call_of_the_client() -> None:
    def calls(kind: type) -> set[str]:
        return {name for name in vars(kind) if not name.startswith("_")}

    assert calls(Client) - calls(AsyncClient) == {"request"}


NEEDED = (
    "httpx",
    "httpcore",
    "h11",
    "certifi",
    "idna",
    "anyio",
    "sniffio",
    "msgspec",
    "typing_extensions.py",
)
PROGRAM = """
import asyncio, sys
from contextlib import aclosing
from paircard.domain.values.regulations import Regulations
from paircard.web.client import AsyncClient
{source}
print(*asyncio.run(whole_event(sys.argv[1], sys.argv[2], globals())))
print(*sorted({{"eventsourcing", "starlette", "click", "jinja2"}} & set(sys.modules)))
"""


def test_a_tournament_is_run_where_nothing_but_httpx_and_msgspec_is_installed(tmp_path: Path) -> None:
    packages, bare = Path(httpx.__file__).parent.parent, tmp_path / "bare"
    bare.mkdir()
    for name in NEEDED:
        if (packages / name).exists():
            (bare / name).symlink_to(packages / name)
    source = "from typing import Any\n" + inspect.getsource(whole_event)
    (tmp_path / "program.py").write_text(PROGRAM.format(source=source))
    with running(str(tmp_path / "open.db"), tmp_path / "log") as server:
        done = subprocess.run(
            [sys.executable, "-S", "program.py", server.base, server.key_for()],
            cwd=tmp_path,
            env={"PYTHONPATH": os.pathsep.join([str(bare), PYTHONPATH]), "PATH": os.environ["PATH"]},
            capture_output=True,
            text=True,
            timeout=120,
        )

    assert not done.stderr, done.stderr
    said, loaded = done.stdout.split("\n")[:2]
    assert said.split()[0] == "tournament-opened"
    assert said.split()[-1] == "result-recorded"
    assert not loaded
