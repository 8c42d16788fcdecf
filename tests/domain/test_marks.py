"""Who reads often asks a file only when somebody wrote to it, and never misses that."""

from collections.abc import Iterator
from pathlib import Path

import pytest

from paircard.domain.commands import RegisterPlayer
from paircard.domain.log.store import Tournaments
from paircard.domain.values.players import Details
from paircard.domain.values.regulations import Regulations
from paircard.service import Office, Tournament, person

ANNA = person("Anna Arbiter")


@pytest.fixture
def office(tmp_path: Path) -> Iterator[Office]:
    with Office.create(tmp_path / "open.db") as office:
        office.new(Regulations(name="Open", rounds=3), by=ANNA)
        office.store().watches = True
        yield office


def register(tournament: Tournament, name: str) -> None:
    tournament.ask(RegisterPlayer(details=Details(name=name)), by=ANNA)


def looked_at(store: Tournaments, id: str) -> None:
    """Twice: what was read before anybody watched is asked for once more."""
    store.read(id)
    store.read(id)


def test_a_log_that_was_read_is_known_without_asking_until_somebody_else_writes(
    office: Office, tmp_path: Path
) -> None:
    store, mine = office.store(), office.tournament()
    looked_at(store, mine.id)
    assert store.unchanged(mine.id) is store.read(mine.id)

    with Office.open(tmp_path / "open.db") as other:
        register(other.tournament(), "Ada")

    assert store.unchanged(mine.id) is None
    assert len(store.read(mine.id).facts) == 2


def test_what_was_recorded_here_is_known_without_asking(office: Office) -> None:
    store, mine = office.store(), office.tournament()
    looked_at(store, mine.id)
    for name in ("Ada", "Ben"):  # the first write finds out how often others wrote
        register(mine, name)

    known = store.unchanged(mine.id)
    assert known is not None
    assert len(known.facts) == 3


def test_a_slow_reader_does_not_bring_back_what_was_known_before_a_fact(office: Office) -> None:
    """It read, somebody recorded, and then it tells what it read."""
    store, mine = office.store(), office.tournament()
    looked_at(store, mine.id)
    before, mark = store.read(mine.id), store.backend.mark()
    register(mine, "Ada")
    store._forget(mine.id)  # as an erasure does
    store._keep(before, mark)

    assert store.unchanged(mine.id) is None
    assert len(store.read(mine.id).facts) == 2
