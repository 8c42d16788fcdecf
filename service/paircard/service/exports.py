"""Files for others: PGN, broadcasts, sheets of other programs, and the data rating officers ask for."""

import csv
import io
import re
from collections.abc import Callable, Iterable, Mapping, Sequence
from typing import Final, TypeAlias, TypeVar

from msgspec.structs import replace

from paircard.domain.state import Tournament
from paircard.domain.values.players import TITLES
from paircard.domain.values.results import FORFEITS
from paircard.domain.values.text import OUTSIDE_FIDE
from paircard.projections.ratings import RatedLine, ratings_of
from paircard.projections.round.crosstable import ABSENT, Crosstable, who_came
from paircard.projections.standings.ledger import OPEN, Ledger
from paircard.projections.standings.measures import average_rating, performance, rated_games
from paircard.projections.standings.tiebreaks import parse_code
from paircard.projections.views import table_for_rating
from paircard.service.pairing_sheets import Round, Seat
from paircard.service.views import Entrant, view_players

# --- rows as CSV that is safe to open in a spreadsheet


T = TypeVar("T")
Columns: TypeAlias = Mapping[str, Callable[[T], object]]
"""A table: what each column is called in a file, and what a line has in it."""

FORMULA: Final = ("=", "+", "-", "@", "\t", "\r")
"""Beginnings that a spreadsheet takes for a formula."""


def csv_text(
    heading: Sequence[object],
    rows: Iterable[Sequence[object]],
    fide_mode: bool = True,
    *,
    delimiter: str = ",",
) -> str:
    """A heading and rows as CSV, safe to open in a spreadsheet; one heading more once FIDE mode is left."""
    out = io.StringIO()
    writer = csv.writer(out, delimiter=delimiter, lineterminator="\n")
    sign = () if fide_mode else (OUTSIDE_FIDE,)
    writer.writerows([[harmless(str(cell)) for cell in row] for row in ((*heading, *sign), *rows)])
    return out.getvalue()


def cells(columns: Columns[T], line: T) -> list[object]:
    """A line of a table."""
    return [cell(line) for cell in columns.values()]


def table_csv(
    columns: Columns[T], lines: Iterable[T], fide_mode: bool = True, *, delimiter: str = ","
) -> str:
    """A table as CSV, under the names of its columns; a dash is for people."""
    rows = [["" if cell == "–" else cell for cell in cells(columns, line)] for line in lines]
    return csv_text(list(columns), rows, fide_mode, delimiter=delimiter)


def harmless(cell: str) -> str:
    """The cell, with a mark before what would be computed; a number, or a sign alone, is what it is."""
    is_number = re.fullmatch(r"[+-]?([0-9]+([.][0-9]+)?)?", cell)
    return f"'{cell}" if cell.startswith(FORMULA) and not is_number else cell


# --- sheets that other programs import: players and results


SWISS_MANAGER: Final[Columns[Entrant]] = {
    "No": lambda one: one.number or "",
    "Name": lambda one: one.name,
    "Title": lambda one: one.title,
    "ID no": lambda one: one.national_id,
    "Rating nat": lambda one: one.national_rating or "",
    "Rating int": lambda one: one.fide_rating or one.rating or "",
    "Birth": lambda one: one.birth.replace("-", "/"),
    "Fed": lambda one: one.federation,
    "Sex": lambda one: one.sex,
    "Club": lambda one: one.club,
    "FIDE-No": lambda one: one.fide_id or "",
}
"""Columns by which Swiss-Manager, the way to chess-results.com, imports players."""
EXCEL: Final = ";"
"""Between cells, so that Excel opens them as columns wherever a comma is the decimal sign."""


def players_sheet(history: Tournament) -> str:
    """The starting list as Swiss-Manager imports it."""
    return table_csv(SWISS_MANAGER, view_players(history).players, delimiter=EXCEL)


def results_sheet(shown: Round) -> str:
    """The boards of a round with their results."""

    def cells(seat: Seat) -> tuple[object, ...]:
        return seat.number or "", seat.name, seat.rating or ""

    rows: list[Sequence[object]] = [
        (shown.round, one.board, *cells(one.white), one.result or "", *cells(one.black))
        for one in shown.boards
    ]
    if shown.pab is not None:
        rows.append((shown.round, "", *cells(shown.pab), "bye", "", "", ""))
    heading = ("Round", "Board", "No White", "White", "Rtg White", "Result", "No Black", "Black", "Rtg Black")
    return csv_text(heading, rows, delimiter=EXCEL)


# --- the games of a round as PGN, headers only: what relays, databases and broadcasts start from


RESULTS = {("1", "0"): "1-0", ("0", "1"): "0-1", ("=", "="): "1/2-1/2"}
"""PGN knows these and ``*``; anything else is written as unknown and named in a tag."""

