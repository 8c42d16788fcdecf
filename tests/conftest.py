"""Stores to run the same tests on: a file, and a PostgreSQL server started for the session."""

import getpass
import os
import shutil
import sys
import tempfile
from collections.abc import Iterator
from itertools import groupby, islice
from pathlib import Path
from typing import TYPE_CHECKING

import pytest
from hypothesis import settings

from paircard.domain.log.store import prepare
from tests.examples import PROFILE
from tests.postgres import Server, Unavailable, running
from tests.roots import ROOT

if TYPE_CHECKING:
    from playwright.sync_api import Browser

    from tests.chromium import Window

# The same examples everywhere, so that a failure is a change of the code; HYPOTHESIS_PROFILE=search looks
# for new ones, four times as many.
settings.register_profile("steady", derandomize=True, deadline=None, max_examples=25)
settings.register_profile("search", deadline=None)
settings.load_profile(PROFILE)


for name in ("PAIRCARD_DB", "PAIRCARD_AS", "PAIRCARD_KEY", "PYTHONDONTWRITEBYTECODE"):  # of the user's shell
    os.environ.pop(name, None)
sys.dont_write_bytecode = False  # hundreds of processes are started, and none has to compile the house again
try:
    getpass.getuser()
except (KeyError, OSError):  # a user without a name, as in some containers
    os.environ["LOGNAME"] = f"user{os.getuid()}"


FAST = ("tests/domain/", "tests/projections/", "tests/words/", "tests/test_layers.py")
"""Where the tests are that a change is tried with first."""
MEMORY = Path("/dev/shm")
"""Where their files lie, if there is room: nothing of them has to survive the machine."""
ROOM = 4 * 2**30


def pytest_configure(config: pytest.Config) -> None:
    """Keep files in memory; not those of long runs, which are quoted with the time a disk takes."""
    asked = config.option.markexpr
    if "soak" not in asked and MEMORY.is_dir() and shutil.disk_usage(MEMORY).free > ROOM:
        tempfile.tempdir = os.environ.setdefault("TMPDIR", str(MEMORY))


def pytest_ignore_collect(collection_path: Path, config: pytest.Config) -> bool | None:
    """Read no other modules and folders where only fast tests are asked for."""
    if config.option.markexpr != "fast" or not collection_path.is_relative_to(ROOT / "tests"):
        return None
    path = collection_path.relative_to(ROOT).as_posix() + "/" * collection_path.is_dir()
    return None if path.startswith(FAST) or any(one.startswith(path) for one in FAST) else True


def pytest_collection_modifyitems(config: pytest.Config, items: list[pytest.Item]) -> None:
    """Mark tests by what they need: a browser, a server, or nothing but half a second.

    Long runs are left out, whatever is asked for with ``-m``, unless it names them.
    """
    long = [item for item in items if item.get_closest_marker("soak")]
    if long and "soak" not in config.option.markexpr:
        config.hook.pytest_deselected(items=long)
        items[:] = [item for item in items if not item.get_closest_marker("soak")]
    for item in items:
        needs = set(getattr(item, "fixturenames", ()))
        if "chromium" in needs:
            item.add_marker(pytest.mark.browser)
        elif "server" in needs or "[postgres" in item.name or "-postgres" in item.name:
            item.add_marker(pytest.mark.postgres)
        elif item.path.relative_to(ROOT).as_posix().startswith(FAST) and not takes_long(item):
            item.add_marker(pytest.mark.fast)
    if (workers := int(os.environ.get("PYTEST_XDIST_WORKER_COUNT", "1"))) > 1:
        items[:] = dealt(items, workers)


def takes_long(item: pytest.Item) -> bool:
    """Whether a test takes seconds."""
    return any(item.get_closest_marker(mark) for mark in ("browser", "slow"))


def dealt(items: list[pytest.Item], workers: int) -> list[pytest.Item]:
    """The tests in as many equal parts as xdist makes; each begins with its share of those that take long.

    So the end is many short tests, which are soon shared out, and not a long one that the others wait for.
    """
    long = [list(them) for _, them in groupby(filter(takes_long, items), lambda item: item.path)]
    parts: list[list[pytest.Item]] = [[] for _ in range(workers)]
    for them in sorted(long, key=len, reverse=True):  # a file stays together, for it shares a server
        min(parts, key=len).extend(them)
    short = iter([item for item in items if not takes_long(item)])
    for at, part in enumerate(parts):
        size = len(items) // workers if at < workers - 1 else len(items)
        part.extend(islice(short, max(0, size - len(part))))
    return [item for part in parts for item in part]


@pytest.fixture(scope="session")
def server() -> Iterator[Server]:
    """PostgreSQL, or the reason why there is none; PAIRCARD_NEED_POSTGRES=1 makes that an error."""
    started = running()
    try:
        server = started.__enter__()
    except Unavailable as reason:
        if os.environ.get("PAIRCARD_NEED_POSTGRES"):
            raise
        pytest.skip(str(reason))
    yield server
    started.__exit__(None, None, None)


@pytest.fixture(scope="session")
def chromium() -> "Iterator[Browser]":
    """A browser for all tests of this process."""
    from tests.chromium import started  # a third of a second, which the fast tests do without

    with started() as browser:
        yield browser


@pytest.fixture(scope="session")
def window(chromium: "Browser") -> "Iterator[Window]":
    """A window of it for pages that need no server."""
    from tests.chromium import Window

    page = chromium.new_page()
    yield Window(page)
    page.close()


@pytest.fixture(params=["sqlite", "postgres"])
def location(request: pytest.FixtureRequest, tmp_path: Path) -> str:
    """An empty store, ready to be opened: once a file, once a schema of a database."""
    if request.param == "sqlite":
        return str(tmp_path / "events.db")
    server: Server = request.getfixturevalue("server")
    url = server.fresh()
    assert prepare(url)
    return url
