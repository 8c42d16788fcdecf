"""Rating lists as files: FIDE's TXT and XML, and CSV with the column names of other programs.

Readers take lines or a stream and give people one by one, so a list of two million never lies in memory.
A line that is not a person's is counted and reported, never dropped silently.
"""

import csv
import re
from collections import Counter
from collections.abc import Iterable, Iterator
from typing import IO, Final
from xml.parsers import expat

from paircard.domain.errors import Invalid
from paircard.domain.values.players import HIGHEST_RATING, TITLES
from paircard.domain.values.text import counted, without_unseen
from paircard.service.rating_lists.person import ListEntry
from paircard.service.sheets.players import BY_LABEL, SKIPPED
from paircard.service.sheets.table import plain_label

MONTHS: Final = ("JAN", "FEB", "MAR", "APR", "MAY", "JUN", "JUL", "AUG", "SEP", "OCT", "NOV", "DEC")
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
"""What a list calls its ids, beside the names that sheets of players have for them."""

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
        self.places: list[str] = []
        self.columns: list[str] = []
        """Columns that were not taken."""
        self.values: dict[str, list[str]] = {}
        """The first values of each field that were not understood."""
        self.misread: Counter[str] = Counter()

    def add(self, place: str) -> None:
        """One more."""
        self.count += 1
        if len(self.places) < 5:
            self.places.append(place)

    def add_value(self, field: str, value: str) -> None:
        """One more value that was not understood."""
        self.misread[field] += 1
        if self.misread[field] <= 3:
            self.values.setdefault(field, []).append(value)

    def note(self) -> str:
        """A sentence; empty if everything was taken."""
        notes = []
        if self.count:
            more = "" if self.count == len(self.places) else f" and {self.count - len(self.places)} more"
            notes.append(f"{self.count} left out, not a person's record: {', '.join(self.places)}{more}")
        for field, values in self.values.items():
            shown = ", ".join(repr(value[:20]) for value in values)
            count = counted(self.misread[field], "value")
            notes.append(f"{field.replace('_', ' ')}: {count} not understood, like {shown}")
        if self.columns:
            notes.append(f"columns not taken: {without_unseen(', '.join(self.columns))[:200].strip()}")
        return "; ".join(notes)


def read_txt(lines: Iterable[str], tempo: str, unread: Unread) -> Iterator[ListEntry]:
    """FIDE's TXT: the heading line says where each column begins."""
    rows = iter(lines)
    heading = next(rows, "")
    columns = txt_columns(heading, tempo, unread)
    for at, line in enumerate(rows, 2):
        text = line.rstrip("\r\n")
        if not text.strip():
            continue
        person = None
        if len(text) <= LONGEST_LINE:
            person = person_of({name: text[start:stop].strip() for name, start, stop in columns}, unread)
        if person is None:
            unread.add(f"line {at}")
        else:
            yield person


def txt_columns(heading: str, tempo: str, unread: Unread) -> list[tuple[str, int, int | None]]:
    """Field, first column and end of each column of a TXT list."""
    labels = list(re.finditer(r"ID Number|\S+", heading[:LONGEST_LINE]))
    if not labels or labels[0].group() != "ID Number" or len(labels) < 3:
        raise Invalid("this is not a rating list of FIDE: its first line does not begin with 'ID Number'")
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
        month = match.group(1).upper()
        if month in MONTHS:
            return f"20{match.group(2)}-{MONTHS.index(month) + 1:02}-01"
    return ""


def read_xml(stream: IO[bytes], tempo: str, unread: Unread) -> Iterator[ListEntry]:
    """FIDE's XML: ``<player>`` elements with one level of fields; no entity is expanded."""
    reader = XmlReader(tempo, unread)
    try:
        while chunk := stream.read(CHUNK):
            yield from reader.feed(chunk)
        yield from reader.feed(b"", last=True)
    except (expat.ExpatError, LookupError, ValueError) as wrong:  # an encoding that nobody knows, too
        raise Invalid(f"the XML breaks off or is damaged: {wrong}") from None


