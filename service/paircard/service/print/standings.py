"""Standings, crosstable and its heat map as pages."""

from collections.abc import Mapping, Sequence
from typing import Final

import msgspec
from msgspec.structs import replace

from paircard.domain.values.results import PLAYED
from paircard.domain.values.rules import RULES
from paircard.projections.round.cards import Card
from paircard.projections.round.crosstable import Crosstable, Entry, Row, entry
from paircard.projections.standings.codes import TieBreak
from paircard.projections.standings.standings import Standing, announced_tiebreaks, grid, open_games
from paircard.projections.standings.tiebreaks import POINTS
from paircard.projections.views import last_published
from paircard.service.moment import Moment
from paircard.service.print.prizes import members_of, won_by
from paircard.service.print.rendering import FILE, MARKS, Event, Frame, Pieces, event_of, render
from paircard.service.views import Standings

MOST_DRAWN: Final = 60
"""Players up to which a heat map of who met whom is drawn; the table says the same for larger events."""
NARROW_ROUNDS = 7
"""Rounds up to which a crosstable fits on upright paper and the games beside the standings."""
SCORES = {"1": "won", "W": "won", "=": "drawn", "D": "drawn", "0": "lost", "L": "lost"}
KINDS = {"page.score.won": "won", "page.score.drawn": "drawn", "page.score.lost": "lost"}
"""Colour of a game in the heat map, by the words for it."""


class Cell(msgspec.Struct, frozen=True, kw_only=True):
    """One round of one player."""

    round: int
    mark: str
    """What is shown: ``1``, ``½``, ``0``, ``+``; a dot while the game is not over."""
    colour: str
    """``w``, ``b``; ``n`` for a round without a game."""
    said: str
    """Key of the words for it."""
    opponent: Row | None = None


class StandingLine(msgspec.Struct, frozen=True, kw_only=True):
    """One line of the standings."""

    standing: Standing
    cells: tuple[Cell, ...]


def cell(now: Entry, rows: dict[int, Row], round: int) -> Cell:
    """A player's round."""
    mark, colour, opponent = MARKS.get(now.letter, now.letter), now.colour, rows.get(now.opponent)
    if opponent is None:
        byes = {"H": "½", "F": "1", "U": "+"}
        mark, colour, said = byes.get(now.letter, "–"), "n", f"bye.{now.letter or 'Z'}"
    elif not now.letter:
        said = "score.open"
    elif now.letter in PLAYED:
        said = "score.adjourned" if now.letter == "?" else f"score.{SCORES[now.letter]}"
    else:
        colour, said = "n", "score.forfeit-won" if now.letter == "+" else "score.forfeit-lost"
    return Cell(round=round, mark=mark, colour=colour, said=f"page.{said}", opponent=opponent)


def cells(row: Row, rows: dict[int, Row], after: int) -> tuple[Cell, ...]:
    """A player's rounds."""
    return tuple(cell(entry(row, round), rows, round) for round in range(1, after + 1))


def standing_lines(table: Crosstable, after: int, lines: Sequence[Standing]) -> tuple[StandingLine, ...]:
    """The standings with everybody's games."""
    rows = {row.id: row for row in table.rows}
    return tuple(StandingLine(standing=line, cells=cells(rows[line.id], rows, after)) for line in lines)


class Beside(msgspec.Struct, frozen=True, kw_only=True):
    """Groups and prizes beside the standings."""

    groups: tuple[tuple[str, int], ...]
    """Every group with its number of players."""
    group: str
    """The one that is shown; empty for everybody."""
    places: Mapping[int, int]
    """Within it, by id."""
    unknown: tuple[str, ...]
    """Who may belong to it."""
    won: Mapping[int, str]
    """Prizes by id."""
    ended: bool


def beside(moment: Moment, after: int, group: str, code: str) -> Beside | None:
    """Groups and prizes, if any are announced; what was won, or would be by now, beside the last round."""
    rules = moment.regulations
    if group:
        found = moment.group(group, after)
    if not (rules.categories or rules.prizes):
        return None
    last = after == last_published(moment.state)
    return Beside(
        groups=tuple((one.name, len(members_of(moment, one))) for one in rules.categories or ()),
        group=group,
        places={one.standing.id: one.place for one in found.players} if group else {},
        unknown=found.unknown if group else (),
        won=won_by(moment, code) if last else {},
        ended=last and (moment.state.prizes is not None or moment.prizes().final),
    )


