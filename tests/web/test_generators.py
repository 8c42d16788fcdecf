"""Linters and generators over the description as it is served, and tournaments run by generated clients.

`.ci/tools` installs them into a cache outside the tree; without them these tests are skipped.
"""

import os
import shutil
import subprocess
from pathlib import Path

import pytest

from paircard.service import Office
from tests.cli.session import Terminal
from tests.web.hall import NAMES, hall_at
from tests.web.running import running

CACHE = Path(os.environ.get("XDG_CACHE_HOME", Path.home() / ".cache"))
TOOLS = Path(os.environ.get("PAIRCARD_TOOLS", CACHE / "paircard-tools"))
NODE, PYTHON = TOOLS / "node_modules", TOOLS / "python/bin"
PROGRAMS = Path(__file__).parent.parent / "client/generated"
node = pytest.mark.skipif(
    not (NODE / "typescript").exists() or not shutil.which("node"), reason="no node tools: run .ci/tools"
)
python = pytest.mark.skipif(
    not (PYTHON / "openapi-python-client").exists(), reason="no openapi-python-client: run .ci/tools"
)
NDJSON = "content_type_overrides:\n  application/x-ndjson: text/plain\n  text/event-stream: text/plain\n"


@pytest.fixture(scope="module")
def folder(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A folder with the description in it."""
    made = tmp_path_factory.mktemp("generated")
    with hall_at(str(made / "events.db")) as hall:
        (made / "openapi.json").write_bytes(hall.call("GET", "/openapi.json").content)
    (made / "spectral.yaml").write_text('extends: ["spectral:oas"]\n')
    (made / "python.yaml").write_text(NDJSON)
    (made / "tsconfig.json").write_text(
        '{"compilerOptions": {"strict": true, "skipDefaultLibCheck": true, "target": "es2022",'
        ' "module": "commonjs", "outDir": "out",'
        ' "moduleResolution": "node10", "types": ["node"], "lib": ["es2022", "dom", "dom.iterable"],'
        f' "typeRoots": ["{NODE}/@types"]}}, "include": ["tournament.ts", "openapi.d.ts"]}}'
    )
    return made


def run(folder: Path, *words: str | Path) -> str:
    """What a program prints; it has to end well."""
    place = {"PATH": f"{PYTHON}:{os.environ['PATH']}", "REDOCLY_TELEMETRY": "off", "CI": "1"}
    done = subprocess.run(
        [str(word) for word in words],
        cwd=folder,
        env=os.environ | place,
        capture_output=True,
        text=True,
        timeout=300,
    )
    assert not done.returncode, done.stdout + done.stderr
    return done.stdout + done.stderr


def program(name: str) -> Path:
    return NODE / ".bin" / name


@node
def test_spectral_finds_no_error(folder: Path) -> None:
    words = ("lint", "openapi.json", "--ruleset", "spectral.yaml", "--fail-severity", "error")
    run(folder, program("spectral"), *words)


@node
def test_redocly_finds_no_error(folder: Path) -> None:
    assert "is valid" in run(folder, program("redocly"), "lint", "openapi.json")


@python
def test_a_generated_python_client_runs_a_tournament_as_the_command_line_does(folder: Path) -> None:
    said = run(
        folder, PYTHON / "openapi-python-client", "generate", "--path", "openapi.json", "--meta", "none",
        "--output-path", "api", "--config", "python.yaml",
    )  # fmt: skip
    assert "WARNING" not in said, said
    shutil.copy(PROGRAMS / "tournament.py", folder)
    same_as_the_command_line(folder, PYTHON / "python", "tournament.py")


@pytest.mark.slow
@node
def test_a_generated_typescript_client_compiles_and_runs_a_tournament_as_the_command_line_does(
    tmp_path: Path, folder: Path
) -> None:
    for one in ("openapi.json", "tsconfig.json"):
        shutil.copy(folder / one, tmp_path)
    shutil.copy(PROGRAMS / "tournament.ts", tmp_path)
    run(tmp_path, program("openapi-typescript"), "openapi.json", "-o", "openapi.d.ts")
    run(tmp_path, program("openapi-ts"), "-i", "openapi.json", "-o", "api", "--no-log-file")
    run(tmp_path, program("tsc"), "-p", ".")
    same_as_the_command_line(tmp_path, "node", "out/tournament.js")


def same_as_the_command_line(folder: Path, *words: str | Path) -> None:
    """The facts that a program records through the API are those of the same commands at the terminal."""
    location = str(folder / "programs.db")
    with running(location, folder / "log") as server:
        id = run(folder, *words, server.base, server.key_for()).strip()
    desk, here = Terminal(folder), str(folder / "desk.db")
    desk.ok("new", "Blitz", "--rounds", "3", "--db", here)
    for at, name in enumerate(NAMES):
        desk.ok("player", "add", name, "--rating", str(2100 - 50 * at), "--db", here)
    desk.ok("draw", "--colour", "white", "--db", here)
    with Office.open(here) as office:
        [its] = office.tournaments()
        for round in (1, 2, 3):
            desk.ok("pair", str(round), "--db", here)
            desk.ok("publish", str(round), "--db", here)
            for one in office.tournament(its.id).now().boards(round).boards:
                assert one.black is not None
                won = "1-0" if one.white.rating > one.black.rating else "½-½"
                desk.ok("result", str(round), str(one.board), won, "--db", here)
        desk.ok("close", "--db", here)
        expected = [one.fact for one in office.tournament(its.id).now().facts]
    with Office.open(location) as office:
        found = [one.fact for one in office.tournament(id).now().facts]
    assert found == expected
    assert len(found) > 30
