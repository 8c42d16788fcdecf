"""Rows as CSV that is safe to open in a spreadsheet."""

import csv
import io
import re
from collections.abc import Iterable, Sequence
from typing import Final

FORMULA: Final = ("=", "+", "-", "@", "\t", "\r")
"""Beginnings that a spreadsheet takes for a formula."""


def csv_text(rows: Iterable[Sequence[object]], delimiter: str = ",") -> str:
    """Rows as CSV, safe to open in a spreadsheet."""
    out = io.StringIO()
    writer = csv.writer(out, delimiter=delimiter, lineterminator="\n")
    writer.writerows([[harmless(str(cell)) for cell in row] for row in rows])
    return out.getvalue()


def harmless(cell: str) -> str:
    """The cell, with a mark before what would be computed; a number, or a sign alone, is what it is."""
    is_number = re.fullmatch(r"[+-]?([0-9]+([.][0-9]+)?)?", cell)
    return f"'{cell}" if cell.startswith(FORMULA) and not is_number else cell
