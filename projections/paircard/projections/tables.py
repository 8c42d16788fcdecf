"""Read tables: the log as plain SQL tables in a file of their own, for Datasette and for anyone's queries.

They are a sink: nothing reads them back, they can be deleted and made again at any time. Facts are taken
in batches in the order of the whole file; the rows of a batch and the position it ends at are written in
one transaction, so a crash leaves every fact applied once. The facts are rows of their own; what is
computed from them is written anew for each tournament the batch touches.
"""

import sqlite3
from collections.abc import Callable, Iterable, Iterator, Sequence
from contextlib import closing, contextmanager
from pathlib import Path
from typing import Any, Final

import msgspec
from msgspec.structs import replace
from sqlite_utils import Database

from paircard.domain.errors import Busy, CorruptFile, ForeignFile, Invalid, NewerFile, Refused, Unreachable
from paircard.domain.events import PersonErased, Recorded
from paircard.domain.log.store import Tournaments
from paircard.domain.log.stored import Unreadable
from paircard.domain.messages import Message, say
from paircard.domain.proof.doctor import BAD, CARE, GOOD, Finding, found, refused
from paircard.domain.rounds import RATING_REPORT, outcome_in_words
from paircard.domain.state import Tournament, entered, state_after
from paircard.domain.values.results import PLAYED
from paircard.domain.whole_files import make_private
from paircard.projections.log_lines import log_lines
from paircard.projections.round.cards import as_if_drawn, cards
from paircard.projections.round.crosstable import Crosstable, records, scores_before
from paircard.projections.round.snapshot import (
    aligned,
    colour_due,
    colours_by_round,
    difference,
    float_records,
)
from paircard.projections.standings.ranking import standings_after
from paircard.projections.views import last_finished, numbering, table_after

APPLICATION_ID: Final = 0x50435254
"""``PCRT``, in the header of every file made here."""
FORMAT: Final = 5
"""Of the tables; a file of another format is built again."""
BATCH: Final = 500
PULSE: Final = 5.0
"""Seconds after which one who follows looks even if nobody woke it."""

SCHEMA: Final[dict[str, dict[str, type]]] = {
    "tournaments": {
        "id": str, "name": str, "edition": str, "rounds": int, "paired": int, "players": int,
        "acceleration": str, "tiebreaks": str, "starts": str, "ends": str, "place": str, "federation": str,
        "fide_mode": int, "closed": int, "version": int,
    },
    "facts": {
        "position": int, "tournament": str, "version": int, "kind": str, "recorded_by": str,
        "recorded_at": str, "why": str, "acknowledged": str, "text": str, "fact": str, "hash": str,
    },
    "players": {
        "tournament": str, "id": int, "number": int, "name": str, "sex": str, "title": str, "rating": int,
        "federation": str, "fide_id": int, "birth": str, "club": str, "status": str,
    },
    "rounds": {
        "tournament": str, "round": int, "edition": str, "engine": str, "based_on": int, "snapshot": str,
        "origin": str, "pab": int, "published": int, "completed": int, "altered": int,
    },
    "boards": {
        "tournament": str, "round": int, "board": int, "white": int, "black": int, "result": str,
        "white_in_rating_report": int, "black_in_rating_report": int, "result_in_rating_report": str,
    },
    "entries": {
        "tournament": str, "player": int, "round": int, "opponent": int, "colour": str, "letter": str,
        "tenths": int, "forfeited": int,
    },
    "cards": {
        "tournament": str, "player": int, "round": int, "opponent": int, "colour": str, "float": str,
        "letter": str, "tenths": int, "score_tenths": int, "forfeited": int,
    },
    "tabellone": {
        "tournament": str, "player": int, "round": int, "score_tenths": int, "colours": str,
        "difference": int, "due": str, "strength": str, "floats": str,
    },
    "standings": {
        "tournament": str, "player": int, "after_round": int, "rank": int, "tenths": int, "tiebreaks": str,
        "parted_by": str,
    },
    "position": {"id": int, "position": int, "hash": str},
}  # fmt: skip
"""Every table with its columns, those it refers to first; ``docs/tables.md`` says what they hold."""

KEYS: Final[dict[str, tuple[str, ...]]] = {
    "tournaments": ("id",),
    "facts": ("position",),
    "players": ("tournament", "id"),
    "rounds": ("tournament", "round"),
    "boards": ("tournament", "round", "board"),
    "entries": ("tournament", "player", "round"),
    "cards": ("tournament", "player", "round"),
    "tabellone": ("tournament", "player", "round"),
    "standings": ("tournament", "player"),
    "position": ("id",),
}
NAMES_A_PLAYER: Final = ("player", "white", "black")
"""Columns that refer to a player of the same tournament; in others 0 is nobody."""

