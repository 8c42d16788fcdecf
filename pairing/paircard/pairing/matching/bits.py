"""Sets of small integers as int bitsets."""

from collections.abc import Iterable


def bits(mask: int) -> list[int]:
    """The members, in ascending order."""
    if mask.bit_count() << 3 > mask.bit_length():  # dense enough for one pass over its digits
        return [place for place, digit in enumerate(bin(mask)[:1:-1]) if digit == "1"]
    members = []
    while mask:
        low = mask & -mask
        members.append(low.bit_length() - 1)
        mask ^= low
    return members


def lowest(mask: int) -> int:
    """The smallest member of a set that is not empty."""
    return (mask & -mask).bit_length() - 1


def mask_of(members: Iterable[int]) -> int:
    """The bitset of these members."""
    mask = 0
    for v in members:
        mask |= 1 << v
    return mask
