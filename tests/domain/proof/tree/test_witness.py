"""A witness signs growth and refuses rollback, split view and rewriting."""

import random
import threading
from http import HTTPStatus
from pathlib import Path

from paircard.domain.proof.checkpoints import Signer
from paircard.domain.proof.tree.merkle import prove_consistency, root
from paircard.domain.proof.tree.notes import COSIGNATURE, TreeHead, is_signed, parse_signatures, sign
from paircard.domain.proof.tree.tiles import TileFolder
from paircard.domain.proof.tree.witness import Witness, WitnessAnswer, WitnessRequest

LOG = Signer("example.org/federation", bytes(range(32)))
WITNESS = Signer("witness1.example", b"\x01" * 32)


class Log:
    """A log that can lie: its tree, and requests to a witness."""

    def __init__(self, folder: Path, name: str = "tree", signer: Signer = LOG) -> None:
        self.tiles, self.size, self.signer = TileFolder(folder / name), 0, signer

    def grow(self, *entries: bytes) -> None:
        self.size = self.tiles.grow(self.size, entries)

    def request(self, old: int, size: int | None = None) -> WitnessRequest:
        size = self.size if size is None else size
        hashes = self.tiles.hashes_of_size(size)
        head = TreeHead("example.org/federation", size, root(size, hashes))
        proof = prove_consistency(old, size, hashes) if old <= size else []
        return WitnessRequest(old, tuple(proof), sign(head, self.signer))


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
        assert is_signed(signed, WITNESS.verifier(), COSIGNATURE)
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

    assert status(w.answer(other.request(3).text())) == 422
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
