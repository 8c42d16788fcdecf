"""A sheet as a table: the cells of each line, from CSV in any usual encoding or from Excel."""

import csv
import io
import re
from collections.abc import Callable
from typing import Final

import msgspec
from msgspec.structs import replace

from paircard.domain.errors import Invalid
from paircard.domain.values.names import fold_name
from paircard.projections.trf.text import encoding_of
from paircard.service.sheets.workbooks import LONGEST_CELL, MOST_COLUMNS, MOST_ROWS, rows_of_workbook

DELIMITERS: Final = ",;\t"
MOST_TITLES: Final = 20
"""Lines in which the heading is looked for."""
LARGEST: Final = 20 << 20
"""Bytes of a sheet."""


class Line(msgspec.Struct, frozen=True):
    """One line of a sheet."""

    number: int
    cells: tuple[str, ...]


class Table(msgspec.Struct, frozen=True, kw_only=True):
    """A sheet with a heading line."""

    heading: Line
    lines: tuple[Line, ...]
    encoding: str
    """How the text was read; empty for Excel."""
    around: tuple[Line, ...] = ()
    """Titles above the heading and remarks below the last line, as chess-results has them."""


def read_table(data: bytes, encoding: str = "") -> Table:
    """The table in a file: a workbook (.xlsx, .ods, .xls), or CSV parted by commas, semicolons or tabs.

    Without ``encoding``, text is UTF-8 or UTF-16, else that of Windows in Western Europe (cp1252).
    """
    if len(data) > LARGEST:
        raise Invalid(f"the sheet has more than {LARGEST >> 20} MiB: that is not a list of players")
    used = ""
    if data.startswith((b"PK\x03\x04", b"\xd0\xcf\x11\xe0")):
        rows = rows_of_workbook(data)
    else:
        text, used = decoded(data, encoding)
        rows = rows_of_csv(text)
    lines = [
        Line(number, tuple(cell.strip() for cell in cells))
        for number, cells in rows
        if any(cell.strip() for cell in cells)
    ]
    if not lines:
        raise Invalid("the sheet is empty: its first line names the columns")
    return Table(heading=lines[0], lines=tuple(lines[1:]), encoding=used)


def decoded(data: bytes, encoding: str) -> tuple[str, str]:
    """The text of a file, and the encoding it was read in."""
    used = encoding or encoding_of(data)
    try:
        text = data.decode(used).removeprefix("\ufeff")
    except (ValueError, LookupError):
        named = encoding[:40] or "UTF-8 or of Windows"
        raise Invalid(f"the file is not a text in {named}: save it as UTF-8, or name its encoding") from None
    if "\0" in text:
        raise Invalid("this is neither a text nor an Excel file")
    return text, used


def rows_of_csv(text: str) -> list[tuple[int, list[str]]]:
    """Line number and cells of each line."""
    head = text.split("\n", MOST_TITLES)[:MOST_TITLES]
    parted = next((line for line in head if max(map(line.count, DELIMITERS)) > 1), head[0])
    delimiter = max(DELIMITERS, key=parted.count)
    reader = csv.reader(io.StringIO(text, newline=""), delimiter=delimiter, strict=True)
    rows: list[tuple[int, list[str]]] = []
    while True:
        number = reader.line_num + 1
        try:
            cells = next(reader)
        except StopIteration:
            return rows
        except csv.Error as wrong:
            raise Invalid(f"line {number}: {wrong}") from None
        if len(cells) > MOST_COLUMNS or any(len(cell) > LONGEST_CELL for cell in cells):
            raise Invalid(f"line {number}: more than {MOST_COLUMNS} cells, or one that is too long")
        rows.append((number, cells))
        if len(rows) > MOST_ROWS:
            raise Invalid(f"the sheet has more than {MOST_ROWS:,} lines: that is not a list of players")


def between_remarks(table: Table, is_heading: Callable[[Line], bool]) -> Table:
    """The table from its heading on, without titles above it and remarks below its last line."""
    lines = [table.heading, *table.lines]
    start = next((at for at, line in enumerate(lines[:MOST_TITLES]) if is_heading(line)), 0)
    end = len(lines)
    while end > start + 1 and len(lines[start].cells) > 2 and _is_remark(lines[end - 1]):
        end -= 1
    around = (*lines[:start], *lines[end:])
    return replace(table, heading=lines[start], lines=tuple(lines[start + 1 : end]), around=around)


def _is_remark(line: Line) -> bool:
    """Whether only the first cell has something in it, and that is a sentence."""
    return not any(line.cells[1:]) and " " in line.cells[0]


def plain_label(label: str) -> str:
    """A column name for comparing: letters without accents, so ``FIDE-No.`` is ``fideno``."""
    return re.sub(r"[^a-z]", "", fold_name(label))
