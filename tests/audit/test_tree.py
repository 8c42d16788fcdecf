"""Verifiers of the tree: what they accept, and that nothing else is.

These tests are quick and free of chance, for ``tests/mutation/run.py`` runs them once for every mutant.
"""

import base64
import hashlib
import io
import sys
import tempfile
from collections.abc import Callable
from contextlib import redirect_stderr, redirect_stdout
from pathlib import Path

import msgspec
import pytest

from paircard.cli import verify as alone
from paircard.domain.errors import CorruptFile, Invalid, Unknown
from paircard.domain.log.stored import GENESIS, StoredFact, hash_preimage, previous_of, seal
from paircard.domain.proof.note import (
    COSIGNATURE,
    LARGEST,
    MOST_SIGNATURES,
    Head,
    Note,
    Signature,
    Signer,
    Verifier,
    is_signed,
    parse_key,
    parse_signatures,
    parse_tree_note,
    strict_base64,
)
from paircard.domain.proof.publishing import (
    ProofFile,
    Witness,
    WitnessRequest,
    check_tiles,
    parse_entry,
    parse_request,
    tree_entry,
    verify_folder,
)
from paircard.domain.proof.tree import (
    EMPTY,
    RunningTree,
    TileFolder,
    begins_with,
    bundled,
    leaf_hash,
    node_hash,
    parse_bundle,
    prove_consistency,
    prove_inclusion,
    root,
    tile_name,
)
from tests.audit.quiet import ID
from tests.audit.quiet import LOG as RECORDED
from tests.proofs import includes
from tests.refusals import refuses

LOG = Signer("example.org/federation", bytes(range(32)))
WITNESS = Signer("witness1.example", b"\x01" * 32)
SECOND = Signer("witness2.example", b"\x02" * 32)
KEY = LOG.verifier()
SEEN, SEEN_TOO = WITNESS.verifier(COSIGNATURE), SECOND.verifier(COSIGNATURE)
LETTERS = "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789+/"
TIME = 1_794_940_000


def with_personal_parts() -> list[StoredFact]:
    """A quiet tournament, its names beside the chain."""
    rows, head = [], GENESIS
    for recorded in RECORDED:
        sealed = seal(recorded, head, salt=lambda: "0" * 32)
        head = sealed.fact.hash
        rows.append(sealed.stored)
    return rows


ROWS = with_personal_parts()


def in_memory(entries: list[bytes]) -> Callable[[int, int], bytes]:
    def perfect(level: int, index: int) -> bytes:
        if level == 0:
            return leaf_hash(entries[index])
        return node_hash(perfect(level - 1, 2 * index), perfect(level - 1, 2 * index + 1))

    return perfect


ENTRIES = [tree_entry(ID, row.originator_version, row.state[-66:-2].decode()) for row in ROWS]
SIZE = len(ENTRIES)
TREE = in_memory(ENTRIES)
HEAD = Head(LOG.name, SIZE, root(SIZE, TREE))
NOTE = LOG.sign(HEAD).with_lines([WITNESS.cosign(HEAD, TIME)])


def proof_of(version: int, pieces: tuple[bytes, ...] = ()) -> ProofFile:
    row = ROWS[version - 1]
    preimage = hash_preimage(previous_of(row.state), ID, row)
    return ProofFile(preimage, version - 1, tuple(prove_inclusion(version - 1, SIZE, TREE)), NOTE, pieces)


PERSONAL = next(row.originator_version for row in ROWS if row.topic == "player-registered/1")
PIECES = ROWS[PERSONAL - 1].parts


def holds(text: str, witnesses: tuple[Verifier, ...] = (SEEN,), need: int = 1, log: Verifier = KEY) -> bool:
    """What the verifier says."""
    try:
        keys = [alone.read_key(key.line()) for key in witnesses]
        return bool(alone.verify_proof(text, alone.read_key(log.line()), keys, need))
    except alone.Broken:
        return False


