"""The tree of a store goes on from what was signed before, or is not published at all.

These tests are quick and free of chance, for ``tests/mutation/run.py`` runs them once for every mutant.
"""

from http import HTTPStatus
from pathlib import Path

import msgspec
import pytest

from paircard.domain.errors import CorruptFile, Invalid, Unknown
from paircard.domain.log.store import Tournaments
from paircard.domain.log.stored import StoredFact, seal
from paircard.domain.messages import say
from paircard.domain.proof.bundles import take_in
from paircard.domain.proof.note import COSIGNATURE, Head, Signature, Signer, is_signed
from paircard.domain.proof.publishing import (
    Published,
    Witness,
    WitnessAnswer,
    WitnessContact,
    WitnessRequest,
    prove,
    publish,
    signed_before,
    verify_folder,
)
from paircard.domain.proof.tree import TileFolder
from tests.audit.byhand import by_hand
from tests.audit.quiet import END, ID, ROWS
from tests.audit.quiet import LOG as RECORDED
from tests.audit.test_bundles import with_an_erasure
from tests.proofs import proven
from tests.refusals import refuses

LOG = Signer("example.org/federation", bytes(range(32)))
KEY = LOG.verifier()
WITNESS = Signer("witness1.example", b"\x01" * 32)
SEEN = WITNESS.verifier(COSIGNATURE)


class Counting(Tournaments):
    """A store that counts the facts that are read from it in their order."""

    handed_out = 0

    def rows_by_position(self, after: int, limit: int, upto: int | None = None) -> list[StoredFact]:
        found = super().rows_by_position(after, limit, upto)
        self.handed_out += len(found)
        return found


def opened(tmp_path: Path, facts: int = 9) -> Counting:
    store = Counting(tmp_path / "open.db", create=True)
    take_in(store, ID, ROWS[:facts])
    return store


def tree(tmp_path: Path) -> TileFolder:
    return TileFolder(tmp_path / "tree")


def hand(tmp_path: Path, statement: str, *values: object) -> None:
    by_hand(str(tmp_path / "open.db"), statement, *values)


def grown(store: Counting, tmp_path: Path) -> Published:
    """The store with all of its facts, published."""
    take_in(store, ID, ROWS)
    store.handed_out = 0
    done = publish(store, tree(tmp_path), LOG)
    assert verify_folder(tree(tmp_path), KEY).head == done.note.head
    assert (done.note.head.size, done.added) == (END, END - 9)
    return done


def test_a_tree_goes_on_with_the_new_facts_alone(tmp_path: Path) -> None:
    with opened(tmp_path) as store:
        first = publish(store, tree(tmp_path), LOG)
        assert (first.note.head.size, first.added) == (9, 9)
        again = publish(store, tree(tmp_path), LOG)
        assert (again.note, again.added) == (first.note, 0)

        done = grown(store, tmp_path)

        assert store.handed_out == 1 + END - 9, "the last fact that was signed, and what came after it"
        assert [size for size, _, _ in store.backend.signed_trees()] == [9, END]
        assert done.note.text() == store.backend.signed_trees()[-1][2]


def test_nothing_is_published_of_a_store_without_facts(tmp_path: Path) -> None:
    with (
        Tournaments(tmp_path / "open.db", create=True) as store,
        refuses(Unknown, "proof.nothing-to-publish"),
    ):
        publish(store, tree(tmp_path), LOG)


@pytest.mark.parametrize("what", ["tile/0/000.p/9", "tile/entries/000.p/9", "checkpoint"])
def test_what_the_folder_has_lost_is_made_again_from_the_facts(tmp_path: Path, what: str) -> None:
    with opened(tmp_path) as store:
        first = publish(store, tree(tmp_path), LOG)
        (tmp_path / "tree" / what).unlink()

        assert publish(store, tree(tmp_path), LOG).note == first.note
        assert verify_folder(tree(tmp_path), KEY) == first.note
        grown(store, tmp_path)


def test_an_entry_of_the_folder_that_was_changed_is_made_again(tmp_path: Path) -> None:
    with opened(tmp_path) as store:
        publish(store, tree(tmp_path), LOG)
        for name in ("tile/entries/000.p/9", "tile/0/000.p/9"):
            file = tmp_path / "tree" / name
            content = file.read_bytes()
            file.write_bytes(content[:-3] + b"xx\n")

            publish(store, tree(tmp_path), LOG)

            assert file.read_bytes() == content


def test_the_folder_remembers_what_the_store_has_forgotten(tmp_path: Path) -> None:
    with opened(tmp_path) as store:
        first = publish(store, tree(tmp_path), LOG)
        hand(tmp_path, "DELETE FROM signed_trees")
        known = signed_before(store, tree(tmp_path), KEY)
        assert [(note.head.size, position) for note, position in known] == [(9, 0)]
        assert publish(store, tree(tmp_path), LOG).note == first.note


