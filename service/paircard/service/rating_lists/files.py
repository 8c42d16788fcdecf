"""Rating lists as files, plain or zipped: FIDE's TXT and XML, and CSV with the columns of other programs;
from the disk, or from FIDE's server or another one (VCL 119, 121, 135, 136, 141).

Readers take lines or a stream and give people one by one, so a list of two million never lies in memory.
A line that is not a person's is counted and reported, never dropped silently. Nothing is fetched unasked: a
list is fetched again only if that was switched on for it, and only when somebody uses the lists. A copy that
cannot be renewed is used as it is, and the user hears how old it is.
"""

import csv
import io
import re
import shutil
import urllib.error
import urllib.request
import zipfile
from collections import Counter
from collections.abc import Iterable, Iterator
from contextlib import contextmanager
from datetime import datetime, timedelta
from functools import lru_cache
from pathlib import Path, PurePath
from tempfile import TemporaryDirectory
from typing import IO, Final, TypeAlias
from urllib.parse import urlsplit
from xml.parsers import expat

import msgspec
from msgspec.structs import replace

from paircard.domain.errors import Invalid, PaircardError, Unreachable
from paircard.domain.messages import Message, say
from paircard.domain.system import Progress, said, unseen
from paircard.domain.values.foreign import SEXES, birth_of, day_of, federation_of, title_of
from paircard.domain.values.players import HIGHEST_RATING, TITLES
from paircard.domain.values.text import without_unseen
from paircard.service.rating_lists.store import FIDE, Fetch, ListEntry, RatingList, RatingLists
from paircard.service.sheets.players import BY_LABEL, SKIPPED
from paircard.service.sheets.table import plain_label, reading_zip

MOST_BYTES: Final = 2 << 30
"""FIDE's combined XML has some 700 MB."""
MOST_EXPANSION: Final = 100
"""Times a zipped list may grow; FIDE's grow some twenty times."""
STEP: Final = 2_000
"""Progress is told every so many people."""

TEMPOS: Final = ("standard", "rapid", "blitz")
LONGEST_LINE: Final = 2_000
CHUNK: Final = 1 << 16
DEEPEST: Final = 8

TXT_COLUMNS: Final = {
    "ID Number": "id", "Name": "name", "Fed": "federation", "Sex": "sex", "Tit": "title", "WTit": "w_title",
    "SRtng": "standard", "SK": "k_factor", "RRtng": "rapid", "BRtng": "blitz", "K": "k_factor",
    "B-day": "birth", "Flag": "flag", "OTit": "", "FOA": "", "Gms": "", "SGm": "", "RGm": "", "BGm": "",
    "Rk": "", "RK": "", "BK": "", "Gm": "",
}  # fmt: skip
"""Headings of FIDE's TXT files; an empty name is a column that is not taken."""

XML_FIELDS: Final = {
    "fideid": "id", "name": "name", "country": "federation", "sex": "sex", "title": "title",
    "w_title": "w_title", "rating": "standard", "k": "k_factor", "rapid_rating": "rapid",
    "blitz_rating": "blitz", "birthday": "birth", "flag": "flag",
}  # fmt: skip

LIST_IDS: Final = ("no", "nr", "number", "memberid", "memid", "idnational", "ecfcode", "uscfid", "idfsi")
"""What a list calls its ids, besides the names that sheets of players have for them."""

CSV_FIELDS: Final = {
    "name": ("name",), "family": ("family",), "given": ("given",), "sex": ("sex",), "title": ("title",),
    "federation": ("federation",), "birth": ("birth",), "fide_id": ("fide_id",), "id": ("national_id",),
    "standard": ("national_rating", "rating", "fide_rating"), "rapid": ("rapid_rating",),
    "blitz": ("blitz_rating",), "k_factor": ("k_factor",),
}  # fmt: skip
"""Field of a person, and the columns of a sheet of players that hold it; the first there is counts."""


