"""Files that people hand in: players as CSV, results and boards as lines. Errors name line and column."""

import csv
import io
import re
import sys
from collections.abc import Iterator
from pathlib import Path
from typing import Final

import click

LARGEST_LIST: Final = 20 * 2**20
LARGEST_REPORT: Final = 64 * 2**20
"""Bytes; a report of 9,999 players and 20 rounds has 3 MB."""
LARGEST_BUNDLE: Final = 256 * 2**20
"""The log of such a tournament has some 50 MB."""
COLUMNS: Final = (
    "name", "sex", "title", "rating", "federation", "fide_id", "birth", "club",
    "fide_rating", "rapid_rating", "blitz_rating", "national_rating", "national_id",
)  # fmt: skip
"""Columns of a player file; only ``name`` is required."""


def read_text(path: str) -> str:
    """The text of a file, or of standard input for ``-``; refused unless it is UTF-8."""
    if path == "-":
        raw = within(LARGEST_LIST, path, sys.stdin.buffer.read(LARGEST_LIST + 1))
    else:
        raw = read_bytes(Path(path), LARGEST_LIST)
    try:
        return raw.decode("utf-8-sig")
    except UnicodeDecodeError as wrong:
        before = raw[: wrong.start]
        line, column = before.count(b"\n") + 1, wrong.start - (before.rfind(b"\n") + 1) + 1
        raise click.ClickException(
            f"{path}: line {line}, column {column}: byte 0x{raw[wrong.start]:02x} is not UTF-8, "
            "save the file as UTF-8"
        ) from None


def read_bytes(path: Path, most: int) -> bytes:
    """The bytes of a file, which is refused if it has more than what is wanted can have."""
    with path.open("rb") as file:
        return within(most, path, file.read(most + 1))


def within(most: int, path: str | Path, raw: bytes) -> bytes:
    """What was read, if that is all."""
    if len(raw) > most:
        raise click.ClickException(
            f"{path} has more than {most >> 20} MiB: that is not what is asked for here"
        )
    return raw


def player_rows(path: str) -> Iterator[tuple[int, dict[str, str]]]:
    """Line number and values of each player of a CSV file with a heading line.

    Comma, semicolon or tab part the columns, whichever the heading line uses most.
    """
    text = read_text(path)
    head = text.partition("\n")[0]
    delimiter = max(",;\t", key=head.count)
    reader = csv.reader(io.StringIO(text, newline=""), delimiter=delimiter, strict=True)
    columns: list[str] = []
    while True:
        line = reader.line_num + 1
        try:
            values = next(reader)
        except StopIteration:
            break
        except csv.Error as wrong:
            raise click.ClickException(f"{path}: line {line}: {wrong}") from None
        if not any(value.strip() for value in values):
            continue
        if not columns:
            columns = headings(path, line, values)
        else:
            if len(values) > len(columns):
                raise click.ClickException(
                    f"{path}: line {line}, column {len(columns) + 1}: "
                    f"{len(values)} values under {len(columns)} headings"
                )
            yield line, {name: value.strip() for name, value in zip(columns, values, strict=False)}
    if not columns:
        raise click.ClickException(f"{path}: no heading line; the first line names the columns: {known()}")


def headings(path: str, line: int, values: list[str]) -> list[str]:
    """The column names, checked against those a player file may have."""
    names = [re.sub(r"[\s-]+", "_", value.strip().lower()) for value in values]
    for column, name in enumerate(names, start=1):
        if name not in COLUMNS:
            raise click.ClickException(
                f"{path}: line {line}, column {column}: no column of ours is called {name!r}; "
                f"the columns are {known()}"
            )
        if names.index(name) != column - 1:
            raise click.ClickException(f"{path}: line {line}, column {column}: {name!r} stands twice")
    if "name" not in names:
        raise click.ClickException(f"{path}: line {line}: no column 'name'; the columns are {known()}")
    return names


def known() -> str:
    return ", ".join(COLUMNS)


def lines_of(path: str) -> Iterator[tuple[int, list[str]]]:
    """Line number and words of each line that holds any; ``#`` starts a comment, ``#7`` is a player."""
    for number, line in enumerate(read_text(path).splitlines(), start=1):
        words = re.split(r"#(?!\d)", line)[0].replace(",", " ").replace(";", " ").split()
        if words:
            yield number, words


def result_lines(path: str) -> Iterator[tuple[int, int, str]]:
    """Line number, board and result of each line ``BOARD RESULT``."""
    for line, words in lines_of(path):
        if len(words) != 2 or not words[0].isdecimal():
            raise click.ClickException(
                f"{path}: line {line}: {' '.join(words)[:60]!r} is not a board and its result, like '3 1-0'"
            )
        yield line, int(words[0]), words[1]


def board_lines(path: str) -> tuple[list[tuple[str, str]], str]:
    """Boards, White first, and the bye (empty for none), each player as written: a number or ``#id``.

    One board per line, ``WHITE BLACK``; the bye is ``NUMBER 0``. A lone count on the first line,
    as pairing engines write it, is understood.
    """
    boards: list[tuple[str, str]] = []
    pab = ""
    for at, (line, words) in enumerate(lines_of(path)):
        if at == 0 and len(words) == 1 and words[0].isdecimal():
            continue
        if len(words) != 2 or not all(re.fullmatch(r"#?\d{1,9}", word, re.ASCII) for word in words):
            raise click.ClickException(
                f"{path}: line {line}: {' '.join(words)[:60]!r} is not a board, like '5 12' "
                "(pairing numbers or #ids, White first; the bye is '14 0')"
            )
        white, black = words
        if black != "0":
            boards.append((white, black))
        elif pab:
            raise click.ClickException(f"{path}: line {line}: a second bye, {pab} already has it")
        else:
            pab = white
    if not boards and not pab:
        raise click.ClickException(f"{path}: no boards in it")
    return boards, pab
