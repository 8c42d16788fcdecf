"""Merkle trees as RFC 6962 defines them: hashes, proofs that an entry is in, proofs that a tree only grew."""

import hashlib
from collections.abc import Callable, Sequence
from typing import Final

PerfectHash = Callable[[int, int], bytes]
"""Hash of the perfect subtree of 2**level leaves at an index: ``(level, index)``."""

EMPTY: Final = hashlib.sha256().digest()
"""The root of a tree without leaves."""


def leaf_hash(entry: bytes) -> bytes:
    """[RFC 6962 2.1] The hash of an entry."""
    return hashlib.sha256(b"\x00" + entry).digest()


def node_hash(left: bytes, right: bytes) -> bytes:
    """[RFC 6962 2.1] The hash of two subtrees."""
    return hashlib.sha256(b"\x01" + left + right).digest()


def root(size: int, perfect: PerfectHash) -> bytes:
    """[RFC 6962 2.1] The root of the tree of this size."""
    return subtree(0, size, perfect) if size else EMPTY


def subtree(start: int, end: int, perfect: PerfectHash) -> bytes:
    """The hash over the leaves from start to end, where start is a multiple of the subtree's full width."""
    count = end - start
    level = count.bit_length() - 1
    if count == 1 << level:
        return perfect(level, start >> level)
    middle = start + split(count)
    return node_hash(subtree(start, middle, perfect), subtree(middle, end, perfect))


def split(count: int) -> int:
    """The largest power of two below a count: where RFC 6962 parts a tree."""
    return 1 << (count - 1).bit_length() - 1


def prove_inclusion(index: int, size: int, perfect: PerfectHash) -> list[bytes]:
    """[RFC 6962 2.1.1] Hashes that lead from a leaf to the root, the leaf's sibling first."""
    path, start, end = [], 0, size
    while end - start > 1:
        middle = start + split(end - start)
        if index < middle:
            path.append(subtree(middle, end, perfect))
            end = middle
        else:
            path.append(subtree(start, middle, perfect))
            start = middle
    return path[::-1]


def includes(leaf: bytes, index: int, size: int, proof: Sequence[bytes], expected_root: bytes) -> bool:
    """[RFC 9162 2.1.3.2] Whether a leaf is at an index of the tree with this root."""
    if not 0 <= index < size:
        return False
    at, last, found = index, size - 1, leaf
    for sibling in proof:
        if not last:
            return False
        if at & 1 or at == last:
            found = node_hash(sibling, found)
            while at and not at & 1:
                at, last = at >> 1, last >> 1
        else:
            found = node_hash(found, sibling)
        at, last = at >> 1, last >> 1
    return not last and found == expected_root


def prove_consistency(old: int, size: int, perfect: PerfectHash) -> list[bytes]:
    """[RFC 6962 2.1.2] Hashes that show that the tree of a size begins with the tree of an older size."""
    if old in (0, size):
        return []
    path: list[bytes] = []
    start, end, whole = 0, size, True
    while old != end:
        middle = start + split(end - start)
        if old <= middle:
            path.append(subtree(middle, end, perfect))
            end = middle
        else:
            path.append(subtree(start, middle, perfect))
            start, whole = middle, False
    if not whole:
        path.append(subtree(start, end, perfect))
    return path[::-1]


def begins_with(old: int, old_root: bytes, size: int, new_root: bytes, proof: Sequence[bytes]) -> bool:
    """[RFC 9162 2.1.4.2] Whether the newer tree begins with the older one."""
    if not 0 <= old <= size:
        return False
    if old == 0:
        return not proof and old_root == EMPTY
    if old == size:
        return not proof and old_root == new_root
    hashes = list(proof)
    if old & (old - 1) == 0:  # a perfect tree is itself the first hash
        hashes.insert(0, old_root)
    if not hashes:
        return False
    at, last = old - 1, size - 1
    while at & 1:
        at, last = at >> 1, last >> 1
    older = newer = hashes[0]
    for sibling in hashes[1:]:
        if not last:
            return False
        if at & 1 or at == last:
            older, newer = node_hash(sibling, older), node_hash(sibling, newer)
            while at and not at & 1:
                at, last = at >> 1, last >> 1
        else:
            newer = node_hash(newer, sibling)
        at, last = at >> 1, last >> 1
    return not last and older == old_root and newer == new_root


class RunningTree:
    """The root of a tree whose leaves come one after the other; keeps one hash per level."""

    def __init__(self) -> None:
        self.peaks: list[tuple[int, bytes]] = []
        """Level and hash of the perfect subtrees from the left, each smaller than the one before."""

    def add(self, entry: bytes) -> None:
        """One more entry at the end."""
        level, hash = 0, leaf_hash(entry)
        while self.peaks and self.peaks[-1][0] == level:
            hash = node_hash(self.peaks.pop()[1], hash)
            level += 1
        self.peaks.append((level, hash))

    def root(self) -> bytes:
        """The root over what was added so far."""
        if not self.peaks:
            return EMPTY
        hash = self.peaks[-1][1]
        for _, left in reversed(self.peaks[:-1]):
            hash = node_hash(left, hash)
        return hash
