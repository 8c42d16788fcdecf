"""The tamper matrix: every column of every row edited, rows swapped, deleted, cut off, history rewritten.

What shows by itself and what shows only against something held elsewhere are kept apart: the second part
says, and tests, what nobody can see from the file alone.
"""

import random
import shutil
import sqlite3
from collections.abc import Callable, Iterator
from contextlib import closing
from itertools import pairwise
from pathlib import Path

import msgspec
import pytest

from paircard.domain.events import Recorded
from paircard.domain.log.stored import GENESIS, seal
from paircard.domain.messages import Message
from paircard.domain.proof.checkpoints import Checkpoint, consistent, printed
from paircard.domain.proof.note import Signer
from paircard.service.review.verify import verify
from tests.audit.command_line import grow, ok, say, wrong
from tests.audit.lives import life, rows
from tests.audit.quiet import LOG, cut_off
from tests.refusals import sentence

ID = LOG[0].tournament
SEVERAL = 2
"""Tournaments in the file."""
Row = tuple[int, object, object, object, object]
"""rowid, id, version, topic, stored bytes."""


@pytest.fixture(scope="module")
def whole(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A file with two tournaments, the second of which is tampered with."""
    path = tmp_path_factory.mktemp("whole") / "events.db"
    for log in (life(1, players=4, rounds=1), list(LOG)):
        grow(path, log[0].tournament, rows(log))
    assert ok(path, "verify", "--all").startswith(f"{SEVERAL} tournaments")
    with closing(sqlite3.connect(path)) as db:
        db.execute("PRAGMA journal_mode=DELETE")
    return path


def table(path: Path) -> list[Row]:
    with closing(sqlite3.connect(path)) as db:
        return db.execute(
            "SELECT rowid, * FROM stored_events WHERE originator_id=? ORDER BY originator_version", (ID,)
        ).fetchall()


def tampered(whole: Path, folder: Path, *statements: tuple[str, tuple[object, ...]]) -> Path:
    """A copy of the file with a hand laid on it."""
    path = folder / "tampered.db"
    shutil.copy(whole, path)
    with closing(sqlite3.connect(path, isolation_level=None)) as db:
        for statement, values in statements:
            db.execute(statement, values)
    return path


def with_byte(stored: bytes, at: int) -> bytes:
    return stored[:at] + bytes([stored[at] ^ 1]) + stored[at + 1 :]


def edits(row: Row) -> Iterator[tuple[str, str, object]]:
    """Column, what was done, new value."""
    _, id, version, topic, stored = row
    assert isinstance(stored, bytes)
    assert isinstance(version, int)
    yield "originator_id", "another id", "e" * 32
    yield "originator_id", "another case", str(id).upper().replace("7EA", "7eA") + " "
    yield "originator_id", "nothing", None
    yield "originator_id", "bytes", str(id).encode()
    yield "originator_version", "far", version + 1000
    yield "originator_version", "zero", 0
    yield "originator_version", "negative", -version
    yield "originator_version", "half", version + 0.5
    yield "originator_version", "text", "second"
    yield "originator_version", "nothing", None
    yield "topic", "another", "round-completed/1" if topic != "round-completed/1" else "round-published/1"
    yield "topic", "newer", str(topic).replace("/1", "/2")
    yield "topic", "nothing", None
    yield "state", "text", stored.decode()
    yield "state", "nothing", None
    yield "state", "empty", b""
    yield "state", "cut", stored[:-1]
    yield "state", "longer", stored + b" "
    for member in (b'"fact":', b'"who":"', b'"when":"', b'"why":"', b'"command_id":"', b'"acknowledged":['):
        yield "state", member.decode(), with_byte(stored, stored.index(member) + len(member))
    yield "state", "previous", with_byte(stored, len(stored) - 140)
    yield "state", "hash", with_byte(stored, len(stored) - 3)
    yield "state", "a blank in it", stored.replace(b'"who":', b'"who": ', 1)


@pytest.mark.parametrize("every", [4, pytest.param(1, marks=pytest.mark.soak)])
def test_every_edit_of_every_column_of_every_row_is_detected(whole: Path, tmp_path: Path, every: int) -> None:
    """The suite tries each edit on every fourth row; a long run tries all."""
    tried = 0
    for number, row in enumerate(table(whole)):
        for column, what, value in list(edits(row))[-number % every :: every]:
            change = f"UPDATE stored_events SET {column}=? WHERE rowid=?"
            path = tampered(whole, tmp_path, (change, (value, row[0])))

            said = say(path, "verify", "--all")

            assert said.code == 1, (row[2], column, what, said)
            assert "Traceback" not in said.err
            assert "internal error" not in said.err, (row[2], column, what, said)
            tried += 1
    assert tried >= len(LOG) * 27 // every - len(LOG)


def test_every_byte_of_a_stored_fact_counts(whole: Path, tmp_path: Path) -> None:
    row = table(whole)[10]
    stored = row[4]
    assert isinstance(stored, bytes)
    good = rows(list(LOG))
    for at in range(len(stored)):
        changed = [*good[:10], msgspec.structs.replace(good[10], state=with_byte(stored, at)), *good[11:]]
        assert not verify(ID, changed).whole, at


def test_every_row_deleted_but_the_last_is_detected(whole: Path, tmp_path: Path) -> None:
    for row in table(whole)[:-1]:
        path = tampered(whole, tmp_path, ("DELETE FROM stored_events WHERE rowid=?", (row[0],)))

        assert say(path, "verify", "--all").code == 1, row[2]


def test_any_two_rows_swapped_are_detected(whole: Path, tmp_path: Path) -> None:
    listed = table(whole)
    chance = random.Random(1)
    change = "UPDATE stored_events SET originator_version=? WHERE rowid=?"
    for _ in range(40):
        one, other = chance.sample(listed, 2)
        path = tampered(
            whole,
            tmp_path,
            (change, (-1, one[0])),
            (change, (one[2], other[0])),
            (change, (other[2], one[0])),
        )
        assert say(path, "verify", "--all").code == 1, (one[2], other[2])


def test_places_in_the_file_swapped_are_detected(whole: Path, tmp_path: Path) -> None:
    """The position is what the read tables follow."""
    listed = table(whole)
    change = "UPDATE stored_events SET rowid=? WHERE rowid=?"
    for place, (one, other) in enumerate(pairwise(listed), start=2):
        path = tampered(
            whole,
            tmp_path,
            (change, (-1, one[0])),
            (change, (one[0], other[0])),
            (change, (other[0], -1)),
        )
        said = say(path, "verify", "--all")
        assert said.code == 1
        assert wrong(Message("verify.out-of-place", {"version": place})) in said.out.splitlines()


def test_a_row_inserted_anywhere_is_detected(whole: Path, tmp_path: Path) -> None:
    listed = table(whole)
    for row in listed:
        version = row[2]
        assert isinstance(version, int)
        path = tampered(
            whole,
            tmp_path,
            (
                "UPDATE stored_events SET originator_version=-(originator_version+1) "
                "WHERE originator_id=? AND originator_version>=?",
                (ID, version),
            ),
            (
                "UPDATE stored_events SET originator_version=-originator_version WHERE originator_version<0",
                (),
            ),
            ("INSERT INTO stored_events VALUES (?, ?, ?, ?)", (ID, version, row[3], row[4])),
        )
        assert say(path, "verify", "--all").code == 1, version


def test_a_row_of_a_neighbour_is_detected(whole: Path, tmp_path: Path) -> None:
    last = len(LOG)
    path = tampered(
        whole,
        tmp_path,
        (
            "INSERT INTO stored_events SELECT ?, ?, topic, state FROM stored_events "
            "WHERE originator_id=? AND originator_version=2",
            (ID, last + 1, f"{1:032x}"),
        ),
    )
    assert say(path, "verify", "--all").code == 1


def test_damage_of_any_page_of_the_file_is_told(whole: Path, tmp_path: Path) -> None:
    path = tmp_path / "damaged.db"
    content = whole.read_bytes()
    size = int.from_bytes(content[16:18], "big")
    for page in range(1, len(content) // size):
        damaged = bytearray(content)
        damaged[page * size : page * size + 100] = b"\xff" * 100
        path.write_bytes(bytes(damaged))

        said = say(path, "verify", "--all")

        assert said.code == 1, page
        assert "internal error" not in said.err


# what needs something held elsewhere

KEY = Signer("fsi.it", bytes(range(32)))


def rewritten(log: list[Recorded], at: int, change: Callable[[Recorded], Recorded]) -> list[Recorded]:
    """History rewritten from a fact on, its chain computed anew."""
    head = log[at - 1].hash if at else GENESIS
    made = list(log[:at])
    for place, fact in enumerate(log[at:], start=at):
        sealed = seal(change(fact) if place == at else fact, head).fact
        made.append(sealed)
        head = sealed.hash
    return made


def other_words(fact: Recorded) -> Recorded:
    return msgspec.structs.replace(fact, why="it was always so")


def test_a_cut_tail_cannot_be_seen_from_the_file_alone_and_always_against_a_checkpoint(
    whole: Path, tmp_path: Path
) -> None:
    held = tmp_path / "held.checkpoint"
    held.write_text(KEY.sign(Checkpoint(ID, len(LOG), LOG[-1].hash)).text(), encoding="utf-8")
    paper = printed(len(LOG), LOG[-1].hash)
    words = ("verify", "-t", ID, "--checkpoint", str(held), "--trust", KEY.verifier().line())
    assert ok(whole, *words, "--head", paper)
    for keep in range(1, len(LOG)):
        cut = ("DELETE FROM stored_events WHERE originator_id=? AND originator_version>?", (ID, keep))
        path = tampered(whole, tmp_path, cut)

        alone = say(path, "verify", "-t", ID)
        assert alone.code == 0
        assert sentence("cli.verify.not-compared", yes=False) in alone.out.splitlines()
        said = say(path, *words)
        assert said.code == 1
        assert wrong(cut_off(len(LOG), keep)) in said.out.splitlines()
        assert say(path, "verify", "-t", ID, "--head", paper).code == 1


def test_a_tournament_taken_away_is_missed_only_by_who_holds_a_checkpoint(
    whole: Path, tmp_path: Path
) -> None:
    path = tampered(whole, tmp_path, ("DELETE FROM stored_events WHERE originator_id=?", (ID,)))

    assert ok(path, "verify", "--all").startswith(f"{SEVERAL - 1} tournament, "), "nobody can see this alone"
    assert say(path, "verify", "-t", ID).code == 1


def test_history_rewritten_at_any_fact_shows_against_any_checkpoint_that_reaches_it() -> None:
    log = life(77, players=8, rounds=4)
    honest = [fact.hash for fact in log]
    chance = random.Random(7)
    for trial in range(1000):
        at = chance.randrange(len(log))
        hashes = [fact.hash for fact in rewritten(log, at, other_words)]
        size = chance.randint(1, len(log))
        checkpoint = Checkpoint(log[0].tournament, size, honest[size - 1])

        assert bool(consistent(checkpoint, log[0].tournament, hashes)) == (size > at), trial
        assert consistent(checkpoint, log[0].tournament, honest) is None


@pytest.mark.parametrize("seed", range(5))
def test_honest_growth_is_never_flagged(seed: int) -> None:
    log = life(seed, players=6, rounds=3)
    notes = [
        KEY.sign(Checkpoint(log[0].tournament, n, log[n - 1].hash)).text() for n in range(1, len(log), 4)
    ]
    for length in range(1, len(log) + 1, 5):
        held = [note for n, note in zip(range(1, len(log), 4), notes, strict=True) if n <= length]

        report = verify(log[0].tournament, rows(log[:length]), held, [KEY.verifier()])

        assert report.whole, report.findings
        assert len(report.held) == len(held)


def test_a_result_rewritten_with_its_chain_still_has_to_pair_the_next_round() -> None:
    """Without a checkpoint a forger must also make later rounds follow from the lie."""
    forged = seen = 0
    for seed in range(12):
        log = life(seed, players=8, rounds=4)
        for at, fact in enumerate(log):
            outcome = getattr(fact.fact, "outcome", None)
            if outcome is None or not hasattr(fact.fact, "board") or hasattr(fact.fact, "scope"):
                continue
            other = msgspec.structs.replace(outcome, white=outcome.black, black=outcome.white)
            if other == outcome:
                continue
            new = msgspec.structs.replace(fact.fact, outcome=other)
            made = rewritten(log, at, lambda one, new=new: msgspec.structs.replace(one, fact=new))  # type: ignore[misc]
            forged += 1
            seen += not verify(log[0].tournament, rows(made)).whole
            break
    assert forged >= 10
    assert seen >= forged - 2, "only a result that was corrected before it counted may be forged unseen"
