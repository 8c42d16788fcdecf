"""``paircard tables``: the log as plain SQL tables."""

from pathlib import Path

import click

from paircard.cli.desk import Desk, files
from paircard.cli.text import say


@click.command()
@click.argument("out", type=click.Path(path_type=Path))
@click.option("--rebuild", is_flag=True, help="Make the tables anew from the first fact on.")
@click.option(
    "--batch", type=click.IntRange(1, 100_000), default=500, show_default=True, help="Facts per transaction."
)
@files
def tables(desk: Desk, out: Path, rebuild: bool, batch: int) -> None:
    """Write read tables of all tournaments of the file, for Datasette and SQL.

    OUT is a database of its own. It is brought up to date where it left off; it may be deleted and
    made again at any time.

    \b
    Example:
      paircard tables read.db
    """
    from paircard.projections.tables import catch_up

    log = desk.store()
    new = catch_up(log, out, batch=batch, rebuild=rebuild)
    say(f"{out}: {new} new facts, now at {log.last_position()}")