class Unread:
    """Counts what was not taken, with the first few places and values."""

    def __init__(self) -> None:
        self.count = 0
        self.lines: list[int] = []
        """The first of them."""
        self.columns: list[str] = []
        """Columns that were not taken."""
        self.values: dict[str, list[str]] = {}
        """The first values of each field that were not understood."""
        self.misread: Counter[str] = Counter()

    def add(self, line: int) -> None:
        """One more."""
        self.count += 1
        if len(self.lines) < 5:
            self.lines.append(line)

    def add_value(self, field: str, value: str) -> None:
        """One more value that was not understood."""
        self.misread[field] += 1
        if self.misread[field] <= 3:
            self.values.setdefault(field, []).append(value)

    def notes(self) -> Iterator[Message]:
        """Notes on what was not taken; none if everything was."""
        if self.count:
            more = self.count - len(self.lines)
            yield say("lists.left-out", count=self.count, numbers=self.lines, there=more)
        for field, values in self.values.items():
            shown = [repr(value[:20]) for value in values]
            yield say("lists.not-understood", label=field, count=self.misread[field], places=shown)
        if self.columns:
            names = without_unseen(", ".join(self.columns))[:200].strip()
            yield say("lists.columns-left-out", value=names)


Record: TypeAlias = tuple[int, dict[str, str]]
"""Line of a record, and its fields as they stand there."""


def people_of(records: Iterable[Record], unread: Unread, *, own_ids: bool) -> Iterator[ListEntry]:
    """The people of these records; what is none is counted."""
    for line, values in records:
        person = person_of({name: value.strip() for name, value in values.items()}, unread, own_ids=own_ids)
        if person is None:
            unread.add(line)
        else:
            yield person


def read_txt(lines: Iterable[str], tempo: str, unread: Unread) -> Iterator[Record]:
    """FIDE's TXT: the heading line says where each column begins."""
    rows = iter(lines)
    columns = txt_columns(next(rows, ""), tempo, unread)
    for at, line in enumerate(rows, 2):
        if line.strip():
            yield at, {name: line[start:stop] for name, start, stop in columns}


def txt_columns(heading: str, tempo: str, unread: Unread) -> list[tuple[str, int, int | None]]:
    """Field, first column and end of each column of a TXT list."""
    labels = list(re.finditer(r"ID Number|\S+", heading[:LONGEST_LINE]))
    if not labels or labels[0].group() != "ID Number" or len(labels) < 3:
        raise Invalid("lists.not-fides")
    columns: list[tuple[str, int, int | None]] = []
    for label, after in zip(labels, [*labels[1:], None], strict=True):
        name = TXT_COLUMNS.get(label.group())
        if re.fullmatch(r"[A-Z]{3}\d{2}", label.group()):
            name = tempo
        if name is None:
            unread.columns.append(label.group())
        if name:
            columns.append((name, label.start(), after.start() if after else None))
    return columns


def month_of(text: str) -> str:
    """The day from which a list is valid, of a text with ``NOV26`` in it; empty if there is none."""
    for match in re.finditer(r"([A-Za-z]{3})(\d{2})(?!\d)", text[:LONGEST_LINE]):
        if day := day_of(f"1 {match[1]} 20{match[2]}"):
            return day
    return ""


def read_xml(stream: IO[bytes], tempo: str) -> Iterator[Record]:
    """FIDE's XML: ``<player>`` elements with one level of fields; no entity is expanded."""
    reader = XmlReader(tempo)
    try:
        while chunk := stream.read(CHUNK):
            yield from reader.feed(chunk)
        yield from reader.feed(b"", last=True)
    except (expat.ExpatError, LookupError, ValueError) as wrong:  # an encoding that nobody knows, too
        raise Invalid("lists.xml-damaged", reason=str(wrong)) from None


