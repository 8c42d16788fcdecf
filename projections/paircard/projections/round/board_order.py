"""The order in which boards are published (C.04.2:3.6)."""

Rank = tuple[int, int]
"""A player's score in tenths and pairing number."""


def board_order(one: Rank, other: Rank) -> tuple[int, int, int]:
    """Sorting key of a board, given the ranks of its two players.

    [C.04.2:3.6] Score of the higher-ranked player, sum of both scores, rank of the higher-ranked player.
    """
    (score, number), (lower, _) = sorted((one, other), key=lambda rank: (-rank[0], rank[1]))
    return -score, -score - lower, number