def standings_page(
    event: Event,
    table: Crosstable,
    after: int,
    listed: Sequence[TieBreak],
    lines: Sequence[Standing],
    frame: Frame = FILE,
    *,
    made: Sequence[StandingLine] | None = None,
    pieces: Pieces | None = None,
    beside: Beside | None = None,
) -> str:
    """The standings after a round; ``made`` and ``pieces`` are what is left of an earlier page of them."""
    rest = [each for each in listed if each != POINTS]
    ranks = [line.rank for line in lines if line.rank]
    waiting = len(open_games(table, after))
    ended = event.closed if event.paired else after >= table.rounds  # a report is never closed
    return render(
        "standings.html",
        frame,
        event=event,
        after=after,
        rounds=table.rounds,
        waiting=waiting,
        final=not waiting and ended and after >= event.paired,
        tiebreaks=[(each, each.rule.article) for each in rest],
        codes=[each.code for each in rest],
        lines=standing_lines(table, after, lines) if made is None else made,
        pieces=pieces or Pieces(),
        methods={line.parted_by for line in lines},
        shared=len(set(ranks)) < len(ranks),
        strips=0 < after <= NARROW_ROUNDS + 2,
        federations=any(line.federation for line in lines),
        beside=beside,
    )


def crosstable_page(
    event: Event,
    table: Crosstable,
    after: int,
    lines: Sequence[Standing],
    frame: Frame = FILE,
    *,
    cards: Mapping[int, Card] = {},
    floats: bool = False,
    running: bool = False,
    made: Sequence[StandingLine] | None = None,
    pieces: Pieces | None = None,
) -> str:
    """The crosstable in the order of the standings: opponent, colour and result of each round.

    With ``cards``, also the floats and the running scores that are asked for.
    """
    if made is None:
        made = standing_lines(table, after, lines)
    return render(
        "crosstable.html",
        frame,
        event=event,
        after=after,
        rounds=table.rounds,
        waiting=len(open_games(table, after)),
        lines=made,
        pieces=pieces or Pieces(),
        heat=heat_of(made),
        cards=cards,
        floats=floats,
        running=running,
        landscape=after > NARROW_ROUNDS,
    )


def grid_page(
    event: Event, table: Crosstable, after: int, lines: Sequence[Standing], frame: Frame = FILE
) -> str:
    """The crosstable of a round robin: everybody against everybody, in the order of the standings."""
    rows = {row.id: row for row in table.rows}
    made = [
        (
            line.standing,
            [
                [(game, cell(entry(rows[line.standing.id], game.round), rows, game.round)) for game in games]
                for games in line.games
            ],
        )
        for line in grid(replace(table, paired=after), lines)
    ]
    waiting = len(open_games(table, after))
    return render("robin.html", frame, event=event, waiting=waiting, lines=made, landscape=len(lines) > 10)


def heat_of(lines: Sequence[StandingLine]) -> list[tuple[int, int, str, str]]:
    """The games of a crosstable by row and column, each from both sides: how it ended, and its mark.

    A forfeit is none, and the two may meet in another round. Nothing for an event too large to draw.
    """
    at = {line.standing.id: row for row, line in enumerate(lines)}
    return [
        (row, at[cell.opponent.id], KINDS.get(cell.said, "open"), cell.mark)
        for row, line in enumerate(lines if len(lines) <= MOST_DRAWN else ())
        for cell in line.cells
        if cell.opponent is not None and cell.opponent.id in at and cell.colour in "wb"
    ]


def lines_with_games(moment: Moment, view: Standings) -> tuple[StandingLine, ...]:
    """The standings of a moment with everybody's games, made once for all pages that show them."""
    table, last = moment.crosstable(view.after), view.after
    return moment.keep(
        ("lines with games", last), lambda: standing_lines(table, last, view.standings), rounds=last
    )


def standings_at(moment: Moment, after: int | None = None, frame: Frame = FILE, *, group: str = "") -> str:
    """The standings of a moment, of everybody or of a group; after the last paired round by default."""
    view, listed = moment.standings(after), announced_tiebreaks(moment.state)
    last, table, event = view.after, moment.crosstable(view.after), event_of(moment)
    if found := beside(moment, last, group, frame.language):
        lines = [line for line in view.standings if not group or line.id in found.places]
        return standings_page(event, table, last, listed, lines, frame, beside=found)
    made = lines_with_games(moment, view)
    pieces = moment.keep(("standings", last, frame.language, frame.links), Pieces, rounds=last)
    return standings_page(event, table, last, listed, view.standings, frame, made=made, pieces=pieces)


def crosstable_at(moment: Moment, after: int | None = None, frame: Frame = FILE) -> str:
    """The crosstable of a moment; after the last paired round by default."""
    view = moment.standings(after)
    last, table = view.after, moment.crosstable(view.after)
    if RULES[moment.regulations.edition].grid:
        return grid_page(event_of(moment), table, last, view.standings, frame)
    made = lines_with_games(moment, view)
    pieces = moment.keep(("crosstable", last, frame.language, frame.links), Pieces, rounds=last)
    return crosstable_page(event_of(moment), table, last, view.standings, frame, made=made, pieces=pieces)
