"""Read tables: caught up in batches, exactly once, equal to a rebuild from zero."""

import os
import random
import re
import signal
import sqlite3
import subprocess
import sys
import time
from collections.abc import Sequence
from contextlib import closing
from pathlib import Path
from tempfile import TemporaryDirectory

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from sqlite_utils import Database

from paircard.domain.commands import (
    CloseTournament,
    Command,
    CorrectPlayer,
    CorrectResult,
    DrawInitialColour,
    OpenTournament,
    PairRound,
    PublishRound,
    RecordResult,
    RegisterPlayer,
    RemovePlayer,
)
from paircard.domain.errors import CorruptFile, ForeignFile, Invalid, Unreachable
from paircard.domain.log.store import Tournaments
from paircard.domain.values.players import Changes, Details
from paircard.domain.values.regulations import Regulations
from paircard.domain.values.results import parse_outcome
from paircard.projections.tables import DESCRIBED
from tests.domain.scenes import DIGEST, ask
from tests.domain.test_laws import life
from tests.read_tables import catch_up, contents
from tests.refusals import refuses
from tests.roots import PYTHONPATH, ROOT


def opening(name: str, players: int, rounds: int = 3) -> list[Command]:
    return [
        ask(OpenTournament, regulations=Regulations(name=name, rounds=rounds, tiebreaks=("BH",))),
        *(
            ask(RegisterPlayer, details=Details(name=f"{name} {n:03}", rating=2500 - n))
            for n in range(1, players + 1)
        ),
        ask(DrawInitialColour, colour="w"),
    ]


def first_round(players: int, version: int) -> list[Command]:
    half = players // 2
    boards = tuple((n, n + half) for n in range(1, half + 1))
    return [
        ask(PairRound, round=1, boards=boards, based_on=version, snapshot=DIGEST),
        ask(PublishRound, round=1),
        *(
            ask(RecordResult, round=1, board=board, outcome=parse_outcome("1-0"))
            for board in range(1, half + 1)
        ),
    ]


def two_tournaments(log: Tournaments, players: int = 8) -> tuple[str, str]:
    """Two tournaments whose facts alternate in the log."""
    ids = "a" * 32, "b" * 32
    scripts: Sequence[list[Command]] = [opening("Alpha", players), opening("Beta", players)]
    for pair in zip(*scripts, strict=True):
        for id, command in zip(ids, pair, strict=True):
            log.ask(id, command)
    for id in ids:
        log.ask(id, *first_round(players, log.version(id)))
    return ids


@pytest.mark.parametrize("batch", [1, 7, 500])
def test_tables_caught_up_in_batches_equal_a_rebuild_from_zero(tmp_path: Path, batch: int) -> None:
    with Tournaments(tmp_path / "log.db", create=True) as log:
        a, _ = two_tournaments(log)
        catch_up(log, tmp_path / "live.db", batch=batch)
        log.ask(a, ask(CorrectResult, round=1, board=2, outcome=parse_outcome("0-1"), why="score sheet"))
        log.ask(a, ask(CloseTournament, why="power cut", ok=["rounds-unplayed"]))

        new = catch_up(log, tmp_path / "live.db", batch=batch)
        all = catch_up(log, tmp_path / "zero.db")

        assert new == 3, "the correction, the end of the round, the closing"
        assert all == log.last_position()
    assert contents(tmp_path / "live.db") == contents(tmp_path / "zero.db")


def test_games_have_names_and_points_and_people_are_one_across_tournaments(tmp_path: Path) -> None:
    with Tournaments(tmp_path / "log.db", create=True) as log:
        a, b = two_tournaments(log, players=4)
        for id in (a, b):
            log.ask(id, ask(CorrectPlayer, player=1, changes=Changes(fide_id=800), why="form"))
        log.ask(a, ask(CorrectResult, round=1, board=2, outcome=parse_outcome("1/2-1/2"), why="score sheet"))
        steps: list[int] = []
        new = catch_up(log, tmp_path / "read.db", batch=7, taken_on=steps.append)

    assert sum(steps) == new, "progress is told batch by batch"
    with closing(sqlite3.connect(tmp_path / "read.db")) as db:
        assert db.execute(
            "SELECT board, white_name, black_name, white_rating, result, white_points, black_points"
            " FROM games WHERE tournament = ? ORDER BY board",
            [a],
        ).fetchall() == [
            (1, "Alpha 001", "Alpha 003", 2499, "1-0", "1", "0"),
            (2, "Alpha 002", "Alpha 004", 2498, "½-½", "½", "½"),
        ]
        assert db.execute("SELECT * FROM people").fetchall() == [(800, "Beta 001", "", "", 2, "", "")]
        assert db.execute("PRAGMA foreign_key_check").fetchall() == []
        plan = db.execute("EXPLAIN QUERY PLAN SELECT * FROM players WHERE fide_id = 800").fetchall()
        assert "INDEX idx_players_fide_id" in plan[0][3]