class XmlReader:
    """Collects the records of an XML list while it comes in."""

    def __init__(self, tempo: str) -> None:
        self.tempo = tempo
        self.records: list[Record] = []
        self.fields: dict[str, str] = {}
        self.depth = 0
        self.field = ""
        self.parser = expat.ParserCreate()
        self.parser.buffer_text = True
        self.parser.StartElementHandler = self.start
        self.parser.EndElementHandler = self.end
        self.parser.CharacterDataHandler = self.text
        self.parser.EntityDeclHandler = self.entity

    def feed(self, chunk: bytes, *, last: bool = False) -> list[Record]:
        """The records that ended in this piece of the file."""
        self.parser.Parse(chunk, last)
        records, self.records = self.records, []
        return records

    def start(self, name: str, _: object) -> None:
        self.depth += 1
        if self.depth > DEEPEST:
            raise Invalid("lists.nested")
        if name == "player":
            self.fields = {}
        self.field = XML_FIELDS.get(name, "")

    def text(self, data: str) -> None:
        if self.field and len(self.fields.get(self.field, "")) < LONGEST_LINE:
            self.fields[self.field] = self.fields.get(self.field, "") + data

    def end(self, name: str) -> None:
        self.depth -= 1
        self.field = ""
        if name != "player":
            return
        if self.tempo != "standard" and not {"rapid", "blitz"} & self.fields.keys():
            self.fields[self.tempo] = self.fields.pop("standard", "")  # the rapid list calls its rating that
        self.records.append((self.parser.CurrentLineNumber, self.fields))

    def entity(self, *_: object) -> None:
        raise Invalid("lists.entities")


def read_csv(lines: Iterable[str], unread: Unread) -> Iterator[Record]:
    """Any CSV list: the first line names the columns, comma, semicolon or tab part them."""
    rows = iter(lines)
    heading = next(rows, "")
    delimiter = max(",;\t", key=heading.count)
    first = heading.replace("\r", " ").replace("\n", " ").replace("\0", " ")
    names = csv_columns(next(csv.reader([first], delimiter=delimiter), []), unread)
    reader = csv.reader(rows, delimiter=delimiter)
    try:
        for row in reader:
            values = {name: value for name, value in zip(names, row, strict=False) if name}
            if "family" in values:
                both = (values.pop("family").strip(), values.pop("given", "").strip())
                values.setdefault("name", ", ".join(filter(None, both)))
            if any(value.strip() for value in row):
                yield reader.line_num + 1, values
    except csv.Error as wrong:
        raise Invalid("lists.not-csv", line=reader.line_num + 1, reason=str(wrong)) from None


def csv_columns(heading: list[str], unread: Unread) -> list[str]:
    """The field of each column, empty for one that is not taken."""
    labels = [plain_label(label) for label in heading]
    found = [BY_LABEL.get(label, "national_id" if label in LIST_IDS else "") for label in labels]
    names = [""] * len(heading)
    for name, columns in CSV_FIELDS.items():
        if at := [found.index(column) for column in columns if column in found]:
            names[at[0]] = name
    unread.columns += [
        label
        for label, plain, name in zip(heading, labels, names, strict=True)
        if not name and plain not in SKIPPED
    ]
    known = {"name", "family"} & set(names) and {"id", "fide_id"} & set(names) and "standard" in names
    if not known:
        raise Invalid("lists.not-the-columns", text=", ".join(heading))
    return names


def person_of(values: dict[str, str], unread: Unread, *, own_ids: bool = False) -> ListEntry | None:
    """A person of the fields of a record; None if id or name is missing."""
    fide_id = number(values.get("fide_id" if own_ids else "id", ""), 10**11)
    id = values.get("id", "") if own_ids else str(fide_id or "")
    id = id or str(fide_id or "")
    name = values.get("name", "").replace("\t", " ").strip()
    if not id or len(id) > 40 or not name or len(name) > 100 or not name.isprintable():
        return None
    title = title_of(values.get("title", "") or values.get("w_title", ""))
    person = ListEntry(
        id=id,
        name=name,
        federation=federation_of(values.get("federation", "")),
        sex=SEXES.get(values.get("sex", "").lower(), ""),
        title=title if title in TITLES else "",
        birth=birth_of(values.get("birth", "")[:10]),
        fide_id=fide_id,
        **{tempo: number(values.get(tempo, ""), HIGHEST_RATING) for tempo in TEMPOS},
        k_factor=number(values.get("k_factor", ""), 40),
        inactive="i" in values.get("flag", "").lower(),
    )
    for field, value in values.items():
        if value and field in OPTIONAL and not getattr(person, field) and value.strip("0-"):
            unread.add_value(field, value)
    return person


OPTIONAL: Final = frozenset(["federation", "sex", "title", "birth", "fide_id", *TEMPOS, "k_factor"])
"""Fields that a person may lack; zeros and dashes mean that it does."""


