"""One Merkle tree over all facts of a store, in the formats of C2SP that other programs read too.

A leaf names a tournament, a version and the hash of that fact: nothing personal. One signed checkpoint of
the tree tells whether any fact was changed, cut off or removed since.

Hashes and proofs are those of RFC 6962. The tree lies in a folder that any web server can hand out
(c2sp.org/tlog-tiles): a tile holds up to 256 hashes of one level, and each hash of the next level stands for
a full tile below. Entries lie in bundles of 256. A tile once full never changes; the last one of a level is
partial, and its name says how wide it is.
"""

import hashlib
import os
import shutil
from collections.abc import Callable, Iterator, Sequence
from contextlib import contextmanager, suppress
from functools import lru_cache
from pathlib import Path
from typing import Final

from paircard.domain.errors import CorruptFile
from paircard.domain.system import lock
from paircard.domain.whole_files import replace_file, sync_folder, write_file

# --- merkle trees as RFC 6962 defines them: hashes, proofs that an entry is in, proofs that a tree only grew


PerfectHash = Callable[[int, int], bytes]
"""Hash of the perfect subtree of 2**level leaves at an index: ``(level, index)``."""

EMPTY: Final = hashlib.sha256().digest()
"""The root of a tree without leaves."""


def leaf_hash(entry: bytes) -> bytes:
    return hashlib.sha256(b"\x00" + entry).digest()


def node_hash(left: bytes, right: bytes) -> bytes:
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


# --- tiles: a tree as files that any web server can hand out (c2sp.org/tlog-tiles)


WIDTH: Final = 256
HASH: Final = 32
TILES_KEPT: Final = 4096
BUNDLES_KEPT: Final = 64
"""How many are remembered while a tree is read."""


