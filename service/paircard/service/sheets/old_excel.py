"""Reads an Excel file from before 2007 in a process of its own, within limits that are its arguments.

Such a file says nothing about its extent that can be trusted before it is read, so it is read where memory
and time are limited by the operating system. Of ours it imports only what sets these limits.
"""

import io
import json
import sys

from python_calamine import load_workbook

from paircard.domain.system import limit_process


def main() -> None:
    """The rows of the first sheet as JSON, or the limit that it breaks; any other end means damage."""
    memory, seconds, rows, columns = map(int, sys.argv[1:])
    limit_process(memory, seconds)
    sheet = load_workbook(io.BytesIO(sys.stdin.buffer.read())).get_sheet_by_index(0)
    height, width = (sheet.end[0] + 1, sheet.end[1] + 1) if sheet.end else (0, 0)
    if height > rows or width > columns:
        found: object = "rows" if height > rows else "columns"
    else:
        read = sheet.to_python(skip_empty_area=False)
        found = [[[type(cell).__name__, str(cell)] for cell in row] for row in read]
    sys.stdout.write(json.dumps(found))


if __name__ == "__main__":
    main()
