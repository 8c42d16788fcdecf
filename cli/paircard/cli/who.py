"""Who is meant: a player by ``#id``, a part of the name that only one has, or number once there are some."""

from collections.abc import Iterable

from paircard.domain.deciding.decision import ids_of
from paircard.domain.errors import NotNow, Unknown
from paircard.domain.values.text import comparable
from paircard.projections.history import History
from paircard.projections.round.numbers import Numbering, numbering


def find_player(history: History, text: str) -> int:
    """The id of the player meant. A bare number is the pairing number, as on a pairing sheet.

    Before round 1 is paired there is no such sheet, and with every bye or entry the numbers it would have
    are others: then a bare number is refused.
    """
    players = history.state.players
    if text.startswith("#") and text[1:].isdecimal():
        return by_id(history, int(text[1:]))
    numbers = numbering(history)
    if text.isdecimal():
        if numbers.state == "provisional":
            raise NotNow(not_numbered(history, numbers, int(text)))
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
        empty = "nobody is registered" if not players else "paircard player list shows them"
        raise Unknown(f"no player is called {text[:60]!r}: {empty}")
    by = "#id" if numbers.state == "provisional" else "number or #id"
    raise Unknown(f"{text[:60]!r} may be {listed(history, numbers, found)}: name one by {by}")


def not_numbered(history: History, numbers: Numbering, number: int) -> str:
    """Why a bare number means nobody yet, and how to name the player."""
    if not history.state.players:
        return "nobody is registered: enter players with paircard player add or player import"
    meant = numbers.id_of(number)
    now = f" (in the order of now {number} is {name_of(history, meant)}, #{meant})" if meant else ""
    return f"pairing numbers are assigned when round 1 is paired: name the player by #id or name{now}"


def name_of(history: History, id: int) -> str:
    return history.state.players[id - 1].details.name


def by_id(history: History, id: int) -> int:
    """The id itself, if somebody has it."""
    many = len(history.state.players)
    if not 1 <= id <= many:
        raise Unknown(f"there is no player #{id}: {ids_of(many)}")
    return id


def by_number(numbers: Numbering, number: int) -> int:
    """The id of the player with a pairing number."""
    id = numbers.id_of(number)
    if not id:
        many = len(numbers.by_id)
        known = {0: "nobody has one yet", 1: "only 1 is assigned"}.get(many, f"they are 1 to {many}")
        raise Unknown(f"no player has the pairing number {number}: {known}")
    return id


def listed(history: History, numbers: Numbering, ids: Iterable[int]) -> str:
    """At most five players, with id, and number once it is one to call them by."""

    def calls(id: int) -> str:
        if numbers.state == "provisional":
            return f"#{id}"
        return f"{numbers.by_id.get(id, 'no number')}, #{id}"

    shown = [f"{name_of(history, id)} ({calls(id)})" for id in ids]
    more = f" or {len(shown) - 5} more" if len(shown) > 5 else ""
    return ", ".join(shown[:5]) + more


def plain(text: str) -> str:
    """For comparing: no case, no accents, single blanks."""
    return comparable(text)
