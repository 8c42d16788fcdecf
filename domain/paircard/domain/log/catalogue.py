"""The tournaments of a store, read from the facts that name them, change their regulations or close them."""

from collections.abc import Iterable, Mapping

import msgspec

from paircard.domain.events import (
    TournamentClosed,
    TournamentDetailsChanged,
    TournamentOpened,
    TournamentReopened,
)
from paircard.domain.log.chain import check_link, decode_fact
from paircard.domain.log.rows import Placed
from paircard.domain.values.regulations import Regulations, changed


class TournamentEntry(msgspec.Struct, frozen=True, kw_only=True):
    """One tournament of a store."""

    id: str
    regulations: Regulations
    opened: str
    """When."""
    version: int
    closed: bool

    @property
    def name(self) -> str:
        return self.regulations.name


def list_tournaments(headlines: Iterable[Placed], versions: Mapping[str, int]) -> list[TournamentEntry]:
    """Every tournament, the oldest first; ``versions`` is how many facts each has."""
    found: dict[str, tuple[int, TournamentEntry]] = {}
    for position, id, version, topic, stored in headlines:
        recorded = decode_fact(id, version, topic, stored, position)
        check_link(recorded.previous, id, version, topic, stored)
        match recorded.fact:
            case TournamentOpened(regulations=regulations):
                new = TournamentEntry(
                    id=id,
                    regulations=regulations,
                    opened=recorded.when,
                    version=versions.get(id, version),
                    closed=False,
                )
                found[id] = position, new
            case TournamentDetailsChanged(changes=changes) if id in found:
                place, one = found[id]
                regulations = changed(one.regulations, changes)
                found[id] = place, msgspec.structs.replace(one, regulations=regulations)
            case TournamentClosed() | TournamentReopened() as fact if id in found:
                place, one = found[id]
                closed = isinstance(fact, TournamentClosed)
                found[id] = place, msgspec.structs.replace(one, closed=closed)
            case _:
                pass
    return [one for _, one in sorted(found.values(), key=lambda item: item[0])]