def test_an_entry_is_proven_and_nothing_else() -> None:
    for size in (1, 2, 3, 4, 5, 7, 8, 11):
        whole = root(size, TREE)
        for index in range(size):
            path, leaf = prove_inclusion(index, size, TREE), ENTRIES[index]
            assert includes(leaf, index, size, path, whole)
            assert not includes(leaf, index, size, path, EMPTY)
            assert not includes(leaf, size, size, path, whole)
            assert not includes(leaf, index, size, [*path, EMPTY], whole)
            assert not includes(leaf, index, size, path[1:], whole) or not path
            assert not includes(leaf, index, size, path[:-1], whole) or not path
            assert not any(
                includes(leaf, other, size, path, whole) for other in range(size) if other != index
            )
            assert not includes(EMPTY, index, size, path, whole)
    assert not includes(ENTRIES[0], 0, 0, [], leaf_hash(ENTRIES[0]))


def test_a_log_that_lies_about_its_size_proves_nothing() -> None:
    """Whoever signs a root can sign one that another number of hashes gives."""
    leaf = leaf_hash(ENTRIES[0])
    assert not includes(ENTRIES[0], 0, 1, [EMPTY], node_hash(EMPTY, leaf))
    path, three, four = prove_consistency(3, 4, TREE), root(3, TREE), root(4, TREE)
    assert begins_with(3, three, 4, four, path)
    assert not begins_with(3, node_hash(EMPTY, three), 4, node_hash(EMPTY, four), [*path, EMPTY])


def test_a_tree_that_grows_entry_by_entry_has_the_root_of_all_of_them() -> None:
    tree = RunningTree()
    assert tree.root() == EMPTY == root(0, TREE)
    for size, entry in enumerate(ENTRIES, start=1):
        tree.add(entry)
        assert tree.root() == root(size, TREE)


def test_growth_is_proven_and_nothing_else() -> None:
    other = in_memory([b"rewritten", *ENTRIES[1:]])
    for size in (1, 2, 3, 4, 6, 7, 8, 10, 11, 14):
        new = root(size, TREE)
        for old in range(size + 1):
            path, before = prove_consistency(old, size, TREE), root(old, TREE)
            assert begins_with(old, before, size, new, path)
            assert not begins_with(old, before, size, new, [*path, EMPTY])
            assert not begins_with(old, EMPTY if old else new, size, new, path)
            assert not begins_with(old, before, size, EMPTY, path) or not old
            assert not begins_with(old, before, size, new, path[1:]) or not path
            assert not begins_with(old, before, size, new, path[:-1]) or not path
            assert not (old and begins_with(old, before, size, root(size, other), path))
            if 0 < old < size:
                assert not begins_with(old, before, size, new, [])
                assert not begins_with(old, root(old, other), size, new, path)
        assert not begins_with(size + 1, new, size, new, [])
        assert not begins_with(-1, new, size, new, [])
    assert prove_consistency(0, 5, TREE) == prove_consistency(5, 5, TREE) == []


def test_a_checkpoint_is_signed_by_its_key_and_by_no_other() -> None:
    assert is_signed(NOTE, KEY)
    assert is_signed(NOTE, SEEN)
    assert not is_signed(NOTE, WITNESS.verifier())
    assert not is_signed(NOTE, LOG.verifier(COSIGNATURE))
    assert not is_signed(NOTE, SEEN_TOO)
    assert not is_signed(NOTE, Signer(LOG.name, b"\x09" * 32).verifier())
    assert not is_signed(NOTE, Verifier("another.example", KEY.public))
    assert NOTE.signatures[1].seen_at() == TIME
    assert TIME <= WITNESS.cosign(HEAD).seen_at() < TIME + 10**9
    assert parse_tree_note(NOTE.text()) == NOTE
    for at, key in ((0, KEY), (1, SEEN)):
        line = NOTE.signatures[at]
        for wrong in (bytes(len(line.signature)), line.signature[1:], line.signature + b"x", b"x"):
            lines = (*NOTE.signatures[:at], Signature(line.name, line.key_id, wrong))
            with pytest.raises(Invalid):
                is_signed(Note(HEAD.text(), lines), key)
    moved = Note(Head(HEAD.origin, SIZE - 1, HEAD.root).text(), NOTE.signatures)
    for key in (KEY, SEEN):
        with pytest.raises(Invalid):
            is_signed(moved, key)


