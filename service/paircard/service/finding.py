"""Who and what is meant: a player or a tournament by what a person typed."""

from collections.abc import Callable, Mapping, Sequence
from difflib import get_close_matches
from typing import Final, TypeAlias, TypeVar

import msgspec

from paircard.domain.deciding.decision import need_type
from paircard.domain.errors import NoSuchPlayer, NoSuchTournament, NotNumbered
from paircard.domain.messages import Message, say
from paircard.domain.state import Tournament, entered
from paircard.domain.values.names import fold_name, same_words, spellings
from paircard.domain.values.players import REMOVED, shown_id
from paircard.domain.values.text import is_number
from paircard.projections.views import numbering

Id = TypeVar("Id", int, str)
PlayerMeant: TypeAlias = int | str
"""A player by id; or as people type it, by pairing number (``"16"``), id (``p16``) or name."""
MOST: Final = 5
"""Of those who may be meant, how many are told one by one."""


class Roster(msgspec.Struct, frozen=True, kw_only=True):
    """The players that may be meant."""

    names: Mapping[int, str]
    """Name by id."""
    numbers: Mapping[int, int]
    """Pairing number by id, of those who have one."""
    removed: frozenset[int] = frozenset()
    """Ids of entries that were removed: they are meant by id alone."""
    provisional: bool = False
    """Numbers are those round 1 would give now. They change with every entry, so they name nobody."""

    def id_of(self, number: int) -> int:
        """The player with this number; 0 if nobody has it."""
        return next((id for id, theirs in self.numbers.items() if theirs == number), 0)


def roster(history: Tournament) -> Roster:
    """The players of a tournament with their current numbers."""
    now = numbering(history)
    return Roster(
        names={player.id: player.details.name for player in entered(history)},
        numbers=now.by_id,
        removed=frozenset(one.id for one in history.players if one.status == REMOVED),
        provisional=now.state == "provisional",
    )


def find_player(players: Roster, text: PlayerMeant) -> int:
    """The id of the player meant: by id (1 or ``p1``), number (``"1"``), name, or a part only one has."""
    if isinstance(text, int):
        return with_id(players, text)
    if not isinstance(text, str):
        need_type("player", text, PlayerMeant)
    if text[:1] in ("p", "#") and is_number(text[1:]):
        return with_id(players, int(text[1:]))
    if is_number(text):
        return with_number(players, int(text))
    wanted = spellings(text)
    if not wanted[0]:
        raise NoSuchPlayer("player-unnamed")
    found = with_words(players.names, text) or with_part(players.names, text)
    if len(found) == 1:
        return found[0]
    if not found:
        if not players.names:
            raise NoSuchPlayer("nobody-called-so", text=text)
        names = {id: spellings(name) for id, name in players.names.items()}
        known = [word for forms in names.values() for name in forms for word in (name, *name.split())]
        near = set(get_close_matches(wanted[0], known, 3))
        close = [id for id, forms in names.items() if any({one, *one.split()} & near for one in forms)]
        raise NoSuchPlayer(
            "no-player-called", text=text, candidates=len(close), each=candidates(players, close)
        )
    code = "several-players-by-id" if players.provisional else "several-players"
    raise NoSuchPlayer(
        code, text=text, candidates=len(found), each=candidates(players, found), count=more(found)
    )


def with_words(names: Mapping[Id, str], text: str) -> list[Id]:
    """Those who are called this, in whatever order; else those whose name has these as whole words."""
    return (
        [id for id, name in names.items() if name.casefold() == text.casefold()]
        or _having(names, text, lambda wanted, name: wanted == name)
        or [id for id, name in names.items() if same_words(text, name)]
        or _having(names, text, lambda wanted, name: set(wanted.split()) <= set(name.split()))
    )


def with_part(names: Mapping[Id, str], text: str) -> list[Id]:
    """Those whose name holds this anywhere."""
    return _having(names, text, lambda wanted, name: wanted in name)


def _having(names: Mapping[Id, str], text: str, fits: Callable[[str, str], bool]) -> list[Id]:
    wanted = spellings(text)
    return [id for id, name in names.items() if any(fits(w, one) for w in wanted for one in spellings(name))]


def with_id(players: Roster, id: int) -> int:
    """The id itself, if somebody has it."""
    if id not in players.names and id not in players.removed:
        last = max((*players.names, *players.removed), default=0)
        raise NoSuchPlayer("no-such-player", id=shown_id(id), last=last)
    return id


def with_number(players: Roster, number: int) -> int:
    """The id of the player with a pairing number; before round 1 is paired a number names nobody."""
    id = players.id_of(number)
    if players.provisional:
        if not players.names:
            raise NotNumbered("nobody-registered")
        raise NotNumbered("not-numbered-yet", number=number, name=players.names[id] if id else "")
    if not id:
        raise NoSuchPlayer("no-such-number", number=number, last=len(players.numbers))
    return id


def candidates(players: Roster, ids: Sequence[int]) -> list[Message]:
    """The first few players, with number once it is one to call them by, and id."""
    return [
        say("player-with-id", name=players.names[id], id=shown_id(id))
        if players.provisional or id not in players.numbers
        else say("player-with-number", name=players.names[id], number=players.numbers[id], id=shown_id(id))
        for id in ids[:MOST]
    ]


def more(found: Sequence[object]) -> int:
    """How many are not told one by one."""
    return max(0, len(found) - MOST)


def find_tournament(there: Sequence[tuple[str, str]], text: str, location: str, count: int = 0) -> str:
    """The id of the tournament meant, among those with an id and a name; the only one if nothing is said.

    ``count`` is how many the store has, where it has more than may be meant.
    """
    count = max(count, len(there))
    if not count:
        raise NoSuchTournament("no-tournament", file=location, there=0)
    if not text:
        if count > 1:
            raise NoSuchTournament("several-tournaments", file=location, there=count)
        return there[0][0]
    if len(same := [id for id, name in there if name == text]) == 1:
        return same[0]
    wanted, names = fold_name(text), {id: fold_name(name) for id, name in there}
    found = wanted and (
        [id for id in names if id == wanted]
        or with_words(names, wanted)
        or [id for id, name in names.items() if name.endswith(wanted)]
        or with_part(names, wanted)
        or [id for id in names if id.startswith(wanted)]  # last: ids are by chance, names are meant
    )
    if not found:
        raise NoSuchTournament("no-tournament-called", file=location, text=text, there=count)
    if len(found) > 1:
        called = [name for id, name in there if id in found]
        raise NoSuchTournament(
            "tournament-may-be",
            text=text,
            names=called[:MOST],
            count=more(called),
            file=location,
            there=count,
        )
    return found[0]
