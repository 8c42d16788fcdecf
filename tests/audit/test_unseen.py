"""What once went unseen: each attack is told by every reader, on a file and on PostgreSQL."""

import json
from pathlib import Path

import msgspec
import pytest

from paircard.cli import verify as alone
from paircard.domain.errors import CorruptFile, Refused
from paircard.domain.events import TournamentDetailsChanged
from paircard.domain.log.store import Tournaments
from paircard.domain.log.stored import GENESIS, StoredFact, Unreadable, seal, topic_of
from paircard.domain.messages import Message
from paircard.domain.proof.bundles import write_bundle
from paircard.domain.speaking import Speaker
from paircard.domain.values.regulations import RegulationChanges
from tests.audit.byhand import by_hand
from tests.audit.command_line import grow, ok, refused, refuses, say, wrong
from tests.audit.quiet import ARBITER, END, FEDERATION, ID, LOG, ROWS, cut_off, note_of
from tests.refusals import sentence


@pytest.fixture
def store(location: str) -> str:
    grow(location, ID, ROWS)
    return location


def keep(location: str, note: str, size: int) -> None:
    with Tournaments(location) as store:
        store.keep_note(ID, size, note)


def test_an_export_carries_the_checkpoint_that_convicts_the_log(store: str, tmp_path: Path) -> None:
    keep(store, note_of(END), END)
    by_hand(store, "DELETE FROM {}stored_events WHERE originator_version > ?", 9)
    out = tmp_path / "cut.bundle"

    said = say(store, "log", "export", str(out))

    assert said.code == 1
    assert sentence("cli.said.bundle-carries", what=cut_off(END, 9)) in said.out.splitlines()
    lines, whole = alone.verify_bundle(out.read_bytes())
    assert not whole
    assert "its end was cut off" in "\n".join(lines)
    assert say(store, "verify", "--bundle", str(out)).code == 1
    value = Speaker().say(cut_off(END, 9))
    new = tmp_path / "new.db"
    refuses(new, "cli.bundle-wrong", "log", "import", str(out), file=str(out), value=value)


def test_a_bundle_is_for_its_owner_alone(store: str, tmp_path: Path) -> None:
    """It has the births and ids of people, as the file has."""
    out = tmp_path / "log.bundle"
    ok(store, "log", "export", str(out))

    assert out.stat().st_mode & 0o777 == 0o600


@pytest.mark.parametrize("column", ["topic", "state"])
def test_a_fact_without_content_is_told_and_no_internal_error(
    store: str, column: str, tmp_path: Path
) -> None:
    by_hand(store, f"UPDATE {{}}stored_events SET {column}=NULL WHERE originator_version=4")

    for words in (
        ("verify", "-t", ID),
        ("verify", "--all"),
        ("doctor",),
        ("log", "-t", ID),
        ("tables", str(tmp_path / "x.db")),
    ):
        said = say(store, *words)
        assert said.code == 1, words
        assert "internal error" not in said.err, (words, said.err)


def test_an_export_of_an_earlier_moment_leaves_out_what_was_signed_later(store: str, tmp_path: Path) -> None:
    for size in (5, END):
        keep(store, note_of(size), size)

    assert "9 facts, 1 checkpoint," in ok(store, "log", "export", "--at", "9", str(tmp_path / "nine.bundle"))


@pytest.mark.parametrize("beside", ["nothing", "another key"])
def test_a_trusted_key_of_which_nothing_is_found_is_not_taken_for_proof(
    store: str, beside: str, tmp_path: Path
) -> None:
    if beside == "another key":
        keep(store, note_of(END, ARBITER), END)
    key = FEDERATION.verifier().line()
    out = tmp_path / "log.bundle"
    ok(store, "log", "export", str(out))

    for words in (("verify", "-t", ID), ("verify", "--all"), ("verify", "--bundle", str(out))):
        assert ok(store, *words)
        said = say(store, *words, "--trust", key)
        assert said.code == 1
        assert wrong(Message("verify.nothing-signed", {"names": ["fsi.it"]})) in said.out.splitlines()
    assert alone.main([str(out)]) == 0
    assert alone.main([str(out), "--key", key]) == 1
    keep(store, note_of(END, FEDERATION), END)
    assert ok(store, "verify", "-t", ID, "--trust", key)


