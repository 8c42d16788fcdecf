"""FIDE's lists from FIDE's own server, in one step (VCL 119, 121, 136)."""

import shutil
import urllib.error
import urllib.request
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import Final
from urllib.parse import urlsplit

from paircard.domain.errors import Invalid, Unreachable
from paircard.service.rating_lists.files import MOST_BYTES

ADDRESS: Final = "https://ratings.fide.com/download/players_list_xml.zip"
"""All players with their standard, rapid and blitz ratings, made new every day."""
PATIENCE: Final = 60
"""Seconds without an answer."""
CHUNK: Final = 1 << 20


@contextmanager
def downloaded(address: str = ADDRESS, *, patience: int = PATIENCE) -> Iterator[Path]:
    """The file at an address, in a folder that is gone afterwards."""
    parts = urlsplit(address)
    if parts.scheme not in ("http", "https") or not parts.netloc:
        raise Invalid(f"{address[:100]!r} is not an address such as {ADDRESS}")
    with TemporaryDirectory(prefix="paircard-") as folder:
        path = Path(folder) / (Path(parts.path).name or "list")
        try:
            with urllib.request.urlopen(address, timeout=patience) as answer, path.open("wb") as file:
                announced = answer.headers.get("Content-Length", "")
                if announced.isdecimal() and int(announced[:20]) > MOST_BYTES:
                    raise Invalid(f"{address[:100]} has more than {MOST_BYTES >> 30} GiB: no rating list has")
                while chunk := answer.read(CHUNK):
                    file.write(chunk)
                    if file.tell() > MOST_BYTES or shutil.disk_usage(folder).free < MOST_BYTES // 8:
                        raise Invalid(f"{address[:100]} is too large for this machine")
        except (urllib.error.URLError, OSError, ValueError) as reason:
            raise Unreachable(
                f"{address[:100]} cannot be downloaded: {getattr(reason, 'reason', reason)}"
            ) from None
        yield path
