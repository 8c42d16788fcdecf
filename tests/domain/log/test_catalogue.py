"""The catalogue finds and lists tournaments; it is written with the facts, and decides nothing."""

import sqlite3
from contextlib import closing
from pathlib import Path

import pytest
from eventsourcing.persistence import StoredEvent
from eventsourcing.sqlite import SQLiteApplicationRecorder, SQLiteDatastore

from paircard.domain.commands import ChangeRegulations, OpenTournament
from paircard.domain.log.backends.sqlite import CATALOGUE
from paircard.domain.log.catalogue import Entry
from paircard.domain.log.reader import entry_of
from paircard.domain.log.store import Tournaments, prepare
from paircard.domain.proof.doctor import examine
from paircard.domain.values.regulations import RegulationChanges, Regulations
from tests.domain.scenes import ask
from tests.domain.test_contract import ONE, TWO, entry, opening
from tests.domain.test_laws import life

THREE = "3" * 32


def folded_entry(store: Tournaments, id: str) -> Entry:
    """The row of a tournament as the facts give it."""
    known = store.read(id)
    return entry_of(known.state, id, known.facts)


def folded(store: Tournaments) -> list[Entry]:
    """The rows as the facts give them."""
    return [folded_entry(store, one.id) for one in store.tournaments()]


def by_hand(path: Path, *statements: str) -> None:
    with closing(sqlite3.connect(path)) as db, db:
        for statement in statements:
            db.execute(statement)


def without_catalogue(path: Path) -> None:
    """The file as an earlier program made it."""
    by_hand(path, "DROP TABLE catalogue")


def by_an_earlier_program(path: Path, tournament: str, name: str) -> None:
    """Facts of one more tournament, written beside the catalogue by a recorder that does not know it."""
    made = path.with_name(f"{name}.db")
    with Tournaments(made, create=True) as store:
        store.ask(tournament, opening(name))
        store.ask(tournament, entry("Anand"))
        rows = store.raw_log(tournament)
    stock = SQLiteApplicationRecorder(SQLiteDatastore(str(path), originator_id_type="text"))
    stock.insert_events([StoredEvent(r.originator_id, r.originator_version, r.topic, r.state) for r in rows])
    stock.datastore.close()


@pytest.fixture
def path(tmp_path: Path) -> Path:
    path = tmp_path / "open.db"
    with Tournaments(path, create=True) as store:
        store.ask(ONE, opening())
        store.ask(TWO, opening("Winter Cup"))
        store.ask(ONE, entry("Anand"))
    return path


def test_after_every_request_the_row_is_what_the_facts_say(location: str) -> None:
    with Tournaments(location, create=True) as store:
        store.ask(TWO, opening("Winter Cup"))
        for _, command, events, _ in life(10, 120):
            if events:
                store.ask(ONE, command)
                assert store.entry(ONE) == folded_entry(store, ONE)
        assert store.tournaments() == folded(store)
        assert store.backend.misplaced() == []


def test_a_tournament_is_found_by_its_name_without_looking_at_the_others(location: str) -> None:
    with Tournaments(location, create=True) as store:
        store.ask(ONE, opening())
        assert store.find() == ONE, "the only one"
        store.ask(TWO, opening("Winter Cup"))
        asked: list[str] = []
        ask_store = store.backend.ask
        store.backend.ask = lambda sql, *more, **other: asked.append(sql) or ask_store(sql, *more, **other)  # type: ignore[method-assign, func-returns-value]

        assert store.find("Winter Cup") == TWO
        assert store.find("Winter") is None
        assert store.find() is None
        assert (store.named("Winter Cup"), store.named("Winter")) == ([TWO], [])
        others = [sql for sql in asked if "topic" in sql and "originator_id=?" not in sql]
        assert not others, "no fact of another is read to find a name"
    renamed = ask(ChangeRegulations, changes=RegulationChanges(name="Spring Cup"))
    with Tournaments(location) as store:
        store.ask(TWO, renamed)
        assert (store.find("Winter Cup"), store.find("Spring Cup")) == (None, TWO)


def test_a_file_of_an_earlier_program_gets_its_catalogue_with_the_first_fact(path: Path) -> None:
    without_catalogue(path)
    with Tournaments(path) as store:
        assert store.entry(ONE) is None
        assert [one.name for one in store.tournaments()] == ["Trentino Open", "Winter Cup"]
        before = store.tournaments()
        assert before == folded(store)

        store.ask(THREE, opening("Blitz"))

        assert [store.entry(one.id) for one in before] == before
        assert store.tournaments() == folded(store)


def test_init_makes_it_too_and_only_once(path: Path) -> None:
    without_catalogue(path)
    assert prepare(path)
    with Tournaments(path) as store:
        assert store.entry(TWO) == folded_entry(store, TWO)
    assert not prepare(path)


def test_what_an_earlier_program_adds_is_listed_at_once_and_in_the_catalogue_after_the_next_fact(
    path: Path,
) -> None:
    by_an_earlier_program(path, THREE, "Blitz")
    with Tournaments(path) as store:
        assert store.entry(ONE) is None, "it is behind"
        assert store.find("Blitz") is None
        assert [name for _, name in store.names()] == ["Trentino Open", "Winter Cup", "Blitz"]

        store.ask(ONE, entry("Polgar"))

        assert store.find("Blitz") == THREE
        assert store.tournaments() == folded(store)


def test_a_row_that_somebody_changed_is_told_and_opens_nothing(path: Path) -> None:
    by_hand(path, f"UPDATE catalogue SET version=7, name='Forged' WHERE tournament='{TWO}'")
    with Tournaments(path) as store:
        assert store.backend.misplaced() == [TWO]
        rules = store.state(TWO).regulations
        assert rules
        assert (store.state(TWO).version, rules.name) == (1, "Winter Cup")
    told = [(one.code, one.fields) for one in examine(path) if one.about == "catalogue"]
    assert told == [("proof.doctor.catalogue", {"count": 1})]

    assert prepare(path)
    with Tournaments(path) as store:
        assert store.tournaments() == folded(store)
    assert not [one for one in examine(path) if one.about == "catalogue"]


def test_facts_that_are_gone_leave_no_tournament_in_the_list(path: Path) -> None:
    by_hand(path, f"DELETE FROM stored_events WHERE originator_id='{TWO}'")
    with Tournaments(path) as store:
        assert store.backend.misplaced() == [TWO]
        assert prepare(path)
        assert [one.id for one in store.tournaments()] == [ONE]


def test_the_catalogue_of_a_file_is_as_it_was_made(path: Path) -> None:
    with closing(sqlite3.connect(path)) as db:
        there = dict(
            db.execute(
                "SELECT name, sql FROM sqlite_schema WHERE tbl_name IN ('catalogue', 'words') AND sql<>''"
            )
        )
    assert there == CATALOGUE
    with Tournaments(path) as store:
        assert store.backend.faults() == []


def test_officials_and_players_are_not_in_it(path: Path) -> None:
    with Tournaments(path) as store:
        rules = Regulations(name="Cup", rounds=3, organiser="Olga Organiser", chief_arbiter="Anna")
        store.ask(THREE, ask(OpenTournament, regulations=rules))
        store.ask(THREE, entry("Secret Person"))
    with closing(sqlite3.connect(path)) as db:
        rows = str(db.execute("SELECT * FROM catalogue").fetchall())
    assert "Cup" in rows
    assert "Olga" not in rows
    assert "Secret" not in rows
