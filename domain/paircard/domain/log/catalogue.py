"""The catalogue: one row for each tournament of a store, written with its facts.

It finds and lists, and decides nothing: what is opened is read from the facts. It is up to date if its last
position is that of the last fact. If not, because an earlier program wrote there, the rows are made from the
facts, each log folded.
"""

from collections.abc import Iterable, Sequence
from itertools import zip_longest
from typing import Any, Final

import msgspec

from paircard.domain.log.stored import StoredFact
from paircard.domain.state import NOTHING, Player, Tournament
from paircard.domain.values.names import spellings
from paircard.domain.values.players import ERASED, REMOVED
from paircard.domain.values.regulations import Regulations


class Entry(msgspec.Struct, frozen=True):
    """One tournament of a store, as it stands in the catalogue; nothing in it is personal."""

    id: str
    first: int
    """Position of its first fact."""
    position: int
    """Position of its last fact."""
    version: int
    name: str
    rounds: int = 0
    players: int = 0
    paired: int = 0
    published: bool = False
    """The last round."""
    completed: bool = False
    closed: bool = False
    fide_mode: bool = True
    place: str = ""
    starts: str = ""
    ends: str = ""
    opened: str = ""
    """When."""
    unreadable: str = ""
    """Why the rest of it cannot be read; empty for all that can."""


COLUMNS: Final = ("tournament", *Entry.__struct_fields__[1:])


def tables(collation: str, words_are: str = "") -> dict[str, str]:
    """What makes the tables and indexes of the catalogue, by name, in either database.

    Words are compared letter by letter. ``before`` is the position that a row had before its last one.
    """
    columns = [
        f"{name} {'text' if kind is str else 'bigint'} NOT NULL"
        for name, kind in Entry.__annotations__.items()
        if name != "id"
    ]
    return {
        "catalogue": "CREATE TABLE catalogue "
        f"(tournament text PRIMARY KEY, {', '.join(columns)}, before bigint NOT NULL)",
        **{
            f"catalogue_{name}": f"CREATE INDEX catalogue_{name} ON catalogue ({name})"
            for name in ("name", "position", "first")
        },
        "words": f"CREATE TABLE words (first bigint NOT NULL, word text COLLATE {collation} NOT NULL, "
        f"player bigint NOT NULL, PRIMARY KEY (first, word, player)){words_are}",
        "words_by_word": "CREATE INDEX words_by_word ON words (word, first, player)",
    }


def upsert(position: str) -> str:
    """SQL that writes a row; gives how far catalogue and facts reached before it, so that a gap shows.

    ``position`` is the column that numbers the facts.
    """
    kept = ("tournament", "first")
    changes = ", ".join(f"{name}=excluded.{name}" for name in COLUMNS if name not in kept)
    return (
        f"INSERT INTO catalogue AS c ({', '.join(COLUMNS)}, before) "
        f"VALUES ({', '.join('?' * len(COLUMNS))}, 0) "
        f"ON CONFLICT (tournament) DO UPDATE SET {changes}, before=c.position "
        f"RETURNING before, (SELECT max(position) FROM catalogue WHERE position<?), "
        f"(SELECT max({position}) FROM stored_events WHERE {position}<?)"
    )


def entry_in(row: Sequence[Any]) -> Entry:
    """The entry of a row; refuses one that somebody changed."""
    return msgspec.convert(dict(zip(Entry.__struct_fields__, row, strict=True)), Entry, strict=False)


def name_in(opening: StoredFact) -> str:
    """The name that the first fact gives a tournament, whatever else is in it; empty if it cannot be read."""
    try:
        name = msgspec.json.decode(opening.state)["fact"]["regulations"]["name"]
    except (msgspec.DecodeError, UnicodeDecodeError, RecursionError, LookupError, TypeError):
        return ""
    return name if isinstance(name, str) else ""


# --- words by which tournaments are found

Word = tuple[int, str]
"""Id of the player, 0 for the tournament itself; the word, after the letter of its kind."""
NAME, WHOLE_NAME, PLACE, YEAR, PLAYER = "n", "=", "t", "y", "p"
FEW: Final = 250
"""Rows that are read one by one; where all that is asked for is more common, tournaments are gone through."""
LAST: Final = "\U0010ffff"
"""Comes after every letter."""


