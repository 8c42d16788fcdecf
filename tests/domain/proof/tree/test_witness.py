"""A witness signs growth and refuses rollback, split view and rewriting."""

import random
import threading
from http import HTTPStatus
from pathlib import Path

import pytest

from paircard.domain.errors import Invalid
from paircard.domain.proof.note import COSIGNATURE, Head, Signer, is_signed, parse_signatures
from paircard.domain.proof.publishing import Witness, WitnessAnswer, WitnessRequest
from paircard.domain.proof.tree import EMPTY, TileFolder, prove_consistency, root
from tests.refusals import refuses, sentence

LOG = Signer("example.org/federation", bytes(range(32)))
WITNESS = Signer("witness1.example", b"\x01" * 32)


class Log:
    """A log that can lie: its tree, and requests to a witness."""

    def __init__(self, folder: Path, name: str = "tree", signer: Signer = LOG) -> None:
        self.tiles, self.size, self.signer = TileFolder(folder / name), 0, signer
        self.entries: list[bytes] = []

    def grow(self, *entries: bytes) -> None:
        self.size = self.tiles.grow(self.size, entries)
        self.entries += entries

    def request(self, old: int, size: int | None = None) -> WitnessRequest:
        """For the whole tree, or for what it was when it was smaller."""
        size = self.size if size is None else size
        tiles = self.tiles
        if size != self.size:
            tiles = TileFolder(tiles.folder.with_name(f"{tiles.folder.name}-{size}"))
            tiles.grow(0, self.entries[:size])
        hashes = tiles.hashes_of_size(size)
        head = Head(self.signer.name, size, root(size, hashes))
        proof = prove_consistency(old, size, hashes) if old <= size else []
        return WitnessRequest(old, tuple(proof), self.signer.sign(head))


def witness(folder: Path) -> Witness:
    return Witness(WITNESS, [LOG.verifier()], folder / "witness")


def status(answer: WitnessAnswer) -> int:
    return int(answer.status)


def test_growth_is_signed_again_and_again(tmp_path: Path) -> None:
    log, w, old = Log(tmp_path), witness(tmp_path), 0
    for step in (1, 2, 255, 1, 300, 0, 7):
        log.grow(*(b"%d" % at for at in range(step)))
        request = log.request(old)
        answer = w.answer(request.text())

        assert status(answer) == 200
        signed = request.note.with_lines(parse_signatures(answer.body))
        assert is_signed(signed, WITNESS.verifier(COSIGNATURE))
        old = log.size


def test_a_tail_that_was_cut_off_is_refused(tmp_path: Path) -> None:
    log, w = Log(tmp_path), witness(tmp_path)
    log.grow(*(b"%d" % at for at in range(10)))
    w.answer(log.request(0).text())

    assert w.answer(log.request(0, 7).text()) == WitnessAnswer(HTTPStatus.CONFLICT, "10\n")
    assert status(w.answer(log.request(10, 7).text())) == 400


def test_two_different_trees_of_one_size_are_refused(tmp_path: Path) -> None:
    log, other, w = Log(tmp_path), Log(tmp_path, "other"), witness(tmp_path)
    log.grow(b"a", b"b", b"c")
    other.grow(b"a", b"b", b"x")
    w.answer(log.request(0).text())

    assert status(w.answer(other.request(3).text())) == 409  # [tlog-witness] same size, another root
    assert status(w.answer(log.request(3).text())) == 200


def test_rewritten_history_is_refused_wherever_it_begins(tmp_path: Path) -> None:
    chance = random.Random(1)
    log, w = Log(tmp_path), witness(tmp_path)
    log.grow(*(b"%d" % at for at in range(300)))
    w.answer(log.request(0).text())
    for attempt in range(60):
        forged = Log(tmp_path, f"forged{attempt}")
        at = chance.randrange(300)
        entries = [b"%d" % i for i in range(300 + chance.randrange(1, 40))]
        entries[at] = b"forged"
        forged.grow(*entries)

        assert status(w.answer(forged.request(300).text())) == 422


