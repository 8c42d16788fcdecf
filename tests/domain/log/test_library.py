"""The log read with the eventsourcing package: living people have names, reasons are there."""

from typing import Any

import pytest
from eventsourcing.persistence import ApplicationRecorder, EventStore
from eventsourcing.sqlite import SQLiteApplicationRecorder, SQLiteDatastore

from paircard.domain.commands import ErasePerson, WithdrawPlayer
from paircard.domain.errors import Invalid
from paircard.domain.events import PlayerRegistered
from paircard.domain.log.library import FactMapper, Facts, open_recorder
from paircard.domain.log.store import Tournaments
from paircard.domain.state import fold
from tests.domain.scenes import ask
from tests.domain.test_contract import ONE, TWO, entry, opening
from tests.refusals import refuses


@pytest.fixture
def filled(location: str) -> str:
    with Tournaments(location, create=True) as store:
        store.ask(ONE, opening())
        store.ask(ONE, entry("Anand"))
        store.ask(TWO, opening("Other"))
        store.ask(ONE, ask(WithdrawPlayer, player=1, why="ill at home"))
    return location


def test_events_of_a_tournament_are_its_facts_with_names_and_reasons(filled: str) -> None:
    with Tournaments(filled) as store:
        facts, state = store.log(ONE), store.state(ONE)
    events: Any = Facts(filled)

    read = list(events.get(ONE))

    assert read == facts
    assert (read[1].fact.details.name, read[2].why) == ("Anand", "ill at home")
    assert fold(one.fact for one in read) == state
    assert list(events.get(ONE, gt=1, lte=2)) == facts[1:2]
    assert list(events.get(ONE, desc=True, limit=1)) == facts[-1:]


def test_any_event_store_and_mapper_of_the_library_serve(filled: str) -> None:
    recorder = open_recorder(filled)
    assert isinstance(recorder, ApplicationRecorder)
    events: Any = EventStore(FactMapper(), recorder)

    assert [one.fact.details.name for one in events.get(ONE) if isinstance(one.fact, PlayerRegistered)] == [
        "Anand"
    ]
    seen = [events.mapper.to_domain_event(one) for one in recorder.select_notifications(1, 10)]
    assert [(one.position, one.tournament, one.version) for one in seen] == [
        (1, ONE, 1), (2, ONE, 2), (3, TWO, 1), (4, ONE, 3),
    ]  # fmt: skip
    topics = ["player-registered/1", "player-withdrawn/1"]
    assert [one.id for one in recorder.select_notifications(2, 10, topics=topics)] == [2, 4]
    assert [one.id for one in recorder.select_notifications(2, 1, inclusive_of_start=False)] == [3]
    assert recorder.max_notification_id() == 4


def test_who_was_erased_has_no_name_in_the_events_either(filled: str) -> None:
    with Tournaments(filled) as store:
        hashes = store.log(ONE)[1].private
        pieces = tuple((2, hash) for hash in hashes)
        store.ask(ONE, ask(ErasePerson, player=1, pieces=pieces, why="asked by mail", level=4))
    events: Any = Facts(filled)

    assert "Anand" not in str(list(events.get(ONE)))
    assert [one.fact.details.name for one in events.get(ONE, gt=1, lte=2)] == ["(erased p1)"]


def test_nothing_is_put_into_the_log_but_decided(filled: str) -> None:
    events: Any = Facts(filled)
    with refuses(Invalid, "store.facts-are-decided"):
        events.put([])
    with refuses(Invalid, "store.facts-are-decided"):
        events.mapper.to_stored_event(None)


def test_what_another_recorder_selects_is_not_taken_for_an_erasure(tmp_path: Any) -> None:
    path = str(tmp_path / "open.db")
    with Tournaments(path, create=True) as store:
        store.ask(ONE, opening())
    stock = SQLiteApplicationRecorder(SQLiteDatastore(path, originator_id_type="text"))
    events: Any = EventStore(FactMapper(), stock)

    with refuses(Invalid, "store.other-recorder"):
        list(events.get(ONE))
    stock.datastore.close()
