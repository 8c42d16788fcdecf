"""A store as a whole: what lies in it beside the logs of its tournaments, and what was signed of it.

These tests are quick and free of chance, for ``tests/mutation/run.py`` runs them once for every mutant.
"""

from hashlib import sha256
from pathlib import Path

import pytest

from paircard.domain.log.store import Tournaments
from paircard.domain.log.stored import commitments
from paircard.domain.messages import say
from paircard.domain.proof import publishing
from paircard.domain.proof.bundles import take_in
from paircard.domain.proof.checkpoints import Checkpoint, keep_checkpoint
from paircard.domain.proof.publishing import batches
from paircard.service.review.stores import check_signed_trees, look_through
from paircard.service.review.verify import verify_stored
from paircard.service.transparency import publish_tree
from tests.audit.byhand import by_hand
from tests.audit.quiet import END, FEDERATION, HASHES, ID, NINE, ROWS, graves, note_of
from tests.audit.test_bundles import with_an_erasure
from tests.audit.test_who import LISTED

OTHER = "e" * 32
INSERT = "INSERT INTO stored_events VALUES (?, ?, ?, ?)"
PERSONAL = with_an_erasure()[:-1]


def opened(tmp_path: Path) -> Tournaments:
    return Tournaments(tmp_path / "open.db", create=True)


def hand(tmp_path: Path, statement: str, *values: object) -> None:
    by_hand(str(tmp_path / "open.db"), statement, *values)


def test_a_store_with_one_whole_tournament_and_its_checkpoints_is_sound(tmp_path: Path) -> None:
    with opened(tmp_path) as store:
        assert look_through(store)[0] == []
        take_in(store, ID, PERSONAL)
        keep_checkpoint(store, FEDERATION.sign(Checkpoint(ID, 1, store.log(ID)[0].hash)).text())

        ids, findings = look_through(store)

    assert ids == [ID]
    assert list(findings) == []


@pytest.mark.parametrize(
    ("id", "version", "topic"),
    [
        (OTHER, 2, "tournament-opened/1"),
        (OTHER, 1, "round-published/1"),
        ("short", 1, "tournament-opened/1"),
        (f"{OTHER}\n", 1, "tournament-opened/1"),
        (7, 1, "tournament-opened/1"),
    ],
)
def test_facts_that_do_not_open_a_tournament_belong_to_none(
    tmp_path: Path, id: object, version: int, topic: str
) -> None:
    with opened(tmp_path) as store:
        take_in(store, ID, ROWS)
        hand(tmp_path, INSERT, id, version, topic, ROWS[0].state)

        ids, findings = look_through(store)

    assert ids == [ID]
    assert list(findings) == [say("verify.of-no-tournament", text=str(id))]


def test_a_checkpoint_of_a_tournament_that_is_not_there_says_that_it_was(tmp_path: Path) -> None:
    with opened(tmp_path) as store:
        take_in(store, ID, ROWS)
        for tournament in (ID, OTHER, "d" * 32):
            keep_checkpoint(store, FEDERATION.sign(Checkpoint(tournament, 1, HASHES[0])).text())

        assert list(look_through(store)[1]) == [say("verify.orphan", text=gone) for gone in ("d" * 32, OTHER)]


def test_personal_parts_stand_beside_the_fact_that_commits_to_them_and_unchanged(tmp_path: Path) -> None:
    row = next(row for row in PERSONAL if len(row.parts) == 2)
    version, (piece, _) = row.originator_version, row.parts
    hash = sha256(piece).hexdigest()
    with opened(tmp_path) as store:
        take_in(store, ID, PERSONAL)
        hand(tmp_path, "INSERT INTO private VALUES (?, ?, ?, ?)", ID, version + 1, hash, piece)
        assert list(look_through(store)[1]) == [say("verify.stray-part", value=str(version + 1), text=ID)]
        hand(tmp_path, "DELETE FROM private WHERE version=? AND hash=?", version + 1, hash)
        for other in (piece + b" ", piece.decode(), None):
            hand(tmp_path, "UPDATE private SET bytes=? WHERE version=? AND hash=?", other, version, hash)
            assert list(look_through(store)[1]) == [say("verify.part-changed", value=str(version), text=ID)]