INDEXES: Final = (
    ("players", ("fide_id",)),
    ("players", ("name",)),
    ("boards", ("tournament", "white")),
    ("boards", ("tournament", "black")),
    ("entries", ("tournament", "opponent")),
    ("facts", ("tournament", "version")),
)


def _points(side: str) -> str:
    """The points of a side in a view as people write them, 1, ½, 0; empty while the game is not over."""
    halves = f"iif({side}.tenths < 10, '', {side}.tenths / 10) || '½'"
    return (
        f"CASE WHEN b.result IN ('', 'adjourned') THEN '' WHEN {side}.tenths % 10 = 5 THEN {halves}"
        f" WHEN {side}.tenths % 10 = 0 THEN ({side}.tenths / 10) || ''"
        f" ELSE printf('%.1f', {side}.tenths / 10.0) END"
    )


VIEWS: Final = {
    "games": f"""
        SELECT b.tournament, t.name AS tournament_name, b.round, b.board,
            b.white, w.name AS white_name, w.rating AS white_rating, w.fide_id AS white_fide_id,
            b.black, k.name AS black_name, k.rating AS black_rating, k.fide_id AS black_fide_id,
            b.result, {_points("we")} AS white_points, {_points("ke")} AS black_points
        FROM boards b JOIN tournaments t ON t.id = b.tournament
        JOIN players w ON w.tournament = b.tournament AND w.id = b.white
        JOIN players k ON k.tournament = b.tournament AND k.id = b.black
        JOIN entries we ON we.tournament = b.tournament AND we.player = b.white AND we.round = b.round
        JOIN entries ke ON ke.tournament = b.tournament AND ke.player = b.black AND ke.round = b.round""",
    "people": """
        SELECT p.fide_id, max(p.name) AS name, max(p.federation) AS federation, max(p.title) AS title,
            count(*) AS tournaments, min(nullif(t.starts, '')) AS first, max(nullif(t.starts, '')) AS last
        FROM players p JOIN tournaments t ON t.id = p.tournament WHERE p.fide_id > 0 GROUP BY p.fide_id""",
}
"""What most people ask: games with names and points, and people by FIDE id across tournaments."""

Row = tuple[int | str, ...]
Tell = Callable[[Message], None]


def catch_up(
    log: Tournaments,
    path: Path,
    *,
    batch: int = BATCH,
    rebuild: bool = False,
    tell: Tell = lambda _: None,
    taken_on: Callable[[int], object] = lambda _: None,
) -> int:
    """Bring the tables up to date with the log; the number of facts that were new to them.

    A tournament that cannot be read is told of and left as it is, and the others go on. ``taken_on`` hears
    how many facts each batch had.
    """
    if log.path and path.exists() and log.path.exists() and path.samefile(log.path):
        raise Invalid("tables.log-itself", path=str(path))
    new = 0
    with refusing(path), closing(open_tables(path)) as connection:
        tables = Database(connection)
        prepare(tables, rebuild=rebuild)
        while taken := one_batch(log, tables, path, batch, tell):
            new += taken
            taken_on(taken)
        connection.execute("PRAGMA wal_checkpoint(TRUNCATE)")  # names that were erased leave the journal, too
    return new


def follow(
    log: Tournaments, path: Path, *, batch: int = BATCH, tell: Tell = lambda _: None
) -> Iterator[tuple[int, int]]:
    """Catch up whenever there is something new, without end: how many facts, and the position they end at."""
    while True:
        new = catch_up(log, path, batch=batch, tell=tell)
        position = position_of(path)
        if new:
            yield new, position
        log.wait(position, PULSE)


def position_of(path: Path) -> int:
    """How far the tables are."""
    with refusing(path), closing(open_tables(path)) as connection:
        [[position]] = connection.execute("SELECT position FROM position").fetchall()
    return int(position)


def how_far(log: Tournaments, path: Path) -> Finding:
    """For the doctor: whether the tables are of this log, and how far behind it."""
    if not path.exists():
        return found("read tables", BAD, "tables.missing", path=str(path))
    try:
        with refusing(path), closing(open_tables(path)) as connection:
            [[position, hash]] = connection.execute("SELECT position, hash FROM position").fetchall()
        need_same_log(log, path, position, hash)
    except Refused as refusal:
        return refused("read tables", refusal)
    behind = log.last_position() - position
    if behind:
        return found("read tables", CARE, "tables.behind", path=str(path), number=behind)
    return found("read tables", GOOD, "tables.up-to-date", path=str(path), number=position)


def need_same_log(log: Tournaments, path: Path, position: int, hash: str) -> None:
    """Refuse tables that were made from another log: their last fact must be in this one."""
    if position:
        last = log.notifications(position - 1, 1)
        if not last or last[0].position != position or last[0].hash != hash:
            raise CorruptFile("tables.another-log", path=str(path))


