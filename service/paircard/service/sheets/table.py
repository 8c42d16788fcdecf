"""A sheet as a table, from CSV in any usual encoding or from a workbook; and results in one."""

import csv
import io
import re
from collections.abc import Callable
from typing import Final

import msgspec
from msgspec.structs import replace

from paircard.domain.errors import Invalid
from paircard.domain.messages import Message, say
from paircard.domain.values.names import fold_name
from paircard.domain.values.text import decoded
from paircard.service.sheets.workbooks import LONGEST_CELL, MOST_COLUMNS, MOST_ROWS, rows_of_workbook

DELIMITERS: Final = ",;\t"
MOST_TITLES: Final = 20
"""Lines in which the heading is looked for."""
LARGEST: Final = 20 << 20
"""Bytes of a sheet."""


class TableLine(msgspec.Struct, frozen=True):
    """One line of a sheet."""

    number: int
    cells: tuple[str, ...]


class Table(msgspec.Struct, frozen=True, kw_only=True):
    """A sheet with a heading line."""

    heading: TableLine
    lines: tuple[TableLine, ...]
    encoding: str
    """How the text was read; empty for Excel."""
    around: tuple[TableLine, ...] = ()
    """Titles above the heading and remarks below the last line, as chess-results has them."""
    unread: tuple[str, ...] = ()
    """The other sheets of a workbook, of those that hold something."""
    hidden: frozenset[int] = frozenset()
    """Rows that a workbook does not show."""

    @property
    def notes(self) -> list[Message]:
        """What somebody who looks at the workbook may not expect."""
        hidden = [line.number for line in self.lines if line.number in self.hidden]
        notes = [say("import.sheets-unread", names=self.unread)] if self.unread else []
        return notes + ([say("import.hidden", numbers=hidden)] if hidden else [])


def read_table(data: bytes, encoding: str = "") -> Table:
    """The table in a file: a workbook (.xlsx, .ods, .xls), or CSV parted by commas, semicolons or tabs.

    Without ``encoding``, text is UTF-8 or UTF-16, else that of Windows in Western Europe (cp1252).
    """
    if len(data) > LARGEST:
        raise Invalid("import.too-large", most=LARGEST >> 20)
    used, unread, hidden = "", list[str](), list[int]()
    if data.startswith((b"PK\x03\x04", b"\xd0\xcf\x11\xe0")):
        rows, unread, hidden = rows_of_workbook(data)
    else:
        text, used = decoded(data, encoding)
        rows = rows_of_csv(text)
    lines = [
        TableLine(number, tuple(cell.strip() for cell in cells))
        for number, cells in rows
        if any(cell.strip() for cell in cells)
    ]
    if not lines:
        raise Invalid("import.empty")
    return Table(
        heading=lines[0],
        lines=tuple(lines[1:]),
        encoding=used,
        unread=tuple(unread),
        hidden=frozenset(hidden),
    )


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
            raise Invalid("import.not-csv", line=number, reason=str(wrong)) from None
        if len(cells) > MOST_COLUMNS or any(len(cell) > LONGEST_CELL for cell in cells):
            raise Invalid("import.cells", line=number, most=MOST_COLUMNS)
        rows.append((number, cells))
        if len(rows) > MOST_ROWS:
            raise Invalid("import.too-many", cause="lines", most=MOST_ROWS)


def between_remarks(table: Table, is_heading: Callable[[TableLine], bool]) -> Table:
    """The table from its heading on, without titles above it and remarks below its last line."""
    lines = [table.heading, *table.lines]
    start = next((at for at, line in enumerate(lines[:MOST_TITLES]) if is_heading(line)), 0)
    end = len(lines)
    while end > start + 1 and len(lines[start].cells) > 2 and _is_remark(lines[end - 1]):
        end -= 1
    around = (*lines[:start], *lines[end:])
    return replace(table, heading=lines[start], lines=tuple(lines[start + 1 : end]), around=around)


def _is_remark(line: TableLine) -> bool:
    """Whether only the first cell has something in it, and that is a sentence."""
    return not any(line.cells[1:]) and " " in line.cells[0]


def plain_label(label: str) -> str:
    """A column name for comparing: letters without accents, so ``FIDE-No.`` is ``fideno``."""
    return re.sub(r"[^a-z]", "", fold_name(label))


# --- results of a round: boards, or the names of the players, with their results


RESULT_COLUMNS: Final = {
    "board": ("board", "bo", "br", "brett", "table", "tavolo", "echiquier", "ech"),
    "white": ("white", "weiss", "blancs", "bianco", "blancas", "nameofwhite"),
    "black": ("black", "schwarz", "noirs", "nero", "negras", "nameofblack"),
    "result": ("result", "res", "ergebnis", "erg", "resultat", "risultato", "resultado"),
}


class Entered(msgspec.Struct, frozen=True, kw_only=True):
    """One result of a sheet."""

    line: int
    board: int
    """0 where the sheet names the players only."""
    white: str
    black: str
    result: str


def names_results(line: TableLine) -> bool:
    """Whether a column is named after results."""
    return any(plain_label(label) in RESULT_COLUMNS["result"] for label in line.cells)


def is_result_sheet(table: Table) -> bool:
    """Whether a table is one of results, below its titles if it has any."""
    return names_results(between_remarks(table, names_results).heading)


def results_of(table: Table) -> tuple[Entered, ...]:
    """The results of a table; lines without a result are boards still to be played."""
    table = between_remarks(table, names_results)
    by_label = {label: field for field, labels in RESULT_COLUMNS.items() for label in labels}
    fields = [by_label.get(plain_label(label), "") for label in table.heading.cells]
    if again := [field for field in RESULT_COLUMNS if fields.count(field) > 1]:
        raise Invalid("import.results-twice", line=table.heading.number, label=again[0])
    named = {"white", "black"} <= set(fields)
    if "result" not in fields or not (named or "board" in fields):
        raise Invalid("import.not-results", line=table.heading.number)
    entered = []
    for line in table.lines:
        values = dict(zip(fields, line.cells, strict=False))
        board, result = values.get("board", ""), values.get("result", "").replace(" ", "")
        if not result or result == "-":
            continue
        number = int(board) if board.isascii() and board.isdecimal() and len(board) < 6 else 0
        if not number and not named:
            raise Invalid("import.not-a-board", line=line.number, text=board)
        white, black = values.get("white", ""), values.get("black", "")
        entered.append(Entered(line=line.number, board=number, white=white, black=black, result=result))
    if not entered:
        raise Invalid("import.no-results")
    return tuple(entered)
