"""A PostgreSQL database: append-only by grant, and refused where its tables would lose facts."""

from collections.abc import Callable, Iterator
from contextlib import contextmanager
from typing import Any

import psycopg
import pytest

from paircard.domain.errors import CorruptFile, NewerFile, Refused
from paircard.domain.log.backends.postgres_database import FORMAT
from paircard.domain.log.location import parsed_address, shown
from paircard.domain.log.store import Tournaments, prepare
from paircard.domain.proof.doctor import BAD, examine
from tests.domain.test_contract import ONE, entry, opening
from tests.postgres import PASSWORD, USER, Server
from tests.refusals import refuses
from tests.roots import ROOT

SWALLOWS = (
    "CREATE FUNCTION {schema}.quiet() RETURNS trigger LANGUAGE plpgsql AS 'BEGIN RETURN NULL; END'; "
    "CREATE TRIGGER quiet BEFORE INSERT ON {schema}.stored_events "
    "FOR EACH ROW EXECUTE FUNCTION {schema}.quiet()"
)


@pytest.fixture
def url(server: Server) -> str:
    """A schema with three facts."""
    url = server.fresh()
    prepare(url)
    with Tournaments(url) as store:
        store.ask(ONE, opening())
        store.ask(ONE, entry("Anand"))
        store.ask(ONE, entry("Polgar"))
    return url


def by_hand(url: str, statement: str) -> list[Any]:
    address = parsed_address(url)
    with psycopg.connect(address.url, autocommit=True) as db:
        cursor = db.execute(statement.replace("{schema}", address.schema))
        return cursor.fetchall() if cursor.description else []


def wrong(url: str) -> str:
    return "; ".join(finding.text for finding in examine(url) if finding.state == BAD)


@pytest.mark.parametrize(
    ("statement", "told"),
    [
        ("ALTER TABLE {schema}.stored_events DROP CONSTRAINT stored_events_pkey", "has lost its key"),
        ("ALTER TABLE {schema}.stored_events SET UNLOGGED", "is unlogged: a crash of the server empties it"),
        (SWALLOWS, "trigger 'quiet' was not created by paircard"),
        (
            "ALTER TABLE {schema}.stored_events ADD CHECK (length(state) > 9)",
            "constraint 'stored_events_state_check' was not created",
        ),
        (
            'ALTER TABLE {schema}.stored_events ALTER originator_id TYPE text COLLATE "POSIX"',
            "column originator_id of stored_events is not as paircard made it",
        ),
        (
            "ALTER TABLE {schema}.stored_events DROP CONSTRAINT stored_events_pkey, ADD CONSTRAINT "
            "stored_events_pkey PRIMARY KEY (originator_id, originator_version) DEFERRABLE",
            "has lost its key",
        ),
        (
            "CREATE TABLE {schema}.above (topic text); ALTER TABLE {schema}.stored_events "
            "INHERIT {schema}.above",
            "parent of the table 'stored_events' was not created by paircard",
        ),
        (
            "ALTER SEQUENCE {schema}.stored_events_notification_id_seq MAXVALUE 5",
            "positions are not counted one by one, without end",
        ),
        (
            "ALTER SEQUENCE {schema}.stored_events_notification_id_seq OWNED BY NONE",
            "positions have lost their sequence",
        ),
    ],
)
def test_tables_that_would_lose_facts_are_refused_before_the_first_write(
    url: str, statement: str, told: str
) -> None:
    by_hand(url, statement)
    with Tournaments(url) as desk:
        for _ in range(2):
            with refuses(CorruptFile, "store.server-unsound") as refusal:
                desk.ask(ONE, entry("Short"))
            assert told in str(refusal.value)
        assert desk.version(ONE) == 3
    assert told in wrong(url)


def test_a_table_that_keeps_nothing_is_not_answered_with_success(url: str) -> None:
    """Also where the trigger was made under an open desk, which has looked at the tables before."""
    with Tournaments(url) as desk:
        desk.ask(ONE, entry("Short"))
        by_hand(url, SWALLOWS)
        with refuses(CorruptFile, "store.not-kept"):
            desk.ask(ONE, entry("Nunn"))
        assert desk.version(ONE) == 4


@pytest.mark.parametrize(
    "statement", ["DELETE FROM {}", "INSERT INTO {} VALUES (9)", "UPDATE {} SET format=0"]
)
def test_the_number_of_the_format_is_one_number(url: str, statement: str) -> None:
    by_hand(url, statement.format("{schema}.paircard_format"))
    with refuses(CorruptFile, "store.format-damaged"):
        Tournaments(url)
    bad = [one for one in examine(url) if one.code == "store.format-damaged"]
    assert [(one.state, one.fields) for one in bad] == [(BAD, {"file": shown(url)})]


def test_tables_of_the_format_before_are_read_and_written_to_after_init(url: str) -> None:
    by_hand(url, "ALTER TABLE {schema}.stored_events DROP COLUMN recorded_by")
    by_hand(url, "UPDATE {schema}.paircard_format SET format=1")
    with Tournaments(url) as desk:
        assert desk.verify_chain(ONE)[0] == 3
        with refuses(NewerFile, "store.server-format", value="1"):
            desk.ask(ONE, entry("Short"))
    assert "paircard init" in wrong(url)

    assert prepare(url)

    with Tournaments(url) as desk:
        desk.ask(ONE, entry("Short"))
    found = by_hand(url, "SELECT recorded_by FROM {schema}.stored_events ORDER BY originator_version")
    assert found == [(None,), (None,), (None,), (USER,)]
    assert wrong(url) == ""


