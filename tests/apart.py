"""Work on a loop of its own: Playwright's loop may run in the thread of the tests."""

import asyncio
from collections.abc import Coroutine
from concurrent.futures import ThreadPoolExecutor
from typing import Any, TypeVar

T = TypeVar("T")


def awaited(work: Coroutine[Any, Any, T]) -> T:
    """What some asynchronous work comes to, done in a thread of its own."""
    with ThreadPoolExecutor(1) as apart:
        return apart.submit(asyncio.run, work).result()
