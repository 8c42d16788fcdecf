"""Results and slips: ``result clear correct undo``."""

from collections.abc import Sequence
from typing import Final

import click

from paircard.cli.commands.what_if import preview_correction
from paircard.cli.input_files import played_lines, result_lines, result_sheet
from paircard.cli.options import AS_DATA, with_options, writes
from paircard.cli.refusals import in_a_line
from paircard.cli.session import Session
from paircard.cli.usage import TakesResults
from paircard.domain.commands import ClearResult
from paircard.domain.errors import NoSuchPlayer
from paircard.domain.rounds import Game
from paircard.domain.values.text import counted, is_number
from paircard.service.pairing import PlayedBoard

IN_PAIRS: Final = (
    "boards and results come in pairs, like 1 1-0 2 ½-½; --file - takes results alone, one for each board"
)


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
        raise click.UsageError(IN_PAIRS)
    for board, text in zip(boards_and_results[::2], boards_and_results[1::2], strict=True):
        if not is_number(board):
            raise click.UsageError(f"{board[:20]!r} is not a board number; {IN_PAIRS}")
        entries.append(("", int(board), text))
    if not entries:
        if file:
            raise click.ClickException(f"{file}: no results in it, lines like 1 1-0 are expected")
        raise click.UsageError("no result was given, like 1 1-0")
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
        where = f"{file}: line {entered.line}"
        board = entered.board
        if entered.white and entered.black:
            board = board_of(session, round, entered.white, entered.black, where)
        if entered.board not in (0, board):
            raise click.ClickException(
                f"{where}: {entered.white} and {entered.black} sit at board {board}, not {entered.board}"
            )
        found.append((where, board, entered.result))
    return found


def lines_in_order(session: Session, round: int, file: str) -> list[tuple[str, int, str]]:
    """Where in the file, board and result: of lines BOARD RESULT, or of one result for each board in turn."""
    found = list(result_lines(file))
    bare = [line for line, board, _ in found if not board]
    if bare and len(bare) < len(found):
        raise click.ClickException(
            f"{file}: line {bare[0]}: the board is missing; other lines have one, like '3 1-0'"
        )
    boards = len(games_of(session, round, file)) if bare else 0
    if bare and len(bare) != boards:
        raise click.ClickException(
            f"{file}: {counted(len(bare), 'result')} without board numbers, and round {round} has "
            f"{counted(boards, 'board')}: give one for each board, or write the board before each result"
        )
    return [
        (f"{file}: line {line}", board or place, text)
        for place, (line, board, text) in enumerate(found, start=1)
    ]


def games_of(session: Session, round: int, where: str) -> Sequence[Game]:
    """The games of a round in the order of the boards."""
    state = session.tournament.now().state
    if not 1 <= round <= len(state.rounds):
        raise click.ClickException(f"{where}: round {round} is not paired")
    return state.rounds[round - 1].games()


def board_of(session: Session, round: int, white: str, black: str, where: str) -> int:
    """The board at which two players sit, White first."""
    now = session.tournament.now()
    try:
        pair = now.player(white), now.player(black)
    except NoSuchPlayer as nobody:
        raise click.ClickException(f"{where}: {in_a_line(nobody, session)}") from None
    for number, game in enumerate(games_of(session, round, where), start=1):
        if (game.white, game.black) == pair:
            return number
        if (game.black, game.white) == pair:
            there = " – ".join(now.state.players[id - 1].details.name for id in (game.white, game.black))
            raise click.ClickException(
                f"{where}: board {number} of round {round} is {there}, the other way round: "
                "put White first and turn the result; if they played so, enter it, then "
                f"paircard correct {round} {number} --colours"
            )
    raise click.ClickException(f"{where}: {white} and {black} have no board in round {round}")


def need_once(entries: list[tuple[str, int, str]]) -> None:
    """Refuse a board that is given twice, whatever the results."""
    seen: dict[int, tuple[str, str]] = {}
    for where, board, text in entries:
        if board in seen:
            place, before = seen[board]
            here = ", ".join(dict.fromkeys(filter(None, (place, where))))
            message = f"board {board} is given twice, {before[:20]} and {text[:20]}: leave one out"
            raise click.ClickException(f"{here}: {message}" if here else message)
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


@click.command(cls=TakesResults)
@click.argument("round", type=int)
@click.argument("board", type=int, required=False)
@click.argument("result", required=False)
@click.option("--colours", is_flag=True, help="White and Black of the board were reversed.")
@click.option(
    "--played",
    nargs=4,
    multiple=True,
    metavar="BOARD WHITE BLACK RESULT",
    help="Others met on this board; RESULT is 'same' if these two met by the record. May be repeated.",
)
@click.option("--bye", metavar="WHO", help="Who had the bye, if somebody else had it by the record.")
@click.option(
    "--boards",
    "file",
    metavar="FILE",
    help="The whole round as it was played: WHITE BLACK [RESULT] per line, bye as N 0.",
)
@click.option("--preview", is_flag=True, help="Show what would change and what stands; write nothing.")
@with_options(*AS_DATA)
@writes
def correct(
    session: Session,
    round: int,
    board: int | None,
    result: str | None,
    colours: bool,
    played: tuple[tuple[str, str, str, str], ...],
    bye: str | None,
    file: str | None,
    preview: bool,
) -> None:
    """Correct a result, the colours of a board, or who met, where the record is wrong.

    What it changes follows C.04.2:4.3: the next pairing; if that is made, the one after it; once that
    round has ended too, the rating report only. Under the editions of 2012 it counts for all pairings yet to
    be made (2012 F.7). The answer says which.

    Who met (--played, --boards) is corrected once the next round is paired; before, paircard alter changes
    the boards. Everybody of the round keeps a seat. In a file, boards stand as paircard alter show prints
    them, with the result after those whose players did not meet by the record.

    \b
    Example:
      paircard correct 1 1 ½-½ --why "both players signed a draw"
    """
    otherwise = bool(played or bye or file)
    if otherwise and (board is not None or colours or (file and (played or bye))):
        raise click.UsageError("give a board and its RESULT, or --played for each board, or --boards FILE")
    if not otherwise and (board is None or (result is None) == (not colours)):
        raise click.UsageError("give a board and its right RESULT, or --colours; or who met, with --played")
    if session.json and not preview:
        raise click.UsageError("--json is for --preview")
    boards, pab = played_lines(file) if file else (named_boards(played), bye or "")
    if preview:
        preview_correction(session, round, board, result, boards, pab)
    elif board is None:
        session.tell(session.tournament.correct_boards(round, boards, pab, by=session.person))
    elif result is None:
        session.tell(session.tournament.correct_colours(round, board, by=session.person))
    else:
        session.tell(session.tournament.correct(round, board, result, by=session.person))


def named_boards(played: tuple[tuple[str, str, str, str], ...]) -> dict[int, PlayedBoard]:
    """The boards of --played, by number."""
    boards: dict[int, PlayedBoard] = {}
    for number, white, black, result in played:
        if not is_number(number):
            raise click.UsageError(f"{number[:20]!r} is not a board number; --played 3 WHITE BLACK RESULT")
        if int(number) in boards:
            raise click.UsageError(f"board {int(number)} is given twice: give it once")
        boards[int(number)] = (white, black) if result.lower() == "same" else (white, black, result)
    return boards


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