def test_the_tables_tell_who_won_what_and_where_everybody_stands(tmp_path: Path) -> None:
    with Tournaments(tmp_path / "log.db", create=True) as log:
        a, _ = two_tournaments(log, players=4)
        catch_up(log, tmp_path / "read.db")

    with closing(sqlite3.connect(tmp_path / "read.db")) as db:
        assert db.execute(
            "SELECT board, white, black, result FROM boards WHERE tournament = ?", [a]
        ).fetchall() == [
            (1, 1, 3, "1-0"),
            (2, 2, 4, "1-0"),
        ]
        query = (
            "SELECT rank, name, tenths FROM standings JOIN players ON players.id = standings.player "
            "AND players.tournament = standings.tournament WHERE players.tournament = ? ORDER BY rank, number"
        )
        assert db.execute(query, [a]).fetchall() == [
            (1, "Alpha 001", 10),
            (1, "Alpha 002", 10),
            (3, "Alpha 003", 0),
            (3, "Alpha 004", 0),
        ]
        [[text]] = db.execute("SELECT text FROM facts WHERE tournament = ? AND version = 2", [a]).fetchall()
        assert text == "Alpha 001 2499 registered"


def test_every_column_is_documented_in_its_order_with_its_type(tmp_path: Path) -> None:
    text = (ROOT / "docs/tables.md").read_text(encoding="utf-8")
    documented = {}
    for section in text.split("\n## `")[1:]:
        rows = re.findall(r"^\| `(\w+)` \| (\w+) \| (.+) \|$", section, re.MULTILINE)
        about = section.split("\n\n")[1]
        documented[section.partition("`")[0]] = about, {name: [kind, holds] for name, kind, holds in rows}
    described = {name: (one["about"], one["columns"]) for name, one in DESCRIBED.items()}
    path = tmp_path / "read.db"
    with Tournaments(tmp_path / "log.db", create=True) as log:
        catch_up(log, path)

    kept = documented.pop("position")
    assert documented == described
    assert [list(columns) for _, columns in documented.values()] == [
        list(columns) for _, columns in described.values()
    ]
    tables = Database(sqlite3.connect(path))
    names = [name for name in tables.table_names() if not name.startswith("players_fts")]
    assert {*names, *tables.view_names()} == {*documented, "position"}
    for name in names:
        columns = [(column.name, column.type.lower()) for column in tables.table(name).columns]
        told = (kept if name == "position" else documented[name])[1]
        assert [(column, kind) for column, (kind, _) in told.items()] == columns
    for name in tables.view_names():
        assert list(documented[name][1]) == [one.name for one in tables.view(name).columns]
    indexes = text.partition("Indexes: ")[2]
    for name in names:
        for index in tables.table(name).indexes:
            assert index.origin == "pk" or f"`{name}({', '.join(index.columns)})`" in indexes
    tables.close()


def test_every_reference_leads_to_a_row(tmp_path: Path) -> None:
    path, id = tmp_path / "read.db", "c" * 32
    with Tournaments(tmp_path / "log.db", create=True) as log:
        for command in (*opening("Open", 4), *first_round(4, 6)):
            log.ask(id, command)
        log.ask(id, ask(RegisterPlayer, details=Details(name="Twice", rating=1500), why="late"))
        log.ask(id, ask(RemovePlayer, player=5, why="entered twice"))
        catch_up(log, path)

    with closing(sqlite3.connect(path)) as tables:
        assert tables.execute("PRAGMA foreign_key_check").fetchall() == []
        assert tables.execute("SELECT DISTINCT player FROM entries ORDER BY 1").fetchall() == [
            (1,),
            (2,),
            (3,),
            (4,),
        ]


def test_nothing_new_is_nothing_written(tmp_path: Path) -> None:
    with Tournaments(tmp_path / "log.db", create=True) as log:
        two_tournaments(log, players=4)
        catch_up(log, tmp_path / "read.db")
        before = contents(tmp_path / "read.db")

        assert catch_up(log, tmp_path / "read.db") == 0
    assert contents(tmp_path / "read.db") == before