@pytest.mark.parametrize("before", range(1, FORMAT))
def test_nothing_is_kept_in_tables_of_another_format(url: str, before: int) -> None:
    with Tournaments(url) as desk:
        desk.state(ONE)
        by_hand(url, f"UPDATE {{schema}}.paircard_format SET format={before}")
        kept: tuple[Callable[[], object], ...] = (
            lambda: desk.ask(ONE, entry("Short")),
            lambda: desk.keep_note(ONE, 3, "a note"),
            lambda: desk.save_signed_tree(3, 3, "a note"),
            lambda: desk.erase_pieces(ONE, ["0" * 64]),
        )
        for keep in kept:
            with refuses(NewerFile, "store.server-format", value=str(before)):
                keep()
        assert by_hand(url, "SELECT format FROM {schema}.paircard_format") == [(before,)]
        assert desk.backend.stored_checkpoints(ONE) == []


def test_tables_that_a_newer_program_took_over_are_left_alone_by_an_open_desk(url: str) -> None:
    with Tournaments(url) as desk:
        desk.ask(ONE, entry("Short"))
        by_hand(url, f"UPDATE {{schema}}.paircard_format SET format={FORMAT + 1}")
        with refuses(NewerFile, "store.server-format", value=str(FORMAT + 1), highest=FORMAT):
            desk.ask(ONE, entry("Nunn"))
        assert desk.version(ONE) == 4


@contextmanager
def role(url: str, server: Server, name: str) -> Iterator[str]:
    """The address for a role that has what docs/security.md grants an arbiter."""
    text = (ROOT / "docs" / "security.md").read_text(encoding="utf-8")
    grants = text.split("```sql\n")[1].split("```")[0]
    schema = parsed_address(url).schema
    with psycopg.connect(server.url(), autocommit=True) as db:
        db.execute(f"DROP ROLE IF EXISTS {name}")
        db.execute(f"CREATE ROLE {name} LOGIN PASSWORD 's3cret'")
        own = grants.replace("paircard.", f"{schema}.").replace("SCHEMA paircard", f"SCHEMA {schema}")
        db.execute(own.replace("desk", name))
        try:
            yield url.replace(f"{USER}:{PASSWORD.replace('/', '%2F')}", f"{name}:s3cret")
        finally:
            db.execute(f"DROP OWNED BY {name}")
            db.execute(f"DROP ROLE {name}")


@pytest.mark.parametrize(
    "statement",
    [
        "UPDATE {schema}.stored_events SET state = state",
        "UPDATE {schema}.stored_events SET originator_id = '2'",
        "DELETE FROM {schema}.stored_events",
        "TRUNCATE {schema}.stored_events",
        "SELECT setval('{schema}.stored_events_notification_id_seq', 1)",
        "INSERT INTO {schema}.stored_events (originator_id, originator_version, notification_id) "
        "VALUES ('2', 1, -1)",
        "INSERT INTO {schema}.stored_events (originator_id, originator_version, recorded_by) "
        "VALUES ('2', 1, 'anna')",
        "DELETE FROM {schema}.checkpoints",
        "UPDATE {schema}.checkpoints SET size = 1",
        "UPDATE {schema}.paircard_format SET format = 1",
        "ALTER TABLE {schema}.stored_events DISABLE TRIGGER ALL",
        "DROP TABLE {schema}.stored_events",
    ],
)
def test_an_arbiters_role_adds_facts_and_changes_none(url: str, server: Server, statement: str) -> None:
    with role(url, server, "desk2") as desk_url:
        with Tournaments(desk_url) as desk:
            desk.ask(ONE, entry("Short"))
        with pytest.raises(psycopg.errors.InsufficientPrivilege):
            by_hand(desk_url, statement)

        found = [finding for finding in examine(desk_url) if finding.about in ("rights", "append-only")]
        assert [finding.state for finding in found] == ["ok", "ok"], found
        with Tournaments(url) as store:
            assert store.backend.recorders(ONE) == [USER] * 3 + ["desk2"]
        names = by_hand(url, "SELECT recorded_by FROM {schema}.stored_events WHERE originator_version = 4")
        assert names == [("desk2",)]


def test_a_role_that_may_change_facts_is_told_so(url: str) -> None:
    [found] = [finding for finding in examine(url) if finding.about == "append-only"]
    assert "you may also UPDATE, DELETE, TRUNCATE, INSERT of positions" in found.text


def test_a_role_without_rights_changes_nothing(url: str, server: Server) -> None:
    with role(url, server, "desk3") as desk_url:
        by_hand(url, "REVOKE ALL ON {schema}.stored_events FROM desk3")
        with refuses(Refused, "store.server", cause="lacks-right"), Tournaments(desk_url) as desk:
            desk.ask(ONE, entry("Short"))
