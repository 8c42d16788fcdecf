"""The log on disk: what was acknowledged is there, in order, whole, and nobody is overwritten."""

import sqlite3
from pathlib import Path
from typing import Any

import msgspec
import pytest

from paircard.domain.commands import (
    ChangeRegulations,
    CloseTournament,
    DrawInitialColour,
    GrantBye,
    OpenTournament,
    PairRound,
    PublishRound,
    RecordResult,
    RegisterPlayer,
    WithdrawPlayer,
)
from paircard.domain.errors import (
    Busy,
    CorruptFile,
    Duplicate,
    ForeignFile,
    Invalid,
    NeedsAcknowledgement,
    NewerFile,
    Unknown,
    Unreachable,
)
from paircard.domain.events import PlayerRegistered, TournamentOpened
from paircard.domain.players import Details
from paircard.domain.regulations import RegulationChanges, Regulations
from paircard.domain.results import OUTCOMES
from paircard.domain.sqlitefile import APPLICATION_ID, create_file, refusal
from paircard.domain.state import Tournament, fold
from paircard.domain.store import CACHED, Tournaments
from tests.domain.scenes import DIGEST, ask
from tests.domain.test_laws import life

ONE, TWO = "1" * 32, "2" * 32


def opening(name: str = "Trentino Open") -> OpenTournament:
    return ask(OpenTournament, regulations=Regulations(name=name, rounds=5))


def entry(name: str, rating: int = 2000) -> RegisterPlayer:
    return ask(RegisterPlayer, details=Details(name=name, rating=rating))


@pytest.fixture
def path(tmp_path: Path) -> Path:
    return tmp_path / "events.db"


@pytest.fixture
def filled(path: Path) -> Path:
    """A file with one tournament of three facts."""
    with Tournaments(path, create=True) as store:
        store.ask(ONE, opening())
        store.ask(ONE, entry("Anand"))
        store.ask(ONE, entry("Polgar"))
    return path


def test_what_was_asked_is_there_when_the_file_is_opened_again(filled: Path) -> None:
    with Tournaments(filled) as store:
        log = store.log(ONE)
        state = store.state(ONE)

    assert [recorded.version for recorded in log] == [1, 2, 3]
    assert isinstance(log[0].fact, TournamentOpened)
    assert log[2].fact == PlayerRegistered(player=2, details=Details(name="Polgar", rating=2000))
    assert (log[2].who, log[2].when) == ("Anna Arbiter", "2026-11-16T09:30:00Z")
    assert same_but_for_commands(state, fold(r.fact for r in log))


def same_but_for_commands(state: Tournament, other: Tournament) -> bool:
    return msgspec.structs.replace(state, seen=()) == msgspec.structs.replace(other, seen=())


def test_a_tournament_can_be_loaded_as_it_stood(filled: Path) -> None:
    with Tournaments(filled) as store:
        assert [p.details.name for p in store.state(ONE, 2).players] == ["Anand"]
        with pytest.raises(Unknown, match="has no version 9"):
            store.state(ONE, 9)
        with pytest.raises(Unknown, match="there is no tournament"):
            store.state(TWO)
        with pytest.raises(Unknown, match="there is no tournament"):
            store.verify_chain(TWO)


def test_the_same_command_twice_counts_once_and_gets_the_first_answer(filled: Path) -> None:
    command = entry("Karpov")
    with Tournaments(filled) as store:
        first = store.ask(ONE, command)
    with Tournaments(filled) as store:
        second = store.ask(ONE, command)

        assert second.repeated
        assert second.recorded == first.recorded
        assert store.version(ONE) == 4


def test_an_accepted_warning_and_a_reason_are_in_the_envelope(filled: Path) -> None:
    with Tournaments(filled) as store:
        store.ask(ONE, ask(GrantBye, player=1, round=1, letter="H"))
        with pytest.raises(NeedsAcknowledgement):
            store.ask(ONE, ask(GrantBye, player=1, round=2, letter="H"))
        assert store.version(ONE) == 4

        bye = ask(GrantBye, player=1, round=2, letter="H", ok=["second-half-bye", "other"], why="wedding")
        [recorded] = store.ask(ONE, bye).recorded

    assert recorded.acknowledged == ("3:second-half-bye",)
    assert recorded.why == "wedding"


