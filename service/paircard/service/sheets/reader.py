"""Reads a workbook in a process of its own, within limits that are its arguments.

A workbook says nothing about its extent that can be trusted before it is read, so it is read where memory
and time are limited by the operating system. Of ours it imports only what sets these limits.
"""

import io
import json
import sys
import zipfile
from xml.parsers import expat

from python_calamine import load_workbook

from paircard.domain.system import limit_process


def main() -> None:
    """The rows of the first sheet as lines of JSON, or the limit it breaks; any other end means damage."""
    memory, seconds, rows, columns = map(int, sys.argv[1:])
    limit_process(memory, seconds)
    data = sys.stdin.buffer.read()
    if data.startswith(b"PK"):
        need_sound(data)
    sheet = load_workbook(io.BytesIO(data)).get_sheet_by_index(0)
    height, width = (sheet.end[0] + 1, sheet.end[1] + 1) if sheet.end else (0, 0)
    if height > rows or width > columns:
        print(json.dumps("rows" if height > rows else "columns"))
        return
    for row in sheet.to_python(skip_empty_area=False):
        print(json.dumps([[type(cell).__name__, str(cell)] for cell in row]))


def need_sound(data: bytes) -> None:
    """Refuse XML that breaks off or declares entities, of which calamine would read a part."""
    with zipfile.ZipFile(io.BytesIO(data)) as archive:
        for name in archive.namelist():
            if name.endswith(".xml") and name.startswith(("xl/", "content.")):
                parser = expat.ParserCreate()
                parser.StartDoctypeDeclHandler = refuse
                parser.Parse(archive.read(name), True)


def refuse(*_: object) -> None:
    """No program writes a document type into a workbook."""
    raise ValueError


if __name__ == "__main__":
    main()
