"""Each extra alone, from the wheel, with the lowest and the newest versions it admits: installed and used.

`pytest -n 0 -s -m soak tests/test_extras.py`; it needs uv and the registry. The suite itself at the lowest:
`uv pip install --resolution lowest-direct -e '.[client,postgres,proof,web]'` in an environment of its own,
then pytest and what its files import, with those versions as constraints (`-c`).
"""

import os
import shutil
import subprocess
import sys
from collections.abc import Callable
from pathlib import Path

import pytest

from tests.postgres import Server
from tests.roots import ROOT
from tests.web.running import running

UV = shutil.which("uv") or "/opt/uv/bin/uv"
pytestmark = [pytest.mark.soak, pytest.mark.skipif(not Path(UV).exists(), reason="uv is not installed")]
LOOK = """
import sys
from paircard.web.client import Client
with Client(sys.argv[1]) as client:
    print(len(client.tournaments().tournaments))
print(sorted({"eventsourcing", "starlette", "jinja2"} & set(sys.modules)))  # click is loaded by httpx
"""
SERVE = """
import re, subprocess, sys, urllib.request
words = "-m paircard serve --db open.db --port 0 --no-browser --as Anna".split()
server = subprocess.Popen([sys.executable, *words], stdout=subprocess.PIPE, text=True)
home = re.search("http://[0-9.:]+", server.stdout.readline())[0]
print(urllib.request.urlopen(home + "/api/v1/health").status, urllib.request.urlopen(home).status)
server.terminate()
print(server.wait())
"""


@pytest.fixture(scope="module")
def wheel(tmp_path_factory: pytest.TempPathFactory) -> Path:
    out = tmp_path_factory.mktemp("wheel")
    build = f"import hatchling.build; hatchling.build.build_wheel({str(out)!r})"
    subprocess.run([sys.executable, "-c", build], cwd=ROOT, check=True, capture_output=True)
    [path] = out.glob("*.whl")
    return path


@pytest.fixture(params=["lowest-direct", "highest"])
def install(request: pytest.FixtureRequest, tmp_path: Path) -> Callable[..., Callable[..., str]]:
    """Installs into an environment of its own; gives what runs its Python there."""
    place = {name: value for name, value in os.environ.items() if not name.startswith("PYTHON")}

    def run(*words: str | Path) -> str:
        done = subprocess.run(words, cwd=tmp_path, env=place, capture_output=True, text=True, timeout=300)
        assert not done.returncode, done.stdout + done.stderr
        return done.stdout

    def made(*wanted: str) -> Callable[..., str]:
        if not (tmp_path / "there").exists():
            run(UV, "venv", "-q", "--python", sys.executable, "there")
        run(UV, "pip", "install", "-q", "--python", "there", "--resolution", request.param, *wanted)
        return lambda *rest: run(tmp_path / "there/bin/python", *rest)

    return made


Install = Callable[..., Callable[..., str]]


def test_nothing_more_runs_a_tournament_and_makes_tables(install: Install, wheel: Path) -> None:
    python = install(f"paircard @ {wheel.as_uri()}")
    python("-m", "paircard", "demo")
    python("-m", "paircard", "new", "Open", "--rounds", "3")
    for name in ("Ada", "Ben", "Cleo", "Dag"):
        python("-m", "paircard", "player", "add", name)
    python("-m", "paircard", "draw", "--colour", "white")
    assert "Ada" in python("-m", "paircard", "pair")
    python("-m", "paircard", "tables", "tables.db")
    assert '"state"' in python("-m", "paircard", "doctor", "--json")


def test_the_client_looks_at_a_server(install: Install, wheel: Path, tmp_path: Path) -> None:
    python = install(f"paircard[client] @ {wheel.as_uri()}")
    with running(str(tmp_path / "open.db"), tmp_path / "log") as server:
        assert python("-c", LOOK, server.base) == "0\n[]\n"


def test_the_client_alone_looks_at_a_server(install: Install, tmp_path: Path) -> None:
    python = install(str(ROOT / "deploy/client"))
    with running(str(tmp_path / "open.db"), tmp_path / "log") as server:
        assert python("-c", LOOK, server.base) == "0\n[]\n"
    there = {path.name for path in (tmp_path / "there").glob("lib/python*/site-packages/*")}
    assert "httpx" in there
    assert not {"eventsourcing", "starlette", "click"} & there


def test_proof_makes_a_key_and_a_checkpoint(install: Install, wheel: Path) -> None:
    python = install(f"paircard[proof] @ {wheel.as_uri()}")
    python("-m", "paircard", "key", "new", "club.example", "-o", "club.key")
    python("-m", "paircard", "new", "Open", "--rounds", "3")
    assert "club.example" in python("-m", "paircard", "checkpoint", "--key", "club.key")


def test_postgres_keeps_a_tournament(install: Install, wheel: Path, server: Server) -> None:
    python, place = install(f"paircard[postgres] @ {wheel.as_uri()}"), ("--db", server.fresh())
    python("-m", "paircard", "init", *place)
    python("-m", "paircard", "new", "Open", "--rounds", "3", *place)
    assert "Open" in python("-m", "paircard", "list", *place)


def test_web_serves(install: Install, wheel: Path) -> None:
    python = install(f"paircard[web] @ {wheel.as_uri()}")
    assert python("-c", SERVE) == "200 200\n0\n"
