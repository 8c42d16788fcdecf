"""A log is read once; what comes later is read, and checked, when it is looked at again."""

import sqlite3
from contextlib import closing
from pathlib import Path

from paircard.domain.errors import CorruptFile
from paircard.service import Office
from tests.refusals import refuses
from tests.service.given import ANNA, club_open


def test_a_second_look_sees_what_somebody_else_recorded_meanwhile(tmp_path: Path) -> None:
    office, tournament = club_open(tmp_path)
    with office, Office.open(tmp_path / "open.db") as elsewhere:
        other = elsewhere.tournament()
        before = list(other.facts())

        tournament.pair(by=ANNA)
        after = other.facts()

        assert after[: len(before)] == before
        assert [type(one.fact).__name__ for one in after[len(before) :]] == [
            "PairingNumbersAssigned",
            "RoundPaired",
        ]


def test_a_second_look_refuses_a_fact_that_was_changed_meanwhile(tmp_path: Path) -> None:
    office, tournament = club_open(tmp_path)
    with office, Office.open(tmp_path / "open.db") as elsewhere:
        other = elsewhere.tournament()
        seen = len(other.facts())

        tournament.pair(by=ANNA)
        with closing(sqlite3.connect(tmp_path / "open.db")) as file, file:
            changed = file.execute(
                "UPDATE stored_events SET state = CAST(replace(state, 'Anna', 'Emma') AS BLOB) "
                "WHERE originator_version = ?",
                (seen + 1,),
            )
            assert changed.rowcount == 1

        with refuses(CorruptFile, "store.fact-changed", version=seen + 1):
            other.facts()