class Search(msgspec.Struct, frozen=True, kw_only=True):
    """Which tournaments are meant; an empty field admits all."""

    name: str = ""
    """Each of its words stands in the name of the tournament, anywhere; accents and case left aside."""
    place: str = ""
    """Words of the place, as of the name."""
    year: int = 0
    """Of the first day, or of the opening where no day was announced."""
    player: str = ""
    """Each of its words begins a word of one player's name."""


ALL: Final = Search()


def words_of(state: Tournament, opened: str) -> set[Word]:
    return changed_words(NOTHING, state, opened)[1]


def changed_words(before: Tournament, after: Tournament, opened: str) -> tuple[set[Word], set[Word]]:
    """The words that go and those that come between two states."""
    gone, new = set[Word](), set[Word]()
    if before.regulations is not after.regulations:
        gone |= words_of_event(before.regulations, opened)
        new |= words_of_event(after.regulations, opened)
    for old, now in zip_longest(before.players, after.players):
        if old is not now:
            gone |= words_of_player(old)
            new |= words_of_player(now)
    return gone - new, new - gone


def words_of_event(rules: Regulations | None, opened: str) -> set[Word]:
    if rules is None:
        return set()
    year, place = (rules.starts or opened)[:4], parts_of(rules.place)
    return {*words_of_name(rules.name), (0, YEAR + year), *((0, PLACE + part) for part in place)}


def words_of_name(name: str) -> set[Word]:
    whole, parts = spellings(name), parts_of(name)
    return {*((0, WHOLE_NAME + one) for one in whole), *((0, NAME + part) for part in parts)}


def words_of_player(player: Player | None) -> set[Word]:
    if player is None or player.status == REMOVED or player.details.name.startswith(ERASED):
        return set()
    return {(player.id, PLAYER + word) for one in spellings(player.details.name) for word in one.split()}


def parts_of(text: str) -> set[str]:
    """Every end of every word, in each spelling."""
    return {word[at:] for one in spellings(text) for word in one.split() for at in range(len(word))}


Asked = list[list[str]]
"""Ways to say one thing, each some beginnings of words that must all be there."""


def asked_by(search: Search) -> list[Asked]:
    """What must be there; something that no word can fulfil where nothing but signs was given."""
    return [
        [[kind + word for word in one.split()] or [kind + LAST] for one in spellings(text)]
        for kind, text in (
            (NAME, search.name),
            (PLACE, search.place),
            (PLAYER, search.player),
            (YEAR, f"{search.year:04}" if search.year else ""),
        )
        if text
    ]


def fits(search: Search, words: Iterable[Word]) -> bool:
    by_player: dict[int, list[str]] = {}
    for player, word in words:
        by_player.setdefault(player, []).append(word)
    return all(
        any(
            all(any(word.startswith(beginning) for word in theirs) for beginning in way)
            for way in ways
            for theirs in by_player.values()
        )
        for ways in asked_by(search)
    )


class Question(msgspec.Struct):
    """SQL over the catalogue ``c`` and its values."""

    sql: str = ""
    values: tuple[str | int, ...] = ()
    rows: str = "catalogue c"
    """What is gone through, and the column it is in the order of."""
    order: str = "c.first"

    def add(self, sql: str, values: Sequence[str | int] = ()) -> None:
        """One more condition."""
        self.sql = f"{self.sql} AND {sql}" if self.sql else f"WHERE {sql}"
        self.values = (*self.values, *values)


def is_there(ways: Asked) -> tuple[str, list[str]]:
    """SQL that is true of a tournament where one of these ways is fulfilled."""
    made, values = [], list[str]()
    for way in ways:
        ranges = [f"w{at}.word>=? AND w{at}.word<?" for at in range(len(way))]
        joined = "".join(
            f" JOIN words w{at} ON w{at}.first=w0.first AND w{at}.player=w0.player"
            for at in range(1, len(way))
        )
        where = f"w0.first=c.first AND {' AND '.join(ranges)}"
        made.append(f"(SELECT 1 FROM words w0{joined} WHERE {where} LIMIT 1) IS NOT NULL")
        values += [text for beginning in way for text in (beginning, beginning + LAST)]
    return f"({' OR '.join(made)})", values
