"""The first sheet of an Excel workbook (.xlsx), read with the standard library.

A workbook is a zip of XML files. Nothing in it is trusted: sizes are checked before anything is unpacked,
entities are refused, and only cells are read: no formula is evaluated, no link is followed.
"""

import io
import re
import zipfile
from collections.abc import Callable
from datetime import date, timedelta
from typing import Final
from xml.parsers import expat

from paircard.domain.errors import Invalid
from paircard.service.archives import reading_zip

MOST_BYTES: Final = 16 << 20
"""Of one part of the workbook, unpacked."""
MOST_EXPANSION: Final = 200
HARMLESS: Final = 4 << 20
"""Bytes that a part may have however well it packs."""
MOST_ROWS: Final = 20_000
MOST_COLUMNS: Final = 200
LONGEST_CELL: Final = 2_000
DEEPEST: Final = 16
DATE_FORMATS: Final = frozenset([*range(14, 18), 22, *range(27, 37), *range(50, 59)])
"""Numbers of built-in formats that show a day."""


def rows_of_xlsx(data: bytes) -> list[tuple[int, list[str]]]:
    """Row number and cells of each row of the first sheet that has any."""
    damaged = "this is a damaged or encrypted Excel file: save it again, or as CSV"
    with reading_zip(damaged), zipfile.ZipFile(io.BytesIO(data)) as archive:
        parts = {info.filename: info for info in archive.infolist()}
        strings = shared_strings(part(archive, parts, "xl/sharedStrings.xml"))
        days = day_styles(part(archive, parts, "xl/styles.xml"))
        sheet = part(archive, parts, first_sheet(archive, parts))
    return cells_of(sheet, strings, days)


def part(archive: zipfile.ZipFile, parts: dict[str, zipfile.ZipInfo], name: str) -> bytes:
    """One file of the workbook; empty if it is not there."""
    info = parts.get(name)
    if info is None:
        return b""
    suspicious = info.file_size > HARMLESS + MOST_EXPANSION * info.compress_size
    if info.file_size > MOST_BYTES or suspicious:
        raise Invalid(f"the Excel file would grow to {info.file_size:,} bytes: that is not a list of players")
    with archive.open(info) as file:
        content = file.read(MOST_BYTES + 1)
    if len(content) > MOST_BYTES:
        raise Invalid("the Excel file grows beyond what it says: it is not read")
    return content


def first_sheet(archive: zipfile.ZipFile, parts: dict[str, zipfile.ZipInfo]) -> str:
    """The name of the part that holds the first sheet."""
    found: list[str] = []
    targets: dict[str, str] = {}

    def start(name: str, attributes: dict[str, str]) -> None:
        if name == "sheet":
            found.append(next((value for key, value in attributes.items() if key.endswith(":id")), ""))
        elif name == "Relationship":
            targets[attributes.get("Id", "")] = attributes.get("Target", "")

    walk(part(archive, parts, "xl/workbook.xml"), start)
    walk(part(archive, parts, "xl/_rels/workbook.xml.rels"), start)
    target = targets.get(found[0], "") if found else ""
    name = target.lstrip("/") if target.startswith("/") else f"xl/{target}"
    if name not in parts:
        name = next((each for each in sorted(parts) if re.fullmatch(r"xl/worksheets/[^/]+\.xml", each)), "")
    if not name:
        raise Invalid("it contains no sheet: an Excel workbook (.xlsx) is expected")
    return name


def shared_strings(content: bytes) -> list[str]:
    """The texts that cells refer to by number."""
    strings: list[str] = []
    reading = False

    def start(name: str, _: dict[str, str]) -> None:
        nonlocal reading
        if name == "si":
            strings.append("")
        reading = name == "t"

    def text(data: str) -> None:
        if reading and strings and len(strings[-1]) < LONGEST_CELL:
            strings[-1] += data

    walk(content, start, text)
    return strings


def day_styles(content: bytes) -> set[int]:
    """Numbers of the cell styles that show a day."""
    custom: dict[int, str] = {}
    styles: list[int] = []
    inside = False

    def start(name: str, attributes: dict[str, str]) -> None:
        nonlocal inside
        if name == "numFmt":
            custom[whole(attributes.get("numFmtId", ""))] = attributes.get("formatCode", "")
        elif name in ("cellXfs", "cellStyleXfs"):
            inside = name == "cellXfs"
        elif name == "xf" and inside:
            styles.append(whole(attributes.get("numFmtId", "")))

    walk(content, start)
    shown = {number for number, code in custom.items() if re.search(r"[yd]", re.sub(r'"[^"]*"', "", code))}
    return {at for at, number in enumerate(styles) if number in DATE_FORMATS or number in shown}


