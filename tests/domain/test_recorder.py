"""The library's recorder comes without its aggregates, and nobody else is to notice."""

import os
import shutil
import subprocess
import sys
from pathlib import Path

import eventsourcing
import pytest

from tests.roots import PYTHONPATH


def python(code: str, before: str = "") -> str:
    """What a fresh interpreter prints; ``before`` are folders it looks in first."""
    done = subprocess.run(
        [sys.executable, "-c", code],
        env={"PYTHONPATH": before + PYTHONPATH},
        capture_output=True,
        text=True,
        check=True,
    )
    return done.stdout.strip()


def test_the_recorder_is_imported_without_the_aggregates() -> None:
    told = python(
        "import sys, paircard.domain.log.backends.recorder as r\n"
        "print(r.SQLiteApplicationRecorder.__module__, [n for n in sys.modules if n.startswith('events')])"
    )

    assert told == "eventsourcing.sqlite []"


@pytest.mark.parametrize(
    "first", ["paircard.domain.log.backends.recorder", "eventsourcing.domain", "eventsourcing.utils"]
)
def test_whoever_uses_the_library_besides_gets_the_whole_of_it(first: str) -> None:
    told = python(
        f"import {first}, paircard.domain.log.backends.recorder\n"
        "from eventsourcing.domain import Aggregate, EventSourcingError\n"
        "from eventsourcing.persistence import PersistenceError\n"
        "from eventsourcing.application import Application\n"
        "app = Application(env={'PERSISTENCE_MODULE': 'eventsourcing.sqlite', 'SQLITE_DBNAME': ':memory:'})\n"
        "app.save(one := Aggregate())\n"
        "print(app.repository.get(one.id).version, issubclass(PersistenceError, EventSourcingError))"
    )

    assert told == "1 True"


@pytest.mark.parametrize(
    "line",
    ["from eventsourcing.domain import Aggregate", "assert DomainEventProtocol._is_protocol"],
    ids=["takes another name", "uses a name otherwise"],
)
def test_with_a_release_whose_recorder_wants_more_the_whole_library_is_imported(
    tmp_path: Path, line: str
) -> None:
    release = shutil.copytree(Path(eventsourcing.__file__).parent, tmp_path / "eventsourcing")
    with (release / "persistence.py").open("a") as recorder:
        recorder.write(f"\n{line}\n")

    told = python(
        "import paircard.domain.log.backends.recorder, eventsourcing.persistence as p\n"
        "from eventsourcing.domain import EventSourcingError\n"
        "print(p.__file__, paircard.domain.log.backends.recorder.StoredEvent is p.StoredEvent,\n"
        "      issubclass(p.PersistenceError, EventSourcingError))",
        before=f"{tmp_path}{os.pathsep}",
    )

    assert told == f"{release / 'persistence.py'} True True"


def test_nothing_of_the_short_import_hangs_on_a_part_that_was_there_before() -> None:
    told = python(
        "import eventsourcing, paircard.domain.log.backends.recorder\n"
        "from eventsourcing import persistence\n"
        "from eventsourcing.domain import EventSourcingError\n"
        "print(issubclass(persistence.PersistenceError, EventSourcingError))"
    )

    assert told == "True"