def test_the_larger_of_two_trees_counts_that_store_and_folder_know(tmp_path: Path) -> None:
    with opened(tmp_path) as store:
        publish(store, tree(tmp_path), LOG)
        done = grown(store, tmp_path)
        hand(tmp_path, "DELETE FROM signed_trees WHERE size>9")
        assert [note.head.size for note, _ in signed_before(store, tree(tmp_path), KEY)] == [9, END]
        assert publish(store, tree(tmp_path), LOG).note == done.note
        hand(tmp_path, "DELETE FROM stored_events WHERE originator_version>12")
        with refuses(CorruptFile, "proof.store-lost-facts", number=END):
            publish(store, tree(tmp_path), LOG)


@pytest.mark.parametrize(
    ("statement", "lost"),
    [
        ("DELETE FROM stored_events WHERE originator_version>8", False),
        ("DELETE FROM stored_events WHERE originator_version>8", True),
        ("UPDATE stored_events SET rowid=30 WHERE originator_version=4", True),
    ],
)
def test_a_store_that_no_longer_gives_what_was_signed_is_not_published(
    tmp_path: Path, statement: str, lost: bool
) -> None:
    with opened(tmp_path) as store:
        publish(store, tree(tmp_path), LOG)
        published = tree(tmp_path).checkpoint()
        if lost:
            (tmp_path / "tree" / "tile/0/000.p/9").unlink()
        hand(tmp_path, statement)

        with refuses(CorruptFile, "proof.store-lost-facts", number=9):
            publish(store, tree(tmp_path), LOG)
        assert tree(tmp_path).checkpoint() == published


def test_a_last_fact_that_was_rewritten_is_not_published(tmp_path: Path) -> None:
    other = seal(msgspec.structs.replace(RECORDED[8], who="Somebody Else"), RECORDED[7].hash)
    with opened(tmp_path) as store:
        publish(store, tree(tmp_path), LOG)
        hand(tmp_path, "UPDATE stored_events SET state=? WHERE originator_version=9", other.stored.state)

        with refuses(CorruptFile, "proof.store-lost-facts", number=9):
            publish(store, tree(tmp_path), LOG)


def test_a_last_fact_that_was_moved_to_the_front_is_not_published(tmp_path: Path) -> None:
    with opened(tmp_path) as store:
        publish(store, tree(tmp_path), LOG)
        hand(tmp_path, "UPDATE stored_events SET rowid=0 WHERE originator_version=9")
        hand(tmp_path, "DELETE FROM signed_trees")

        with refuses(CorruptFile, "proof.store-lost-facts", number=9):
            publish(store, tree(tmp_path), LOG)


def test_a_last_fact_that_moved_on_is_not_published_twice(tmp_path: Path) -> None:
    """As after a restore that leaves a gap in the positions: the order is the same."""
    with opened(tmp_path) as store:
        first = publish(store, tree(tmp_path), LOG)
        hand(tmp_path, "UPDATE stored_events SET rowid=30 WHERE originator_version=9")

        assert publish(store, tree(tmp_path), LOG).note == first.note
        grown(store, tmp_path)


def test_a_tree_is_continued_by_its_own_key_alone(tmp_path: Path) -> None:
    with opened(tmp_path) as store:
        publish(store, tree(tmp_path), LOG)
        for stranger in (Signer(LOG.name, b"\x09" * 32), Signer("example.org/other", bytes(range(32)))):
            with refuses(Invalid, "proof.tree-of-another-key", name="example.org/federation"):
                publish(store, tree(tmp_path), stranger)
        head = Head("example.org/other", 9, bytes(32))
        tree(tmp_path).write_checkpoint(LOG.sign(head).text())
        with refuses(
            Invalid, "proof.tree-of-another-key", name="example.org/other", who="example.org/federation"
        ):
            publish(store, tree(tmp_path), LOG)
        tree(tmp_path).write_checkpoint("scribbled over")
        with refuses(CorruptFile, "proof.checkpoint-damaged", what=say("proof.not-a-checkpoint")):
            publish(store, tree(tmp_path), LOG)
        (tmp_path / "tree" / "checkpoint").unlink()
        hand(tmp_path, "UPDATE signed_trees SET size=8")
        with refuses(
            Invalid, "proof.tree-of-another-key", name="example.org/federation", who="example.org/federation"
        ):
            publish(store, tree(tmp_path), LOG)


def witnessed(tmp_path: Path, *contacts: WitnessContact) -> Published:
    with Tournaments(tmp_path / "open.db") as store:
        return publish(store, tree(tmp_path), LOG, contacts)


