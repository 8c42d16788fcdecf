"""The library's recorder comes without its aggregates, and nobody else is to notice."""

import subprocess
import sys

import pytest

from tests.cli.session import SOURCES


def python(code: str) -> str:
    """What a fresh interpreter prints."""
    done = subprocess.run(
        [sys.executable, "-c", code], env={"PYTHONPATH": SOURCES}, capture_output=True, text=True, check=True
    )
    return done.stdout.strip()


def test_the_recorder_is_imported_without_the_aggregates() -> None:
    told = python(
        "import sys, paircard.domain.recorder as r\n"
        "print(r.SQLiteApplicationRecorder.__module__, [n for n in sys.modules if n.startswith('events')])"
    )

    assert told == "eventsourcing.sqlite []"


@pytest.mark.parametrize("first", ["paircard.domain.recorder", "eventsourcing.domain", "eventsourcing.utils"])
def test_whoever_uses_the_library_besides_gets_the_whole_of_it(first: str) -> None:
    told = python(
        f"import {first}, paircard.domain.recorder\n"
        "from eventsourcing.domain import Aggregate, EventSourcingError\n"
        "from eventsourcing.persistence import PersistenceError\n"
        "from eventsourcing.application import Application\n"
        "app = Application(env={'PERSISTENCE_MODULE': 'eventsourcing.sqlite', 'SQLITE_DBNAME': ':memory:'})\n"
        "app.save(one := Aggregate())\n"
        "print(app.repository.get(one.id).version, issubclass(PersistenceError, EventSourcingError))"
    )

    assert told == "1 True"


def test_a_recorder_that_wanted_more_would_get_it_from_the_real_module() -> None:
    told = python(
        "import sys\n"
        "from paircard.domain.recorder import AGGREGATES, StandIn\n"
        "stand_in = sys.modules[AGGREGATES] = StandIn(AGGREGATES)\n"
        "from eventsourcing.domain import Aggregate, EventSourcingError\n"
        "print(Aggregate.__module__, EventSourcingError is StandIn.EventSourcingError)"
    )

    assert told == "eventsourcing.domain True"
