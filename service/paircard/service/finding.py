"""Who and what is meant: a player or a tournament by what a person typed."""

from collections.abc import Callable, Iterable, Mapping, Sequence
from difflib import get_close_matches
from typing import TypeVar

import msgspec

from paircard.domain.errors import NoSuchPlayer, NoSuchTournament, NotNumbered
from paircard.domain.state import REMOVED, Tournament, entered
from paircard.domain.values.names import fold_name, same_words, spellings
from paircard.domain.values.players import shown_id
from paircard.domain.values.text import enumerated, is_number
from paircard.projections.views import numbering

Id = TypeVar("Id", int, str)


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


def find_player(players: Roster, text: str) -> int:
    """The id of the player meant: by id (``p16``), number, name, or a part of it that only one has."""
    if text[:1] in ("p", "#") and is_number(text[1:]):
        return with_id(players, int(text[1:]))
    if is_number(text):
        return with_number(players, int(text))
    wanted = spellings(text)
    if not wanted[0]:
        raise NoSuchPlayer("a player is named by number, id or name, not by an empty text")
    found = with_words(players.names, text) or with_part(players.names, text)
    if len(found) == 1:
        return found[0]
    if not found:
        if not players.names:
            raise NoSuchPlayer(f"no player is called {text[:60]!r}: nobody is registered")
        names = {id: spellings(name) for id, name in players.names.items()}
        known = [word for forms in names.values() for name in forms for word in (name, *name.split())]
        near = set(get_close_matches(wanted[0], known, 3))
        close = [id for id, forms in names.items() if any({one, *one.split()} & near for one in forms)]
        meant = f": did you mean {enumerate_players(players, close)}?" if close else ""
        raise NoSuchPlayer(f"no player is called {text[:60]!r}{meant}", candidates=len(close))
    by = "id" if players.provisional else "number or id"
    raise NoSuchPlayer(
        f"{text[:60]!r} may be {enumerate_players(players, found)}: name one by {by}", candidates=len(found)
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
            raise NotNumbered("nobody is registered: enter the players first")
        now = f" (in the current provisional order, {number} is {players.names[id]})" if id else ""
        raise NotNumbered(
            f"pairing numbers are assigned when round 1 is paired: name the player by name or id{now}"
        )
    if not id:
        count = len(players.numbers)
        known = {0: "nobody has one yet", 1: "only 1 is assigned"}.get(count, f"they are 1 to {count}")
        raise NoSuchPlayer(f"no player has the pairing number {number}: {known}")
    return id


def enumerate_players(players: Roster, ids: Iterable[int]) -> str:
    """At most five players, with number once it is one to call them by, and id."""

    def call(id: int) -> str:
        if players.provisional or id not in players.numbers:
            return shown_id(id)
        return f"no. {players.numbers[id]}, {shown_id(id)}"

    shown = [f"{players.names[id]} ({call(id)})" for id in ids]
    more = f" or {len(shown) - 5} more" if len(shown) > 5 else ""
    return ", ".join(shown[:5]) + more


def find_tournament(there: Sequence[tuple[str, str]], text: str, location: str) -> str:
    """The id of the tournament meant, among those with an id and a name; the only one if nothing is said."""
    if not there:
        raise NoSuchTournament(f"no tournament in {location}", there=0)
    if not text:
        if len(there) > 1:
            raise NoSuchTournament(f"{location} holds {len(there)} tournaments", there=len(there))
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
        raise NoSuchTournament(f"no tournament in {location} called {text[:60]!r}", there=len(there))
    if len(found) > 1:
        called = [name for id, name in there if id in found]
        more = f" or {len(called) - 5} more" if len(called) > 5 else ""
        may_be = f"{text[:60]!r} may be {enumerated(called[:5])}{more} in {location}"
        raise NoSuchTournament(may_be, there=len(there))
    return found[0]
