"""The first sheet of a workbook (.xlsx, .ods, .xls), read by python-calamine in a process with limits.

Nothing in a workbook is trusted. It is read in a process of its own with little memory and time, which the
operating system ends at the limit; a zip that says it would grow beyond reason is not even opened there.
"""

import io
import json
import lzma
import subprocess
import sys
import zipfile
import zlib
from collections.abc import Iterator
from contextlib import contextmanager
from datetime import date
from pathlib import Path
from typing import Final

from paircard.domain.errors import Invalid

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

Rows = list[tuple[int, list[str]]]
READER: Final = Path(__file__).with_name("reader.py")


def rows_of_workbook(data: bytes) -> tuple[Rows, list[str], list[int]]:
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