@lru_cache(10_000)
def number(text: str, most: int) -> int:
    """A whole number up to a limit; 0 for anything else."""
    if not text.isascii() or not text.isdecimal() or len(text) > 11:
        return 0
    value = int(text)
    return value if value <= most else 0


# --- the file


class ImportedList(msgspec.Struct, frozen=True, kw_only=True):
    """What came of an import."""

    list: RatingList
    notes: tuple[Message, ...]
    """What was left out or replaced."""


def import_list(
    lists: RatingLists,
    path: Path,
    *,
    name: str = FIDE,
    valid: str = "",
    tempo: str = "",
    progress: Progress = unseen,
) -> ImportedList:
    """Import a file into the lists.

    Without ``valid`` the first line or the name of the file must name the month, as FIDE's do
    (``standard_nov26frl.txt``); without ``tempo`` the name of the file may, else it is standard.
    """
    with opened(path) as (stream, file, size):
        head = stream.peek(LONGEST_LINE)[:LONGEST_LINE].removeprefix(b"\xef\xbb\xbf")
        first = head.splitlines()[0].decode("latin-1") if head.strip() else ""
        of_fide = first.startswith("ID Number")
        valid = valid or month_of(file) or (month_of(first) if of_fide else "") or month_of(path.name)
        if not valid:
            raise Invalid("lists.without-day", file=path.name)
        tempo = tempo or next((each for each in TEMPOS if each in file.lower()), "standard")
        unread = Unread()
        if first.lstrip().startswith("<"):
            records, own_ids = read_xml(stream, tempo), False
        elif of_fide:
            records, own_ids = read_txt(lines_of(stream), tempo, unread), False
        else:
            records, own_ids = read_csv(lines_of(stream), unread), True
        people = people_of(records, unread, own_ids=own_ids)
        made, replaced = lists.add(name, valid, path.name, watched(people, stream, size, progress))
    notes = [*unread.notes(), *([say("lists.replaced", count=replaced)] if replaced else [])]
    return ImportedList(list=made, notes=tuple(notes))


def watched(
    people: Iterable[ListEntry], stream: IO[bytes], size: int, progress: Progress
) -> Iterator[ListEntry]:
    """The people, while how many bytes were read is told now and then."""
    for at, person in enumerate(people):
        if at % STEP == 0:
            progress(stream.tell(), size)
        yield person
    progress(size, size)


@contextmanager
def opened(path: Path) -> Iterator[tuple[io.BufferedReader, str, int]]:
    """The list in a file, its name and its size; of a zip the one list that is in it."""
    try:
        size = path.stat().st_size
        if size > MOST_BYTES:
            raise Invalid("lists.too-large", path=str(path), most=MOST_BYTES >> 30)
        if not zipfile.is_zipfile(path):
            with path.open("rb") as file:
                yield file, path.name, size
            return
        with reading_zip(Invalid("lists.zip-damaged", path=str(path))), zipfile.ZipFile(path) as archive:
            member = the_list(path, archive)
            with archive.open(member) as inside:
                name = PurePath(member.filename).name
                yield io.BufferedReader(inside), name, member.file_size  # type: ignore[arg-type]
    except OSError as reason:
        raise Invalid("lists.unreadable", path=str(path), reason=said(reason)) from None


def the_list(path: Path, archive: zipfile.ZipFile) -> zipfile.ZipInfo:
    """The one list of a zip, if it is no bomb."""
    names = (".txt", ".xml", ".csv")
    found = [info for info in archive.infolist() if PurePath(info.filename).suffix.lower() in names]
    if len(found) != 1:
        raise Invalid("lists.not-one", path=str(path), count=len(found))
    [info] = found
    if info.file_size > MOST_BYTES or info.file_size > MOST_EXPANSION * (info.compress_size + LONGEST_LINE):
        raise Invalid("lists.would-grow", path=str(path), count=info.file_size)
    return info


def lines_of(stream: IO[bytes]) -> Iterator[str]:
    """The lines of a text in UTF-8, or where it is not, in the encoding of old Windows programs."""
    at = 0
    while line := stream.readline(LONGEST_LINE + 1):
        at += 1
        if len(line) > LONGEST_LINE:
            raise Invalid("lists.line-too-long", line=at, most=LONGEST_LINE)
        if at == 1:
            line = line.removeprefix(b"\xef\xbb\xbf")
        try:
            yield line.decode()
        except UnicodeDecodeError:
            yield line.decode("cp1252", "replace")


