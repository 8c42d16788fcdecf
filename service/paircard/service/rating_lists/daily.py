"""Lists that are never older than a day when they are used (VCL 135, 136, 141).

Nothing is fetched unasked: a list is fetched again only if that was switched on for it, and only when
somebody uses the lists. A copy that cannot be renewed is used as it is, and the user hears how old it is.
"""

from collections.abc import Iterator
from datetime import datetime, timedelta
from typing import Final

import msgspec
from msgspec.structs import replace

from paircard.domain.errors import PaircardError
from paircard.service.rating_lists.download import PATIENCE, downloaded
from paircard.service.rating_lists.files import ImportedList, import_list
from paircard.service.rating_lists.store import Fetch, RatingLists

OLDEST: Final = timedelta(days=1)
PAUSE: Final = timedelta(minutes=10)
"""After a failure; who is offline does not wait at every look-up."""
SHORT_PATIENCE: Final = 10


class Stale(msgspec.Struct, frozen=True, kw_only=True):
    """A list that is older than a day and could not be renewed."""

    name: str
    fetched: str
    reason: str


def fetch_list(
    lists: RatingLists,
    address: str,
    now: datetime,
    *,
    name: str,
    valid: str = "",
    daily: bool | None = None,
    patience: int = PATIENCE,
) -> ImportedList:
    """Fetch a list and import it; by default it is the one of this month.

    ``daily`` switches on or off that it is fetched again when it is older than a day; None changes nothing.
    """
    with downloaded(address, patience=patience) as path:
        made = import_list(lists, path, name=name, valid=valid or f"{now.date().isoformat()[:7]}-01")
    if daily is False:
        lists.stop_daily(name)
    elif daily or any(each.name == name and each.address == address for each in lists.daily()):
        moment = now.isoformat(timespec="seconds")
        lists.keep_daily(Fetch(name=name, address=address, fetched=moment, tried=moment))
    return made


def fetch_due(lists: RatingLists, now: datetime) -> Iterator[ImportedList | Stale]:
    """Renew every daily list that is older than a day, or say why it stays as it is."""
    for fetch in lists.daily():
        if now - datetime.fromisoformat(fetch.fetched) < OLDEST:
            continue
        if fetch.tried != fetch.fetched and now - datetime.fromisoformat(fetch.tried) < PAUSE:
            yield Stale(name=fetch.name, fetched=fetch.fetched, reason="the last attempt failed just now")
            continue
        try:
            yield fetch_list(lists, fetch.address, now, name=fetch.name, patience=SHORT_PATIENCE)
        except PaircardError as refusal:
            lists.keep_daily(replace(fetch, tried=now.isoformat(timespec="seconds")))
            yield Stale(name=fetch.name, fetched=fetch.fetched, reason=str(refusal))
