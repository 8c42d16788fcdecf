"""Results that are handed in as a file: lines, or a sheet with headings that names boards or players."""

from collections.abc import Sequence

from paircard.cli.input_files import result_lines, result_sheet
from paircard.cli.refusals import found_in
from paircard.cli.session import Session
from paircard.domain.errors import Invalid, Unknown
from paircard.domain.rounds import Game


def entries_of(session: Session, round: int, file: str) -> list[tuple[str, int, str]]:
    """Where in the file, board and result: of a sheet, or of lines BOARD RESULT."""
    sheet = result_sheet(file)
    if not sheet:
        return lines_in_order(session, round, file)
    found = []
    for entered in sheet:
        where, board = f"{file}: line {entered.line}", entered.board
        white, black = entered.white, entered.black
        with found_in(where):
            if white and black:
                board = board_of(session, round, white, black)
            if entered.board not in (0, board):
                raise Invalid("cli.pair-elsewhere", name=white, who=black, board=board, number=entered.board)
        found.append((where, board, entered.result))
    return found


def lines_in_order(session: Session, round: int, file: str) -> list[tuple[str, int, str]]:
    """Where in the file, board and result: of lines BOARD RESULT, or of one result for each board in turn."""
    found = list(result_lines(file))
    bare = [line for line, board, _ in found if not board]
    if bare and len(bare) < len(found):
        raise Invalid("cli.board-missing", file=file, line=bare[0])
    with found_in(file):
        boards = len(games_of(session, round)) if bare else 0
        if bare and len(bare) != boards:
            raise Invalid("cli.results-for-boards", count=len(bare), round=round, there=boards)
    return [
        (f"{file}: line {line}", board or place, text)
        for place, (line, board, text) in enumerate(found, start=1)
    ]


def games_of(session: Session, round: int) -> Sequence[Game]:
    """The games of a round in the order of the boards."""
    state = session.tournament.now().state
    if not 1 <= round <= len(state.rounds):
        raise Unknown("cli.round-not-paired", round=round)
    return state.rounds[round - 1].games()


def board_of(session: Session, round: int, white: str, black: str) -> int:
    """The board at which two players sit, White first."""
    now = session.tournament.now()
    pair = now.player(white), now.player(black)
    for number, game in enumerate(games_of(session, round), start=1):
        if (game.white, game.black) == pair:
            return number
        if (game.black, game.white) == pair:
            there = " – ".join(now.state.players[id - 1].details.name for id in (game.white, game.black))
            raise Invalid("cli.turned-round", board=number, round=round, name=there)
    raise Unknown("cli.pair-without-board", name=white, who=black, round=round)
