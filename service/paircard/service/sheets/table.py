"""A sheet as a table, from CSV in any usual encoding or from a workbook; and results in one."""

import csv
import io
import json
import lzma
import re
import subprocess
import sys
import zipfile
import zlib
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from datetime import date
from pathlib import Path
from typing import Final

import msgspec
from msgspec.structs import replace

from paircard.domain.errors import Invalid, need_kind
from paircard.domain.messages import Message, say
from paircard.domain.values.names import fold_name
from paircard.domain.values.text import decoded

DELIMITERS: Final = ",;\t"
MOST_TITLES: Final = 20
"""Lines in which the heading is looked for."""
LARGEST: Final = 20 << 20
"""Bytes of a sheet."""
MOST_BYTES: Final = 16 << 20
"""Of one part of the workbook, unpacked."""
MOST_WHOLE: Final = 4 * MOST_BYTES
MOST_EXPANSION: Final = 200
HARMLESS: Final = 4 << 20
"""Bytes that a part may have however well it packs."""
MOST_ROWS: Final = 20_000
MOST_COLUMNS: Final = 200
LONGEST_CELL: Final = 2_000
MOST_MEMORY: Final = 512 << 20
MOST_SECONDS: Final = 10
READER: Final = Path(__file__).with_name("reader.py")


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
    need_kind("data", data, bytes)
    need_kind("encoding", encoding, str)
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


# --- workbooks: nothing in one is trusted. It is read by python-calamine in a process of its own with little
# --- memory and time; a zip that says it would grow beyond reason is not even opened there


def rows_of_workbook(data: bytes) -> tuple[list[tuple[int, list[str]]], list[str], list[int]]:
    """Row number and cells of each row of the first sheet that has any; the other sheets that hold something,
    and the hidden rows."""
    if data.startswith(b"PK\x03\x04"):
        need_modest(data)
    limits = map(str, (MOST_MEMORY, MOST_SECONDS, MOST_ROWS, MOST_COLUMNS))
    try:
        child = subprocess.run(
            [sys.executable, "-I", str(READER), *limits],
            input=data,
            stdout=subprocess.PIPE,
            stderr=subprocess.DEVNULL,
            timeout=6 * MOST_SECONDS,
            check=True,
        )
    except (subprocess.SubprocessError, OSError):
        raise Invalid("import.damaged") from None
    about, *found = map(json.loads, child.stdout.splitlines())
    if isinstance(about, str):
        most = MOST_ROWS if about == "rows" else MOST_COLUMNS
        raise Invalid("import.too-many", cause=about, most=most)
    rows = [(number, [shown(*cell) for cell in row]) for number, row in enumerate(found, start=1)]
    return [(number, row) for number, row in rows if any(cell.strip() for cell in row)], *about


def need_modest(data: bytes) -> None:
    """Refuse a zip with parts that are too large, one or all of them, or packed better than texts are."""
    with reading_zip(Invalid("import.damaged")), zipfile.ZipFile(io.BytesIO(data)) as archive:
        parts = [info for info in archive.infolist() if info.filename.endswith(".xml")]
    for info in parts:
        if info.file_size > min(MOST_BYTES, HARMLESS + MOST_EXPANSION * info.compress_size):
            raise Invalid("import.would-grow", count=info.file_size)
    if (whole := sum(info.file_size for info in parts)) > MOST_WHOLE:
        raise Invalid("import.would-grow", count=whole)


def shown(kind: str, text: str) -> str:
    """A cell as people see it: a whole number without decimals, a day as 2026-11-16, yes as 1, no as 0."""
    match kind:
        case "bool":
            return str(int(text == "True"))
        case "float":
            return text.removesuffix(".0")
        case "datetime":
            return date.fromisoformat(text[:10]).isoformat()
    return text[:LONGEST_CELL]


@contextmanager
def reading_zip(refusal: Invalid) -> Iterator[None]:
    """Refuse a zip that is damaged or encrypted, or packed as no program we know does."""
    try:
        yield
    except (zipfile.BadZipFile, zlib.error, lzma.LZMAError, EOFError, NotImplementedError, RuntimeError):
        raise refusal from None
    except (OSError, ValueError) as wrong:
        if getattr(wrong, "errno", None) is not None:
            raise
        raise refusal from None  # of bzip2, or a number no zip can hold


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