def test_of_several_commands_all_count_or_none(filled: Path) -> None:
    twice = Details(name="Hou", fide_id=8602980)
    with Tournaments(filled) as store:
        with pytest.raises(Duplicate):
            store.ask_all(
                ONE,
                [entry("Short"), ask(RegisterPlayer, details=twice), ask(RegisterPlayer, details=twice)],
            )
        assert store.version(ONE) == 3

        store.ask_all(ONE, [entry("Short"), entry("Nunn")])
        assert store.version(ONE) == 5


def test_the_total_order_of_the_file_is_read_from_a_position_on(filled: Path) -> None:
    with Tournaments(filled) as store:
        store.ask(TWO, opening("Other"))
        store.ask(ONE, entry("Short"))

        everything = store.notifications()
        rest = store.notifications(after=everything[2].position)

        assert [(r.tournament, r.version) for r in everything] == [
            (ONE, 1), (ONE, 2), (ONE, 3), (TWO, 1), (ONE, 4),
        ]  # fmt: skip
        assert rest == everything[3:]
        assert store.notifications(limit=2) == everything[:2]
        assert store.last_position() == everything[-1].position


def test_the_list_of_tournaments_knows_new_names_and_which_are_closed(filled: Path) -> None:
    with Tournaments(filled) as store:
        store.ask(TWO, opening("Other"))
        store.ask(ONE, ask(ChangeRegulations, changes=RegulationChanges(name="Better name")))
        colour = ask(DrawInitialColour, colour="w")
        pair = ask(PairRound, round=1, boards=((1, 2),), based_on=5, snapshot=DIGEST, level=3)
        publish = ask(PublishRound, round=1)
        result = ask(RecordResult, round=1, board=1, outcome=OUTCOMES[0])
        close = ask(CloseTournament, why="flood", ok=["rounds-unplayed"])
        store.ask_all(ONE, [colour, pair, publish, result, close])

        listed = store.tournaments()

    assert [(t.id, t.name, t.version, t.closed) for t in listed] == [
        (ONE, "Better name", 11, True),
        (TWO, "Other", 1, False),
    ]


def test_two_stores_on_one_file_see_each_other_and_lose_nothing(filled: Path) -> None:
    with Tournaments(filled) as one, Tournaments(filled) as other:
        one.state(ONE), other.state(ONE)  # both have it in memory
        one.ask(ONE, entry("Short"))
        other.ask(ONE, entry("Nunn"))
        one.ask(ONE, entry("Hou"))

        assert [p.id for p in one.state(ONE).players] == [1, 2, 3, 4, 5]
        assert one.state(ONE) == other.state(ONE)


def test_a_refusal_is_decided_on_the_newest_state(filled: Path) -> None:
    with Tournaments(filled) as one, Tournaments(filled) as other:
        one.state(ONE)
        other.ask(ONE, entry("Short"))
        with pytest.raises(Unknown, match="there is no player #4: ids are #1 to #3"):
            one.ask(ONE, ask(WithdrawPlayer, player=4))
        one.ask(ONE, ask(WithdrawPlayer, player=3))


def test_a_refused_command_writes_nothing(filled: Path) -> None:
    with Tournaments(filled) as store:
        with pytest.raises(Unknown):
            store.ask(TWO, entry("Nobody"))
        with pytest.raises(Invalid, match="32 hexadecimal digits"):
            store.ask("my tournament", opening())
        assert store.last_position() == 3


def test_a_missing_file_is_only_made_when_asked(path: Path) -> None:
    with pytest.raises(Unreachable, match="there is no file"):
        Tournaments(path)
    assert not path.exists()
    with pytest.raises(Unreachable, match="cannot be made"):
        Tournaments(path.parent / "no folder" / "x.db", create=True)
    with pytest.raises(Unreachable, match="is a folder"):
        Tournaments(path.parent, create=True)


def test_a_name_no_file_can_have_is_refused(tmp_path: Path) -> None:
    for name in ("x" * 5000, "a\0b"):
        with pytest.raises(Unreachable, match="cannot be read"):
            Tournaments(tmp_path / name, create=True)


def test_an_empty_file_becomes_ours_only_when_asked(path: Path) -> None:
    path.touch()

    with pytest.raises(ForeignFile, match="is empty"):
        Tournaments(path)
    assert path.read_bytes() == b""
    with Tournaments(path, create=True) as store:
        assert store.ask(ONE, opening()).state.version == 1


