"""Tournament pairing numbers: their order (C.04.2:2).

The order is a list of ids. Numbers are counted along it, leaving out those who were never paired:
a player who so far had only byes has no number yet (C.04.2:2.4).
"""

from collections.abc import Callable, Collection
from typing import Final, TypeAlias

from paircard.domain.state import Tournament, absences, entered, participants, ranking_data
from paircard.domain.values.names import collation_key
from paircard.domain.values.players import TITLES, Details
from paircard.domain.values.regulations import NUMBERING
from paircard.domain.values.rules import RULES

Key = tuple[int | str, ...]
Numbers: TypeAlias = tuple[tuple[int, int], ...]
"""Id and number of everybody who has one."""

_CRITERIA: Final[dict[str, Callable[[Details], int | str]]] = {
    "rating": lambda d: -d.rating,
    "title": lambda d: TITLES.index(d.title),
    "name": lambda d: collation_key(d.name),
    "birth": lambda d: d.birth or "9",
    "fide-id": lambda d: d.fide_id or 10**12,
}
_FIRST_CRITERIA: Final = _CRITERIA | {"name": lambda d: d.name.casefold()}
"""Of tournaments opened when names were sorted by code point; their recorded numbers do not move."""


def ranking_key(state: Tournament, id: int, details: Details) -> Key:
    """Sorts the strongest first; the last parts only keep equals apart, the same way every time."""
    by = _by(state)
    ranked = tuple(by[c](details) for c in state.regulations.initial_order if c != "declared")
    return (*ranked, by["name"](details), details.fide_id, details.birth, id)


def _by(state: Tournament) -> dict[str, Callable[[Details], int | str]]:
    return _CRITERIA if _numbering(state) >= NUMBERING else _FIRST_CRITERIA


def _numbering(state: Tournament) -> int:
    return state.regulations.numbering or 1


def order_afresh(state: Tournament) -> tuple[int, ...]:
    """All players ranked again by their corrected data; equals stay as they were (VCL 155)."""
    criteria = state.regulations.initial_order
    if "declared" in criteria or state.imported:
        return order_with_newcomers(state)
    strength = [c for c in criteria if c in ("rating", "title")] or criteria
    details = {player.id: ranking_data(state, player) for player in state.players}
    by = _by(state)
    known = sorted(state.order, key=lambda id: tuple(by[c](details[id]) for c in strength))
    return _inserted(state, known, details)


def moved_afresh(state: Tournament) -> int:
    """How many places of the order corrected data would change, which nobody renumbered for (C.04.2:2.3)."""
    now, afresh = order_in_force(state), order_afresh(state)
    return sum(1 for one, other in zip(now, afresh, strict=True) if one != other)


def order_with_newcomers(state: Tournament) -> tuple[int, ...]:
    """The order in force, with late entries put in at their place (C.04.2:2.4, VCL 156).

    They are compared with the data that made the order: a rating corrected since without renumbering
    moves nobody, and draws no newcomer after it.
    """
    details = {player.id: player.ranked_by or player.details for player in state.players}
    return _inserted(state, list(state.order), details)


def order_in_force(state: Tournament) -> tuple[int, ...]:
    """The order the next pairing counts its numbers from: ranked again until round 1 is paired, and under the
    text of 2012 before every round (2012 A.2). Those of a table are drawn, and stay."""
    rules = RULES[state.regulations.edition]
    if "numbers" in rules.draws and numbers_drawn(state):
        return state.order
    return order_afresh(state) if rules.ranks_anew or not state.rounds else order_with_newcomers(state)


def numbers_drawn(state: Tournament) -> bool:
    """Whether the numbers of a table are drawn for those who play in it; once a round is paired, they are."""
    if state.rounds:
        return True
    return set(state.order) == {player.id for player in state.players if not player.status} != set()


def thaw_with_pairing(state: Tournament) -> bool:
    """Whether numbers are frozen only by a pairing that is not published, and may still be taken back."""
    froze = state.frozen and state.paired == RULES[state.regulations.edition].freezing_round
    return froze and not state.rounds[-1].published


def renumbered(before: Numbers, after: Numbers) -> int:
    """How many players have another number than before; who had none does not count."""
    then = dict(before)
    return sum(1 for id, number in after if then.get(id, number) != number)


def numbers_in_force(state: Tournament, round: int, playing: Collection[int] | None = None) -> Numbers:
    """Id and number of everyone numbered when this round, the next to be paired, is paired.

    ``playing`` are the ids to be paired in it, by default everyone who is not known to be absent.
    """
    if playing is None:
        absent = absences(state, round)
        playing = {player.id for player in state.players if player.id not in absent}
    order = order_in_force(state)
    if "numbers" in RULES[state.regulations.edition].draws and state.rounds:
        return numbers_along(state, order, order)  # also who is free in the rounds so far, or has left
    return numbers_along(state, order, participants(state).union(playing))


def numbers_along(state: Tournament, order: tuple[int, ...], numbered: Collection[int]) -> Numbers:
    """Count numbers along the order; an imported tournament keeps those of its file, gaps and all."""
    if not (state.imported and state.order):
        order = tuple(id for id in order if id in numbered)
    return tuple(zip(order, range(1, len(order) + 1), strict=True))


def _stand(state: Tournament) -> bool:
    """Whether no number moves any more: until 2026 not even for a late entry (C.04.2:B.7 of 2016)."""
    old = RULES[state.regulations.edition].late_entries_come_last
    return old and state.frozen and _numbering(state) >= NUMBERING


def _inserted(state: Tournament, order: list[int], details: dict[int, Details]) -> tuple[int, ...]:
    known = set(order)
    newcomers = sorted(
        ranking_key(state, player.id, player.details) for player in entered(state) if player.id not in known
    )
    ids = [int(key[-1]) for key in newcomers]
    if "declared" in state.regulations.initial_order or not order or _stand(state):
        return (*order, *ids)
    keys = [ranking_key(state, id, details[id]) for id in order] if ids else []
    for id, mine in zip(ids, newcomers, strict=True):
        place = next((i for i, key in enumerate(keys) if key > mine), len(order))
        order.insert(place, id)
        keys.insert(place, mine)
    return tuple(order)
