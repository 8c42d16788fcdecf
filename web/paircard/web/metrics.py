"""What a server process does, counted for Prometheus: nothing here asks the store.

A request costs two additions. What the store has to be asked for, the follower looks at now and then.
"""

import time
from collections import Counter, defaultdict
from collections.abc import Callable, Iterable, Mapping
from datetime import datetime
from typing import Final

import msgspec

from paircard.domain.log.store import Tournaments

BOUNDS: Final = (0.005, 0.02, 0.1, 0.5, 2.0, 10.0)
"""Seconds up to which answers are counted together."""


class Looked(msgspec.Struct):
    """What the follower saw of the store when it last looked."""

    at: float = 0.0
    """By the monotonic clock; 0 before the first time."""
    faults: int = 0
    signed_position: int = 0
    """Up to where all facts are under a signed tree."""
    signed_at: float = 0.0
    """When the last of them was recorded, in seconds since 1970."""


class Metrics:
    """Counts of one process."""

    def __init__(self) -> None:
        self.requests: Final[Counter[tuple[str, str, int, int]]] = Counter()
        """Answers by address, method, status and the bound within which they began."""
        self.seconds: Final[defaultdict[str, float]] = defaultdict(float)
        """Until answers began, by address."""
        self.looked = Looked()
        self.gauges: Callable[[], Mapping[str, tuple[str, float]]] = dict
        """What is read off when somebody asks, from ``app``."""

    def look(self, store: Tournaments) -> None:
        """For the follower: what has to be asked of the store."""
        faults = len(store.backend.unsound())
        trees = store.backend.signed_trees()
        position, signed_at = (trees[-1][1] if trees else 0), 0.0
        last = store.notifications(position - 1, 1) if position else []
        if last and isinstance(when := getattr(last[0], "when", None), str):
            signed_at = datetime.fromisoformat(when).timestamp()
        self.looked = Looked(time.monotonic(), faults, position, signed_at)

    def text(self) -> str:
        """All of it in the text format of Prometheus."""
        named = Counter[tuple[str, str, int]]()
        for (route, method, status, _), number in list(self.requests.items()):
            named[route, method, status] += number
        lines = list(told("paircard_requests_total", "counter", "Answers by address, method and status.", (
            (f'route="{route}",method="{method}",status="{status}"', number)
            for (route, method, status), number in sorted(named.items())
        )))  # fmt: skip
        lines += told(
            "paircard_request_seconds", "histogram", "Seconds until an answer began.", self._histogram()
        )
        for name, (about, value) in self.gauges().items():
            kind = "counter" if name.endswith("_total") else "gauge"
            lines += told(f"paircard_{name}", kind, about, [("", value)])
        return "\n".join([*lines, ""])

    def _histogram(self) -> Iterable[tuple[str, float]]:
        within = Counter[tuple[str, int]]()
        for (route, _, _, at), number in list(self.requests.items()):
            within[route, at] += number
        for route in sorted({route for route, _ in within}):
            below = 0
            for at, bound in enumerate((*BOUNDS, "+Inf")):
                below += within[route, at]
                yield f'_bucket route="{route}",le="{bound}"', below
            yield f'_sum route="{route}"', round(self.seconds[route], 6)
            yield f'_count route="{route}"', below


def told(name: str, kind: str, about: str, values: Iterable[tuple[str, float]]) -> Iterable[str]:
    """The lines of one metric; labels may begin with an ending of its name."""
    yield f"# HELP {name} {about}"
    yield f"# TYPE {name} {kind}"
    for labels, value in values:
        ending, _, rest = labels.partition(" ") if labels.startswith("_") else ("", "", labels)
        yield f"{name}{ending}{f'{{{rest}}}' if rest else ''} {value:.15g}"
