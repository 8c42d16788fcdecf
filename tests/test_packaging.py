"""What installs: one clean package, with every module and the data it needs."""

import os
import shutil
import subprocess
import sys
import tomllib
import venv
import zipfile
from pathlib import Path

import msgspec
import pytest

from paircard.domain.version import VERSION
from tests.refusals import sentence
from tests.roots import LAYERS, ROOT


@pytest.fixture(scope="module")
def wheel(tmp_path_factory: pytest.TempPathFactory) -> zipfile.ZipFile:
    out = tmp_path_factory.mktemp("wheel")
    build = f"import hatchling.build; print(hatchling.build.build_wheel({str(out)!r}))"
    subprocess.run([sys.executable, "-c", build], cwd=ROOT, check=True, capture_output=True)
    [path] = out.glob("*.whl")
    return zipfile.ZipFile(path)


def test_the_wheel_holds_nothing_but_the_package_and_its_licence(wheel: zipfile.ZipFile) -> None:
    tops = {name.split("/")[0] for name in wheel.namelist()}

    assert {top for top in tops if not top.endswith(".dist-info")} == {"paircard"}
    assert any(name.endswith("licenses/LICENSE") for name in wheel.namelist())


def test_the_wheel_holds_every_module_of_every_layer(wheel: zipfile.ZipFile) -> None:
    modules = {
        str(path.relative_to(ROOT / layer)) for layer in LAYERS for path in (ROOT / layer).rglob("*.py")
    }

    assert modules <= set(wheel.namelist())
    assert "paircard/__init__.py" not in wheel.namelist()


def test_every_layer_ships_its_types(wheel: zipfile.ZipFile) -> None:
    for layer in LAYERS:
        assert f"paircard/{layer}/py.typed" in wheel.namelist()


def test_a_client_program_type_checks_strictly_against_the_installed_wheel(
    wheel: zipfile.ZipFile, tmp_path: Path
) -> None:
    """As another project sees it: the wheel in an environment of its own, none of our sources in sight."""
    venv.create(tmp_path / "venv", with_pip=False)
    [site] = (tmp_path / "venv").glob("lib/python*/site-packages")
    wheel.extractall(site)
    (site / "dependencies.pth").write_text(f"{Path(msgspec.__file__).parent.parent}\n", encoding="utf-8")
    shutil.copy(ROOT / "tests/client/program.py", tmp_path / "program.py")

    checked = subprocess.run(
        [
            *(sys.executable, "-m", "mypy", "--strict", "--no-incremental"),
            *("--python-executable", str(tmp_path / "venv/bin/python"), "--config-file", "", "program.py"),
        ],
        cwd=tmp_path,
        capture_output=True,
        text=True,
        env={"PATH": os.environ["PATH"]},
    )

    assert checked.stdout.splitlines()[-1:] == ["Success: no issues found in 1 source file"], checked


def test_the_metadata_says_what_an_index_needs(wheel: zipfile.ZipFile) -> None:
    project = tomllib.loads((ROOT / "pyproject.toml").read_text(encoding="utf-8"))["project"]

    assert "Typing :: Typed" in project["classifiers"]
    changelog = (ROOT / "CHANGELOG.md").read_text(encoding="utf-8")
    assert f"\n## [{VERSION}]" in changelog, "the version of the package has its own section"
    assert f"paircard-{VERSION}.dist-info/METADATA" in wheel.namelist(), "the build has the same version"


def test_the_wheel_holds_templates_languages_and_what_browsers_load(wheel: zipfile.ZipFile) -> None:
    data = {
        str(path.relative_to(ROOT / layer))
        for layer in ("domain", "service", "web")
        for path in (ROOT / layer).rglob("*")
        if path.suffix in (".html", ".toml", ".css", ".js", ".svg")
    }

    assert data <= set(wheel.namelist())
    assert "paircard/domain/languages/it/page.toml" in data


def test_the_console_script_names_a_function_that_exists(wheel: zipfile.ZipFile) -> None:
    [entry_points] = [name for name in wheel.namelist() if name.endswith("entry_points.txt")]

    assert "paircard = paircard.cli.main:main" in wheel.read(entry_points).decode()
    from paircard.cli.main import main

    assert callable(main)


def test_the_licence_and_the_oldest_python_are_declared() -> None:
    project = tomllib.loads((ROOT / "pyproject.toml").read_text(encoding="utf-8"))["project"]

    assert project["license"] == "Apache-2.0"
    assert project["requires-python"] == ">=3.11"


@pytest.mark.soak
def test_pyinstaller_makes_a_program_with_our_hook(tmp_path: Path) -> None:
    venv.create(tmp_path / "venv", with_pip=True)
    programs = tmp_path / "venv/bin"
    subprocess.run([programs / "pip", "install", "-q", f"{ROOT}[web,proof]", "pyinstaller"], check=True)
    hooks = ("--additional-hooks-dir", f"{ROOT}/deploy/pyinstaller")
    words = [f"{programs}/pyinstaller", "--log-level", "ERROR", "--name", "paircard", *hooks]
    subprocess.run([*words, f"{ROOT}/cli/paircard/__main__.py"], cwd=tmp_path, check=True)

    def said(*words: str) -> str:
        program = tmp_path / "dist/paircard/paircard"
        return subprocess.run([program, *words], check=True, capture_output=True, text=True).stdout

    assert sentence("cli.demo.kept", file="") in said("demo")
    assert "Open a tournament." in said("--help"), "read in the source of the command"
    assert "--lan" in said("serve", "--help")


WITHOUT = """
import sys
sys.modules.update(dict.fromkeys(("uvicorn", "starlette")))
from paircard.cli.main import run
sys.exit(run(sys.argv[1:]))
"""


def without_the_server(folder: Path, *words: str, **environment: str) -> subprocess.CompletedProcess[str]:
    program = [sys.executable, "-c", WITHOUT, *words]
    given = {**os.environ, **environment}
    return subprocess.run(program, cwd=folder, env=given, capture_output=True, text=True, check=False)


@pytest.mark.parametrize("words", ["serve", "invite Anna", "webhook list", "--db open.db serve --port 9000"])
def test_what_needs_the_server_says_what_to_install(tmp_path: Path, words: str) -> None:
    ended = without_the_server(tmp_path, *words.split())

    assert ended.returncode == 1
    assert sentence("http.serving-needs", value="uvicorn") in ended.stderr


@pytest.mark.parametrize(
    ("words", "said"),
    [
        ("foo", "no such command 'foo'"),
        ("import", "no such command 'import'"),
        ("help foo", "no such command 'foo'"),
        ("help serve", "Serve the tournaments of a file"),
        ("serve --help", "Serve the tournaments of a file"),
    ],
)
def test_without_the_server_other_commands_are_found_as_ever(tmp_path: Path, words: str, said: str) -> None:
    ended = without_the_server(tmp_path, *words.split())

    assert said in ended.stdout + ended.stderr
    assert "uvicorn" not in ended.stderr


def test_without_the_server_tab_still_completes(tmp_path: Path) -> None:
    typed = {"_PAIRCARD_COMPLETE": "bash_complete", "COMP_WORDS": "paircard s", "COMP_CWORD": "1"}
    ended = without_the_server(tmp_path, **typed)

    assert "standings" in ended.stdout
    assert not ended.stderr
