"""The file that rating lists are imported into: SQLite, one list per name and day from which it is valid.

People lie in order of rating, so the full-text index of their names finds the best known first and stops at
the limit: a look-up in two million names answers while somebody types. ``people_1_fts`` is an index as
Datasette knows it.
"""

import re
import sqlite3
import unicodedata
from collections.abc import Iterable, Iterator
from contextlib import contextmanager
from functools import lru_cache
from pathlib import Path
from typing import Any, Final, get_type_hints

import msgspec
from msgspec.structs import asdict, astuple
from sqlite_utils import Database

from paircard.domain.errors import Busy, ForeignFile, Invalid, Unknown, Unreachable
from paircard.domain.system import said
from paircard.domain.values.players import Details
from paircard.domain.values.text import is_day
from paircard.domain.whole_files import make_private

FORMAT: Final = 2
"""1 had an index of names under another name (``names_1``), which is still read."""
APPLICATION_ID: Final = 0x50434C53
FOUND: Final = 400
"""Names looked at to rank the answer of a look-up."""
UNDECOMPOSED: Final = str.maketrans(
    {"ø": "o", "ł": "l", "đ": "d", "ð": "d", "þ": "th", "æ": "ae", "œ": "oe", "ı": "i", "ŋ": "n", "ħ": "h"}
)
"""Letters that Unicode does not take apart into a letter and an accent."""
_BETWEEN_WORDS: Final = re.compile(r"[\W_]+")

FIDE: Final = "fide"
"""The name of FIDE's lists; every other list is a national one or one of the organiser's own."""


class ListEntry(msgspec.Struct, frozen=True, kw_only=True):
    """A person as a list has them."""

    id: str
    """In the list: the FIDE id, or the number of the list's own."""
    name: str
    federation: str = ""
    sex: str = ""
    title: str = ""
    birth: str = ""
    """A year, or a day."""
    fide_id: int = 0
    standard: int = 0
    """Of FIDE's standard list, or the one rating of another list."""
    rapid: int = 0
    blitz: int = 0
    k_factor: int = 0
    inactive: bool = False


COLUMNS: Final = ListEntry.__struct_fields__


class RatingList(msgspec.Struct, frozen=True, kw_only=True):
    """A list in the file."""

    number: int
    name: str
    valid: str
    """First day on which it is valid."""
    people: int
    source: str
    """Name of the file it came from, the last one where several made it."""


class Fetch(msgspec.Struct, frozen=True, kw_only=True):
    """A list that is fetched again whenever it is asked for and older than a day."""

    name: str
    address: str
    fetched: str
    """When it was last fetched, in UTC."""
    tried: str
    """When that was last tried."""


