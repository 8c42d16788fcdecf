"""Read tables of whole events, in a file and in PostgreSQL: the same rows, and what a user asks of them."""

import sqlite3
from collections.abc import Callable, Iterator
from contextlib import closing
from pathlib import Path
from random import Random
from typing import Any

import psycopg
import pytest
from msgspec.structs import replace

from paircard.domain.commands import (
    AdjournGame,
    ChangeRegulations,
    CorrectPlayer,
    CorrectResult,
    GrantBye,
    RegisterPlayer,
    WithdrawPlayer,
)
from paircard.domain.values.players import Changes, Details
from paircard.domain.values.regulations import Regulations
from paircard.domain.values.results import parse_outcome
from paircard.projections.tables import KEYS
from paircard.service import Office, Tournament, person
from paircard.service.erasure import erase_person
from paircard.service.prizes import announcement
from tests.postgres import Server
from tests.prizegiving import ANNOUNCED, PLAYERS, play
from tests.read_tables import catch_up

ANNA = person("Anna Arbiter")
SEEN = (*KEYS, "position", "games", "people")
Asked = Callable[[str], list[tuple[Any, ...]]]


def swiss(office: Office) -> Iterator[Tournament]:
    """An open event in steps: prizes, byes, forfeits, a correction, a late entry, who left, who is erased."""
    rules = Regulations(name="Harbour Open 100%", rounds=3, tiebreaks=("BH/C1", "SB"), starts="2026-11-14")
    made = office.new(rules, by=ANNA)
    people = [
        Details(
            name=name, rating=rating, sex=sex, birth=birth, title=title, fide_id=700 + at, club="Rook & ½"
        )
        for at, (name, rating, sex, birth, title) in enumerate(PLAYERS)
    ]
    made.ask(*(RegisterPlayer(details=one) for one in people), by=ANNA)
    made.ask(ChangeRegulations(changes=announcement(ANNOUNCED)), by=ANNA)
    made.ask(GrantBye(player=8, round=2, letter="Z"), by=ANNA)
    yield made
    play(made, "1-0", "1F-0F", "½-½", "0-1")
    yield made
    wrong = replace(ANNA, why="score sheet", accepts=("no-show",))
    made.ask(CorrectResult(round=1, board=1, outcome=parse_outcome("½-½")), by=wrong)
    made.ask(RegisterPlayer(details=Details(name="Late, Lou", club="Ødegård's")), by=wrong)
    yield made
    paired = made.pair(by=wrong)
    made.publish(by=ANNA)
    made.ask(AdjournGame(round=2, board=1), by=ANNA)
    yield made
    open_boards = made.now().state.rounds[-1].open_boards()
    made.record(paired.round.round, dict.fromkeys(open_boards, "½-½"), by=ANNA)
    made.ask(WithdrawPlayer(player=7), by=replace(ANNA, why="ill"))
    made.ask(CorrectPlayer(player=2, changes=Changes(fide_id=701, title="WGM")), by=wrong)
    yield made
    play(made, "1-0", "0-1", "½-½", "1-0")
    made.award(by=ANNA)
    yield made


def robin(office: Office) -> Iterator[Tournament]:
    """A club championship of seven: all rounds at once, played in any order, left by one."""
    rules = Regulations(
        name="Club", rounds=0, edition="round-robin", tiebreaks=("DE", "SB"), starts="2026-12-01"
    )
    made = office.new(rules, by=ANNA)
    for at in range(7):
        details = Details(name=f"Nr. {at + 1}", rating=2000 - at, fide_id=700 + at, federation="NOR")
        made.ask(RegisterPlayer(details=details), by=ANNA)
    made.number(lots="lots", by=ANNA)
    made.schedule(by=ANNA)
    yield made
    chance = Random(7)
    for share in (2, 1):
        games = [(one.number, board) for one in made.now().state.rounds for board in one.open_boards()]
        chance.shuffle(games)
        for round, board in games[: len(games) // share]:
            made.record(round, {board: chance.choice(("1-0", "½-½", "0-1", "0F-1F"))}, by=ANNA)
        yield made


@pytest.fixture
def two(tmp_path: Path, server: Server) -> Iterator[tuple[Office, Asked, Asked]]:
    """A store with both events, and both kinds of tables, caught up after every step and compared."""
    place, file = server.fresh(), tmp_path / "read.db"
    url, _, schema = place.partition("?schema=")
    with Office.create(tmp_path / "events.db") as office:
        catch_up(office.store(), file)
        catch_up(office.store(), place)
        with (
            psycopg.connect(url, autocommit=True, options=f"-c search_path={schema}") as database,
            closing(sqlite3.connect(file)) as small,
        ):

            def of_file(sql: str) -> list[tuple[Any, ...]]:
                return small.execute(sql).fetchall()

            def of_database(sql: str) -> list[tuple[Any, ...]]:
                return database.execute(sql.encode()).fetchall()

            def compare() -> None:
                for into in (file, place):
                    catch_up(office.store(), into, batch=9)
                for name in SEEN:
                    rows = sorted(of_file(f"SELECT * FROM {name}"))
                    assert rows == sorted(of_database(f"SELECT * FROM {name}")), name
                    assert all(value is not None for row in rows for value in row), name

            for event in (swiss, robin):
                for _ in event(office):
                    compare()
            erase_person(
                office.store(),
                office.tournament("Harbour"),
                4,
                by=replace(ANNA, why="asked for", accepts=("erase-while-running",)),
            )
            compare()
            yield office, of_file, of_database


@pytest.mark.postgres
def test_of_a_person_who_was_erased_no_table_holds_a_word(two: tuple[Office, Asked, Asked]) -> None:
    _, *both = two
    for asked in both:
        for name in SEEN:
            assert "Харбор" not in str(asked(f"SELECT * FROM {name}")), name
        assert asked("SELECT name, fide_id FROM players WHERE id = 4 AND rating = 2050") == [
            ("(erased p4)", 0)
        ]


@pytest.mark.postgres
def test_a_user_finds_games_people_and_words_in_a_database(two: tuple[Office, Asked, Asked]) -> None:
    _, of_file, of_database = two
    mine = "SELECT tournament_name, white_name, result FROM games WHERE 701 IN (white_fide_id, black_fide_id)"
    for asked in (of_file, of_database):
        assert len(asked(mine)) == 3 + 6
        assert asked("SELECT name, federation, title, tournaments FROM people WHERE fide_id = 701") == [
            ("Nr. 2", "NOR", "", 2)
        ], "as in the event that began last"
    words = "to_tsvector('simple', name || ' ' || club || ' ' || federation || ' ' || title)"
    name = PLAYERS[5][0]
    found = f"SELECT name FROM players WHERE {words} @@ plainto_tsquery('simple', 'rook {name[-4:]}')"
    assert of_database(found) == [(name,)]
    of_database("SELECT set_config('enable_seqscan', 'off', false)")
    assert "idx_players_words" in str(of_database(f"EXPLAIN {found}"))
    for refused in (
        "INSERT INTO rounds SELECT 'nowhere', 1, edition, engine, 0, '', '', 0, 0, 0, 0 FROM rounds LIMIT 1",
        "DELETE FROM tournaments WHERE name = 'Club'",
        "UPDATE boards SET white = 99 WHERE round = 1 AND board = 1",
    ):
        with pytest.raises(psycopg.errors.ForeignKeyViolation):
            of_database(refused)
