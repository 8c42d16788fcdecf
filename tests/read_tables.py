"""Read tables in tests: caught up by the runner, and all that is in them."""

import sqlite3
from collections.abc import Iterator
from contextlib import closing
from pathlib import Path
from typing import Any

from paircard.domain.log.store import Tournaments
from paircard.projections.runner import Runner
from paircard.projections.tables import KEYS, ReadTables


def catch_up(log: Tournaments, into: str | Path, **how: Any) -> int:
    return Runner(log, ReadTables(), into).catch_up(**how)


def follow(log: Tournaments, into: str | Path, **how: Any) -> Iterator[tuple[int, int]]:
    return Runner(log, ReadTables(), into).follow(**how)


def contents(path: Path) -> dict[str, list[tuple[Any, ...]]]:
    with closing(sqlite3.connect(path)) as db:
        names = (*KEYS, "position")
        return {name: sorted(db.execute(f"SELECT * FROM {name}").fetchall()) for name in names}