def cells_of(content: bytes, strings: list[str], days: set[int]) -> list[tuple[int, list[str]]]:
    """The rows of a sheet; cells that are not there are empty."""
    reader = SheetReader(strings, days)
    walk(content, reader.start, reader.text, reader.end)
    return [(number, cells) for number, cells in reader.rows if any(value.strip() for value in cells)]


class SheetReader:
    """Collects the cells of a sheet."""

    def __init__(self, strings: list[str], days: set[int]) -> None:
        self.rows: list[tuple[int, list[str]]] = []
        self.strings = strings
        self.days = days
        self.column = 0
        self.kind = ""
        self.is_day = False
        self.value = ""
        self.reading = False

    def start(self, name: str, attributes: dict[str, str]) -> None:
        """A row, a cell or the value of a cell begins."""
        if name == "row":
            self.rows.append((whole(attributes.get("r", "")) or len(self.rows) + 1, []))
            if len(self.rows) > MOST_ROWS:
                raise Invalid(f"the sheet has more than {MOST_ROWS:,} rows: that is not a list of players")
        elif name == "c" and self.rows:
            self.column = column_of(attributes.get("r", "")) or len(self.rows[-1][1]) + 1
            self.kind = attributes.get("t", "")
            self.is_day = whole(attributes.get("s", "")) in self.days
            self.value = ""
        self.reading = name in ("v", "t")

    def text(self, data: str) -> None:
        """A piece of a value."""
        if self.reading and len(self.value) < LONGEST_CELL:
            self.value += data

    def end(self, name: str) -> None:
        """A cell is complete."""
        self.reading = False
        if name != "c" or not self.rows or not self.value:
            return
        if self.column > MOST_COLUMNS:
            raise Invalid(f"the sheet has more than {MOST_COLUMNS} columns: that is not a list of players")
        cells = self.rows[-1][1]
        cells += [""] * (self.column - len(cells))
        cells[self.column - 1] = shown(self.value, self.kind, self.is_day, self.strings)


def shown(text: str, kind: str, is_day: bool, strings: list[str]) -> str:
    """A cell as people see it: text, a whole number without decimals, a day as 2026-11-16."""
    if kind == "s":
        at = whole(text)
        return strings[at] if text.isdecimal() and at < len(strings) else ""
    if kind in ("str", "inlineStr", "b", "e", "d"):
        return text
    number = re.fullmatch(r"(-?\d{1,15})(\.0*)?", text)
    if is_day and re.fullmatch(r"\d{1,6}(\.\d*)?", text):
        return (date(1899, 12, 30) + timedelta(days=int(text.partition(".")[0]))).isoformat()
    return number.group(1) if number else text


def column_of(reference: str) -> int:
    """``B3`` is column 2; 0 if the reference is none."""
    letters = re.match(r"[A-Z]{1,3}", reference)
    column = 0
    for letter in letters.group() if letters else "":
        column = 26 * column + ord(letter) - 64
    return column


def whole(text: str) -> int:
    return int(text) if text.isascii() and text.isdecimal() and len(text) < 10 else 0


def walk(
    content: bytes,
    start: Callable[[str, dict[str, str]], None],
    text: Callable[[str], None] | None = None,
    end: Callable[[str], None] | None = None,
) -> None:
    """Call back for each element of an XML part; entities and deep nesting are refused."""
    if not content:
        return
    depth = 0
    parser = expat.ParserCreate()
    parser.buffer_text = True

    def opening(name: str, attributes: dict[str, str]) -> None:
        nonlocal depth
        depth += 1
        if depth > DEEPEST:
            raise Invalid("the Excel file is nested too deeply: it is not read")
        start(name.rpartition(":")[2], attributes)

    def closing(name: str) -> None:
        nonlocal depth
        depth -= 1
        if end is not None:
            end(name.rpartition(":")[2])

    def entity(*_: object) -> None:
        raise Invalid("the Excel file declares entities, which no program writes: it is not read")

    parser.StartElementHandler = opening
    parser.EndElementHandler = closing
    parser.EntityDeclHandler = entity
    if text is not None:
        parser.CharacterDataHandler = text
    try:
        parser.Parse(content, True)
    except (expat.ExpatError, LookupError, ValueError) as wrong:  # an encoding that nobody knows, too
        raise Invalid(f"the Excel file is damaged: {wrong}") from None