# --- from a server: in one step, and lists that are never older than a day


ADDRESS: Final = "https://ratings.fide.com/download/players_list_xml.zip"
"""All players with their standard, rapid and blitz ratings, made new every day."""
PATIENCE: Final = 60
"""Seconds without an answer."""
DOWNLOADED: Final = 1 << 20
"""Bytes that are written at once."""
OLDEST: Final = timedelta(days=1)
PAUSE: Final = timedelta(minutes=10)
"""After a failure; who is offline does not wait at every look-up."""
SHORT_PATIENCE: Final = 10


@contextmanager
def downloaded(
    address: str = ADDRESS, *, patience: int = PATIENCE, progress: Progress = unseen
) -> Iterator[Path]:
    """The file at an address, in a folder that is gone afterwards."""
    parts = urlsplit(address)
    if parts.scheme not in ("http", "https") or not parts.netloc:
        raise Invalid("lists.not-an-address", text=address, value=ADDRESS)
    with TemporaryDirectory(prefix="paircard-") as folder:
        path = Path(folder) / (Path(parts.path).name or "list")
        try:
            with urllib.request.urlopen(address, timeout=patience) as answer, path.open("wb") as file:
                announced = answer.headers.get("Content-Length", "")
                size = int(announced[:20]) if announced.isdecimal() else 0
                if size > MOST_BYTES:
                    raise Invalid("lists.too-large", path=address[:100], most=MOST_BYTES >> 30)
                while chunk := answer.read(DOWNLOADED):
                    file.write(chunk)
                    if file.tell() > MOST_BYTES or shutil.disk_usage(folder).free < MOST_BYTES // 8:
                        raise Invalid("lists.no-room", path=address[:100])
                    progress(file.tell(), size)
        except (urllib.error.URLError, OSError, ValueError) as reason:
            if isinstance(reason, urllib.error.HTTPError):
                reason.close()
            why = str(getattr(reason, "reason", reason))
            raise Unreachable("lists.not-downloaded", path=address[:100], reason=why) from None
        yield path


class Stale(msgspec.Struct, frozen=True, kw_only=True):
    """A list that is older than a day and could not be renewed."""

    name: str
    fetched: str
    reason: Message


def fetch_list(
    lists: RatingLists,
    address: str,
    now: datetime,
    *,
    name: str,
    valid: str = "",
    daily: bool | None = None,
    patience: int = PATIENCE,
    progress: Progress = unseen,
) -> ImportedList:
    """Fetch a list and import it; by default it is the one of this month.

    ``daily`` switches on or off that it is fetched again when it is older than a day; None changes nothing.
    """
    with downloaded(address, patience=patience, progress=progress) as path:
        month = valid or f"{now.date().isoformat()[:7]}-01"
        made = import_list(lists, path, name=name, valid=month, progress=progress)
    if daily is False:
        lists.stop_daily(name)
    elif daily or any(each.name == name and each.address == address for each in lists.daily()):
        moment = now.isoformat(timespec="seconds")
        lists.keep_daily(Fetch(name=name, address=address, fetched=moment, tried=moment))
    return made


def fetch_due(
    lists: RatingLists, now: datetime, progress: Progress = unseen
) -> Iterator[ImportedList | Stale]:
    """Renew every daily list that is older than a day, or say why it stays as it is."""
    for fetch in lists.daily():
        if now - datetime.fromisoformat(fetch.fetched) < OLDEST:
            continue
        if fetch.tried != fetch.fetched and now - datetime.fromisoformat(fetch.tried) < PAUSE:
            yield Stale(name=fetch.name, fetched=fetch.fetched, reason=say("lists.tried-just-now"))
            continue
        try:
            yield fetch_list(
                lists, fetch.address, now, name=fetch.name, patience=SHORT_PATIENCE, progress=progress
            )
        except PaircardError as refusal:
            lists.keep_daily(replace(fetch, tried=now.isoformat(timespec="seconds")))
            yield Stale(name=fetch.name, fetched=fetch.fetched, reason=refusal.said)