class XmlReader:
    """Collects the people of an XML list while it comes in."""

    def __init__(self, tempo: str, unread: Unread) -> None:
        self.tempo = tempo
        self.unread = unread
        self.people: list[ListEntry] = []
        self.fields: dict[str, str] = {}
        self.depth = 0
        self.field = ""
        self.parser = expat.ParserCreate()
        self.parser.buffer_text = True
        self.parser.StartElementHandler = self.start
        self.parser.EndElementHandler = self.end
        self.parser.CharacterDataHandler = self.text
        self.parser.EntityDeclHandler = self.entity

    def feed(self, chunk: bytes, *, last: bool = False) -> list[ListEntry]:
        """The people that ended in this piece of the file."""
        self.parser.Parse(chunk, last)
        people, self.people = self.people, []
        return people

    def start(self, name: str, _: object) -> None:
        self.depth += 1
        if self.depth > DEEPEST:
            raise Invalid("this is not a rating list of FIDE: its elements are nested too deeply")
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
        values = {key: value.strip() for key, value in self.fields.items()}
        if self.tempo != "standard" and "rapid" not in values and "blitz" not in values:
            values[self.tempo] = values.pop("standard", "")  # the rapid list calls its rating just that
        person = person_of(values, self.unread)
        if person is None:
            self.unread.add(f"line {self.parser.CurrentLineNumber}")
        else:
            self.people.append(person)

    def entity(self, *_: object) -> None:
        raise Invalid("the file declares entities, which no rating list of FIDE has")


def read_csv(lines: Iterable[str], unread: Unread) -> Iterator[ListEntry]:
    """Any CSV list: the first line names the columns, comma, semicolon or tab part them."""
    rows = iter(lines)
    heading = next(rows, "")
    delimiter = max(",;\t", key=heading.count)
    first = heading.replace("\r", " ").replace("\n", " ").replace("\0", " ")
    names = csv_columns(next(csv.reader([first], delimiter=delimiter), []), unread)
    reader = csv.reader((line for line in rows if len(line) <= LONGEST_LINE), delimiter=delimiter)
    try:
        for row in reader:
            if not any(value.strip() for value in row):
                continue
            values = {name: value.strip() for name, value in zip(names, row, strict=False) if name}
            if "family" in values:
                both = (values.pop("family"), values.pop("given", ""))
                values.setdefault("name", ", ".join(filter(None, both)))
            person = person_of(values, unread, own_ids=True)
            if person is None:
                unread.add(f"line {reader.line_num + 1}")
            else:
                yield person
    except csv.Error as wrong:
        raise Invalid(f"line {reader.line_num + 1} is not CSV: {wrong}") from None


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
        raise Invalid(
            f"the columns {', '.join(heading)[:200]!r} are not those of a rating list: "
            "it needs an id, a name and a rating"
        )
    return names


def person_of(values: dict[str, str], unread: Unread, *, own_ids: bool = False) -> ListEntry | None:
    """A person of the fields of a record; None if id or name is missing."""
    fide_id = number(values.get("fide_id" if own_ids else "id", ""), 10**11)
    id = values.get("id", "") if own_ids else str(fide_id or "")
    id = id or str(fide_id or "")
    name = values.get("name", "").replace("\t", " ").strip()
    if not id or len(id) > 40 or not name or len(name) > 100 or not name.isprintable():
        return None
    title = values.get("title", "").upper() or values.get("w_title", "").upper()
    federation = values.get("federation", "").upper()
    birth = values.get("birth", "")[:10].replace("/", "-").replace(".", "-")
    sex = {"m": "m", "f": "w", "w": "w"}.get(values.get("sex", "").lower(), "")
    person = ListEntry(
        id=id,
        name=name,
        federation=federation if re.fullmatch("[A-Z]{3}", federation) else "",
        sex=sex,
        title=title if title in TITLES else "",
        birth=birth if re.fullmatch(r"(1[89]|20)\d\d", birth[:4]) and len(birth) in (4, 10) else "",
        fide_id=fide_id,
        standard=number(values.get("standard", ""), HIGHEST_RATING),
        rapid=number(values.get("rapid", ""), HIGHEST_RATING),
        blitz=number(values.get("blitz", ""), HIGHEST_RATING),
        k_factor=number(values.get("k_factor", ""), 40),
        inactive="i" in values.get("flag", "").lower(),
    )
    for field in OPTIONAL:
        value = values.get(field, "")
        if value and not getattr(person, field) and value.strip("0-"):
            unread.add_value(field, value)
    return person


OPTIONAL: Final = (
    "federation", "sex", "title", "birth", "fide_id", "standard", "rapid", "blitz", "k_factor",
)  # fmt: skip
"""Fields that a person may lack; zeros and dashes mean that it does."""


def number(text: str, most: int) -> int:
    """A whole number up to a limit; 0 for anything else."""
    if not text.isascii() or not text.isdecimal() or len(text) > 11:
        return 0
    value = int(text)
    return value if value <= most else 0
