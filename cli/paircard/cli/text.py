"""Text for people: points, results and tables; ruled on a terminal, plain in a pipe."""

import sys
from collections.abc import Iterable, Sequence

import click

from paircard.domain.results import points as points

LEFT, RIGHT, CENTRE = "left", "right", "center"
WIDEST = 100


def show_table(
    columns: Sequence[tuple[str, str]], rows: Iterable[Sequence[object]], *, title: str = ""
) -> None:
    """Print a table. A column is its heading and its alignment."""
    cells = [[str(value) for value in row] for row in rows]
    if sys.stdout.isatty():
        ruled_table(columns, cells, title)
    else:
        plain_table(columns, cells, title)


def ruled_table(columns: Sequence[tuple[str, str]], cells: list[list[str]], title: str) -> None:
    from rich.box import SIMPLE_HEAD
    from rich.console import Console
    from rich.table import Table
    from rich.text import Text

    table = Table(box=SIMPLE_HEAD, title=title or None, title_justify="left", pad_edge=False)
    for heading, side in columns:
        table.add_column(Text(heading), justify=side, no_wrap=side != LEFT)  # type: ignore[arg-type]
    for row in cells:
        table.add_row(*map(Text, row))
    Console().print(table)


def plain_table(columns: Sequence[tuple[str, str]], cells: list[list[str]], title: str) -> None:
    headings = [heading for heading, _ in columns]
    widths = [max(len(row[i]) for row in [headings, *cells]) for i in range(len(columns))]
    lines = [title] if title else []
    for row in [headings, *cells]:
        line = "  ".join(
            [aligned(cell, width, side) for cell, width, (_, side) in zip(row, widths, columns, strict=True)]
        )
        lines.append(line.rstrip())
    click.echo("\n".join(lines))


def aligned(cell: str, width: int, side: str) -> str:
    """The cell, padded to the width on its side."""
    if side == RIGHT:
        return cell.rjust(width)
    return cell.center(width) if side == CENTRE else cell.ljust(width)


def line_width() -> int:
    """How long a line of prose may be: 100 characters, or as many as the terminal has."""
    if not sys.stdout.isatty():
        return WIDEST
    from shutil import get_terminal_size

    return min(WIDEST, max(40, get_terminal_size().columns))


def say(message: str) -> None:
    """One line about what was done."""
    click.echo(message)


def show_json(value: object) -> None:
    """Print a value as JSON for other programs, indented for people."""
    import msgspec

    click.echo(msgspec.json.format(msgspec.json.encode(value), indent=2).decode())
