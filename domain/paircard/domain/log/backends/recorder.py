"""The recorder of the ``eventsourcing`` library for SQLite, without the rest of the library.

Its modules of recorders take four names from the one of aggregates: an error to derive from, and three for
annotations and for a mapper that is not used here. To make all those aggregates takes longer than to pair
three hundred players, and nothing here has any. So four others stand in for them while the recorder is
imported.

This saves time and is needed for nothing: with a release whose recorder wants anything else of that module,
or where part of the library is imported already, the whole of it is imported as usual. What was imported in
the short way is kept here alone, so whoever imports ``eventsourcing`` afterwards gets all of it, as if this
had not been. A thread that does so in the very moment might get the short one.
"""

import sys
from collections.abc import Iterator
from contextlib import contextmanager
from types import ModuleType
from typing import Final, Generic, TypeVar

LIBRARY: Final = "eventsourcing"
AGGREGATES: Final = "eventsourcing.domain"

_Id = TypeVar("_Id")


class _Event(Generic[_Id]):
    """Stands in annotations for whatever has an id and a version."""


class _Error(Exception):
    """From which the recorder's errors derive."""


STAND_INS: Final = {
    "DomainEventProtocol": _Event,
    "EventSourcingError": _Error,
    "HasOriginatorIDVersion": _Event,
    "TAggregateID": _Id,
}


@contextmanager
def without_aggregates() -> Iterator[None]:
    """Let the library be imported without its aggregates, unless part of it is there; leave no trace."""
    if parts_of_the_library():
        yield
        return
    short = ModuleType(AGGREGATES)
    short.__dict__.update(STAND_INS)
    sys.modules[AGGREGATES] = short
    try:
        yield
    finally:
        for name in parts_of_the_library():
            del sys.modules[name]


def parts_of_the_library() -> list[str]:
    """Names of its modules imported so far."""
    return [name for name in sys.modules if name.partition(".")[0] == LIBRARY]


try:
    with without_aggregates():
        from eventsourcing.persistence import StoredEvent
        from eventsourcing.sqlite import SQLiteApplicationRecorder, SQLiteCursor, SQLiteDatastore
except Exception:  # whatever another release does with what stands in, the whole library has the real thing
    from eventsourcing.persistence import StoredEvent
    from eventsourcing.sqlite import SQLiteApplicationRecorder, SQLiteCursor, SQLiteDatastore

__all__ = ["SQLiteApplicationRecorder", "SQLiteCursor", "SQLiteDatastore", "StoredEvent"]