def test_only_the_text_a_program_writes_is_a_checkpoint() -> None:
    text = NOTE.text()
    root64 = text.split("\n")[2]
    for wrong in (
        "",
        text[:-1],
        text + "\n",
        text.replace("\n\n", "\n"),
        text.replace("\n\n", "\n\n\n"),
        text.replace("\n\n", "\nmore\n\n"),
        text.replace("\n", "\r\n"),
        text.replace("\n\n", "\n\t\n\n"),
        text.replace(f"\n{SIZE}\n", f"\n0{SIZE}\n"),
        text.replace(f"\n{SIZE}\n", "\n-1\n"),
        text.replace(f"\n{SIZE}\n", f"\n{10**18}\n"),
        text.replace(f"\n{SIZE}\n", f"\n{SIZE} \n"),
        text.replace(root64, root64[:-1]),
        text.replace(root64, root64[:-2] + "/="),
        text.replace(root64, base64.b64encode(bytes(31)).decode()),
        text.replace(root64, base64.b64encode(bytes(33)).decode()),
        text.replace(LOG.name, "with blank", 1),
        text.replace(LOG.name, "with+plus", 1),
        text.replace(LOG.name, "", 1),
        text.replace(LOG.name, "x" * 201, 1),
        text.replace("— w", "- w"),
        text.replace("— witness1.example ", "— witness1.example"),
        text + text.splitlines(keepends=True)[-1],
        text + f"— x {base64.b64encode(bytes(4)).decode()}\n",
        text + "— x ====\n",
        text.partition("\n\n")[0] + "\n\n",
        f"{HEAD.text()}\n" + "".join(
            Signature(f"k{n}", "00000000", b"x").line() for n in range(MOST_SIGNATURES + 1)
        ),
        f"{HEAD.text()}\n" + Signature("k", "00000000", bytes(60_000)).line(),
    ):  # fmt: skip
        with pytest.raises(Invalid):
            parse_tree_note(wrong)
    most = Note(HEAD.text(), tuple(Signature(f"k{n}", "00000000", b"x") for n in range(MOST_SIGNATURES)))
    assert parse_tree_note(most.text()) == most
    large = Note(HEAD.text(), (Signature("k", "00000000", bytes(48_000)),))
    assert parse_tree_note(large.text()) == large
    spare = LARGEST - len(large.text())
    largest = Note(
        HEAD.text(), (Signature("k" * (1 + spare % 4), "00000000", bytes(48_000 + spare // 4 * 3)),)
    )
    assert len(largest.text()) == LARGEST
    assert parse_tree_note(largest.text()) == largest
    farthest = Note(Head("x" * 200, 10**18 - 1, EMPTY).text(), NOTE.signatures)
    assert parse_tree_note(farthest.text()) == farthest
    assert parse_tree_note(Note(Head("x", 0, EMPTY).text(), NOTE.signatures).text()).head.size == 0
    assert parse_signatures(Signature("k", "00000000", b"x").line()) == (Signature("k", "00000000", b"x"),)


def test_base64_has_one_spelling() -> None:
    assert strict_base64("AAE=") == b"\x00\x01"
    for loose in ("AAF=", "AAE", "AAE=\n", "AA E=", "AAE==", "A-E=", "é"):
        assert strict_base64(loose) == b""


def test_public_keys_are_read_strictly() -> None:
    assert parse_key(f" {KEY.line()}\n") == KEY
    assert parse_key(SEEN.line(), COSIGNATURE) == SEEN
    assert alone.read_key(f" {KEY.line()}\n") == (KEY.name, 1, bytes.fromhex(KEY.key_id), KEY.public)

    def made(name: str, raw: bytes) -> str:
        id = hashlib.sha256(name.encode() + b"\n" + raw).digest()[:4].hex()
        return f"{name}+{id}+{base64.b64encode(raw).decode()}"

    assert made(KEY.name, b"\x01" + KEY.public) == KEY.line()
    for wrong in (
        "",
        "a+b",
        "a+b+c",
        KEY.line()[1:],
        KEY.line()[:-1],
        KEY.line().replace("+", "-", 1),
        made(KEY.name, b"\x02" + KEY.public),
        made(KEY.name, b"\x01" + KEY.public[1:]),
        made(KEY.name, b"\x01" + KEY.public + b"x"),
        made("", b"\x01" + KEY.public),
    ):
        with pytest.raises(Invalid):
            parse_key(wrong)
        with pytest.raises(alone.Broken):
            alone.read_key(wrong)


def test_a_proof_holds_and_says_what_it_proves() -> None:
    for version in (1, PERSONAL, SIZE):
        assert holds(proof_of(version).text())
    assert holds(proof_of(PERSONAL, PIECES).text())
    assert holds(proof_of(1).text(), (), 0)
    assert holds(proof_of(1).text(), (SEEN, SEEN_TOO), 1)
    assert not holds(proof_of(1).text(), (SEEN, SEEN_TOO), 2)
    assert not holds(proof_of(1).text(), (SEEN, SEEN), 2)
    assert not holds(proof_of(1).text(), (SEEN_TOO,), 1)
    assert not holds(proof_of(1).text(), log=SEEN_TOO)
    assert not holds(proof_of(1).text(), log=Verifier(LOG.name, SEEN_TOO.public))
    lines = alone.verify_proof(
        proof_of(PERSONAL, PIECES).text(),
        alone.read_key(KEY.line()),
        [alone.read_key(SEEN.line()), alone.read_key(SECOND.verifier().line())],
    )
    assert lines[0] == (
        f"fact {PERSONAL} of tournament {ID} is entry {PERSONAL - 1} of the {SIZE} that {LOG.name} signed"
    )
    assert lines[1] == "seen by witness1.example at 2026-11-17 18:26:40 UTC"
    assert msgspec.json.decode(lines[2])["private"]
    assert "salt" not in lines[3]
    assert len(lines) == 3 + len(PIECES)
    assert alone.verify_proof(proof_of(PERSONAL).text(), alone.read_key(KEY.line()))[-1].endswith(
        f": {len(PIECES)}"
    )
    with pytest.raises(alone.Broken):
        alone.verify_proof(proof_of(1).text(), alone.read_key(SEEN.line()))


def test_no_other_proof_holds() -> None:
    proof = proof_of(PERSONAL, PIECES)
    replace = msgspec.structs.replace
    text = proof.text()
    for wrong in (
        replace(proof, index=proof.index + 1),
        replace(proof, index=SIZE),
        replace(proof, index=10**17),
        replace(proof, hashes=proof.hashes[1:]),
        replace(proof, hashes=proof.hashes[:-1]),
        replace(proof, hashes=(*proof.hashes, EMPTY)),
        replace(proof, hashes=(EMPTY,) * 64),
        replace(proof, hashes=(EMPTY, *proof.hashes[1:])),
        replace(proof, hashes=(bytes(31), *proof.hashes[1:])),
        replace(proof, preimage=proof_of(1).preimage),
        replace(proof, preimage=proof.preimage.replace(b'"player"', b'"spieler"')),
        replace(proof, preimage=b""),
        replace(proof, preimage=b"x\n" * 4 + b"{}"),
        replace(proof, pieces=PIECES * 2),
        replace(proof, pieces=(*PIECES, b'{"salt":"x","why":"y"}')),
        replace(proof, pieces=(PIECES[0] + b" ", *PIECES[1:])),
        replace(proof, pieces=(b"",)),
        replace(proof, pieces=(b"x",)),
        replace(proof, note=Note(HEAD.text(), NOTE.signatures[1:])),
        replace(proof, note=Note(HEAD.text(), (*NOTE.signatures, *NOTE.signatures[:1]))),
        replace(proof, note=LOG.sign(Head(LOG.name, SIZE, EMPTY)).with_lines(NOTE.signatures[1:])),
        replace(proof, note=LOG.sign(Head("example.org/other", SIZE, HEAD.root))),
    ):
        assert not holds(wrong.text())
    for loose in (
        "",
        text[:-1],
        text + "\n",
        text.replace("@v1", "@v2"),
        text.replace("extra ", "extra  "),
        text.replace("extra ", "EXTRA "),
        text.replace("index ", "index 0"),
        text.replace("index ", "Index "),
        text.replace("\nindex", "\nmore\nindex"),
        text.replace("\n\n", "\n", 1),
        text.replace("\n", "\r\n"),
        text.replace("extra " + text.split("\n")[1][6:], "extra "),
        text.replace(text.split("\n")[1], text.split("\n")[1].rstrip("=") + "A="),
    ):
        assert not holds(loose)
    for token in [word for word in text.split() if word.endswith("=")]:
        bare = token.rstrip("=")
        other = bare[:-1] + LETTERS[LETTERS.index(bare[-1]) + 1] + "=" * (len(token) - len(bare))
        assert base64.b64decode(other) == base64.b64decode(token)  # another spelling of the same bytes
        assert not holds(text.replace(token, other))
    unseen = WITNESS.cosign(HEAD, 2**63)
    assert not holds_alone(replace(proof, note=LOG.sign(HEAD).with_lines([unseen])).text())
    other_log = LOG.sign(Head("example.org/other", SIZE, HEAD.root))
    assert not holds(replace(proof, note=other_log).text(), (), 0), "the key signed the tree of another log"


def test_a_signature_that_was_changed_is_refused_by_both() -> None:
    for at in (0, 1):
        line = NOTE.signatures[at]
        for byte in (9, len(line.signature) - 1):
            flipped = bytearray(line.signature)
            flipped[byte] ^= 1
            lines = list(NOTE.signatures)
            lines[at] = Signature(line.name, line.key_id, bytes(flipped))
            assert not holds(
                msgspec.structs.replace(proof_of(1), note=Note(HEAD.text(), tuple(lines))).text()
            )
    unknown = NOTE.with_lines([Signature("somebody", "00000000", b"x")])
    assert holds(msgspec.structs.replace(proof_of(1), note=unknown).text())


def test_a_proof_is_refused_for_the_reason_that_is_so() -> None:
    text, replace = proof_of(PERSONAL, PIECES).text(), msgspec.structs.replace
    for wrong, words in (
        (text.replace("index ", "index 0"), "not a proof"),
        (text.replace("extra ", "EXTRA "), "not a proof"),
        (replace(proof_of(1), hashes=(EMPTY,) * 64).text(), "not a proof"),
        (replace(proof_of(1), hashes=(EMPTY,) * 63).text(), "too many hashes"),
        (replace(proof_of(1), hashes=(bytes(31),)).text(), "not a proof"),
        (text.replace("\n\n— ", "\nmore\n\n— "), "three lines"),
        (text.replace("\n\n— ", "\nmo\tre\n\n— "), "not a checkpoint"),
    ):
        with pytest.raises(alone.Broken, match=words):
            alone.verify_proof(wrong, alone.read_key(KEY.line()))
    alone_in_tree = Head(LOG.name, 1, leaf_hash(ENTRIES[0]))
    assert holds(replace(proof_of(1), hashes=(), note=LOG.sign(alone_in_tree)).text(), (), 0)
    unsigned = replace(proof_of(1), note=Note(HEAD.text(), NOTE.signatures[1:])).text()
    with pytest.raises(alone.Broken, match="is not signed by the key of"):
        alone.verify_proof(unsigned, alone.read_key(KEY.line()))
    with refuses(Invalid, "proof.not-a-checkpoint"):
        parse_tree_note("one line\n")
    with refuses(Invalid, "proof.checkpoint-loose"):
        parse_tree_note(NOTE.text()[:-1])
    for line in ("— a+b AAAAAAA=\n", "somebody AAAAAAA=\n"):
        with refuses(Invalid, "proof.not-a-signature"):
            parse_signatures(line)
    for index, size, hashes, words in (
        (1, 1, [], "no entry"),
        (0, 1, [EMPTY], "too many"),
        (0, 2, [], "too few"),
        (5, 8, [EMPTY], "too few"),
    ):
        with pytest.raises(alone.Broken, match=words):
            alone.root_of(b"x", index, size, hashes)
    with pytest.raises(alone.Broken, match="cannot be read"):
        alone.shown_fact(b"x", [])
    assert alone.shown_fact('{"name":"Łucja"}'.encode(), []) == ['{"name": "Łucja"}']
    signed = alone.read_note(NOTE.text())
    assert alone.seen_at(alone.read_key(KEY.line()), signed) == 0, "a log does not say when"
    assert alone.seen_at(alone.read_key(SEEN.line()), signed) == TIME
    assert alone.seen_at(alone.read_key(SEEN_TOO.line()), signed) is None
    lines = alone.verify_proof(text, alone.read_key(KEY.line()))
    assert not any("not in the file" in line for line in lines)


def test_both_ways_from_a_leaf_to_the_root_are_the_same() -> None:
    for size in range(1, SIZE + 1):
        for index in range(size):
            path = prove_inclusion(index, size, TREE)
            assert alone.root_of(ENTRIES[index], index, size, path) == root(size, TREE)


def test_a_log_is_not_a_witness_of_itself() -> None:
    with pytest.raises(alone.Broken, match="0 of the witnesses you trust signed, 1 are needed"):
        alone.verify_proof(proof_of(1).text(), alone.read_key(KEY.line()), [alone.read_key(KEY.line())], 1)


def test_without_the_library_no_proof_is_believed() -> None:
    key = alone.read_key(KEY.line())
    there = {name: sys.modules[name] for name in sys.modules if name.split(".")[0] == "cryptography"}
    for name in there:
        sys.modules[name] = None  # type: ignore[assignment]
    try:
        with pytest.raises(alone.Unchecked, match=r"cannot be checked here.*pip install cryptography"):
            alone.verify_proof(proof_of(1).text(), key)
    finally:
        sys.modules |= there


def test_a_proof_has_eight_million_characters_at_most() -> None:
    """The largest is taken, one that is a few letters longer is not."""
    proof, replace = proof_of(1), msgspec.structs.replace
    spare = alone.LARGEST_PROOF - len(proof.text())
    grown = replace(proof, index=10 ** (spare % 4), preimage=proof.preimage + bytes(spare // 4 * 3))
    largest = grown.text()
    assert len(largest) == alone.LARGEST_PROOF
    with pytest.raises(alone.Broken, match="carries no fact"):
        alone.verify_proof(largest, alone.read_key(KEY.line()))
    larger = replace(grown, index=grown.index * 10).text()
    with pytest.raises(alone.Broken, match="this is not a proof"):
        alone.verify_proof(larger, alone.read_key(KEY.line()))


def holds_alone(text: str) -> bool:
    try:
        keys = [alone.read_key(SEEN.line())]
        return bool(alone.verify_proof(text, alone.read_key(KEY.line()), keys, 1))
    except alone.Broken:
        return False


def test_the_command_says_with_its_exit_code_whether_proofs_hold() -> None:
    with tempfile.TemporaryDirectory() as folder:
        good, bad = Path(folder) / "good", Path(folder) / "bad"
        good.write_text(proof_of(1).text() + "\n", "utf-8")
        bad.write_text(proof_of(1).text().replace("index 0", "index 1"), "utf-8")
        key, seen = ("--key", KEY.line()), ("--witness-key", SEEN.line())
        (Path(folder) / "key").write_text(KEY.line())

        assert alone.main([str(good), *key]) == 0
        assert alone.main([str(good), "--key", f"{folder}/key"]) == 0
        assert alone.main([str(good), *key, *seen]) == 0
        assert alone.main([str(good), *key, *seen, "--need", "1"]) == 0
        assert alone.main([str(good), *key, *seen, "--witness-key", SEEN_TOO.line()]) == 1
        assert alone.main([str(bad), *key]) == 1
        assert alone.main([str(bad), str(good), *key]) == 1
        assert alone.main([str(good), *key, *seen, "--need", "2"]) == 2
        assert alone.main([str(good), *key, *seen, "--need", "-1"]) == 2
        assert alone.main([f"{folder}/nothing", *key]) == 2
        assert alone.main([str(good), "--key", "a+b+c"]) == 2

        def said(*words: str) -> tuple[str, str]:
            out, errors = io.StringIO(), io.StringIO()
            with redirect_stdout(out), redirect_stderr(errors):
                alone.main(words)
            return out.getvalue(), errors.getvalue()

        assert said(str(good), *key)[0].splitlines() == alone.verify_proof(
            proof_of(1).text(), alone.read_key(KEY.line())
        )
        assert said(str(bad), *key)[0].startswith("BROKEN: ")
        assert "nothing: no such file" in said(f"{folder}/nothing", *key)[1]
        (Path(folder) / "key").write_bytes(b"\xef\xbb\xbf" + KEY.line().encode() + b"\r\n")
        good.write_bytes(b"\xef\xbb\xbf" + proof_of(1).text().encode().replace(b"\n", b"\r\n"))
        assert alone.main([str(good), "--key", f"{folder}/key"]) == 0
        assert "a name is empty" in said(str(good), "--key", " ")[1]
        assert "this is a private key" in said(str(good), "--key", LOG.line())[1]
        bad.write_bytes(alone.PROOF_KIND + b"\xe9")
        assert "bad is not a text in UTF-8" in said(str(bad), *key)[1]
        assert "--need 2 of 0" in said(str(good), *key, "--need", "2")[1]
        assert "one --key" in said(str(good))[1]
        assert alone.main([str(good)]) == alone.main([str(good), *key, *key]) == 2
        stdin, sys.stdin = sys.stdin, io.StringIO(proof_of(1).text())
        try:
            assert alone.main(["-", *key]) == 0
        finally:
            sys.stdin = stdin


def test_entries_and_bundles_are_read_exactly() -> None:
    assert parse_entry(ENTRIES[2]) == (ID, 3)
    for wrong in (
        b"",
        ENTRIES[2][:-1],
        ENTRIES[2].upper(),
        ENTRIES[2].replace(b" 3 ", b" 0 "),
        b"x" + ENTRIES[2],
    ):
        with pytest.raises(CorruptFile):
            parse_entry(wrong)
    bundle = bundled(b"ab") + bundled(b"") + bundled(b"c")
    assert parse_bundle("x", bundle, 3) == [b"ab", b"", b"c"]
    for content, count in ((bundle, 2), (bundle, 4), (bundle[:-1], 3), (bundle + b"\x00", 3), (b"", 1)):
        with pytest.raises(CorruptFile):
            parse_bundle("x", content, count)


def test_a_published_folder_is_checked_file_by_file() -> None:
    with tempfile.TemporaryDirectory() as name:
        folder = Path(name)
        entries = ENTRIES * (600 // SIZE + 1)
        size = TileFolder(folder).grow(0, entries)
        head = Head(LOG.name, size, root(size, in_memory(entries)))
        note = LOG.sign(head).with_lines([WITNESS.cosign(head, TIME)])
        TileFolder(folder).write_checkpoint(note.text())

        assert verify_folder(TileFolder(folder), KEY, [SEEN]) == note
        for log, witnesses in ((SEEN, ()), (KEY, [SEEN_TOO]), (Verifier(LOG.name, SEEN.public), ())):
            with pytest.raises(Invalid):
                verify_folder(TileFolder(folder), log, witnesses)
        for other in (Head(LOG.name, size, EMPTY), Head("other", size, head.root)):
            TileFolder(folder).write_checkpoint(LOG.sign(other).text())
            with pytest.raises((Invalid, CorruptFile)):
                verify_folder(TileFolder(folder), KEY)
        for tile in sorted(path for path in (folder / "tile").rglob("*") if path.is_file()):
            content = tile.read_bytes()
            for wrong in (content[:-1], content + bytes(32), content[:-40] + bytes(40)):
                tile.write_bytes(wrong)
                with pytest.raises(CorruptFile):
                    check_tiles(TileFolder(folder), size)
            tile.write_bytes(content)
        check_tiles(TileFolder(folder), size)
        TileFolder(folder).write_checkpoint(note.text())
        for file in sorted((folder / "tile" / "entries").rglob("*")):
            if file.is_file():
                content = file.read_bytes()
                file.write_bytes(content[:-2] + b"x\n")
                with pytest.raises(CorruptFile):
                    verify_folder(TileFolder(folder), KEY)
                file.unlink()
                with refuses(CorruptFile, "proof.tile-missing"):
                    verify_folder(TileFolder(folder), KEY)
                file.write_bytes(content)
        (folder / "checkpoint").write_bytes(b"\xff" + note.text().encode())
        with pytest.raises(Invalid):
            verify_folder(TileFolder(folder), KEY)
        with pytest.raises(Unknown):
            verify_folder(TileFolder(folder / "empty"), KEY)


def test_tiles_lie_where_others_look_for_them() -> None:
    """The names of c2sp.org/tlog-tiles: three digits to a folder, all but the last marked."""
    for number, path in (
        (0, "000"),
        (67, "067"),
        (999, "999"),
        (1000, "x001/000"),
        (1234067, "x001/x234/067"),
    ):
        assert tile_name("0", number) == f"tile/0/{path}"
        assert tile_name("entries", number, 7) == f"tile/entries/{path}.p/7"
    assert tile_name("1", 1, 255) == "tile/1/001.p/255"


def test_a_tree_of_any_size_is_read_from_the_tiles_of_a_later_one() -> None:
    with tempfile.TemporaryDirectory() as name:
        entries = ENTRIES * (600 // SIZE)
        tiles, memory = TileFolder(Path(name)), in_memory(entries)
        assert tiles.grow(0, entries[:300]) == 300
        assert [tiles.entry(index, 300) for index in (0, 255, 256, 299)] == [
            entries[index] for index in (0, 255, 256, 299)
        ]
        tiles.grow(300, entries[300:])
        for size in (1, 256, 400, 512, 600):  # partial tiles are gone where the full one is there
            assert root(size, tiles.hashes_of_size(size)) == root(size, memory)
            assert list(tiles.entries(size)) == entries[:size]
            assert list(tiles.entries(size, size - 1)) == entries[size - 1 : size]
            assert tiles.entry(size - 1, size) == entries[size - 1]
        assert list(tiles.entries(600, 258)) == entries[258:]


def test_a_witness_signs_growth_alone() -> None:
    with tempfile.TemporaryDirectory() as name:
        w = Witness(WITNESS, [KEY], Path(name) / "state")

        def ask(old: int, size: int, tree: Callable[[int, int], bytes] = TREE, signer: Signer = LOG) -> int:
            head = Head(signer.name, size, root(size, tree))
            path = prove_consistency(old, size, tree) if old <= size else []
            return int(w.answer(WitnessRequest(old, tuple(path), signer.sign(head)).text()).status)

        other = in_memory([b"rewritten", *ENTRIES[1:]])
        assert ask(0, 0) == 200
        assert ask(1, 3) == 409
        assert ask(0, 3) == 200
        assert ask(3, 3) == 200
        assert ask(3, 3, other) == 409
        assert ask(3, 6, other) == 422
        assert ask(0, 6) == 409
        assert ask(3, 2) == 400
        assert ask(2, 2) == 409
        assert ask(3, 6, signer=Signer(LOG.name, b"\x09" * 32)) == 403
        assert ask(3, 6, signer=SECOND) == 404
        tree = tuple(prove_consistency(3, 6, TREE))
        for old, proof, words in ((7, (), "the old size is larger"), (3, tree[1:], "does not begin with")):
            asked = WitnessRequest(old, proof, LOG.sign(Head(LOG.name, 6, root(6, TREE))))
            body = w.answer(asked.text()).body
            assert words in body
            assert body.endswith("one\n" if old == 7 else "signed\n")
        assert ask(3, 6) == 200
        assert w.last(LOG.name) == Head(LOG.name, 6, root(6, TREE))
        request = WitnessRequest(6, tuple(prove_consistency(6, 8, TREE)), LOG.sign(HEAD))
        forged = request.note.signatures[0]
        wrong = Note(HEAD.text(), (Signature(forged.name, forged.key_id, bytes(64)),))
        assert w.answer(msgspec.structs.replace(request, note=wrong).text()).status == 403
        answer = w.answer(
            WitnessRequest(6, tuple(prove_consistency(6, SIZE, TREE)), LOG.sign(HEAD)).text(), TIME
        )
        assert answer.body == WITNESS.cosign(HEAD, TIME).line()
        mark = w.path(LOG.name).with_suffix(".lock")
        assert mark.read_bytes() == b"signed\n", "a witness of another version looks for it, too"
        w.path(LOG.name).unlink()
        assert ask(0, SIZE) == 500
        for damaged in (b"damaged", b"\xff", HEAD.text().encode() + b"\n", HEAD.text().encode()[:-1]):
            w.path(LOG.name).write_bytes(damaged)
            assert ask(SIZE, SIZE) == 500
        w.path(LOG.name).write_text(Head("example.org/other", SIZE, HEAD.root).text())
        assert ask(SIZE, SIZE) == 500
        with pytest.raises(Invalid):
            Witness(WITNESS, [KEY, Verifier(LOG.name, SEEN.public)], Path(name))


def test_a_request_is_read_strictly() -> None:
    request = WitnessRequest(3, (EMPTY,) * 63, NOTE)
    text = request.text()
    assert parse_request(text) == request
    for wrong in (
        "",
        text.replace("old 3", "old 03"),
        text.replace("old 3", "old -3"),
        text.replace("old 3", "new 3"),
        text.replace("old 3", f"old {10**18}"),
        text.replace("\n\n", "\n", 1),
        text[:-1],
        WitnessRequest(3, (EMPTY,) * 64, NOTE).text(),
        WitnessRequest(3, (bytes(31),), NOTE).text(),
        WitnessRequest(3, (bytes(33),), NOTE).text(),
        text.replace("old 3\n", "old 3\n=\n"),
    ):
        with pytest.raises(Invalid):
            parse_request(wrong)
