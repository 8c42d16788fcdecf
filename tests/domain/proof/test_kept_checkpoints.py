"""Checkpoints beside the log: kept once, in order, and told where their row or the log was changed.

These tests are quick and free of chance, for ``tests/mutation/run.py`` runs them once for every mutant.
"""

from pathlib import Path

from paircard.domain.errors import CorruptFile
from paircard.domain.log.backends.base import CheckpointRow
from paircard.domain.log.store import Tournaments
from paircard.domain.messages import say
from paircard.domain.proof.bundles import take_in
from paircard.domain.proof.checkpoints import (
    keep_checkpoint,
    kept_checkpoints,
    misfits,
    mislabelled,
    read,
    texts,
)
from tests.audit.quiet import END, HASHES, ID, NINE, ROWS, cut_off, note_of
from tests.refusals import refuses

OTHER = "e" * 32
FOUR = note_of(4)


def test_a_kept_checkpoint_is_kept_once_and_they_come_in_the_order_of_their_size(tmp_path: Path) -> None:
    last = note_of(END)
    with Tournaments(tmp_path / "open.db", create=True) as store:
        take_in(store, ID, ROWS)
        for note in (last, NINE, FOUR, NINE):
            keep_checkpoint(store, note)

        assert {*store.backend.stored_checkpoints(ID)} == {(ID, 4, FOUR), (ID, 9, NINE), (ID, END, last)}
        assert len(store.backend.stored_checkpoints(ID)) == 3
        assert kept_checkpoints(store, ID) == [FOUR, NINE, last]
        assert kept_checkpoints(store, OTHER) == []
        store.keep_note(OTHER, 4, FOUR)
        assert kept_checkpoints(store, OTHER) == [], "its text is of another tournament"
        store.keep_note(ID, 5, "scribbled over")
        with refuses(CorruptFile, "proof.stored-checkpoint-unreadable", tournament=ID):
            kept_checkpoints(store, ID)


def test_notes_come_each_once_and_what_nobody_can_read_comes_first() -> None:
    labels: list[CheckpointRow] = [
        (ID, 9, NINE),
        (ID, 4, FOUR),
        (OTHER, 9, NINE),
        (ID, 1, "~"),
        (ID, 2, None),
    ]

    assert texts(labels) == ["None", "~", FOUR, NINE]
    assert texts([(ID, 9, note_of(1)), (ID, 1, "~")]) == ["~", note_of(1)]
    for note in ("scribbled over", None, 7, NINE.encode()):
        assert read(note) is None


def test_a_row_that_says_something_else_than_its_text_was_changed() -> None:
    labels: list[CheckpointRow] = [
        (ID, 9, NINE),
        (ID, 3, NINE),
        (OTHER, 4, FOUR),
        (None, 4, FOUR),
        (ID, 1, "~"),
    ]

    assert list(mislabelled(labels)) == [
        (9, say("proof.mislabelled", facts=9, value="3", tournament=ID)),
        (4, say("proof.mislabelled", facts=4, value="4", tournament=OTHER)),
        (4, say("proof.mislabelled", facts=4, value="4", tournament="None")),
    ]


def test_what_a_log_and_its_notes_have_against_each_other() -> None:
    honest: list[CheckpointRow] = [(ID, 9, NINE), (ID, 4, FOUR)]
    assert misfits(honest, ID, HASHES) == []

    found = misfits([(ID, 3, FOUR), (ID, 9, NINE), (ID, 1, "~")], ID, HASHES[:8])

    assert found == [
        (4, say("proof.mislabelled", facts=4, value="3", tournament=ID)),
        (9, cut_off(9, 8)),
        (0, say("proof.row-changed")),
    ]
