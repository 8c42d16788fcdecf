"""The doctor at a PostgreSQL database."""

from collections.abc import Iterator
from typing import Any, Final

from paircard.domain.errors import Refused
from paircard.domain.log.location import Address
from paircard.domain.proof.doctor.findings import BAD, CARE, GOOD, Finding, facts, wrong_catalogue

ADVISORY: Final = 0x50435244
COLUMNS = ("originator_id", "originator_version", "topic", "state")
"""All an arbiter's role needs to insert; the server fills in the rest."""


def examine_database(address: Address) -> Iterator[Finding]:
    """From the server inwards; ends where nothing further can be seen."""
    try:
        from paircard.domain.log.backends import postgres
        from paircard.domain.log.backends import postgres_database as pg
    except Refused as missing:
        yield Finding("driver", BAD, str(missing))
        return
    try:
        with pg.connected(address) as db:
            yield from server(db, address)
            format = pg.format_of(db, address)
            if format is None:
                yield Finding("tables", BAD, f"{address.shown} has none: make them once with paircard init")
                return
            if format < pg.FORMAT:
                problem = f"they have format {format}: run paircard init as their owner before adding facts"
                yield Finding("tables", BAD, problem)
            if lacking := pg.added_since(db, address):
                problem = f"{', '.join(lacking)} missing, lists take longer: run paircard init once"
                yield Finding("tables", CARE, problem)
            yield from rights(db, address)
            yield from locks(db, address)
            yield from positions(db, address)
        log = postgres.PostgresBackend(address, 5)
        try:
            wrong = pg.unsound(log.ask, address.schema)
            yield from (
                Finding("tables", BAD, f"{problem}: nothing is recorded until this is repaired")
                for problem in wrong
            )
            yield from facts(log.everything(), log.stored_checkpoints())
            if misplaced := log.misplaced():
                yield wrong_catalogue(len(misplaced))
        finally:
            log.close()
    except pg.Error as reason:
        yield Finding("server", BAD, str(pg.refusal(reason, address)))
    except Refused as refused:
        yield Finding("server", BAD, str(refused))


def one(db: Any, question: str, *values: object) -> dict[str, Any]:
    found: dict[str, Any] = db.execute(question, values).fetchone()
    return found


def server(db: Any, address: Address) -> Iterator[Finding]:
    version = one(db, "SELECT current_setting('server_version') AS v")["v"]
    yield Finding("server", GOOD, f"{address.shown}, PostgreSQL {version}")
    if one(db, "SELECT pg_is_in_recovery() AS standby")["standby"]:
        yield Finding("writing", BAD, "this server is a standby and read-only: write to the primary")
    for name in ("fsync", "full_page_writes"):
        if one(db, "SELECT current_setting(%s) AS v", name)["v"] != "on":
            yield Finding("durability", BAD, f"{name} is off: a crash can destroy the record, set it to on")
    used = one(
        db,
        "SELECT count(*) AS n, current_setting('max_connections')::int AS most FROM pg_stat_activity "
        "WHERE backend_type = 'client backend'",
    )
    state = CARE if used["n"] * 10 > used["most"] * 9 else GOOD
    advice = ": raise max_connections or close some" if state == CARE else ""
    yield Finding("connections", state, f"{used['n']} of {used['most']} are in use{advice}")


