"""Files of text that people hand in, line by line: results, boards, signed texts."""

import re
import sys
from collections.abc import Iterator
from pathlib import Path
from typing import TYPE_CHECKING, Final

from paircard.cli.refusals import found_in
from paircard.domain.errors import Invalid
from paircard.domain.values.results import parse_outcome
from paircard.domain.values.text import decoded, is_number

if TYPE_CHECKING:
    from paircard.service.pairing import PlayedBoard

LARGEST_LIST: Final = 20 * 2**20
LARGEST_REPORT: Final = 64 * 2**20
"""Bytes; a report of 9,999 players and 20 rounds has 3 MB."""
LARGEST_BUNDLE: Final = 256 * 2**20
"""The log of such a tournament has some 50 MB."""


def read_text(path: str) -> str:
    """The text of a file, or of standard input for ``-``."""
    raw = raw_list(path)
    with found_in(path):
        return decoded(raw, "")[0]


def read_signed(path: str) -> str:
    """A text that somebody signed, or a key, read as ``verify.py`` reads it: UTF-8 and no other.

    A mark at its beginning and ends of lines as mail makes them are no harm.
    """
    try:
        return raw_list(path).decode("utf-8-sig").replace("\r\n", "\n")
    except UnicodeDecodeError:
        raise Invalid("cli.not-utf-8", path=path) from None


def raw_list(path: str) -> bytes:
    """The bytes of a list, or of standard input for ``-``."""
    if path == "-":
        return within(LARGEST_LIST, path, sys.stdin.buffer.read(LARGEST_LIST + 1))
    return read_bytes(Path(path), LARGEST_LIST)


def read_bytes(path: Path, most: int) -> bytes:
    """The bytes of a file; a file larger than the limit is refused."""
    with path.open("rb") as file:
        return within(most, path, file.read(most + 1))


def within(most: int, path: str | Path, raw: bytes) -> bytes:
    """The bytes, if there are not more than the limit."""
    if len(raw) > most:
        raise Invalid("cli.file-too-large", path=str(path), most=most >> 20)
    return raw


def lines_of(path: str) -> Iterator[tuple[int, str]]:
    """Line number and text of each line that holds any; ``#`` starts a comment, ``#7`` is a player."""
    for number, line in enumerate(read_text(path).splitlines(), start=1):
        text = re.split(r"#(?!\d)", line)[0].strip(",; \t")
        if text:
            yield number, text


def result_lines(path: str) -> Iterator[tuple[int, int, str]]:
    """Line number, board and result of each line ``BOARD RESULT``; board 0 where a line is a result alone."""
    for line, text in lines_of(path):
        pair = re.fullmatch(r"(\d+)[\s,;]+(.+)", text, re.ASCII)
        if is_outcome(text):
            yield line, 0, text
        elif pair and is_number(pair[1]) and pair[1].strip("0"):
            yield line, int(pair[1]), pair[2]
        else:
            raise Invalid("cli.not-board-and-result", path=path, line=line, text=text)


def is_outcome(text: str) -> bool:
    """Whether a text is a result as people write it."""
    try:
        parse_outcome(text)
    except Invalid:
        return False
    return True


def board_lines(path: str) -> tuple[list[tuple[str, str]], str]:
    """Boards, White first, and the bye (empty for none), each player as written: a number or an id (``p16``).

    One board per line, ``WHITE BLACK``; the bye is ``NUMBER 0``. A lone count on the first line,
    as pairing engines write it, is understood.
    """
    boards, pab = seat_lines(path, 2)
    return [(white, black) for white, black in boards], pab


def played_lines(path: str) -> "tuple[dict[int, PlayedBoard], str]":
    """The boards of a whole round in their order, by number, with the result where one is given: the same
    lines, ``WHITE BLACK RESULT``."""
    boards, pab = seat_lines(path, 3)
    return {at: (words[0], words[1], "".join(words[2:])) for at, words in enumerate(boards, start=1)}, pab


def seat_lines(path: str, most: int) -> tuple[list[list[str]], str]:
    """The words of each board, and the bye."""
    boards: list[list[str]] = []
    pab = ""
    for at, (line, text) in enumerate(lines_of(path)):
        words = re.split(r"[\s,;]+", text)
        if at == 0 and len(words) == 1 and words[0].isdecimal():
            continue
        seats = [word for word in words[:2] if re.fullmatch(r"[#p]?\d{1,9}", word, re.ASCII)]
        if not 2 <= len(words) <= most or len(seats) != 2:
            raise Invalid("cli.not-two-seats", path=path, line=line, text=text)
        white, black = seats
        if black != "0":
            boards.append(words)
        elif pab:
            raise Invalid("cli.second-bye", path=path, line=line, value=pab)
        else:
            pab = white
    if not boards and not pab:
        raise Invalid("cli.file-without-boards", path=path)
    return boards, pab
