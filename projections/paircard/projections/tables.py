"""Read tables: the log as plain SQL tables in a place of their own, for Datasette and for anyone's queries.

They are a sink: nothing reads them back, they can be deleted and made again at any time. The facts are rows
of their own; what is computed from them is written anew for each tournament that a batch of facts touches.
"""

import tomllib
from collections.abc import Iterable, Iterator, Sequence
from pathlib import Path
from typing import Any, Final

import msgspec
from msgspec.structs import replace

from paircard.domain.errors import Refused
from paircard.domain.events import PersonErased, Recorded
from paircard.domain.log.location import is_address, shown
from paircard.domain.log.store import Tournaments
from paircard.domain.proof.doctor import BAD, CARE, GOOD, Finding, found, refused
from paircard.domain.rounds import RATING_REPORT, outcome_in_words
from paircard.domain.state import Tournament, entered, state_after
from paircard.domain.values.results import PLAYED
from paircard.projections.categories import places
from paircard.projections.log_lines import log_lines
from paircard.projections.prizes import rules_of
from paircard.projections.round.cards import Card, as_if_drawn, cards
from paircard.projections.round.crosstable import Crosstable, records, scores_before
from paircard.projections.round.snapshot import (
    aligned,
    colour_due,
    colours_by_round,
    difference,
    float_records,
)
from paircard.projections.runner import Projection, Runner, Writing
from paircard.projections.standings.standings import Standing, standings_after
from paircard.projections.views import last_finished, numbering, table_after

FORMAT: Final = 8
"""Of the tables; those of an earlier format are built again."""
DESCRIBED: Final[dict[str, Any]] = tomllib.loads(
    Path(__file__).with_suffix(".toml").read_text(encoding="utf-8")
)
"""Every table and view: what it holds, its key and indexes or its query, its columns with their types."""
KEYS: Final = {name: one["key"] for name, one in DESCRIBED.items() if "key" in one}
"""The tables with their keys, those that others refer to first."""
NAMES_A_PLAYER: Final = ("player", "white", "black")
"""Columns that refer to a player of the same tournament; in others 0 is nobody."""
SEARCHED: Final = ("name", "club", "federation", "title")
"""Columns of players that are found by their words."""


def _points(side: str) -> str:
    """The points of a side in a view as people write them, 1, ½, 0; empty while the game is not over."""
    whole, tenths = f"CAST({side}.tenths / 10 AS text)", f"{side}.tenths % 10"
    return (
        f"CASE WHEN b.result IN ('', 'adjourned') THEN '' WHEN {tenths} = 0 THEN {whole}"
        f" WHEN {side}.tenths = 5 THEN '½' WHEN {tenths} = 5 THEN {whole} || '½'"
        f" ELSE {whole} || '.' || CAST({tenths} AS text) END"
    )


Row = tuple[int | str, ...]


