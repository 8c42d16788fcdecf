"""The first sheet of a workbook (.xlsx, .ods, .xls), read by python-calamine behind limits of our own.

Nothing in a workbook is trusted. Of a zip, the parts that are needed are unpacked up to a size and walked
through: entities, deep nesting and cells beyond the limits are refused. Only what was looked at is handed
on, in a zip made here. An Excel file from before 2007 is read in a process with little memory and time.
"""

import io
import json
import lzma
import re
import subprocess
import sys
import zipfile
import zlib
from collections.abc import Callable, Iterator, Mapping
from contextlib import contextmanager
from datetime import date
from html import escape
from pathlib import Path
from typing import Any, Final
from xml.parsers import expat

from python_calamine import load_workbook

from paircard.domain.errors import Invalid

MOST_BYTES: Final = 16 << 20
"""Of one part of the workbook, unpacked."""
MOST_EXPANSION: Final = 200
HARMLESS: Final = 4 << 20
"""Bytes that a part may have however well it packs."""
MOST_ROWS: Final = 20_000
MOST_COLUMNS: Final = 200
LONGEST_CELL: Final = 2_000
DEEPEST: Final = 32
MOST_MEMORY: Final = 512 << 20
MOST_SECONDS: Final = 10
"""For an Excel file from before 2007."""

Rows = list[tuple[int, list[str]]]
Attributes = dict[str, str]

OFFICE: Final = "http://schemas.openxmlformats.org/officeDocument/2006/relationships"
RELATIONS: Final = (
    '<Relationships xmlns="http://schemas.openxmlformats.org/package/2006/relationships">'
    f'<Relationship Id="rId1" Type="{OFFICE}/{{kind}}" Target="{{target}}"/></Relationships>'
)
BOOK: Final = (
    '<workbook xmlns="http://schemas.openxmlformats.org/spreadsheetml/2006/main" '
    f'xmlns:r="{OFFICE}"><workbookPr date1904={{since_1904}}/>'
    '<sheets><sheet name="1" sheetId="1" r:id="rId1"/></sheets></workbook>'
)
OLD_EXCEL: Final = Path(__file__).with_name("old_excel.py")
ODS_TYPE: Final = "application/vnd.oasis.opendocument.spreadsheet"


def rows_of_workbook(data: bytes) -> Rows:
    """Row number and cells of each row of the first sheet; rows without anything are left out."""
    if not data.startswith(b"PK\x03\x04"):
        return rows_of_old_excel(data)
    with reading_zip(Invalid("import.damaged")), zipfile.ZipFile(io.BytesIO(data)) as archive:
        parts = {info.filename: info for info in archive.infolist()}
        looked_at = ods_parts(archive, parts) if "content.xml" in parts else xlsx_parts(archive, parts)
    cells = calamine_cells(packed(looked_at))
    return rows_of([[shown(type(cell).__name__, str(cell)) for cell in row] for row in cells])


def calamine_cells(data: bytes) -> list[list[Any]]:
    """The cells as calamine reads them."""
    try:
        return list(load_workbook(io.BytesIO(data)).get_sheet_by_index(0).to_python(skip_empty_area=False))
    except (KeyboardInterrupt, SystemExit):
        raise
    except BaseException:  # a panic of calamine is no Exception
        raise Invalid("import.damaged") from None


def rows_of(cells: list[list[str]]) -> Rows:
    return [(number, row) for number, row in enumerate(cells, 1) if any(cell.strip() for cell in row)]


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


def rows_of_old_excel(data: bytes) -> Rows:
    """The rows of an Excel file from before 2007 (.xls)."""
    limits = map(str, (MOST_MEMORY, MOST_SECONDS, MOST_ROWS, MOST_COLUMNS))
    try:
        child = subprocess.run(
            [sys.executable, "-I", str(OLD_EXCEL), *limits],
            input=data,
            stdout=subprocess.PIPE,
            stderr=subprocess.DEVNULL,
            timeout=6 * MOST_SECONDS,
            check=True,
        )
    except (subprocess.SubprocessError, OSError):
        raise Invalid("import.damaged") from None
    found = json.loads(child.stdout)
    if isinstance(found, str):
        raise too_many(found)
    return rows_of([[shown(kind, text) for kind, text in row] for row in found])


