"""A report as the commands that make the same tournament, and the comparison with the result.

Players are entered in the order of their numbers, rounds as the file has them (origin ``import``); what
the file leaves open or writes in an old way is noted in the fact of the import (VCL 47-56).
"""

from collections.abc import Callable, Collection

from msgspec.structs import replace

from paircard.domain.commands import (
    AdjournGame,
    AssignNumbers,
    Command,
    DrawInitialColour,
    ExpelPlayer,
    GrantBye,
    ListRating,
    Meta,
    PairRound,
    ProhibitPairing,
    PublishRound,
    RecordResult,
    RegisterPlayer,
)
from paircard.domain.events import Board
from paircard.domain.values.players import HIGHEST_RATING
from paircard.domain.values.results import Outcome
from paircard.projections.round.board_order import board_order
from paircard.projections.round.crosstable import Crosstable, entry
from paircard.projections.round.scoregroups import points_before, virtual_points
from paircard.projections.trf.format.problems import quoted
from paircard.projections.trf.format.records import Byes, Report
from paircard.projections.trf.importing.details import details_of
from paircard.projections.trf.importing.kept_lines import Kept, national_of
from paircard.projections.trf.notes import Notes
from paircard.projections.trf.reading.national import whole
from paircard.projections.trf.reading.remarks import EXPULSION, further_ratings, remarks_of
from paircard.projections.trf.reading.report import Reading

ACCEPTED = (
    "same-person",
    "second-half-bye",
    "late-half-bye",
    "full-point-bye",
    "too-many-rounds",
    "missing-results",
    "adjourned-games",
)
"""Warnings about what has long happened elsewhere; they are on record all the same."""


def published_boards(table: Crosstable, round: int, notes: Notes) -> tuple[tuple[Board, ...], int]:
    """Boards by starting rank in published order, and the PAB."""
    boards = []
    pab = 0
    for row in table.rows:
        now = entry(row, round)
        if now.letter == "U":
            pab = row.id
        elif now.opponent and (now.colour == "w" or (now.colour == "-" and row.id < now.opponent)):
            boards.append((row.id, now.opponent))
            if now.colour == "-":
                notes.add("no colours, White assumed for the first", f"round {round} {row.id}-{now.opponent}")
    points = points_before(table, round)
    ranks = {row.id: (points[row.id] + virtual_points(row, round), row.number) for row in table.rows}
    boards.sort(key=lambda board: board_order(ranks[board[0]], ranks[board[1]]))
    return tuple(boards), pab


def ids_of(table: Crosstable) -> dict[int, int]:
    """Ids by starting rank: given in the order of the numbers of the file."""
    return {row.id: place for place, row in enumerate(table.rows, 1)}


def commands_of(
    report: Report, reading: Reading, kept: Kept, notes: Notes, meta: Callable[[], Meta]
) -> list[Command]:
    """Everything after the opening, in order; rounds still lack the version they are based on."""
    table = reading.table
    id_of = ids_of(table)
    national = national_of(kept)
    if any(place != row.number for place, row in enumerate(table.rows, 1)):
        notes.add("starting ranks renumbered from 1 without gaps")
    lines = {line.number: line for line in report.players()}
    commands: list[Command] = [
        RegisterPlayer(
            details=details_of(lines[row.id], row.rating, national.get(id_of[row.id], (0, "")), notes),
            meta=meta(),
        )
        for row in table.rows
    ]
    commands += later_ratings(report, id_of, table.rounds, notes, meta)
    commands.append(AssignNumbers(order=tuple(range(1, len(table.rows) + 1)), meta=meta()))
    if table.initial_colour:
        commands.append(DrawInitialColour(colour=table.initial_colour, meta=meta()))
    for ban in dict.fromkeys(
        (tuple(sorted({id_of[id] for id in ban.ids})), ban.first, ban.last) for ban in table.prohibitions
    ):
        if len(ban[0]) > 1:
            commands.append(ProhibitPairing(players=ban[0], first=ban[1], last=ban[2], meta=meta()))
    expelled = expulsions(report, id_of, table.rounds + 1, notes)
    for round in range(1, table.paired + 1):
        commands += expel(expelled, round, round, meta)
        commands += byes_of(table, round, id_of, meta, letters="HF")
        boards, pab = published_boards(table, round, notes)
        commands.append(
            PairRound(
                round=round,
                boards=tuple((id_of[white], id_of[black]) for white, black in boards),
                pab=id_of.get(pab, 0),
                based_on=0,
                origin="import",
                meta=meta(),
            )
        )
        commands.append(PublishRound(round=round, meta=meta()))
        letters = {row.id: entry(row, round).letter for row in table.rows}
        for place, (white, black) in enumerate(boards, 1):
            if letters[white] == "?":
                commands.append(AdjournGame(round=round, board=place, meta=meta()))
            elif letters[white]:
                outcome = Outcome(letters[white], letters[black])
                commands.append(RecordResult(round=round, board=place, outcome=outcome, meta=meta()))
    commands += expel(expelled, table.paired + 1, table.rounds + 1, meta)
    for round in range(table.paired + 1, table.rounds + 1):
        commands += byes_of(table, round, id_of, meta, letters="HFZ", without=expelled)
    for record in report.records:  # byes of rounds later than the next stand in no column
        if type(record) is Byes and record.round > table.rounds:
            notes.add(f"240 left out, the tournament has {table.rounds} rounds", f"round {record.round}")
        elif type(record) is Byes and record.round > table.paired + 1:
            commands += [
                GrantBye(player=id_of[id], round=record.round, letter=record.letter, meta=meta())
                for id in record.ids
                if id_of[id] not in expelled
            ]
    return commands