def open_tables(path: Path) -> sqlite3.Connection:
    """The file of the tables, ours or new; refuses another program's.

    SQLite is asked, not the bytes of the file: after a crash its header may still be in the journal.
    """
    make_private(path)
    connection = sqlite3.connect(path, isolation_level=None, timeout=30)
    try:
        connection.execute("PRAGMA secure_delete=ON")  # rows written anew leave no names of erased people
        [[application]] = connection.execute("PRAGMA application_id").fetchall()
        [[tables]] = connection.execute("SELECT count(*) FROM sqlite_schema").fetchall()
        ours = application == APPLICATION_ID or not tables
    except sqlite3.DatabaseError as reason:
        connection.close()
        if "not a database" not in str(reason):
            raise
        ours = False
    if not ours:
        connection.close()
        raise ForeignFile("tables.foreign", path=str(path))
    return connection


def prepare(tables: Database, *, rebuild: bool) -> None:
    """Create the tables in a file that has none, or whose tables must be built again."""
    tables.conn.execute("PRAGMA journal_mode=WAL")
    with immediate(tables.conn):
        [[written]] = tables.conn.execute("PRAGMA user_version").fetchall()
        if written == FORMAT and not rebuild:
            return
        for name in tables.view_names():
            tables.view(name).drop()
        for name in tables.table_names():
            tables.table(name).drop()
        for name, columns in SCHEMA.items():
            keys: list[Any] = [("tournament", "tournaments", "id")] if "tournament" in columns else []
            keys += [
                (("tournament", column), "players", ("tournament", "id"))
                for column in NAMES_A_PLAYER
                if column in columns
            ]
            tables.table(name).create(
                columns, pk=KEYS[name], not_null=columns.keys(), strict=True, foreign_keys=keys
            )
        for name, indexed in INDEXES:
            tables.table(name).create_index(indexed)
        for name, query in VIEWS.items():
            tables.create_view(name, query, replace=True)
        tables.table("position").insert({"id": 1, "position": 0, "hash": ""})
        tables.conn.execute(f"PRAGMA application_id={APPLICATION_ID}")
        tables.conn.execute(f"PRAGMA user_version={FORMAT}")


def one_batch(log: Tournaments, tables: Database, path: Path, batch: int, tell: Tell) -> int:
    """Apply the next facts and move the position, in one transaction; how many there were."""
    with immediate(tables.conn):
        [[position, hash]] = tables.conn.execute("SELECT position, hash FROM position").fetchall()
        need_same_log(log, path, position, hash)
        facts = log.notifications(position, batch)
        if facts:
            for tournament in dict.fromkeys(fact.tournament for fact in facts):
                mine = [fact for fact in facts if fact.tournament == tournament]
                try:
                    known = log.log(tournament, upto=mine[-1].version)
                    write(tables, known, in_order(known, mine))
                except (CorruptFile, NewerFile) as why:
                    tell(say("tables.others", what=why.said, path=str(path)))
            tables.table("position").upsert(
                {"id": 1, "position": facts[-1].position, "hash": facts[-1].hash}, pk="id"
            )
    return len(facts)


def in_order(log: list[Recorded], new: Sequence[Recorded | Unreadable]) -> list[Recorded]:
    """New facts as facts; refuses those that stand in another order in the store than in their tournament."""
    if [one.version for one in log[-len(new) :]] != [one.version for one in new]:
        raise CorruptFile("tables.out-of-order", tournament=new[0].tournament)
    return [one for one in new if isinstance(one, Recorded)]


def write(tables: Database, log: list[Recorded], new: list[Recorded]) -> None:
    """The rows of one tournament: its new facts, and all that is computed from its log so far."""
    id, now = log[0].tournament, state_after(log)
    if any(isinstance(one.fact, PersonErased) for one in new):
        for row in fact_rows(log, log[: new[0].version - 1]):
            texts = {name: row[list(SCHEMA["facts"]).index(name)] for name in ("why", "text", "fact")}
            tables.table("facts").update(row[0], texts)
    tables.table("tournaments").delete_where("id = ?", [id])
    insert(tables, "tournaments", [(id, *tournament_row(now))])
    insert(tables, "facts", fact_rows(log, new))
    table = table_after(now)
    shown = {player.id for player in entered(now)}
    table = replace(table, rows=tuple(row for row in table.rows if row.id in shown))
    for name, rows in (
        ("players", player_rows(now)),
        ("rounds", round_rows(now)),
        ("boards", board_rows(now)),
        ("entries", entry_rows(table)),
        ("cards", card_rows(table, now.regulations.edition)),
        ("tabellone", tabellone_rows(as_if_drawn(table), now.regulations.edition)),
        ("standings", standing_rows(now)),
    ):
        tables.table(name).delete_where("tournament = ?", [id])
        insert(tables, name, ((id, *row) for row in rows))