RATED_AS = {"W": "1", "D": "=", "L": "0", "+": "1", "-": "0"}


def pgn_of(history: Tournament, shown: Round) -> str:
    """Every board of a round; games won by forfeit say so."""
    return "\n".join(game(history, shown, board) for board in range(1, len(shown.boards) + 1))


def game(history: Tournament, shown: Round, number: int) -> str:
    """One game: its tags, and the result in place of the moves."""
    rules = history.regulations
    board = shown.boards[number - 1]
    seen = history.rounds[shown.round - 1].game(number)
    letters = seen.white_letter, seen.black_letter
    white, black = (history.players[seat.id - 1].details for seat in (board.white, board.black))
    result = RESULTS.get((RATED_AS.get(letters[0], letters[0]), RATED_AS.get(letters[1], letters[1])), "*")
    dates = rules.dates
    day = dates[shown.round - 1] if shown.round <= len(dates) else rules.starts
    tags = [
        ("Event", rules.name),
        ("Site", " ".join(filter(None, (rules.place, rules.federation))) or "?"),
        ("Date", day.replace("-", ".") or "????.??.??"),
        ("Round", f"{shown.round}.{number}"),
        ("White", white.name),
        ("Black", black.name),
        ("Result", result),
        ("WhiteTitle", white.title),
        ("BlackTitle", black.title),
        ("WhiteElo", str(white.rating or "")),
        ("BlackElo", str(black.rating or "")),
        ("WhiteFideId", str(white.fide_id or "")),
        ("BlackFideId", str(black.fide_id or "")),
        ("EventDate", rules.starts.replace("-", ".")),
        ("EventRounds", str(rules.rounds)),
    ]
    if set(letters) & FORFEITS:
        tags.append(("Termination", "unplayed"))
    elif result == "*" and letters[0] not in ("", "?"):
        tags.append(("Termination", f"result {board.result}"))
    lines = [f'[{name} "{escaped(value)}"]' for name, value in tags if value]
    return "\n".join([*lines, "", result, ""])


def escaped(text: str) -> str:
    """A tag's value: backslashes and quotes take a backslash before them."""
    return text.replace("\\", "\\\\").replace('"', '\\"')


def broadcast_players(history: Tournament) -> str:
    """The players in the text that lichess broadcasts take: ``name / FIDE id``, else rating and title."""
    lines = []
    for player in history.players:
        d = player.details
        known = [str(d.fide_id)] if d.fide_id else [str(d.rating or ""), d.title]
        lines.append(" / ".join([d.name, *known]).rstrip(" /"))
    return "\n".join(lines) + "\n" if lines else ""


# --- what rating and title officers ask for: expected scores, rating changes, performances, opponents


OF_RATED: Final = parse_code("TPR/U")
"""Performances against rated opponents alone."""


class Performance(RatedLine, frozen=True, kw_only=True):
    """One player's games against rated opponents, and who these were."""

    average: int | None
    """Average rating of these opponents (C.07:10.1)."""
    performance: int | None
    """Tournament performance rating (C.07:10.2)."""
    titled: tuple[tuple[str, int], ...]
    """Opponents by title, over the board, rated or not."""
    federations: tuple[tuple[str, int], ...]
    """Opponents by federation."""


def performances(history: Tournament) -> tuple[Performance, ...]:
    """Everyone who played, by pairing number, as the rating report has the results."""
    table = finished_games(who_came(table_for_rating(history)))
    ledger = Ledger(table, table.paired)
    rated = {line.player: line for line in ratings_of(history).players}
    made = []
    for at, row in enumerate(table.rows):
        met = [table.rows[opponent] for _, opponent, _ in ledger.games(at)]
        line = rated[row.id]
        known = bool(rated_games(ledger, at, unrated=0))
        made.append(
            Performance(
                **{name: getattr(line, name) for name in RatedLine.__struct_fields__},
                average=average_rating(ledger, OF_RATED, at) if known else None,
                performance=performance(ledger, OF_RATED, at) if known else None,
                titled=counted([other.title for other in met], TITLES),
                federations=counted([other.federation for other in met], ()),
            )
        )
    return tuple(made)


def finished_games(table: Crosstable) -> Crosstable:
    """The table without adjourned games: nobody knows yet what they bring."""
    rows = [
        replace(row, entries=tuple(ABSENT if entry.letter in OPEN else entry for entry in row.entries))
        for row in table.rows
    ]
    return replace(table, rows=tuple(rows))


def counted(words: list[str], order: tuple[str, ...]) -> tuple[tuple[str, int], ...]:
    """How often each word occurs, in this order or by the alphabet; blanks are left out."""
    found = [word for word in (order or sorted(set(words))) if word and word in words]
    return tuple((word, words.count(word)) for word in found)
