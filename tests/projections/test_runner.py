"""The runner: rows of anybody's own and the position in one transaction, on a file and on PostgreSQL."""

import os
import resource
import sqlite3
import subprocess
import sys
from collections.abc import Sequence
from concurrent.futures import ThreadPoolExecutor
from contextlib import closing
from pathlib import Path
from typing import Any, ClassVar

import psycopg
import pytest

from paircard.domain.commands import RegisterPlayer
from paircard.domain.errors import ForeignFile, Invalid, NewerFile, Unreachable
from paircard.domain.events import PlayerRegistered, Recorded
from paircard.domain.log.store import Tournaments
from paircard.domain.values.players import Details
from paircard.projections import Projection, Runner, Writing
from paircard.projections.runner import APPLICATION_ID, POSITION, place_of
from paircard.projections.tables import KEYS, ReadTables
from tests.domain.scenes import ask
from tests.postgres import Server
from tests.projections.test_tables import opening, two_tournaments
from tests.read_tables import catch_up, contents
from tests.refusals import refuses, sentence
from tests.roots import PYTHONPATH


class Entrants(Projection):
    """Who entered where, as a program of somebody else may want it."""

    name = "entrants"
    tables = ("CREATE TABLE entrants (position bigint PRIMARY KEY, name text NOT NULL)",)
    unlucky: ClassVar[str] = ""

    def apply(self, db: Writing, facts: Sequence[Recorded], log: Sequence[Recorded]) -> None:
        for one in facts:
            if isinstance(one.fact, PlayerRegistered):
                name = one.fact.details.name
                db.execute("INSERT INTO entrants VALUES (?, ?)", (one.position, name))
                if name == self.unlucky:
                    raise ZeroDivisionError("a fault of the projection")


class Longer(Entrants):
    """The same, a release later: names in capitals."""

    format = 2

    def apply(self, db: Writing, facts: Sequence[Recorded], log: Sequence[Recorded]) -> None:
        super().apply(db, facts, log)
        db.execute("UPDATE entrants SET name = upper(name)")


@pytest.fixture(params=["sqlite", "postgres"])
def into(request: pytest.FixtureRequest, tmp_path: Path) -> str:
    """A place to write to: a file, and a schema of a database."""
    if request.param == "sqlite":
        return str(tmp_path / "mine.db")
    server: Server = request.getfixturevalue("server")
    return server.fresh()


def asked(into: str, sql: str) -> list[Any]:
    """What another program reads there."""
    if "://" in into:
        url, _, schema = into.replace("&", "?").partition("?schema=")
        with psycopg.connect(url, options=f"-c search_path={schema}") as other:
            return other.execute(sql.encode()).fetchall()
    with closing(sqlite3.connect(into)) as file:
        return file.execute(sql).fetchall()


