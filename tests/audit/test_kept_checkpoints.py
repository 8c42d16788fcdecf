"""Checkpoints kept beside the log, in a file and in a database alike: carried along, never bent unseen."""

from pathlib import Path

import pytest

from paircard.domain.errors import Unreachable
from paircard.domain.log.store import Tournaments, prepare
from paircard.domain.messages import Message
from paircard.domain.proof.checkpoints import Checkpoint, keep_checkpoint, kept_checkpoints
from paircard.domain.proof.doctor import BAD, CARE, examine
from tests.audit.byhand import by_hand
from tests.audit.command_line import grow, ok, say, signed, wrong
from tests.audit.lives import life, rows
from tests.audit.quiet import ARBITER, END, HASHES, ID, ROWS, cut_off, note_of
from tests.refusals import refuses, sentence

OTHER = life(1, players=4, rounds=1)


@pytest.fixture
def store(location: str) -> str:
    """Two tournaments, the first with two checkpoints beside it."""
    grow(location, ID, ROWS)
    grow(location, OTHER[0].tournament, rows(OTHER))
    with Tournaments(location) as log:
        keep_checkpoint(log, note_of(9))
        keep_checkpoint(log, note_of(END, ARBITER))
    return location


def test_a_publication_leaves_a_checkpoint_on_either_store(location: str, tmp_path: Path) -> None:
    key = str(tmp_path / "arbiter.key")
    ok(location, "key", "new", "arbiter7", "-o", key)
    ok(location, "new", "Open", "--rounds", "3", "--as", "Anna")
    for name in ("Ada", "Bea", "Cid", "Dan"):
        ok(location, "player", "add", name, "--as", "Anna")
    ok(location, "draw", "--colour", "white", "--as", "Anna")
    ok(location, "pair", "--as", "Anna")

    said = ok(location, "publish", "1", "--key", key, "--as", "Anna")

    assert sentence("cli.said.checkpoint-signed", facts=9, name="arbiter7") in said.splitlines()
    with Tournaments(location) as log:
        [(id, _)] = log.names()
        [note] = kept_checkpoints(log, id)
        assert note.startswith(f"paircard/{id}\n{log.version(id)}\n")
    assert signed(9) in ok(location, "verify").splitlines()
    assert ", 1 checkpoint," in ok(location, "log", "export", str(tmp_path / "open.bundle"))
    there = tmp_path / "there.db"
    ok(there, "log", "import", str(tmp_path / "open.bundle"))
    with Tournaments(there) as log:
        assert kept_checkpoints(log, id) == [note]


def test_the_same_checkpoint_is_kept_once_and_they_come_in_order(store: str) -> None:
    with Tournaments(store) as log:
        keep_checkpoint(log, note_of(9))
        keep_checkpoint(log, note_of(2))

        assert kept_checkpoints(log, ID) == [note_of(2), note_of(9), note_of(END, ARBITER)]
        assert kept_checkpoints(log, OTHER[0].tournament) == []


def test_a_checkpoint_with_many_signatures_is_kept_too(store: str) -> None:
    """An index of PostgreSQL takes no row above 2,700 bytes."""
    note = note_of(5)
    note += note.splitlines(keepends=True)[-1] * 200
    with Tournaments(store) as log:
        keep_checkpoint(log, note)

        assert note in kept_checkpoints(log, ID)


def stored_as(size: str, tournament: str) -> Message:
    """The checkpoint of nine facts is not that of its row."""
    return Message("proof.mislabelled", {"facts": 9, "value": size, "tournament": tournament})


@pytest.mark.parametrize(
    ("statement", "told"),
    [
        ("UPDATE {}checkpoints SET size=3 WHERE size=9", stored_as("3", ID)),
        (
            f"UPDATE {{}}checkpoints SET tournament='{OTHER[0].tournament}' WHERE size=9",
            stored_as("9", OTHER[0].tournament),
        ),
        (f"UPDATE {{}}checkpoints SET tournament='{'e' * 32}' WHERE size=9", stored_as("9", "e" * 32)),
        ("UPDATE {}checkpoints SET tournament=NULL WHERE size=9", stored_as("9", "None")),
        ("UPDATE {}checkpoints SET size=NULL WHERE size=9", stored_as("None", ID)),
        ("UPDATE {}checkpoints SET note=NULL WHERE size=9", Message("proof.not-a-checkpoint")),
        ("UPDATE {}checkpoints SET note='x' WHERE size=9", Message("proof.not-a-checkpoint")),
    ],
)
def test_every_column_of_a_kept_checkpoint_that_was_edited_is_told(
    store: str, statement: str, told: Message
) -> None:
    assert say(store, "verify", "-t", ID).code == 0
    by_hand(store, statement)

    one, every = say(store, "verify", "-t", ID), say(store, "verify", "--all")

    assert (one.code, every.code) == (1, 1)
    assert wrong(told) in one.out.splitlines()
    assert wrong(told) in every.out.splitlines()
    assert any(finding.about == "checkpoints" for finding in examine(store) if finding.state == BAD)