class ReadTables(Projection):
    """The log as tables: its facts, and all that is computed from them."""

    name = "paircard-tables"
    format = FORMAT

    def make(self, db: Writing) -> None:
        """Tables with keys, references and indexes, names that can be searched, and the views."""
        for name, key in KEYS.items():
            kinds = columns_of(name)
            lines = [
                f"{column} {'bigint' if db.postgres and kind == 'integer' else kind} NOT NULL"
                for column, kind in kinds.items()
            ]
            lines.append(f"PRIMARY KEY ({', '.join(key)})")
            later = "DEFERRABLE INITIALLY DEFERRED"
            if "tournament" in kinds:
                lines.append(f"FOREIGN KEY (tournament) REFERENCES tournaments (id) {later}")
            lines += [
                f"FOREIGN KEY (tournament, {column}) REFERENCES players (tournament, id) {later}"
                for column in NAMES_A_PLAYER
                if column in kinds
            ]
            db.execute(f"CREATE TABLE {name} ({', '.join(lines)}){'' if db.postgres else ' STRICT'}")
            for indexed in DESCRIBED[name].get("indexed", ()):
                db.execute(f"CREATE INDEX idx_{name}_{'_'.join(indexed)} ON {name} ({', '.join(indexed)})")
        words = " || ' ' || ".join(SEARCHED)
        if db.postgres:
            db.execute(
                f"CREATE INDEX idx_players_words ON players USING gin (to_tsvector('simple', {words}))"
            )
        else:
            searched = ", ".join(SEARCHED)
            db.execute(f"CREATE VIRTUAL TABLE players_fts USING fts5({searched}, content='players')")
        written = {f"points_of_{side}": _points(side) for side in ("we", "ke")}
        for name in DESCRIBED.keys() - KEYS.keys():
            db.execute(f"CREATE VIEW {name} AS {DESCRIBED[name]['query'].format(**written)}")
        if db.postgres:
            describe(db)

    def apply(self, db: Writing, facts: Sequence[Recorded], log: Sequence[Recorded]) -> None:
        """The rows of one tournament: its new facts, and all that is computed from its log so far."""
        id, now = log[0].tournament, state_after(log)
        erased = any(isinstance(one.fact, PersonErased) for one in facts)
        if erased:
            at = [list(columns_of("facts")).index(name) for name in ("why", "text", "fact", "position")]
            rows = [[row[n] for n in at] for row in fact_rows(log, log[: facts[0].version - 1])]
            db.execute_many("UPDATE facts SET why = ?, text = ?, fact = ? WHERE position = ?", rows)
        if not db.postgres:
            forget_words(db, id)
        db.execute("DELETE FROM tournaments WHERE id = ?", (id,))
        insert(db, "tournaments", [(id, *tournament_row(now))])
        insert(db, "facts", fact_rows(log, facts))
        table = table_after(now)
        shown = {player.id for player in entered(now)}
        table = replace(table, rows=tuple(row for row in table.rows if row.id in shown))
        edition, after = now.regulations.edition, last_finished(now)
        made_cards, lines = list(cards(table, edition).values()), standings_after(now, after)
        for name, made in (
            ("players", player_rows(now)),
            ("rounds", round_rows(now)),
            ("boards", board_rows(now)),
            ("entries", entry_rows(made_cards)),
            ("cards", card_rows(made_cards)),
            ("tabellone", tabellone_rows(as_if_drawn(table), edition)),
            ("standings", standing_rows(lines, after)),
            ("groups", group_rows(now, lines)),
            ("prizes", prize_rows(now)),
        ):
            db.execute(f"DELETE FROM {name} WHERE tournament = ?", (id,))
            insert(db, name, ((id, *row) for row in made))
        if not db.postgres:
            keep_words(db, id, anew=erased)


def describe(db: Writing) -> None:
    """Comments on tables, views and columns, which psql and other programs show."""
    for name, one in DESCRIBED.items():
        kind = "TABLE" if name in KEYS else "VIEW"
        about = {f"{kind} {name}": one["about"]}
        about |= {f"COLUMN {name}.{column}": holds for column, (_, holds) in one["columns"].items()}
        for of, text in about.items():
            quoted = text.replace("'", "''")
            db.connection.execute(f"COMMENT ON {of} IS '{quoted}'")


def columns_of(name: str) -> dict[str, str]:
    return {column: kind for column, (kind, _) in DESCRIBED[name]["columns"].items()}


def forget_words(db: Writing, id: str) -> None:
    """Take the players of a tournament out of the index of words, while they are as they were put in."""
    columns = ", ".join(SEARCHED)
    db.execute(
        f"INSERT INTO players_fts (players_fts, rowid, {columns})"
        f" SELECT 'delete', rowid, {columns} FROM players WHERE tournament = ?",
        (id,),
    )


