"""What the log asks of a database, whichever keeps it.

A backend is an application recorder of the ``eventsourcing`` package: tournaments are its aggregates,
positions its notification ids. ``sqlite`` and ``postgres`` subclass its datastore and its recorder by their
public methods. The questions of lists, of verify and of the doctor are asked here, in one SQL for both
databases.
"""

from abc import abstractmethod
from collections.abc import Callable, Collection, Iterator, Sequence
from contextlib import AbstractContextManager
from typing import Any, Final, Protocol, TypeVar

from msgspec import json

from paircard.domain.errors import StoreRefused
from paircard.domain.log.catalogue import (
    FEW,
    LAST,
    PLAYER,
    Asked,
    Question,
    Search,
    Word,
    asked_by,
    is_there,
)
from paircard.domain.log.stored import ERASURES, NO_PARTS, FactRecorder, StoredFact, stored_facts
from paircard.domain.messages import Message

T = TypeVar("T")
CheckpointRow = tuple[object, object, object]
"""Tournament, size and text of a stored checkpoint; anything, if somebody edited the table."""


ORIGIN: Final = "paircard/"
"""What the text of a checkpoint begins with, before the id of its tournament."""
NOTES_BY_TEXT: Final = f"(substr(note, 1, {len(ORIGIN) + 32}))"
"""In SQL, what an index of checkpoints by the tournament in their text holds."""


TREE_COLUMNS: Final = "(size bigint PRIMARY KEY, position bigint NOT NULL, note text NOT NULL)"


class NotTaken(Exception):
    """A key of the database stands in the way of what is to be written."""


class ConnectionLost(Exception):
    """The database went away in the middle: whether the facts were recorded is not known."""

    def __init__(self, reason: StoreRefused) -> None:
        super().__init__(str(reason))
        self.reason: Final = reason


class Ends(Protocol):
    """A connection that is asked where logs end, and never waited for: its socket says when to read."""

    def fileno(self) -> int: ...

    def ask(self, tournaments: Collection[str]) -> None:
        """Send a question; the one before has been answered."""

    def answer(self) -> dict[str, tuple[int, str]] | None:
        """Version and hash of the last fact of each tournament; None while the answer is still to come."""

    def close(self) -> None: ...


