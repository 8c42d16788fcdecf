"""The client alone, as deploy/client builds it: nothing of ours beside it, and no library but its own two."""

import os
import subprocess
import sys
import tomllib
import venv
import zipfile
from importlib.util import find_spec
from pathlib import Path
from typing import Any

import pytest

from paircard.domain.version import VERSION
from tests.documents import document
from tests.roots import ROOT
from tests.web.running import running

CALLER = ROOT / "tests/client/caller.py"
LIBRARIES = (
    "httpx",
    "httpcore",
    "h11",
    "anyio",
    "sniffio",
    "idna",
    "certifi",
    "msgspec",
    "typing_extensions",
)
"""httpx and msgspec, and what they need in one version or another."""


@pytest.fixture(scope="module")
def wheel(tmp_path_factory: pytest.TempPathFactory) -> zipfile.ZipFile:
    out = tmp_path_factory.mktemp("wheel")
    build = f"import hatchling.build; hatchling.build.build_wheel({str(out)!r})"
    subprocess.run([sys.executable, "-c", build], cwd=ROOT / "deploy/client", check=True, capture_output=True)
    [path] = out.glob("*.whl")
    assert path.name == f"paircard_client-{VERSION}-py3-none-any.whl"
    return zipfile.ZipFile(path)


@pytest.fixture(scope="module")
def there(wheel: zipfile.ZipFile, tmp_path_factory: pytest.TempPathFactory) -> Path:
    """An environment that has the client and those libraries."""
    place = tmp_path_factory.mktemp("there")
    venv.create(place, with_pip=False)
    [site] = place.glob("lib/python*/site-packages")
    wheel.extractall(site)
    for library in LIBRARIES:
        if (found := find_spec(library)) and found.origin:
            part = Path(found.origin)
            part = part.parent if found.submodule_search_locations else part
            (site / part.name).symlink_to(part)
    return place


def test_a_tournament_is_run_and_looked_at_with_the_client_alone(there: Path, tmp_path: Path) -> None:
    with running(str(tmp_path / "open.db"), tmp_path / "log") as server:
        words = [str(there / "bin/python"), "-I", str(CALLER), server.base, server.key_for()]
        done = subprocess.run(words, capture_output=True, text=True, timeout=120)

    assert not done.stderr, done.stderr
    refused, first, second, place = done.stdout.splitlines()
    assert refused == "401 /problems/not-signed-in"
    assert (first, second) == ("1 Ada 1", "2 Ben 0")
    assert place == str(next(there.glob("lib/python*/site-packages")))


@pytest.mark.slow
def test_its_program_type_checks_strictly(there: Path) -> None:
    words = ("-m", "mypy", "--strict", "--no-incremental", "--config-file", "", CALLER)
    done = subprocess.run(
        [sys.executable, *words, "--python-executable", there / "bin/python"],
        cwd=there, capture_output=True, text=True, env={"PATH": os.environ["PATH"]},
    )  # fmt: skip

    assert done.stdout.splitlines()[-1:] == ["Success: no issues found in 1 source file"], done


def project(path: str) -> Any:
    return tomllib.loads((ROOT / path).read_text(encoding="utf-8"))["project"]


def test_it_is_paircard_in_small(wheel: zipfile.ZipFile) -> None:
    """An alternative to paircard: of its own only what an index asks."""
    files = {name for name in wheel.namelist() if ".dist-info/" not in name}
    small, whole = project("deploy/client/pyproject.toml"), project("pyproject.toml")

    assert {name.split("/")[0] for name in files} == {"paircard"}
    assert all(wheel.read(name) == (ROOT / name.split("/")[1] / name).read_bytes() for name in files)
    assert {f"paircard/{room}/py.typed" for room in ("domain", "projections", "service", "web")} <= files
    assert not [name for name in wheel.namelist() if name.endswith("entry_points.txt")]
    assert f"paircard_client-{VERSION}.dist-info/licenses/LICENSE" in wheel.namelist()
    assert small["dependencies"] == whole["optional-dependencies"]["client"]
    for same in ("license", "requires-python"):
        assert small[same] == whole[same]
    assert "pip install paircard-client" in document("docs/http.md")