def rechained(place: int, **changes: object) -> list[StoredFact]:
    """The log with one fact changed and every hash made anew, as only its owner would."""
    head, rows = GENESIS, []
    for fact in LOG:
        one = seal(msgspec.structs.replace(fact, **changes) if fact.version == place else fact, head)
        head = one.fact.hash
        rows.append(one.stored)
    return rows


LONG, UNPRINTABLE, INVISIBLE = "text-too-long", "text-unprintable", "text-invisible"
EVIL: dict[str, tuple[dict[str, object], Message]] = {
    "a name that clears the screen": (
        {"fact": ("name", "Evil\x1b[2J\x1b]0;pwn")},
        Message(UNPRINTABLE, {"label": "a_text", "code": "U+001B", "place": 5}),
    ),
    "a name of 200,000 characters": (
        {"fact": ("name", "x" * 200_000)},
        Message(LONG, {"label": "a_text", "count": 200_000, "most": 500}),
    ),
    "a name that turns the reading direction": (
        {"fact": ("name", "Evil \u202e nepO")},
        Message(INVISIBLE, {"label": "a_text", "code": "U+202E", "place": 6}),
    ),
    "a second line in who": (
        {"who": "Anna\n99 FAKE LINE"},
        Message(UNPRINTABLE, {"label": "who_asked", "code": "U+000A", "place": 5}),
    ),
    "a reason of five million characters": (
        {"why": "x" * 5_000_000},
        Message(LONG, {"label": "the_reason", "count": 5_000_000, "most": 500}),
    ),
    "an id with a bell": (
        {"command_id": "a\x07"},
        Message(UNPRINTABLE, {"label": "command_id", "code": "U+0007", "place": 2}),
    ),
    "an accepted warning with an escape": (
        {"acknowledged": ("3:\x1b[1m",)},
        Message(UNPRINTABLE, {"label": "a_text", "code": "U+001B", "place": 3}),
    ),
}


@pytest.mark.parametrize("kind", EVIL)
def test_an_imported_bundle_passes_the_checks_of_the_desk(kind: str, tmp_path: Path, location: str) -> None:
    changes, what = dict(EVIL[kind][0]), EVIL[kind][1]
    if "fact" in changes:
        name = RegulationChanges(name=changes["fact"][1])  # type: ignore[index]
        changes["fact"] = TournamentDetailsChanged(changes=name)
    place = next(fact.version for fact in LOG if fact.version > 1)
    bundle = tmp_path / "evil.bundle"
    bundle.write_bytes(write_bundle(ID, rechained(place, **changes)[:place]))

    told = refused(location, "log", "import", str(bundle))

    foreign = sentence("proof.foreign-fact", version=place, tournament=ID, what=what)
    assert told == sentence("cli.bundle-wrong", file=str(bundle), value=foreign)
    assert told.isprintable()
    assert len(told) < 500
    with Tournaments(location, create=True) as store:
        assert store.version(ID) == 0


def test_deep_nesting_is_no_internal_error(tmp_path: Path, location: str) -> None:
    deep = b'{"fact":' + b"[" * 200_000 + b"]" * 200_000 + b"}"
    bundle = tmp_path / "deep.bundle"
    heading = json.dumps({"paircard": "bundle/1", "tournament": ID, "length": 1, "head": "0" * 64})
    bundle.write_bytes(
        heading.encode() + b'\n{"version":1,"topic":"tournament-opened/1","stored":' + deep + b"}\n"
    )

    for words in (("log", "import", str(bundle)), ("verify", "--bundle", str(bundle))):
        assert "internal error" not in refused(location, *words)
    assert alone.main([str(bundle)]) == 1


