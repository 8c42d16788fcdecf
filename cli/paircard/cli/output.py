"""Text for people: points, results and tables."""

import csv
import io
import sys
from collections.abc import Iterable, Sequence
from shutil import get_terminal_size

import click
import msgspec

from paircard.domain.values.results import points as points
from paircard.domain.values.text import columns_of

LEFT, RIGHT, CENTRE = "left", "right", "center"
WIDEST = 100


def show_table(
    columns: Sequence[tuple[str, str]],
    rows: Iterable[Sequence[object]],
    *,
    title: str = "",
    spare: Sequence[str] = (),
) -> None:
    """Print a table. A column is its heading and its alignment.

    Where a terminal is too narrow, the columns in ``spare`` are left out, the first named first, and a line
    says so; no name is cut short.
    """
    cells = [[str(value) for value in row] for row in rows]
    if not sys.stdout.isatty():
        plain_table(columns, cells, title)
        return

    wide = get_terminal_size().columns
    left_out = []
    for heading in spare:
        if sum(widths_of(columns, cells)) + 2 * len(columns) - 2 <= wide:
            break
        at = [name for name, _ in columns].index(heading)
        if any(row[at] for row in cells):
            left_out.append(heading)
        columns = [*columns[:at], *columns[at + 1 :]]
        cells = [[*row[:at], *row[at + 1 :]] for row in cells]
    plain_table(columns, cells, title)
    if left_out:
        click.echo(f"left out, for a wider terminal: {', '.join(left_out)}")


def widths_of(columns: Sequence[tuple[str, str]], cells: list[list[str]]) -> list[int]:
    """The width of each column."""
    headings = [heading for heading, _ in columns]
    return [max(columns_of(row[i]) for row in [headings, *cells]) for i in range(len(columns))]


def plain_table(columns: Sequence[tuple[str, str]], cells: list[list[str]], title: str) -> None:
    headings = [heading for heading, _ in columns]
    widths = widths_of(columns, cells)
    lines = [title] if title else []
    for row in [headings, *cells]:
        line = "  ".join(
            [aligned(cell, width, side) for cell, width, (_, side) in zip(row, widths, columns, strict=True)]
        )
        lines.append(line.rstrip())
    click.echo("\n".join(lines))


def aligned(cell: str, width: int, side: str) -> str:
    """The cell, padded to the width on its side."""
    room = len(cell) + width - columns_of(cell)
    if side == RIGHT:
        return cell.rjust(room)
    return cell.center(room) if side == CENTRE else cell.ljust(room)


def line_width() -> int:
    """How long a line of prose may be: 100 characters, or as many as the terminal has."""
    if not sys.stdout.isatty():
        return WIDEST

    return min(WIDEST, max(40, get_terminal_size().columns))


def say(message: str) -> None:
    """One line about what was done."""
    click.echo(message)


def show_json(value: object) -> None:
    """Print a value as JSON for other programs, indented for people."""

    click.echo(msgspec.json.format(msgspec.json.encode(value), indent=2).decode())


def csv_text(rows: Sequence[Sequence[object]]) -> str:
    """Rows as CSV. What a spreadsheet would take for a formula gets an apostrophe, which it does not show."""
    out = io.StringIO()
    csv.writer(out, lineterminator="\n").writerows([[harmless(cell) for cell in row] for row in rows])
    return out.getvalue()


def harmless(cell: object) -> object:
    """A cell that no spreadsheet computes; results such as ``+`` and ``-`` alone stay as they are."""
    if isinstance(cell, str) and len(cell) > 1 and cell[0] in "=+-@\t\r":
        return f"'{cell}"
    return cell


def sign_column(fide_mode: bool) -> tuple[str, ...]:
    """One more heading once FIDE mode is left: no sheet may lack the sign (VCL 46)."""
    return () if fide_mode else ("OUT OF FIDE MODE",)
