"""``export`` and ``tables``: files for relays, broadcasts, other programs and rating officers."""

import contextlib
import sys
from pathlib import Path

import click

from paircard.cli.options import reads, reads_text, uses_store
from paircard.cli.output import LEFT, RIGHT, show_json, show_table
from paircard.cli.session import Session, finish
from paircard.domain.messages import Message
from paircard.domain.speaking import Speaker
from paircard.domain.values.text import counted
from paircard.domain.whole_files import FOR_ALL, FOR_OWNER, hand_out
from paircard.projections.tables import catch_up
from paircard.projections.tables import follow as followed
from paircard.service.exports import (
    Performance,
    broadcast_players,
    performances,
    pgn_of,
    players_sheet,
    results_sheet,
    sheet,
)

OUTPUT = click.option(
    "-o", "--output", type=click.Path(dir_okay=False, path_type=Path), help="File; default: printed."
)
ROUND = click.option("--round", type=click.IntRange(1), help="Which round; default: the last one paired.")


@click.group()
def export() -> None:
    """Write files for relays, broadcasts, other programs and rating officers.

    \b
    Example:
      paircard export pgn --round 1 -o round1.pgn
    """


def hand_over(text: str, output: Path | None, mode: int = FOR_ALL) -> None:
    """Print a text, or write it to a file."""
    if output is None:
        click.echo(text, nl=False)
    else:
        hand_out(output, text.encode(), mode)
        finish()
        click.echo(f"{output} written")


@export.command()
@ROUND
@OUTPUT
@reads_text
def pgn(session: Session, round: int | None, output: Path | None) -> None:
    """Write the games of a round as PGN headers.

    \b
    Example:
      paircard export pgn --round 1
    """
    hand_over(pgn_of(session.view().history, round), output)


@export.command()
@OUTPUT
@reads_text
def broadcast(session: Session, output: Path | None) -> None:
    """Write the players as the text that a lichess broadcast takes.

    \b
    Example:
      paircard export broadcast
    """
    hand_over(broadcast_players(session.view().history), output)


@export.command()
@OUTPUT
@reads_text
def players(session: Session, output: Path | None) -> None:
    """Write the starting list in the columns of Swiss-Manager.

    That is the way to chess-results.com.

    \b
    Example:
      paircard export players -o players.csv
    """
    hand_over(players_sheet(session.view().history), output, FOR_OWNER)


@export.command()
@ROUND
@OUTPUT
@reads_text
def results(session: Session, round: int | None, output: Path | None) -> None:
    """Write the boards of a round with their results as CSV.

    \b
    Example:
      paircard export results --round 1
    """
    hand_over(results_sheet(session.view().history, round), output)


@export.command()
@click.option("--csv", "as_csv", is_flag=True, help="Print CSV.")
@OUTPUT
@reads
def performance(session: Session, as_csv: bool, output: Path | None) -> None:
    """Show rating changes and the data of title norms.

    Each stands with its article.
    Expected scores are those of B.02:8.1 with differences capped at 400 (8.3.1), averages and
    performances those of C.07:10. A change is shown where rating and K factor are known. Whether a norm
    was made is for the title regulations.

    \b
    Example:
      paircard export performance
    """
    everyone = performances(session.view().history)
    if session.json:
        show_json(everyone)
        return
    headings = ("Name", "Title", "Fed", "Rating", "Games", "Score", "Expected", "K", "Change", "ARO", "TPR")
    rows = [(*row_of(one), opponents(one.titled), opponents(one.federations)) for one in everyone]
    if as_csv or output:
        hand_over(sheet((*headings, "Titled opponents", "Federations"), rows), output)
        return
    sides = (LEFT, LEFT, LEFT, *[RIGHT] * 8, LEFT, LEFT)
    show_table(
        list(zip((*headings, "Titled opponents", "Federations"), sides, strict=True)),
        rows,
        spare=("Federations", "Titled opponents"),
    )


def row_of(one: Performance) -> tuple[object, ...]:
    """A player's numbers as people write them."""
    return (
        one.name,
        one.title,
        one.federation,
        one.rating or "",
        one.games,
        f"{one.score / 10:.1f}",
        f"{one.expected / 100:.2f}" if one.rating else "",
        one.k_factor or "",
        "" if one.change is None else f"{one.change / 100:.2f}",
        one.average or "",
        one.performance or "",
    )


def opponents(counts: tuple[tuple[str, int], ...]) -> str:
    """``GM 2, IM 1``."""
    return ", ".join(f"{word} {number}" for word, number in counts)


# The log as plain SQL tables


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

    def tell(message: Message) -> None:
        """Once, however often it is met."""
        problem = Speaker().say(message)
        if problem not in told:
            click.echo(f"paircard: {problem}", err=True)
        told[problem] = None

    with click.progressbar(
        length=log.last_position(), label="writing", file=sys.stderr, hidden=not sys.stderr.isatty()
    ) as bar:
        new = catch_up(log, out, batch=batch, rebuild=rebuild, tell=tell, taken_on=bar.update)
    if not follow and not told:
        finish()
    click.echo(f"{out}: {counted(new, 'new fact')}, now at {log.last_position()}")
    if follow:
        with contextlib.suppress(KeyboardInterrupt):
            for new, position in followed(log, out, batch=batch, tell=tell):
                click.echo(f"{out}: {counted(new, 'new fact')}, now at {position}")
                sys.stdout.flush()
    return 1 if told else 0