@pytest.mark.parametrize("version", [2**62 + 5, 2**63 - 1, END + 2, 0, -3])
def test_a_row_outside_the_numbered_log_is_seen_by_every_reader(store: str, version: int) -> None:
    fact = TournamentDetailsChanged(changes=RegulationChanges(name="Rigged Cup"))
    one = seal(msgspec.structs.replace(LOG[-1], version=version, fact=fact, command_id="x"), LOG[-1].hash)
    by_hand(
        store,
        "INSERT INTO {}stored_events (originator_id, originator_version, topic, state) VALUES (?, ?, ?, ?)",
        ID,
        version,
        topic_of(fact),
        one.stored.state,
    )

    for words in (
        ("verify", "-t", ID),
        ("verify", "--all"),
        ("verify", "-t", ID, "--head", f"9:{LOG[8].hash}"),
        ("doctor",),
        ("standings", "-t", ID),
        ("log", "-t", ID),
        ("replay", "-t", ID),
    ):
        said = say(store, *words)
        assert said.code == 1, words
        assert "internal error" not in said.err, words
    listed = say(store, "list").out  # one unreadable tournament keeps no list of the others back
    assert "Rigged" not in listed
    assert sentence("stage", stage="unreadable", round=0) in listed
    with Tournaments(store) as log, pytest.raises(Refused):
        log.state(ID)


def test_verify_of_one_tournament_leaves_the_others_to_verify_all(store: str) -> None:
    other = "f" * 32
    by_hand(
        store,
        "INSERT INTO {}stored_events (originator_id, originator_version, topic, state) VALUES (?, ?, ?, ?)",
        other,
        7,
        "result-recorded/1",
        b"{}",
    )

    assert say(store, "verify", "-t", ID).code == 0
    said = say(store, "verify", "--all")
    assert said.code == 1
    stranger = Message("verify.of-no-tournament", {"text": other})
    assert sentence("cli.verify.store-wrong", what=stranger) in said.out.splitlines()


@pytest.mark.parametrize("id", [None, b"\xff\x00", "", "x" * 32])
def test_a_row_of_no_tournament_is_told_and_no_internal_error(tmp_path: Path, id: object) -> None:
    path = str(tmp_path / "events.db")
    grow(path, ID, ROWS)
    by_hand(path, "INSERT INTO stored_events VALUES (?, 1, 'tournament-opened/1', ?)", id, ROWS[0].state)

    for words in (("verify", "--all"), ("doctor",)):
        said = say(path, *words)
        assert said.code == 1, words
        assert "internal error" not in said.err
    assert "internal error" not in say(path, "verify", "-t", ID).err
    assert "internal error" not in say(path, "list").err


def test_a_view_in_the_place_of_the_table_is_told_and_no_internal_error(tmp_path: Path) -> None:
    path = str(tmp_path / "events.db")
    grow(path, ID, ROWS)
    by_hand(path, "ALTER TABLE stored_events RENAME TO hidden")
    by_hand(path, "CREATE VIEW stored_events AS SELECT *, 1 AS rowid FROM hidden")

    for words in (("verify", "-t", ID), ("verify", "--all"), ("doctor",), ("result", "1", "1", "1-0")):
        said = say(path, *words)
        assert said.code == 1, words
        assert "internal error" not in said.err


def test_a_reader_refuses_what_was_changed(store: str) -> None:
    """Also the plainest: the log of one tournament, and the notifications of all."""
    by_hand(store, "UPDATE {}stored_events SET topic = 'player-withdrawn/1' WHERE originator_version = 2")
    with Tournaments(store) as log:
        with pytest.raises(CorruptFile):
            log.log(ID)
        assert [type(one) for one in log.notifications()].count(Unreadable) == 1