def tile_name(kind: str, number: int, width: int = WIDTH) -> str:
    """Where a tile lies: ``tile/0/x001/234``, plus ``.p/7`` if partial. A kind is a level or ``entries``."""
    digits = f"{number:03d}"
    digits = digits.zfill(-(-len(digits) // 3) * 3)
    groups = [digits[at : at + 3] for at in range(0, len(digits), 3)]
    path = "/".join([*(f"x{group}" for group in groups[:-1]), groups[-1]])
    return f"tile/{kind}/{path}" + (f".p/{width}" if width < WIDTH else "")


class TileFolder:
    """A tree in a folder: read its hashes and entries, let it grow."""

    def __init__(self, folder: Path) -> None:
        self.folder = folder
        self.place = str(folder)
        """How messages call it."""
        self.tile = lru_cache(TILES_KEPT)(self.read_tile)
        self.bundle = lru_cache(BUNDLES_KEPT)(self.read_bundle)

    def checkpoint(self) -> str:
        """The newest published checkpoint, empty if there is none."""
        try:
            return self.read_file("checkpoint").decode("utf-8", "replace")
        except FileNotFoundError:
            return ""

    def write_checkpoint(self, text: str) -> None:
        """Publish a checkpoint; the last step, when everything it speaks of is on the disk."""
        write_file(self.folder / "checkpoint", text.encode())

    def hashes_of_size(self, size: int) -> PerfectHash:
        """The perfect subtrees of the tree when it had this size, from its tiles."""

        def perfect(level: int, index: int) -> bytes:
            tile_level, inside = divmod(level, 8)
            count = 1 << inside
            number, start = divmod(index * count, WIDTH)
            width = min(WIDTH, (size >> 8 * tile_level) - number * WIDTH)
            tile = self.tile(tile_level, number, width)
            return perfect_root([tile[at * HASH : (at + 1) * HASH] for at in range(start, start + count)])

        return perfect

    def entries(self, size: int, start: int = 0) -> Iterator[bytes]:
        for number in range(start // WIDTH, -(-size // WIDTH)):
            width = min(WIDTH, size - number * WIDTH)
            yield from self.bundle(number, width)[max(0, start - number * WIDTH) :]

    def entry(self, index: int, size: int) -> bytes:
        number, at = divmod(index, WIDTH)
        return self.bundle(number, min(WIDTH, size - number * WIDTH))[at]

    def read_bundle(self, number: int, width: int) -> list[bytes]:
        """The first entries of a bundle; ``bundle`` remembers them."""
        name, content, wide = self._read("entries", number, width)
        return parse_bundle(name, content, wide)[:width]

    def read_tile(self, level: int, number: int, width: int) -> bytes:
        """The first hashes of a tile; ``tile`` remembers them."""
        name, content, wide = self._read(str(level), number, width)
        if len(content) != wide * HASH:
            raise CorruptFile("proof.tile-size", path=name, number=len(content), last=wide * HASH)
        return content[: width * HASH]

    def read_file(self, name: str) -> bytes:
        return (self.folder / name).read_bytes()

    def _read(self, kind: str, number: int, width: int) -> tuple[str, bytes, int]:
        """Name, content and width of the file that holds the beginning of a tile.

        [tlog-tiles] A partial tile may be gone once the full one is there.
        """
        for wide in dict.fromkeys((width, WIDTH)):
            name = tile_name(kind, number, wide)
            with suppress(FileNotFoundError):
                return name, self.read_file(name), wide
        raise CorruptFile("proof.tile-missing", path=tile_name(kind, number, width), file=self.place)

    def grow(self, size: int, entries: Sequence[bytes]) -> int:
        """Write the tiles of a tree that had a size and gets these entries; its new size."""
        if not entries:
            return size
        number, width = divmod(size, WIDTH)
        old = self.bundle(number, width) if width else []
        folders = self._write("entries", number, [bundled(entry) for entry in (*old, *entries)])
        level, before, new = 0, size, [leaf_hash(entry) for entry in entries]
        while new:
            number, width = divmod(before, WIDTH)
            known = self.tile(level, number, width) if width else b""
            hashes = [known[at : at + HASH] for at in range(0, len(known), HASH)] + new
            folders |= self._write(str(level), number, hashes)
            full = len(hashes) // WIDTH
            new = [perfect_root(hashes[at * WIDTH : (at + 1) * WIDTH]) for at in range(full)]
            level, before = level + 1, before // WIDTH
        for folder in folders:
            sync_folder(folder)
        self.tile.cache_clear()
        self.bundle.cache_clear()
        return size + len(entries)

    def _write(self, kind: str, first: int, parts: Sequence[bytes]) -> set[Path]:
        """Write tiles; the folders they are in, which are yet to be synced."""
        folders = set()
        for at in range(0, len(parts), WIDTH):
            tile = parts[at : at + WIDTH]
            name = tile_name(kind, first + at // WIDTH, len(tile))
            path = self.folder / name
            if replace_file(path, b"".join(tile)):
                folders.add(path.parent)
            if len(tile) == WIDTH:  # [tlog-tiles] readers take the full tile from now on
                shutil.rmtree(f"{path}.p", ignore_errors=True)
        return folders


def perfect_root(hashes: Sequence[bytes]) -> bytes:
    row = list(hashes)
    while len(row) > 1:
        row = [node_hash(row[at], row[at + 1]) for at in range(0, len(row), 2)]
    return row[0]


def bundled(entry: bytes) -> bytes:
    return len(entry).to_bytes(2, "big") + entry


def parse_bundle(name: str, content: bytes, count: int) -> list[bytes]:
    entries, at = [], 0
    while at < len(content):
        length = int.from_bytes(content[at : at + 2], "big")
        entries.append(content[at + 2 : at + 2 + length])
        at += 2 + length
    if at != len(content) or len(entries) != count:
        raise CorruptFile("proof.bundle-of-entries", path=name, number=count)
    return entries


@contextmanager
def locked(path: Path) -> Iterator[int]:
    """Nobody else is in here, no thread and no process; the open lock file."""
    path.parent.mkdir(parents=True, exist_ok=True)
    handle = os.open(path, os.O_RDWR | os.O_CREAT, 0o600)
    try:
        lock(handle)
        yield handle
    finally:
        os.close(handle)
