"""Programs in the documents are typed: mypy and pyright find nothing in them, as strict as they can be."""

import json
import os
import subprocess
import sys
from pathlib import Path

import pytest

from tests.documents import blocks, document
from tests.roots import LAYERS, ROOT
from tests.web.test_generators import node, program

DOCUMENTS = [
    path
    for path in (ROOT / "README.md", *ROOT.glob("*/*.md"))
    if path.parent == ROOT or path.parent.name in ("docs", *LAYERS)
]


@pytest.fixture(scope="module")
def folder(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """Every Python program of every document, a file each."""
    made = tmp_path_factory.mktemp("examples")
    for path in DOCUMENTS:
        for number, text in enumerate(blocks(document(str(path.relative_to(ROOT))), "python")):
            name = f"{path.parent.name}_{path.stem}_{number}.py".replace("-", "_")
            (made / name).write_text(text, encoding="utf-8")
    assert len(list(made.iterdir())) > 10
    return made


@pytest.mark.slow
def test_mypy_finds_nothing(folder: Path) -> None:
    words = ("-m", "mypy", "--strict", "--config-file", "", "--namespace-packages", ".")
    place = os.environ | {"MYPYPATH": os.pathsep.join(str(ROOT / layer) for layer in LAYERS)}
    done = subprocess.run([sys.executable, *words], cwd=folder, env=place, capture_output=True, text=True)

    assert not done.returncode, done.stdout + done.stderr


@pytest.mark.slow
@node
def test_pyright_finds_nothing(folder: Path) -> None:
    (folder / "pyrightconfig.json").write_text(
        json.dumps({"typeCheckingMode": "strict", "extraPaths": [str(ROOT / layer) for layer in LAYERS]})
    )
    words = (program("pyright"), "--pythonpath", sys.executable)
    done = subprocess.run(words, cwd=folder, capture_output=True, text=True, timeout=300)

    assert not done.returncode, done.stdout + done.stderr
