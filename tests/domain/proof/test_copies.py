"""A tournament is copied from store to store: the same facts, or none.

These tests are quick and free of chance, for ``tests/mutation/run.py`` runs them once for every mutant.
"""

import sqlite3
from contextlib import closing
from pathlib import Path

import msgspec
import pytest

from paircard.domain.errors import CorruptFile, Duplicate, Invalid, Unknown
from paircard.domain.log.store import Tournaments
from paircard.domain.log.stored import StoredFact, decode_chain, erased_parts
from paircard.domain.proof.bundles import take_in
from paircard.domain.proof.checkpoints import keep_checkpoint, kept_checkpoints
from paircard.domain.proof.copies import Copied, checked, copy
from tests.audit.byhand import by_hand
from tests.audit.lives import rows
from tests.audit.quiet import END, HASHES, ID, LOG, NINE, ROWS, resealed, unplaced
from tests.audit.test_bundles import with_an_erasure
from tests.refusals import refuses

ANOTHER = rows(resealed([*LOG[:5], msgspec.structs.replace(LOG[5], who="Somebody Else"), *LOG[6:]]))


def opened(path: Path, log: list[StoredFact], patience: float = 5.0) -> Tournaments:
    store = Tournaments(path, create=True, patience=patience)
    if log:
        take_in(store, ID, log)
    return store


def test_a_copy_has_the_facts_and_checkpoints_of_its_source(tmp_path: Path) -> None:
    with opened(tmp_path / "here.db", ROWS) as here, opened(tmp_path / "there.db", []) as there:
        keep_checkpoint(here, NINE)

        assert copy(ID, here, there) == Copied(ID, END, HASHES[-1], END)
        assert unplaced(there.raw_log(ID)) == ROWS
        assert kept_checkpoints(there, ID) == [NINE]
    assert checked(tmp_path / "there.db") == [Copied(ID, END, HASHES[-1], 0)]


@pytest.mark.parametrize(("ours", "theirs"), [(9, 4), (9, 9), (4, 9)])
def test_a_copy_adds_what_is_new_and_leaves_what_is_there(tmp_path: Path, ours: int, theirs: int) -> None:
    longest = max(ours, theirs)
    with (
        opened(tmp_path / "here.db", ROWS[:ours]) as here,
        opened(tmp_path / "there.db", ROWS[:theirs]) as there,
    ):
        assert copy(ID, here, there) == Copied(ID, longest, HASHES[longest - 1], longest - theirs)
        assert unplaced(there.raw_log(ID)) == ROWS[:longest]


def test_a_copy_of_what_is_there_waits_for_nobody_who_writes(tmp_path: Path) -> None:
    with (
        opened(tmp_path / "here.db", ROWS) as here,
        opened(tmp_path / "there.db", ROWS, patience=0.05) as there,
        closing(sqlite3.connect(tmp_path / "there.db", isolation_level=None)) as other,
    ):
        other.execute("BEGIN IMMEDIATE")

        assert copy(ID, here, there).new == 0


def test_a_tournament_that_went_on_in_both_places_is_not_mixed(tmp_path: Path) -> None:
    for length in (6, 9, END):
        there_path = tmp_path / f"there{length}.db"
        with opened(tmp_path / "here.db", ROWS[:9]) as here, opened(there_path, ANOTHER[:length]) as there:
            with refuses(Duplicate, "proof.went-on-in-both"):
                copy(ID, here, there)
            assert unplaced(there.raw_log(ID)) == ANOTHER[:length]


def test_only_a_whole_tournament_is_copied(tmp_path: Path) -> None:
    with opened(tmp_path / "here.db", ROWS) as here, opened(tmp_path / "there.db", []) as there:
        with pytest.raises(Unknown):
            copy("e" * 32, here, there)
        with pytest.raises(Invalid):
            here.verify_chain("short")
        by_hand(str(tmp_path / "here.db"), "DELETE FROM stored_events WHERE originator_version=7")
        with refuses(CorruptFile, "store.fact-missing", version=7):
            copy(ID, here, there)
        assert there.version(ID) == 0
    with pytest.raises(CorruptFile):
        checked(tmp_path / "here.db")


def test_facts_are_added_only_where_they_follow(tmp_path: Path) -> None:
    """Whatever the caller has checked: the store checks again, when nobody else can write."""
    with opened(tmp_path / "open.db", ROWS[:9]) as store:
        assert store.state(ID).version == 9
        for wrong, why in (
            (ROWS[10:], "store.fact-missing"),
            (ROWS[8:], "store.fact-missing"),
            (ANOTHER[9:], "store.fact-changed"),
        ):
            with refuses(CorruptFile, why, version=10):
                store.add_stored(ID, wrong)
        assert store.version(ID) == 9
        store.add_stored(ID, ROWS[9:])
        assert unplaced(store.raw_log(ID)) == ROWS
        assert store.state(ID).version == END
        with pytest.raises(Invalid):
            store.add_stored("short", ROWS)


def test_what_copied_facts_say_was_erased_is_not_there_after_it(tmp_path: Path) -> None:
    log = with_an_erasure()
    [(version, _)] = erased_parts(decode_chain(ID, log))
    with opened(tmp_path / "open.db", log[:-1]) as store:
        before = len(store.raw_log(ID)[version - 1].parts)
        store.add_stored(ID, log[-1:])
        assert len(store.raw_log(ID)[version - 1].parts) == before - 1
