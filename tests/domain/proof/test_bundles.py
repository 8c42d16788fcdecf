"""A tournament goes from store to store: what is taken in, and what an export carries.

These tests are quick and free of chance, for ``tests/mutation/run.py`` runs them once for every mutant.
"""

import sqlite3
from contextlib import closing
from pathlib import Path

import msgspec

from paircard.domain.errors import CorruptFile, Duplicate
from paircard.domain.log.store import Tournaments
from paircard.domain.log.stored import missing_parts
from paircard.domain.messages import say
from paircard.domain.proof.bundles import export_bundle, read_bundle, take_in
from paircard.domain.proof.checkpoints import Checkpoint, keep_checkpoint
from tests.audit.lives import rows
from tests.audit.quiet import END, FEDERATION, HASHES, ID, LOG, ROWS, note_of, resealed, unplaced
from tests.audit.test_bundles import with_an_erasure
from tests.refusals import refuses

ANOTHER = rows(resealed([*LOG[:5], msgspec.structs.replace(LOG[5], who="Somebody Else"), *LOG[6:]]))


def opened(tmp_path: Path, patience: float = 5.0) -> Tournaments:
    return Tournaments(tmp_path / "open.db", create=True, patience=patience)


def test_a_log_is_taken_in_and_later_what_it_has_more(tmp_path: Path) -> None:
    with opened(tmp_path) as store:
        assert take_in(store, ID, ROWS[:9]) == 9
        assert take_in(store, ID, ROWS) == END - 9
        assert take_in(store, ID, ROWS[:12]) == 0, "the store is ahead"
        assert unplaced(store.raw_log(ID)) == ROWS


def test_what_is_already_there_waits_for_nobody_who_writes(tmp_path: Path) -> None:
    with opened(tmp_path, patience=0.05) as store:
        take_in(store, ID, ROWS)
        with closing(sqlite3.connect(tmp_path / "open.db", isolation_level=None)) as other:
            other.execute("BEGIN IMMEDIATE")

            assert take_in(store, ID, ROWS) == 0


def test_two_stories_of_one_tournament_are_never_mixed(tmp_path: Path) -> None:
    with opened(tmp_path) as store:
        take_in(store, ID, ROWS[:9])
        for theirs in (ANOTHER, ANOTHER[:6]):
            with refuses(Duplicate, "proof.another-fact-here", version=6):
                take_in(store, ID, theirs)
        assert unplaced(store.raw_log(ID)) == ROWS[:9]


def test_a_log_that_is_damaged_or_makes_no_sense_is_not_taken(tmp_path: Path) -> None:
    line = ROWS[3].state.replace(b"Arbiter", b"Arbitre").replace(b"Deputy", b"Deputi")
    changed = [*ROWS[:3], msgspec.structs.replace(ROWS[3], state=line)]
    senseless = rows(resealed([LOG[0], LOG[0]]))
    with opened(tmp_path) as store:
        for wrong, why in (
            (changed, say("store.fact-changed", version=4)),
            (senseless, say("proof.does-not-follow", version=2)),
        ):
            with refuses(CorruptFile, why):
                take_in(store, ID, wrong)
        assert store.version(ID) == 0
        take_in(store, ID, ROWS)
        with refuses(CorruptFile, "store.fact-changed", version=4):
            take_in(store, ID, changed)


def test_the_same_facts_with_fewer_personal_parts_are_the_same_facts(tmp_path: Path) -> None:
    log = with_an_erasure()[:-1]
    bare = [msgspec.structs.replace(row, parts=()) for row in log]
    assert bare != log
    with opened(tmp_path) as store:
        take_in(store, ID, log)
        assert take_in(store, ID, bare) == 0
        assert not any(missing_parts(row) for row in store.raw_log(ID)), "none is lost"


def test_an_export_carries_checkpoints_of_its_facts_and_whatever_convicts_the_log(tmp_path: Path) -> None:
    forged = FEDERATION.sign(Checkpoint(ID, 12, HASHES[3])).text()
    with opened(tmp_path) as store:
        take_in(store, ID, ROWS)
        for size in (8, 9, 10):
            keep_checkpoint(store, note_of(size))

        content, against = export_bundle(store, ID, 9)
        assert against == []
        bundle = read_bundle(content)
        assert list(bundle.rows) == ROWS[:9]
        assert bundle.checkpoints == (note_of(8), note_of(9))

        content, against = export_bundle(store, ID, 9, [note_of(9), forged, note_of(11)])
        assert read_bundle(content).checkpoints == (note_of(8), note_of(9), forged)
        assert against == [say("proof.checkpoint-convicts", facts=12, what=say("proof.rewritten", facts=12))]
