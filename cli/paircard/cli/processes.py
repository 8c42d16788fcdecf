"""Work shared among processes: results come in the order of the work, a few pieces are handed out ahead."""

import sys
from collections import deque
from collections.abc import Callable, Iterable, Iterator
from concurrent.futures import ProcessPoolExecutor
from contextlib import contextmanager
from itertools import islice
from typing import TypeVar

import click

A = TypeVar("A")
B = TypeVar("B")

AHEAD = 64
"""Pieces handed out beyond the one awaited, so that a long list stays out of memory."""


@contextmanager
def progressing(
    label: str, work: Callable[[A], B], pieces: Iterable[A], jobs: int, length: int
) -> Iterator[Iterable[B]]:
    """The results of all pieces, in their order, with a progress bar on a terminal."""
    results = in_turn(work, pieces, jobs)
    hidden = not sys.stderr.isatty()
    with click.progressbar(results, length=length, label=label, file=sys.stderr, hidden=hidden) as shown:
        yield shown


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
