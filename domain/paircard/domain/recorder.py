"""The recorder of the ``eventsourcing`` library for SQLite, without the rest of the library.

Its module of recorders takes four names from the one of aggregates: an error to derive from, and three for
annotations. To make all those aggregates takes longer than to pair three hundred players, and nothing here
has any. So the four stand in for that module while the recorder is imported. What was imported so is kept
here alone: whoever imports ``eventsourcing`` elsewhere gets the whole of it, as if this had not been.
"""

import sys
from collections.abc import Iterator
from contextlib import contextmanager
from importlib import import_module
from types import ModuleType
from typing import Any, Final, Generic, TypeVar

LIBRARY: Final = "eventsourcing"
AGGREGATES: Final = "eventsourcing.domain"

_Id = TypeVar("_Id")


class _Event(Generic[_Id]):
    """Stands in annotations for whatever has an id and a version."""


class _Error(Exception):
    """From which the recorder's errors derive."""


class StandIn(ModuleType):
    """The four names; any other is taken from the real module, for a recorder that should want more."""

    DomainEventProtocol = HasOriginatorIDVersion = _Event
    EventSourcingError = _Error
    TAggregateID = _Id

    def __getattr__(self, name: str) -> Any:
        if name.startswith("__"):
            raise AttributeError(name)
        if sys.modules.get(AGGREGATES) is self:
            del sys.modules[AGGREGATES]
        return getattr(import_module(AGGREGATES), name)


@contextmanager
def without_aggregates() -> Iterator[None]:
    """Let the library be imported without its aggregates, unless they are there already; leave no trace."""
    if AGGREGATES in sys.modules:
        yield
        return
    before = parts_of_the_library()
    sys.modules[AGGREGATES] = StandIn(AGGREGATES)
    try:
        yield
    finally:
        for name in parts_of_the_library():
            del sys.modules[name]
        sys.modules.update(before)


def parts_of_the_library() -> dict[str, ModuleType]:
    """Its modules imported so far."""
    return {name: module for name, module in sys.modules.items() if name.partition(".")[0] == LIBRARY}


with without_aggregates():
    from eventsourcing.persistence import StoredEvent
    from eventsourcing.sqlite import SQLiteApplicationRecorder, SQLiteCursor, SQLiteDatastore

__all__ = ["SQLiteApplicationRecorder", "SQLiteCursor", "SQLiteDatastore", "StoredEvent"]
