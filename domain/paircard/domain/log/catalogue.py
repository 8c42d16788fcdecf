"""The tournaments of a store, read from the facts that name them, change their regulations or close them."""

from collections.abc import Iterable, Mapping

import msgspec

from paircard.domain.errors import CorruptFile, NewerFile
from paircard.domain.events import (
    TournamentClosed,
    TournamentDetailsChanged,
    TournamentOpened,
    TournamentReopened,
)
from paircard.domain.log.chain import check_link, decode_fact, name_in
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
    unreadable: str = ""
    """Why the rest of it cannot be read; empty for all that can."""

    @property
    def name(self) -> str:
        return self.regulations.name


def list_tournaments(
    headlines: Iterable[Placed], versions: Mapping[str, tuple[int, str]]
) -> list[TournamentEntry]:
    """Every tournament, the oldest first; ``versions`` is how many facts each has, and whether that is right.

    One that cannot be read is in the list as such, and keeps no other from it.
    """
    found: dict[str, tuple[int, TournamentEntry]] = {}
    for position, id, version, topic, stored in headlines:
        length, wrong = versions.get(id, (version, ""))
        known = found.get(id)
        if known and known[1].unreadable:
            continue
        try:
            if wrong:
                raise CorruptFile(wrong)
            recorded = decode_fact(id, version, topic, stored, position)
            check_link(recorded.previous, id, version, topic, stored)
        except (CorruptFile, NewerFile) as why:
            place, one = known or (position, _nameless(id, length, readable_name(id, version, topic, stored)))
            found[id] = place, msgspec.structs.replace(one, unreadable=str(why))
            continue
        match recorded.fact:
            case TournamentOpened(regulations=regulations):
                new = TournamentEntry(
                    id=id,
                    regulations=regulations,
                    opened=recorded.when,
                    version=length,
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
    ordered = sorted(found.values(), key=lambda item: item[0])
    return [one for _, one in ordered]


def readable_name(tournament: str, version: int, topic: str, stored: bytes) -> str:
    """The name a headline gives, empty also where it cannot be read."""
    try:
        return name_in(tournament, version, topic, stored)
    except CorruptFile:
        return ""


def _nameless(id: str, length: int, name: str) -> TournamentEntry:
    """A tournament whose opening cannot be read; its name often can."""
    return TournamentEntry(
        id=id, regulations=Regulations(name=name or id[:8], rounds=0), opened="", version=length, closed=False
    )
