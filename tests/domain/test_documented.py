"""What ``domain/README.md`` promises is what the code does."""

import ast
import re
from pathlib import Path

from paircard.domain.events import EVENT_TYPES
from paircard.domain.log.backends.sqlite_file import APPLICATION_ID, FORMAT

DOMAIN = Path(__file__).parent.parent.parent / "domain"
README = (DOMAIN / "README.md").read_text(encoding="utf-8")


def section(title: str) -> str:
    return README.split(f"\n## {title}\n")[1].split("\n## ")[0]


def warnings_in_the_code() -> set[tuple[int, str]]:
    found = set()
    for path in (DOMAIN / "paircard/domain").rglob("*.py"):
        for node in ast.walk(ast.parse(path.read_text(encoding="utf-8"))):
            match node:
                case ast.Call(
                    func=ast.Name("Caution"), args=[ast.Constant(int(level)), ast.Constant(str(code)), *_]
                ):
                    found.add((level, code))
                case ast.Call(func=ast.Name("level_five"), args=[_, ast.Constant(str(code)), *_]):
                    found.add((4, code))
                case _:
                    pass
    return found


def test_every_fact_is_documented_and_no_other() -> None:
    documented = set(re.findall(r"`([a-z-]+)`", section("Facts")))

    assert documented == {str(kind.__struct_config__.tag) for kind in EVENT_TYPES}


def test_every_warning_is_documented_with_its_level() -> None:
    documented = {
        (int(row.split("|")[1]), code)
        for row in section("Warnings").splitlines()
        if re.match(r"\| \d", row)
        for code in re.findall(r"`([a-z-]+)`", row)
    }

    assert documented == warnings_in_the_code()


def test_the_file_is_documented() -> None:
    assert f"`0x{APPLICATION_ID:08X}`" in section("The file")
    assert f"`user_version` {FORMAT}" in section("The file")


def test_every_module_is_on_the_map() -> None:
    modules = {path.stem for path in (DOMAIN / "paircard/domain").rglob("*.py")} - {"__init__"}

    assert modules <= set(re.findall(r"`([a-z_]+)`", README.split("\n## ")[0]))
