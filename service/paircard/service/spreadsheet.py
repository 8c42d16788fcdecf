"""Rows as CSV that is safe to open in a spreadsheet."""

import csv
import io
import re
from collections.abc import Callable, Iterable, Mapping, Sequence
from typing import Final, TypeAlias, TypeVar

T = TypeVar("T")
Columns: TypeAlias = Mapping[str, Callable[[T], object]]
"""A table: what each column is called in a file, and what a line has in it."""

FORMULA: Final = ("=", "+", "-", "@", "\t", "\r")
"""Beginnings that a spreadsheet takes for a formula."""


def csv_text(rows: Iterable[Sequence[object]], delimiter: str = ",") -> str:
    """Rows as CSV, safe to open in a spreadsheet."""
    out = io.StringIO()
    writer = csv.writer(out, delimiter=delimiter, lineterminator="\n")
    writer.writerows([[harmless(str(cell)) for cell in row] for row in rows])
    return out.getvalue()


def cells(columns: Columns[T], line: T) -> list[object]:
    """A line of a table."""
    return [cell(line) for cell in columns.values()]


def table_csv(
    columns: Columns[T], lines: Iterable[T], more: Sequence[str] = (), *, delimiter: str = ","
) -> str:
    """A table as CSV, under the names of its columns and of more that stay empty; a dash is for people."""
    rows = [["" if cell == "–" else cell for cell in cells(columns, line)] for line in lines]
    return csv_text([[*columns, *more], *rows], delimiter)


def harmless(cell: str) -> str:
    """The cell, with a mark before what would be computed; a number, or a sign alone, is what it is."""
    is_number = re.fullmatch(r"[+-]?([0-9]+([.][0-9]+)?)?", cell)
    return f"'{cell}" if cell.startswith(FORMULA) and not is_number else cell