class RatingLists:
    """The lists of one file, which is made at the first import."""

    def __init__(self, path: Path, *, create: bool = False) -> None:
        self.path = path
        if not create and not path.exists():
            raise Unknown("lists.none-there", path=str(path))
        self.fresh = not path.exists()
        with refusing(path):
            make_private(path)
            self.db = Database(sqlite3.connect(path, timeout=5, isolation_level=None))
            try:
                self.db.enable_wal()
                self._prepare()
            except BaseException:
                self.db.close()
                raise

    def __enter__(self) -> "RatingLists":
        return self

    def __exit__(self, *_: object) -> None:
        self.close()

    def close(self) -> None:
        """Let go of the file; one that was made for an import that failed is removed."""
        empty = self.fresh and not self.lists()
        self.db.close()
        if empty:
            self.path.unlink(missing_ok=True)

    def _prepare(self) -> None:
        [[known]] = self.db.execute("PRAGMA application_id")
        if self.db.table_names():
            if known != APPLICATION_ID:
                raise ForeignFile("lists.foreign", path=str(self.path))
            return
        self.db.execute(f"PRAGMA application_id={APPLICATION_ID}")
        self.db.execute(f"PRAGMA user_version={FORMAT}")
        for name, struct, key in (("lists", RatingList, "number"), ("daily", Fetch, "name")):
            columns = get_type_hints(struct)
            self.db.table(name).create(columns, pk=key, not_null=columns)
        self.db.table("lists").create_index(["name", "valid"], unique=True)

    def daily(self) -> list[Fetch]:
        """The lists that are fetched again every day."""
        with refusing(self.path):
            return [Fetch(**row) for row in self.db.table("daily").rows_where(order_by="name")]

    def keep_daily(self, fetch: Fetch) -> None:
        """Remember that, and when, a list is fetched every day."""
        with refusing(self.path):
            self.db.table("daily").upsert(asdict(fetch))

    def stop_daily(self, name: str) -> None:
        """No longer fetch a list by itself."""
        with refusing(self.path):
            self.db.table("daily").delete_where("name = ?", [name])

    def lists(self) -> list[RatingList]:
        """Every list, by name and the newest first."""
        with refusing(self.path):
            rows = self.db.table("lists").rows_where(order_by="name, valid desc")
            return [RatingList(**row) for row in rows]

    def newest(self, name: str = FIDE, *, on: str = "") -> RatingList:
        """The newest list of a name; the one valid on a day, if one is given."""
        found = [each for each in self.lists() if each.name == name]
        if not found:
            raise Unknown("lists.unknown", text=name, known=sorted({each.name for each in self.lists()}))
        valid = [each for each in found if not on or each.valid <= on]
        if not valid:
            raise Unknown("lists.not-valid-then", text=name, day=on, first_day=found[-1].valid)
        return valid[0]

    def add(self, name: str, valid: str, source: str, people: Iterable[ListEntry]) -> tuple[RatingList, int]:
        """Import people into a list, in one transaction.

        A second file for the same name and day, such as FIDE's rapid list after its standard one, adds
        to what is there; its values count where it has any. Returns the list, and how many records were
        replaced by a later one with the same id.
        """
        if not name or len(name) > 40 or not name.isprintable() or name != name.strip():
            raise Invalid("lists.not-a-name", text=name)
        if not is_day(valid):
            raise Invalid("lists.not-a-day", text=valid)
        with refusing(self.path), self._transaction():
            read = self._collect(people)
            different = self._incoming()
            for old in self.db.table("lists").rows_where("name = ? and valid = ?", [name, valid]):
                self._merge(old["number"])
                self._drop(old["number"])
            count = self._incoming()
            if not count:
                raise Invalid("lists.nobody", file=source)
            row = {"name": name, "valid": valid, "people": count, "source": source}
            number = self.db.table("lists").insert(row).last_pk
            made = msgspec.convert({"number": number, **row}, RatingList)
            self._lay_out(made.number)
        return made, read - different

    def remove(self, found: RatingList) -> None:
        """Take a list out of the file."""
        with refusing(self.path), self._transaction():
            self._drop(found.number)
            self.db.table("daily").delete_where("name not in (select name from lists)")

    def by_id(self, found: RatingList, id: str) -> ListEntry | None:
        """The person with this id of the list; None if nobody has it."""
        return self._one(found, "id = ?", id)

    def by_fide_id(self, found: RatingList, fide_id: int) -> ListEntry | None:
        """The person with this FIDE id; None if nobody has it."""
        if found.name == FIDE:
            return self.by_id(found, str(fide_id))
        return self._one(found, "fide_id = ? and fide_id > 0", fide_id)

    def _one(self, found: RatingList, where: str, value: object) -> ListEntry | None:
        with refusing(self.path):
            rows = self.db.table(f"people_{found.number}").rows_where(where, [value], limit=1)
            return next(map(_entry, rows), None)

    def find(self, found: RatingList, text: str, most: int = 20) -> list[ListEntry]:
        """People whose names have all these words, or words that begin so; the best match first.

        A number is an id. The whole name in this order comes first, then the family name, then the higher
        rating.
        """
        words = folded(text[:200]).split()[:8]
        if len(words) == 1 and words[0].isdecimal():
            person = self.by_id(found, words[0])
            return [person] if person else []
        if not words:
            return []
        people = f"people_{found.number}"
        with refusing(self.path):
            index = self.db.table(people).detect_fts() or f"names_{found.number}"
            rows = self.db.query(
                f"SELECT p.* FROM {index} n JOIN {people} p ON p.place = n.rowid"
                f" WHERE {index} MATCH :asked ORDER BY n.rowid LIMIT :most",
                {"asked": " AND ".join(f'"{word}" *' for word in words), "most": max(most, FOUND)},
            )
            found_people = [_entry(row) for row in rows]

        def closeness(person: ListEntry) -> tuple[bool, bool]:
            name = folded(person.name).split()
            return name != words, name[:1] != words[:1]

        return sorted(found_people, key=closeness)[:most]  # stable: the rating decides the rest

    def _collect(self, people: Iterable[ListEntry]) -> int:
        """The people to be imported, each id once; how many there were.

        ``insert_all`` would take six times as long for two million of them.
        """
        columns = ", ".join("id TEXT PRIMARY KEY" if name == "id" else name for name in COLUMNS)
        self.db.execute("DROP TABLE IF EXISTS temp.incoming")
        self.db.execute(f"CREATE TEMP TABLE incoming ({columns}) WITHOUT ROWID")
        insert = f"INSERT OR REPLACE INTO incoming VALUES ({', '.join('?' * len(COLUMNS))})"
        return self.db.conn.executemany(insert, map(astuple, people)).rowcount

    def _incoming(self) -> int:
        [[count]] = self.db.execute("SELECT count(*) FROM incoming")
        return int(count)

    def _merge(self, number: int) -> None:
        """Fill what the new people lack from the list as it was; who is not among the new stays."""
        filled = (f"{name} = iif({name} IN ('', 0), excluded.{name}, {name})" for name in COLUMNS[2:-1])
        self.db.execute(
            f"INSERT INTO incoming SELECT {', '.join(COLUMNS)} FROM people_{number} WHERE true"
            f" ON CONFLICT (id) DO UPDATE SET {', '.join(filled)}"
        )

    def _lay_out(self, number: int) -> None:
        """The people in order of rating, and the index of their names."""
        people = self.db.table(f"people_{number}")
        columns = {"place": int, **get_type_hints(ListEntry), "words": str}
        people.create(columns, pk="place", not_null=columns)
        self.db.register_function(folded, deterministic=True, replace=True)
        self.db.execute(
            f"INSERT INTO people_{number} ({', '.join(COLUMNS)}, words)"
            f" SELECT {', '.join(COLUMNS)}, folded(name) FROM incoming"
            " ORDER BY max(standard, rapid, blitz) DESC, name"
        )
        people.create_index(["id"], unique=True)
        if next(people.rows_where("fide_id > 0 and cast(fide_id as text) <> id", limit=1), None):
            people.create_index(["fide_id"])
        people.enable_fts(["words"], tokenize="ascii")
        self.db.execute("DROP TABLE temp.incoming")

    def _drop(self, number: int) -> None:
        for table in (f"people_{number}_fts", f"names_{number}", f"people_{number}"):
            self.db.table(table).drop(ignore=True)
        self.db.table("lists").delete(number)

    @contextmanager
    def _transaction(self) -> Iterator[None]:
        self.db.execute("BEGIN IMMEDIATE")
        try:
            yield
        except BaseException:
            self.db.rollback()
            raise
        self.db.commit()