def test_whoever_makes_the_file_second_takes_the_one_that_is_there(filled: Path) -> None:
    create_file(filled)

    with Tournaments(filled) as store:
        assert store.version(ONE) == 3
    filled.write_text("something else")
    with pytest.raises(ForeignFile):
        create_file(filled)
    assert [p.name for p in filled.parent.iterdir()] == ["events.db"]


def test_what_sqlite_says_otherwise_is_passed_on_in_one_line(path: Path) -> None:
    reason = sqlite3.OperationalError("database or disk is full")

    assert str(refusal(reason, path)) == f"{path} cannot be used: database or disk is full"


def test_a_new_file_is_durable_and_leaves_no_draft_behind(path: Path) -> None:
    with Tournaments(path, create=True) as store:
        [[synchronous]], [[journal]] = (
            store._log.read(f"PRAGMA {name}") for name in ("synchronous", "journal_mode")
        )
    assert (synchronous, journal) == (2, "wal"), "2 is FULL"
    assert [p.name for p in path.parent.iterdir()] == ["events.db"]


def test_an_odd_file_name_is_only_a_name(tmp_path: Path) -> None:
    path = tmp_path / "open 50%?mode=memory#1.db"
    with Tournaments(path, create=True) as store:
        store.ask(ONE, opening())
    with Tournaments(path) as store:
        assert store.version(ONE) == 1


@pytest.mark.parametrize("content", [b"a,b,c\n1,2,3\n", b"SQLite format 3\x00", b"\x00" * 4096])
def test_a_file_that_is_no_database_is_refused_and_left_alone(path: Path, content: bytes) -> None:
    path.write_bytes(content)

    with pytest.raises(ForeignFile, match="not a database of paircard"):
        Tournaments(path, create=True)
    assert path.read_bytes() == content


def test_a_database_of_another_program_is_refused_and_left_alone(path: Path) -> None:
    with sqlite3.connect(path) as db:
        db.execute("CREATE TABLE players (name)")
    db.close()
    before = path.read_bytes()

    with pytest.raises(ForeignFile, match="another program"):
        Tournaments(path, create=True)
    assert path.read_bytes() == before
    assert [p.name for p in path.parent.iterdir()] == ["events.db"]


def test_a_file_of_a_newer_version_is_refused(filled: Path) -> None:
    with sqlite3.connect(filled) as db:
        db.execute("PRAGMA user_version=7")
    db.close()

    with pytest.raises(NewerFile, match="format 7, this version reads up to 1"):
        Tournaments(filled)


def test_a_fact_of_a_newer_version_is_named(filled: Path) -> None:
    change(filled, "UPDATE stored_events SET topic='clock-broken/1', state='{}' WHERE originator_version=3")

    with Tournaments(filled) as store, pytest.raises(NewerFile, match="'clock-broken/1'"):
        store.log(ONE)


def test_a_locked_file_is_busy_and_nothing_is_lost(filled: Path) -> None:
    with Tournaments(filled, patience=0.05) as store:
        store.state(ONE)
        holder = sqlite3.connect(filled, isolation_level=None)
        holder.execute("BEGIN IMMEDIATE")
        with pytest.raises(Busy, match="in use"):
            store.ask(ONE, entry("Short"))
        holder.execute("ROLLBACK")
        holder.close()

        assert store.ask(ONE, entry("Short")).state.version == 4


def test_a_writer_who_was_too_late_is_served_next(filled: Path) -> None:
    rival = Tournaments(filled)
    rivals = iter(range(1000))

    class Slow(Tournaments):
        def _forward(self, tournament: str) -> Any:
            kept = super()._forward(tournament)
            rival.ask(ONE, entry(f"Rival {next(rivals)}"))
            return kept

    with rival, Slow(filled) as slow:
        slow.ask(ONE, entry("Short"))

    with Tournaments(filled) as store:
        names = [p.details.name for p in store.state(ONE).players]
    assert names == ["Anand", "Polgar", "Rival 0", "Short"]


def test_a_fact_that_cannot_be_read_is_named(filled: Path) -> None:
    change(filled, "UPDATE stored_events SET state='{' WHERE originator_version=3")

    with Tournaments(filled) as store, pytest.raises(CorruptFile, match=f"fact 3 of tournament {ONE} cannot"):
        store.log(ONE)


def test_more_tournaments_than_are_kept_in_memory(path: Path) -> None:
    ids = [f"{n:032x}" for n in range(CACHED + 3)]
    with Tournaments(path, create=True) as store:
        for id in ids:
            store.ask(id, opening(f"Open {id[-2:]}"))
        for id in ids:
            store.ask(id, entry("Anand"))

        assert [t.id for t in store.tournaments()] == ids
        assert {store.state(id).version for id in ids} == {2}