def later_ratings(
    report: Report, id_of: dict[int, int], rounds: int, notes: Notes, meta: Callable[[], Meta]
) -> list[Command]:
    """Ratings that players have from a round on, as our own remarks have them."""
    commands: list[Command] = []
    for number, ratings in further_ratings(report).items():
        for first, rating in ratings.items():
            if number in id_of and 2 <= first <= rounds and rating <= HIGHEST_RATING:
                commands.append(ListRating(player=id_of[number], rating=rating, first=first, meta=meta()))
            else:
                notes.add(
                    f"rating {rating} of player {number} from round {first} on left out: "
                    "no such player, round or rating"
                )
    return commands


def expulsions(report: Report, id_of: dict[int, int], last: int, notes: Notes) -> dict[int, int]:
    """First round each expelled player was out of, by id, as our own remarks say."""
    found: dict[int, int] = {}
    for remark in remarks_of(report, EXPULSION):
        first, _, who = remark.partition(": ")
        round, number = whole(first[:5]), whole(who.strip()[:5])
        if 1 <= round <= last and number in id_of:
            found[id_of[number]] = round
        else:
            notes.add("remark left out, no such player or round", quoted(f"{EXPULSION}{remark}"))
    return found


def expel(expelled: dict[int, int], first: int, last: int, meta: Callable[[], Meta]) -> list[Command]:
    """Those expelled from one of these rounds on."""
    reason = "expelled, as the imported report says"
    return [
        ExpelPlayer(player=id, meta=replace(meta(), why=reason))
        for id, round in expelled.items()
        if first <= round <= last
    ]


def byes_of(
    table: Crosstable,
    round: int,
    id_of: dict[int, int],
    meta: Callable[[], Meta],
    letters: str,
    without: Collection[int] = (),
) -> list[Command]:
    """Byes of a round; absences of a paired round need no fact of their own."""
    return [
        GrantBye(player=id_of[row.id], round=round, letter=row.entries[round - 1].letter, meta=meta())
        for row in table.rows
        if len(row.entries) >= round
        and row.entries[round - 1].letter in tuple(letters)
        and id_of[row.id] not in without
    ]


def unlike(imported: Crosstable, filed: Crosstable) -> str:
    """The first thing a pairing depends on that record and file do not have alike; empty if none."""
    if len(imported.rows) != len(filed.rows):
        return f"{len(imported.rows)} players instead of {len(filed.rows)}"
    for name in ("rounds", "paired", "scoring", "initial_colour"):
        if getattr(imported, name) != getattr(filed, name):
            return f"{name.replace('_', ' ')} {getattr(imported, name)} instead of {getattr(filed, name)}"
    number = {row.id: place for place, row in enumerate(filed.rows, 1)}
    known = {row.number: row for row in imported.rows}
    known_rounds = max((len(row.virtual) for row in filed.rows), default=0)
    for row in filed.rows:
        place = number[row.id]
        other = known[place]
        for round in range(1, filed.paired + 1):
            mine, theirs = entry(row, round), entry(other, round)
            same = mine.letter == theirs.letter and number.get(mine.opponent, 0) == theirs.opponent
            if not same or (mine.colour != theirs.colour and mine.colour != "-"):
                return f"round {round} of player {row.id}"
        if row.extra:
            return f"points of player {row.id} that are not those of the results (record 299)"
        for at in range(known_rounds):
            if virtual_points(row, at + 1) != virtual_points(other, at + 1):
                return f"virtual points of player {row.id} in round {at + 1}, which are not those of C.04.7"
    return ""
