"""Public names of a package that are imported when they are first asked for (PEP 562).

So a room of a package does not load all the others. The names stand once, in the stub beside the package
(``__init__.pyi``), where type checkers find them, too.
"""

import re
import sys
from collections.abc import Callable
from importlib import import_module
from typing import Any


def on_demand(package: str, file: str) -> tuple[Callable[[str], Any], Callable[[], list[str]]]:
    """``__getattr__`` and ``__dir__`` of the package in a file."""
    with open(f"{file.rpartition('.')[0]}.pyi", encoding="utf-8") as stub:
        named = re.findall(r"^from (\S+) import (\S+)", stub.read(), re.MULTILINE)
    places = {name: room for room, name in named if name != "*"}
    whole = [room for room, name in named if name == "*"]

    def get(name: str) -> Any:
        if name == "__all__":
            return public()
        home = places.get(name, "")
        if not home and name[:1].isupper():
            home = next((room for room in whole if name in import_module(room).__all__), "")
        if not home:
            raise AttributeError(f"module {package!r} has no attribute {name!r}")
        value = getattr(import_module(home), name)
        setattr(sys.modules[package], name, value)  # from now on found without asking
        return value

    def public() -> list[str]:
        return sorted([*places, *(name for room in whole for name in import_module(room).__all__)])

    return get, public
