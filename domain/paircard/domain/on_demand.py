"""Public names of a package that are imported when they are first asked for (PEP 562).

So a room of a package does not load all the others.
"""

import sys
from collections.abc import Callable, Mapping
from importlib import import_module
from typing import Any


def on_demand(
    package: str, rooms: Mapping[str, str]
) -> tuple[Callable[[str], Any], Callable[[], list[str]], list[str]]:
    """``__getattr__``, ``__dir__`` and ``__all__`` of a package, from its public names by their modules."""
    places = {name: room for room, names in rooms.items() for name in names.split()}

    def get(name: str) -> Any:
        if name not in places:
            raise AttributeError(f"module {package!r} has no attribute {name!r}")
        value = getattr(import_module(places[name]), name)
        setattr(sys.modules[package], name, value)  # from now on found without asking
        return value

    public = sorted(places)
    return get, lambda: public, public