def _entry(row: dict[str, Any]) -> ListEntry:
    return msgspec.convert({**row, "inactive": bool(row["inactive"])}, ListEntry)


@contextmanager
def refusing(path: Path) -> Iterator[None]:
    """What SQLite says, for people."""
    try:
        yield
    except sqlite3.OperationalError as reason:
        if "locked" in str(reason) or "busy" in str(reason):
            raise Busy("lists.busy", path=str(path)) from None
        raise Unreachable("lists.unusable", path=str(path), reason=str(reason)) from None
    except OSError as reason:
        raise Unreachable("lists.unusable", path=str(path), reason=said(reason)) from None
    except sqlite3.DatabaseError:
        raise ForeignFile("lists.foreign", path=str(path)) from None


def details_of(listed: ListEntry, name: str) -> Details:
    """The person as registered from the list of this name; the tournament's rating follows from the lists
    that the regulations name."""
    alike = {field: getattr(listed, field) for field in ALIKE}
    if name != FIDE:
        return Details(**alike, national_rating=listed.standard, national_id=listed.id)
    ratings = {f"{tempo}_rating": getattr(listed, tempo) for tempo in ("rapid", "blitz")}
    return Details(**alike, fide_rating=listed.standard, **ratings, k_factor=listed.k_factor)


ALIKE: Final = ("name", "title", "federation", "sex", "birth", "fide_id")
"""Fields of a person that are those of a player."""


@lru_cache(maxsize=4096)
def folded(text: str) -> str:
    """A name for comparing: small letters without accents, words parted by single blanks."""
    small = text.casefold().translate(UNDECOMPOSED)
    if not small.isascii():
        decomposed = unicodedata.normalize("NFKD", small)
        small = "".join(c for c in decomposed if not unicodedata.combining(c))
    return _BETWEEN_WORDS.sub(" ", small).strip()
