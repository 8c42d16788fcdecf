"""The log for programs that use the eventsourcing package: its recorder, and facts as its domain events."""

from collections.abc import Iterator
from pathlib import Path
from typing import Any, NoReturn, cast

from eventsourcing.domain import DomainEventProtocol
from eventsourcing.persistence import ApplicationRecorder, EventStore, JSONTranscoder, Mapper, StoredEvent

from paircard.domain.errors import Invalid
from paircard.domain.events import Recorded
from paircard.domain.log.store import opened_log
from paircard.domain.log.stored import StoredFact, checked_fact, without_erased


def open_recorder(location: str | Path, *, patience: float = 5.0) -> ApplicationRecorder:
    """The recorder of a file or database that is there: what it selects has its personal parts."""
    return cast(ApplicationRecorder, opened_log(location, create=False, patience=patience))


class FactMapper(Mapper[str]):
    """Turns what the recorder selects into facts in their envelope; each is checked against its own hash."""

    def __init__(self) -> None:
        super().__init__(JSONTranscoder())

    def to_domain_event(self, stored_event: Any) -> DomainEventProtocol[str]:
        """The fact of a stored event or of a notification."""
        return cast(DomainEventProtocol[str], self.fact(stored_event))

    def fact(self, stored_event: Any) -> Recorded:
        """The fact of a stored event or of a notification, with its own type."""
        if isinstance(stored_event, StoredFact):
            return checked_fact(stored_event)
        raise Invalid("store.other-recorder")

    def to_stored_event(self, domain_event: DomainEventProtocol[str]) -> StoredEvent:
        """Refused: what is recorded is decided first."""
        refuse_to_write()


class Facts(EventStore[str]):
    """The event store of a file or database, for reading: ``facts(id)`` gives those of a tournament."""

    mapper: FactMapper
    recorder: ApplicationRecorder

    def __init__(self, location: str | Path) -> None:
        super().__init__(FactMapper(), open_recorder(location))

    def facts(self, originator_id: str, **selection: Any) -> Iterator[Recorded]:
        """Facts of a tournament; names and reasons are in place, unless they were erased."""
        rows: list[Any] = list(self.recorder.select_events(originator_id, **selection))
        every: list[Any] = list(self.recorder.select_events(originator_id))
        return map(self.mapper.fact, without_erased(rows, every))

    def get(self, originator_id: str, **selection: Any) -> Iterator[DomainEventProtocol[str]]:
        """``facts``, under the name and type of the package."""
        return cast(Iterator[DomainEventProtocol[str]], self.facts(originator_id, **selection))

    def put(self, domain_events: Any, **kwargs: Any) -> NoReturn:
        """Refused: what is recorded is decided first."""
        refuse_to_write()


def refuse_to_write() -> NoReturn:
    """Say how facts are recorded."""
    raise Invalid("store.facts-are-decided")
