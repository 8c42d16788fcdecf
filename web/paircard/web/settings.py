"""How a server is set up: names it answers to, and how much one caller may ask for."""

import hashlib
from pathlib import Path
from typing import Final

import msgspec

from paircard.domain.version import VERSION
from paircard.service.print.rendering import style

LOCAL: Final = frozenset({"127.0.0.1", "localhost", "::1"})
SESSION_SECONDS: Final = 12 * 3600
LINK_SECONDS: Final = 600
"""How long the link for the first arbiter works."""


class Settings(msgspec.Struct, frozen=True, kw_only=True):
    """The options of ``paircard serve``."""

    hosts: frozenset[str] = LOCAL
    """Names in the Host header that are ours; others are refused (DNS rebinding)."""
    metrics_from: frozenset[str] = LOCAL
    """Addresses from which ``/metrics`` is read."""
    origins: frozenset[str] = frozenset()
    """Sites whose programs in a browser may send a key: signed reads and writes (CORS)."""
    largest_body: int = 256 * 1024
    body_seconds: float = 10.0
    """A body that takes longer is given up."""
    largest_season: int = 8 * 1024 * 1024
    """A body of many files; it may take six times as long."""
    commands_per_second: float = 10.0
    """Requests of one grant that write; ten seconds' worth may come at once."""
    reads_per_second: float = 10.0
    """Answers that have to be made for one address, where nobody is signed in; thirty seconds' worth may
    come at once. What was made before is not counted."""
    sign_ins_per_minute: float = 5.0
    """Attempts that failed: for one account from one address, and with links from one address."""
    feeds_per_address: int = 20
    """Open feeds; a hall shares one address."""
    slowest_reader: int = 256
    """Messages a feed may be behind before it is cut; its reader resumes."""
    webhook_networks: tuple[str, ...] = ()
    """Private networks and addresses that webhooks may call, also without TLS."""
    webhook_waits: tuple[float, ...] = (5, 300, 1800, 7200, 18000, 36000, 50400, 72000, 86400)
    """Seconds after each attempt of a delivery; three days in all, then it is given up."""
    large: int = 150
    """Players from which on the pages of an event are made for the public by a process of their own, and may
    be a second old; those of a smaller one are made in a few milliseconds."""
    review_seconds: float = 10.0
    """The longest an explanation or a preview may take."""


def build() -> str:
    """A short name of this code: views may change with it, so caches must ask again."""
    found = hashlib.sha256((VERSION + style()).encode())
    here = Path(__file__).parent
    for path in sorted([*here.rglob("*.py"), *here.rglob("*.js")]):
        found.update(path.read_bytes())
    return found.hexdigest()[:6]
