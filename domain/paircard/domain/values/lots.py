"""Lots for the numbers of a round robin: drawn from a seed, so that anybody can draw them again.

The seed is made by chance when the lots are drawn and recorded with them: nobody can choose the numbers, and
everybody who knows the seed gets the same ones.
"""

from collections.abc import Collection, Mapping, Sequence
from hashlib import sha256
from typing import Final

from paircard.domain.errors import Invalid

VARMA: Final[dict[int, tuple[tuple[int, ...], ...]]] = {
    10: ((3, 4, 8), (5, 7, 9), (1, 6), (2, 10)),
    12: ((4, 5, 9, 10), (1, 2, 7), (6, 8, 12), (3, 11)),
    14: ((4, 5, 6, 11, 12), (1, 2, 8, 9), (7, 10, 13), (3, 14)),
    16: ((5, 6, 7, 12, 13, 14), (1, 2, 3, 9, 10), (8, 11, 15), (4, 16)),
    18: ((5, 6, 7, 8, 14, 15, 16), (1, 2, 3, 10, 11, 12), (9, 13, 17), (4, 18)),
    20: ((6, 7, 8, 9, 15, 16, 17, 18), (1, 2, 3, 11, 12, 13, 14), (5, 10, 19), (4, 20)),
    22: ((6, 7, 8, 9, 10, 17, 18, 19, 20), (1, 2, 3, 4, 12, 13, 14, 15), (11, 16, 21), (5, 22)),
    24: ((6, 7, 8, 9, 10, 11, 19, 20, 21, 22), (1, 2, 3, 4, 13, 14, 15, 16, 17), (12, 18, 23), (5, 24)),
}
"""Table numbers by number of players made even, in the four envelopes A to D (C.05 Annex 2). Numbers of one
envelope do not meet in the last three rounds, but for 6 and 12 of the table for 12, printed so."""
FEWEST: Final = 9
MOST: Final = 24


def lot(seed: str, what: object) -> bytes:
    """The lot of one player or envelope; the smallest comes first."""
    return sha256(f"{seed}:{what}".encode()).digest()


def by_lots(seed: str, ids: Collection[int]) -> tuple[int, ...]:
    """The players in the order of their lots; the first has number 1."""
    return tuple(sorted(ids, key=lambda id: lot(seed, id)))


def restricted_lots(seed: str, federations: Mapping[int, str]) -> tuple[int, ...]:
    """The players, by id with their federation, in an order that keeps federations apart (C.05 Annex 2).

    The largest federation draws first, equal ones by their code. It chooses by lot an envelope that holds
    enough numbers and draws from it; one too large for every envelope empties the fullest. In an odd field
    the last number is nobody and is taken out first. A player without a federation stands alone. Within a
    federation players draw in the order of their lots, where the annex has the order of names: a fair lot
    does not depend on it, and names may be erased.
    """
    count = len(federations)
    if not FEWEST <= count <= MOST:
        raise Invalid("varma-field", count=count, least=FEWEST, most=MOST)
    envelopes = [[number for number in numbers if number <= count] for numbers in VARMA[count + count % 2]]
    numbered: dict[int, int] = {}
    for federation, ids in _in_order_of_size(federations):
        waiting = list(by_lots(seed, ids))
        while waiting:
            drawn = _chosen(seed, federation, envelopes, len(waiting))
            drawn.sort(key=lambda number: lot(seed, f"number {number}"))
            for _ in range(min(len(waiting), len(drawn))):
                numbered[drawn.pop(0)] = waiting.pop(0)
    return tuple(numbered[number] for number in range(1, count + 1))


def _in_order_of_size(federations: Mapping[int, str]) -> list[tuple[str, list[int]]]:
    groups: dict[str, list[int]] = {}
    for id, federation in sorted(federations.items()):
        groups.setdefault(federation or f"player {id}", []).append(id)
    return sorted(groups.items(), key=lambda group: (-len(group[1]), group[0]))


def _chosen(seed: str, federation: str, envelopes: Sequence[list[int]], many: int) -> list[int]:
    enough = [at for at, numbers in enumerate(envelopes) if len(numbers) >= many]
    if enough:
        return envelopes[min(enough, key=lambda at: lot(seed, f"{federation} {'ABCD'[at]}"))]
    return max(envelopes, key=len)
