"""The order in which boards are published (C.04.2:3.6)."""

Rank = tuple[int, int]
"""A player's score in tenths and pairing number."""


def board_order(one: Rank, other: Rank) -> tuple[int, int, int]:
    """Sorting key of a board, given the ranks of its two players.

    [C.04.2:3.6] Score of the higher-ranked player, sum of both scores, rank of the higher-ranked player.
    """
    score, number = one if (-one[0], one[1]) < (-other[0], other[1]) else other
    return -score, -one[0] - other[0], number