def test_strangers_and_bad_requests_are_refused(tmp_path: Path) -> None:
    log, w = Log(tmp_path), witness(tmp_path)
    log.grow(b"a")
    stranger = Log(tmp_path, "stranger", Signer("example.org/federation", b"\x07" * 32))
    stranger.grow(b"a")
    text = log.request(0).text()

    assert status(w.answer(stranger.request(0).text())) == 403
    assert status(w.answer(text.replace("example.org/federation", "example.org/other"))) == 404
    with_a_hash = text.replace("old 0\n", "old 0\nAA==\n")
    for bad in ("", "old\n\n", text.replace("old 0", "old 00"), text[:-3], with_a_hash):
        assert status(w.answer(bad)) == 400
    assert w.last("example.org/federation").size == 0


def test_a_witness_whose_state_is_damaged_or_removed_does_not_sign(tmp_path: Path) -> None:
    log, w = Log(tmp_path), witness(tmp_path)
    log.grow(b"a", b"b")
    assert status(w.answer(log.request(0).text())) == 200
    state = w.path("example.org/federation")
    right = state.read_bytes()
    log.grow(b"c")

    for wrong in (b"", b"\xff", right[:-1], right + right, right.replace(b"\n2\n", b"\n02\n"), b"x" + right):
        state.write_bytes(wrong)
        assert w.answer(log.request(2).text()).status == HTTPStatus.INTERNAL_SERVER_ERROR
    state.unlink()
    answer = w.answer(log.request(0).text())
    removed = sentence("proof.state-removed", path=str(state))
    assert (status(answer), removed in answer.body) == (500, True)
    state.write_bytes(right)
    assert status(w.answer(log.request(2).text())) == 200


def test_two_logs_are_watched_apart_and_a_log_has_one_key(tmp_path: Path) -> None:
    second = Signer("example.net/other", b"\x05" * 32)
    one, other = Log(tmp_path), Log(tmp_path, "other", second)
    w = Witness(WITNESS, [LOG.verifier(), second.verifier()], tmp_path / "witness")
    one.grow(b"a", b"b")
    other.grow(b"x")

    assert status(w.answer(one.request(0).text())) == 200
    assert status(w.answer(other.request(0).text())) == 200
    assert (w.last(LOG.name).size, w.last(second.name).size) == (2, 1)
    with refuses(Invalid, "proof.two-keys-of-a-log", name="example.org/federation"):
        Witness(WITNESS, [LOG.verifier(), Signer(LOG.name, b"\x06" * 32).verifier()], tmp_path)


@pytest.mark.parametrize("old", [-1, 2**63, 10**18, 3])
def test_sizes_no_log_has_are_refused(tmp_path: Path, old: int) -> None:
    log, w = Log(tmp_path), witness(tmp_path)
    log.grow(b"a", b"b")
    text = log.request(0).text().replace("old 0", f"old {old}")

    assert status(w.answer(text)) == 400
    huge = LOG.sign(Head(LOG.name, 10**18 - 1, EMPTY))
    assert status(w.answer(WitnessRequest(0, (), huge).text())) == 200  # the first tree is taken on trust
    assert status(w.answer(log.request(0).text())) == 409


def test_an_empty_tree_has_the_empty_root(tmp_path: Path) -> None:
    log, w = Log(tmp_path), witness(tmp_path)
    wrong = LOG.sign(Head(LOG.name, 0, bytes(32)))

    assert status(w.answer(WitnessRequest(0, (), wrong).text())) == 409
    assert status(w.answer(log.request(0).text())) == 200
    log.grow(b"a")
    assert status(w.answer(log.request(0).text())) == 200


def test_many_at_once_never_bring_a_witness_back(tmp_path: Path) -> None:
    log, w = Log(tmp_path), witness(tmp_path)
    log.grow(*(b"%d" % at for at in range(60)))
    requests = {size: log.request(0, size).text() for size in range(1, 61)}
    seen: list[int] = []

    def ask(part: int) -> None:
        for size in range(1 + part, 61, 4):
            old = w.last("example.org/federation").size
            text = log.request(old, size).text() if old <= size else requests[size]
            if status(w.answer(text)) == 200:
                seen.append(size)

    threads = [threading.Thread(target=ask, args=(part,)) for part in range(4)]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()

    assert w.last("example.org/federation").size == max(seen)
