"""Packages whose public names are imported when they are first asked for (PEP 562)."""

import sys
from collections.abc import Callable, Mapping, Sequence
from importlib import import_module
from typing import Any


def on_demand(
    package: str, rooms: Mapping[str, str], whole: Sequence[str] = ()
) -> tuple[Callable[[str], Any], Callable[[], list[str]]]:
    """``__getattr__`` and ``__dir__`` of a package, from its public names by their modules.

    All classes that a module of ``whole`` lists in its ``__all__`` are public, too; each of these modules
    imports those before it.
    """
    places = {name: room for room, names in rooms.items() for name in names.split()}

    def public() -> list[str]:
        return sorted([*places, *(name for room in whole for name in import_module(room).__all__)])

    def get(name: str) -> Any:
        if name == "__all__":
            return public()
        wide = whole if name[0].isupper() else ()  # in small letters Python looks for modules
        room = places.get(name) or next((one for one in wide if name in import_module(one).__all__), "")
        if not room:
            raise AttributeError(f"module {package!r} has no attribute {name!r}")
        value = getattr(import_module(room), name)
        setattr(sys.modules[package], name, value)  # from now on found without asking
        return value

    return get, public
