"""``paircard tables``: the log as plain SQL tables."""

import contextlib
import sys
from pathlib import Path

import click

from paircard.cli.options import uses_store
from paircard.cli.session import Session, finish
from paircard.domain.values.text import counted
from paircard.projections.tables import catch_up
from paircard.projections.tables import follow as followed


@click.command()
@click.argument("out", type=click.Path(path_type=Path))
@click.option("--rebuild", is_flag=True, help="Build the tables again from the first fact.")
@click.option(
    "--batch", type=click.IntRange(1, 100_000), default=500, show_default=True, help="Facts per transaction."
)
@click.option(
    "--follow", is_flag=True, help="Keep running and write new facts as they come, until interrupted."
)
@uses_store
def tables(session: Session, out: Path, rebuild: bool, batch: int, follow: bool) -> int:
    """Write read tables of all tournaments of the file, for Datasette and SQL.

    OUT is a database of its own. It is brought up to date where it left off; it may be deleted and
    made again at any time. With --follow a fact is in the tables a moment after it was recorded.

    \b
    Example:
      paircard tables read.db
    """
    log = session.office.store()
    told: dict[str, None] = {}

    def tell(problem: str) -> None:
        """Once, however often it is met."""
        if problem not in told:
            click.echo(f"paircard: {problem}", err=True)
        told[problem] = None

    new = catch_up(log, out, batch=batch, rebuild=rebuild, tell=tell)
    if not follow and not told:
        finish()
    click.echo(f"{out}: {counted(new, 'new fact')}, now at {log.last_position()}")
    if follow:
        with contextlib.suppress(KeyboardInterrupt):
            for new, position in followed(log, out, batch=batch, tell=tell):
                click.echo(f"{out}: {counted(new, 'new fact')}, now at {position}")
                sys.stdout.flush()
    return 1 if told else 0