def rights(db: Any, address: Address) -> Iterator[Finding]:
    table = f"{address.schema}.stored_events"
    lacking = [] if may(db, "table", table, "SELECT") else ["SELECT"]
    columns = [
        one(db, "SELECT has_column_privilege(%s, %s, 'INSERT') AS may", table, name) for name in COLUMNS
    ]
    if not all(column["may"] for column in columns):
        lacking.append(f"INSERT ({', '.join(COLUMNS)})")
    sequence = one(db, "SELECT pg_get_serial_sequence(%s, 'notification_id') AS name", table)["name"]
    if not one(db, "SELECT has_sequence_privilege(%s, 'USAGE') AS may", sequence)["may"]:
        lacking.append(f"USAGE on {sequence}")
    notes = f"{address.schema}.checkpoints"
    if one(db, "SELECT to_regclass(%s) IS NOT NULL AS there", notes)["there"]:
        lacking += [
            f"{right} on {notes}"
            for right in ("SELECT", "INSERT")
            if not one(db, "SELECT has_table_privilege(%s, %s) AS may", notes, right)["may"]
        ]
    if lacking:
        problem = ", ".join(lacking)
        yield Finding(
            "rights", BAD if "SELECT" in lacking else CARE, f"you may not {problem}: ask for GRANT {problem}"
        )
    else:
        yield Finding("rights", GOOD, "reading and recording are allowed")
    more = [right for right in ("UPDATE", "DELETE", "TRUNCATE") if may(db, "table", table, right)]
    more += (
        []
        if not one(db, "SELECT has_column_privilege(%s, 'notification_id', 'INSERT') AS may", table)["may"]
        else ["INSERT of positions"]
    )
    if more:
        problem = (
            f"you may also {', '.join(more)}: for an arbiter's role grant SELECT and INSERT by column alone"
        )
        yield Finding("append-only", CARE, f"{problem} (docs/security.md)")
    else:
        yield Finding("append-only", GOOD, "facts can be added, not changed or deleted, by this role")


def may(db: Any, kind: str, name: str, right: str) -> bool:
    return bool(one(db, f"SELECT has_{kind}_privilege(%s, %s) AS may", name, right)["may"])


def locks(db: Any, address: Address) -> Iterator[Finding]:
    """Who keeps others from writing."""
    holder = one(
        db,
        "SELECT a.pid, a.application_name AS name, extract(epoch FROM now() - a.xact_start)::int AS seconds "
        "FROM (SELECT 1) AS always LEFT JOIN (pg_locks l JOIN pg_stat_activity a USING (pid)) "
        "ON (l.relation = %s::regclass OR (l.locktype = 'advisory' AND l.classid = %s "
        "AND l.objid = hashtext(%s)::oid)) AND l.granted AND l.mode LIKE '%%ExclusiveLock' "
        "AND a.xact_start < now() - interval '2 seconds' ORDER BY 3 DESC NULLS LAST LIMIT 1",
        f"{address.schema}.stored_events",
        ADVISORY,
        address.schema,
    )
    if holder["pid"] is not None:
        yield Finding(
            "locks",
            BAD,
            f"process {holder['pid']} ({holder['name'] or 'unnamed'}) has locked the log for "
            f"{holder['seconds']} s: end it, or SELECT pg_terminate_backend({holder['pid']})",
        )
    else:
        yield Finding("locks", GOOD, "nobody keeps others from writing")


def positions(db: Any, address: Address) -> Iterator[Finding]:
    """The sequence that numbers the facts must be ahead of them, also after a restore."""
    table = f"{address.schema}.stored_events"
    sequence = one(db, "SELECT pg_get_serial_sequence(%s, 'notification_id') AS name", table)["name"]
    if not one(db, "SELECT has_sequence_privilege(%s, 'SELECT') AS may", sequence)["may"]:
        yield Finding("order", GOOD, f"{sequence} is not yours to read, so it was not looked at")
        return
    first = one(db, f'SELECT min(notification_id) AS n FROM "{address.schema}".stored_events')["n"]
    if first is not None and first < 1:
        yield Finding("order", BAD, f"a fact is at position {first}: somebody changed it, restore a backup")
        return
    next_one = one(db, f"SELECT last_value + is_called::int AS n FROM {sequence}")["n"]
    last = one(db, f'SELECT coalesce(max(notification_id), 0) AS n FROM "{address.schema}".stored_events')[
        "n"
    ]
    if next_one <= last:
        yield Finding(
            "order",
            BAD,
            f"the next position is {next_one}, {last} is taken: SELECT setval('{sequence}', {last})",
        )
    else:
        yield Finding("order", GOOD, f"the last fact is at position {last}")
