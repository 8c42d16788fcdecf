"""By which words tournaments are found: those of their names, places, years and players.

The table ``words`` has a row for each, written with the facts. A word begins with the letter of its kind. Of
names and places every end of every word is kept, so that what stands anywhere in one begins a row; of players
the words are kept whole. Whoever is erased or removed has no words from that fact on.
"""

from collections.abc import Iterable, Sequence
from itertools import zip_longest
from typing import Final

import msgspec

from paircard.domain.state import NOTHING, REMOVED, Player, Tournament
from paircard.domain.values.names import spellings
from paircard.domain.values.players import ERASED
from paircard.domain.values.regulations import Regulations

Word = tuple[int, str]
"""Id of the player, 0 for the tournament itself; the word, after the letter of its kind."""
NAME, WHOLE_NAME, PLACE, YEAR, PLAYER = "n", "=", "t", "y", "p"
FEW: Final = 250
"""Rows that are read one by one; where all that is asked for is more common, tournaments are gone through."""
LAST: Final = "\U0010ffff"
"""Comes after every letter."""
COLUMNS: Final = "first bigint NOT NULL, word text {collation} NOT NULL, player bigint NOT NULL"
KEY: Final = "PRIMARY KEY (first, word, player)"
BY_WORD: Final = "(word, first, player)"


class Search(msgspec.Struct, frozen=True, kw_only=True):
    """Which tournaments are meant; an empty field admits all."""

    name: str = ""
    """Each of its words stands in the name of the tournament, anywhere; accents and case left aside."""
    place: str = ""
    """The same of the place."""
    year: int = 0
    """Of the first day, or of the opening where no day was announced."""
    player: str = ""
    """Each of its words begins a word of one player's name."""


ALL: Final = Search()


def words_of(state: Tournament, opened: str) -> set[Word]:
    """All words of a tournament that was opened at a time."""
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
    """Name, place and year."""
    if rules is None:
        return set()
    year, place = (rules.starts or opened)[:4], parts_of(rules.place)
    return {*words_of_name(rules.name), (0, YEAR + year), *((0, PLACE + part) for part in place)}


def words_of_name(name: str) -> set[Word]:
    """The name of a tournament, whole and in parts."""
    whole, parts = spellings(name), parts_of(name)
    return {*((0, WHOLE_NAME + one) for one in whole), *((0, NAME + part) for part in parts)}


def words_of_player(player: Player | None) -> set[Word]:
    """The words of a name, none of who is not there any more."""
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
    """Whether a tournament with these words is meant."""
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

    def add(self, sql: str, values: Sequence[str | int] = ()) -> None:
        """One more condition."""
        self.sql = f"{self.sql} AND {sql}" if self.sql else f"WHERE {sql}"
        self.values = (*self.values, *values)


def is_there(table: str, ways: Asked) -> tuple[str, list[str]]:
    """SQL that is true of a tournament where one of these ways is fulfilled."""
    made, values = [], list[str]()
    for way in ways:
        ranges = [f"w{at}.word>=? AND w{at}.word<?" for at in range(len(way))]
        joined = "".join(
            f" JOIN {table} w{at} ON w{at}.first=w0.first AND w{at}.player=w0.player"
            for at in range(1, len(way))
        )
        where = f"w0.first=c.first AND {' AND '.join(ranges)}"
        made.append(f"(SELECT 1 FROM {table} w0{joined} WHERE {where} LIMIT 1) IS NOT NULL")
        values += [text for beginning in way for text in (beginning, beginning + LAST)]
    return f"({' OR '.join(made)})", values