def test_a_damaged_file_is_refused_in_one_line(filled: Path) -> None:
    content = bytearray(filled.read_bytes())
    content[4096:] = b"\xff" * (len(content) - 4096)
    filled.write_bytes(content)

    with Tournaments(filled) as store, pytest.raises(CorruptFile, match="restore it from a copy"):
        store.state(ONE)


def test_a_file_without_its_table_is_damaged(path: Path) -> None:
    with sqlite3.connect(path) as db:
        db.execute(f"PRAGMA application_id={APPLICATION_ID}")
        db.execute("CREATE TABLE x (y)")
    db.close()

    with Tournaments(path) as store, pytest.raises(CorruptFile, match="no such table"):
        store.state(ONE)


def change(path: Path, sql: str) -> None:
    """A hand in the database."""
    with sqlite3.connect(path) as db:
        db.execute(sql)
    db.close()


@pytest.mark.parametrize(
    "sql",
    [
        "UPDATE stored_events SET state=CAST(replace(state, 'Anand', 'Ahand') AS BLOB)",
        "UPDATE stored_events SET state=replace(state, 'Anand', 'Ahand')",
        "UPDATE stored_events SET state=CAST(replace(state, 'Anna', 'Otto') AS BLOB)",
        "UPDATE stored_events SET state=CAST(replace(state, 'T09:30', 'T09:29') AS BLOB)",
        "UPDATE stored_events SET topic='player-withdrawn/1' WHERE originator_version=2",
        "UPDATE stored_events SET originator_version=originator_version+1 WHERE originator_version=3",
        "UPDATE stored_events SET originator_version=9-originator_version WHERE originator_version>1",
        "UPDATE stored_events SET originator_id='" + TWO + "'",
        "DELETE FROM stored_events WHERE originator_version=1",
        "DELETE FROM stored_events WHERE originator_version=2",
        "UPDATE stored_events SET state=x'' WHERE originator_version=2",
        "UPDATE stored_events SET state=NULL WHERE originator_version=2",
        "INSERT INTO stored_events SELECT originator_id, 4, topic, state FROM stored_events "
        "WHERE originator_version=3",
    ],
)  # fmt: skip
def test_a_hand_in_the_database_is_detected(filled: Path, sql: str) -> None:
    with Tournaments(filled) as store:
        length, head = store.verify_chain(ONE)
        assert (length, head) == (3, store.log(ONE)[-1].hash)
    change(filled, sql)

    with Tournaments(filled) as store, pytest.raises(CorruptFile):
        store.verify_chain(TWO if TWO in sql else ONE)
    with Tournaments(filled) as store, pytest.raises(CorruptFile):
        store.ask(TWO if TWO in sql else ONE, ask(CloseTournament))


def test_any_single_changed_byte_of_a_fact_is_detected(filled: Path) -> None:
    with sqlite3.connect(filled) as db:
        [(state,)] = db.execute("SELECT state FROM stored_events WHERE originator_version=2").fetchall()
        for place in range(0, len(state), 7):
            broken = state[:place] + bytes([state[place] ^ 1]) + state[place + 1 :]
            db.execute("UPDATE stored_events SET state=? WHERE originator_version=2", (broken,))
            db.commit()
            with Tournaments(filled) as store, pytest.raises(CorruptFile):
                store.verify_chain(ONE)
    db.close()


@pytest.mark.parametrize("seed", range(6))
def test_a_reopened_file_has_the_state_of_the_live_one(path: Path, seed: int) -> None:
    """Random tournaments through the file, among them repeated and refused commands."""
    with Tournaments(path, create=True) as store:
        for _, command, events, after in life(seed, 80):
            if events:
                answer = store.ask(ONE, command)
                assert answer.state == after
                assert tuple(r.fact for r in answer.recorded) == events
                assert store.ask(ONE, command).recorded == answer.recorded
        live = store.state(ONE)
        versions = [store.state(ONE, n) for n in range(1, live.version + 1, 9)]

    with Tournaments(path) as store:
        assert store.state(ONE) == live
        assert [store.state(ONE, n) for n in range(1, live.version + 1, 9)] == versions
        assert [r.fact for r in store.notifications(limit=10**6)] == [r.fact for r in store.log(ONE)]
