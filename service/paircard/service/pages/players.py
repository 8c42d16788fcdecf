"""The page of one player: course of the tournament, games, floats, corrections."""

import msgspec

from paircard.domain.deciding.decision import player_of
from paircard.projections.round.crosstable import Row
from paircard.projections.standings.standings import Standing
from paircard.service.moment import Moment
from paircard.service.pages.changes import Correction, corrections
from paircard.service.pages.event import event_of
from paircard.service.pages.pictures import course, ranks
from paircard.service.pages.rendering import FILE, Frame, render
from paircard.service.pages.rounds import MARKS
from paircard.service.pages.standings import cells


class Game(msgspec.Struct, frozen=True, kw_only=True):
    """One round of the player's card."""

    round: int
    colour: str
    opponent: Row | None
    letter: str
    mark: str
    float: str
    forfeited: bool
    score: int
    board: int
    correction: Correction | None


def player_page(moment: Moment, player: int, frame: Frame = FILE) -> str:
    """The page of a player by id; refuses somebody who is not in the tournament."""
    player_of(moment.state, player)
    after, placed = moment.history.paired, moment.standings()
    table = moment.crosstable()
    rows = {row.id: row for row in table.rows}
    card = moment.card(player)
    standing = next((one for one in placed.standings if one.id == player), None)
    places = [place_of(moment.standings(round).standings, player) for round in range(1, placed.after + 1)]
    by_board = {(each.round, each.board): each for each in corrections(moment.facts)}
    boards = [boards_of(moment, round, player) for round in range(1, after + 1)]
    games = [
        Game(
            round=line.round,
            colour=line.colour,
            opponent=rows.get(line.opponent),
            letter=line.letter,
            mark=MARKS.get(line.letter, line.letter),
            float=line.float,
            forfeited=line.forfeited,
            score=line.score,
            board=board,
            correction=by_board.get((line.round, board)),
        )
        for line, board in zip(card.lines, boards, strict=True)
    ]
    mine = rows.get(player)
    return render(
        "player.html",
        frame,
        event=event_of(moment),
        card=card,
        standing=standing,
        shared=sum(one.rank == standing.rank for one in placed.standings) if standing else 0,
        games=games,
        after=after,
        cells=cells(mine, rows, after) if mine else (),
        course=course([line.score for line in card.lines], moment.regulations.rounds, table.scoring.win),
        ranks=ranks(places, len(table.rows)),
        changed=[game.round for game in games if game.correction],
    )


def place_of(lines: tuple[Standing, ...], player: int) -> int:
    """The player's place; 0 for none."""
    return next((line.rank for line in lines if line.id == player), 0)


def boards_of(moment: Moment, round: int, player: int) -> int:
    """The board a player had in a round; 0 for none."""
    games = moment.history.rounds[round - 1].games()
    return next((at for at, game in enumerate(games, start=1) if player in (game.white, game.black)), 0)
