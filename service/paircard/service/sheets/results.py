"""Results of a round from a sheet: boards, or the names of the players, with their results."""

from typing import Final

import msgspec

from paircard.domain.errors import Invalid
from paircard.service.sheets.table import Line, Table, between_remarks, plain_label

COLUMNS: Final = {
    "board": ("board", "bo", "br", "brett", "table", "tavolo", "echiquier", "ech"),
    "white": ("white", "weiss", "blancs", "bianco", "blancas", "nameofwhite"),
    "black": ("black", "schwarz", "noirs", "nero", "negras", "nameofblack"),
    "result": ("result", "res", "ergebnis", "erg", "resultat", "risultato", "resultado"),
}


class Entered(msgspec.Struct, frozen=True, kw_only=True):
    """One result of a sheet."""

    line: int
    board: int
    """0 where the sheet names the players only."""
    white: str
    black: str
    result: str


def names_results(line: Line) -> bool:
    """Whether a column is named after results."""
    return any(plain_label(label) in COLUMNS["result"] for label in line.cells)


def is_result_sheet(table: Table) -> bool:
    """Whether a table is one of results, below its titles if it has any."""
    return names_results(between_remarks(table, names_results).heading)


def results_of(table: Table) -> tuple[Entered, ...]:
    """The results of a table; lines without a result are boards still to be played."""
    table = between_remarks(table, names_results)
    by_label = {label: field for field, labels in COLUMNS.items() for label in labels}
    fields = [by_label.get(plain_label(label), "") for label in table.heading.cells]
    if again := [field for field in COLUMNS if fields.count(field) > 1]:
        raise Invalid(f"line {table.heading.number}: two columns for the {again[0]}")
    named = {"white", "black"} <= set(fields)
    if "result" not in fields or not (named or "board" in fields):
        raise Invalid(
            f"line {table.heading.number}: the columns are not those of results: "
            "board and result, or white, black and result"
        )
    entered = []
    for line in table.lines:
        values = dict(zip(fields, line.cells, strict=False))
        board, result = values.get("board", ""), values.get("result", "").replace(" ", "")
        if not result or result == "-":
            continue
        number = int(board) if board.isascii() and board.isdecimal() and len(board) < 6 else 0
        if not number and not named:
            raise Invalid(f"line {line.number}: {board[:40]!r} is not a board")
        entered.append(
            Entered(
                line=line.number,
                board=number,
                white=values.get("white", ""),
                black=values.get("black", ""),
                result=result,
            )
        )
    if not entered:
        raise Invalid("no results in it")
    return tuple(entered)
