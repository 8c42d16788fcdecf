"""Reads a workbook in a process of its own, within limits that are its arguments.

A workbook says nothing about its extent that can be trusted before it is read, so it is read where memory
and time are limited by the operating system. Of ours it imports only what sets these limits.
"""

import io
import json
import sys
import zipfile
from xml.etree.ElementTree import iterparse, parse
from xml.parsers import expat

from python_calamine import load_workbook

from paircard.domain.system import limit_process


def main() -> None:
    """What is not shown, and the rows of the first sheet, as lines of JSON, or the limit it breaks.

    Any other end means damage.
    """
    memory, seconds, rows, columns = map(int, sys.argv[1:])
    limit_process(memory, seconds)
    data = sys.stdin.buffer.read()
    if data.startswith(b"PK"):
        need_sound(data)
    book = load_workbook(io.BytesIO(data))
    sheet, *others = (book.get_sheet_by_index(at) for at in range(len(book.sheet_names)))
    height, width = (sheet.end[0] + 1, sheet.end[1] + 1) if sheet.end else (0, 0)
    if height > rows or width > columns:
        print(json.dumps("rows" if height > rows else "columns"))
        return
    hidden, without = unseen(data, height)
    print(json.dumps([[other.name for other in others if other.end], hidden]))
    for number, row in enumerate(sheet.to_python(skip_empty_area=False), start=1):
        cells = [without.get((number, column), cell) for column, cell in enumerate(row, start=1)]
        print(json.dumps([[type(cell).__name__, str(cell)] for cell in cells]))


def need_sound(data: bytes) -> None:
    """Refuse XML that breaks off or declares entities, of which calamine would read a part."""
    with zipfile.ZipFile(io.BytesIO(data)) as archive:
        for name in archive.namelist():
            if name.endswith(".xml") and name.startswith(("xl/", "content.")):
                parser = expat.ParserCreate()
                parser.StartDoctypeDeclHandler = refuse
                parser.Parse(archive.read(name), True)


def unseen(data: bytes, height: int) -> tuple[list[int], dict[tuple[int, int], str]]:
    """What calamine does not tell of the first sheet: its hidden rows, and what stands in the cells that it
    takes for empty because they show an error or hold a formula that was never computed."""
    hidden: list[int] = []
    without: dict[tuple[int, int], str] = {}
    if not data.startswith(b"PK"):
        return hidden, without
    archive = zipfile.ZipFile(io.BytesIO(data))
    if (part := first_sheet(archive)) not in archive.namelist():
        return hidden, without
    last = row = column = 0
    for event, node in iterparse(archive.open(part), ("start", "end")):
        said = {name.rpartition("}")[2]: value for name, value in node.items()}
        match event, node.tag.rpartition("}")[2]:
            case "start", "row" | "table-row":
                row, column = int(said.get("r", last + 1)), 0
                last = row - 1 + int(said.get("number-rows-repeated", 1))
                if {said.get("hidden"), said.get("visibility")} & {"1", "true", "collapse", "filter"}:
                    hidden += range(row, min(last, height) + 1)
            case "end", "c" | "table-cell" | "covered-table-cell":
                column = column_of(said.get("r", "")) or column + 1
                value, kind = node.findtext("{*}v"), said.get("t", said.get("value-type"))
                formula = said.get("formula", node.findtext("{*}f"))
                if kind in ("e", "error"):
                    without[row, column] = value or "".join(node.itertext())
                elif formula is not None and not value and kind is None:
                    without[row, column] = f"={formula.removeprefix('of:=')}"
                column += int(said.get("number-columns-repeated", 1)) - 1
            case "end", "row" | "table-row":
                node.clear()
            case "end", "table":
                break  # the first of an OpenDocument file
    return hidden, without


def first_sheet(archive: zipfile.ZipFile) -> str:
    """The part of a workbook that holds its first sheet."""
    if "xl/workbook.xml" not in archive.namelist():
        return "content.xml"
    sheet = parse(archive.open("xl/workbook.xml")).findall(".//{*}sheet")[0]
    id = next(value for name, value in sheet.items() if name.endswith("}id"))
    links = parse(archive.open("xl/_rels/workbook.xml.rels")).findall("{*}Relationship")
    target = next(link.get("Target", "") for link in links if link.get("Id") == id)
    return target[1:] if target.startswith("/") else f"xl/{target}"


def column_of(cell: str) -> int:
    """The column of a cell like ``B7``."""
    column = 0
    for letter in cell.rstrip("0123456789"):
        column = 26 * column + ord(letter) - 64
    return column


def refuse(*_: object) -> None:
    """No program writes a document type into a workbook."""
    raise ValueError


if __name__ == "__main__":
    main()
