"""Article 5 (2017: section E): who has White."""

from collections.abc import Sequence
from typing import Final

from paircard.pairing.dutch.field import Field
from paircard.pairing.dutch.preferences import ABSOLUTE, BLACK, WHITE
from paircard.projections.round.snapshot import Player, Snapshot

TOOK_PART: Final = frozenset("1=0WDL?+-U")
"""Letters of a round in which the player was paired, or had the pairing-allocated bye."""


def numbering(snapshot: Snapshot) -> dict[int, int]:
    """Numbers for 5.2.5: only players who ever took part in a pairing, this round's included, have one.

    Ruling of the Pairings Commission, August 2026, on C.04.2:2.4. A forfeit loss without an opponent is
    an absence.
    """
    numbers: dict[int, int] = {}
    for player in snapshot.players:
        if not player.absent or took_part_before(player):
            numbers[player.id] = len(numbers) + 1
    return numbers


def took_part_before(player: Player) -> bool:
    """Whether the player was paired, or had the pairing-allocated bye, in any round so far."""
    return any(
        letter in TOOK_PART and (opponent or letter in "U+")
        for opponent, letter in zip(player.opponents, player.letters, strict=True)
    )


def who_has_white(
    field: Field, pairs: Sequence[tuple[int, int]], odd: list[bool], initial: int
) -> list[tuple[bool, int]]:
    """Of each pair, upper player first, the answer of ``white_of``."""
    return [white_of(field, i, j, odd, initial) for i, j in pairs]


def white_of(field: Field, i: int, j: int, odd: list[bool], initial: int) -> tuple[bool, int]:
    """Whether i, ranked above j, has White, and which of the five rules says so (0 for the first)."""
    due_i, due_j = field.due[i], field.due[j]
    if due_i != due_j:  # [5.2.1] both preferences can be granted
        return (due_i == WHITE if due_i else due_j == BLACK), 0
    if due_i:
        strong_i, strong_j = field.strength[i], field.strength[j]
        if strong_i != strong_j:  # [5.2.2] the stronger preference
            return (strong_i > strong_j) == (due_i == WHITE), 1
        if strong_i == ABSOLUTE and field.edition.wider_difference_decides:
            wide_i, wide_j = abs(field.difference[i]), abs(field.difference[j])
            if wide_i != wide_j:  # [5.2.2] both absolute: the wider difference
                return (wide_i > wide_j) == (due_i == WHITE), 1
        for mine, theirs in zip(reversed(field.games[i]), reversed(field.games[j]), strict=False):
            if mine != theirs:  # [5.2.3] alternate from the latest round in which colours differed
                return mine == "b", 2
        return due_i == WHITE, 3  # [5.2.4] the higher-ranked player's preference
    if field.edition.initial_colour_alternates and field.round > 1:
        initial = -initial
    return odd[i] == (initial == WHITE), 4  # [5.2.5] odd numbers get the initial colour