def test_tables_of_another_log_are_refused_until_rebuilt(tmp_path: Path) -> None:
    with Tournaments(tmp_path / "one.db", create=True) as log:
        two_tournaments(log, players=4)
        catch_up(log, tmp_path / "read.db")
    with Tournaments(tmp_path / "two.db", create=True) as log:
        log.ask("c" * 32, opening("Gamma", 2)[0])

        with refuses(CorruptFile, "tables.another-log"):
            catch_up(log, tmp_path / "read.db")
        assert catch_up(log, tmp_path / "read.db", rebuild=True) == 1
        catch_up(log, tmp_path / "zero.db")
    assert contents(tmp_path / "read.db") == contents(tmp_path / "zero.db")


def test_the_log_itself_and_foreign_files_are_never_written_to(tmp_path: Path) -> None:
    with Tournaments(tmp_path / "log.db", create=True) as log:
        two_tournaments(log, players=4)
        (tmp_path / "notes.txt").write_text("dear diary")
        with closing(sqlite3.connect(tmp_path / "other.db")) as db:
            db.execute("CREATE TABLE t (x)")

        with refuses(Invalid, "tables.log-itself"):
            catch_up(log, tmp_path / "log.db")
        for name in ("notes.txt", "other.db"):
            before = (tmp_path / name).read_bytes()
            with refuses(ForeignFile, "tables.foreign"):
                catch_up(log, tmp_path / name)
            assert (tmp_path / name).read_bytes() == before
        with pytest.raises(Unreachable):
            catch_up(log, tmp_path / "no" / "folder.db")


def killed_while_catching_up(tmp_path: Path, kills: int, players: int, seed: int) -> None:
    """Kill the process again and again in the middle of its work, then let it finish and compare."""
    chance = random.Random(seed)
    with Tournaments(tmp_path / "log.db", create=True) as log:
        two_tournaments(log, players)
        last = log.last_position()
    words = [sys.executable, "-m", "paircard.cli", "tables", "read.db", "--db", "log.db", "--batch", "1"]
    environment = os.environ | {"PYTHONPATH": PYTHONPATH}
    done = 0
    while done < kills:
        before = position(tmp_path / "read.db")
        if before >= last:
            (tmp_path / "read.db").unlink()
            continue
        process = subprocess.Popen(words, cwd=tmp_path, env=environment, stdout=subprocess.DEVNULL)
        while process.poll() is None and position(tmp_path / "read.db") == before:
            time.sleep(0.005)
        time.sleep(chance.uniform(0, 0.05))
        if process.poll() is None:
            process.send_signal(signal.SIGKILL)
            done += 1
        assert process.wait() in (0, -signal.SIGKILL)
    subprocess.run(words, cwd=tmp_path, env=environment, check=True, stdout=subprocess.DEVNULL)
    with Tournaments(tmp_path / "log.db") as log:
        assert catch_up(log, tmp_path / "zero.db") == last
    assert contents(tmp_path / "read.db") == contents(tmp_path / "zero.db")


def position(path: Path) -> int:
    """How far the tables are, as another process sees it."""
    if not path.exists():
        return 0
    try:
        with closing(sqlite3.connect(f"file:{path}?mode=ro", uri=True, timeout=5)) as db:
            return int(db.execute("SELECT position FROM position").fetchone()[0])
    except (sqlite3.Error, TypeError):
        return 0  # not made yet


def test_a_projector_killed_in_the_middle_applies_every_fact_once(tmp_path: Path) -> None:
    killed_while_catching_up(tmp_path, kills=2, players=60, seed=1)


@pytest.mark.soak
def test_a_projector_killed_two_hundred_times_applies_every_fact_once(tmp_path: Path) -> None:
    killed_while_catching_up(tmp_path, kills=200, players=120, seed=2)


@settings(max_examples=8, deadline=None)
@given(seed=st.integers(0, 2**32))
def test_tables_kept_up_through_any_life_equal_a_rebuild(seed: int) -> None:
    chance = random.Random(seed)
    with TemporaryDirectory() as name, Tournaments(Path(name) / "log.db", create=True) as log:
        folder = Path(name)
        for step, (_, command, facts, _) in enumerate(life(seed, 60)):
            if facts:
                log.ask("d" * 32, command)
            if step % chance.randint(5, 30) == 0:
                catch_up(log, folder / "live.db", batch=chance.randint(1, 9))
        catch_up(log, folder / "live.db")
        catch_up(log, folder / "zero.db")

        assert contents(folder / "live.db") == contents(folder / "zero.db")
