"""Work shared among processes: results come in the order of the work, a few pieces are handed out ahead."""

from collections import deque
from collections.abc import Callable, Iterable, Iterator
from concurrent.futures import ProcessPoolExecutor
from itertools import islice
from typing import TypeVar

A = TypeVar("A")
B = TypeVar("B")

AHEAD = 64
"""Pieces handed out beyond the one awaited, so that a long list stays out of memory."""


def in_turn(work: Callable[[A], B], pieces: Iterable[A], jobs: int) -> Iterator[B]:
    """The results of all pieces, in their order."""
    if jobs == 1:
        yield from map(work, pieces)
        return
    with ProcessPoolExecutor(jobs) as pool:
        rest = iter(pieces)
        waiting = deque(pool.submit(work, piece) for piece in islice(rest, AHEAD))
        while waiting:
            yield waiting.popleft().result()
            waiting.extend(pool.submit(work, piece) for piece in islice(rest, 1))