def test_a_log_cut_shorter_than_its_kept_checkpoints_is_told_by_all(store: str) -> None:
    by_hand(store, "DELETE FROM {}stored_events WHERE originator_id=? AND originator_version>12", ID)

    assert wrong(cut_off(END, 12)) in say(store, "verify", "-t", ID).out.splitlines()
    assert say(store, "verify", "--all").code == 1
    bad = [(finding.code, finding.fields) for finding in examine(store) if finding.state == BAD]
    assert ("proof.doctor.misfit", {"tournament": ID, "what": cut_off(END, 12)}) in bad


def test_a_tournament_taken_out_but_not_its_checkpoints_is_missed(store: str) -> None:
    by_hand(store, "DELETE FROM {}stored_events WHERE originator_id=?", ID)

    said = say(store, "verify", "--all")

    assert said.code == 1
    orphan = sentence("cli.verify.store-wrong", what=Message("verify.orphan", {"text": ID}))
    assert orphan in said.out.splitlines()
    found = [(finding.code, finding.fields) for finding in examine(store)]
    assert ("proof.doctor.of-no-facts", {"tournament": ID}) in found


@pytest.mark.parametrize("index", ["catalogue_name", "catalogue_position", "words_by_word"])
def test_without_an_index_everything_is_said_as_before(store: str, index: str) -> None:
    before = [ok(store, *words) for words in (("verify", "-t", ID), ("verify", "--all"), ("list",))]
    by_hand(store, f"DROP INDEX {{}}{index}")

    assert [ok(store, *words) for words in (("verify", "-t", ID), ("verify", "--all"), ("list",))] == before
    [told] = [finding for finding in examine(store) if finding.state == CARE and finding.about == "tables"]
    assert (told.code, told.fields) == ("proof.doctor.tables-missing", {"known": [index]})
    assert prepare(store), "init mends it"
    assert not prepare(store)
    assert not any(finding.state == CARE and finding.about == "tables" for finding in examine(store))


def test_an_index_of_this_name_that_holds_something_else_hides_nothing(tmp_path: Path) -> None:
    path = tmp_path / "events.db"
    grow(path, ID, ROWS)
    before = ok(path, "list")
    by_hand(str(path), "DROP INDEX catalogue_first")
    by_hand(str(path), "CREATE INDEX catalogue_first ON catalogue (first) WHERE name='nothing'")

    assert ok(path, "list") == before
    assert say(path, "verify").code == 0


def test_a_store_without_the_table_of_checkpoints_gets_it(store: str) -> None:
    """A file when something is kept, as those of earlier programs do; a database by init, like all tables."""
    by_hand(store, "DROP TABLE {}checkpoints")
    with Tournaments(store) as log:
        assert kept_checkpoints(log, ID) == []
        if store.startswith("postgresql"):
            with refuses(Unreachable, "store.server", cause="no-tables"):
                keep_checkpoint(log, note_of(9))
            assert prepare(store)
        keep_checkpoint(log, note_of(9))
        assert kept_checkpoints(log, ID) == [note_of(9)]


def test_an_honest_store_with_checkpoints_is_never_flagged(store: str) -> None:
    facts = END + len(OTHER)
    sound = sentence("cli.verify.all", there=2, facts=facts, number=0, count=0)
    assert ok(store, "verify", "--all").splitlines()[-1] == sound
    assert [finding for finding in examine(store) if finding.state == BAD] == []
    with Tournaments(store) as log:
        keep_checkpoint(log, ARBITER.sign(Checkpoint(ID, 1, HASHES[0])).text())
    assert say(store, "verify", "-t", ID).code == 0
