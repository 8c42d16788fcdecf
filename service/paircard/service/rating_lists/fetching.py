"""Lists from FIDE's server or another, in one step, and lists that are never older than a day (VCL 119, 121,
135, 136, 141).

Nothing is fetched unasked: a list is fetched again only if that was switched on for it, and only when
somebody uses the lists. A copy that cannot be renewed is used as it is, and the user hears how old it is.
"""

import shutil
import urllib.error
import urllib.request
from collections.abc import Iterator
from contextlib import contextmanager
from datetime import datetime, timedelta
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import Final
from urllib.parse import urlsplit

import msgspec
from msgspec.structs import replace

from paircard.domain.errors import Invalid, PaircardError, Unreachable
from paircard.domain.messages import Message, say
from paircard.service.rating_lists.formats import MOST_BYTES, ImportedList, Progress, import_list, unseen
from paircard.service.rating_lists.store import Fetch, RatingLists

ADDRESS: Final = "https://ratings.fide.com/download/players_list_xml.zip"
"""All players with their standard, rapid and blitz ratings, made new every day."""
PATIENCE: Final = 60
"""Seconds without an answer."""
CHUNK: Final = 1 << 20
OLDEST: Final = timedelta(days=1)
PAUSE: Final = timedelta(minutes=10)
"""After a failure; who is offline does not wait at every look-up."""
SHORT_PATIENCE: Final = 10


@contextmanager
def downloaded(
    address: str = ADDRESS, *, patience: int = PATIENCE, progress: Progress = unseen
) -> Iterator[Path]:
    """The file at an address, in a folder that is gone afterwards."""
    parts = urlsplit(address)
    if parts.scheme not in ("http", "https") or not parts.netloc:
        raise Invalid("lists.not-an-address", text=address, value=ADDRESS)
    with TemporaryDirectory(prefix="paircard-") as folder:
        path = Path(folder) / (Path(parts.path).name or "list")
        try:
            with urllib.request.urlopen(address, timeout=patience) as answer, path.open("wb") as file:
                announced = answer.headers.get("Content-Length", "")
                size = int(announced[:20]) if announced.isdecimal() else 0
                if size > MOST_BYTES:
                    raise Invalid("lists.too-large", path=address[:100], most=MOST_BYTES >> 30)
                while chunk := answer.read(CHUNK):
                    file.write(chunk)
                    if file.tell() > MOST_BYTES or shutil.disk_usage(folder).free < MOST_BYTES // 8:
                        raise Invalid("lists.no-room", path=address[:100])
                    progress(file.tell(), size)
        except (urllib.error.URLError, OSError, ValueError) as reason:
            why = str(getattr(reason, "reason", reason))
            raise Unreachable("lists.not-downloaded", path=address[:100], reason=why) from None
        yield path


class Stale(msgspec.Struct, frozen=True, kw_only=True):
    """A list that is older than a day and could not be renewed."""

    name: str
    fetched: str
    reason: Message


def fetch_list(
    lists: RatingLists,
    address: str,
    now: datetime,
    *,
    name: str,
    valid: str = "",
    daily: bool | None = None,
    patience: int = PATIENCE,
    progress: Progress = unseen,
) -> ImportedList:
    """Fetch a list and import it; by default it is the one of this month.

    ``daily`` switches on or off that it is fetched again when it is older than a day; None changes nothing.
    """
    with downloaded(address, patience=patience, progress=progress) as path:
        month = valid or f"{now.date().isoformat()[:7]}-01"
        made = import_list(lists, path, name=name, valid=month, progress=progress)
    if daily is False:
        lists.stop_daily(name)
    elif daily or any(each.name == name and each.address == address for each in lists.daily()):
        moment = now.isoformat(timespec="seconds")
        lists.keep_daily(Fetch(name=name, address=address, fetched=moment, tried=moment))
    return made


def fetch_due(
    lists: RatingLists, now: datetime, progress: Progress = unseen
) -> Iterator[ImportedList | Stale]:
    """Renew every daily list that is older than a day, or say why it stays as it is."""
    for fetch in lists.daily():
        if now - datetime.fromisoformat(fetch.fetched) < OLDEST:
            continue
        if fetch.tried != fetch.fetched and now - datetime.fromisoformat(fetch.tried) < PAUSE:
            yield Stale(name=fetch.name, fetched=fetch.fetched, reason=say("lists.tried-just-now"))
            continue
        try:
            yield fetch_list(
                lists, fetch.address, now, name=fetch.name, patience=SHORT_PATIENCE, progress=progress
            )
        except PaircardError as refusal:
            lists.keep_daily(replace(fetch, tried=now.isoformat(timespec="seconds")))
            yield Stale(name=fetch.name, fetched=fetch.fetched, reason=refusal.said)
