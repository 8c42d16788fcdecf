"""``snapshot`` and ``tabellone``: what the pairing of a round sees. Nothing here writes."""

from typing import Final

import click

from paircard.cli.options import reads, reads_text
from paircard.cli.output import (
    LEFT,
    RIGHT,
    csv_text,
    outside_fide,
    points,
    show_json,
    show_table,
    sign_column,
)
from paircard.cli.round_question import about_a_round, round_or_next
from paircard.cli.session import Session
from paircard.pairing.explain.bracket_lines import TOPSCORER
from paircard.projections.round.cards import Tabellone, TabelloneLine, tabellone
from paircard.projections.views import snapshot_of
from paircard.service.print.paper import tabellone_page

ARROWS: Final = {"d": "↓", "u": "↑", "-": "–"}


@click.command()
@click.argument("round", type=int)
@click.option("--sha256", is_flag=True, help="Print the SHA-256 that stands in the fact of the round.")
@reads_text
def snapshot(session: Session, round: int, sha256: bool) -> None:
    """Print all that the pairing of a round depends on, byte by byte as it was hashed.

    The SHA-256 of these bytes stands in the fact that paired the round (RoundPaired), so that anybody can
    check what the pairing saw: paircard snapshot 1 | sha256sum.

    \b
    Example:
      paircard snapshot 1 --sha256
    """
    state = snapshot_of(session.view().facts, round)
    if sha256:
        click.echo(state.digest())
    else:
        click.echo(state.canonical(), nl=False)


@click.command(name="tabellone")
@click.argument("what", metavar="[ROUND]", required=False)
@about_a_round
@click.option("--csv", "form", flag_value="csv", help="Print comma-separated values for a spreadsheet.")
@click.option("--html", "form", flag_value="html", help="Print a web page, for the screen or for paper.")
@reads
def tabellone_(
    session: Session,
    what: str | None,
    round: int | None,
    edition: str | None,
    encoding: str,
    form: str | None,
) -> None:
    """Show the table before a round: scoregroups, colours, preferences and floats; default: the next round.

    Colour histories have unplayed rounds in front (C.04.2:3.4); a forfeit has no colour. Preferences: W B
    absolute, Ww Bb strong, w b mild, A none; a difference of none is +0 after White and -0 after Black. (11)
    is an opponent who was not met, since the game was forfeited; * marks a topscorer of the last round.
    ROUND is a round of the tournament; or a report file, with --round.

    \b
    Example:
      paircard tabellone 1
    """
    meant = round_or_next(session, what, round, edition, encoding)
    table = tabellone(meant.round.snapshot, {id: who.name for id, who in meant.round.people.items()})
    if form == "csv":
        click.echo(as_csv(table, meant.event.fide_mode), nl=False)
    elif form == "html":
        click.echo(tabellone_page(meant.event, table), nl=False)
    elif session.json:
        show_json(table)
    else:
        print_tabellone(table, meant.event.fide_mode)


def arrows(floats: str) -> str:
    """Floats of the last two rounds, the latest first."""
    return "".join(ARROWS[mark] for mark in reversed(floats[-2:]))


def colours(line: TabelloneLine) -> str:
    """A colour history: ``=`` for a round without a game."""
    return line.history.upper().replace("-", "=")


def print_tabellone(table: Tabellone, fide_mode: bool) -> None:
    """The table for people, a line between scoregroups."""
    show_table(
        (
            ("Points", RIGHT),
            ("No", RIGHT),
            ("Name", LEFT),
            ("Opponents", LEFT),
            ("Colours", RIGHT),
            ("Diff", RIGHT),
            ("Due", LEFT),
            ("Floats", LEFT),
            ("", LEFT),
        ),
        [
            (
                points(line.score),
                f"{line.number or '–'}{TOPSCORER if line.topscorer else ''}",
                line.name,
                line.opponents_text,
                colours(line),
                line.difference_text,
                line.sign,
                arrows(line.floats),
                line.absent,
            )
            for line in table.lines
        ],
        title=f"Before round {table.round} of {table.rounds}{outside_fide(fide_mode)}",
        spare=("Opponents",),
    )
    if table.forfeits:
        click.echo("(11): scheduled against 11, but forfeited: the two have not met and may be paired")
    if table.topscorers:
        click.echo(f"{TOPSCORER} behind the number: a topscorer of the last round")


def as_csv(table: Tabellone, fide_mode: bool) -> str:
    """The table as a spreadsheet takes it."""
    rows: list[list[object]] = [
        ["score", "points", "number", "name", "opponents", "colours", "difference", "due", "strength",
         "sign", "floats", "absent", "topscorer", *sign_column(fide_mode)]
    ]  # fmt: skip
    rows += [
        [
            f"{line.score / 10:.1f}",
            f"{line.points / 10:.1f}",
            line.number or "",
            line.name,
            line.opponents_text.replace("–", "0"),
            colours(line),
            line.difference,
            line.due,
            line.strength,
            line.sign,
            line.floats,
            line.absent,
            int(line.topscorer),
        ]
        for line in table.lines
    ]
    return csv_text(rows)
