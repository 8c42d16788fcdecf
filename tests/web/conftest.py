"""Halls: on both stores where it matters, on a file where it does not."""

from collections.abc import Iterator
from pathlib import Path

import pytest

from tests.web.hall import Hall, hall_at


@pytest.fixture
def hall(tmp_path: Path) -> Iterator[Hall]:
    """A hall on a file."""
    with hall_at(str(tmp_path / "events.db")) as made:
        yield made


@pytest.fixture
def any_hall(location: str) -> Iterator[Hall]:
    """A hall on a file, and once more on PostgreSQL."""
    with hall_at(location) as made:
        yield made