def test_rows_and_position_move_together_or_not_at_all(
    tmp_path: Path, into: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    with Tournaments(tmp_path / "log.db", create=True) as log:
        for command in opening("Open", 8):
            log.ask("c" * 32, command)
        runner = Runner(log, Entrants(), into)
        monkeypatch.setattr(Entrants, "unlucky", "Open 006")
        with pytest.raises(ZeroDivisionError):
            runner.catch_up(batch=3)

        assert runner.position() == 6, "two whole batches; of the third nothing"
        assert asked(into, "SELECT count(*) FROM entrants") == [(5,)]
        monkeypatch.undo()
        assert runner.catch_up(batch=3) == 4
        assert runner.catch_up() == 0
        assert asked(into, "SELECT name FROM entrants ORDER BY position") == [
            (f"Open {n:03}",) for n in range(1, 9)
        ]


def test_a_new_format_is_built_beside_and_takes_the_place_while_others_read(
    tmp_path: Path, into: str
) -> None:
    with Tournaments(tmp_path / "log.db", create=True) as log:
        for command in opening("Open", 3):
            log.ask("c" * 32, command)
        Runner(log, Entrants(), into).catch_up()
        seen: list[Any] = []

        def look(_: int) -> None:
            seen.append(asked(into, "SELECT name FROM entrants ORDER BY 1"))

        assert Runner(log, Longer(), into).catch_up(batch=2, taken_on=look) == 5
        assert seen == [[("Open 001",), ("Open 002",), ("Open 003",)]] * 3, "the old ones, to the end"
        assert asked(into, "SELECT name FROM entrants ORDER BY 1")[0] == ("OPEN 001",)
        assert Runner(log, Longer(), into).position() == 5
        with refuses(NewerFile, "tables.newer"):
            Runner(log, Entrants(), into).catch_up()
        assert asked(into, "SELECT projection, format, position FROM position") == [("entrants", 2, 5)]
    assert not [path for path in tmp_path.iterdir() if "rebuild" in path.name]


def test_a_reader_who_keeps_the_file_open_sees_the_new_tables(tmp_path: Path) -> None:
    with Tournaments(tmp_path / "log.db", create=True) as log:
        two_tournaments(log, players=4)
        catch_up(log, tmp_path / "read.db")
        with closing(sqlite3.connect(tmp_path / "read.db")) as reader:
            reader.execute("UPDATE players SET name = 'by hand'")
            reader.commit()
            catch_up(log, tmp_path / "read.db", rebuild=True)

            assert reader.execute("SELECT min(name) FROM players").fetchone() == ("Alpha 001",)
    assert (tmp_path / "read.db").stat().st_mode & 0o777 == 0o600


def test_a_rebuild_that_fails_leaves_what_was_there(
    tmp_path: Path, into: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    with Tournaments(tmp_path / "log.db", create=True) as log:
        for command in opening("Open", 3):
            log.ask("c" * 32, command)
        runner = Runner(log, Entrants(), into)
        runner.catch_up()
        monkeypatch.setattr(Entrants, "unlucky", "Open 003")
        with pytest.raises(ZeroDivisionError):
            runner.catch_up(rebuild=True)

        assert runner.position() == 5
        assert asked(into, "SELECT count(*) FROM entrants") == [(3,)]


def test_what_a_killed_rebuild_left_goes_with_the_next_facts(tmp_path: Path, into: str) -> None:
    """It may hold the name of somebody who was erased since."""

    def left() -> int:
        if "://" not in into:
            return len(list(tmp_path.glob("mine.db-rebuild*")))
        name = into.partition("schema=")[2]
        return len(asked(into, f"SELECT 1 FROM pg_namespace WHERE nspname = '{name}_rebuild'"))

    def catch_up_later() -> None:
        for path in tmp_path.glob("mine.db-rebuild*"):
            os.utime(path, (0, 0))
        runner.catch_up()

    with Tournaments(tmp_path / "log.db", create=True) as log:
        log.ask("c" * 32, opening("Open", 1)[0])
        runner, place = Runner(log, Entrants(), into), place_of(into)
        runner.catch_up()
        building = place.beside()
        aside, opened = building.__enter__()
        with aside.transaction(opened) as db:
            aside.make(db)
            db.execute(POSITION.format(integer="bigint"))
            db.execute("INSERT INTO position VALUES ('entrants', 1, 0, '')")
        catch_up_later()
        assert left(), "somebody builds there"
        opened.close()  # as when the process is killed
        catch_up_later()
        assert not left()


def test_rebuilds_at_one_moment_all_end_well(tmp_path: Path, into: str) -> None:
    with Tournaments(tmp_path / "log.db", create=True) as log:
        for command in opening("Open", 8):
            log.ask("c" * 32, command)
        Runner(log, Entrants(), into).catch_up()

        def rebuilt(_: int) -> int:
            return Runner(log, Entrants(), into).catch_up(batch=1, rebuild=True)

        with ThreadPoolExecutor(4) as threads:
            assert list(threads.map(rebuilt, range(4))) == [10] * 4
        assert asked(into, "SELECT count(*) FROM entrants") == [(8,)]


class Clubs(Projection):
    """Rows that refer to others, and one that refers to nobody."""

    name = "clubs"
    tables = (
        "CREATE TABLE clubs (name text PRIMARY KEY)",
        "CREATE TABLE members (name text, club text NOT NULL REFERENCES clubs (name))",
    )

    def apply(self, db: Writing, facts: Sequence[Recorded], log: Sequence[Recorded]) -> None:
        db.execute("INSERT INTO members VALUES ('Ada', 'no club')")


def test_a_reference_that_leads_nowhere_is_refused(tmp_path: Path, into: str) -> None:
    with Tournaments(tmp_path / "log.db", create=True) as log:
        log.ask("c" * 32, opening("Open", 1)[0])
        with refuses(Unreachable, "tables.not-written"):
            Runner(log, Clubs(), into).catch_up()

        assert asked(into, "SELECT count(*) FROM members") == [(0,)]


def test_a_rebuild_keeps_rights_and_takes_nothing_of_others_with_it(tmp_path: Path, server: Server) -> None:
    place = server.fresh()
    url, _, name = place.partition("?schema=")
    grants = f"GRANT USAGE ON SCHEMA {name} TO PUBLIC; GRANT SELECT (name) ON {name}.players TO PUBLIC"
    outside = {
        "table": f"CREATE TABLE public.fees (tournament text REFERENCES {name}.tournaments (id))",
        "function": f"CREATE FUNCTION public.top() RETURNS SETOF {name}.games"
        f" LANGUAGE sql AS 'TABLE {name}.games'",
    }
    with Tournaments(tmp_path / "log.db", create=True) as log, psycopg.connect(url, autocommit=True) as db:
        two_tournaments(log, players=4)
        catch_up(log, place)
        db.execute(f"{grants}; GRANT SELECT ON {name}.games TO PUBLIC".encode())
        for kind, made in outside.items():
            db.execute(made.encode())
            steps: list[int] = []
            with refuses(Invalid, "tables.looked-at"):
                catch_up(log, place, rebuild=True, taken_on=steps.append)
            assert not steps, "it is told before the work"
            db.execute(f"DROP {kind} {'public.fees' if kind == 'table' else 'public.top'}".encode())
        catch_up(log, place, rebuild=True)

        allowed = (
            "SELECT has_schema_privilege('pg_monitor', %(s)s, 'USAGE'),"
            " has_table_privilege('pg_monitor', %(s)s || '.games', 'SELECT'),"
            " has_column_privilege('pg_monitor', %(s)s || '.players', 'name', 'SELECT'),"
            " has_column_privilege('pg_monitor', %(s)s || '.players', 'birth', 'SELECT')"
        )
        assert db.execute(allowed.encode(), {"s": name}).fetchone() == (True, True, True, False)


def test_tables_are_made_in_a_schema_that_was_given(tmp_path: Path, server: Server) -> None:
    """By a role that may make none of its own."""
    url = server.url()
    with psycopg.connect(url, autocommit=True) as db:
        db.execute("CREATE ROLE statistics LOGIN PASSWORD 's'; CREATE SCHEMA given AUTHORIZATION statistics")
        db.execute("REVOKE CREATE ON DATABASE chess FROM PUBLIC")
    place = f"postgresql://statistics:s@127.0.0.1:{server.port}/chess?schema=given"
    with Tournaments(tmp_path / "log.db", create=True) as log:
        two_tournaments(log, players=4)
        assert catch_up(log, place) == log.last_position()
        comment = "SELECT obj_description('games'::regclass), col_description('players'::regclass, 11)"
        assert asked(place, comment) == [("A view: every board with names.", "Club.")]


def test_a_place_of_something_else_is_refused_and_left_as_it_is(tmp_path: Path, server: Server) -> None:
    with Tournaments(tmp_path / "log.db", create=True) as log:
        two_tournaments(log, players=4)
        file, schema = tmp_path / "mine.db", server.fresh()
        for place in (str(file), schema):
            Runner(log, Entrants(), place).catch_up()
            with refuses(ForeignFile, "tables.foreign"):
                catch_up(log, place, rebuild=True)
            assert asked(place, "SELECT count(*) FROM entrants") == [(8,)]
        other = server.fresh()
        name = other.partition("schema=")[2]
        with psycopg.connect(other.partition("?")[0], autocommit=True) as db:
            db.execute(f"CREATE SCHEMA {name}".encode())
            db.execute(f"CREATE TABLE {name}.accounts (id integer)".encode())
        with refuses(ForeignFile, "tables.foreign"):
            catch_up(log, other)
        assert asked(other, "SELECT count(*) FROM accounts") == [(0,)]


def test_the_schema_of_the_log_is_not_written_to(location: str) -> None:
    with Tournaments(location, create=True) as log, refuses(Invalid, "tables.log-itself"):
        log.ask("c" * 32, opening("Open", 1)[0])
        catch_up(log, location)


def test_read_tables_of_an_earlier_release_are_built_again(tmp_path: Path) -> None:
    with closing(sqlite3.connect(tmp_path / "read.db")) as old:
        old.execute("CREATE TABLE position (id INTEGER PRIMARY KEY, position INTEGER, hash TEXT)")
        old.execute("INSERT INTO position VALUES (1, 700, 'ff')")
        old.execute("CREATE TABLE players (name TEXT)")
        old.execute(f"PRAGMA application_id={APPLICATION_ID}")
        old.execute("PRAGMA user_version=5")
        old.commit()
    with Tournaments(tmp_path / "log.db", create=True) as log:
        two_tournaments(log, players=4)
        assert catch_up(log, tmp_path / "read.db") == log.last_position()
        catch_up(log, tmp_path / "zero.db")
    assert contents(tmp_path / "read.db") == contents(tmp_path / "zero.db")


def test_read_tables_in_postgresql_are_those_of_a_file(tmp_path: Path, server: Server) -> None:
    place = server.fresh()
    with Tournaments(tmp_path / "log.db", create=True) as log:
        a, _ = two_tournaments(log, players=6)
        catch_up(log, place, batch=7)
        log.ask(a, ask(RegisterPlayer, details=Details(name="Zoë Late", club="Rook Club"), why="late"))
        catch_up(log, place)
        catch_up(log, tmp_path / "zero.db")
        for name in (*KEYS, "position", "games", "people"):
            one = f"SELECT * FROM {name}"
            assert sorted(asked(place, one)) == sorted(asked(str(tmp_path / "zero.db"), one)), name
        words = "name || ' ' || club || ' ' || federation || ' ' || title"
        by_words = f"to_tsvector('simple', {words}) @@ to_tsquery('simple', 'zoë & club')"
        assert asked(place, f"SELECT name FROM players WHERE {by_words}") == [("Zoë Late",)]

        name = place.partition("schema=")[2]
        with psycopg.connect(place.partition("?")[0], autocommit=True) as db:
            db.execute(f"CREATE VIEW public.mine_{name} AS SELECT * FROM {name}.games".encode())
            with refuses(Invalid, "tables.looked-at"):
                catch_up(log, place, rebuild=True)
            assert db.execute(f"SELECT count(*) FROM public.mine_{name}".encode()).fetchone() == (6,)
            db.execute(f"DROP VIEW public.mine_{name}".encode())
        assert catch_up(log, place, rebuild=True) == log.last_position()


def test_players_are_found_by_words_as_they_are_now(tmp_path: Path) -> None:
    with Tournaments(tmp_path / "log.db", create=True) as log:
        a, _ = two_tournaments(log, players=4)
        log.ask(a, ask(RegisterPlayer, details=Details(name="Ada Ødegård", club="Rook"), why="late"))
        for batch in (1, 500):
            path = tmp_path / f"{batch}.db"
            catch_up(log, path, batch=batch)
            with closing(sqlite3.connect(path)) as db:
                found = "SELECT p.name FROM players_fts f JOIN players p ON p.rowid = f.rowid"
                match = f"{found} WHERE players_fts MATCH ?"
                assert db.execute(match, ["ada rook"]).fetchall() == [("Ada Ødegård",)]
                assert len(db.execute(match, ["beta"]).fetchall()) == 4
                db.execute("INSERT INTO players_fts (players_fts, rank) VALUES ('integrity-check', 1)")


def test_a_full_disk_is_told_and_what_was_written_stays(tmp_path: Path) -> None:
    with Tournaments(tmp_path / "log.db", create=True) as log:
        two_tournaments(log, players=60)
        catch_up(log, tmp_path / "zero.db")
        words = [sys.executable, "-m", "paircard.cli", "tables", "read.db", "--db", "log.db", "--batch", "20"]

        def little_room() -> None:
            resource.setrlimit(resource.RLIMIT_FSIZE, (300_000, 300_000))

        full = subprocess.run(
            words,
            cwd=tmp_path,
            env={"PYTHONPATH": PYTHONPATH},
            preexec_fn=little_room,
            capture_output=True,
            text=True,
        )
        assert (full.returncode, full.stderr.count("\n")) == (1, 1)
        assert sentence("tables.not-written", path="read.db", reason="") in full.stderr
        at = Runner(log, ReadTables(), tmp_path / "read.db").position()
        assert 0 <= at < log.last_position()
        assert catch_up(log, tmp_path / "read.db") == log.last_position() - at
    assert contents(tmp_path / "read.db") == contents(tmp_path / "zero.db")
