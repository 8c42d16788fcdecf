"""Between facts and rows of the store: the mapper of the eventsourcing application.

A fact is sealed into the chain before it is handed over, so what is stored is encoded once. Whatever is
read is held against its own hash; that each follows on the one before is the business of whoever reads
them in order (``chain.decode_chain``).
"""

from typing import cast

from eventsourcing.domain import DomainEventProtocol
from eventsourcing.persistence import JSONTranscoder, Mapper, Notification, StoredEvent

from paircard.domain.events import Recorded
from paircard.domain.log.chain import Sealed, check_link, decode_fact, previous_of


class FactMapper(Mapper[str]):
    """Maps sealed facts to stored events, and stored events to facts in their envelope."""

    def __init__(self) -> None:
        super().__init__(JSONTranscoder())

    def to_stored_event(self, domain_event: DomainEventProtocol[str]) -> StoredEvent:
        sealed = cast(Sealed, domain_event)
        return StoredEvent(sealed.originator_id, sealed.originator_version, sealed.topic, sealed.stored)

    def to_domain_event(self, stored_event: StoredEvent) -> DomainEventProtocol[str]:
        return cast(DomainEventProtocol[str], self.fact(stored_event))

    def fact(self, event: StoredEvent) -> Recorded:
        """The fact of a stored event or notification; refuses one that does not fit its hash."""
        tournament, version = str(event.originator_id), event.originator_version
        position = event.id if isinstance(event, Notification) else 0
        recorded = decode_fact(tournament, version, event.topic, event.state, position)
        check_link(previous_of(event.state), tournament, version, event.topic, event.state)
        return recorded