def insert(tables: Database, name: str, rows: Iterable[Row]) -> None:
    """Rows in the order of the columns, as they are."""
    tables.conn.executemany(f"INSERT INTO {name} VALUES ({', '.join('?' * len(SCHEMA[name]))})", rows)


def fact_rows(log: list[Recorded], new: list[Recorded]) -> Iterator[Row]:
    words = {line.version: line for line in log_lines(log)}
    for one in new:
        line = words[one.version]
        said = one.why, " ".join(one.acknowledged), line.text, msgspec.json.encode(one.fact).decode()
        yield (one.position, one.tournament, one.version, line.kind, one.who, one.when, *said, one.hash)


def tournament_row(now: Tournament) -> Row:
    r = now.regulations
    event = r.acceleration, ",".join(r.tiebreaks), r.starts, r.ends, r.place, r.federation
    flags = int(now.fide_mode), int(now.closed)
    return (r.name, r.edition, r.rounds, now.paired, len(entered(now)), *event, *flags, now.version)


def player_rows(now: Tournament) -> Iterator[Row]:
    numbers = numbering(now).by_id
    for player in entered(now):
        d = player.details
        person = d.name, d.sex, d.title, d.rating, d.federation, d.fide_id, d.birth, d.club
        yield (player.id, numbers.get(player.id, 0), *person, player.status)


def round_rows(now: Tournament) -> Iterator[Row]:
    for round in now.rounds:
        fact = round.fact
        made = fact.edition, fact.engine, fact.based_on, fact.snapshot, fact.origin, round.pab
        yield (round.number, *made, int(round.published), int(round.completed), int(round.altered))


def board_rows(now: Tournament) -> Iterator[Row]:
    for round in now.rounds:
        seen = zip(round.games(), round.games(RATING_REPORT), strict=True)
        for at, games in enumerate(seen, start=1):
            sides = [(game.white, game.black, outcome_in_words(game.outcome)) for game in games]
            yield (round.number, at, *sides[0], *sides[1])


def entry_rows(table: Crosstable) -> Iterator[Row]:
    worth = table.scoring.standings()
    for row in table.rows:
        for round, entry in enumerate(row.entries, start=1):
            forfeited = bool(entry.opponent and entry.letter and entry.letter not in PLAYED)
            what = entry.opponent, entry.colour, entry.letter, worth[entry.letter]
            yield (row.id, round, *what, int(forfeited))


def card_rows(table: Crosstable, edition: str) -> Iterator[Row]:
    for card in cards(table, edition).values():
        for line in card.lines:
            colour = line.colour if line.letter in PLAYED else "-"
            what = line.opponent, colour, line.float, line.letter, line.points, line.score
            yield (card.id, line.round, *what, int(line.forfeited))


def tabellone_rows(table: Crosstable, edition: str) -> Iterator[Row]:
    floats = float_records(table, edition, table.paired + 1)
    histories = zip(table.rows, records(table, table.paired), strict=True)
    colours = {row.id: colours_by_round(history) for row, history in histories}
    for round in range(1, table.paired + 2):
        for id, score in scores_before(table, round).items():
            so_far = colours[id][: round - 1]
            history = aligned(so_far), difference(so_far), *colour_due(so_far), floats[id][: round - 1]
            yield (id, round, score, *history)


def standing_rows(now: Tournament) -> Iterator[Row]:
    after = last_finished(now)
    for line in standings_after(now, after):
        tiebreaks = msgspec.json.encode(line.tiebreaks).decode()
        yield (line.id, after, line.rank, line.points, tiebreaks, line.parted_by)


@contextmanager
def immediate(connection: sqlite3.Connection) -> Iterator[None]:
    """One transaction that holds the write lock from its beginning, so what it reads stays true."""
    connection.execute("BEGIN IMMEDIATE")
    try:
        yield
    except BaseException:
        connection.execute("ROLLBACK")
        raise
    connection.execute("COMMIT")


@contextmanager
def refusing(path: Path) -> Iterator[None]:
    """What SQLite and the file system say, for people."""
    try:
        yield
    except sqlite3.Error as reason:
        if "locked" in str(reason) or "busy" in str(reason):
            raise Busy("tables.busy", path=str(path)) from None
        raise Unreachable("tables.not-written", path=str(path), reason=str(reason)) from None
    except OSError as reason:
        why = (reason.strerror or str(reason)).lower()
        raise Unreachable("tables.not-written", path=str(path), reason=why) from None
