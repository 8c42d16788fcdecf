"""Standings, crosstable and its heat map as pages."""

from collections.abc import Mapping, Sequence
from typing import Final

import msgspec

from paircard.domain.values.results import PLAYED
from paircard.domain.values.rules import RULES
from paircard.projections.categories import inside
from paircard.projections.round.cards import cards
from paircard.projections.round.crosstable import Crosstable, Entry, Row, entry
from paircard.projections.standings.codes import TieBreak
from paircard.projections.standings.standings import Standing, announced_tiebreaks, open_games
from paircard.projections.standings.tiebreaks import POINTS
from paircard.projections.views import last_published
from paircard.service.moment import Moment
from paircard.service.print.prizes import won_by
from paircard.service.print.rendering import FILE, MARKS, Event, Frame, Pieces, event_of, page_of, render
from paircard.service.prizes import Group
from paircard.service.views import Standings, described_lines

MOST_DRAWN: Final = 60
"""Players up to which a heat map of who met whom is drawn; the table says the same for larger events."""
NARROW_ROUNDS = 7
"""Rounds up to which a crosstable fits on upright paper, and the games fit next to the standings."""
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


def standing_lines(table: Crosstable, lines: Sequence[Standing]) -> tuple[StandingLine, ...]:
    """The standings of a crosstable with everybody's games."""
    rows, after = {row.id: row for row in table.rows}, table.paired
    return tuple(StandingLine(standing=line, cells=cells(rows[line.id], rows, after)) for line in lines)


class Beside(msgspec.Struct, frozen=True, kw_only=True):
    """Groups and prizes shown with the standings."""

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


def beside(moment: Moment, after: int, found: Group | None, code: str) -> Beside | None:
    """Groups and prizes, if any are announced; after the last round what was won, or would be by now."""
    rules = moment.regulations
    if not (found or rules.categories or rules.prizes):
        return None
    last = after == last_published(moment.state)
    return Beside(
        groups=tuple((one.name, len(inside(moment.state, one))) for one in rules.categories or ()),
        group=found.category if found else "",
        places={one.standing.id: one.place for one in found.players} if found else {},
        unknown=found.unknown if found else (),
        won=won_by(moment, code) if last else {},
        ended=last and (moment.state.prizes is not None or moment.prizes().final),
    )


def standings_page(
    event: Event,
    found: Standings,
    rounds: int,
    listed: Sequence[TieBreak],
    lines: Sequence[StandingLine],
    frame: Frame = FILE,
    *,
    pieces: Pieces | None = None,
    beside: Beside | None = None,
) -> str:
    """The standings after one of so many rounds; ``pieces`` are what is left of an earlier page of them."""
    rest = [each for each in listed if each != POINTS]
    shown = [line.standing for line in lines]
    ranks = [line.rank for line in shown if line.rank]
    return render(
        "standings.html",
        frame,
        event=event,
        after=found.after,
        rounds=rounds,
        waiting=found.open_games,
        final=found.final and not found.open_games,
        tiebreaks=[(each, each.rule.article) for each in rest],
        codes=[each.code for each in rest],
        lines=lines,
        pieces=pieces or Pieces(),
        methods={line.parted_by for line in shown},
        shared=len(set(ranks)) < len(ranks),
        strips=0 < found.after <= NARROW_ROUNDS + 2,
        federations=any(line.federation for line in shown),
        beside=beside,
    )


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
    return moment.keep(("lines with games", last), lambda: standing_lines(table, view.standings), rounds=last)


def standings_at(
    moment: Moment,
    after: int | None = None,
    frame: Frame = FILE,
    *,
    group: str = "",
    within: Group | None = None,
) -> str:
    """The standings of a moment after a round, the last finished one by default.

    Of everybody; or of an announced group by its name, or ``within`` one that was found.
    """
    if group:
        within = moment.group(group, after)
    view, event, listed = moment.standings(after), event_of(moment), announced_tiebreaks(moment.state)
    last, rounds = view.after, moment.regulations.rounds
    lines: Sequence[StandingLine] = lines_with_games(moment, view)
    found = beside(moment, last, within, frame.language)
    if found is None:
        pieces = moment.keep(("standings", last, frame.language, frame.links), Pieces, rounds=last)
        return standings_page(event, view, rounds, listed, lines, frame, pieces=pieces)
    if within:
        lines = [line for line in lines if line.standing.id in found.places]
    return standings_page(event, view, rounds, listed, lines, frame, beside=found)


def crosstable_at(
    moment: Moment,
    after: int | None = None,
    frame: Frame = FILE,
    *,
    for_rating: bool = False,
    floats: bool = False,
    running: bool = False,
) -> str:
    """The crosstable of a moment in the order of the standings, after the last finished round by default.

    Opponent, colour and result of each round, with the floats and the running scores that are asked for; of a
    round robin everybody against everybody.
    """
    if for_rating:
        table, pieces = moment.crosstable(for_rating=True), Pieces()
        made = standing_lines(table, described_lines(moment.state, table))
    else:
        view = moment.standings(after)
        last, table, made = view.after, moment.crosstable(view.after), lines_with_games(moment, view)
        pieces = moment.keep(("crosstable", last, frame.language, frame.links), Pieces, rounds=last)
    waiting, edition = len(open_games(table)), moment.regulations.edition
    if RULES[edition].grid:
        games, wide = games_in_grid(made), len(made) > 10
        return page_of(moment, "robin.html", frame, waiting=waiting, lines=games, landscape=wide)
    return page_of(
        moment,
        "crosstable.html",
        frame,
        after=table.paired,
        rounds=table.rounds,
        waiting=waiting,
        lines=made,
        pieces=pieces,
        heat=heat_of(made),
        cards=cards(table, edition) if floats or running else {},
        floats=floats,
        running=running,
        landscape=table.paired > NARROW_ROUNDS,
    )


def games_in_grid(made: Sequence[StandingLine]) -> list[tuple[Standing, list[list[Cell]]]]:
    """Everybody's games with everybody, in the order of the standings."""
    found = []
    for line in made:
        met: dict[int, list[Cell]] = {}
        for one in line.cells:
            if one.opponent:
                met.setdefault(one.opponent.id, []).append(one)
        found.append((line.standing, [met.get(other.standing.id, []) for other in made]))
    return found
