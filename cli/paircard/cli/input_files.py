"""Files that people hand in: reports, sheets, and results in sheets or lines."""

from collections.abc import Sequence
from pathlib import Path

import click

from paircard.cli.output import remark
from paircard.cli.refusals import found_in
from paircard.cli.session import Session
from paircard.cli.text_files import LARGEST_REPORT, raw_list, read_bytes, result_lines
from paircard.domain.errors import Invalid, Unknown
from paircard.domain.messages import say
from paircard.domain.rounds import Game
from paircard.projections.trf import Reading, Report, decode, parse, read
from paircard.service.sheets.table import Entered, Table, is_result_sheet, read_table, results_of

REPORT = click.Path(exists=True, dir_okay=False, path_type=Path)
"""A file that is read."""


def read_report_file(path: Path, encoding: str) -> tuple[Report, Reading]:
    """A report file, and what it says; a refusal names the file."""
    raw = read_bytes(path, LARGEST_REPORT)
    with found_in(path):
        report = parse(decode(raw, encoding))
        return report, read(report)


def read_sheet(path: str, encoding: str = "") -> Table:
    """The table in a CSV or Excel file, or on standard input for ``-``."""
    raw = raw_list(path)
    with found_in(path):
        table = read_table(raw, encoding)
    if table.encoding not in ("", "utf-8", encoding):
        remark(say("cli.said.read-as", value=table.encoding), path)
    return table


WORKBOOKS = (".xlsx", ".ods", ".xls")


def result_sheet(path: str) -> tuple[Entered, ...]:
    """The results of a CSV or Excel file with a heading line; nothing if the file is lines BOARD RESULT."""
    if path == "-" or Path(path).suffix.lower() not in (".csv", ".tsv", *WORKBOOKS):
        return ()
    table = read_sheet(path)
    if not is_result_sheet(table) and Path(path).suffix.lower() not in WORKBOOKS:
        return ()
    for note in table.notes:
        remark(note, path)
    with found_in(path):
        return results_of(table)


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