def too_many(what: str) -> Invalid:
    """The refusal of a sheet with too many rows or columns."""
    return Invalid("import.too-many", cause=what, most=MOST_ROWS if what == "rows" else MOST_COLUMNS)


# --- parts of a zip


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


def part(archive: zipfile.ZipFile, parts: Mapping[str, zipfile.ZipInfo], name: str) -> bytes:
    """One file of the workbook; empty if it is not there."""
    info = parts.get(name)
    if info is None:
        return b""
    suspicious = info.file_size > HARMLESS + MOST_EXPANSION * info.compress_size
    if info.file_size > MOST_BYTES or suspicious:
        raise Invalid("import.would-grow", count=info.file_size)
    with archive.open(info) as file:
        content = file.read(MOST_BYTES + 1)
    if len(content) > MOST_BYTES:
        raise Invalid("import.grows")
    return content


def packed(parts: Mapping[str, bytes | str]) -> bytes:
    """A zip of these parts."""
    file = io.BytesIO()
    with zipfile.ZipFile(file, "w") as archive:
        for name, content in parts.items():
            archive.writestr(name, content)
    return file.getvalue()


def xlsx_parts(archive: zipfile.ZipFile, parts: Mapping[str, zipfile.ZipInfo]) -> dict[str, bytes | str]:
    """What is needed of an Excel workbook: its first sheet alone, with texts and styles."""
    found: list[str] = []
    targets: dict[str, str] = {}
    since_1904 = "0"

    def start(name: str, attributes: Attributes) -> None:
        nonlocal since_1904
        if name == "sheet":
            found.append(next((value for key, value in attributes.items() if key.endswith(":id")), ""))
        elif name == "workbookPr":
            since_1904 = attributes.get("date1904", "0")
        elif name == "Relationship":
            targets[attributes.get("Id", "")] = attributes.get("Target", "")

    texts, styles = (part(archive, parts, each) for each in ("xl/sharedStrings.xml", "xl/styles.xml"))
    walk(part(archive, parts, "xl/workbook.xml"), start)
    walk(part(archive, parts, "xl/_rels/workbook.xml.rels"), start)
    target = targets.get(found[0], "") if found else ""
    name = target.lstrip("/") if target.startswith("/") else f"xl/{target}"
    if name not in parts:
        name = next((each for each in sorted(parts) if re.fullmatch(r"xl/worksheets/[^/]+\.xml", each)), "")
    if not name:
        raise Invalid("import.no-sheet")
    sheet = part(archive, parts, name)
    extent = XlsxExtent()
    walk(sheet, extent.start)
    walk(texts, lambda *_: None)
    walk(styles, lambda *_: None)
    return {
        "_rels/.rels": RELATIONS.format(kind="officeDocument", target="xl/workbook.xml"),
        "xl/workbook.xml": BOOK.format(since_1904=f'"{escape(since_1904)}"'),
        "xl/_rels/workbook.xml.rels": RELATIONS.format(kind="worksheet", target="worksheets/sheet1.xml"),
        "xl/worksheets/sheet1.xml": sheet,
        **({"xl/sharedStrings.xml": texts} if texts else {}),
        **({"xl/styles.xml": styles} if styles else {}),
    }


