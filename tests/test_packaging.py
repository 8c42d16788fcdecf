"""What installs: one clean package, with every module and the data it needs."""

import subprocess
import sys
import tomllib
import zipfile

import pytest

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


def test_the_console_script_names_a_function_that_exists(wheel: zipfile.ZipFile) -> None:
    [entry_points] = [name for name in wheel.namelist() if name.endswith("entry_points.txt")]

    assert "paircard = paircard.cli.main:main" in wheel.read(entry_points).decode()
    from paircard.cli.main import main

    assert callable(main)


def test_the_licence_and_the_oldest_python_are_declared() -> None:
    project = tomllib.loads((ROOT / "pyproject.toml").read_text(encoding="utf-8"))["project"]

    assert project["license"] == "Apache-2.0"
    assert project["requires-python"] == ">=3.11"
