"""Rating lists on disk: plain or zipped, TXT, XML or CSV, read in a stream."""

import io
import zipfile
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path, PurePath
from typing import IO, Final

import msgspec

from paircard.domain.errors import Invalid
from paircard.service.archives import reading_zip
from paircard.service.rating_lists.formats import (
    LONGEST_LINE,
    TEMPOS,
    Unread,
    month_of,
    read_csv,
    read_txt,
    read_xml,
)
from paircard.service.rating_lists.person import FIDE
from paircard.service.rating_lists.store import RatingList, RatingLists

MOST_BYTES: Final = 2 << 30
"""FIDE's combined XML has some 700 MB."""
MOST_EXPANSION: Final = 100
"""Times a zipped list may grow; FIDE's grow some twenty times."""


class ImportedList(msgspec.Struct, frozen=True, kw_only=True):
    """What came of an import."""

    list: RatingList
    note: str
    """What was left out; empty if nothing."""


def import_list(
    lists: RatingLists, path: Path, *, name: str = FIDE, valid: str = "", tempo: str = ""
) -> ImportedList:
    """Import a file into the lists.

    Without ``valid`` the first line or the name of the file must name the month, as FIDE's do
    (``standard_nov26frl.txt``); without ``tempo`` the name of the file may, else it is standard.
    """
    with opened(path) as (stream, file):
        head = stream.peek(LONGEST_LINE)[:LONGEST_LINE].removeprefix(b"\xef\xbb\xbf")
        first = head.splitlines()[0].decode("latin-1") if head.strip() else ""
        of_fide = first.startswith("ID Number")
        valid = valid or month_of(file) or (month_of(first) if of_fide else "") or month_of(path.name)
        if not valid:
            raise Invalid(f"{path.name} does not say from which day it is valid: name the day")
        tempo = tempo or next((each for each in TEMPOS if each in file.lower()), "standard")
        unread = Unread()
        if first.lstrip().startswith("<"):
            people = read_xml(stream, tempo, unread)
        elif of_fide:
            people = read_txt(lines_of(stream), tempo, unread)
        else:
            people = read_csv(lines_of(stream), unread)
        made, replaced = lists.add(name, valid, path.name, people)
    notes = [unread.note(), f"{replaced} replaced by a later record with the same id" if replaced else ""]
    return ImportedList(list=made, note="; ".join(filter(None, notes)))


@contextmanager
def opened(path: Path) -> Iterator[tuple[io.BufferedReader, str]]:
    """The list in a file, and its name; of a zip the one list that is in it."""
    try:
        if path.stat().st_size > MOST_BYTES:
            raise Invalid(f"{path} has more than {MOST_BYTES >> 30} GiB: no rating list has")
        if not zipfile.is_zipfile(path):
            with path.open("rb") as file:
                yield file, path.name
            return
        damaged = f"{path} is a damaged or encrypted zip: get it again, or unpack it first"
        with reading_zip(damaged), zipfile.ZipFile(path) as archive:
            member = the_list(path, archive)
            with archive.open(member) as inside:
                yield io.BufferedReader(inside), PurePath(member.filename).name  # type: ignore[arg-type]
    except OSError as reason:
        raise Invalid(f"{path} cannot be read: {(reason.strerror or str(reason)).lower()}") from None


def the_list(path: Path, archive: zipfile.ZipFile) -> zipfile.ZipInfo:
    """The one list of a zip, if it is no bomb."""
    names = (".txt", ".xml", ".csv")
    found = [info for info in archive.infolist() if PurePath(info.filename).suffix.lower() in names]
    if len(found) != 1:
        raise Invalid(f"{path} holds {len(found)} files .txt, .xml or .csv: one list is expected")
    [info] = found
    if info.file_size > MOST_BYTES or info.file_size > MOST_EXPANSION * (info.compress_size + LONGEST_LINE):
        raise Invalid(f"{path} would grow to {info.file_size:,} bytes: that is not a rating list")
    return info


def lines_of(stream: IO[bytes]) -> Iterator[str]:
    """The lines of a text in UTF-8, or where it is not, in the encoding of old Windows programs."""
    at = 0
    while line := stream.readline(LONGEST_LINE + 1):
        at += 1
        if len(line) > LONGEST_LINE:
            raise Invalid(f"line {at} has more than {LONGEST_LINE} characters: this is not a rating list")
        if at == 1:
            line = line.removeprefix(b"\xef\xbb\xbf")
        try:
            yield line.decode()
        except UnicodeDecodeError:
            yield line.decode("cp1252", "replace")