class Backend(FactRecorder):
    """The log of one store: a recorder of the library that also answers questions about its database."""

    ending: bool = False
    lists: bool = True
    """Whether there is a catalogue, and this program may write it."""
    piece_text: str = "CAST(bytes AS text)"
    """A personal part as text."""
    role: str = ""
    """Database role of this connection; empty for a file."""
    path: str = ""
    """The file, if it is one."""
    keeps_private: bool = True
    """Whether there is a place for personal parts next to the facts."""

    upsert: str
    """SQL that writes a row of the catalogue."""
    place: str
    """How messages call it."""
    patience: float

    # Transactions

    @abstractmethod
    def reading(self, question: Callable[[], T]) -> T:
        """The answer to a question, from one moment of the log."""

    @abstractmethod
    def writing(self) -> AbstractContextManager[object]:
        """Keep all others from writing; what this thread records inside is on the disk at the end, or not.

        Gives the mark of the store after that. ``ConnectionLost`` where it is not known.
        """

    @abstractmethod
    def stream(self, sql: str, values: tuple[Any, ...] = ()) -> Iterator[Any]:
        """The rows of a question one after the other, for what does not fit in memory."""

    @abstractmethod
    def wait(self, after: int, seconds: float) -> bool:
        """Wait until there is a fact beyond a position, or the time is over; whether there is one."""

    def end_waits(self) -> None:
        """Let those who wait for facts go at once, now and from here on: the store is about to be closed."""
        self.ending = True

    @abstractmethod
    def close(self) -> None:
        """Let go of the store."""

    def mark(self) -> object:
        """What is another as soon as anything is written; None where only asking tells."""
        return None

    def ends(self) -> Ends | None:
        """A new connection for an event loop, which must not wait; None where the mark tells as much."""
        return None

    def settle(self) -> None:
        """Move what is in the journal into the file, where there is one."""
        return

    # Next to the facts

    @abstractmethod
    def is_there(self, table: str) -> bool:
        """Whether there is a table, for this program to read: stores made by earlier programs lack some."""

    def lacking(self) -> list[str]:
        """Names of the tables and indexes that are made with the next fact: earlier programs had none."""
        return []

    @abstractmethod
    def unsound(self) -> list[Message]:
        """What is wrong with the tables: columns, keys, triggers. No row is looked at."""

    def pool(self) -> tuple[int, int]:
        """Connections of this process in use, and at most; a file has none."""
        return 0, 0

    def faults(self) -> list[Message]:
        """What is wrong with the store apart from its facts: tables, triggers, positions, damaged pages."""
        return self.unsound()

    @abstractmethod
    def write_beside(self, sql: str, rows: Sequence[tuple[Any, ...]] = ((),)) -> None:
        """Write something next to the facts, once for each row of values; inside a transaction, in that one.

        The tables are found right before, and what is deleted is overwritten.
        """

    @abstractmethod
    def delete_parts(self, tournament: str, hashes: Sequence[str]) -> Message | None:
        """Remove personal parts by their hashes, from the file too; what is left to do, if anything."""

    def recorders(self, tournament: str) -> list[str]:
        """The role each fact came from, as the server recorded it; nothing where there are no roles."""
        return []

    def owner(self) -> str:
        """The role that owns the tables, and may do anything to them."""
        return ""

    # The catalogue

    def misplaced(self) -> list[str]:
        """Ids whose row says what no fact says; one that is only behind is not among them."""
        sql = (
            f"SELECT c.tournament FROM catalogue c LEFT JOIN stored_events e "
            "ON e.originator_id=c.tournament AND e.originator_version=c.version "
            f"WHERE e.{self.position} IS NULL OR e.{self.position}<>c.position"
        )
        return [str(id) for (id,) in self.ask(sql, (), "catalogue")]

    def empty_catalogue(self) -> None:
        """Remove all rows and words; facts stay as they are."""
        self.write_beside("DELETE FROM catalogue")
        self.write_beside("DELETE FROM words")

    def put_words(self, first: int, gone: Collection[Word] | None, new: Collection[Word]) -> None:
        """Take words from the tournament whose first fact is there, all of them for None, and give others."""
        if not self.lists:
            return
        if gone is None:
            self.write_beside("DELETE FROM words WHERE first=?", [(first,)])
        elif gone:
            rows = [(first, word, player) for player, word in gone]
            self.write_beside("DELETE FROM words WHERE first=? AND word=? AND player=?", rows)
        if new:
            rows = [(first, word, player) for player, word in new]
            self.write_beside("INSERT INTO words VALUES (?, ?, ?) ON CONFLICT DO NOTHING", rows)

    def words_at(self, first: int) -> set[Word]:
        found = self.ask("SELECT player, word FROM words WHERE first=?", (first,), "words")
        return {(player, word) for player, word in found}

    def strays(self) -> int:
        """How many words are of no tournament in the catalogue."""
        listed = "SELECT 1 FROM catalogue WHERE first=w.first"
        sql = f"SELECT count(*) FROM words w WHERE NOT EXISTS ({listed})"
        return sum(count for (count,) in self.ask(sql, (), "words"))

    def question(self, search: Search) -> Question:
        """The catalogue asked for some tournaments.

        What is rare is looked up by its words. Where all that is asked for is common, tournaments are gone
        through in their order, those with a whole word that is asked for if there is one: a page of those
        that fit is soon found.
        """
        asked, made = asked_by(search), Question()
        rarest = min((self.having(ways) for ways in asked), key=len, default=set())
        if asked and len(rarest) < FEW:
            made.add(f"c.first IN (0{', ?' * len(rarest)})", sorted(rarest))  # nothing is at 0
        elif word := self.whole_word(asked):
            made.rows, made.order = "words d JOIN catalogue c ON c.first=d.first", "d.first"
            made.add("d.word=?", (word,))
        for ways in asked:
            made.add(*is_there(ways))
        return made

    def having(self, ways: Asked) -> set[int]:
        """First positions of tournaments that have the rarest word of one of these ways; not all of many."""
        rarest = [min((self.having_word(word) for word in way), key=len) for way in ways]
        return {first for found in rarest for first in found}

    def having_word(self, beginning: str) -> list[int]:
        """First positions of tournaments with words that begin so, at most ``FEW``."""
        rows = f"SELECT first FROM words WHERE word>=? AND word<? ORDER BY word LIMIT {FEW}"
        return [first for (first,) in self.ask(rows, (beginning, beginning + LAST))]

    def whole_word(self, asked: Sequence[Asked]) -> str:
        """A word that tournaments must have as it is: a year, else of the place, else of the name."""
        must = [word for ways in asked if len(ways) == 1 for word in ways[0] if word[0] != PLAYER]
        for word in sorted(must, reverse=True):
            longer = "SELECT 1 FROM words WHERE word>? AND word<? LIMIT 1"
            if not self.ask(longer, (word, word + LAST)):
                return word
        return ""

    def ids_between(self, after: int, before: int) -> list[str]:
        found = self.ask(
            f"SELECT DISTINCT originator_id FROM stored_events WHERE {self.position}>? AND {self.position}<?",
            (after, before),
        )
        return [id for (id,) in found if isinstance(id, str)]

    # Questions

    def stored_checkpoints(self, tournament: str) -> list[CheckpointRow]:
        """Stored checkpoints that name a tournament in their row or, by its origin, in their text."""
        rows = f"SELECT tournament, size, note FROM checkpoints WHERE tournament=? OR {NOTES_BY_TEXT}=?"
        return self.ask(rows, (tournament, f"{ORIGIN}{tournament}"), "checkpoints")

    def orphans(self) -> list[str]:
        """Ids that have checkpoints and no facts."""
        facts = "SELECT 1 FROM stored_events WHERE originator_id=c.tournament"
        rows = f"SELECT DISTINCT tournament FROM checkpoints c WHERE NOT EXISTS ({facts})"
        return [str(id) for (id,) in self.ask(f"{rows} ORDER BY tournament", (), "checkpoints")]

    def beginnings(self) -> Iterator[tuple[object, object, object]]:
        """Id, version and topic of the first fact under each id."""
        return self.stream(
            "SELECT id, version, e.topic FROM "
            "(SELECT originator_id AS id, min(originator_version) AS version "
            "FROM stored_events GROUP BY originator_id) firsts LEFT JOIN stored_events e "
            "ON e.originator_id=id AND e.originator_version=version ORDER BY id"
        )

    def save_checkpoint(self, tournament: str, size: int, note: str) -> None:
        """Keep a checkpoint next to the facts, once."""
        insert = (
            "INSERT INTO checkpoints (tournament, size, note) "
            "SELECT CAST(? AS text), CAST(? AS bigint), CAST(? AS text) WHERE NOT EXISTS "
            "(SELECT 1 FROM checkpoints WHERE tournament=? AND size=? AND note=?)"
        )
        self.write_beside(insert, [(tournament, size, note) * 2])

    def signed_trees(self) -> list[tuple[int, int, str]]:
        """Size, last position and signed note of every tree that was signed."""
        question = "SELECT size, position, note FROM signed_trees ORDER BY size"
        return self.ask(question, (), "signed_trees")

    def save_signed_tree(self, size: int, position: int, note: str) -> None:
        """Keep a signed tree for good; it is on the disk when this returns."""
        self.write_beside(f"CREATE TABLE IF NOT EXISTS signed_trees {TREE_COLUMNS}")
        row = size, position, note
        self.write_beside("INSERT INTO signed_trees (size, position, note) VALUES (?, ?, ?)", [row])

    def naming(self, name: str) -> list[str]:
        """Ids of the tournaments with a personal part that gives somebody exactly this name."""
        looked_for = '"name":' + json.encode(name).decode()
        found = self.ask(
            f"SELECT DISTINCT tournament FROM private "
            f"WHERE replace({self.piece_text}, ?, '') <> {self.piece_text}",
            (looked_for,),
            "private",
        )
        return [id for (id,) in found]

    def erasures(self, tournament: str, after: int) -> list[StoredFact]:
        """The facts beyond a version that say somebody was erased."""
        later: dict[str, list[Any]] = {
            "originator_id=?": [tournament],
            "originator_version>?": [after],
            "topic=?": [ERASURES],
        }
        return self.select(later, "originator_version")

    def last_position(self) -> int:
        """Of the newest fact, 0 if there is none."""
        [(last,)] = self.ask(f"SELECT max({self.position}) FROM stored_events")
        return last or 0

    def everything(self) -> Iterator[StoredFact]:
        """All facts with their personal parts, tournament by tournament."""
        sql = self.with_parts("stored_events e", "", "originator_id, originator_version")
        return stored_facts(self.stream(sql if self.is_there("private") else NO_PARTS + sql))

    def opened(self) -> list[str]:
        """Ids under which there is the opening of a tournament."""
        sql = "SELECT DISTINCT originator_id FROM stored_events WHERE topic LIKE ?"
        found = self.ask(sql, ("tournament-opened/%",))
        return [id for (id,) in found if isinstance(id, str)]  # of others verify speaks

    def ids_from(self, prefix: str, limit: int) -> list[str]:
        """Ids of tournaments that begin so, found without looking at the others."""
        found = self.ask(
            "SELECT originator_id FROM stored_events WHERE originator_id>=? AND originator_id<? "
            "AND originator_version=1 ORDER BY originator_id LIMIT ?",
            (prefix, prefix + "g", limit),  # g comes after all hexadecimal digits
        )
        return [id for (id,) in found]

    def private_rows(self, tournament: str = "") -> Iterator[tuple[object, object, object, object, object]]:
        """Tournament, version, hash and bytes of each personal part, and its fact; of all, or of one."""
        if not self.is_there("private"):
            return iter(())
        where, values = (" WHERE p.tournament=?", (tournament,)) if tournament else ("", ())
        return self.stream(
            f"SELECT p.tournament, p.version, p.hash, p.bytes, e.state FROM private p "
            f"LEFT JOIN stored_events e ON e.originator_id=p.tournament AND e.originator_version=p.version"
            f"{where} ORDER BY p.tournament, p.version, p.hash",
            values,
        )

    def version(self, tournament: str) -> int:
        sql = "SELECT MAX(originator_version) FROM stored_events WHERE originator_id=?"
        [(version,)] = self.ask(sql, (tournament,))
        return version or 0
