"""The shape of the house: imports go one way, and the namespace stays open."""

import ast
import re
from pathlib import Path

import pytest

from tests.roots import DOORS, LAYERS, ROOT


def imported_modules(path: Path) -> set[str]:
    tree = ast.parse(path.read_text(encoding="utf-8"))
    names = set()
    for node in ast.walk(tree):
        if isinstance(node, ast.Import):
            names |= {alias.name for alias in node.names}
        elif isinstance(node, ast.ImportFrom):
            assert node.level == 0, f"{path}: relative import"
            names.add(node.module or "")
    return names


@pytest.mark.parametrize("layer", LAYERS)
def test_a_layer_imports_only_what_stands_to_its_left(layer: str) -> None:
    others = set(DOORS) - {layer} if layer in DOORS else set()
    allowed = set(LAYERS[: LAYERS.index(layer) + 1]) - others
    for path in (ROOT / layer).rglob("*.py"):
        for name in imported_modules(path):
            if name.startswith("paircard."):
                assert name.split(".")[1] in allowed, f"{path} imports {name}"


SYSTEM = re.compile(
    r"\bos\.(name|fchmod|chmod|statvfs|pwrite|pread|getuid|geteuid|O_RDONLY|O_BINARY|replace|uname)\b"
    r"|\bsys\.(platform|getwindowsversion)\b|\bplatform\.system\b|\b(fcntl|msvcrt|winreg|resource)\."
    r"|import (fcntl|msvcrt|winreg|resource|ctypes)\b|\bsignal\.(SIGTERM|SIGBREAK|SIGHUP)\b"
)
"""Calls that one system has and another has not, or does otherwise."""


@pytest.mark.parametrize("layer", LAYERS)
def test_only_one_room_knows_that_systems_differ(layer: str) -> None:
    room = ROOT / "domain/paircard/domain/system.py"
    told = {
        f"{path}:{number}: {line.strip()}"
        for path in (ROOT / layer).rglob("*.py")
        if path != room
        for number, line in enumerate(path.read_text(encoding="utf-8").splitlines(), 1)
        if SYSTEM.search(line)
    }

    assert not told
    assert SYSTEM.search(room.read_text(encoding="utf-8"))


def test_the_dutch_kernel_sees_the_snapshot_messages_and_tables_of_values_and_nothing_else_of_ours() -> None:
    values = {"paircard.domain.values.results", "paircard.domain.values.rules"}
    seen = {"paircard.domain.messages", "paircard.projections.round.snapshot", *values}
    for path in (ROOT / "pairing/paircard/pairing/dutch").rglob("*.py"):
        for name in imported_modules(path):
            if name.startswith("paircard.") and not name.startswith("paircard.pairing"):
                assert name in seen, f"{path} imports {name}"


@pytest.mark.parametrize("layer", LAYERS)
def test_no_init_file_hides_the_other_parts_of_the_namespace(layer: str) -> None:
    assert (ROOT / layer / "paircard" / layer / "__init__.py").exists()
    assert not (ROOT / layer / "paircard" / "__init__.py").exists()
