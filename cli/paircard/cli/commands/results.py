"""Results and slips: ``result clear undo``."""

import re

import click

from paircard.cli.options import AS_DATA, with_options
from paircard.cli.output import print_line
from paircard.cli.refusals import Misused, found_in
from paircard.cli.session import Session, writes
from paircard.cli.usage import TakesResults
from paircard.domain.errors import Invalid, Refused


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

    Example: paircard result 1 1 1-0 2 ½-½
    """
    entries: list[tuple[str, int, str]] = []
    if file:
        from paircard.cli.input_files import entries_of  # workbooks and names, for those who hand one in

        entries += entries_of(session, round, file)
    if len(boards_and_results) % 2:
        raise Misused("cli.results-in-pairs")
    for board, text in zip(boards_and_results[::2], boards_and_results[1::2], strict=True):
        if not re.fullmatch("[0-9]{1,12}", board):
            raise Misused("cli.not-a-board", text=board)
        entries.append(("", int(board), text))
    if not entries:
        if file:
            raise Invalid("cli.file-without-results", file=file)
        raise Misused("cli.no-result")
    need_once(entries)
    results = {board: text for _, board, text in entries}
    try:
        done = session.desk.record(round, results, by=session.person)
    except Refused as refusal:
        raise session.placed(refusal, [where for where, _, _ in entries]) from None
    session.tell(done)


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

    Example: paircard clear 1 2
    """
    session.tell(session.desk.clear(round, boards, by=session.person))


@click.command()
@writes
def undo(session: Session) -> None:
    """Say what your last command did, and take back what can be taken back.

    If somebody else's is newer, it is named, and --ack not-yours takes that one back. Nothing is removed
    from the log: a new fact takes the old one back. What was public, or drawn by lot, says how to go on
    instead.

    Example: paircard undo
    """
    lines = session.tournament.last_lines()
    done = session.tournament.undo(by=session.person)
    for line in lines:
        print_line("cli.said.last-command", who=line.who, value=line.text)
    session.tell(done)
