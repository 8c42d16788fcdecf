"""Who is meant: a player by pairing number, ``#id`` or a part of the name that only one has."""

import unicodedata
from collections.abc import Iterable

from paircard.domain.errors import Unknown
from paircard.projections.history import History
from paircard.projections.numbers import Numbering, numbering


def find_player(history: History, text: str) -> int:
    """The id of the player meant. A bare number is the pairing number, as on a pairing sheet."""
    players = history.state.players
    if text.startswith("#") and text[1:].isdecimal():
        return by_id(history, int(text[1:]))
    numbers = numbering(history)
    if text.isdecimal():
        return by_number(numbers, int(text))
    wanted = plain(text)
    if not wanted:
        raise Unknown("a player is named by number, #id or name, not by an empty word")
    names = {player.id: plain(player.details.name) for player in players}
    exact = [id for id, name in names.items() if name == wanted]
    found = exact or [id for id, name in names.items() if wanted in name]
    if len(found) == 1:
        return found[0]
    if not found:
        raise Unknown(f"no player is called {text[:60]!r}: paircard player list shows them")
    raise Unknown(f"{text[:60]!r} may be {listed(history, numbers, found)}: name one by number or #id")


def by_id(history: History, id: int) -> int:
    """The id itself, if somebody has it."""
    many = len(history.state.players)
    if not 1 <= id <= many:
        raise Unknown(
            f"there is no player #{id}: {f'ids are #1 to #{many}' if many else 'nobody is registered'}"
        )
    return id


def by_number(numbers: Numbering, number: int) -> int:
    """The id of the player with a pairing number."""
    id = numbers.id_of(number)
    if not id:
        many = len(numbers.by_id)
        known = f"they are 1 to {many}" if many else "nobody has one yet"
        raise Unknown(f"no player has the pairing number {number}: {known}")
    return id


def listed(history: History, numbers: Numbering, ids: Iterable[int]) -> str:
    """At most five players, with number and id."""
    shown = [
        f"{history.state.players[id - 1].details.name} ({numbers.by_id.get(id, 'no number')}, #{id})"
        for id in ids
    ]
    more = f" or {len(shown) - 5} more" if len(shown) > 5 else ""
    return ", ".join(shown[:5]) + more


def plain(text: str) -> str:
    """For comparing: no case, no accents, single blanks."""
    bare = "".join(c for c in unicodedata.normalize("NFKD", text) if not unicodedata.combining(c))
    return " ".join(bare.casefold().split())