def keep_words(db: Writing, id: str, *, anew: bool) -> None:
    """Put the players of a tournament into the index of words; anew, so that an erased name leaves it."""
    if anew:
        db.execute("INSERT INTO players_fts (players_fts) VALUES ('rebuild')")
        return
    columns = ", ".join(SEARCHED)
    db.execute(
        f"INSERT INTO players_fts (rowid, {columns})"
        f" SELECT rowid, {columns} FROM players WHERE tournament = ?",
        (id,),
    )


def how_far(log: Tournaments, path: str | Path) -> Finding:
    """For the doctor: whether the tables are of this log, and how far behind it."""
    if not is_address(path) and not Path(path).exists():
        return found("read tables", BAD, "tables.missing", path=str(path))
    try:
        position = Runner(log, ReadTables(), path).position()
    except Refused as refusal:
        return refused("read tables", refusal)
    behind = log.last_position() - position
    if behind:
        return found("read tables", CARE, "tables.behind", path=shown(path), number=behind)
    return found("read tables", GOOD, "tables.up-to-date", path=shown(path), number=position)


def metadata(database: str) -> dict[str, Any]:
    """For Datasette: what tables and columns hold, and which column names a row."""
    tables: dict[str, Any] = {
        name: {
            "description": one["about"],
            "columns": {key: about for key, (_, about) in one["columns"].items()},
        }
        for name, one in DESCRIBED.items()
    }
    for name in ("tournaments", "players"):
        tables[name]["label_column"] = "name"
    tables["players"] |= {"fts_table": "players_fts", "fts_pk": "rowid"}
    tables["games"]["sort_desc"] = "round"
    named = "JOIN players p ON p.tournament = s.tournament AND p.id = s.player"
    title = "JOIN tournaments t ON t.id = s.tournament"
    queries = {
        "standings_with_names": f"SELECT t.name AS tournament, s.rank, p.name, s.tenths / 10.0 AS points"
        f" FROM standings s {named} {title} WHERE t.name LIKE '%' || :tournament || '%'"
        " ORDER BY t.id, s.rank",
        "games_of_a_player": "SELECT * FROM games WHERE white_name LIKE '%' || :name || '%'"
        " OR black_name LIKE '%' || :name || '%'",
    }
    return {
        "title": "Paircard",
        "databases": {
            database: {"tables": tables, "queries": {one: {"sql": sql} for one, sql in queries.items()}}
        },
    }


def insert(db: Writing, name: str, rows: Iterable[Row]) -> None:
    """Rows in the order of the columns, as they are."""
    db.execute_many(f"INSERT INTO {name} VALUES ({', '.join('?' * len(columns_of(name)))})", rows)


def fact_rows(log: Sequence[Recorded], new: Sequence[Recorded]) -> Iterator[Row]:
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


def entry_rows(made: Iterable[Card]) -> Iterator[Row]:
    for card in made:
        for line in card.lines:
            what = line.opponent, line.colour, line.letter, line.points
            yield (card.id, line.round, *what, int(line.forfeited))


def card_rows(made: Iterable[Card]) -> Iterator[Row]:
    for card in made:
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
            due, floated = colour_due(so_far), floats[id][: round - 1]
            history = aligned(so_far), difference(so_far), due.colour, due.strength, floated
            yield (id, round, score, *history)


def group_rows(now: Tournament, lines: Sequence[Standing]) -> Iterator[Row]:
    for id, within in places(now, lines).items():
        for category, place in within.items():
            yield (category, id, place)


def prize_rows(now: Tournament) -> Iterator[Row]:
    for award in now.prizes.awards if now.prizes else ():
        yield (award.prize, award.player, award.amount, rules_of(now).currency, award.thing)


def standing_rows(lines: Sequence[Standing], after: int) -> Iterator[Row]:
    for line in lines:
        tiebreaks = msgspec.json.encode(line.tiebreaks).decode()
        yield (line.id, after, line.rank, line.points, tiebreaks, line.parted_by)
