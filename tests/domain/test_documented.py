"""What ``domain/README.md`` promises is what the code does."""

import re
from pathlib import Path

from paircard.domain.deciding.decision import CAUTIONS
from paircard.domain.events import EVENT_TYPES
from paircard.domain.log.backends.sqlite import APPLICATION_ID, FORMAT

DOMAIN = Path(__file__).parent.parent.parent / "domain"
README = (DOMAIN / "README.md").read_text(encoding="utf-8")


def section(title: str) -> str:
    return README.split(f"\n## {title}\n")[1].split("\n## ")[0]


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

    assert documented == {(level, code) for code, level in CAUTIONS.items()}


def test_the_file_is_documented() -> None:
    assert f"`0x{APPLICATION_ID:08X}`" in section("The file")
    assert f"`user_version` {FORMAT}" in section("The file")


def test_every_module_is_on_the_map() -> None:
    modules = {path.stem for path in (DOMAIN / "paircard/domain").rglob("*.py")} - {"__init__"}

    assert modules <= set(re.findall(r"`([a-z_]+)`", README.split("\n## ")[0]))


def test_every_warning_is_given_by_some_decision() -> None:
    """A code in the table that nothing raises would be a promise without a deed: each stands twice."""
    code = "".join(
        path.read_text(encoding="utf-8")
        for room in ("domain", "service")
        for path in (DOMAIN.parent / room).rglob("*.py")
    )

    assert [one for one in CAUTIONS if len(re.findall(f'"{one}[".]', code)) < 2] == []
