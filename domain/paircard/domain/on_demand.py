"""Names of a package that are imported when they are first asked for (PEP 562).

So a room of a package does not load all the others.
"""

from collections.abc import Callable, Mapping, Sequence
from importlib import import_module
from typing import Any


def on_demand(
    package: str, public: Sequence[str], rooms: Mapping[str, str]
) -> tuple[Callable[[str], Any], Callable[[], list[str]]]:
    """``__getattr__`` and ``__dir__`` of a package: its public names, and the modules they are in.

    ``PairingSheet=Sheet`` is the class ``Sheet`` of its module under a public name of its own.
    """
    places = {
        name.partition("=")[0]: (room, name.rpartition("=")[2])
        for room, names in rooms.items()
        for name in names.split()
    }

    def get(name: str) -> Any:
        if name not in places:
            raise AttributeError(f"module {package!r} has no attribute {name!r}")
        room, inner = places[name]
        return getattr(import_module(room), inner)

    return get, lambda: sorted(public)
