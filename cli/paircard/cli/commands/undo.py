"""Slips: ``undo``."""

import click

from paircard.cli.options import writes
from paircard.cli.session import Session


@click.command()
@writes
def undo(session: Session) -> None:
    """Say what your last command did, and take back what can be taken back.

    If somebody else's is newer, it is named, and --ack not-yours takes that one back. Nothing is removed
    from the log: a new fact takes the old one back. What was public, or drawn by lot, says how to go on
    instead.

    \b
    Example:
      paircard undo
    """
    lines = session.tournament.last_lines()
    done = session.tournament.undo(by=session.person)
    for line in lines:
        click.echo(f"the last command, by {line.who}: {line.text}")
    session.tell(done)
