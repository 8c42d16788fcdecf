"""``paircard tiebreaks``: the tie-breaks of a bare report file."""

from collections.abc import Sequence
from pathlib import Path

import click
from msgspec.structs import replace

from paircard.cli.commands.standings import FORMS, standings_csv
from paircard.cli.input_files import read_report_file
from paircard.cli.options import ENCODING, with_options
from paircard.cli.output import LEFT, RIGHT, show_json, show_table
from paircard.domain.errors import Invalid, Unknown
from paircard.domain.speaking import Speaker
from paircard.pairing.lab.tiebreaks import NONE
from paircard.projections.standings.arithmetic import text
from paircard.projections.standings.codes import TieBreak
from paircard.projections.standings.leavers import remarks
from paircard.projections.standings.places import announced_list, is_predetermined
from paircard.projections.standings.standings import Standing, explanations, standings, value_texts
from paircard.projections.standings.tiebreaks import headings, parse_list
from paircard.service.print.event import event_of_report
from paircard.service.print.standings import standings_page
from paircard.service.views import standings_of


@click.command()
@click.argument("path", type=click.Path(exists=True, dir_okay=False, path_type=Path), metavar="FILE")
@click.option(
    "--list",
    "wanted",
    default="",
    help="Tie-breaks in their order, like BH/C1,BH,SB; else record 202 or 212.",
)
@click.option(
    "--round", "after", type=click.IntRange(min=1), help="Standings after this round; else all rounds paired."
)
@click.option("--round-robin", is_flag=True, help="Treat unplayed games as in a round robin (C.07:15.2).")
@click.option(
    "--explain", "number", type=int, metavar="NUMBER", help="Show the arithmetic of one player's values."
)
@click.option(
    "--tsv", is_flag=True, help="Tab-separated values by starting number, one line for each player."
)
@click.option("--json", "as_json", is_flag=True, help="Print one JSON object.")
@with_options(*FORMS)
@ENCODING
def tiebreaks(
    path: Path,
    wanted: str,
    after: int | None,
    round_robin: bool,
    number: int | None,
    tsv: bool,
    as_json: bool,
    form: str | None,
    encoding: str,
) -> None:
    """Compute the tie-breaks of a report file (C.07, 2026).

    Prints the standings; with --tsv a line for each starting number, as checkers compare them.

    \b
    Example:
      paircard tiebreaks open.trf --list BH/C1,BH,SB,DE --explain 12
    """
    report, reading = read_report_file(path, encoding)
    table = reading.table
    predetermined = round_robin or is_predetermined(report)
    asked = wanted or announced_list(report)
    if not asked:
        raise Invalid("cli.no-tie-breaks", path=str(path))
    listed = parse_list(asked, predetermined=predetermined)
    rounds = table.paired if after is None else after
    if rounds > table.paired:
        raise Unknown("cli.rounds-of-report", path=str(path), rounds=table.paired, round=rounds)
    left = remarks(table, rounds) if predetermined else []
    for remark in (*reading.notes, *left):
        click.echo(f"paircard: {path}: {Speaker().say(remark)}", err=True)
    if number is not None:
        row = next((row for row in table.rows if row.number == number), None)
        if row is None:
            raise Unknown("cli.no-such-number", path=str(path), number=number)
        made = explanations(table, rounds, listed, row.id, predetermined=predetermined)
        if as_json:
            show_json(made)
        else:
            click.echo("\n\n".join(text(one) for one in made))
        return
    lines = standings(table, rounds, listed, predetermined=predetermined)
    if as_json:
        show_json(standings_of(replace(table, paired=rounds), listed, lines))
    elif form == "csv":
        click.echo(standings_csv(listed, lines), nl=False)
    elif form == "html":
        event = event_of_report(report, path.stem)
        click.echo(standings_page(event, table, rounds, listed, lines), nl=False)
    elif tsv:
        print_tsv(lines, asked, listed)
    else:
        print_table(lines, listed)


def print_tsv(lines: Sequence[Standing], asked: str, listed: tuple[TieBreak, ...]) -> None:
    """A line for each starting number, as checkers compare them."""
    click.echo("\t".join(["StartNo", "Rank", *headings(asked, listed)]))
    for line in sorted(lines, key=lambda line: line.number):
        click.echo("\t".join([str(line.number), str(line.rank), *value_texts(line, listed, NONE)]))


def print_table(lines: Sequence[Standing], listed: Sequence[TieBreak]) -> None:
    """The standings as a table."""
    columns = [("Place", RIGHT), ("No.", RIGHT), ("Name", LEFT), ("Rating", RIGHT)]
    columns += [(each.code, RIGHT) for each in listed]
    columns.append(("Decided by", LEFT))
    show_table(
        columns,
        [
            [
                line.rank or "-",
                line.number,
                line.name,
                line.rating or "",
                *value_texts(line, listed, ""),
                line.parted_by,
            ]
            for line in lines
        ],
    )