def test_a_fact_that_cannot_be_read_commits_to_nothing(tmp_path: Path) -> None:
    assert commitments(b'{"private":["a"]}') == ["a"]
    for rubbish in (b'{"private":["', b'{"private":[7]}', b'\xff"private":["'):
        assert commitments(rubbish) == []
    with opened(tmp_path) as store:
        take_in(store, ID, ROWS)
        for state in (None, "text", 7, b'{"private":["'):
            hand(tmp_path, "UPDATE stored_events SET state=? WHERE originator_version=7", state)
            assert list(look_through(store)[1]) == [], "verify tells it of the tournament"
            assert graves(verify_stored(store, ID)) == [("chain", 7)]


def test_everything_the_store_knows_is_held_against_a_log(tmp_path: Path) -> None:
    with opened(tmp_path) as store:
        take_in(store, ID, ROWS)
        keep_checkpoint(store, NINE)

        report = verify_stored(store, ID, [note_of(4)], [FEDERATION.verifier()], [f"2:{HASHES[1]}"])
        assert report.whole
        assert [(held.size, held.what) for held in report.held] == [
            (9, "checkpoint"), (4, "checkpoint"), (2, "printed head"),
        ]  # fmt: skip
        quiet = say("store.fault.foreign", kind="trigger", text="quiet")
        report = verify_stored(store, ID, around=[quiet], people=[LISTED])
        assert graves(report) == [("store", 0)]
        hand(tmp_path, "UPDATE stored_events SET rowid=-rowid WHERE originator_version=1")
        hand(tmp_path, "UPDATE checkpoints SET size=3")
        assert graves(verify_stored(store, ID)) == [("chain", 1), ("checkpoint", 9)]


def test_facts_are_read_in_batches_one_after_the_other(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(publishing, "BATCH", 4)
    with opened(tmp_path) as store:
        take_in(store, ID, ROWS)

        found = [[row.originator_version for row in rows] for rows in batches(store, 3, 18)]

    assert found == [[4, 5, 6, 7], [8, 9, 10, 11], [12, 13, 14, 15], [16, 17, 18]]


def test_what_was_signed_as_a_tree_is_still_there(tmp_path: Path) -> None:
    with opened(tmp_path) as store:
        assert list(check_signed_trees(store)) == []
        for length in (9, END - 1):
            take_in(store, ID, ROWS[:length])
            publish_tree(store, tmp_path / "tree", FEDERATION)
            assert list(check_signed_trees(store)) == []
        take_in(store, ID, ROWS)
        assert list(check_signed_trees(store)) == list(look_through(store)[1]) == []

        hand(tmp_path, "DELETE FROM stored_events WHERE originator_version>12")
        gone = say("verify.tree-longer", facts=END - 1, count=12)
        assert list(check_signed_trees(store)) == [gone]
        hand(tmp_path, "DELETE FROM stored_events WHERE originator_version>8")
        assert list(check_signed_trees(store)) == [
            say("verify.tree-longer", facts=size, count=8) for size in (9, END - 1)
        ]


def test_facts_that_are_not_those_of_a_signed_tree_are_told_once(tmp_path: Path) -> None:
    with opened(tmp_path) as store:
        for length in (9, END):
            take_in(store, ID, ROWS[:length])
            publish_tree(store, tmp_path / "tree", FEDERATION)
        hand(tmp_path, "UPDATE stored_events SET rowid=-rowid WHERE originator_version IN (4, 5)")
        hand(tmp_path, "UPDATE stored_events SET rowid=9+rowid WHERE rowid<0")
        hand(tmp_path, "UPDATE stored_events SET state=? WHERE originator_version=12", "text")

        assert list(check_signed_trees(store)) == [say("verify.tree-differs", facts=9)]


def test_a_signed_tree_over_a_fact_that_was_changed_is_list(tmp_path: Path) -> None:
    with opened(tmp_path) as store:
        take_in(store, ID, ROWS)
        publish_tree(store, tmp_path / "tree", FEDERATION)
        for state in ("text", ROWS[3].state, b"\xff"):
            hand(tmp_path, "UPDATE stored_events SET state=? WHERE originator_version=12", state)
            [damage] = list(check_signed_trees(store))
            assert damage == say("store.fact-changed", version=12, tournament=ID)
