"""Sets of small integers as int bitsets."""

from collections.abc import Iterable, Iterator


def bits(mask: int) -> Iterator[int]:
    """The members, in ascending order."""
    while mask:
        low = mask & -mask
        yield low.bit_length() - 1
        mask ^= low


def lowest(mask: int) -> int:
    """The smallest member of a set that is not empty."""
    return (mask & -mask).bit_length() - 1


def mask_of(members: Iterable[int]) -> int:
    """The bitset of these members."""
    mask = 0
    for v in members:
        mask |= 1 << v
    return mask
