"""Merkle trees: the agreed roots of Certificate Transparency, and proofs of every size."""

import hashlib
import tempfile
from collections.abc import Callable
from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st

from paircard.domain.proof.tree import (
    EMPTY,
    RunningTree,
    TileFolder,
    begins_with,
    leaf_hash,
    node_hash,
    prove_consistency,
    prove_inclusion,
    root,
    subtree,
    tile_name,
)
from tests.examples import examples
from tests.proofs import includes

CT_LEAVES = [
    bytes.fromhex(text)
    for text in (
        "",
        "00",
        "10",
        "2021",
        "3031",
        "40414243",
        "5051525354555657",
        "606162636465666768696a6b6c6d6e6f",
    )
]
CT_ROOTS = [
    "6e340b9cffb37a989ca544e6bb780a2c78901d3fb33738768511a30617afa01d",
    "fac54203e7cc696cf0dfcb42c92a1d9dbaf70ad9e621f4bd8d98662f00e3c125",
    "aeb6bcfe274b70a14fb067a5e5578264db0fa9b51af5e0ba159158f329e06e77",
    "d37ee418976dd95753c1c73862b9398fa2a2cf9b4ff0fdfe8b30cd95209614b7",
    "4e3bbb1f7b478dcfe71fb631631519a3bca12c9aefca1612bfce4c13a86264d4",
    "76e67dadbcdf1e10e1b74ddc608abd2f98dfb16fbce75277b5232a127f2087ef",
    "ddb89be403809e325750d3d263cd78929c2942b7942a34b77e122c9594a74c8c",
    "5dc9da79a70659a9ad559cb701ded9a2ab9d823aad2f4960cfe370eff4604328",
]


def in_memory(entries: list[bytes]) -> Callable[[int, int], bytes]:
    """The perfect subtrees of a list, hashed from their leaves each time."""

    def perfect(level: int, index: int) -> bytes:
        if level == 0:
            return leaf_hash(entries[index])
        return node_hash(perfect(level - 1, 2 * index), perfect(level - 1, 2 * index + 1))

    return perfect


def test_the_roots_are_those_of_certificate_transparency() -> None:
    for size, expected in enumerate(CT_ROOTS, start=1):
        running = RunningTree()
        for leaf in CT_LEAVES[:size]:
            running.add(leaf)

        assert root(size, in_memory(CT_LEAVES)).hex() == expected
        assert running.root().hex() == expected
    assert root(0, in_memory([])) == EMPTY == hashlib.sha256(b"").digest() == RunningTree().root()


ENTRIES = [f"entry {at}".encode() for at in range(70)]


def test_every_entry_of_every_tree_is_proven_and_no_other_hash_will_do() -> None:
    perfect = in_memory(ENTRIES)
    for size in range(1, 41):
        whole = root(size, perfect)
        for index in range(size):
            proof = prove_inclusion(index, size, perfect)
            leaf = ENTRIES[index]

            assert includes(leaf, index, size, proof, whole)
            assert not includes(b"another", index, size, proof, whole)
            assert not includes(leaf, index, size, [*proof, EMPTY], whole)
            for at in range(len(proof)):
                assert not includes(leaf, index, size, [*proof[:at], EMPTY, *proof[at + 1 :]], whole)
                assert not includes(leaf, index, size, proof[:at] + proof[at + 1 :], whole)


def test_every_tree_begins_with_every_smaller_one_and_with_nothing_else() -> None:
    perfect = in_memory(ENTRIES)
    other = in_memory([b"rewritten", *ENTRIES[1:]])
    for size in range(1, 41):
        for old in range(size + 1):
            proof = prove_consistency(old, size, perfect)
            old_root, new_root = root(old, perfect), root(size, perfect)

            assert begins_with(old, old_root, size, new_root, proof)
            assert not begins_with(old, old_root, size, new_root, [*proof, EMPTY])
            if old:
                rewritten = root(size, other)
                assert not begins_with(old, old_root, size, rewritten, prove_consistency(old, size, other))
            for at in range(len(proof)):
                assert not begins_with(old, old_root, size, new_root, [*proof[:at], EMPTY, *proof[at + 1 :]])
    assert not begins_with(5, EMPTY, 4, EMPTY, [])


@pytest.mark.parametrize(
    ("kind", "number", "width", "name"),
    [
        ("0", 0, 256, "tile/0/000"),
        ("entries", 67, 256, "tile/entries/067"),
        ("0", 1234067, 256, "tile/0/x001/x234/067"),
        ("2", 999, 7, "tile/2/999.p/7"),
        ("1", 1000, 256, "tile/1/x001/000"),
    ],
)
def test_tiles_have_the_names_of_the_specification(kind: str, number: int, width: int, name: str) -> None:
    assert tile_name(kind, number, width) == name


def test_a_tree_of_seventy_thousand_has_the_tiles_of_the_specification(tmp_path: Path) -> None:
    tiles = TileFolder(tmp_path)
    entries = [b"%d" % at for at in range(70_000)]
    size = 0
    for start in range(0, 70_000, 7_000):
        size = tiles.grow(size, entries[start : start + 7_000])

    names = {str(path.relative_to(tmp_path)) for path in tmp_path.rglob("*") if path.is_file()}
    full = {name for name in names if ".p/" not in name}
    assert len([name for name in full if name.startswith("tile/0/")]) == 273
    assert {"tile/0/273.p/112", "tile/1/000", "tile/1/001.p/17", "tile/2/000.p/1"} <= names

    running = RunningTree()
    for entry in entries:
        running.add(entry)
    assert root(size, tiles.hashes_of_size(size)) == running.root()
    assert list(tiles.entries(size, 69_990)) == entries[69_990:]


@examples(20)
@given(st.lists(st.integers(1, 400), min_size=1, max_size=6))
def test_however_a_tree_grows_it_is_the_same_tree(steps: list[int]) -> None:
    with tempfile.TemporaryDirectory() as folder:
        tiles, size, running = TileFolder(Path(folder)), 0, RunningTree()
        for step in steps:
            entries = [b"%d" % at for at in range(size, size + step)]
            before = root(size, tiles.hashes_of_size(size))
            old = size
            size = tiles.grow(size, entries)
            for entry in entries:
                running.add(entry)
            now = tiles.hashes_of_size(size)

            assert root(size, now) == running.root()
            assert begins_with(old, before, size, root(size, now), prove_consistency(old, size, now))
            index = size // 2
            proof = prove_inclusion(index, size, now)
            assert includes(b"%d" % index, index, size, proof, running.root())


def test_a_subtree_is_the_root_of_its_leaves() -> None:
    perfect = in_memory(ENTRIES)
    assert subtree(8, 13, perfect) == root(5, in_memory(ENTRIES[8:13]))
