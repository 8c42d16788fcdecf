"""The desk reads a log once; what comes later is read, and checked, when it is looked at again."""

import sqlite3
from contextlib import closing

import pytest

from paircard.cli.session import Desk
from paircard.domain.errors import CorruptFile
from tests.cli.session import Terminal


def desk_at(terminal: Terminal) -> Desk:
    desk = Desk()
    desk.db = str(terminal.folder / "paircard.db")
    return desk


def test_a_second_look_sees_what_somebody_else_recorded_meanwhile(playing: Terminal) -> None:
    desk = desk_at(playing)
    before = list(desk.log())

    playing.ok("result", "1", "1", "1-0")
    after = desk.log()
    desk.close()

    assert after[: len(before)] == before
    assert [type(recorded.fact).__name__ for recorded in after[len(before) :]] == ["ResultRecorded"]


def test_a_second_look_refuses_a_fact_that_was_changed_meanwhile(playing: Terminal) -> None:
    desk = desk_at(playing)
    seen = len(desk.log())

    playing.ok("result", "1", "1", "1-0")
    with closing(sqlite3.connect(desk.db)) as file, file:
        changed = file.execute(
            "UPDATE stored_events SET state = CAST(replace(state, 'Anna', 'Emma') AS BLOB) "
            "WHERE originator_version = ?",
            (seen + 1,),
        )
        assert changed.rowcount == 1

    with pytest.raises(CorruptFile, match=f"fact {seen + 1} "):
        desk.log()
    desk.close()