class XlsxExtent:
    """Refuses a sheet of Excel whose cells reach too far; a cell without a value does not count."""

    def __init__(self) -> None:
        self.row = self.column = self.cell_row = 0

    def start(self, name: str, attributes: Attributes) -> None:
        if name == "row":
            self.row, self.column = whole(attributes.get("r", str(self.row + 1))), 0
        elif name == "c":
            where = re.fullmatch(r"([A-Za-z]{1,3})([0-9]{1,7})", attributes.get("r", "A1"))
            if where is None:
                raise Invalid("import.damaged")
            named = "r" in attributes
            self.cell_row = int(where[2]) if named else self.row
            self.column = column_of(where[1]) if named else self.column + 1
        elif name in ("v", "is", "t", "f"):
            need_within(self.cell_row, self.column)


def ods_parts(archive: zipfile.ZipFile, parts: Mapping[str, zipfile.ZipInfo]) -> dict[str, bytes | str]:
    """What is needed of an OpenDocument spreadsheet."""
    content = part(archive, parts, "content.xml")
    extent = OdsExtent()
    walk(content, extent.start)
    manifest = part(archive, parts, "META-INF/manifest.xml")
    if b"encryption-data" in manifest:
        raise Invalid("import.damaged")
    return {"mimetype": ODS_TYPE, "content.xml": content, "META-INF/manifest.xml": "<manifest/>"}


class OdsExtent:
    """Refuses an OpenDocument spreadsheet whose cells reach too far; repeated emptiness does not count."""

    def __init__(self) -> None:
        self.row = self.column = self.rows = self.columns = 0

    def start(self, name: str, attributes: Attributes) -> None:
        match name:
            case "table":
                self.row = self.rows = 0
            case "table-row":
                self.row += self.rows
                self.rows, self.column, self.columns = number_in(attributes, ":number-rows-repeated"), 0, 0
            case "table-cell" | "covered-table-cell":
                self.column += self.columns
                self.columns = number_in(attributes, ":number-columns-repeated")
                if any(key.endswith(("value-type", ":value", ":formula")) for key in attributes):
                    need_within(self.row + self.rows, self.column + self.columns)
            case "p":
                need_within(self.row + self.rows, self.column + self.columns)
            case "s" if (
                whole(next((v for k, v in attributes.items() if k.endswith(":c")), "1")) > LONGEST_CELL
            ):
                raise Invalid("import.cell-too-long", most=LONGEST_CELL)


def number_in(attributes: Attributes, name: str) -> int:
    """The number in an attribute whose name ends so; 1 without it."""
    return whole(next((value for key, value in attributes.items() if key.endswith(name)), "1"))


def need_within(row: int, column: int) -> None:
    """Refuse a cell beyond the limits."""
    if row > MOST_ROWS:
        raise too_many("rows")
    if column > MOST_COLUMNS:
        raise too_many("columns")


def column_of(letters: str) -> int:
    """``B`` is column 2."""
    column = 0
    for letter in letters.upper():
        column = 26 * column + ord(letter) - 64
    return column


def whole(text: str) -> int:
    """A number of at most nine digits; anything else is taken for one that is too large."""
    return int(text) if re.fullmatch("[0-9]{1,9}", text) else 10**9


def walk(content: bytes, start: Callable[[str, Attributes], None]) -> None:
    """Call back for each element of an XML part in UTF-8; entities and deep nesting are refused."""
    if not content:
        return
    depth = 0
    parser = expat.ParserCreate("utf-8")

    def opening(name: str, attributes: Attributes) -> None:
        nonlocal depth
        depth += 1
        if depth > DEEPEST:
            raise Invalid("import.nested")
        start(name.rpartition(":")[2], attributes)

    def closing(_: str) -> None:
        nonlocal depth
        depth -= 1

    def entity(*_: object) -> None:
        raise Invalid("import.entities")

    parser.StartElementHandler = opening
    parser.EndElementHandler = closing
    parser.StartDoctypeDeclHandler = entity
    try:
        parser.Parse(content, True)
    except (expat.ExpatError, LookupError, ValueError) as wrong:
        raise Invalid("import.damaged-inside", reason=str(wrong)) from None