def test_a_witness_signs_what_grew_from_what_it_signed(tmp_path: Path) -> None:
    witness, sizes = Witness(WITNESS, [KEY], tmp_path / "state"), list[int]()

    def ask(request: WitnessRequest) -> WitnessAnswer:
        sizes.append(request.old_size)
        return witness.answer(request.text())

    contact = WitnessContact(SEEN, ask)
    opened(tmp_path).close()
    for facts, asked in ((9, [0]), (9, [9]), (12, [9]), (END, [12])):
        sizes.clear()
        opened(tmp_path, facts).close()
        done = witnessed(tmp_path, contact)
        assert (done.cosigned_by, done.refused_by, sizes) == (("witness1.example",), (), asked)
        assert verify_folder(tree(tmp_path), KEY, [SEEN]).head.size == facts
    (tmp_path / "tree" / "checkpoint").unlink()
    sizes.clear()
    assert witnessed(tmp_path, contact).cosigned_by == ("witness1.example",)
    assert sizes == [0, END], "it says what it has signed, and is asked once more"
    assert witnessed(tmp_path).cosigned_by == ()
    assert verify_folder(tree(tmp_path), KEY, [SEEN]), "its signature of before stays under the same tree"


def test_only_its_own_right_signature_is_taken_from_a_witness(tmp_path: Path) -> None:
    opened(tmp_path).close()
    other = Signer("witness2.example", b"\x02" * 32)
    witnesses = {one.name: Witness(one, [KEY], tmp_path / one.name) for one in (WITNESS, other)}

    def answering(status: HTTPStatus, body: str) -> WitnessContact:
        return WitnessContact(SEEN, lambda _: WitnessAnswer(status, body))

    for contact, why in (
        (
            WitnessContact(SEEN, lambda it: witnesses[other.name].answer(it.text())),
            "its answer is not a signature of its key",
        ),
        (
            answering(HTTPStatus.OK, Signature(SEEN.name, "31323334", bytes(72)).line()),
            "its answer is not a signature of its key",
        ),
        (answering(HTTPStatus.OK, "rubbish\n"), "'rubbish' is not a signature line"),
        (answering(HTTPStatus.NOT_FOUND, "who are you?\n"), "404 who are you?"),
        (answering(HTTPStatus.CONFLICT, "12\n"), "it has signed a tree of 12 facts, this one has 9"),
        (answering(HTTPStatus.CONFLICT, "9\n"), "409 9"),
        (answering(HTTPStatus.CONFLICT, "another tree\n"), "409 another tree"),
        (answering(HTTPStatus.CONFLICT, "x" * 300), "409 " + "x" * 200),
    ):
        done = witnessed(tmp_path, contact)
        assert (done.cosigned_by, done.refused_by) == ((), (f"witness1.example: {why}",))

    def adding(request: WitnessRequest) -> WitnessAnswer:
        answer = witnesses[WITNESS.name].answer(request.text())
        [own] = request.note.signatures
        return WitnessAnswer(answer.status, Signature(own.name, own.key_id, bytes(64)).line() + answer.body)

    note = witnessed(tmp_path, WitnessContact(SEEN, adding)).note
    assert is_signed(note, KEY)
    assert is_signed(note, SEEN)


@pytest.mark.parametrize(("status", "asked"), [(HTTPStatus.CONFLICT, [0, 5]), (HTTPStatus.NOT_FOUND, [0])])
def test_a_witness_is_asked_once_more_if_it_names_a_size_and_never_again(
    tmp_path: Path, status: HTTPStatus, asked: list[int]
) -> None:
    opened(tmp_path).close()
    sizes = list[int]()

    def ask(request: WitnessRequest) -> WitnessAnswer:
        sizes.append(request.old_size)
        return WitnessAnswer(status, "5\n")

    done = witnessed(tmp_path, WitnessContact(SEEN, ask))

    assert sizes == asked
    assert done.refused_by == (f"witness1.example: {status.value} 5",)


def test_a_proof_carries_the_name_of_a_player_and_nothing_else_that_is_personal(tmp_path: Path) -> None:
    rows = with_an_erasure()[:-1]
    with Tournaments(tmp_path / "open.db", create=True) as store:
        take_in(store, ID, rows)
        publish(store, tree(tmp_path), LOG)
        for row in store.rows_by_position(0, END):
            proof = prove(store, tree(tmp_path), row)
            assert proven(proof.text(), KEY)
            named = [piece for piece in row.parts if b'"name"' in piece]
            assert list(proof.pieces) == named
            assert len(named) == (row.topic == "player-registered/1")


def test_every_published_fact_is_proven_and_no_other(tmp_path: Path) -> None:
    with opened(tmp_path) as store:
        with refuses(Unknown, "proof.no-tree"):
            prove(store, tree(tmp_path), store.rows_by_position(0, 1)[0])
        publish(store, tree(tmp_path), LOG)
        take_in(store, ID, ROWS)
        hand(tmp_path, "UPDATE stored_events SET rowid=rowid*3+100")
        for row in store.rows_by_position(0, END):
            version = row.originator_version
            if version <= 9:
                proof = prove(store, tree(tmp_path), row)
                assert proof.index == version - 1
                assert proven(proof.text(), KEY)
            else:
                with refuses(Unknown, "proof.not-published-yet", version=version):
                    prove(store, tree(tmp_path), row)
