"""Results and slips: ``result clear undo``."""

from collections.abc import Sequence

import click

from paircard.cli.input_files import result_lines, result_sheet
from paircard.cli.options import AS_DATA, with_options, writes
from paircard.cli.refusals import Misused, found_in
from paircard.cli.session import Session
from paircard.cli.usage import TakesResults
from paircard.domain.commands import ClearResult
from paircard.domain.errors import Invalid, Unknown
from paircard.domain.rounds import Game
from paircard.domain.values.text import is_number


@click.command(cls=TakesResults)
@click.argument("round", type=int)
@click.argument("boards_and_results", nargs=-1, metavar="[BOARD RESULT]...")
@click.option(
    "--file",
    metavar="FILE",
    help="Read lines BOARD RESULT, one RESULT for each board in turn, or a sheet (.csv, .xlsx, .ods, .xls) "
    "with headings; - for standard input.",
)
@with_options(*AS_DATA)
@writes
def result(session: Session, round: int, boards_and_results: tuple[str, ...], file: str | None) -> None:
    """Enter the results of a round: all of them, or none.

    A result is 1-0 (or 1), ½-½ (or =, 1/2, 0,5, remis), 0-1 (or 0), ½-0, 0-½, 0-0, a forfeit 1F-0F (or +,
    +-), 0F-1F (or -, -+), 0F-0F (or --), or unrated W-L, D-D, L-W; one sign alone is White's. A game to be
    finished later is "adjourned". A result that is already recorded may be sent again.

    \b
    Example:
      paircard result 1 1 1-0 2 ½-½
    """
    entries: list[tuple[str, int, str]] = []
    if file:
        entries += entries_of(session, round, file)
    if len(boards_and_results) % 2:
        raise Misused("cli.results-in-pairs")
    for board, text in zip(boards_and_results[::2], boards_and_results[1::2], strict=True):
        if not is_number(board):
            raise Misused("cli.not-a-board", text=board)
        entries.append(("", int(board), text))
    if not entries:
        if file:
            raise Invalid("cli.file-without-results", file=file)
        raise Misused("cli.no-result")
    need_once(entries)
    with session.naming([where for where, _, _ in entries]):
        results = {board: text for _, board, text in entries}
        done = session.tournament.record(round, results, by=session.person)
    session.tell(done)


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


def need_once(entries: list[tuple[str, int, str]]) -> None:
    """Refuse a board that is given twice, whatever the results."""
    seen: dict[int, tuple[str, str]] = {}
    for where, board, text in entries:
        if board in seen:
            place, before = seen[board]
            with found_in(", ".join(dict.fromkeys(filter(None, (place, where))))):
                raise Invalid("cli.board-twice", board=board, value=before[:20], kind=text[:20])
        seen[board] = where, text


@click.command()
@click.argument("round", type=int)
@click.argument("boards", type=int, nargs=-1, required=True)
@writes
def clear(session: Session, round: int, boards: tuple[int, ...]) -> None:
    """Clear results that were entered on the wrong boards: the games are open again.

    An adjournment is cleared in the same way.

    \b
    Example:
      paircard clear 1 2
    """
    commands = [ClearResult(round=round, board=board) for board in boards]
    session.tell(session.tournament.ask(*commands, by=session.person))


@click.command()
@writes
def undo(session: Session) -> None:
    """Say what your last command did, and take back what can be taken back.

    If somebody else's is newer, it is named, and --ack not-yours takes that one back. Nothing is removed
    from the log: a new fact takes the old one back. What was public, or drawn by lot, says how to go on
    instead.

    \b
    Example:
      paircard undo
    """
    lines = session.tournament.last_lines()
    done = session.tournament.undo(by=session.person)
    for line in lines:
        click.echo(f"the last command, by {line.who}: {line.text}")
    session.tell(done)
