"""A store that was set back under an open desk: told, and never given a gap."""

import sqlite3
from pathlib import Path

import psycopg
import pytest

from paircard.domain.commands import RegisterPlayer
from paircard.domain.errors import SetBack
from paircard.domain.log.location import parsed_address
from paircard.domain.log.reader import Tail
from paircard.domain.log.request import Request
from paircard.domain.log.store import Tournaments
from paircard.domain.state import Tournament
from paircard.domain.values.players import Details
from tests.domain.scenes import ask, meta
from tests.domain.test_contract import ONE, entry, opening
from tests.refusals import refuses

FACTS = 6


@pytest.fixture
def full(location: str) -> str:
    """A store with one tournament of six facts."""
    with Tournaments(location, create=True) as store:
        store.ask(ONE, opening())
        for n in range(2, FACTS + 1):
            store.ask(ONE, entry(f"Player {n}"))
    return location


def set_back(location: str, length: int) -> None:
    """What a restored backup or a standby that lacked facts comes to."""
    with Tournaments(location) as store:
        version = store.version(ONE)
        if location.startswith("postgresql"):
            address = parsed_address(location)
            with psycopg.connect(address.url, autocommit=True) as server:
                server.execute(
                    f'DELETE FROM "{address.schema}".stored_events WHERE originator_version>%s', (length,)
                )
        else:
            with sqlite3.connect(location) as db:
                db.execute("DELETE FROM stored_events WHERE originator_version>?", (length,))
            db.close()
        assert store.version(ONE) == min(length, version)


def registration(state: Tournament) -> list[RegisterPlayer]:
    return [ask(RegisterPlayer, details=Details(name=f"New after {state.version}"))]


@pytest.mark.parametrize("length", range(FACTS))
@pytest.mark.parametrize("how", ["optimistic", "locked", "read"])
def test_a_store_set_back_at_any_version_is_told_and_gets_no_gap(full: str, length: int, how: str) -> None:
    with Tournaments(full) as desk:
        desk.state(ONE)
        set_back(full, length)
        if how == "locked" and length:  # somebody else has gone on: the version after ours may be taken
            with Tournaments(full) as other:
                for n in range(FACTS - length + 1):
                    other.ask(ONE, entry(f"Other {n}"))
        told = refuses(SetBack, "store.fact-gone-look", version=FACTS, tournament=ONE)
        with told as refusal:
            if how == "read":
                desk.state(ONE)
            else:
                desk.run(ONE, Request(meta(), registration))
        assert refusal.value.version == FACTS

        if length:  # told once; then the desk goes on from what is there
            assert desk.run(ONE, Request(meta(), registration)).recorded
            desk.verify_chain(ONE)
        else:
            assert desk.version(ONE) == 0


@pytest.mark.parametrize("length", range(1, FACTS))
def test_facts_read_before_are_not_read_on_from_a_store_that_lost_them(full: str, length: int) -> None:
    with Tournaments(full) as desk:
        facts = desk.log(ONE)
        set_back(full, length)
        with pytest.raises(SetBack):
            desk.log(ONE)
        assert desk.log(ONE) == facts[:length]
        assert desk.ask(ONE, entry("Next")).recorded[0].version == length + 1


@pytest.mark.parametrize("length", range(FACTS))
@pytest.mark.parametrize("since", [0, FACTS])
def test_whoever_follows_a_store_that_was_set_back_is_told(full: str, length: int, since: int) -> None:
    """In a file the positions of what was lost are given again, to other facts."""
    with Tournaments(full) as store:
        tail = Tail(0)
        assert [fact.version for fact in tail.read(store)] == list(range(1, FACTS + 1))
        assert tail.read(store) == []
        set_back(full, length)
        if length:
            with Tournaments(full) as other:
                for n in range(since):
                    other.ask(ONE, entry(f"Other {n}"))
        with pytest.raises(SetBack) as refusal:
            tail.read(store)
        assert refusal.value.said.code in ("store.position-gone", "store.fact-gone")
        if not since:
            with refuses(SetBack, "store.position-gone", tournament=""):
                Tail(tail.position).read(store)


def test_whoever_follows_in_small_steps_gets_every_fact_once(full: str) -> None:
    with Tournaments(full) as store:
        tail, heard = Tail(0), []
        while facts := tail.read(store, limit=2):
            heard += facts
        assert heard == store.notifications()


def test_a_file_put_in_the_place_of_another_is_told_by_its_facts(tmp_path: Path) -> None:
    """Same length, same tournament, other facts: a copy that went on by itself."""
    one, other = str(tmp_path / "one.db"), str(tmp_path / "other.db")
    for path, name in ((one, "Anand"), (other, "Polgar")):
        with Tournaments(path, create=True) as store:
            store.ask(ONE, ask(type(opening()), regulations=opening().regulations, id="same"))
            store.ask(ONE, entry(name))
    with Tournaments(one) as desk:
        desk.state(ONE)
        source, target = sqlite3.connect(other), sqlite3.connect(one)
        source.backup(target)
        source.close()
        target.close()
        with refuses(SetBack, "store.fact-gone-look"):
            desk.ask(ONE, entry("Short"))
        assert desk.version(ONE) == 2
